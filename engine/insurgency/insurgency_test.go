package insurgency_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
	"powderkeg/engine/script"
)

// settings are game strings that together use every option.
var settings = []string{
	"insurgency",
	"insurgency(scenario=resistance)",
	"insurgency(auto_forced=false)",
	"insurgency(social_media=F,voluntary_removal=false)",
	"insurgency(scenario=custom)",
	"insurgency(scenario=custom,mode=preset,event_tag=resistance)",
	"insurgency(scenario=custom,mode=random,event_tag=none,auto_forced=false)",
}

func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 1, Every: 17, Position: insurgency.PlainPosition, Reveals: handSeen})
		})
	}
}

// What a view hides is declared at the fields (R19.2).
func TestSecretsAreDeclared(t *testing.T) {
	enginetest.SecretsDeclared(t, []engine.Game{enginetest.Game(t, settings[0]), enginetest.Game(t, settings[6])})
}

// look returns all that there is to see of a state.
func look(s engine.View) *insurgency.View { return enginetest.Open[*insurgency.View](s) }

// handSeen reports whether a hand has been inspected (R19.2). Its only card may be lost in the
// same step, without a roll (card 42, R-08): then it lies with the discards and is known no
// more, though nobody has played it.
func handSeen(before, after engine.View) bool {
	a, b := look(before), look(after)
	for p := range engine.Player(2) {
		was, seen := a.P.Known[p], b.P.Known[p]
		for n := seen.Next(0); n != 0; n = seen.Next(n) {
			if !was.Has(n) {
				return true
			}
		}
		for n := a.P.Hand[p].Next(0); n != 0 && a.Decision() != insurgency.AskCard; n = a.P.Hand[p].Next(n) {
			if !was.Has(n) && b.P.Discards.Has(n) {
				return true
			}
		}
	}
	return false
}

// R14.7, R-08, R19.2: Whistleblower shows the only card of a hand and takes it in one step,
// which brings to light a card that differs where the Rebel has seen the same. Both are told
// to all. A card that is played has not been seen by an inspection.
func TestR14_7_TheOnlyCardIsSeen(t *testing.T) {
	const text = "insurgency"
	for _, card := range []int{31, 85} {
		s := load(t, text, fmt.Sprintf(`{"to_play":"rebel","rebel_hand":[42,62],"federal_hand":[%d],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10]}`, card))
		var told []string
		s.Listen(func(e *engine.Event) {
			if e.SeenBy(insurgency.Rebel) {
				told = append(told, e.Text)
			}
		})
		before := engine.Clone(enginetest.Game(t, text), s)
		do(t, text, s, "CARD_42")
		if handSeen(before, s) {
			t.Error("the card that is played counts as seen")
		}
		before = engine.Clone(enginetest.Game(t, text), s)
		do(t, text, s, "MODE_event")
		expect(t, s, map[string]string{"federal_hand": `[]`, "federal_hand_known": `[]`})
		if !handSeen(before, s) {
			t.Errorf("card %d has been seen and lost, and does not count as seen", card)
		}
		for _, part := range []string{"is seen: ", "loses "} {
			if !slices.ContainsFunc(told, func(said string) bool { return strings.Contains(said, fmt.Sprint(part, card)) }) {
				t.Errorf("the Rebel is told %q, and not what it %s", told, part)
			}
		}
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n != 125 {
		t.Errorf("%d scripts of the specification's examples, want 125", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
	if n := enginetest.Scripts(t, "testdata/cards", script.Options{}); n == 0 {
		t.Error("no scripts of event cards")
	}
}

// Every ruling names the tests that pin it, and they exist.
func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 64) }
