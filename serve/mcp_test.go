package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"powderkeg/serve/mcp"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client of the SDK starts the command and plays a game over its standard streams. On
// standard output there is nothing but the protocol; the process ends with the client.
func TestMCPOverStandardStreams(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, "mcp", "--games", "3")
	var log bytes.Buffer
	command.Stderr = &log
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	type standing struct { // what the answers of new_game and act share
		ID    string    `json:"id"`
		Legal []string  `json:"legal"`
		Over  *mcp.Over `json:"over"`
	}
	ask := func(tool string, arguments map[string]any) (s standing) {
		t.Helper()
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || r.IsError {
			t.Fatalf("%s: %v, %+v", tool, err, r)
		}
		data, err := json.Marshal(r.StructuredContent)
		if err == nil {
			err = json.Unmarshal(data, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := ask("new_game", map[string]any{"game": "leduc", "opponents": []string{"mcts(sims=50)"}, "seed": 4})
	for n := 0; s.Over == nil && n < 20; n++ {
		s = ask("act", map[string]any{"id": s.ID, "action": s.Legal[0]})
	}
	if s.Over == nil {
		t.Errorf("the game stands at %+v", s)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the end of the client: %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("standard error has %q", log.String())
	}
}

// Each line of standard output is a message, whatever comes in, and a signal ends the
// command while it waits.
func TestMCPKeepsItsStandardOutputClean(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, self, "mcp", "--verbose")
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"new_game","arguments":{"game":"kuhn","seed":1}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"fly"}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"games","arguments":[[[[]]]]}}`,
	} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	lines := json.NewDecoder(out)
	for range 4 {
		var message struct {
			Version string `json:"jsonrpc"`
			ID      int    `json:"id"`
		}
		if err := lines.Decode(&message); err != nil || message.Version != "2.0" || message.ID < 1 {
			t.Fatalf("a line of standard output is %+v, %v", message, err)
		}
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(io.MultiReader(lines.Buffered(), out))
	if strings.TrimSpace(string(rest)) != "" {
		t.Errorf("standard output ends with %q", rest)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("a signal ends it with %v", err)
	}
}

// The client that most models are connected by, from PyPI, plays a game.
func TestMCPFromPython(t *testing.T) {
	if out, err := exec.Command(python(t), "-c", "import mcp").CombinedOutput(); err != nil {
		t.Skipf("no package mcp (pip install -r serve/python/requirements.txt): %s", bytes.TrimSpace(out[max(0, len(out)-100):]))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := inPython(t, nil, "tests/mcp_game.py", self, "mcp")
	for _, want := range []string{"tools: act, games, hint, legal, look, new_game, rules", "an illegal action: act: action \"fly\" is not legal",
		"the game is over: returns ["} {
		if !strings.Contains(out, want) {
			t.Errorf("the client prints\n%s\nwant it to contain %q", out, want)
		}
	}
}
