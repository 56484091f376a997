package jogu_test

import (
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// The proof beside Rests says how many answers lie between two positions at rest. Each moment
// of random games comes back as it was, with the cards that it has seen.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	enginetest.WalkTrails(t, enginetest.Trails{Games: 2, Every: 1, How: engine.Strict, Least: 10, Most: 225, Middles: 150, Settings: []string{
		"jogu(first=wu,second=mibits)", "jogu(first=mibits,second=wu,auto_forced=false)", "jogu(first=agents,second=engineers)",
		"jogu(first=any,second=any,expansion=true,auto_forced=false)", "jogu(first=hours,second=guards,expansion=true)",
	}})
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
	for len(enginetest.Since(t, s)) > 0 || longest == 0 {
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
		enginetest.LeadsBack(t, g, s, engine.Lenient)
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
	if a, b := strings.Join(enginetest.Since(t, here), " "), strings.Join(enginetest.Since(t, there), " "); a != "CARD_explorer END" || b != "END" {
		t.Errorf("since is %s here, %s there", a, b)
	}
	dealt := enginetest.TrailReachesNoSeat(t, g, 1, here, there, "explorer")
	end, err := engine.FindMove(g, dealt, "END")
	if err != nil || dealt.Apply(end) != nil {
		t.Fatal("the discards do not end", err)
	}
	enginetest.LeadsBack(t, g, dealt, engine.Lenient)
}
