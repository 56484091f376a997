//go:build !race

// One goroutine counts and solves here: the race detector would look for minutes and has nothing
// to find.

package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"powderkeg/engine/enginetest/kept"
	"powderkeg/engine/option"
	"powderkeg/engine/perft"
)

// countsPath has what powderkeg suite perft reference mini --json prints.
const countsPath = "../../experiments/suite/perft.json"

// TestCounts: the counts that are written down for other programs are those of this one,
// and the trees that are known in whole are counted in whole.
func TestCounts(t *testing.T) {
	t.Parallel()
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	counts, err := Counts(context.Background(), d, []string{"reference", "mini"}, CountAfter(),
		perft.Limits{Depth: CountDepth, Positions: CountPositions})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(counts); err != nil {
		t.Fatal(err)
	}
	if *kept.Update {
		if err := os.WriteFile(countsPath, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(countsPath)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s is not what is counted; go test ./train/suite -run TestCounts -update, and read the diff", countsPath)
	}
	fresh(t, page, "counts", CountTable(counts))

	// Nodes of the trees, without the root: those of OpenSpiel for the pokers (4+24+30 and
	// 157+3780+5520), and for Jogu those that powderkeg solve builds.
	nodes := map[string]uint64{"kuhn": 57, "leduc": 9456, "tictactoe": 549945, "jogu-mini": 127700}
	for _, c := range counts {
		var sum, ends uint64
		for _, l := range c.Levels {
			sum += l.Sequences
			if l.Decisions+l.Chance+l.Ends != l.Sequences || uint64(l.Positions) > l.Sequences {
				t.Errorf("%s: level %+v does not add up", c.Task, l)
			}
			ends += l.Ends
		}
		if want, known := nodes[c.Task]; known && c.After == 0 && sum != want {
			t.Errorf("%s: %d sequences of all lengths, %d of them games, want %d", c.Task, sum, ends, want)
		}
	}
}

// TestCountsRefuse what does not exist.
func TestCountsRefuse(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Counts(context.Background(), d, []string{"chess"}, []int{0}, perft.Limits{Depth: 1}); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a task that does not exist gives %v", err)
	}
	if _, err := Counts(context.Background(), d, []string{"kuhn"}, []int{-1}, perft.Limits{Depth: 1}); !errors.Is(err, option.ErrUsage) {
		t.Errorf("-1 moves before give %v", err)
	}
	if counts, err := Counts(context.Background(), d, []string{"kuhn"}, []int{9}, perft.Limits{Depth: 1}); err != nil || counts != nil {
		t.Errorf("counts after the end of the game are %v (%v), want none", counts, err)
	}
}
