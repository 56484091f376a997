package insurgency_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// R12.2.2, R12.2.3 and R-14: what a Deploy has chosen counts, also if a piece is then not
// lifted from elsewhere.
func TestR12_2_DeclinedPiecesCount(t *testing.T) {
	const text = "insurgency(auto_forced=false)"
	const stories = `"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],"social_media":"E"`
	s := load(t, text, `{"to_play":"federal","federal_hand":[61,62],"rebel_hand":[64],`+stories+`,"space":{"midwest":{"agents":20}}}`)
	do(t, text, s, "CARD_61", "MODE_ops", "OP_deploy", "SPACE_miami_suburb", "SPACE_east_coast", "DONE", "AMOUNT_2", "DONE", "DONE")
	if d := look(s).Decision(); d == 17 || int(look(s).P.Spaces[15].Agents) != 0 {
		t.Errorf("D%d: two agents were chosen and declined, so none is left of two Ops", d)
	}
	s = load(t, text, `{"to_play":"federal","federal_hand":[61,62],"rebel_hand":[64],`+stories+`,
		"space":{"washington_suburb":{"agents":2,"federal_bases":1},"los_angeles_city":{"federal_bases":2},"new_york_city":{"federal_bases":2},"seattle_city":{"federal_bases":2}}}`)
	do(t, text, s, "CARD_61", "MODE_ops", "OP_deploy", "SPACE_washington_suburb", "SPACE_midwest", "DONE", "AMOUNT_0", "AMOUNT_0", "YES")
	if look(s).Decision() != 22 {
		t.Fatalf("D%d, want D22: all nine bases are on the map", look(s).Decision())
	}
	do(t, text, s, "DONE")
	if look(s).Decision() != 1 {
		t.Errorf("D%d: the one base was chosen and declined", look(s).Decision())
	}
}

// R16.4 and Q49: units are placed in spaces of the own status or with an own base.
func TestQ49_OwnBases(t *testing.T) {
	const text = "insurgency(scenario=custom)"
	board := fields(t, load(t, "insurgency(scenario=custom,mode=preset)", `{}`))["space"].(map[string]any)
	want := map[string][]string{}
	for id, row := range board {
		s := row.(map[string]any)
		s["agents"], s["sleepers"] = 0, 0
		if s["status"] == "order" || s["federal_bases"] != 0. {
			want["federal"] = append(want["federal"], "SPACE_"+id)
		}
		if s["status"] == "revolt" || s["rebel_bases"] != 0. {
			want["rebel"] = append(want["rebel"], "SPACE_"+id)
		}
	}
	for seat, side := range []string{"rebel", "federal"} {
		position := fmt.Sprintf(`{"phase":"set_up_units","to_play":%q,"space":%s}`, side, encode(t, board))
		s := load(t, text, position)
		got := legalNames(enginetest.Game(t, text), s)
		slices.Sort(got)
		slices.Sort(want[side])
		if int(s.ToAct()) != seat || look(s).Decision() != 43 || !slices.Equal(got, want[side]) {
			t.Errorf("D%d offers the %s %v, want %v", look(s).Decision(), side, got, want[side])
		}
	}
}

// R3.5, R7.1, R7.2, R8.2, R10.2, R11.4, R11.4.1, R13.3.5: what cannot be chosen is not offered.
func TestR7_1_ImpossibleChoices(t *testing.T) {
	const table = `{"to_play":"rebel","rebel_hand":[22,42,60,62],"federal_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10]`
	const blackout = `,"momentum":[{"key":"blackout","owner":"rebel"}]`
	const quiet = `,"space":{"chicago_city":{"status":"order"},"chicago_suburb":{"status":"order"},"midwest":{"status":"order"}}`
	burn, ops, move := []string{"CARD_22"}, []string{"CARD_60", "MODE_ops"}, []string{"CARD_60", "MODE_ops", "OP_move"}
	for what, c := range map[string]struct {
		position string
		moves    []string
		refused  string
	}{
		"a burn after the first use":        {`,"rebel_used_social_media":true`, burn, "MODE_burn"},
		"a burn in a blackout":              {blackout, burn, "MODE_burn"},
		"Social Media before the first use": {``, append(burn, "MODE_ops_then_event"), "OP_social_media"},
		"a hack in a blackout":              {blackout, ops, "OP_hack"},
		"a Surge with too few Ops":          {`,"rebel_reserves":1,"space":{"new_york_city":{"sleepers":9}}`, []string{"CARD_42", "MODE_ops"}, "OP_surge"},
		"a Recruit without money":           {`,"rebel_resources":0`, ops, "OP_recruit"},
		"the operation of the other side":   {``, ops, "OP_tax"},
		"a removal beside a card":           {``, burn, "VERB_remove_own_piece"},
		"nothing to enrage":                 {quiet, append(ops, "OP_social_media", "DONE"), "ATTACK_enrage"},
		"a space of another type":           {``, append(ops, "OP_recruit", "TYPE_city", "D20_1", "D20_1"), "SPACE_texas"},
		"more sleepers than there are":      {``, append(move, "SPACE_texas", "SPACE_south"), "AMOUNT_3"},
		"together more than there are":      {``, append(move, "SPACE_texas", "SPACE_south", "AMOUNT_2"), "SPACE_texas"},
		"falling origins":                   {`,"space":{"south":{"sleepers":2}}`, append(move, "SPACE_south", "SPACE_texas", "AMOUNT_1"), "SPACE_texas"},
		"a group of nobody":                 {``, append(move, "SPACE_texas", "SPACE_south"), "AMOUNT_0"},
		"two Mountains for $1": {`,"rebel_resources":1`, append(move, "SPACE_texas", "SPACE_big_sky", "AMOUNT_1", "SPACE_south"),
			"SPACE_big_sky"},
	} {
		for _, text := range []string{"insurgency", "insurgency(auto_forced=false)"} {
			s := load(t, text, table+c.position+"}")
			do(t, text, s, c.moves...)
			if got := legalNames(enginetest.Game(t, text), s); len(got) == 0 || slices.Contains(got, c.refused) {
				t.Errorf("%s: %s: D%d offers %v", text, what, look(s).Decision(), got)
			}
			if _, err := enginetest.Game(t, text).Load([]byte(table+c.position+fmt.Sprintf(`,"decision":"D%d"}`, look(s).Decision())),
				engine.Lenient); !errors.Is(err, engine.ErrPosition) {
				t.Errorf("%s: %s: a position that names D%d where it waits for D1 is read: %v", text, what, look(s).Decision(), err)
			}
		}
	}
}

