package domination_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
)

// view returns what seat p sees of s.
func view(s *domination.State, p engine.Player) *domination.View {
	return engine.Look(s, p).(*domination.View)
}

// open returns all that there is to see of s.
func open(s engine.View) *domination.View { return enginetest.Open[*domination.View](s) }

// deal returns what seat p sees of s, dealt anew.
func deal(s *domination.State, p engine.Player, rng *rand.PCG) *domination.State {
	d := &domination.State{}
	d.Redeal(view(s, p), rng)
	return d
}

// sameViews demands that seat p cannot tell two states apart.
func sameViews(t *testing.T, what string, a, b *domination.State, p engine.Player) {
	t.Helper()
	x, y := view(a, p), view(b, p)
	if x.Hash() != y.Hash() || x.Text(p) != y.Text(p) || x.ToAct() != y.ToAct() || dump(t, x) != dump(t, y) {
		t.Errorf("%s: seat %d can tell\n%s\nfrom\n%s", what, p, x.Text(p), y.Text(p))
	}
}

// dump returns the JSON position of a state or view.
func dump(t *testing.T, s engine.View) string {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const secrets = "domination(players=3,first_player=0,fixed_pool=" + fixedPool + ")"

// R4.1, Q24: what was done in the open stays public.
func TestR4_1_Public(t *testing.T) {
	s := load(t, secrets, `{"turn":3,"active":0,"hands":{"0":["Domination","Surrender"],"1":["Domination"],"2":["Domination"]},
		"discards":{"1":["Fog of War","Domination"]},"areas":{"CAN":{"owner":1,"strength":"full"}},"vp":[1,2,3],"logistics":[4,5,6]}`)
	for p := range engine.Player(3) {
		v := view(s, p)
		expect(t, v, map[string]string{"vp": `[1,2,3]`, "logistics": `[4,5,6]`, "discards": `{"0":[],"1":["Domination","Fog of War"],"2":[]}`})
		if v.P.Seats[0].HandSize != 2 || v.P.Seats[0].DeckSize != 3 || v.P.Owner(0) != 1 || v.P.Stack[8] != 5 {
			t.Errorf("seat %d sees a hand of %d, a deck of %d, Canada of seat %d, %d Fogs of War", p, v.P.Seats[0].HandSize, v.P.Seats[0].DeckSize,
				v.P.Owner(0), v.P.Stack[8])
		}
	}
}

// R4.2: hand and draw deck together are public, their split and the order are not.
func TestR4_2_HandAndDeckTogether(t *testing.T) {
	position := `{"turn":3,"active":1,"hands":{"0":[%q,"Domination"],"1":["Domination","Domination"]},"draw_decks":{"0":[%s]}}`
	a := load(t, secrets, fmt.Sprintf(position, "Surrender", `"Insurgents","Domination"`))
	b := load(t, secrets, fmt.Sprintf(position, "Insurgents", `{"unknown":{"Surrender":1,"Domination":1}}`))
	sameViews(t, "another split", a, b, 1)
	if v := view(a, 1); v.P.Seats[0].Deck[13] != 1 || v.P.Seats[0].Deck[23] != 1 || v.P.Seats[0].Deck[0] != 2 ||
		v.P.Seats[0].Hand != (domination.Counts{}) {
		t.Errorf("seat 1 sees the hand %v and the rest %v of seat 0", v.P.Seats[0].Hand, v.P.Seats[0].Deck)
	}
	c := load(t, secrets, fmt.Sprintf(position, "Surrender", `"Domination","Insurgents"`))
	for p := range engine.Player(3) {
		sameViews(t, "another order of the deck", a, c, p)
	}
	if v := view(a, 0); v.P.Seats[0].Hand[23] != 1 || v.P.Seats[0].Deck[13] != 1 {
		t.Errorf("seat 0 sees its own hand as %v and its deck as %v", v.P.Seats[0].Hand, v.P.Seats[0].Deck)
	}
}

// R4.3: with an empty draw deck everybody knows the hand; in Game Turn 1 that is
// everybody's.
func TestR4_3_EmptyDeckShowsTheHand(t *testing.T) {
	s := enginetest.Game(t, secrets).New().(*domination.State)
	for p := range engine.Player(3) {
		for q := range engine.Player(3) {
			if v := view(s, p); v.P.Seats[q].Hand != (domination.Counts{0: 4}) {
				t.Errorf("in Game Turn 1 seat %d sees the hand of seat %d as %v", p, q, v.P.Seats[q].Hand)
			}
		}
	}
	s = load(t, secrets, `{"turn":3,"active":0,"hands":{"0":["Surrender","Domination"],"1":["Domination"]},"draw_decks":{"0":[]}}`)
	if v := view(s, 2); v.P.Seats[0].Hand[23] != 1 || v.P.Seats[0].Hand[0] != 1 {
		t.Errorf("the hand before an empty deck is seen as %v", v.P.Seats[0].Hand)
	}
}

// R4.4, R4.7: what everybody knows of a hand through purchases, uses and draws.
func TestR4_7_KnownFollowsTheUses(t *testing.T) {
	s := load(t, secrets, `{"turn":3,"active":0,"first_player":0,"logistics":[3,1,1],
		"hands":{"0":["Domination","Domination","Surrender","Surrender"],"1":["Domination","Domination"],"2":["Domination"]},
		"draw_decks":{"0":[{"unknown":{"Domination":1}}]}}`)
	known := func(when, want string) {
		t.Helper()
		expect(t, s, map[string]string{"known": `{"0":` + want + `,"1":[],"2":[]}`})
		if t.Failed() {
			t.Fatal(when)
		}
	}
	known("at first nothing is known", `[]`)
	do(t, secrets, s, "DISCARD2_FIRST Domination", "DISCARD2_SECOND Domination", "BUY Surrender")
	known("a card bought into the hand is known", `["Surrender"]`)
	do(t, secrets, s, "DISCARD1 Surrender", "BUY Surrender", "END_TURN")
	known("one of three is used, which may be the known one", `[]`)
	do(t, secrets, s, "PASS", "PASS", "PASS")
	// Seat 0 draws 3: the deck of one is empty after the first, and what is held then
	// stays known when the discards are shuffled for the second.
	if open(s).P.Turn != 4 || open(s).Decision() != domination.NoDecision {
		t.Fatalf("Game Turn %d, decision %v; want the draws of Game Turn 4", open(s).P.Turn, open(s).Decision())
	}
	known("the hand before the reshuffle stays known", `["Domination","Surrender","Surrender"]`)
	expect(t, s, map[string]string{"draws_made": `1`, "decision": `"draw"`, "drawer": `0`})
}

// R4.6: the view of a seat holds its hand and the contents of its deck, and of
// others nothing but sums.
func TestR4_6_OwnCards(t *testing.T) {
	s := load(t, secrets, `{"turn":3,"active":1,"hands":{"0":["Surrender","Domination"],"1":["Domination"]},"draw_decks":{"0":["Insurgents","Domination"]}}`)
	v := view(s, 0)
	if v.P.Seats[0].Hand != (domination.Counts{0: 1, 23: 1}) || v.P.Seats[0].Deck != (domination.Counts{0: 1, 13: 1}) {
		t.Errorf("seat 0 sees its hand as %v, its deck as %v", v.P.Seats[0].Hand, v.P.Seats[0].Deck)
	}
	if legal := v.Legal(nil); len(legal) != 0 {
		t.Errorf("seat 0 sees what seat 1 may do: %v", legal)
	}
}

// R4.7: the deals of a small position come out as often as they should. Seat 1 has
// two cards in hand and two in the deck, one of those in hand known; the other is
// any of the three different cards that are left.
func TestR4_7_RedealIsUniform(t *testing.T) {
	s := load(t, secrets, `{"turn":3,"active":0,"hands":{"0":["Domination"],"1":["Surrender","Insurgents"]},"known":{"1":["Surrender"]},
		"draw_decks":{"1":[{"unknown":{"Domination":1,"Bio Weapons":1}}]}}`)
	rng, deals := rand.NewPCG(4, 7), map[domination.Counts]int{}
	const n = 9000
	for range n {
		d := deal(s, 0, rng)
		if open(d).P.Seats[1].HandSize != 2 || open(d).P.Seats[1].Hand[23] != 1 || open(d).P.Seats[1].DeckSize != 2 {
			t.Fatalf("a deal gives the hand %v and the deck %v", open(d).P.Seats[1].Hand, open(d).P.Seats[1].Deck)
		}
		deals[open(d).P.Seats[1].Hand]++
	}
	if x := chiSquare(deals, n, 3); x > 18 { // 2 degrees of freedom: 13.8 is exceeded once in 1000
		t.Errorf("deals %v are not uniform: chi square %.1f", deals, x)
	}
}

func chiSquare(counts map[domination.Counts]int, n, cells int) float64 {
	x, want := float64((cells-len(counts))*n/cells), float64(n)/float64(cells)
	for _, c := range counts {
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return x
}

// R4.7: like cards are told apart by number: of three unknown cards two are
// Domination, so the unknown card of the hand is one in two thirds of the deals.
func TestR4_7_RedealCountsPhysicalCards(t *testing.T) {
	s := load(t, secrets, `{"turn":3,"active":0,"hands":{"0":["Domination"],"1":["Insurgents"]},"draw_decks":{"1":[{"unknown":{"Domination":2}}]}}`)
	rng, dominations := rand.NewPCG(7, 4), 0
	const n = 9000
	for range n {
		d := deal(s, 0, rng)
		dominations += int(open(d).P.Seats[1].Hand[0])
	}
	if share := float64(dominations) / n; share < 0.64 || share > 0.69 {
		t.Errorf("a Domination card in %.3f of the deals, want two thirds", share)
	}
}

// R4.5, R4.7: a deal for a seat agrees with everything that it sees. Where it knows of
// no question (R4.8) the deal may call for another one, or for none.
func TestR4_7_RedealKeepsKnowledge(t *testing.T) {
	g := enginetest.Game(t, "domination(players=4)")
	rng := rand.NewPCG(2, 2)
	for range enginetest.Times(1) {
		s := g.New().(*domination.State)
		for s.ToAct() != engine.Terminal {
			if s.ToAct() >= 0 {
				for p := range engine.Player(4) {
					d := deal(s, p, rng)
					if view(s, p).ToAct() != engine.Nobody || view(d, p).ToAct() == engine.Nobody {
						sameViews(t, "a new deal", s, d, p)
					}
				}
			}
			moves := engine.Moves(s)
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// dictated is a game that begins with cards in order on top of a draw deck, as only
// positions that were loaded have them.
type dictated struct{ engine.Game }

func (d dictated) New() engine.State {
	s, err := d.Load([]byte(`{"active":0,"hands":{"0":["Domination"]},"draw_decks":{"1":["Fog of War",{"unknown":{"Domination":4}}]}}`), engine.Strict)
	if err != nil {
		panic(err)
	}
	return s
}

// R4.1 to R4.5: what views hide is declared at the fields.
func TestSecretsAreDeclared(t *testing.T) {
	games := []engine.Game{dictated{enginetest.Game(t, "domination(turns=2,fixed_pool="+fixedPool+")")}, enginetest.Game(t, "domination")}
	enginetest.SecretsDeclared(t, games)
}

// R4.5 and R-01: in a new deal for a seat that has declined, the seats after it may still be
// asked, and it is not asked again.
func TestR4_5_WhoIsAskedAfterARefusal(t *testing.T) {
	const text = "domination(players=3,first_player=0,fixed_pool=airborne_forces+bio_weapons+fog_of_war+global_disruption+insurgents+" +
		"mega_storm+military_base+out_of_supply+surrender+tactical_nukes)"
	s := enginetest.Load[*domination.State](t, text, `{"turn":3,"active":0,"used_this_turn":true,"window_seat":1,"discards":{"0":["Domination"]},
		"hands":{"0":["Domination"],"1":["Airborne Forces"],"2":["Airborne Forces"]},
		"draw_decks":{"0":[{"unknown":{"Domination":2}}],"1":[{"unknown":{"Domination":4}}],"2":[{"unknown":{"Domination":4}}]},
		"areas":{"CAN":{"owner":0,"strength":"full"},"USA":{"owner":0,"strength":"full"},"MEX":{"owner":0,"strength":"full"}}}`)
	enginetest.Do(t, text, s, "DECLINE")
	if s.ToAct() != 2 {
		t.Fatalf("player %d is to act after seat 1 has declined, want 2", s.ToAct())
	}
	rng, asked := rand.NewPCG(4, 5), map[engine.Player]int{}
	for range 200 {
		d := deal(s, 1, rng)
		asked[d.ToAct()]++
	}
	// Seat 2 holds one of five cards, and one of these is Airborne Forces.
	if asked[1] > 0 || asked[2] < 20 || asked[2] > 60 {
		t.Errorf("in 200 new deals for seat 1 these are to act: %v; want seat 2 in a fifth of them, and never seat 1", asked)
	}
}
