package bloc_test

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// view returns what seat p sees of s.
func view(s *bloc.State, p engine.Player) *bloc.View { return engine.Look(s, p).(*bloc.View) }

// open returns all that there is to see of s.
func open(s engine.View) *bloc.View { return enginetest.Open[*bloc.View](s) }

// deal returns what seat p sees of s, dealt anew.
func deal(s *bloc.State, p engine.Player, rng *rand.PCG) *bloc.State {
	d := &bloc.State{}
	d.Redeal(view(s, p), rng)
	return d
}

// sameViews demands that seat p cannot tell two states apart, or that it can.
func sameViews(t *testing.T, what string, want bool, a, b *bloc.State, p engine.Player) {
	t.Helper()
	x, y := view(a, p), view(b, p)
	if same := x.Hash() == y.Hash() && x.Text(p) == y.Text(p); same != want {
		t.Errorf("%s: seat %d finds the same %v, want %v\n%s\n%s", what, p, same, want, x.Text(p), y.Text(p))
	}
}

const coop = "bloc(scenario=beginner_city)"

// R2.8, R2.9 and section 15: hands and agendas are seen by their players alone, their
// sizes by all.
func TestHandsAndAgendasAreHidden(t *testing.T) {
	const text = "bloc(mode=semi_cooperative,city=beginner)"
	a := load(t, text, `{"active":"workers","hands":{"workers":["bikes"],"students":["lumber","medic_kit"]},"agendas":{"workers":"nihilist","students":"vanguardist"}}`)
	b := load(t, text, `{"active":"workers","hands":{"workers":["bikes"],"students":["bikes","gas_masks"]},"agendas":{"workers":"nihilist","students":"social_federation"}}`)
	for p, same := range []bool{true, false, true, true} {
		sameViews(t, "other hand and agenda of the students", same, a, b, engine.Player(p))
	}
	if v := view(a, 0); v.P.HandSize[1] != 2 || v.P.Agenda[1] != bloc.HiddenAgenda || v.P.Agenda[0] != 9 || v.P.Hand[0][3] != 1 {
		t.Errorf("seat 0 sees a hand of %d, agenda %d, its own agenda %d", v.P.HandSize[1], v.P.Agenda[1], v.P.Agenda[0])
	}
	if legal := view(a, 1).Legal(nil); len(legal) != 0 {
		t.Errorf("seat 1 sees what seat 0 may do: %v", legal)
	}
}

// R2.7: with two players each knows both of its hands.
func TestTwoPlayersKnowBothTheirHands(t *testing.T) {
	s := load(t, "bloc(scenario=beginner_city,players=2)",
		`{"active":"workers","hands":{"workers":["bikes"],"students":["lumber"],"neighbors":["medic_kit"]}}`)
	v := view(s, 0)
	if v.P.Hand[0][3] != 1 || v.P.Hand[2][12] != 1 || v.P.Hand[1] != [bloc.LootCards]uint8{} {
		t.Errorf("player 0 sees the hands %v, %v, %v", v.P.Hand[0], v.P.Hand[1], v.P.Hand[2])
	}
}

// R5.9: what the partner and the others know of a trade.
func TestTradesAreSeenByTheTwo(t *testing.T) {
	position := func(card string) *bloc.State {
		s := load(t, coop, `{"active":"workers","districts":{"street_market":{"blocs":{"workers":1,"students":1}}},"hands":{"workers":["bikes","lumber"],"students":["medic_kit","megaphone"]}}`)
		do(t, coop, s, "TRADE", "FACTION_STUDENTS", card)
		return s
	}
	a, b := position("CARD_BIKES"), position("CARD_LUMBER")
	for p, same := range []bool{false, true, true, true} {
		sameViews(t, "another card on offer, before the proposal is made", same, a, b, engine.Player(p))
	}
	do(t, coop, a, "CARD_MEDIC_KIT")
	do(t, coop, b, "CARD_GAS_MASKS")
	for p, same := range []bool{false, false, true, true} {
		sameViews(t, "another proposal", same, a, b, engine.Player(p))
	}
	if v := view(a, 1); v.P.Hand[0][3] != 1 {
		t.Error("the partner does not know the card that it was offered")
	}
	do(t, coop, a, "YES")
	if v := view(a, 0); v.P.Hand[1][3] != 1 || v.P.Hand[1][12] != 0 {
		t.Errorf("the proposer sees the partner's hand as %v", v.P.Hand[1])
	}
	if v := view(a, 2); v.P.Hand[0] != [bloc.LootCards]uint8{} || v.P.HandSize[0] != 2 || v.P.HandSize[1] != 2 {
		t.Errorf("another player sees the hand %v", v.P.Hand[0])
	}
	// a card that changes hands unseen may be any that was known.
	c := load(t, coop, `{"active":"workers","districts":{"street_market":{"blocs":{"workers":1,"students":1}}},
		"hands":{"workers":["bikes","lumber"]},"known":[{},{},{"workers":{"bikes":1}},{}]}`)
	do(t, coop, c, "TRADE", "FACTION_STUDENTS", "CARD_LUMBER", "CARD_NOTHING", "YES")
	if n := open(c).P.Known[2][0][3]; n != 0 {
		t.Errorf("player 2 is certain of %d bikes, but they may have been given away", n)
	}
	if n := open(c).P.Known[0][1][9]; n != 1 {
		t.Errorf("the giver is certain of %d of the cards that it gave", n)
	}
}

