package insurgency_test

import (
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/flow"
	"powderkeg/engine/insurgency"
)

// The proof beside Rests says how many answers lie between two positions at rest. Each moment
// of random games comes back as it was.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	enginetest.WalkTrails(t, enginetest.Trails{
		Games: 1, Every: 2, How: engine.Strict, Least: 15, Most: 423, Middles: 1000,
		Settings: append([]string{"insurgency(deploy=each,auto_forced=false)"}, settings...),
	})
}

// R3.5, R12.2, R3.4: pieces are taken off before a card as long as there are some, and a Deploy
// in every space that can be paid lifts each of its agents and bases. Each moment comes back.
func TestTheLongestCardLeadsBack(t *testing.T) {
	g := enginetest.Game(t, "insurgency(deploy=each,auto_forced=false)")
	facts, err := insurgency.Map()
	if err != nil {
		t.Fatal(err)
	}
	var spaces []string
	for i := range 26 { // with the agents of one space and the bases of nine all are on the map
		bases := 0
		if i < 9 {
			bases = 1
		}
		spaces = append(spaces, fmt.Sprintf(`%q:{"status":"order","agents":%d,"sleepers":0,"rebel_bases":0,"federal_bases":%d}`, facts[i].ID, 1, bases))
	}
	spaces = append(spaces, fmt.Sprintf(`%q:{"status":"revolt","sleepers":3,"agents":4,"federal_bases":0}`, facts[26].ID))
	for i := 27; i < insurgency.USSpaces; i++ {
		spaces = append(spaces, fmt.Sprintf(`%q:{"status":"unmarked","agents":0,"sleepers":0,"federal_bases":0,"rebel_bases":0}`, facts[i].ID))
	}
	s, err := g.Load([]byte(`{"to_play":"federal","federal_hand":[3,1],"rebel_hand":[64],"federal_resources":30,
		"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10],"space":{`+strings.Join(spaces, ",")+`}}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	play := func(names ...string) {
		t.Helper()
		do(t, g.Spec().Text, s.(*insurgency.State), names...)
		enginetest.LeadsBack(t, g, s, engine.Lenient)
	}
	play("VERB_remove_own_piece")
	play("SPACE_" + facts[26].ID)
	longest := len(enginetest.Since(t, s))
	for moves := []string{"CARD_3", "MODE_ops", "OP_deploy"}; len(enginetest.Since(t, s)) > 0; {
		longest = len(enginetest.Since(t, s))
		move := engine.MoveName(g, s, s.Legal(nil)[0])
		switch d := look(s).Decision(); {
		case len(moves) > 0:
			move, moves = moves[0], moves[1:]
		case d == insurgency.AskAgents:
			move = "AMOUNT_3"
		}
		play(move)
	}
	if longest < 100 || longest > 423 {
		t.Errorf("the card has %d answers", longest)
	}
	t.Logf("the card has %d answers", longest)
}

// R19.2: the position before holds both hands, and it and the answers since are in no view. A
// state that was dealt anew refuses to be written until it rests.
func TestTrailsReachNoSeat(t *testing.T) {
	const text = "insurgency"
	g := enginetest.Game(t, text)
	world := func(hand string) engine.State {
		return load(t, text, `{"rest":{"to_play":"federal","federal_hand":[16,11],"rebel_hand":[`+hand+`],
			"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10]},"since":["CARD_11"]}`)
	}
	dealt := enginetest.TrailReachesNoSeat(t, g, insurgency.Federal, world("64,62"), world("64,65"), "62").(*insurgency.State)
	do(t, text, dealt, "MODE_event", "SPACE_texas", "DONE")
	enginetest.LeadsBack(t, g, dealt, engine.Lenient)
	do(t, text, dealt, "CARD_16")
	if got := enginetest.Since(t, dealt); len(got) != 1 || got[0] != "CARD_16" {
		t.Errorf("since is %v behind a new deal that has rested", got)
	}
	enginetest.LeadsBack(t, g, dealt, engine.Lenient)
}

// What stands in the middle is written as rest and since: a document that writes it by hand is
// refused with the line that says so, and what stands beside rest and since must agree.
func TestMiddlesAreWrittenAsTheirAnswers(t *testing.T) {
	const table = `"to_play":"rebel","rebel_hand":[60,62,31,36,69,72,87,40,47],"federal_hand":[64,11,15,61,1,3,5,7,9],"active_stories":{"slot1":1,"slot2":2,"slot3":3},"pool":[14,5,10]`
	const rest = `"rest":{` + table + `},"since":["CARD_60","MODE_ops","OP_move","SPACE_texas"]`
	g := enginetest.Game(t, "insurgency")
	enginetest.BadPositions(t, g, map[string]string{
		`{` + table + `,"card":{"number":61,"mode":"ops","part":1},"operation":{"kind":"move","ops":2}}`: flow.Under,
		`{` + table + `,"card":{"number":61}}`:                                    flow.Under,
		`{` + table + `,"event":{"instruction":1}}`:                               flow.Under,
		`{` + table + `,"operation":{"picks":["texas"]}}`:                         flow.Under,
		`{` + table + `,"news":{"do":"cycle"}}`:                                   flow.Under,
		`{` + table + `,"placing":{"space":"texas"}}`:                             flow.Under,
		`{` + table + `,"testing":"texas"}`:                                       flow.Under,
		`{` + table + `,"story_drawn":9}`:                                         flow.Under,
		`{` + table + `,"removal":{"asking":true}}`:                               flow.Under,
		`{` + table + `,"removal":{"last_space":"texas","last_piece":"sleeper"}}`: flow.Under,
		`{"phase":"administration","step":"A7","news":{"do":"cycle","stage":1}}`:  flow.Under,
		`{` + rest + `,"card":{"number":61}}`:                                     `card is map[number:61], but it follows from rest and since that it is map[mode:ops`,
		`{` + rest + `,"card":null}`:                                              `card is <nil>, but it follows from rest and since`,
		`{` + rest + `,"event":{"instruction":1}}`:                                `event`,
		`{` + rest + `,"round":2}`:                                                `round is 2, but it follows from rest and since that it is 1`,
		`{` + rest + `,"decision":"D9"}`:                                          `decision is D9`,
		`{"rest":{` + table + `},"since":[],"card":{"number":61}}`:                `card is map[number:61], but it follows from rest and since that it is <nil>`,
		`{` + rest + `,"vp":{"rebel":1,"federal":1}}`:                             `vp is map[federal:1 rebel:1], but it follows from rest and since`,
		`{"rest":{` + table + `,"rebel_resources":31},"since":[]}`:                `rest: `,
		`{"rest":{` + table + `,"card":{"number":61}},"since":[]}`:                `rest: `,
		`{"rest":{` + table + `},"since":["CARD_60","OP_move"]}`:                  `since: `,
	})
	for _, beside := range []string{``, `,"round":1,"decision":"D10","operation":` + printed(t, g, `{`+rest+`}`, "operation")} {
		if _, err := g.Load([]byte(`{`+rest+beside+`}`), engine.Lenient); err != nil {
			t.Error(err)
		}
	}
}

// printed returns how a field of a position is printed.
func printed(t *testing.T, g engine.Game, position, field string) string {
	t.Helper()
	return string(encode(t, fields(t, load(t, g.Spec().Text, position))[field].(map[string]any)))
}
