package enginetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/enginetest/kept"
)

// Golden compares got with a file, or writes it if the tests run with -update.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	demand.That(t, path != "", "path is empty: it must name a golden file")
	if *kept.Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(want) == got {
		return
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			t.Fatalf("%s, line %d: want %q, got %q (go test -update rewrites it; read the diff)", path, i+1, a[i], line(b, i))
		}
	}
	t.Fatalf("%s: got %d lines more", path, len(b)-len(a))
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "end of file"
}

// Playthroughs compares games of the seeds 1 to n with the files
// testdata/playthroughs/GAME-SEED.txt. A difference means that the game behaves
// otherwise than it did: explain it, and move Spec.Version.
func Playthroughs(t testing.TB, g engine.Game, n uint64) {
	t.Helper()
	demand.Game(t, "the game", g)
	demand.That(t, n > 0, "n is 0: it must be 1 or more, the games that are compared")
	defer demand.Calm(t, g.Spec().Text)
	for seed := uint64(1); seed <= n; seed++ {
		Golden(t, filepath.Join("testdata", "playthroughs", fmt.Sprintf("%s-%d.txt", g.Spec().Text, seed)), Playthrough(g, seed))
	}
}

// Playthrough plays one random game and writes down everything on the way: who
// acts, what is possible, what is played, and the text that the seat to act
// reads.
func Playthrough(g engine.Game, seed uint64) string {
	rng, s := rand.NewPCG(seed, 2), g.New()
	var b strings.Builder
	fmt.Fprintf(&b, "game %s, rules version %d, seed %d\n", g.Spec().Text, g.Spec().Version, seed)
	for ply := 1; s.ToAct() != engine.Terminal; ply++ {
		moves := engine.Moves(s)
		if ply > g.Spec().MaxMoves || len(moves) == 0 {
			return fmt.Sprintf("%sply %d of at most %d, with %d moves", b.String(), ply, g.Spec().MaxMoves, len(moves))
		}
		fmt.Fprintf(&b, "\n# ply %d, hash %016x\n", ply, s.Hash())
		if seat := s.ToAct(); seat == engine.Chance {
			b.WriteString("chance:")
			for _, o := range s.(engine.Stochastic).Outcomes(nil) {
				fmt.Fprintf(&b, " %s/%d", engine.MoveName(g, s, o.Action), o.Weight)
			}
		} else {
			view := engine.Look(s, seat).(engine.Teller)
			fmt.Fprintf(&b, "%sseat %d:", view.Text(seat), seat)
			for _, a := range moves {
				fmt.Fprintf(&b, " %s (%s)", engine.MoveName(g, s, a), view.Describe(a))
			}
		}
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		fmt.Fprintf(&b, "\n> %s\n", engine.MoveName(g, s, a))
		if err := s.Apply(a); err != nil {
			return b.String() + err.Error()
		}
	}
	position, err := s.MarshalJSON()
	if err != nil {
		return b.String() + err.Error()
	}
	fmt.Fprintf(&b, "\nend, hash %016x, returns %v\n%s\n", s.Hash(), s.Returns(nil), position)
	return b.String()
}
