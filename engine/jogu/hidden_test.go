package jogu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

// view returns what seat p sees of s.
func view(s *jogu.State, p engine.Player) *jogu.View { return engine.Look(s, p).(*jogu.View) }

// open returns all that there is to see of s.
func open(s engine.View) *jogu.View { return enginetest.Open[*jogu.View](s) }

// deal returns what seat p sees of s, dealt anew.
func deal(s *jogu.State, p engine.Player, rng *rand.PCG) *jogu.State {
	d := &jogu.State{}
	d.Redeal(view(s, p), rng)
	return d
}

// sameViews demands that seat p cannot tell two states apart.
func sameViews(t *testing.T, what string, a, b *jogu.State, p engine.Player) {
	t.Helper()
	x, y := view(a, p), view(b, p)
	if x.Hash() != y.Hash() || x.Text(p) != y.Text(p) {
		t.Errorf("%s: seat %d can tell\n%s\nfrom\n%s", what, p, x.Text(p), y.Text(p))
	}
}

// R3.4, R16.1, R1.7 and Q7: discards, used Location Cards, boards and sizes are public.
func TestR16_1_Public(t *testing.T) {
	s := load(t, "jogu(start=first)", `{"hand":[["explorer"],["conjurer"]],"discard":[["patriot"],["storm_prodigy"]],
		"location_card":[2,3],"location_discard":[[5],[6,6]],"board":[{"owner":0,"card":"guardian_angel","loc":4,"tokens":1}]}`)
	for p := range engine.Player(2) {
		expect(t, view(s, p), map[string]string{
			"discard": `[["patriot"],["storm_prodigy"]]`, "location_discard": `[[5],[6,6]]`, "morale": `[30,30]`,
			"board": `[{"card":"guardian_angel","loc":4,"owner":0,"tokens":1}]`,
		})
		if v := view(s, p); v.P.Seats[0].HandSize != 1 || v.P.Seats[1].HandSize != 1 || v.P.Seats[1].PileSize() != 38 {
			t.Errorf("seat %d sees hands of %d and %d and a pile of %d", p, v.P.Seats[0].HandSize, v.P.Seats[1].HandSize, v.P.Seats[1].PileSize())
		}
	}
}

// R16.2 and R6.1: the opponent sees neither the pending discards nor their number;
// the example OV31 of the specification.
func TestR16_2_PendingDiscardsAreHidden(t *testing.T) {
	const text = "jogu(start=first)"
	position := `{"phase":"reinforcement","hand":[["explorer","patriot"],["conjurer","storm_prodigy"]],"revealed_in_hand":[{"explorer":1},{}]}`
	discards, keeps := load(t, text, position), load(t, text, position)
	do(t, text, discards, "CARD_explorer", "END")
	do(t, text, keeps, "END")
	sameViews(t, "after the start player's discards", discards, keeps, 1)
	v := view(discards, 1)
	if v.P.Seats[0].Discard[2] != 0 || v.P.Seats[0].HandSize != 2 || v.P.Seats[0].Revealed[2] != 1 {
		t.Errorf("seat 1 sees discards %v, a hand of %d, known %v", v.P.Seats[0].Discard, v.P.Seats[0].HandSize, v.P.Seats[0].Revealed)
	}
	if discards.ToAct() != 1 || open(discards).Decision() != jogu.DiscardDecision {
		t.Errorf("seat %d decides %v, want seat 1 and D1", discards.ToAct(), open(discards).Decision())
	}
	if view(discards, 0).P.Seats[0].Pending[2] != 1 {
		t.Error("seat 0 does not see its own pending discard")
	}
}

// R16.2: the opponent sees the known cards of a hand and no others.
func TestR16_2_HandsAreHidden(t *testing.T) {
	const text = "jogu(start=first)"
	a := load(t, text, `{"hand":[["explorer"],["conjurer","storm_prodigy"]],"revealed_in_hand":[{},{"storm_prodigy":1}]}`)
	b := load(t, text, `{"hand":[["explorer"],["master_of_fire","storm_prodigy"]],"revealed_in_hand":[{},{"storm_prodigy":1}]}`)
	sameViews(t, "other hand", a, b, 0)
	if h := view(a, 0).P.Seats[1].Hand; h != (jogu.Counts{4: 1}) {
		t.Errorf("seat 0 sees the hand %v of seat 1, want the Storm Prodigy alone", h)
	}
	do(t, text, a, "END")
	if legal := view(a, 0).Legal(nil); len(legal) != 0 {
		t.Errorf("seat 0 sees what seat 1 may do: %v", legal)
	}
}

