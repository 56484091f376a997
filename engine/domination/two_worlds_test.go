package domination_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// R11.1, Q46: whether D1 and D2 are asked tells nothing of the hand but its size.
func TestR11_1_UnaskedStepsTellNothing(t *testing.T) {
	var all []string
	facts, err := domination.NewFacts()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range facts.Areas {
		all = append(all, fmt.Sprintf(`%q:{"owner":0,"strength":"full"}`, a.ID))
	}
	full := `{"turn":3,"active":0,"stacks":{"Airborne Forces":0,"Bio Weapons":0,"Fog of War":0,"Global Disruption":0,"Insurgents":0,"Mega Storm":0,
		"Military Base":0,"Out of Supply":0,"Surrender":0,"Tactical Nukes":0},"hands":{"0":[%q]},"draw_decks":{"0":[{"unknown":{%q:1,"Domination":1}}]},
		"areas":{` + strings.Join(all, ",") + `}}`
	idle := load(t, secrets, fmt.Sprintf(full, "Insurgents", "Tactical Nukes")) // nothing is Struggling
	able := load(t, secrets, fmt.Sprintf(full, "Tactical Nukes", "Insurgents"))
	if open(idle).Decision() != domination.TurnDecision || len(idle.Legal(nil)) != 1 || len(able.Legal(nil)) != 2 {
		t.Errorf("D1: seat %d is asked %v among %v, and with a text among %v", idle.ToAct(), open(idle).Decision(), idle.Legal(nil), able.Legal(nil))
	}
	sameViews(t, "D1 with one answer and with two", idle, able, 1)

	pair := `{"turn":3,"active":0,"hands":{"0":["Domination",%s]},"draw_decks":{"0":[{"unknown":{%s,"Domination":1}}]}}`
	like := load(t, secrets, fmt.Sprintf(pair, `"Surrender","Surrender"`, `"Insurgents":1`))
	unlike := load(t, secrets, fmt.Sprintf(pair, `"Surrender","Insurgents"`, `"Surrender":1`))
	single := load(t, secrets, fmt.Sprintf(pair, `"Surrender"`, `"Insurgents":1`))
	for _, s := range []*domination.State{like, unlike, single} {
		do(t, secrets, s, "DISCARD2_FIRST Domination")
	}
	if open(like).Decision() != domination.SecondDiscardDecision || len(like.Legal(nil)) != 1 || len(unlike.Legal(nil)) != 2 {
		t.Errorf("D2: %v among %v, and with unlike cards among %v", open(like).Decision(), like.Legal(nil), unlike.Legal(nil))
	}
	sameViews(t, "D2 with one answer and with two", like, unlike, 1)
	if open(single).Decision() != domination.BuyDecision {
		t.Errorf("the last card of the hand is the second discard, but %v is asked", open(single).Decision())
	}
}

// R4.8: from random moments of random games a second world is dealt of what a seat cannot
// know, and the two go on with the same public moves. Until a hidden difference shows in
// such a move, the seat must see the same in both.
func TestR4_8_TwoWorldsLookAlike(t *testing.T) {
	compared, windows := 0, 0
	for n := 2; n <= 4; n++ {
		randomGames(t, n, uint64(10+n), func(s *domination.State, rng *rand.PCG) {
			if s.ToAct() < 0 || open(s).Decision() < domination.AnytimeDecision && engine.Uint32N(rng, 30) != 0 {
				return
			}
			p := engine.Player(engine.Uint32N(rng, uint32(n)))
			w := twoWorlds{t: t, g: enginetest.Game(t, fmt.Sprintf("domination(players=%d,fixed_pool=%s)", n, fixedPool)), rng: rng, p: p, a: *s,
				b: *deal(s, p, rng)}
			if view(s, p).ToAct() == engine.Nobody {
				windows++
			}
			compared += w.play(40)
		})
	}
	if compared < 2000 || windows < 20 {
		t.Errorf("only %d moments were compared, and %d windows", compared, windows)
	}
}

// twoWorlds are two states that seat p cannot tell apart.
type twoWorlds struct {
	t    *testing.T
	g    engine.Game
	rng  *rand.PCG
	p    engine.Player
	a, b domination.State
}

// hidden reports whether s waits for something of which seat p learns nothing: a draw of
// another seat, or a question that is put to one in secret.
func (w *twoWorlds) hidden(s *domination.State) bool {
	switch d := open(s).Decision(); {
	case s.ToAct() == engine.Chance:
		return !s.Shows(w.p, s.Outcomes(nil)[0].Action)
	default:
		return s.ToAct() != w.p && d >= domination.AnytimeDecision && d <= domination.LogisticsDecision
	}
}

// quieten goes on until there is something to be seen.
func (w *twoWorlds) quieten(s *domination.State) {
	for w.hidden(s) {
		a := domination.ActDecline
		if s.ToAct() == engine.Chance {
			a = engine.Sample(s.Outcomes(nil), w.rng)
		}
		if err := s.Apply(a); err != nil {
			w.t.Fatal(err)
		}
	}
}

// play goes on for some moves and returns how many moments it compared.
func (w *twoWorlds) play(most int) int {
	for n := range most {
		if w.reaction() {
			continue
		}
		w.quieten(&w.a)
		w.quieten(&w.b)
		sameViews(w.t, "two worlds", &w.a, &w.b, w.p)
		if w.t.Failed() || w.a.ToAct() == engine.Terminal {
			return n
		}
		if w.a.ToAct() == w.p && fmt.Sprint(w.a.Legal(nil)) != fmt.Sprint(w.b.Legal(nil)) {
			w.t.Errorf("seat %d may choose among %v and %v", w.p, w.a.Legal(nil), w.b.Legal(nil))
			return n
		}
		moves := engine.Moves(&w.a)
		a := moves[engine.Uint32N(w.rng, uint32(len(moves)))]
		if err := w.a.Apply(a); err != nil {
			w.t.Fatal(err)
		}
		if w.b.Apply(a) != nil || w.discardsDiffer() {
			return n // the move, or the last card of a hand after it (R11.1), is another one
		}
	}
	return most
}

// discardsDiffer reports whether another card was shown.
func (w *twoWorlds) discardsDiffer() bool {
	for q := range engine.Player(open(&w.a).Seats()) {
		if open(&w.a).P.Seats[q].Discard != open(&w.b).P.Seats[q].Discard {
			return true
		}
	}
	return false
}

// reaction lets a seat that is asked in both worlds react in both now and then.
func (w *twoWorlds) reaction() bool {
	if !w.hidden(&w.a) || w.a.ToAct() == engine.Chance || w.b.ToAct() != w.a.ToAct() || open(&w.b).Decision() != open(&w.a).Decision() ||
		engine.Uint32N(w.rng, 3) > 0 {
		return false
	}
	a := w.a.Legal(nil)[1]
	if w.b.Apply(a) != nil {
		return false
	}
	if err := w.a.Apply(a); err != nil {
		w.t.Fatal(err)
	}
	return true
}
