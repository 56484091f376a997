package cli

import (
	"fmt"
	"runtime"
	"strings"

	"powderkeg/env"
	"powderkeg/env/program"
	"powderkeg/serve/protocol"
	"powderkeg/serve/python"
)

// Version says which program this is: version, commit and Go, the versions of the
// protocol, and of each game the versions of its rules and of its observation.
func Version() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "powderkeg %s (commit %s, %s %s/%s)\n", python.Version(), program.Commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