// R16.3: the current Location Card.
func TestR16_3_LocationCards(t *testing.T) {
	const text = "jogu(start=first)"
	position := `{"hand":[["patriot"],["conjurer"]],"location_card":[%d,2],"location_pile":[[{"unknown":[%d]}],[]]}`
	a, b := load(t, text, fmt.Sprintf(position, 5, 6)), load(t, text, fmt.Sprintf(position, 6, 5))
	sameViews(t, "other Location Card", a, b, 1)
	if n := view(a, 0).LocationCard(0); n != 5 {
		t.Errorf("seat 0 sees its own Location Card as %d, want 5", n)
	}
	do(t, text, a, "CARD_patriot", "LOC_2")
	if v := view(a, 1); v.LocationCard(0) != 5 || !v.P.Locs[0].Revealed {
		t.Errorf("after a Patriot seat 1 sees %d, want 5", v.LocationCard(0))
	}
}

// R16.4: the top of the Location pile; the example OV29 of the specification.
func TestR16_4_TopOfTheLocationPile(t *testing.T) {
	const text = "jogu(start=first)"
	position := `{"hand":[["explorer"],["conjurer"]],"location_card":[5,2],"location_pile":[[%d,%d],[4]]}`
	a, b := load(t, text, fmt.Sprintf(position, 3, 6)), load(t, text, fmt.Sprintf(position, 6, 3))
	sameViews(t, "other order, before anybody looked", a, b, 0)
	do(t, text, a, "CARD_explorer", "LOC_2")
	do(t, text, b, "CARD_explorer", "LOC_2")
	sameViews(t, "other order, after the owner looked", a, b, 1)
	if n := view(a, 0).NextLocation(0); n != 3 {
		t.Errorf("the owner sees %d, want 3", n)
	}
	if v := view(a, 1); v.NextLocation(0) != 0 || !v.P.Locs[0].TopKnown {
		t.Errorf("the opponent sees %d and looked %v, want nothing but that the owner looked", v.NextLocation(0), v.P.Locs[0].TopKnown)
	}
}

// R16.5: a face-down card is hidden from its choice on; the example OV37 of the
// specification.
func TestR16_5_FaceDownCards(t *testing.T) {
	const text = "jogu(first=agents,second=mibits,start=first)"
	start := func() *jogu.State {
		return load(t, text, `{"hand":[["smoke_n_screen","covert_junior_agent","covert_senior_agent"],["gangan_bit"]],
			"board":[{"owner":1,"card":"scrambler","loc":5,"tokens":0}]}`)
	}
	types := []string{"smoke_n_screen", "covert_junior_agent", "covert_senior_agent"}
	for _, moves := range [][]string{{}, {"LOC_5"}, {"LOC_5", "LOC_2"}} {
		var first *jogu.State
		for _, key := range types {
			s := start()
			do(t, text, s, append([]string{"CARD_" + key}, moves...)...)
			if first == nil {
				first = s
			}
			sameViews(t, fmt.Sprintf("%s after %v", key, moves), first, s, 1)
		}
	}
	s := start()
	do(t, text, s, "CARD_covert_senior_agent", "LOC_5", "LOC_2")
	v := view(s, 1)
	if v.FaceDown(0, 3) != 1 || v.P.Seats[0].Play[3] != (jogu.Counts{}) || v.P.Room.Used[3] != 3 || v.P.Seats[0].HandSize != 2 ||
		v.FaceDownType(0, 3, 0) != -1 {
		t.Errorf("seat 1 sees %d face-down cards, face-up %v, capacity %d, hand of %d", v.FaceDown(0, 3), v.P.Seats[0].Play[3], v.P.Room.Used[3],
			v.P.Seats[0].HandSize)
	}
	if view(s, 0).FaceDownType(0, 3, 0) != 3 {
		t.Error("the owner does not see its own face-down card")
	}
}

// R16.6 and R-02: fixed places of a pile are seen by those who know them.
func TestR16_6_DrawPiles(t *testing.T) {
	const text = "jogu(first=engineers,second=agents,start=first)"
	position := `{"hand":[["engineer_unit_1"],["saboteur"]],"draw":[[%q,"heavy_tower",%q,"bomb_tower"],[]],
		"draw_known":[[[1,0],[1,1],[0,0],[1,1]],[]]}`
	a := load(t, text, fmt.Sprintf(position, "support_tower", "engineer_unit_2"))
	b := load(t, text, fmt.Sprintf(position, "engineer_unit_2", "support_tower"))
	sameViews(t, "cards only the owner knows", a, b, 1)
	expect(t, view(a, 1), map[string]string{"draw": `[["?","heavy_tower","?","bomb_tower"],[]]`})
	expect(t, view(a, 0), map[string]string{"draw": `[["support_tower","heavy_tower","?","bomb_tower"],[]]`})
}

