package human

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// BenchmarkUndo finds out whether the last move can be taken back, and goes back to where it
// was made, in a game of Minuteman that has already gone on for so many moves. What it
// costs does not grow with the game.
func BenchmarkUndo(b *testing.B) {
	for _, n := range []int{200, 400, 800} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := enginetest.Game(b, "minuteman")
			people := []*Agent{New(g, NewTerminal(strings.NewReader(""), io.Discard)), nil}
			m, s := newMoves(g, people, true), g.New()
			for i := range n {
				if s.ToAct() == engine.Terminal {
					b.Fatalf("the game is over after %d moves", len(m.moves))
				}
				list := engine.Moves(s)
				a := list[i*7919%len(list)] // a game that is a long one
				m.add(s, a)
				if err := s.Apply(a); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if refusal := m.refusal(0); refusal != "" {
					b.Fatal(refusal)
				}
				if m.after(m.to) == nil {
					b.Fatal("the moves cannot be made again")
				}
			}
		})
	}
}
