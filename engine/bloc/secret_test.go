package bloc_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// quiet demands that seat p sees the game go on with nobody asked.
func quiet(t *testing.T, what string, s *bloc.State, p engine.Player) {
	t.Helper()
	v := view(s, p)
	if v.ToAct() != engine.Nobody || v.P.Asked != bloc.NoFaction || v.Decision() != -1 || len(v.Legal(nil)) != 0 {
		t.Errorf("%s: seat %d sees seat %d act, faction %d asked D%d, %d actions", what, p, v.ToAct(), v.P.Asked, v.Decision()+1, len(v.Legal(nil)))
	}
	if text := v.Text(p); !strings.Contains(text, "The game goes on.") || strings.Contains(text, "Over after") {
		t.Errorf("%s: seat %d reads\n%s", what, p, text)
	}
	x := fields(t, v)
	if x["decision"] != nil || x["result"] != nil || x["shown"] != nil {
		t.Errorf("%s: seat %d sees decision %v, result %v, shown %v", what, p, x["decision"], x["result"], x["shown"])
	}
	for f, agenda := range x["agendas"].(map[string]any) {
		if agenda != "?" && v.Owner(bloc.FactionID(slices.Index([]string{"workers", "students", "neighbors", "prisoners"}, f))) != p {
			t.Errorf("%s: seat %d sees the agenda %v of the %s", what, p, agenda, f)
		}
	}
}

// secret reports whether the question asked is put only to holders of a card: D12, D15,
// D24, D26 or D28.
func secret(s *bloc.State) bool {
	return slices.Contains([]int{12, 15, 24, 26, 28}, open(s).Decision()+1)
}

// R15.1 (Ruling 37): the workers, seat 0, hold the card that a question is about or do not. While
// they are asked the others see the situation as it was, however often; once they have
// played none, what they see where nobody was asked.
func TestQuestionsLeaveNoTrace(t *testing.T) {
	const loot = `{"active":"workers","dice":[6],"districts":{"commercial_3":{"blocs":{"workers":1}}},"hands":{"workers":[%q]}}`
	const clash = `{"active":"workers","dice":[6,6],"districts":{"the_park":{"blocs":{"workers":2},%s}},"hands":{"workers":[%%q]}}`
	const dawn = `{"phase":"sunrise_1A","first_faction":"workers","turn":4,"districts":{"the_park":{"blocs":{"workers":2},"occupation":["workers","assembly_hall"],%s},
		"garment_sweatshop":{"blocs":{"workers":1},"occupation":["workers","faction_start"]}},"hands":{"workers":[%%q]}}`
	for _, c := range []struct {
		name, position, card string
		before               []string
		sees                 string // a field of the view of the others
	}{
		{"D12 defeat", fmt.Sprintf(clash, `"cops":3`), "molotovs_1", []string{"ATTACK_DEFEAT", "CELL_1"}, `"cops":3`},
		{"D12 kick out", fmt.Sprintf(clash, `"cops":4`), "molotovs_2", []string{"ATTACK_KICK", "CELL_1"}, `"cops":4`},
		{"D12 van", fmt.Sprintf(clash, `"van":1`), "molotovs_1", []string{"ATTACK_VAN", "CELL_1"}, `"van":1`},
		{"D15 Police Scanner, one cop", loot, "police_scanner", []string{"LOOT_GRAFFITI", "CELL_12", "LOOT_BIKES", "REACTION_1"}, `"roll":1`},
		{"D15 Police Scanner, an ops card", loot, "police_scanner", []string{"LOOT_GRAFFITI", "CELL_12", "LOOT_BIKES", "REACTION_2"}, `"roll":2`},
		{"D24 Steel Doors before a van", fmt.Sprintf(dawn, `"van":0`), "steel_doors", nil,
			`"blocs":{"workers":2},"attacked":{},"cops":0,"van":0,"occupation":["workers","assembly_hall"]`},
		{"D24 Steel Doors before cops", fmt.Sprintf(dawn, `"cops":3`), "steel_doors", nil,
			`"blocs":{"workers":2},"attacked":{},"cops":3,"van":null,"occupation":["workers","assembly_hall"]`},
		{"D24 Gas Masks", fmt.Sprintf(dawn, `"cops":1`), "gas_masks", nil, `"blocs":{"workers":2},"attacked":{},"cops":1`},
		{"D26 Medic Kit", fmt.Sprintf(dawn, `"cops":1`), "medic_kit", nil, `"lost":{"workers":1}`},
		{"D28 Sound System", fmt.Sprintf(dawn, `"cops":0`), "sound_system", nil, `"cell":9`},
	} {
		asked := load(t, coop, fmt.Sprintf(c.position, c.card))
		unasked := load(t, coop, fmt.Sprintf(c.position, "lumber"))
		do(t, coop, asked, c.before...)
		do(t, coop, unasked, c.before...)
		first := *asked
		for n := 0; secret(asked); n++ {
			for p := engine.Player(1); p < 4; p++ {
				quiet(t, c.name, asked, p)
				if data, _ := json.Marshal(view(asked, p)); !strings.Contains(string(data), c.sees) {
					t.Errorf("%s: seat %d does not see %s\n%s", c.name, p, c.sees, data)
				}
				sameViews(t, fmt.Sprintf("%s, asked %d times", c.name, n+1), true, &first, asked, p)
				if asked.Shows(p, bloc.ActDone) {
					t.Errorf("%s: seat %d is told that no card was played", c.name, p)
				}
				if !asked.Shows(p, asked.Legal(nil)[1]) {
					t.Errorf("%s: seat %d is not told of the card played", c.name, p)
				}
			}
			if v := view(asked, 0); v.ToAct() != 0 || len(v.Legal(nil)) != 2 {
				t.Errorf("%s: the view of the seat that is asked waits for %d", c.name, v.ToAct())
			}
			do(t, coop, asked, "DONE")
		}
		if first.Hash() == asked.Hash() {
			t.Errorf("%s: seat %d acts, want the workers to be asked", c.name, asked.ToAct())
		}
		for p := engine.Player(1); p < 4; p++ {
			sameViews(t, c.name+", after it played none", true, asked, unasked, p)
			if n := view(asked, p).P.Hand[0]; n != [bloc.LootCards]uint8{} {
				t.Errorf("%s: seat %d is certain of %v", c.name, p, n)
			}
		}
	}
}

