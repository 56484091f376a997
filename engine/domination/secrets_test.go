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

// windowsOpen are positions in which each of the windows opens; %s is what players hold.
var windowsOpen = map[domination.Decision]string{
	domination.AnytimeDecision:   `{"turn":3,"active":0,"used_this_turn":true,"window_seat":1,"vp":[5,5,5],"discards":{"0":["Domination"]},%s}`,
	domination.ScoringDecision:   `{"phase":"scoring_window","turn":3,"vp":[5,5,5],%s}`,
	domination.LogisticsDecision: `{"phase":"logistics_window","turn":3,"vp":[5,5,5],%s}`,
}

// holding is a part of a position in which seats 1 and 2 of three have a card each, and
// draw decks with Domination and with the other card that is named. Seat 0 controls the
// whole of North America.
func holding(one, oneDeck, two, twoDeck string) string {
	deck := func(card string) string {
		if card == "Domination" {
			return `[{"unknown":{"Domination":4}}]`
		}
		return fmt.Sprintf(`[{"unknown":{"Domination":3,%q:1}}]`, card)
	}
	return fmt.Sprintf(`"hands":{"0":["Domination"],"1":[%q],"2":[%q]},"draw_decks":{"0":[{"unknown":{"Domination":2}}],"1":%s,"2":%s},
		"areas":{"CAN":{"owner":0,"strength":"full"},"USA":{"owner":0,"strength":"full"},"MEX":{"owner":0,"strength":"full"}}`,
		one, two, deck(oneDeck), deck(twoDeck))
}

// window returns a position of windowsOpen with the cards of holding.
func window(t *testing.T, d domination.Decision, one, oneDeck, two, twoDeck string) *domination.State {
	t.Helper()
	return load(t, secrets, fmt.Sprintf(windowsOpen[d], holding(one, oneDeck, two, twoDeck)))
}

// R4.5, R4.8, Q19: in every window seats 0 and 2 see the situation as it is, with nobody
// asked, and the game goes on; the asked seat sees the same, and its question.
func TestR4_8_OthersSeeTheSituationWithNobodyAsked(t *testing.T) {
	for d := range windowsOpen {
		s := window(t, d, "Airborne Forces", "Surrender", "Domination", "Insurgents")
		if s.ToAct() != 1 || open(s).Decision() != d {
			t.Fatalf("%v of seat %d, want %v of seat 1", open(s).Decision(), s.ToAct(), d)
		}
		for p := range engine.Player(3) {
			v := view(s, p)
			expect(t, v, map[string]string{
				"turn": `3`, "vp": `[5,5,5]`, "logistics": `[4,4,4]`, "hand_sizes": `{"0":1,"1":1,"2":1}`, "draws_made": `0`, "frame": `null`,
			})
			if p == 1 {
				expect(t, v, map[string]string{"decision": fmt.Sprintf("%q", d), "window_seat": `1`})
				if len(v.Legal(nil)) != 2 || v.Decision() != d {
					t.Errorf("%v: the view of the asked seat offers %v in %v", d, v.Legal(nil), v.Decision())
				}
				continue
			}
			expect(t, v, map[string]string{"decision": `null`, "window_seat": `null`})
			if v.ToAct() != engine.Nobody || len(v.Legal(nil)) != 0 || v.Decision() != domination.NoDecision {
				t.Errorf("%v: in the view of seat %d, %d acts in %v among %v", d, p, v.ToAct(), v.Decision(), v.Legal(nil))
			}
			if text := v.Text(p); !strings.Contains(text, "The game goes on.") || strings.Contains(text, "react") || strings.Contains(text, "asked") {
				t.Errorf("%v: seat %d reads\n%s", d, p, text)
			}
		}
	}
}

// R4.8: whoever is asked, and however often, the others see one moment. Seats 1 and 2
// hold the card, or one of them does.
func TestR4_8_OneMomentWhoeverIsAsked(t *testing.T) {
	for d := range windowsOpen {
		one := window(t, d, "Airborne Forces", "Surrender", "Surrender", "Airborne Forces")
		two := window(t, d, "Surrender", "Airborne Forces", "Airborne Forces", "Surrender")
		both := window(t, d, "Airborne Forces", "Surrender", "Airborne Forces", "Surrender")
		if one.ToAct() != 1 || two.ToAct() != 2 || both.ToAct() != 1 {
			t.Fatalf("%v: seats %d, %d and %d are asked", d, one.ToAct(), two.ToAct(), both.ToAct())
		}
		sameViews(t, fmt.Sprintf("%v: seat 1 or seat 2 is asked", d), one, two, 0)
		again := *both
		do(t, secrets, &again, "DECLINE")
		if again.ToAct() != 2 || open(&again).Decision() != d {
			t.Fatalf("%v: %v of seat %d after the first DECLINE", d, open(&again).Decision(), again.ToAct())
		}
		sameViews(t, fmt.Sprintf("%v: the question goes on", d), both, &again, 0)
	}
}

