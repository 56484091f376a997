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

// R7.2, R11.4, R11.4.1, R12.3.1 and R-15: positions in the middle of a Move whose groups could not have been
// chosen are refused.
func TestBadMoves(t *testing.T) {
	const text = "insurgency"
	position := func(operation string) string {
		return `{"to_play":"rebel","rebel_hand":[62],"federal_hand":[64],"rebel_resources":1,"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],
			"card":{"number":60,"mode":"ops","part":1},"operation":{"kind":"move","ops":3,` + operation + `}}`
	}
	group := func(from, to string, units, active int) string {
		return fmt.Sprintf(`{"from":%q,"to":%q,"units":%d,"active":%d}`, from, to, units, active)
	}
	for what, c := range map[string]struct{ operation, rule string }{
		"more sleepers than there are": {`"groups":[` + group("texas", "south", 3, 0) + `]`, "R11.4.5"},
		"together more than there are": {`"groups":[` + group("texas", "south", 2, 0) + "," + group("texas", "plains", 1, 0) + `]`, "R7.2"},
		"falling origins":              {`"groups":[` + group("south", "texas", 1, 0) + "," + group("texas", "south", 1, 0) + `]`, "R7.2"},
		"nobody":                       {`"groups":[` + group("texas", "south", 0, 0) + `]`, "R11.4.5"},
		"two Mountains for $1":         {`"groups":[` + group("texas", "big_sky", 1, 0) + "," + group("south", "big_sky", 1, 0) + `]`, "R7.2"},
		"four groups":                  {`"groups":[` + strings.Repeat(group("texas", "south", 1, 0)+",", 3) + group("texas", "south", 1, 0) + `]`, "at most 3"},
		"moved, and not there":         {`"stage":"moving","moved":1,"groups":[` + group("texas", "mesa", 1, 0) + `]`, "operation"},
		"moved more than chosen":       {`"stage":"moving","moved":2,"groups":[` + group("texas", "south", 1, 0) + `]`, "operation"},
		"moving without a group":       {`"stage":"moving"`, "operation"},
		"moved while choosing":         {`"moved":1,"groups":[` + group("texas", "south", 1, 0) + `]`, "operation"},
	} {
		_, err := enginetest.Game(t, text).Load([]byte(position(c.operation)), engine.Lenient)
		if !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), c.rule) {
			t.Errorf("%s: the error is %v, want one that names %s", what, err, c.rule)
		}
	}
	falling := position(`"stage":"moving","moved":1,"groups":[` + group("south", "texas", 1, 0) + "," + group("texas", "south", 1, 0) + `]`)
	if _, err := enginetest.Game(t, text).Load([]byte(falling), engine.Lenient); err == nil {
		t.Error("groups that fall are accepted while they move")
	}
}

