package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

const (
	revision = "0123456789abcdef0123456789abcdef01234567"
	another  = "89abcdef0123456789abcdef0123456789abcdef"
)

func TestTheCommitIsTakenFromWhoKnowsIt(t *testing.T) {
	vcs := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
	}
	const placeholder = "$Format:%H$\n"
	for name, c := range map[string]struct {
		stamp    string
		settings []debug.BuildSetting
		archived string
		version  string
		want     string
	}{
		"nobody":                   {archived: placeholder, version: "(devel)", want: "unknown"},
		"nobody, changed":          {settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}, archived: placeholder, want: "unknown"},
		"the repository":           {settings: vcs(revision, "false"), archived: placeholder, want: "0123456789ab"},
		"the repository, changed":  {settings: vcs(revision, "true"), archived: placeholder, want: "0123456789ab-dirty"},
		"of another system":        {settings: vcs("12", "false"), archived: placeholder, want: "12"},
		"the Makefile":             {stamp: revision, archived: placeholder, want: "0123456789ab"},
		"the Makefile, changed":    {stamp: revision + "-dirty", settings: vcs(another, "false"), archived: placeholder, want: "0123456789ab-dirty"},
		"an archive":               {archived: revision + "\n", version: "(devel)", want: "0123456789ab"},
		"an archive, elsewhere":    {settings: vcs(another, "false"), archived: revision + "\n", want: "0123456789ab"},
		"a version of the module":  {archived: placeholder, version: "v0.3.1-0.20261127200000-89abcdef0123", want: "89abcdef0123"},
		"a version without a tag":  {archived: placeholder, version: "v0.0.0-20261127200000-89abcdef0123+dirty", want: "89abcdef0123-dirty"},
		"a version that is tagged": {archived: placeholder, version: "v0.3.0", want: "unknown"},
	} {
		info := &debug.BuildInfo{Settings: c.settings, Main: debug.Module{Version: c.version}}
		if got := short(built(c.stamp, info, c.archived)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := short(built("", nil, placeholder)); got != "unknown" {
		t.Errorf("without information of a build: %q", got)
	}
}

// TestArchivesSayTheirCommit: git archive fills in the file that is embedded.
func TestArchivesSayTheirCommit(t *testing.T) {
	if strings.Contains(archived, "$") && archived != "$Format:%H$\n" {
		t.Errorf("commit.txt is %q", archived)
	}
	folder := t.TempDir()
	for path, text := range map[string]string{"env/program/commit.txt": "$Format:%H$\n", ".gitattributes": attributes(t)} {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(arguments ...string) string {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com"}, arguments...)...)
		text, err := command.Output()
		if err != nil {
			t.Fatalf("git %s: %v", arguments[0], err)
		}
		return strings.TrimSpace(string(text))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "a commit")
	archive := exec.Command("sh", "-c", "git archive HEAD | tar -xO env/program/commit.txt")
	archive.Dir = folder
	text, err := archive.Output()
	if want := git("rev-parse", "HEAD"); err != nil || strings.TrimSpace(string(text)) != want {
		t.Errorf("the archive of %s has %q, error %v", want, text, err)
	}
}

func attributes(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../.gitattributes")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