// R16.7 and R-07: after a Support Tower the opponent
// sees that a card went down and which places the owner knows, alike for every card,
// also where no unknown card is left in the pile, and until the pile is used up.
func TestR16_7_SupportTowersPublicPart(t *testing.T) {
	const text = "jogu(first=engineers,second=mibits,start=first)"
	keys := []string{"engineer_unit_1", "engineer_unit_2", "heavy_tower"}
	for _, unknown := range []string{"", `,"bomb_tower","engineer_unit_3"`, `,{"unknown":{"bomb_tower":3,"engineer_unit_3":4}},"engineer_unit_1"`} {
		start := func() *jogu.State {
			return load(t, text, `{"hand":[["support_tower","support_tower","engineer_unit_3"],["gangan_bit","medic"]],"location_card":[2,3],
				"board":[{"owner":0,"card":"engineer_unit_1","loc":4},{"owner":0,"card":"engineer_unit_1","loc":5}],
				"draw":[["`+strings.Join(keys, `","`)+`"`+unknown+`],[]]}`)
		}
		again := []string{"CARD_gangan_bit", "LOC_2", "CARD_support_tower"} // one place is left for it
		worlds := map[string]*jogu.State{}
		for _, first := range []string{"END", "SLOT_1", "SLOT_2", "SLOT_3"} {
			worlds[first] = start()
			do(t, text, worlds[first], "CARD_support_tower", "LOC_4", first)
		}
		for _, slot := range []string{"SLOT_2", "SLOT_3"} {
			sameViews(t, "a card put down in a pile of "+unknown, worlds["SLOT_1"], worlds[slot], 1)
		}
		if a, b := view(worlds["SLOT_1"], 1), view(worlds["END"], 1); a.Text(1) == b.Text(1) || a.Hash() == b.Hash() ||
			a.P.Seats[0].Bottom != b.P.Seats[0].Bottom+1 {
			t.Errorf("seat 1 can't tell that a card went down in a pile of %q:\n%s", unknown, a.Text(1))
		}
		if unknown != "" && !strings.HasPrefix(unknown, `,"`) {
			continue // what lies third would have to be drawn
		}
		for _, slot := range []string{"SLOT_1", "SLOT_2", "SLOT_3"} {
			do(t, text, worlds[slot], append(again, "SLOT_1")...)
			sameViews(t, "a second card put down", worlds["SLOT_1"], worlds[slot], 1)
		}
	}
}

// What is still to come of the plays that are not over stands in the text.
func TestTextTellsWhatIsToCome(t *testing.T) {
	const text = "jogu(first=wu,second=mibits,start=first)"
	s := load(t, text, `{"hand":[["conjurer"],["gangan_bit","medic"]],"discard":[["conjurer","master_of_earth"],[]],"location_card":[2,3],
		"board":[{"owner":1,"card":"scrambler","loc":2},{"owner":1,"card":"scrambler","loc":2},{"owner":1,"card":"scrambler","loc":3}]}`)
	do(t, text, s, "CARD_conjurer", "LOC_2", "OWN_FIRST", "CARD_conjurer", "LOC_3", "SCRAMBLER_FIRST")
	want := "Conjurer at Location 2 (its ability is being carried out, 2 Scrambler triggers are still to come); " +
		"Conjurer at Location 3 (its ability is still to come, a Scrambler moves)"
	for p := range engine.Player(2) {
		if got := strings.ReplaceAll(view(s, p).Text(p), "\n    ", " "); !strings.Contains(got, want) {
			t.Errorf("seat %d reads\n%s\nwithout %q", p, got, want)
		}
	}
	if place, scramblers := view(s, 1).OuterPlay(0); place != 0 || scramblers != 2 || !view(s, 1).Play().OwnAbility {
		t.Errorf("the outer play lies at place %d with %d Scrambler triggers, own ability of the inner one %v", place, scramblers,
			view(s, 1).Play().OwnAbility)
	}
}