// R3.5, R7.1, R8.2, R13.3.5: positions in the middle of a card whose mode or operation could not have
// been chosen are refused, and so are those that come to a question without an answer, asked
// or not.
func TestR7_1_ImpossibleChoices(t *testing.T) {
	const table = `{"to_play":"rebel","rebel_hand":[62],"federal_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],"rebel_reserves":1,`
	const blackout = `"momentum":[{"key":"blackout","owner":"rebel"}],`
	const quiet = `"space":{"chicago_city":{"status":"order"},"chicago_suburb":{"status":"order"},"midwest":{"status":"order"}},`
	for what, c := range map[string]struct{ rest, rule string }{
		"a burn, and the right is not used": {`"card":{"number":22,"mode":"burn","operation":"social_media","part":1}}`, "R13.3.5"},
		"a burn after the first use":        {`"rebel_used_social_media":true,"card":{"number":22,"mode":"burn"}}`, "R13.3.5"},
		"a burn in a blackout":              {blackout + `"card":{"number":22,"mode":"burn"}}`, "R13.3.5"},
		"Social Media before the first use": {`"card":{"number":22,"mode":"ops_then_event","operation":"social_media","part":1}}`, "R7.1"},
		"a hack in a blackout":              {blackout + `"card":{"number":60,"mode":"ops","operation":"hack","part":1}}`, "R7.1"},
		"a Surge with too few Ops":          {`"card":{"number":42,"mode":"ops","operation":"surge","part":1},"space":{"new_york_city":{"sleepers":9}}}`, "R7.1"},
		"a Recruit without money":           {`"rebel_resources":0,"card":{"number":60,"mode":"ops","operation":"recruit","part":1}}`, "R7.1"},
		"the operation of the other side":   {`"card":{"number":60,"mode":"ops","operation":"tax","part":1}}`, "R7.1"},
		"a removal beside a card":           {`"card":{"number":60,"mode":"ops","part":1},"removal":{"asking":true}}`, "R3.5"},
		"a place of it beside a card":       {`"card":{"number":60,"mode":"ops","part":1},"removal":{"from":"texas"}}`, "R3.5"},
		"the last of it beside a card":      {`"card":{"number":60,"mode":"ops","part":1},"removal":{"last_space":"texas"}}`, "R3.5"},
		"a piece of it beside a card":       {`"card":{"number":60,"mode":"ops","part":1},"removal":{"last_piece":"sleeper"}}`, "R3.5"},
		"a removal before no card":          {`"cards_left_in_pair":0,"removal":{"asking":true}}`, "R3.5"},
		"a removal after the pair is over":  {`"cards_left_in_pair":0,"removal":{"last_space":"texas","last_piece":"sleeper"}}`, "R3.5"},
		"nothing to enrage":                 {quiet + `"card":{"number":60,"mode":"ops","part":1},"operation":{"kind":"social_media","ops":3,"stage":"social_enrage"}}`, "D30"},
	} {
		for _, text := range []string{"insurgency", "insurgency(auto_forced=false)"} {
			_, err := enginetest.Game(t, text).Load([]byte(table+c.rest), engine.Lenient)
			if !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), c.rule) {
				t.Errorf("%s: %s: the error is %v, want one that names %s", text, what, err, c.rule)
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
// one event of the card in play, and one Plague marker on the map. The Plague of no space, in
// a position that has selected none, is skipped (R14.1).
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
		"no plague": {`"rebel_hand":[62],"card":{"number":66,"mode":"event","part":1},"event":{"instruction":1}}`, `[]`, nil},
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
// it is; in a position the slot, counted from 0, stands where the number does.
func TestR14_1_OneStoryReplaces(t *testing.T) {
	s := load(t, "insurgency", `{"to_play":"federal","federal_hand":[75],"rebel_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10]}`)
	do(t, "insurgency", s, "CARD_75", "MODE_event", "STORY_3")
	data, err := s.MarshalJSON()
	if err != nil || !strings.Contains(string(data), `"news":{"do":"replace_active","by":"federal","stage":2,"left":2,"optional":false}`) {
		t.Fatalf("%v: the position is %s", err, data)
	}
	if text := look(s).Text(insurgency.Federal); !strings.Contains(text, "Stories to come: 1\n") {
		t.Errorf("no story is to come in\n%s", text)
	}
}

// R10.2, R10.4 and R17.3: positions in the middle of an operation whose selections could not
// have been made are refused.
func TestR10_2_BadSelections(t *testing.T) {
	const start = `{"to_play":"rebel","rebel_hand":[62],"federal_hand":[64],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],"rebel_reserves":1,
		"card":{"number":60,"mode":"ops","part":1},"operation":{"kind":"recruit","ops":3,`
	for what, c := range map[string]struct{ rest, words string }{
		"more than there can be":    {`"stage":"net_rolling","type":"region","selections":["texas","texas","texas","south","south"],"rolled":5,"rolls_left":4`, "R17.3"},
		"more are rolled than made": {`"stage":"net_rolling","type":"region","selections":["texas"],"rolled":2,"rolls_left":1`, "R17.3"},
		"of another type":           {`"stage":"net_rolling","type":"city","selections":["texas"],"rolled":1,"rolls_left":1`, "R10.2"},
		"before the type":           {`"stage":"begin","selections":["texas"],"rolled":1,"rolls_left":1`, "before the type is chosen (R10.2)"},
		"a roll after the choices":  {`"stage":"net_choosing","type":"region","selections":["texas"],"rolled":1,"rolls_left":1,"choices_left":1`, "R10.4"},
	} {
		_, err := enginetest.Game(t, "insurgency").Load([]byte(start+c.rest+"}}"), engine.Lenient)
		if !errors.Is(err, engine.ErrPosition) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: the error is %v, want one that names %s", what, err, c.words)
		}
	}
}
