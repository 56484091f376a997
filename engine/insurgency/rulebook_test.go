package insurgency_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/insurgency"
	"powderkeg/engine/option"
)

// Most rules are pinned by the scripts under testdata; here are those that need
// more than a position and some moves.
var (
	load   = enginetest.Load[*insurgency.State]
	do     = enginetest.Do[*insurgency.State]
	fields = enginetest.Fields
	expect = enginetest.Expect
)

// refuse demands that a position is refused with an error that cites a rule.
func refuse(t testing.TB, text, position, rule string) {
	t.Helper()
	_, err := enginetest.Game(t, text).Load([]byte(position), engine.Strict)
	if !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), rule) {
		t.Errorf("%s: %s gives the error %v, want one that names %s", text, position, err, rule)
	}
}

// R16.1, R16.2, R1.2, R19.3, Q41: what lies on the table before the first card.
func TestR16_1_StartOfTheGame(t *testing.T) {
	s := load(t, "insurgency", `{}`)
	expect(t, s, map[string]string{
		"phase": `"deal"`, "decision": `"C1"`, "to_deal": `{"federal":9,"rebel":9}`, "rebel_resources": `30`, "federal_resources": `30`,
		"rebel_reserves": `0`, "social_media": `"B"`, "event_deck": `84`, "story_deck": `20`, "vp": `{"federal":21,"rebel":21}`,
	})
	if outcomes := s.Outcomes(nil); len(outcomes) != 84 || engine.Total(outcomes) != 84 {
		t.Errorf("C1: %d outcomes, want the 84 cards with equal weights", len(outcomes))
	}
	do(t, "insurgency", s, "DEAL_36")
	if int(look(s).P.HandSize[insurgency.Rebel]) != 1 || int(look(s).P.HandSize[insurgency.Federal]) != 0 {
		t.Error("Q41: the Rebel's hand is dealt first")
	}
	if s.Shows(insurgency.Federal, 0) || !s.Shows(insurgency.Rebel, 0) {
		t.Error("R19.2: a card is dealt face down")
	}
	expect(t, load(t, "insurgency(scenario=resistance)", `{}`),
		map[string]string{"social_media": `"E"`, "event_deck": `84`, "vp": `{"federal":19,"rebel":19}`})
	expect(t, load(t, "insurgency(scenario=custom,event_tag=none)", `{}`),
		map[string]string{"social_media": `"B"`, "event_deck": `76`, "vp": `{"federal":0,"rebel":0}`})
}

// R19.1, R19.2, R19.4, R19.5 and Q32: everything but the unseen cards of the other hand is
// public.
func TestR19_1_Public(t *testing.T) {
	const text = "insurgency"
	s := load(t, text, `{"rebel_hand":[31,36,62],"federal_hand":[11,15,64],"federal_hand_known":[15],
		"active_stories":{"slot1":1,"slot2":9,"slot3":13},"pool":[2,5,14]}`)
	view := engine.Look(s, insurgency.Rebel).(*insurgency.View)
	want := fields(t, s)
	want["federal_hand"] = []any{15., 0., 0.}
	got := fields(t, view)
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("the Rebel sees %s as %v, want %v", name, got[name], want[name])
		}
	}
	if unseen := view.Unseen(); !unseen.Has(11) || !unseen.Has(64) || unseen.Has(15) || unseen.Has(31) || view.DeckSize() != 78 {
		t.Errorf("R19.3: by subtraction the Rebel knows what deck and hand hold together; deck %d", view.DeckSize())
	}
	if own, legal := s.Legal(nil), view.Legal(nil); s.ToAct() != insurgency.Rebel || !slices.Equal(own, legal) {
		t.Errorf("R19.1: seat %d may do %v, and the Rebel's view allows %v", s.ToAct(), own, legal)
	}
	if legal := engine.Look(s, insurgency.Federal).Legal(nil); len(legal) > 0 {
		t.Errorf("R19.1: the view of the Federal tells what the Rebel may do, and so its hand: %v", legal)
	}
	do(t, text, s, "CARD_36") // R19.5: public before its mode is chosen
	s.See(insurgency.Federal, view)
	if card, mode := view.RunningCard(); card != 36 || mode != insurgency.NoMode {
		t.Errorf("R19.5: the Federal sees card %d in mode %d", card, mode)
	}
	if !s.Shows(insurgency.Federal, insurgency.ActMode) {
		t.Error("R19.4: moves are made in the open")
	}
}

// R19.2: what was seen is forgotten when the card is played, and goes on otherwise.
func TestR19_2_KnownCards(t *testing.T) {
	const text = "insurgency"
	s := load(t, text, `{"rebel_hand":[36,62],"rebel_hand_known":[36,62],"federal_hand":[11,64]}`)
	do(t, text, s, "CARD_36", "MODE_event", "SPACE_texas")
	expect(t, s, map[string]string{"rebel_hand_known": `[62]`})
}

