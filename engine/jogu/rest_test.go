package jogu_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

// since returns the answers that a document of a state holds, nil for one at rest.
func since(t *testing.T, s engine.View) []string {
	t.Helper()
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

// leadsBack demands that the document of a moment brings it back.
func leadsBack(t *testing.T, g engine.Game, s engine.State) {
	t.Helper()
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := g.Load(text, engine.Strict); err != nil || again.Hash() != s.Hash() || !slices.Equal(since(t, again), since(t, s)) {
		t.Fatalf("%s: a moment does not come back: %v\n%s", g.Spec().Text, err, text)
	}
}

// The proof beside Rests says how many answers lie between two positions at rest. Each moment
// of random games comes back as it was, with the cards that it has seen.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	longest, middles := 0, 0
	for i, name := range []string{
		"jogu(first=wu,second=mibits)", "jogu(first=mibits,second=wu,auto_forced=false)", "jogu(first=agents,second=engineers)",
		"jogu(first=any,second=any,expansion=true,auto_forced=false)", "jogu(first=hours,second=guards,expansion=true)",
	} {
		g, rng := enginetest.Game(t, name), rand.NewPCG(11, uint64(i))
		for range enginetest.Times(2) {
			for s, ply := g.New(), 0; s.ToAct() != engine.Terminal; ply++ {
				if n := len(since(t, s)); n > 0 {
					longest = max(longest, n)
					if middles++; middles%4 == 0 {
						leadsBack(t, g, s)
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if longest < 10 || longest > 225 || middles < 150 {
		t.Errorf("the longest trail has %d answers, of %d moments", longest, middles)
	}
	t.Logf("the longest trail has %d answers, of %d moments", longest, middles)
}

// A chain of plays as deep as there is: Conjurers that play Conjurers (R9.6), two Scramblers at a time
// coming along.
func TestTheLongestChainLeadsBack(t *testing.T) {
	g := enginetest.Game(t, "jogu(first=wu,second=mibits,start=first,auto_forced=false)")
	s, err := g.Load([]byte(`{"location_card":[2,3],"hand":[["conjurer"],[]],
		"discard":[["conjurer","conjurer","conjurer","conjurer","conjurer","conjurer","conjurer","master_of_fire"],[]],
		"board":[`+strings.TrimSuffix(strings.Repeat(`{"owner":1,"card":"scrambler","loc":2},`, 2), ",")+`]}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	longest := 0
	for len(since(t, s)) > 0 || longest == 0 {
		a := engine.Moves(s)[0]
		for _, name := range []string{"CARD_conjurer", "SCRAMBLER_FIRST"} {
			if b, err := engine.FindMove(g, s, name); err == nil {
				a = b
			}
		}
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
		longest++
		if text, err := s.MarshalJSON(); err != nil {
			t.Fatal(err)
		} else if again, err := g.Load(text, engine.Lenient); err != nil || again.Hash() != s.Hash() {
			t.Fatalf("after %d answers: %v\n%s", longest, err, text)
		}
	}
	if longest < 20 || longest > 225 {
		t.Errorf("the chain has %d answers", longest)
	}
	t.Logf("the chain has %d answers", longest)
}

// R16.2: the answers since hold the discards of D1, and are in no view. A state that was dealt
// anew does not know them, and refuses to be written until it rests.
func TestTrailsReachNoSeat(t *testing.T) {
	g := enginetest.Game(t, "jogu(start=first)")
	const discard = `{"rest":{"phase":"reinforcement","hand":[["explorer","patriot"],["conjurer"]]},"since":[%CARD"END"]}`
	load := func(card string) engine.State {
		s, err := g.Load([]byte(strings.ReplaceAll(discard, "%CARD", card)), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	here, there := load(`"CARD_explorer",`), load("")
	if a, b := strings.Join(since(t, here), " "), strings.Join(since(t, there), " "); a != "CARD_explorer END" || b != "END" {
		t.Errorf("since is %s here, %s there", a, b)
	}
	a, errA := engine.Look(here, 1).MarshalJSON()
	b, errB := engine.Look(there, 1).MarshalJSON()
	if errA != nil || errB != nil || string(a) != string(b) || strings.Contains(string(a), `"since"`) || strings.Contains(string(a), `"rest"`) {
		t.Errorf("seat 1 sees %s and %s, %v, %v", a, b, errA, errB)
	}
	dealt := engine.Clone(g, here).(*jogu.State) // which has the answers, until it is dealt anew
	dealt.Redeal(engine.Look(here, 1), rand.NewPCG(1, 1))
	if text, err := dealt.MarshalJSON(); !errors.Is(err, engine.ErrUnderWay) || strings.Contains(err.Error(), "explorer") {
		t.Errorf("a new deal in the middle of the discards is written: %s, %v", text, err)
	}
	end, err := engine.FindMove(g, dealt, "END")
	if err != nil || dealt.Apply(end) != nil {
		t.Fatal("the discards do not end", err)
	}
	text, err := dealt.MarshalJSON()
	if err != nil {
		t.Fatalf("a new deal is not written at rest: %v", err)
	}
	if again, err := g.Load(text, engine.Lenient); err != nil || again.Hash() != dealt.Hash() {
		t.Errorf("a new deal does not come back: %v", err)
	}
}
