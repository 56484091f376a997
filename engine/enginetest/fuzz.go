package enginetest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/script"
)

// Fuzz lets the bytes of the input choose among the possible moves of one of the
// games, with the checks of Run at every ply that the first bytes ask for. Reveals is
// that of Suite.
//
// The fuzzer takes an input of more than ten seconds for a hang, instrumented and on a
// loaded machine as it is: a game ends after maxPlies of it, and two worlds are played on
// from at most worldsPerInput of them, which is most of the time.
func Fuzz(f *testing.F, reveals func(before, after engine.View) bool, games ...engine.Game) {
	demand.Games(f, games)
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte{1, 255, 254, 253, 252, 251, 250, 0, 0, 0, 0, 9, 9, 9, 9, 100})
	f.Fuzz(func(t *testing.T, input []byte) {
		g := games[0]
		if len(input) > 0 {
			g, input = games[int(input[0])%len(games)], input[1:]
		}
		input = input[:min(len(input), maxPlies)]
		every := max(16, len(input)/worldsPerInput)
		p := &player{t: t, suite: Suite{Game: g, Every: 1, Reveals: reveals}, game: g, spec: g.Spec(), rng: rand.NewPCG(uint64(len(input)), 4),
			state: g.New()}
		p.follow(input, every)
		if t.Failed() {
			t.Logf("%s: %q", g.Spec().Text, p.names)
		}
	})
}

// follow plays the moves that an input chooses, and looks at every so many'th state.
func (p *player) follow(input []byte, every int) {
	defer p.calm()
	for i, c := range input {
		if p.state.ToAct() == engine.Terminal {
			return
		}
		moves := p.checkMoves()
		if p.t.Failed() {
			return
		}
		p.checkReturns()
		p.checkRoundTrip()
		if i%every == len(input)%every {
			p.checkViews()
		}
		p.apply(moves[int(c)%len(moves)])
	}
}

const (
	maxPlies       = 512
	worldsPerInput = 8
)

// FuzzLoad reads positions of one of the games from arbitrary bytes, those of random play
// and of the scripts below testdata to begin with. Each is refused with an error that
// wraps ErrPosition, or can be dumped and read again, and played on for so many plies,
// after every so many of which all seats look at it, it is dealt anew for them, and it is
// dumped and read again.
func FuzzLoad(f *testing.F, plies, every int, games ...engine.Game) {
	checkFuzzLoad(f, plies, every, games)
	rng := rand.NewPCG(6, 6)
	for i, g := range games {
		f.Add(uint8(i), []byte("{}"))
		s := g.New()
		ply := 0
		demand.Play(f, g, s, rng, func() {
			if ply%40 == 0 {
				f.Add(uint8(i), []byte(dump(f, s)))
			}
			ply++
		})
	}
	for _, position := range scripted(f) {
		f.Add(uint8(0), position)
	}
	f.Fuzz(func(t *testing.T, which uint8, position []byte) {
		m := &mutations{
			t: t, game: games[int(which)%len(games)], plies: plies, lookEvery: every, readEvery: every,
			Mutator: Mutator{RNG: rand.NewPCG(uint64(len(position)), 7)},
		}
		m.try(position, engine.Lenient)
	})
}

func checkFuzzLoad(t testing.TB, plies, every int, games []engine.Game) {
	t.Helper()
	demand.Games(t, games)
	demand.That(t, plies >= 0, "plies is %d: it must be 0 or more, how far is played on", plies)
	demand.That(t, every > 0, "every is %d: it must be 1 or more, the plies from one look to the next", every)
}

// scripted returns the positions that the scripts below testdata begin with.
func scripted(f *testing.F) [][]byte {
	f.Helper()
	paths, err := filepath.Glob("testdata/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	var list [][]byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if parsed, err := script.Parse(data); err == nil { // other files may be there too
			list = append(list, parsed.Position)
		}
	}
	return list
}