// R21.1, R21.2, R21.4, R17.1-R17.3: the vocabulary, forced choices and bounds. R21.3, the
// observation, is tested beside its encoder.
func TestR21_1_Spec(t *testing.T) {
	spec := enginetest.Game(t, "insurgency").Spec()
	if len(spec.Actions) != 230 || spec.MaxDecisions != 40000 || spec.MinReturn != -1 || spec.MaxReturn != 1 {
		t.Errorf("R21.1, R17.3, R21.4: %d actions, %d decisions, returns %g to %g", len(spec.Actions), spec.MaxDecisions, spec.MinReturn, spec.MaxReturn)
	}
	s := load(t, "insurgency(voluntary_removal=false)", `{"rebel_hand":[69],"federal_hand":[64]}`)
	if got := engine.Moves(s); len(got) != 1 || look(s).Decision() != 1 {
		t.Errorf("R21.2: the only card is asked for, not %v in D%d", got, look(s).Decision())
	}
	do(t, "insurgency(voluntary_removal=false)", s, "CARD_69", "MODE_event")
	if look(s).Decision() != 1 || s.ToAct() != insurgency.Federal {
		t.Errorf("R21.2: D%d of seat %d", look(s).Decision(), s.ToAct())
	}
}

// R17.1, R17.2: games that go the distance take four or five rounds.
func TestR17_2_Rounds(t *testing.T) {
	for _, text := range []string{"insurgency", "insurgency(scenario=custom,mode=random,event_tag=none)"} {
		g, rng := enginetest.Game(t, text), rand.NewPCG(17, 17)
		for range 20 {
			s := g.New().(*insurgency.State)
			for s.ToAct() != engine.Terminal {
				step(t, s, rng)
			}
			if _, by, _ := look(s).Winner(); by == "endurance" && (int(look(s).P.Round) < 4 || int(look(s).P.Round) > 5) {
				t.Errorf("%s: an endurance game of %d rounds", text, int(look(s).P.Round))
			}
		}
	}
}

// R3.5, Q29: the option takes voluntary removal away.
func TestR3_5_OptionSwitchesRemovalOff(t *testing.T) {
	for text, want := range map[string]bool{"insurgency": true, "insurgency(voluntary_removal=false)": false} {
		s := load(t, text, `{"rebel_hand":[69],"federal_hand":[64]}`)
		if got := slices.Contains(s.Legal(nil), insurgency.ActRemove); got != want {
			t.Errorf("%s: removal is offered: %v, want %v", text, got, want)
		}
	}
}

// Q35: Surge, Secure, Enrage and events leave Unrest where it is.
func TestQ35_UnrestStays(t *testing.T) {
	const text = "insurgency(auto_forced=false)"
	s := load(t, text, `{"rebel_hand":[72,62],"federal_hand":[64],"space":{"east_coast":{"sleepers":4,"unrest":2}}}`)
	do(t, text, s, "CARD_72", "MODE_ops", "OP_surge", "SPACE_east_coast")
	if int(look(s).P.Spaces[22].Unrest) != 2 || int(look(s).P.Spaces[22].Status) != insurgency.Anger {
		t.Errorf("after a Surge: Unrest %d, status %d", int(look(s).P.Spaces[22].Unrest), int(look(s).P.Spaces[22].Status))
	}
	s = load(t, text, `{"rebel_hand":[87,62],"federal_hand":[64],"space":{"midwest":{"unrest":3}}}`)
	do(t, text, s, "CARD_87", "MODE_event", "SPACE_midwest", "DONE")
	if int(look(s).P.Spaces[24].Unrest) != 3 || int(look(s).P.Spaces[24].Status) != insurgency.Anger {
		t.Errorf("after an event: Unrest %d, status %d", int(look(s).P.Spaces[24].Unrest), int(look(s).P.Spaces[24].Status))
	}
}

// Q42: the side that gets an event on the other's turn lifts too.
func TestQ42_LiftingOnTheOthersTurn(t *testing.T) {
	const text = "insurgency(auto_forced=false)"
	s := load(t, text, `{"to_play":"rebel","rebel_hand":[11,62],"federal_hand":[64],"space":{"midwest":{"agents":20}}}`)
	do(t, text, s, "CARD_11", "MODE_event_then_ops", "SPACE_plains")
	if s.ToAct() != insurgency.Federal || look(s).Decision() != 8 || look(s).Focus() != 28 {
		t.Errorf("D%d of seat %d about space %d, want D8 of the Federal about the Plains", look(s).Decision(), s.ToAct(), look(s).Focus())
	}
	do(t, text, s, "SPACE_midwest", "SPACE_big_sky", "DONE", "DONE")
	if int(look(s).P.Spaces[28].Agents) != 1 || int(look(s).P.Spaces[24].Agents) != 19 || int(look(s).P.Spaces[29].Agents) != 0 {
		t.Errorf("agents: Plains %d, Midwest %d, Big Sky %d", int(look(s).P.Spaces[28].Agents), int(look(s).P.Spaces[24].Agents),
			int(look(s).P.Spaces[29].Agents))
	}
}

