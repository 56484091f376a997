package serve_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The client for Node.js that was written from PROTOCOL.md alone plays a game and many.
func TestNodeClient(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node.js (apt-get install -y nodejs npm)")
	}
	const folder = "examples/node"
	if _, err := os.Stat(folder + "/node_modules/@msgpack/msgpack"); err != nil {
		t.Skip("no @msgpack/msgpack (npm ci in serve/" + folder + ")")
	}
	source := read(t, folder+"/client.mjs")
	if lines := strings.Count(source, "\n"); lines > 110 {
		t.Errorf("client.mjs has %d lines, want about a hundred", lines)
	}
	address := running(t, config())
	for _, game := range []string{"kuhn", "leduc", "jogu", "domination(players=3)"} {
		command := exec.CommandContext(t.Context(), "node", "client.mjs", address, game, "random")
		command.Dir = folder
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", game, err, out)
		}
		for _, want := range []string{`powderkeg \S+ offers `, `over after \d+ decisions, returns \[`,
			`\d{3} games in \d+ steps of 32 environments; seat 0 gains -?\d`, `as it should be: handle`} {
			if !regexp.MustCompile(want).Match(out) {
				t.Errorf("%s: the client prints\n%s\nwant it to match %q", game, out, want)
			}
		}
	}
}
