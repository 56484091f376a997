package enginetest

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
)

// Fuzz lets the bytes of the input choose among the possible moves of one of the
// games, with the checks of Run at every ply that the first bytes ask for. Reveals is
// that of Suite.
func Fuzz(f *testing.F, reveals func(before, after engine.View) bool, games ...engine.Game) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte{1, 255, 254, 253, 252, 251, 250, 0, 0, 0, 0, 9, 9, 9, 9, 100})
	f.Fuzz(func(t *testing.T, input []byte) {
		g := games[0]
		if len(input) > 0 {
			g, input = games[int(input[0])%len(games)], input[1:]
		}
		p := &player{t: t, suite: Suite{Game: g, Every: 1, Reveals: reveals}, game: g, spec: g.Spec(), rng: rand.NewPCG(uint64(len(input)), 4), state: g.New()}
		for i, c := range input {
			if p.state.ToAct() == engine.Terminal {
				break
			}
			moves := p.checkMoves()
			if t.Failed() {
				break
			}
			p.checkReturns()
			p.checkRoundTrip()
			if i%16 == len(input)%16 { // two worlds are played on, which takes its time
				p.checkViews()
			}
			p.apply(moves[int(c)%len(moves)])
		}
		if t.Failed() {
			t.Logf("%s: %q", g.Spec().Text, p.names)
		}
	})
}
