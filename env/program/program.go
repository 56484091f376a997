// Package program says from what this program was built.
package program

import (
	_ "embed"
	"regexp"
	"runtime/debug"
	"strings"
)

// stamp is the commit that the Makefile has the linker write here, with -dirty behind it where
// files had been changed since: Go notes none in a linked worktree, nor with -buildvcs=false.
var stamp string

// archived is the commit in a source archive: git archive, which forges and the releases make
// theirs with, writes it into the file (see .gitattributes). A checkout has the placeholder.
//
//go:embed commit.txt
var archived string

// pseudo matches the version of a module that is required by a commit without a tag.
var pseudo = regexp.MustCompile(`^v[0-9]+\..*[-.][0-9]{14}-([0-9a-f]{12})(\+dirty)?$`)

// Built returns the commit that the program was built from, and whether files had been changed
// since. The commit is empty where none is known: built from files that neither lie in a
// repository nor come from an archive of one.
func Built() (revision string, modified bool) {
	info, _ := debug.ReadBuildInfo()
	return built(stamp, info, archived)
}

// Commit returns the commit in short, with -dirty behind it where files had been changed since,
// and "unknown" without one.
func Commit() string { return short(Built()) }

// built takes the commit from the first that has one: the linker's stamp, the archive (which may
// have been unpacked in a repository of something else), what Go has noted of the repository, and
// the version of the module.
func built(stamp string, info *debug.BuildInfo, archived string) (revision string, modified bool) {
	if stamp != "" {
		return strings.CutSuffix(stamp, "-dirty")
	}
	if commit := strings.TrimSpace(archived); !strings.Contains(commit, "$") {
		return commit, false
	}
	if info == nil {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if revision != "" {
		return revision, modified
	}
	if parts := pseudo.FindStringSubmatch(info.Main.Version); parts != nil {
		return parts[1], parts[2] != ""
	}
	return "", false
}

func short(revision string, modified bool) string {
	if revision == "" {
		return "unknown"
	}
	const digits = 12
	if len(revision) > digits {
		revision = revision[:digits]
	}
	if modified {
		revision += "-dirty"
	}
	return revision
}
