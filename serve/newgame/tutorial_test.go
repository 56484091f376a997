package newgame

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
)

// tutorial adds goofspiel, by the generator.
const tutorial = "../../.github/site/tutorials/add-a-game.md"

// parts are the folders of the game that it adds.
var parts = []string{"engine/goofspiel", "env/encoding/goofspiel", "env/drawing/goofspiel"}

// TestTutorialSaysWhatIsPrinted holds the texts that the tutorial quotes against what the
// generator prints, and the tests of what it writes, and its code against that of the game that ships.
func TestTutorialSaysWhatIsPrinted(t *testing.T) {
	page, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	root, printed := generated(t)
	t.Run("marks", func(t *testing.T) {
		for _, m := range marks(t, root) {
			printed += m + "\n"
		}
	})
	if files := strings.Count(printed, "wrote "); files != 20 || len(lists) != 14 {
		t.Errorf("the tutorial speaks of twenty files and fourteen lists, they are %d and %d", files, len(lists))
	}
	ours := ""
	for _, folder := range parts {
		for _, text := range files(t, filepath.Join("../..", folder)) {
			ours += text
		}
	}
	known := read(t, "../..", "train/solve/README.md") // whose test computes it
	for _, m := range regexp.MustCompile(`exploitability of (0\.\d+)`).FindAllStringSubmatch(string(page), -1) {
		if !strings.Contains(known, "| "+m[1]+" |") {
			t.Errorf("the tutorial speaks of an exploitability of %s, which the solver's page lacks", m[1])
		}
	}
	blocks := regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 15 {
		t.Fatalf("the tutorial has %d blocks only", len(blocks))
	}
	for _, b := range blocks {
		switch kind, text := b[1], b[2]; kind {
		case "text":
			for line := range strings.Lines(text) {
				if !strings.Contains(printed, line) {
					t.Errorf("the tutorial quotes %q, which nothing prints", line)
				}
			}
		case "go", "json":
			for line := range strings.Lines(text) {
				if !strings.Contains(squeezed(ours), squeezed(line)) {
					t.Errorf("the tutorial shows %q, which the game does not have", line)
				}
			}
		case "sh":
			for line := range strings.Lines(text) {
				checkCommand(t, strings.TrimSpace(line))
			}
		default:
			t.Errorf("the tutorial has a block of %q, which nothing checks", kind)
		}
	}
}

// squeezed returns a text with one space for each run of blanks, as gofmt aligns columns.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// generated writes goofspiel into a checkout without it, and returns the checkout and what
// the command prints.
func generated(t *testing.T) (root, printed string) {
	t.Helper()
	root = checkout(t)
	g := Game{Name: "goofspiel", Title: "Goofspiel", Root: root}
	done, err := g.Write()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	g.Report(&b, done)
	return root, b.String()
}

// marks returns what the tests of the generated game say at the marks, in their order. It
// changes to the folder of the game.
func marks(t *testing.T, root string) []string {
	t.Helper()
	const folder = "engine/goofspiel"
	var lines []string
	t.Chdir(filepath.Join(root, folder))
	for _, call := range regexp.MustCompile(`enginetest\.Filled\(t, ([^)]*)\)`).FindAllStringSubmatch(read(t, ".", "goofspiel_test.go"), -1) {
		for _, name := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(call[1], -1) {
			v := trial.Of(t, func(t testing.TB) { enginetest.Filled(t, name[1]) })
			if !v.Failed() {
				t.Errorf("%s has nothing to be filled in", name[1])
			}
			lines = append(lines, v.Lines...)
		}
	}
	return lines
}

// checkCommand demands of a command that the tutorial gives that its files and packages are there.
func checkCommand(t *testing.T, line string) {
	t.Helper()
	for _, word := range strings.Fields(line) {
		if word = strings.Trim(word, "'"); strings.HasPrefix(word, "./") || strings.HasPrefix(word, "experiments/") {
			if !there("../..", word) {
				t.Errorf("%s: there is no %s", line, word)
			}
		}
	}
	for _, known := range []string{"make program", "bin/powderkeg newgame ", "go test ", "go run . play ", "go run . solve ", "go run . train "} {
		if strings.HasPrefix(line, known) {
			return
		}
	}
	t.Errorf("the tutorial has the command %q, which this test does not know", line)
}

// TestTutorialCountsLines writes down what the generator saved the author of goofspiel.
func TestTutorialCountsLines(t *testing.T) {
	root, _ := generated(t)
	var b strings.Builder
	b.WriteString("| file | lines | of them generated | written |\n| --- | ---: | ---: | ---: |\n")
	lines, kept := 0, 0
	for _, part := range append(parts, "agents/scripted", "experiments/configs/goofspiel") {
		entries, err := os.ReadDir(filepath.Join("../..", part))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := path.Join(part, e.Name())
			if e.IsDir() || part == "agents/scripted" && !strings.HasPrefix(e.Name(), "goofspiel") {
				continue
			}
			was := ""
			if there(root, name) {
				was = read(t, root, name)
			}
			n, same := compared(was, read(t, "../..", name))
			fmt.Fprintf(&b, "| `%s` | %d | %d | %d |\n", name, n, same, n-same)
			lines, kept = lines+n, kept+same
		}
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d |\n", lines, kept, lines-kept)
	enginetest.Section(t, tutorial, "lines", "go test ./serve/newgame -update", b.String())
}

// compared returns how many lines of a text are not empty, and how many of these an earlier one
// had too.
func compared(was, is string) (lines, kept int) {
	had := map[string]int{}
	for line := range strings.Lines(was) {
		had[line]++
	}
	for line := range strings.Lines(is) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines++
		if had[line]--; had[line] >= 0 {
			kept++
		}
	}
	return lines, kept
}