// R4.8: while seat 1 of three is asked in D15, the cards of seat 2 lie in its hand or in
// its deck. Carried on, the draws of the next Game Turn would tell seat 0 which: those of
// a deck of like cards are certain.
func TestR4_8_AThirdHandIsNotTold(t *testing.T) {
	for d := range windowsOpen {
		a := window(t, d, "Airborne Forces", "Domination", "Insurgents", "Domination")
		b := window(t, d, "Airborne Forces", "Domination", "Domination", "Insurgents")
		sameViews(t, fmt.Sprintf("%v: seat 2 holds Insurgents or Domination", d), a, b, 0)
	}
}

// R4.8: at D15 no VPs are shown that seat 1 may still prevent. Seat 0 would score 12 VPs;
// then seat 1 takes a Region from it.
func TestR4_8_NoScoreIsTakenBack(t *testing.T) {
	s := window(t, domination.ScoringDecision, "Airborne Forces", "Surrender", "Domination", "Insurgents")
	shown := []uint16{view(s, 0).P.VP[0]}
	for _, move := range []string{"TEXT_OF Airborne Forces", "REDUCE_AT CAN", "REDUCE_AT CAN", "DONE"} {
		do(t, secrets, s, move)
		shown = append(shown, view(s, 0).P.VP[0])
	}
	for i, vp := range shown[1:] {
		if vp < shown[i] {
			t.Errorf("seat 0 is shown %v VPs one after another", shown)
		}
	}
	if shown[0] != 5 || open(s).P.VP[0] != 5+4 {
		t.Errorf("seat 0 was shown %v VPs and has %d, want 5 and 9", shown, open(s).P.VP[0])
	}
}

// R4.8: at D15 of the last Game Turn nobody is told that the game is over.
func TestR4_8_TheGameIsNotOverWhileSomebodyChooses(t *testing.T) {
	s := load(t, secrets, `{"phase":"scoring_window","turn":8,"vp":[9,1,2],`+holding("Airborne Forces", "Surrender", "Domination", "Insurgents")+`}`)
	for _, p := range []engine.Player{0, 2} {
		v := view(s, p)
		if text := v.Text(p); v.ToAct() != engine.Nobody || strings.Contains(text, "over") || v.Winners() != 0 || v.P.Turn != 8 {
			t.Errorf("seat %d sees %d acting in Game Turn %d, winners %b\n%s", p, v.ToAct(), v.P.Turn, v.Winners(), text)
		}
	}
	do(t, secrets, s, "DECLINE")
	if s.ToAct() != engine.Terminal {
		t.Errorf("after DECLINE seat %d is to act", s.ToAct())
	}
}

// R4.8: D15, the VPs, D16: the VPs are public as soon as they are scored, and each of the
// two windows is one moment.
func TestR4_8_FromTheScoringToTheLogisticsWindow(t *testing.T) {
	s := window(t, domination.ScoringDecision, "Airborne Forces", "Surrender", "Domination", "Insurgents")
	expect(t, view(s, 0), map[string]string{"phase": `"scoring_window"`, "vp": `[5,5,5]`, "logistics": `[4,4,4]`})
	do(t, secrets, s, "DECLINE")
	if open(s).Decision() != domination.LogisticsDecision || s.ToAct() != 1 {
		t.Fatalf("%v of seat %d, want D16 of seat 1", open(s).Decision(), s.ToAct())
	}
	for p := range engine.Player(3) {
		expect(t, view(s, p), map[string]string{"phase": `"logistics_window"`, "vp": `[17,5,5]`, "logistics": `[4,4,4]`, "turn": `3`})
	}
	sameViews(t, "D16 after D15 was declined, and D16 alone", s,
		load(t, secrets, `{"phase":"logistics_window","turn":3,"vp":[17,5,5],`+holding("Airborne Forces", "Surrender", "Insurgents", "Domination")+`}`), 0)
}