// R16.7: a choice from a public discard is public, with the card that it names.
func TestR16_7_PublicChoices(t *testing.T) {
	const text = "jogu(first=wu,second=guards,start=first)"
	s := load(t, text, `{"hand":[["conjurer"],["explorer"]],"discard":[["master_of_earth","master_of_wind"],[]]}`)
	do(t, text, s, "CARD_conjurer", "LOC_2", "CARD_master_of_wind")
	if v := view(s, 1); v.P.Depth != 2 || v.Play().Card != 1 || v.P.Seats[0].Discard[1] != 0 {
		t.Errorf("seat 1 sees %d plays, the innermost of type %d", v.P.Depth, v.Play().Card)
	}
}

// R16.8: the deals of a small position come out as often as they should. Seat 1
// has a face-down card, two cards in hand and one in the pile, out of a
// Smoke-n-Screen, a Senior Agent, a Saboteur and an Assassin: the face-down card is
// one of the first two with equal chance, and the other three cards fall in any of
// their three places with equal chance.
func TestR16_8_RedealIsUniform(t *testing.T) {
	s := load(t, "jogu(first=guards,second=agents,start=first)", `{"hand":[["explorer"],["saboteur","assassin"]],
		"draw":[[],[{"unknown":{"smoke_n_screen":1}}]],"board":[{"owner":1,"card":"covert_senior_agent","loc":4,"tokens":0}],
		"location_card":[2,3],"location_pile":[[],[{"unknown":[4,4]}]]}`)
	rng := rand.NewPCG(16, 8)
	const n = 12000
	deals, locations := map[string]int{}, map[int]int{}
	for range n {
		d := deal(s, 0, rng)
		inPile := 0
		for t, k := range open(d).P.Seats[1].Unknown {
			if k > 0 {
				inPile = t
			}
		}
		deals[fmt.Sprint(open(d).FaceDownType(1, 2, 0), " down, ", inPile, " in the pile")]++
		locations[open(d).LocationCard(1)]++
	}
	if x := chiSquare(deals, n, 6); x > 25 { // 5 degrees of freedom: 20.5 is exceeded once in 1000
		t.Errorf("deals %v are not uniform: chi square %.1f", deals, x)
	}
	if d := math.Abs(float64(locations[3])/n - 1./3); len(locations) != 2 || d > 0.02 {
		t.Errorf("Location Cards %v, want 3 in a third of the deals and 4 in the others", locations)
	}
}

func chiSquare(counts map[string]int, n, cells int) float64 {
	x, want := float64((cells-len(counts))*n/cells), float64(n)/float64(cells)
	for _, c := range counts {
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return x
}

// R16.8: each card of the new hand is in the pending choice with chance 1/2.
func TestR16_8_PendingDiscardsAreDealt(t *testing.T) {
	const text = "jogu(start=first)"
	s := load(t, text, `{"phase":"reinforcement","hand":[["explorer","explorer","patriot"],["conjurer"]]}`)
	do(t, text, s, "CARD_explorer", "END")
	rng, total := rand.NewPCG(1, 1), 0
	const n = 4000
	for range n {
		d := deal(s, 1, rng)
		for _, k := range open(d).P.Seats[0].Pending {
			total += int(k)
		}
	}
	if mean := float64(total) / n; math.Abs(mean-1.5) > 0.06 {
		t.Errorf("%.2f of 3 cards are pending on average, want 1.5", mean)
	}
}

// R16.8 and R-03: what a seat knows holds in every new deal, and the deal is a state that
// the seat sees as before.
func TestR16_8_RedealKeepsKnowledge(t *testing.T) {
	g := enginetest.Game(t, "jogu(first=any,second=any)")
	rng := rand.NewPCG(2, 2)
	for range 10 {
		s := g.New().(*jogu.State)
		for s.ToAct() != engine.Terminal {
			moves := engine.Moves(s)
			if s.ToAct() >= 0 {
				for p := range engine.Player(2) {
					d := deal(s, p, rng)
					sameViews(t, "a new deal", s, d, p)
					if p == s.ToAct() && fmt.Sprint(d.Legal(nil)) != fmt.Sprint(moves) {
						t.Fatalf("a new deal allows %v, the game %v", d.Legal(nil), moves)
					}
					if d.ToAct() != s.ToAct() || len(engine.Moves(d)) < 2 {
						t.Fatalf("seat %d is asked, and in a new deal for seat %d player %d with the moves %v", s.ToAct(), p, d.ToAct(), engine.Moves(d))
					}
				}
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// R16.1 to R16.6: what views hide is declared at the fields.
func TestSecretsAreDeclared(t *testing.T) {
	enginetest.SecretsDeclared(t, []engine.Game{enginetest.Game(t, "jogu(first=any,second=any,expansion=true)")})
}
