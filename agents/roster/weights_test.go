package roster

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWeights: agents by the same weights have the same digest, and one that plays by none has
// none.
func TestWeights(t *testing.T) {
	table := filepath.Join(t.TempDir(), "table")
	digest := func(name string) string {
		t.Helper()
		d, err := Weights(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return d
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(table, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	one := digest("tabular:" + table)
	write("another")
	if another := digest("tabular:" + table); one == another || len(one) != 64 {
		t.Errorf("two tables have the digests %q and %q", one, another)
	}
	zoo := digest("zoo:jogu")
	if len(zoo) != 64 || digest("mcts(sims=20, net=zoo:jogu)") != zoo || digest("zoo:domination") == zoo {
		t.Errorf("zoo:jogu has the digest %q, with search %q, zoo:domination %q", zoo, digest("mcts(sims=20, net=zoo:jogu)"), digest("zoo:domination"))
	}
	for _, name := range []string{"random", "scripted", "mcts(sims=20)"} {
		if d := digest(name); d != "" {
			t.Errorf("%s has weights %q", name, d)
		}
	}
	if _, err := Weights("tabular:" + table + ".none"); err == nil {
		t.Error("a table that is not there has a digest")
	}
}
