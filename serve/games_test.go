package serve_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// TestEveryGameIsAtHome looks for each game of engine/games in all places that a new one
// is put into (.github/CONTRIBUTING.md); the message names the file that lacks it.
func TestEveryGameIsAtHome(t *testing.T) {
	readme, overview, client := read(t, "../README.md"), read(t, "../experiments/README.md"), read(t, "python/powderkeg/games.py")
	for _, f := range games.Families() {
		g, err := games.New(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		lacks := func(file, what string) {
			t.Helper()
			t.Errorf("%s lacks %s of %s", file, what, f.Name)
		}
		if _, err := env.EncoderFor(g); err != nil {
			lacks("env/games.go", "the encoder")
		}
		if _, err := drawing.Draw(g, engine.Look(g.New(), 0)); err != nil {
			lacks("env/drawing/games.go", "the drawing")
		}
		if _, err := scripted.New(g); err != nil {
			lacks("agents/scripted/games.go", "the scripted player")
		}
		configs, err := filepath.Glob(filepath.Join("../experiments/configs", f.Name, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if len(configs) == 0 {
			lacks("experiments/configs/"+f.Name, "a training configuration")
		}
		for _, c := range configs {
			if entry := "| `" + f.Name + "/" + filepath.Base(c) + "` |"; !strings.Contains(overview, entry) {
				lacks("experiments/README.md", "the row "+entry)
			}
		}
		if !strings.Contains(readme, "`"+f.Name+"`") {
			lacks("README.md", "the name")
		}
		if entry := fmt.Sprintf("%q: %d,", f.Name, g.Spec().Version); !strings.Contains(client, entry) {
			lacks("serve/python/powderkeg/games.py", "the entry "+entry)
		}
		for _, name := range []string{"README.md", "data/rules.json"} {
			if _, err := os.Stat(filepath.Join("../engine", f.Name, name)); err != nil {
				lacks("engine/"+f.Name+"/"+name, "the page")
			}
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
