// Package program says from what this program was built, as far as Go has noted it.
package program

import "runtime/debug"

// Built returns the commit that the program was built from, empty where it was built outside of
// a repository or in one that Go does not look at (a linked worktree), and whether files had been
// changed since.
func Built() (revision string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	return built(info.Settings)
}

// Commit returns the commit in short, with -dirty behind it where files had been changed since,
// and "unknown" without one.
func Commit() string { return short(Built()) }

func built(settings []debug.BuildSetting) (revision string, modified bool) {
	for _, s := range settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return revision, modified
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