// R4.8, R4.7: a new deal of a view in which nobody is asked holds Airborne Forces in seat
// 1's hand in one of five, as the cards lie, and then asks seat 1; else the game goes on.
func TestR4_8_RedealDecidesWhetherSomebodyIsAsked(t *testing.T) {
	for d := range windowsOpen {
		s := window(t, d, "Airborne Forces", "Surrender", "Domination", "Insurgents")
		rng, asked := rand.NewPCG(4, 8), 0
		const n = 6000
		for range n {
			v := deal(s, 0, rng)
			switch {
			case open(v).P.Seats[1].Hand[2] == 1 && (v.ToAct() != 1 || open(v).Decision() != d):
				t.Fatalf("%v: with the card in hand %v of seat %d comes up", d, open(v).Decision(), v.ToAct())
			case open(v).P.Seats[1].Hand[2] == 0 && open(v).Decision() == d:
				t.Fatalf("%v: seat %d is asked without the card", d, v.ToAct())
			}
			asked += int(open(v).P.Seats[1].Hand[2])
		}
		if share := float64(asked) / n; share < 0.18 || share > 0.22 {
			t.Errorf("%v: seat 1 is asked in %.3f of the deals, want one in five", d, share)
		}
	}
}

// a seat knows whether it has declined in this round, and no new deal asks it again.
func TestR4_8_RedealDoesNotAskTwice(t *testing.T) {
	s := load(t, secrets, `{"phase":"scoring_window","turn":3,"hands":{"0":["Airborne Forces"],"1":["Airborne Forces"]}}`)
	rng := rand.NewPCG(8, 4)
	if s.ToAct() != 0 {
		t.Fatalf("seat %d is asked, want 0", s.ToAct())
	}
	for range 50 { // seat 1 does not know whether seat 0 is being asked, and may be asked itself
		v := deal(s, 1, rng)
		if open(v).Decision() != domination.ScoringDecision {
			t.Fatalf("seat 1, which holds the card, is passed over by %v of seat %d", open(v).Decision(), v.ToAct())
		}
	}
	do(t, secrets, s, "DECLINE")
	if s.ToAct() != 1 {
		t.Fatalf("seat %d is asked, want 1", s.ToAct())
	}
	for range 50 {
		v := deal(s, 0, rng)
		if v.ToAct() == 0 && open(v).Decision() == domination.ScoringDecision {
			t.Fatal("seat 0 is asked again, which has declined")
		}
	}
}

// R4.8: in random games the views of all seats in all windows say who is asked to that
// one alone, show the situation as it is, and stay as they are when the question goes on.
func TestR4_8_WindowsOfRandomGames(t *testing.T) {
	seen := map[domination.Decision]int{}
	for n := 2; n <= 6; n += 2 {
		randomGames(t, n, uint64(n), func(s *domination.State, _ *rand.PCG) {
			d := open(s).Decision()
			if d < domination.AnytimeDecision || d > domination.LogisticsDecision {
				return
			}
			seen[d]++
			after := *s
			if err := after.Apply(domination.ActDecline); err != nil {
				t.Fatal(err)
			}
			for p := range engine.Player(n) {
				v := view(s, p)
				if p == s.ToAct() {
					continue
				}
				if v.ToAct() != engine.Nobody || v.P.Turn != open(s).P.Turn || v.P.VP[p] != open(s).P.VP[p] || v.P.Logistics[p] != open(s).P.Logistics[p] ||
					v.Phase() != open(s).Phase() {
					t.Fatalf("%v of seat %d: seat %d sees\n%s", d, s.ToAct(), p, v.Text(p))
				}
				if open(&after).Decision() == d && after.ToAct() != p && after.ToAct() != s.ToAct() {
					sameViews(t, "before and after DECLINE", s, &after, p)
				}
			}
		})
	}
	for d := domination.AnytimeDecision; d <= domination.LogisticsDecision; d++ {
		if seen[d] == 0 {
			t.Errorf("%v never came up", d)
		}
	}
}

// randomGames calls each at every state of random games in which seats pass often enough
// to hold cards when the windows open.
func randomGames(t *testing.T, players int, seed uint64, each func(s *domination.State, rng *rand.PCG)) {
	t.Helper()
	g := enginetest.Game(t, fmt.Sprintf("domination(players=%d,fixed_pool=%s)", players, fixedPool))
	rng := rand.NewPCG(4, seed)
	for range enginetest.Times(6) {
		for s := g.New().(*domination.State); s.ToAct() != engine.Terminal; {
			if each(s, rng); t.Failed() {
				return
			}
			moves := engine.Moves(s)
			a := moves[engine.Uint32N(rng, uint32(len(moves)))]
			if s.ToAct() >= 0 && moves[0] == domination.ActPass && engine.Uint32N(rng, 3) == 0 {
				a = moves[0]
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
}