// R16.3 and Q36: a preset set-up is checked and refused with the rule's number (Q49, R-11).
func TestR16_3_Preset(t *testing.T) {
	const text = "insurgency(scenario=custom,mode=preset)"
	s := load(t, text, `{}`)
	expect(t, s, map[string]string{"decision": `"C2"`, "testing": `"chicago_suburb"`, "vp": `{"federal":20,"rebel":20}`})
	do(t, text, s, "D6_6", "D6_1")
	if int(look(s).P.Spaces[16].Status) != insurgency.Defiance || int(look(s).P.Spaces[24].Status) != insurgency.Anger {
		t.Errorf("Chicago suburb has status %d, Midwest %d: tested in the order of the map", int(look(s).P.Spaces[16].Status),
			int(look(s).P.Spaces[24].Status))
	}
	for what, position := range map[string]string{
		"population 16":      `{"space":{"east_coast":{"status":"unmarked","agents":0},"washington_suburb":{"agents":4}}}`,
		"21 points":          `{"space":{"miami_city":{"federal_bases":1}}}`,
		"13 agents":          `{"space":{"new_york_city":{"agents":2}}}`,
		"agents in Revolt":   `{"space":{"new_york_city":{"agents":0},"dallas_city":{"agents":1}}}`,
		"militia in Order":   `{"space":{"texas":{"sleepers":1},"new_york_city":{"sleepers":1}}}`,
		"Anger":              `{"space":{"miami_city":{"status":"anger"}}}`,
		"a base in Canada":   `{"space":{"chicago_suburb":{"federal_bases":0,"agents":0},"east_coast":{"agents":5},"canada":{"status":"order","federal_bases":1}}}`,
		"active militia":     `{"space":{"texas":{"sleepers":1,"active":1}}}`,
		"Unrest":             `{"space":{"texas":{"unrest":1}}}`,
		"Unrest in unmarked": `{"space":{"mesa":{"unrest":1}}}`,
	} {
		t.Run(what, func(t *testing.T) { refuse(t, text, position, "R16.3") })
	}
	refuse(t, text, `{"space":{"mesa":{"federal_bases":2,"rebel_bases":1}}}`, "R1.6")
	refuse(t, text, `{"phase":"set_up_spaces"}`, "R16.3")
}

// R16.4, D41-D43 and Q28: the sides build by turns until each has what it must have.
func TestR16_4_AlternatingSetUp(t *testing.T) {
	const text = "insurgency(scenario=custom,auto_forced=false)"
	g, rng := enginetest.Game(t, text), rand.NewPCG(4, 16)
	for range 10 {
		s := g.New().(*insurgency.State)
		last := map[int]engine.Player{}
		for s.ToAct() != engine.Chance {
			d := look(s).Decision()
			if who, ok := last[d]; !ok && d != 42 && s.ToAct() != insurgency.Federal { // it may owe no base
				t.Fatalf("D%d begins with seat %d, want the Federal", d, who)
			}
			last[d] = s.ToAct()
			step(t, s, rng)
		}
		units, points := 0, 0
		for p := range engine.Player(2) {
			points += look(s).VictoryPoints(p)
		}
		for _, at := range look(s).P.Spaces {
			units += int(at.Agents + at.Sleepers + at.Active)
		}
		if units != 24 || points != 40 {
			t.Errorf("%d units, %d points after decisions %v; want 24 and 40", units, points, last)
		}
		data, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Load(data, engine.Strict); err != nil {
			t.Errorf("R16.3: the set-up breaks the limits: %v", err)
		}
	}
}

// R16.4: in a random set-up chance makes the same choices.
func TestR16_4_RandomSetUp(t *testing.T) {
	const random, built = "insurgency(scenario=custom,mode=random)", "insurgency(scenario=custom,auto_forced=false)"
	a, b := enginetest.Game(t, random).New().(*insurgency.State), enginetest.Game(t, built).New().(*insurgency.State)
	rng := rand.NewPCG(1, 16)
	for b.ToAct() != engine.Chance {
		outcomes, legal := a.Outcomes(nil), b.Legal(nil)
		if len(outcomes) != len(legal) || int(engine.Total(outcomes)) != len(legal) {
			t.Fatalf("chance has %d outcomes, the players %d choices", len(outcomes), len(legal))
		}
		i := engine.Uint32N(rng, uint32(len(legal)))
		if err := a.Apply(outcomes[i].Action); err != nil {
			t.Fatal(err)
		}
		if err := b.Apply(legal[i]); err != nil {
			t.Fatal(err)
		}
	}
	x, y := fields(t, a), fields(t, b)
	if !reflect.DeepEqual(x["space"], y["space"]) {
		t.Error("the two set-ups differ")
	}
}

