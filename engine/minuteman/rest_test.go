package minuteman_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/flow"
	"powderkeg/engine/minuteman"
)

// The proof beside Rests says how many answers lie between two positions at rest. Each moment
// of random games comes back as it was, those of the set-up among them.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	enginetest.WalkTrails(t, enginetest.Trails{
		Games: 1, Every: 7, How: engine.Strict, Least: 30, Most: 336, Middles: 500,
		Settings: append([]string{"minuteman(players=4,foreign_intervention=true)"}, settings...),
		Choose: func(s engine.State, moves []engine.Action, rng *rand.PCG) engine.Action {
			a := moves[engine.Uint32N(rng, uint32(len(moves)))]
			if a == minuteman.Revolution && engine.Uint32N(rng, 20) > 0 { // see the time before it too
				return moves[0]
			}
			return a
		},
	})
}

// R10.2, R11.4: all who can join an attack do, and all who can advance or must retreat go one by one.
// Each moment comes back.
func TestTheLongestAttackLeadsBack(t *testing.T) {
	units := []string{`{"unit":"network","hex":"2715"}`, `{"unit":"minuteman","hex":"2715"}`, `{"unit":"militia","hex":"2715","counter":"MIL1-HOU"}`}
	for i, hex := range []string{"2714", "2716", "2814", "2815", "2615", "2614"} {
		units = append(units, fmt.Sprintf(`{"unit":"army","hex":%q,"counter":"DIV-%d"}`, hex, i+1), fmt.Sprintf(`{"unit":"cig","hex":%q}`, hex))
		for range 3 {
			units = append(units, fmt.Sprintf(`{"unit":"agent","hex":%q}`, hex))
		}
	}
	g := enginetest.Game(t, "minuteman")
	longest := map[string]int{}
	for _, die := range []string{"DIE_1", "DIE_6"} {
		s, err := g.Load([]byte(`{"phase":"G4","turn":3,"riots":["2715"],"flow":{"window":2,"seat":0},"units":[`+strings.Join(units, ",")+`]}`),
			engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n == 0 || len(enginetest.Since(t, s)) > 0; n++ {
			a := engine.Moves(s)[0]
			if a == minuteman.Done && s.ToAct() >= 0 {
				a = engine.Moves(s)[1]
			}
			if b, err := engine.FindMove(g, s, die); err == nil {
				a = b
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
			enginetest.LeadsBack(t, g, s, engine.Lenient)
			longest[die] = max(longest[die], len(enginetest.Since(t, s)))
		}
	}
	if longest["DIE_1"] < 40 || longest["DIE_6"] < 40 || max(longest["DIE_1"], longest["DIE_6"]) > 336 {
		t.Errorf("the attacks have %v answers", longest)
	}
	t.Logf("the attacks have %v answers", longest)
}

// R19, R21: the position before holds the hands and what the untried are, and it and the answers since
// are in no view. A state that was dealt anew refuses to be written until it rests.
func TestTrailsReachNoSeat(t *testing.T) {
	g := enginetest.Game(t, "minuteman")
	world := func(marker, counter string) engine.State {
		s, err := g.Load([]byte(`{"rest":{"phase":"G3","turn":3,"flow":{"window":2,"seat":0,"moves":"moves"},"hands":[{},{"`+marker+`":1}],"units":[
			{"unit":"network","hex":"4112"},{"unit":"army","hex":"2714","counter":"`+counter+`","marks":["untried"]},
			{"unit":"army","hex":"2214","counter":"DIV-2","marks":["untried"]},{"unit":"army","hex":"2011","counter":"DIV-4","marks":["untried"]}]},
			"since":["MOVE_UNIT","2714"]}`), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	dealt := enginetest.TrailReachesNoSeat(t, g, 0, world("passage", "DIV-1"), world("organizer", "DIV-3"), "DIV-1")
	play := func(name string) {
		t.Helper()
		a, err := engine.FindMove(g, dealt, name)
		if err == nil {
			err = dealt.Apply(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	play("2713")
	enginetest.LeadsBack(t, g, dealt, engine.Lenient)
	play("MOVE_UNIT")
	if got := enginetest.Since(t, dealt); len(got) != 1 || got[0] != "MOVE_UNIT" {
		t.Errorf("since is %v behind a new deal that has rested", got)
	}
	enginetest.LeadsBack(t, g, dealt, engine.Lenient)
}

// What stands in the middle is written as rest and since: a document that writes it by hand is
// refused with the line that says so, and what stands beside rest and since must agree.
func TestMiddlesAreWrittenAsTheirAnswers(t *testing.T) {
	const table = `"phase":"A2","turn":3,"units":[{"unit":"network","hex":"2715"},{"unit":"minuteman","hex":"2715"}],"flow":{"window":2,"seat":1,"builds":"attempts"}`
	const rest = `"rest":{` + table + `},"since":["BUILD_ATTEMPT"]`
	g := enginetest.Game(t, "minuteman")
	enginetest.BadPositions(t, g, map[string]string{
		`{"phase":"A2","flow":{"window":2,"builds":"attempts","part":1}}`:                                 flow.Under,
		`{"phase":"A2","flow":{"window":2},"build":{"stage":"result","seat":1,"hex":"2715","free":true}}`: flow.Under,
		`{"phase":"A3","move":{"stage":"destination","unit":"MM1-ADAMS","mode":"MODE_NORMAL"}}`:           flow.Under,
		`{"phase":"A3","players":{"lot":1}}`:                                                              flow.Under,
		`{"phase":"G4","combat":{"stage":"target"}}`:                                                      flow.Under,
		`{"phase":"G4","assassination":{"stage":"hex"}}`:                                                  flow.Under,
		`{"phase":"A1","rising":{"stage":"leave"}}`:                                                       flow.Under,
		`{"phase":"N","proposal":{"verb":"PROPOSE_TRUCE"}}`:                                               flow.Under,
		`{"phase":"A1","draw":{"groups":["militia_1"],"hex":"2715","marks":[],"event":"C7"}}`:             flow.Under,
		`{"phase":"setup","set_up":{"queue":["DIV-1"]}}`:                                                  flow.Under,
		`{"phase":"setup","set_up":{"rows":1}}`:                                                           flow.Under,
		`{"phase":"B","flow":{"window":2,"step":1}}`:                                                      flow.Under,
		`{"phase":"B","flow":{"window":2,"die":7}}`:                                                       flow.Under,
		`{"phase":"G1","flow":{"window":2,"step":2,"count":2}}`:                                           flow.Under,
		`{"phase":"G4","combat":{"stage":"die","shown":0,"left":0}}`:                                      flow.Under,
		`{"phase":"setup","flow":{"step":2,"count":1}}`:                                                   flow.Under,
		`{"phase":"setup","flow":{"step":1,"last_class":1}}`:                                              flow.Under,
		`{"phase":"B","flow":{"window":4}}`:                                                               flow.Under,
		`{"phase":"A2","flow":{"window":2,"step":4}}`:                                                     "R5.1",
		`{"phase":"A4","flow":{"window":2,"count":3}}`:                                                    "R5.1",
		`{"phase":"A1","hand_sizes":[0,1]}`: "hand_sizes is [0 1], but it follows from the " +
			"rest that it is [0 0]",
		`{"phase":"A5","flow":{"window":2,"count":2}}`:                        flow.Under,
		`{` + rest + `,"flow":{"part":2}}`:                                    `flow`,
		`{` + rest + `,"turn":2}`:                                             `turn is 2, but it follows from rest and since that it is 3`,
		`{` + rest + `,"decision":"D10"}`:                                     `decision is D10`,
		`{` + rest + `,"build":{"stage":"die"}}`:                              `build`,
		`{"rest":{"phase":"A1","build_track":-1},"since":[]}`:                 `rest: `,
		`{"rest":{` + table + `,"draw":{"groups":["militia_1"]}},"since":[]}`: `rest: `,
		`{"rest":{` + table + `},"since":["BUILD_ATTEMPT","DIE_1"]}`:          `since: `,
	})
	for _, beside := range []string{``, `,"phase":"A2","turn":3,"decision":"D17","draw":null`} {
		if _, err := g.Load([]byte(`{`+rest+beside+`}`), engine.Lenient); err != nil {
			t.Error(err)
		}
	}
}

// The steps of the phases were once all called flow.step, and what is counted in them flow.count.
// Positions at rest that say so are read as they were.
func TestOlderStepsAreRead(t *testing.T) {
	for name, words := range map[string]struct{ older, now string }{
		"A2": {`"step":3`, `"builds":"attempts"`},
		"A3": {`"step":1,"count":1`, `"moves":"reinforcements","moved":1`},
		"A4": {`"step":0,"count":2,"die":0`, `"struck":2`},
		"G2": {`"step":1`, `"government_builds":"builds"`},
		"G3": {`"step":6`, `"moves":"unrest"`},
		"G4": {`"count":1`, `"struck":1`},
		"N":  {`"count":2`, `"talks":"over"`},
	} {
		var hashes []uint64
		for _, flow := range []string{words.older, words.now} {
			s, err := enginetest.Game(t, "minuteman(players=3)").Load([]byte(`{"phase":"`+name+`","turn":3,"flow":{"window":3,"seat":2,`+flow+
				`},"players":{"order":[2,1]},
				"units":[{"unit":"network 1","hex":"2715"},{"unit":"network 2","hex":"3015"},{"unit":"minuteman 1","hex":"2715"},{"unit":"minuteman 2","hex":"3015"},{"unit":"agent","hex":"2714"}]}`), engine.Lenient)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			hashes = append(hashes, s.Hash())
		}
		if hashes[0] != hashes[1] {
			t.Errorf("%s: %s is read as another position than %s", name, words.older, words.now)
		}
	}
}
