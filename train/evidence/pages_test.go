package evidence

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/engine/enginetest"
)

const root = "../.."

// pages are those whose figures have sources.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "experiments/README.md", "experiments/paper.md", "train/ppo/README.md", "checkpoints/zoo/README.md"}
	cards, err := filepath.Glob(filepath.Join(root, "experiments/cards/*.md"))
	if err != nil || len(cards) < 5 {
		t.Fatalf("%d cards (%v)", len(cards), err)
	}
	for _, card := range cards {
		list = append(list, "experiments/cards/"+filepath.Base(card))
	}
	return list
}

// TestEveryFigureHasARecord: what the pages say was measured.
func TestEveryFigureHasARecord(t *testing.T) {
	s := &Sources{Root: root}
	for _, name := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		problems, err := s.Check(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			t.Error(p)
		}
	}
}

// TestRecords: every record can be read, says everything, and is of a program that anybody can build again.
func TestRecords(t *testing.T) {
	s := &Sources{Root: root}
	all, err := s.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Dirty() || len(r.Commit) != 12 {
			t.Errorf("%s is of commit %s", r.Name, r.Commit)
		}
		if _, err := s.Stale(&Source{Name: r.Name, Games: r.Games, Record: r}); err != nil {
			t.Error(err)
		}
	}
	if len(all) < 70 {
		t.Errorf("there are %d records", len(all))
	}
}

// TestCommitsOfRecords: every record names a commit of this history, where there is a whole one to look into (a source
// archive has none).
func TestCommitsOfRecords(t *testing.T) {
	git := func(args ...string) (string, error) {
		text, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(text)), err
	}
	if shallow, err := git("rev-parse", "--is-shallow-repository"); err != nil || shallow != "false" {
		return
	}
	all, err := (&Sources{Root: root}).All()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]error{}
	for _, r := range all {
		if _, ok := known[r.Commit]; !ok {
			_, known[r.Commit] = git("merge-base", "--is-ancestor", r.Commit, "HEAD")
		}
		if err := known[r.Commit]; err != nil {
			t.Errorf("%s is of commit %s, which is not in the history (%v)", r.Name, r.Commit, err)
		}
	}
}

// TestConfigTable: the table of the configurations is what their records say.
func TestConfigTable(t *testing.T) {
	s := &Sources{Root: root}
	problems, err := s.CheckUses()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	table, err := s.ConfigTable()
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Section(t, filepath.Join(root, "experiments/README.md"), "configs", "go test ./train/evidence -run TestConfigTable -update", table)
}

// TestSpeedTable: the table of the environments' speed is what its record says.
func TestSpeedTable(t *testing.T) {
	s := &Sources{Root: root}
	table, err := s.SpeedTable("jogu", "domination", "insurgency", "bloc", "minuteman")
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Section(t, filepath.Join(root, "experiments/paper.md"), "speed", "go test ./train/evidence -run TestSpeedTable -update", table)
}

// TestZooVersions: the zoo's page says of each bot the versions that its manifest has.
func TestZooVersions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "checkpoints/zoo/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range checkpoints.Zoo() {
		text, err := os.ReadFile(filepath.Join(root, "checkpoints/zoo", name, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var m struct{ Rules, Encoding int }
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		row := regexp.MustCompile("(?m)^\\| `" + name + "` \\|[^|]*rules (\\d+)(?:, layout (\\d+))?").FindSubmatch(page)
		if row == nil {
			t.Errorf("the page has no row of %s with its versions", name)
			continue
		}
		if got := string(row[1]); got != strconv.Itoa(m.Rules) {
			t.Errorf("%s has rules %d, the page says %s", name, m.Rules, got)
		}
		if got := string(row[2]); got != "" && got != strconv.Itoa(m.Encoding) {
			t.Errorf("%s has layout %d, the page says %s", name, m.Encoding, got)
		}
	}
}

// TestCurves: the pictures of pages are drawn from records, and where these have no curves there is no picture.
func TestCurves(t *testing.T) {
	s := &Sources{Root: root}
	for _, p := range Pictures {
		file, again := filepath.Join(root, p.File), filepath.Join(t.TempDir(), filepath.Base(p.File))
		drawn, err := s.Draw(p, again)
		if err != nil {
			t.Fatal(err)
		}
		if !drawn {
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is of no record (%v)", p.File, err)
			}
			continue
		}
		text, err := os.ReadFile(again)
		if err != nil {
			t.Fatal(err)
		}
		enginetest.Golden(t, file, string(text))
	}
}
