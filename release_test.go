package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// step runs a step of the release script in a folder, and returns what it prints and its exit code.
func step(t *testing.T, folder string, arguments ...string) (out string, code int) {
	t.Helper()
	command := exec.Command("bash", append([]string{".ci/release"}, arguments...)...)
	command.Dir = folder
	text, err := command.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "\n"), code
}

// TestReleasesAreChecked: each file that names another version stops a release, in one line that says which.
func TestReleasesAreChecked(t *testing.T) {
	const (
		python, cited, changes = "serve/python/powderkeg/_version.py", ".github/CITATION.cff", ".github/CHANGELOG.md"
		good                   = "## Unreleased\n\n- later\n\n## 1.2.0 - 2030-01-02\n\n- this\n\n## 1.1.0 - 2029-01-01\n\n- before\n"
	)
	for name, c := range map[string]struct {
		version, file, text string
		git                 []string
		code                int
		want                string
	}{
		"all agree":           {version: "1.2.0"},
		"no version":          {version: "", code: 2, want: `VERSION is "", it must be such as 0.3.0`},
		"a tag":               {version: "v1.2.0", code: 2, want: `VERSION is "v1.2.0"`},
		"another version":     {version: "1.3.0", code: 1, want: "_version.py says 1.2.0, not 1.3.0"},
		"another citation":    {version: "1.2.0", file: cited, text: "version: \"1.1.0\"\n", code: 1, want: "cites version 1.1.0, not 1.2.0"},
		"no section":          {version: "1.2.0", file: changes, text: "## Unreleased\n\n- all\n", code: 1, want: `under a heading "## 1.2.0 - DATE"`},
		"an empty section":    {version: "1.2.0", file: changes, text: "## 1.2.0 - 2030-01-02\n\n## 1.1.0 - 2029-01-01\n- x\n", code: 1, want: "nothing"},
		"another date":        {version: "1.2.0", file: changes, text: strings.Replace(good, "01-02", "01-03", 1), code: 1, want: "dates 1.2.0 2030-01-03"},
		"changes":             {version: "1.2.0", git: []string{"rm", "-q", "--cached", changes}, code: 1, want: "changes that are not committed"},
		"the tag of this":     {version: "1.2.0", git: []string{"tag", "v1.2.0"}},
		"the tag of another":  {version: "1.2.0", git: []string{"tag", "v1.2.0", "HEAD^"}, code: 1, want: "the tag v1.2.0 is there, of "},
		"the tag of another ": {version: "1.2.0", git: []string{"tag", "-am", "x", "v1.2.0", "HEAD^"}, code: 1, want: "which is not this commit"},
	} {
		folder := t.TempDir()
		script, err := os.ReadFile(".ci/release")
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{
			".ci/release": string(script), python: "__version__ = \"1.2.0\"\n", changes: good,
			cited: "version: \"1.2.0\"\ndate-released: \"2030-01-02\"\n",
		}
		if c.file != "" {
			files[c.file] = c.text
		}
		write(t, folder, files)
		git(t, folder, "init", "-q")
		git(t, folder, "commit", "-qm", "before", "--allow-empty")
		git(t, folder, "add", ".")
		git(t, folder, "commit", "-qm", "a release")
		if c.git != nil {
			git(t, folder, c.git...)
		}
		out, code := step(t, folder, "--step", "check", c.version)
		if code != c.code || !strings.Contains(out, c.want) || (c.want == "") != (out == "") || strings.Contains(out, "\n") {
			t.Errorf("%s: exit code %d and %q, want %d and one line with %q", name, code, out, c.code, c.want)
		}
	}
}

// write writes files by their paths within a folder.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// git runs git in a folder, as somebody.
func git(t *testing.T, folder string, arguments ...string) {
	t.Helper()
	command := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com"}, arguments...)...)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", arguments[0], err, out)
	}
}

