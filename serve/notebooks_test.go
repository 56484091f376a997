package serve_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"powderkeg/serve/inprocess/built"
)

// Notebooks that need no library to learn with run, and print what they have printed before:
// their numbers follow from seeds.
func TestPythonNotebooks(t *testing.T) {
	for _, name := range []string{"search", "dataset"} {
		t.Run(name, func(t *testing.T) { runNotebook(t, "nbclient, ipykernel, matplotlib, pandas", "--same", name) })
	}
}

// The notebook that learns does so anew, and beats whom it says; its numbers depend on how a
// processor rounds.
func TestPythonTorchNotebook(t *testing.T) {
	runNotebook(t, "torch, nbclient, ipykernel, matplotlib", "", "ppo")
}

// runNotebook runs a notebook with the games in its own process. This test binary stands in
// for the powderkeg command (TestMain).
func runNotebook(t *testing.T, libraries, how, name string) {
	t.Helper()
	arguments := []string{"notebooks/run.py", "notebooks/" + name + ".ipynb"}
	if how != "" {
		arguments = append(arguments, how)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := command(t, learner(t, libraries), arguments...)
	c.Env = append(c.Env, "POWDERKEG_BIN="+self, "POWDERKEG_LIBRARY="+built.Library(t), "POWDERKEG_ADDRESS=")
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), " cells ran\n") {
		t.Errorf("%s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
}

// cell is a cell of a notebook, as far as the tests look at it.
type cell struct {
	Kind    string `json:"cell_type"`
	Count   int    `json:"execution_count"`
	Outputs []struct {
		Kind string `json:"output_type"`
		Name string `json:"name"`
	} `json:"outputs"`
}

// TestNotebooksAreExecuted: each notebook was run from top to bottom, without an error or a
// warning, is small enough to be read on the web, and its links lead somewhere.
func TestNotebooksAreExecuted(t *testing.T) {
	paths, err := filepath.Glob("python/notebooks/*.ipynb")
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d notebooks, error %v", len(paths), err)
	}
	for _, path := range paths {
		text := read(t, path)
		if len(text) > 200<<10 {
			t.Errorf("%s has %d bytes, want 200 KiB at most", path, len(text))
		}
		if m := regexp.MustCompile(`/(tmp|home|root|work)/`).FindString(text); m != "" {
			t.Errorf("%s names a folder of the machine that it was run on: %s", path, m)
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
		for _, fault := range faults(t, text) {
			t.Errorf("%s: %s (notebooks/run.py --write runs it)", path, fault)
		}
	}
}

// faults says what is wrong with the cells of a notebook.
func faults(t *testing.T, text string) []string {
	t.Helper()
	var notebook struct{ Cells []cell }
	if err := json.Unmarshal([]byte(text), &notebook); err != nil {
		t.Fatal(err)
	}
	var list []string
	count, outputs := 0, 0
	for i, c := range notebook.Cells {
		if c.Kind != "code" {
			continue
		}
		count++
		if c.Count != count {
			list = append(list, fmt.Sprintf("cell %d was run as number %d, want %d", i, c.Count, count))
		}
		for _, o := range c.Outputs {
			outputs++
			if o.Kind == "error" || o.Name == "stderr" {
				list = append(list, fmt.Sprintf("cell %d ends in an error, or warns", i))
			}
		}
	}
	if count < 5 || outputs < 5 {
		list = append(list, fmt.Sprintf("%d cells of code with %d outputs, want 5 of each", count, outputs))
	}
	return list
}