// R15.1: where declining would end the game the others see no end, no result and no
// agenda, and when the card is played instead, nothing that they have seen is taken
// back: with Gas Masks and Medic Kits night 5 begins.
func TestNoEndIsSeenBeforeItComes(t *testing.T) {
	const text = "bloc(mode=semi_cooperative,city=beginner)"
	const start = `"garment_sweatshop":{"occupation":["workers","faction_start"]}`
	for _, c := range []struct {
		name, district string
		left           int
		hand           []string
		goesOn         []string
	}{
		{"D24 Steel Doors", start + `,"interior_ministry":{"occupation":["workers","assembly_hall"],"van":0}`, 1, []string{"steel_doors"}, nil},
		{"D24 Gas Masks", `"garment_sweatshop":{"occupation":["workers","faction_start"],"blocs":{"workers":1},"cops":1}`, 5, []string{"gas_masks"},
			[]string{"CARD_GAS_MASKS"}},
		{"D26 Medic Kit", start + `,"interior_ministry":{"blocs":{"workers":1},"cops":1}`, 5, []string{"medic_kit"}, []string{"CARD_MEDIC_KIT", "CELL_9"}},
		{"D28 Sound System", `"garment_sweatshop":{"occupation":["workers","faction_start"],"blocs":{"workers":1}}`, 1, []string{"sound_system"}, nil},
	} {
		hand, _ := json.Marshal(c.hand)
		s := load(t, text, fmt.Sprintf(`{"phase":"sunrise_1A","first_faction":"workers","turn":4,"night":4,"nights_left":%d,
			"districts":{%s,"the_projects":{"blocs":{"neighbors":1}},"supermax_prison":{"blocs":{"prisoners":1}},"privatized_university":{"blocs":{"students":1}}},
			"hands":{"workers":%s,"students":["bikes"]},
			"agendas":{"workers":"nihilist","students":"vanguardist","neighbors":"social_federation","prisoners":"sectarian_hegemony"}}`, c.left, c.district,
			hand))
		declined := *s
		for declined.ToAct() == 0 {
			do(t, text, &declined, "DONE")
		}
		if declined.ToAct() != engine.Terminal || s.ToAct() != 0 {
			t.Fatalf("%s: seat %d acts, and %d after DONE, want 0 and the end", c.name, s.ToAct(), declined.ToAct())
		}
		for p := engine.Player(1); p < 4; p++ {
			quiet(t, c.name, s, p)
			if v := view(s, p); v.P.Night != 4 || int(v.P.NightsLeft) != c.left || v.P.Turn != 4 {
				t.Errorf("%s: seat %d sees night %d, %d left, %d turns", c.name, p, v.P.Night, v.P.NightsLeft, v.P.Turn)
			}
			if v := view(&declined, p); v.ToAct() != engine.Terminal || v.P.Agenda[0] != 9 {
				t.Errorf("%s: at the end seat %d sees seat %d act and agenda %d", c.name, p, v.ToAct(), v.P.Agenda[0])
			}
		}
		if c.goesOn == nil {
			continue
		}
		do(t, text, s, c.goesOn...)
		for s.ToAct() == 0 && secret(s) {
			do(t, text, s, "DONE")
		}
		if open(s).P.Night != 5 || s.ToAct() == engine.Terminal {
			t.Errorf("%s: night %d, seat %d acts after the card, want night 5", c.name, open(s).P.Night, s.ToAct())
		}
	}
}