// R11.1 and section 15: new deals are uniform. The students hold one card out of two
// bikes and one lumber: bikes with a chance of 2/3.
func TestRedealIsUniform(t *testing.T) {
	s := load(t, coop, `{"active":"workers","hands":{"students":["bikes"]},"loot_deck":{"bikes":1,"lumber":1}}`)
	rng, bikes := rand.NewPCG(3, 4), 0
	const n = 30000
	for range n {
		v := deal(s, 0, rng)
		bikes += int(open(v).P.Hand[1][3])
	}
	if share := float64(bikes) / n; share < 0.655 || share > 0.678 { // four standard deviations
		t.Errorf("the students hold bikes in %.3f of the deals, want 0.667", share)
	}
}

// R2.9: new deals of the infighting agendas keep their odds: seen from a social card,
// Nihilist is with each of three others with a chance of 1/5.
func TestRedealOfAgendas(t *testing.T) {
	s := load(t, "bloc(scenario=let_the_infighting_begin,city="+mallCity+")",
		`{"active":"workers","agendas":{"workers":"social_federation","students":"nihilist","neighbors":"vanguardist","prisoners":"sectarian_hegemony"}}`)
	rng, nihilists := rand.NewPCG(5, 6), 0
	const n = 20000
	for range n {
		v := deal(s, 0, rng)
		if open(v).P.Agenda[1] == 9 {
			nihilists++
		}
	}
	if share := float64(nihilists) / n; share < 0.188 || share > 0.212 {
		t.Errorf("the students are Nihilist in %.3f of the deals, want 0.2", share)
	}
}

// mallCity is the beginner city with the Mega Mall for The Stadium.
var mallCity = beginnerCity[:len(beginnerCity)-len("the_stadium:1")] + "mega_mall:1"

// R15.1 and R15.2: what is told of each move to the seat that does not make it.
func TestMovesThatAreShown(t *testing.T) {
	const semi = "bloc(mode=semi_cooperative,city=beginner)"
	trade := `{"active":"workers","districts":{"street_market":{"blocs":{"workers":1,"students":1}}},"hands":{"workers":["bikes"],"students":["lumber"]}}`
	for _, c := range []struct {
		name, position string
		do             []string
		move           string
		shown          [4]bool
	}{
		{"C1 is public", `{}`, nil, "FACTION_WORKERS", [4]bool{true, true, true, true}},
		{"R11.1 a drawn card is its player's", `{"active":"workers","dice":[6],"districts":{"commercial_3":{"blocs":{"workers":1}}}}`,
			[]string{"LOOT_GRAFFITI", "CELL_12"}, "LOOT_BIKES", [4]bool{true, false, false, false}},
		{"R8.2 an ops card is public", `{"active":"workers"}`, []string{"END_ACTIONS"}, "OPS_MANEUVERS", [4]bool{true, true, true, true}},
		{"R5.9 the card on offer", trade, []string{"TRADE", "FACTION_STUDENTS"}, "CARD_BIKES", [4]bool{true, false, false, false}},
		{"R5.9 what is asked for", trade, []string{"TRADE", "FACTION_STUDENTS", "CARD_BIKES"}, "CARD_ANY", [4]bool{true, true, false, false}},
		{"R5.9 the answer", trade, []string{"TRADE", "FACTION_STUDENTS", "CARD_BIKES", "CARD_ANY"}, "YES", [4]bool{true, true, true, true}},
		{"R5.9 the pick", trade, []string{"TRADE", "FACTION_STUDENTS", "CARD_BIKES", "CARD_ANY", "YES"}, "CARD_LUMBER", [4]bool{true, true, false, false}},
		{"R15.1 Molotovs played", `{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1},"cops":3}},"hands":{"workers":["molotovs_1"]}}`,
			[]string{"ATTACK_DEFEAT", "CELL_1"}, "CARD_MOLOTOVS_1", [4]bool{true, true, true, true}},
		{"R15.1 no Molotovs played", `{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1},"cops":3}},"hands":{"workers":["molotovs_1"]}}`,
			[]string{"ATTACK_DEFEAT", "CELL_1"}, "DONE", [4]bool{true, false, false, false}},
		{"R15.1 no card played", `{"active":"workers","dice":[6],"districts":{"commercial_3":{"blocs":{"workers":1}}},"hands":{"workers":["police_scanner"]}}`,
			[]string{"LOOT_GRAFFITI", "CELL_12", "LOOT_BIKES", "REACTION_1"}, "DONE", [4]bool{true, false, false, false}},
		{"a card played", trade, []string{"PLAY_CARD"}, "CARD_BIKES", [4]bool{true, true, true, true}},
	} {
		s := load(t, semi, c.position)
		do(t, semi, s, c.do...)
		a, err := engine.FindMove(enginetest.Game(t, semi), s, c.move)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for p, want := range c.shown {
			if got := s.Shows(engine.Player(p), a); got != want {
				t.Errorf("%s: shown to seat %d: %v, want %v", c.name, p, got, want)
			}
		}
	}
}

// What a view may hide is declared at the fields of the position.
func TestSecretsAreDeclared(t *testing.T) {
	enginetest.SecretsDeclared(t, []engine.Game{enginetest.Game(t, coop), enginetest.Game(t, "bloc(mode=semi_cooperative,city=beginner)")})
}
