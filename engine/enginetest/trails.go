package enginetest

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
)

// Trails are random games of which a moment in the middle of a procedure is written as the
// position before it and the answers since (flow.Rester).
type Trails struct {
	Settings []string // the game strings
	Games    int      // how many games are played of each: 1 or more
	Every    int      // the plies from one look to the next: 1 or more
	How      engine.Strictness
	// Least and Most bound the longest trail, in answers. Most is what the game proves. Least
	// and Middles, the moments in the middle that are met, show that the test has force.
	Least, Most, Middles int
	// Begin returns the state in which a game begins, nil for the game's own beginning.
	Begin func(g engine.Game, rng *rand.PCG) engine.State
	// Choose returns the next move, nil for one of the possible moves at random.
	Choose func(s engine.State, moves []engine.Action, rng *rand.PCG) engine.Action
}

// WalkTrails plays the games. Each moment that it looks at must come back as it was, and no
// trail may be longer than the game proves beside its Rests.
func WalkTrails(t testing.TB, x Trails) {
	t.Helper()
	demand.That(t, len(x.Settings) > 0, "Trails.Settings is empty: it must have a game string or more")
	demand.That(t, x.Games > 0, "Trails.Games is %d: it must be 1 or more, the games that are played of each", x.Games)
	demand.That(t, x.Every > 0, "Trails.Every is %d: it must be 1 or more, the plies from one look to the next", x.Every)
	longest, middles, looks := 0, 0, 0
	for i, name := range x.Settings {
		g, rng := Game(t, name), rand.NewPCG(11, uint64(i))
		for range Times(x.Games) {
			ply := 0
			x.play(t, g, rng, func(s engine.State) {
				if ply++; ply%x.Every != 0 {
					return
				}
				n := len(Since(t, s))
				longest = max(longest, n)
				if n > 0 {
					middles++
				}
				if looks++; n > 0 || looks%7 == 0 {
					LeadsBack(t, g, s, x.How)
				}
			})
		}
	}
	if longest < x.Least || longest > x.Most || middles < x.Middles {
		t.Errorf("the longest trail has %d answers, want %d to %d; %d moments were met in the middle, want %d or more", longest, x.Least, x.Most, middles,
			x.Middles)
	}
	t.Logf("the longest trail has %d answers, of %d moments", longest, middles)
}

// play plays a game, and calls look at every state before its end.
func (x Trails) play(t testing.TB, g engine.Game, rng *rand.PCG, look func(s engine.State)) {
	t.Helper()
	defer demand.Calm(t, g.Spec().Text)
	s := g.New()
	if x.Begin != nil {
		s = x.Begin(g, rng)
	}
	for s.ToAct() != engine.Terminal {
		look(s)
		moves := demand.Moves(t, g, s)
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		if x.Choose != nil {
			a = x.Choose(s, moves, rng)
		}
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
}

// Since returns the answers that the document of a state holds, nil for a state at rest.
func Since(t testing.TB, s engine.View) []string {
	t.Helper()
	demand.Something(t, s, "the state", "one of the game")
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Since []string }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Since
}

// LeadsBack demands that the document of a state is read as that state again, with the same
// answers since it rested.
func LeadsBack(t testing.TB, g engine.Game, s engine.State, how engine.Strictness) {
	t.Helper()
	demand.Game(t, "the game", g)
	was := Since(t, s)
	text := dump(t, s)
	again, err := g.Load([]byte(text), how)
	if err != nil || again.Hash() != s.Hash() {
		t.Fatalf("%s: a moment after %d answers does not come back: %v\n%s", g.Spec().Text, len(was), err, text)
	}
	if is := Since(t, again); !slices.Equal(is, was) {
		t.Fatalf("%s: the answers since were %v and are %v", g.Spec().Text, was, is)
	}
}

// TrailReachesNoSeat demands of two moments in the middle of a procedure, which differ in what a
// seat does not know, that its views of them are alike and hold no trail. It returns a new deal of the
// first for the seat: such a state does not know the answers, and refuses to be written,
// without a word of the secret, until it rests.
func TrailReachesNoSeat(t testing.TB, g engine.Game, seat engine.Player, here, there engine.State, secret string) engine.State {
	t.Helper()
	demand.Game(t, "the game", g)
	a, b := Since(t, here), Since(t, there)
	demand.That(t, len(a) > 0 && len(b) > 0, "the answers since are %v and %v: both moments must be in the middle of a procedure", a, b)
	demand.That(t, dump(t, here) != dump(t, there), "the two moments are one: they must differ in a secret")
	one, two := dump(t, engine.Look(here, seat)), dump(t, engine.Look(there, seat))
	if one != two || strings.Contains(one, `"since"`) || strings.Contains(one, `"rest"`) {
		t.Errorf("seat %d sees %s and %s", seat, one, two)
	}
	dealt := engine.Clone(g, here) // which has the answers, until it is dealt anew
	dealt.(engine.Hidden).Redeal(engine.Look(here, seat), rand.NewPCG(1, uint64(seat)))
	if text, err := dealt.MarshalJSON(); !errors.Is(err, engine.ErrUnderWay) || strings.Contains(err.Error(), secret) {
		t.Errorf("a new deal for seat %d in the middle of a procedure is written: %s, %v", seat, text, err)
	}
	return dealt
}

// AtRest returns the decoded document of a state without what stands beside "rest" and
// "since", which would betray most changes, and the fields of its position at rest. At rest
// both are the document.
func AtRest(doc map[string]any) (whole, rest map[string]any) {
	if rest, ok := doc["rest"].(map[string]any); ok {
		return map[string]any{"rest": rest, "since": doc["since"]}, rest
	}
	return doc, doc
}