// R15.1 and R-03: whoever is asked, wherever and however often, the others see the same.
func TestWhoIsAskedIsNotSeen(t *testing.T) {
	const text = `{"phase":"sunrise_1A","first_faction":"workers","turn":4,"districts":{"the_park":{"blocs":{"workers":2,"students":2},%s"occupation":["workers","assembly_hall"]},
		"garment_sweatshop":{"blocs":{"workers":1,"students":1},"occupation":["workers","faction_start"]},"the_projects":{"blocs":{"neighbors":1}}},"hands":{"workers":[%q],"students":[%q]}}`
	for _, c := range []struct{ name, cops, card string }{{"D24", `"cops":3,`, "gas_masks"}, {"D28", "", "sound_system"}} {
		both := load(t, coop, fmt.Sprintf(text, c.cops, c.card, c.card))
		one := load(t, coop, fmt.Sprintf(text, c.cops, c.card, "bikes"))
		other := load(t, coop, fmt.Sprintf(text, c.cops, "lumber", c.card))
		for p := engine.Player(2); p < 4; p++ {
			quiet(t, c.name, both, p)
			sameViews(t, c.name+" to the workers, or to both", true, both, one, p)
			sameViews(t, c.name+" to the workers, or to the students", true, one, other, p)
		}
		sameViews(t, c.name+" to the workers, who do not know of the students", true, both, one, 0)
		do(t, coop, both, "DONE")
		quiet(t, c.name, both, 0)
		for p := engine.Player(2); p < 4; p++ {
			sameViews(t, c.name+", then to the students", true, both, one, p)
		}
	}
	// The district of D28 is the first where somebody might be asked, not the one where
	// somebody is: the students have no bloc in the first.
	const two = `{"phase":"sunrise_2","first_faction":"workers","turn":4,"districts":{"the_park":{"blocs":{"workers":1,"students":2},"occupation":["workers","assembly_hall"]},
		"garment_sweatshop":{"blocs":{"workers":1},"occupation":["workers","faction_start"]}},"hands":{"workers":[%q],"students":[%q]}}`
	a, b := load(t, coop, fmt.Sprintf(two, "sound_system", "bikes")), load(t, coop, fmt.Sprintf(two, "bikes", "sound_system"))
	if open(a).P.Now.Cell == open(b).P.Now.Cell {
		t.Errorf("both are asked in cell %d", open(a).P.Now.Cell)
	}
	sameViews(t, "D28 in one district or the other", true, a, b, 2)
	// No cards, no question: the hands' sizes are public.
	c := load(t, coop, strings.Replace(fmt.Sprintf(two, "bikes", "sound_system"), `"workers":["bikes"],`, "", 1))
	if v := view(c, 2); v.P.Now.Cell != 1 {
		t.Errorf("without a card of the workers seat 2 sees cell %d, want the_park, 1", v.P.Now.Cell)
	}
}