// R7.2: the arrests and the cost of a group are known when it is chosen, and the units that
// it takes are in no other.
func TestR11_4_UnitsChosenStayPut(t *testing.T) {
	const text = "insurgency(auto_forced=false)"
	s := load(t, text, `{"to_play":"rebel","rebel_hand":[62,60],"federal_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],
		"space":{"texas":{"sleepers":3,"active":1}}}`)
	do(t, text, s, "CARD_60", "MODE_ops", "OP_move", "SPACE_texas", "SPACE_south", "AMOUNT_2", "AMOUNT_1")
	if at := &look(s).P.Spaces; at[idOf(t, s, "texas")].Sleepers != 3 || at[idOf(t, s, "south")].Sleepers != 2 || look(s).P.Op.Move.NumGroups != 1 {
		t.Error("a group has moved before the last was chosen")
	}
	do(t, text, s, "SPACE_texas", "SPACE_plains")
	if got := legalNames(enginetest.Game(t, text), s); !slices.Equal(got, []string{"AMOUNT_1"}) {
		t.Errorf("of Texas %v may still go, want one sleeper", got)
	}
}

func idOf(t *testing.T, s *insurgency.State, id string) int {
	t.Helper()
	for i := range insurgency.Spaces {
		if look(s).Space(i).ID == id {
			return i
		}
	}
	t.Fatalf("no space %s", id)
	return -1
}

// R8.7: a card that comes again while its event is in play, as a position may have it, leaves
// one event of the card in play, and one Plague marker on the map.
func TestR8_7_OneEventOfACard(t *testing.T) {
	const text = "insurgency"
	const table = `{"to_play":"rebel","federal_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],`
	for what, c := range map[string]struct {
		rest, momentum string
		moves          []string
	}{
		"plague": {
			`"rebel_hand":[66,62],"momentum":[{"key":"plague","owner":"federal","space":"miami_suburb"}]}`,
			`[{"key":"plague","owner":"rebel","space":"south"}]`, []string{"CARD_66", "MODE_event", "SPACE_south", "D6_1"},
		},
		"broadband": {
			`"rebel_hand":[92,62],"momentum":[{"key":"broadband_plus","owner":"federal"}]}`,
			`[{"key":"broadband_minus","owner":"rebel","space":null}]`, []string{"CARD_92", "MODE_event", "OPTION_2"},
		},
	} {
		s := load(t, text, table+c.rest)
		do(t, text, s, c.moves...)
		expect(t, s, map[string]string{"momentum": c.momentum})
		if again, err := enginetest.Game(t, text).Load(encode(t, fields(t, s)), engine.Lenient); err != nil || again.Hash() != s.Hash() {
			t.Errorf("%s: the position cannot be read again: %v", what, err)
		}
	}
}

// R14.1 (Retraction): one story is to come while the slot that it goes to is empty, whichever
// it is.
func TestR14_1_OneStoryReplaces(t *testing.T) {
	s := load(t, "insurgency", `{"to_play":"federal","federal_hand":[75],"rebel_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10]}`)
	do(t, "insurgency", s, "CARD_75", "MODE_event", "STORY_3")
	data, err := s.MarshalJSON()
	if err != nil || !strings.Contains(string(data), `"news":{"do":"replace_active","by":"federal","stage":2,"left":1,"optional":false}`) {
		t.Fatalf("%v: the position is %s", err, data)
	}
	if text := look(s).Text(insurgency.Federal); !strings.Contains(text, "Stories to come: 1\n") {
		t.Errorf("no story is to come in\n%s", text)
	}
}
