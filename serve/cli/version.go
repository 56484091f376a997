package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"powderkeg/env"
	"powderkeg/serve/protocol"
	"powderkeg/serve/python"
)

// Version says which program this is: version, commit and Go, the versions of the
// protocol, and of each game the versions of its rules and of its observation.
func Version() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "powderkeg %s (%s, %s %s/%s)\n", python.Version(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "protocol %d\n", protocol.Versions[len(protocol.Versions)-1])
	for _, f := range env.Families() {
		g, err := env.NewGame(f.Name)
		if err != nil {
			return "", err
		}
		e, err := env.EncoderFor(g)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%-11s rules %d, layout %d\n", f.Name, g.Spec().Version, e.Layout().Version)
	}
	return b.String(), nil
}

// commit returns what the program was built from, as far as Go has noted it.
func commit() string {
	info, _ := debug.ReadBuildInfo()
	revision, modified := "", false
	if info != nil {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				modified = s.Value == "true"
			}
		}
	}
	switch {
	case revision == "":
		return "commit unknown"
	case modified:
		return fmt.Sprintf("commit %.12s with changes", revision)
	}
	return fmt.Sprintf("commit %.12s", revision)
}