// Options that contradict each other are refused.
func TestOptions(t *testing.T) {
	for _, text := range []string{"insurgency(mode=preset)", "insurgency(scenario=resistance,event_tag=none)", "insurgency(scenario=rebels)"} {
		if _, err := games.New(text); !errors.Is(err, option.ErrUsage) {
			t.Errorf("%s: error %v, want one of usage", text, err)
		}
	}
	expect(t, load(t, "insurgency(social_media=F)", `{}`), map[string]string{"social_media": `"F"`, "edge": `"federal"`})
}

// Bad positions are refused with the rule that they break.
func TestBadPositions(t *testing.T) {
	for position, rule := range map[string]string{
		`{"space":{"texas":{"agents":20},"south":{"agents":20}}}`:                          "R1.1",
		`{"space":{"texas":{"federal_bases":2,"rebel_bases":2}}}`:                          "R1.6",
		`{"rebel_hand":[36],"federal_hand":[36]}`:                                          "R1.2",
		`{"rebel_hand":[36,36],"federal_hand":[1]}`:                                        "R1.2",
		`{"rebel_hand":[25],"federal_hand":[1]}`:                                           "R1.2",
		`{"removed_events":[]}`:                                                            "R8.8",
		`{"rebel_hand":[93],"federal_hand":[1]}`:                                           "it must be 1 to 92",
		`{"rebel_resources":31}`:                                                           "it must be 0 to 30",
		`{"rebel_hand":[1,2,3,4,5,6,7,8,9,10],"federal_hand":[11]}`:                        "R15",
		`{"space":{"texas":{"agents":31}}}`:                                                "it must be 0 to 30",
		`{"space":{"texas":{"unrest":4}}}`:                                                 "it must be 0 to 3",
		`{"pool":[21]}`:                                                                    "it must be 1 to 20",
		`{"space":{"gotham":{"agents":1}}}`:                                                "unknown field \"space.gotham\"",
		`{"momentum":[{"key":"leader","owner":"rebel"},{"key":"leader","owner":"rebel"}]}`: "R8.7",
		`{"round":5}`: "R17.2",
	} {
		refuse(t, "insurgency", position, rule)
	}
	for _, phase := range []string{"deal", "stories", "action", "administration"} {
		refuse(t, "insurgency(scenario=custom)", fmt.Sprintf(`{"phase":%q}`, phase), "R5.2") // its board is empty at first
	}
}

// TestPlaythroughs pins whole games: every move with what else was possible, and now
// and then the text that the seat to act reads.
func TestPlaythroughs(t *testing.T) {
	for name, text := range map[string]string{
		"patriot": "insurgency", "resistance": "insurgency(scenario=resistance)", "custom": "insurgency(scenario=custom,mode=random,event_tag=none)",
	} {
		enginetest.Golden(t, "testdata/playthroughs/"+name+".txt", playthrough(t, enginetest.Game(t, text)))
	}
}

// playthrough plays one random game and writes it down.
func playthrough(t *testing.T, g engine.Game) string {
	t.Helper()
	s, rng := g.New(), rand.NewPCG(1, 2)
	var b strings.Builder
	fmt.Fprintf(&b, "game %s, rules version %d\n", g.Spec().Text, g.Spec().Version)
	for ply := 1; s.ToAct() != engine.Terminal; ply++ {
		moves := engine.Moves(s)
		if seat := s.ToAct(); seat >= 0 && ply%60 == 0 {
			view := engine.Look(s, seat).(*insurgency.View)
			b.WriteString("\n" + view.Text(seat))
			for _, a := range moves {
				fmt.Fprintf(&b, "  %s: %s\n", engine.MoveName(g, s, a), view.Describe(a))
			}
		}
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		fmt.Fprintf(&b, "%d %016x seat %d: %s of %d\n", ply, s.Hash(), s.ToAct(), engine.MoveName(g, s, a), len(moves))
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(&b, "end, hash %016x, returns %v\n%s\n", s.Hash(), s.Returns(nil), encode(t, fields(t, s)))
	return b.String()
}

func TestReadme(t *testing.T) {
	enginetest.Readme(t, enginetest.Game(t, "insurgency"))
	readme, err := os.ReadFile("README.md")
	if size := fmt.Sprintf("plain value of %d bytes", reflect.TypeOf(insurgency.PlainPosition).Size()); err != nil ||
		!strings.Contains(string(readme), size) {
		t.Errorf("README.md does not say that a position is a %s (%v)", size, err)
	}
}
