package evidence

import (
	"path/filepath"
	"testing"

	"powderkeg/engine/enginetest"
)

const root = "../.."

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