// R15.1: what is public separates the moments of a run, for a player also its own answer.
func TestMomentsOfARun(t *testing.T) {
	const text = `{"phase":"sunrise_1A","first_faction":"workers","turn":4,"districts":{"the_park":{"blocs":{"workers":1,"students":1,"neighbors":1},"cops":7,"occupation":["students","assembly_hall"]},
		"garment_sweatshop":{"blocs":{"workers":1}},"the_projects":{"blocs":{"neighbors":1}}},"hands":{"workers":["gas_masks","lumber"],"students":["gas_masks","steel_doors"],"neighbors":["gas_masks"]}}`
	s := load(t, coop, text)
	start := *s
	do(t, coop, s, "DONE")
	sameViews(t, "the students after the workers", true, &start, s, 3)
	do(t, coop, s, "CARD_GAS_MASKS")
	sameViews(t, "a card that was played", false, &start, s, 3)
	played := *s
	do(t, coop, s, "DONE")
	if open(s).P.Asked != 2 {
		t.Fatalf("faction %d is asked, want the neighbors", open(s).P.Asked)
	}
	sameViews(t, "the neighbors after the students", true, &played, s, 3)
	// Those who played or answered are not asked again in a new deal, and those before them
	// neither.
	rng := rand.NewPCG(1, 15)
	for range 300 {
		for p, gone := range map[engine.Player][]bloc.FactionID{3: {0}, 0: {0}, 1: {0, 1}} {
			v := deal(s, p, rng)
			if open(v).P.Night == 1 && slices.Contains(gone, open(v).P.Asked) && open(v).Decision() == 23 {
				t.Fatalf("a new deal for seat %d asks faction %d again", p, open(v).P.Asked)
			}
		}
	}
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	again, err := enginetest.Game(t, coop).Load(data, engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	for p := range engine.Player(4) {
		sameViews(t, "written and read", true, s, again.(*bloc.State), p)
	}
}

// R15.1: in a new deal for a player who knows of no question, the holder of an unknown
// card is asked as often as it holds one that fits, and else the game goes on.
func TestRedealOfAMoment(t *testing.T) {
	const two = "bloc(scenario=beginner_city)"
	s := load(t, two, `{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1},"cops":3}},"hands":{"workers":["molotovs_1"]},"loot_deck":{"bikes":2,"molotovs_2":1}}`)
	do(t, two, s, "ATTACK_DEFEAT", "CELL_1")
	rng, asked := rand.NewPCG(3, 5), 0
	const n = 20000
	for range n {
		v := deal(s, 1, rng)
		switch open(v).Decision() {
		case 11:
			asked++
			if h := open(v).P.Hand[0]; h[0]+h[1] != 1 {
				t.Fatalf("D12 is asked with the hand %v", h)
			}
		default:
			if v.ToAct() != engine.Chance || open(v).P.Cops[1] != 2 {
				t.Fatalf("seat %d acts and %d cops are left, want the reaction roll and 2", v.ToAct(), open(v).P.Cops[1])
			}
		}
	}
	if share := float64(asked) / n; share < 0.486 || share > 0.514 { // two Molotovs among four cards
		t.Errorf("D12 is asked in %.3f of the deals, want 0.5", share)
	}
}

// R15.1: with two players the other own faction's player knows of the question.
func TestTwoPlayersAndSecretQuestions(t *testing.T) {
	const text = "bloc(scenario=beginner_city,players=2)"
	s := load(t, text, `{"active":"workers","dice":[6],"districts":{"the_park":{"blocs":{"workers":1},"cops":3}},"hands":{"workers":["molotovs_1"]}}`)
	do(t, text, s, "ATTACK_DEFEAT", "CELL_1")
	quiet(t, "D12", s, 1)
	if v := view(s, 0); v.ToAct() != 0 || v.Decision() != 11 {
		t.Errorf("the player asked sees seat %d act, D%d", v.ToAct(), v.Decision()+1)
	}
}

// R13.1 (Ruling 38, R-02): with auto_forced a decision with one answer is asked all the same
// where only the hand tells that there is one, and left out where the number of cards does.
func TestForcedDecisionsTellNothing(t *testing.T) {
	const text = "bloc(scenario=beginner_city,auto_forced=true)"
	const alone = `{"active":"workers","districts":{"the_park":{"blocs":{"workers":1},"cops":1}},"hands":{"workers":[%s]}}`
	const both = `{"active":"workers","districts":{"street_market":{"blocs":{"workers":1,"students":1}}},"hands":{"workers":[%s],"students":[%s]}}`
	const hacker = `{"active":"students","dice":[6],"districts":{"the_park":{"occupation":["students","hacker_space"]}},"loot_deck":{"bikes":2,"lumber":2}}`
	for _, c := range []struct {
		name, position string
		do             []string
		decision       int // asked at the end, 0 for chance
	}{
		{"D2 with a useless card", fmt.Sprintf(alone, `"medic_kit"`), nil, 2},
		{"D2 with an empty hand", fmt.Sprintf(alone, ""), nil, 0},
		{"D17 with two alike", fmt.Sprintf(both, `"bikes","bikes"`, ""), []string{"PLAY_CARD"}, 17},
		{"D17 with one card", fmt.Sprintf(both, `"bikes"`, ""), []string{"PLAY_CARD"}, 5},
		{"D20 with two alike", fmt.Sprintf(both, `"lumber","lumber"`, ""), []string{"TRADE"}, 20},
		{"D20 with one card", fmt.Sprintf(both, `"lumber"`, ""), []string{"TRADE"}, 22},
		{"D20 with none", fmt.Sprintf(both, "", `"lumber"`), []string{"TRADE"}, 21},
		{"D22 with NO alone", fmt.Sprintf(both, "", `"lumber"`), []string{"TRADE", "CARD_BIKES"}, 22},
		{"D23 with two alike", fmt.Sprintf(both, `"bikes"`, `"lumber","lumber"`), []string{"TRADE", "CARD_BIKES", "CARD_ANY", "YES"}, 23},
		{"D23 with one card", fmt.Sprintf(both, `"bikes"`, `"lumber"`), []string{"TRADE", "CARD_BIKES", "CARD_ANY", "YES"}, 2},
		{"D16 with two alike", hacker, []string{"HACKER_SPACE", "LOOT_BIKES", "LOOT_BIKES"}, 16},
	} {
		s := load(t, text, c.position)
		do(t, text, s, c.do...)
		if got := open(s).Decision() + 1; got != c.decision {
			t.Errorf("%s: D%d is asked, want D%d", c.name, got, c.decision)
		}
	}
}

// R13.1: whether a card is drawn by chance depends on the number of cards in the deck, not
// on their kinds, which hands can tell.
func TestDrawsTellNothing(t *testing.T) {
	const text = `{"active":"workers","dice":[6],"districts":{"commercial_3":{"blocs":{"workers":1}}},"hands":{"students":["lumber"]},"loot_deck":{%s}}`
	for deck, chance := range map[string]bool{`"bikes":2`: true, `"bikes":1,"lumber":1`: true, `"bikes":1`: false} {
		s := load(t, coop, fmt.Sprintf(text, deck))
		do(t, coop, s, "LOOT_GRAFFITI", "CELL_12")
		if n := open(s).P.DeckSize; (n > 0) != chance {
			t.Errorf("of the deck {%s} %d cards are left before anything is drawn", deck, n)
		}
	}
}
