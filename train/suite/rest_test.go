package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"testing"
)

// TestPositionsThatRestAreTheSame: a position that is written in other words since is the one
// that the digest covers, and records begin in it in either words.
func TestPositionsThatRestAreTheSame(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i := range d.Tasks {
		task := &d.Tasks[i]
		if _, err := fs.Stat(versions, path.Join("v1/positions/rest", task.Position)); task.Position == "" || err != nil {
			continue
		}
		found++
		older, err := fs.ReadFile(versions, path.Join("v1/positions", task.Position))
		if err != nil {
			t.Fatal(err)
		}
		var words bytes.Buffer
		if err := json.Compact(&words, older); err != nil {
			t.Fatal(err)
		}
		p, err := newPlayer(context.Background(), d, Place{Task: task.Name}, ours{}, "random")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := task.game.Load(p.start, 0); err != nil {
			t.Errorf("%s: a new record begins in what is not read: %v", task.Name, err)
		}
		if !p.begins(words.Bytes()) || !p.begins(p.start) {
			t.Errorf("%s begins in\n%s\nwant\n%s", task.Name, p.start, &words)
		}
		if other := bytes.Replace(words.Bytes(), []byte("null"), []byte("0"), 1); p.begins(other) || p.begins(nil) {
			t.Errorf("%s begins in %s too", task.Name, other)
		}
	}
	if found < 3 {
		t.Errorf("%d positions are written in other words, want those of Domination, Insurgency and Minuteman", found)
	}
}
