package env_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A module elsewhere uses this one by a line of its go.mod, as README.md says.
func TestOutsideModule(t *testing.T) {
	dir := t.TempDir()
	for to, from := range map[string]string{"main.go": "testdata/outside/main.go", "go.sum": "../go.sum"} {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(dir string, arguments ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), "go", arguments...)
		command.Dir, command.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	module := run(root, "list", "-m")
	text := fmt.Sprintf("module example.com/outside\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(dir, "run", "."); out != "Warriors of Jogu: Feint [1 -1]" {
		t.Errorf("it says %q", out)
	}
}