// TestNotesAreCutFromTheChangelog: a version's section without its heading, and nothing of the others.
func TestNotesAreCutFromTheChangelog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "changes.md")
	write(t, "", map[string]string{file: "# Changelog\n\n## Unreleased\n\n- a\n\n## 1.10.0 - 2030-02-01\n\n### Rules\n\n- b\n\n- c\n\n" +
		"## 1.1.0 - 2030-01-01\n\n- d\n"})
	for version, want := range map[string]string{"1.10.0": "### Rules\n\n- b\n\n- c\n", "1.1.0": "- d", "1.1": "", "1": ""} {
		if got, code := step(t, ".", "--step", "notes", version, file); got != want || code != 0 {
			t.Errorf("the notes of %s are %q, code %d, want %q", version, got, code, want)
		}
	}
}

// TestTheSourceArchiveIsWhole: the sdist has each file that go build reads for the program and the library, on any system.
func TestTheSourceArchiveIsWhole(t *testing.T) {
	out, code := step(t, ".", "--step", "sources")
	if code != 0 {
		t.Fatal(out)
	}
	have := strings.Split(out, "\n")
	const fields = "-json=Dir,Standard,Module,GoFiles,CgoFiles,SFiles,HFiles,EmbedFiles,IgnoredGoFiles,IgnoredOtherFiles"
	list := exec.Command("go", "list", "-deps", fields, ".", "./serve/inprocess")
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	wanted := 0
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p struct {
			Dir                                                                              string
			Standard                                                                         bool
			Module                                                                           struct{ Main bool }
			GoFiles, CgoFiles, SFiles, HFiles, EmbedFiles, IgnoredGoFiles, IgnoredOtherFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Standard || !p.Module.Main {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.SFiles, p.HFiles, p.EmbedFiles, p.IgnoredGoFiles, p.IgnoredOtherFiles) {
			path, err := filepath.Rel(root, filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if wanted++; !strings.HasSuffix(path, "_test.go") && !slices.Contains(have, filepath.ToSlash(path)) {
				t.Errorf("the sdist lacks %s", path)
			}
		}
	}
	if wanted < 500 || len(have) > 2*wanted {
		t.Errorf("go build reads %d files, the sdist has %d", wanted, len(have))
	}
}

// TestArchivesAreTheSameTwice: when the files were written, and in which order, leaves no trace in an archive.
func TestArchivesAreTheSameTwice(t *testing.T) {
	for _, end := range []string{".tar.gz", ".zip"} {
		var archives [2][]byte
		for i, names := range [][]string{{"a", "b/c"}, {"b/c", "a"}} {
			folder := t.TempDir()
			for _, name := range names {
				path := filepath.Join(folder, "release", name)
				write(t, "", map[string]string{path: "text of " + name})
				if err := os.Chtimes(path, time.Time{}, time.Unix(int64(1e9*(i+1)), 0)); err != nil {
					t.Fatal(err)
				}
			}
			out := filepath.Join(folder, "packed"+end)
			if text, err := exec.Command("python3", ".ci/pack.py", out, filepath.Join(folder, "release"), "1790000000").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			var err error
			if archives[i], err = os.ReadFile(out); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(archives[0], archives[1]) {
			t.Errorf("two archives %s of the same files differ", end)
		}
	}
}

// TestBuildsAreStamped: what make builds in a repository says its commit, and it is stripped for others.
func TestBuildsAreStamped(t *testing.T) {
	folder := t.TempDir()
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, map[string]string{"Makefile": string(makefile), "go.mod": "module example.com/x\n", "env/program/p.go": "package program\n"})
	for _, repository := range []bool{false, true} {
		if repository {
			git(t, folder, "init", "-q")
			git(t, folder, "add", ".")
			git(t, folder, "commit", "-qm", "all")
		}
		plan := exec.Command("make", "-n", "program", "cross")
		plan.Dir = folder
		text, err := plan.Output()
		if err != nil {
			t.Fatal(err)
		}
		if stamps := strings.Count(string(text), "-X example.com/x/env/program.stamp="); (stamps == 2) != repository || stamps%2 != 0 {
			t.Errorf("in a repository: %v; %d builds are stamped:\n%s", repository, stamps, text)
		}
		if strings.Count(string(text), "-s -w") != 1 {
			t.Errorf("programs for others are not stripped:\n%s", text)
		}
	}
}
