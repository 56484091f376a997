package domination_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/flow"
)

// The proof beside Rests says how many answers lie between two positions at rest. Each moment
// of random games comes back as it was.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	enginetest.WalkTrails(t, enginetest.Trails{
		Games: 1, Every: 1, How: engine.Strict, Least: 12, Most: 120, Middles: 1000, Settings: settings,
		Choose: func(s engine.State, moves []engine.Action, rng *rand.PCG) engine.Action {
			if s.ToAct() >= 0 && moves[0] == domination.ActPass && engine.Uint32N(rng, 3) == 0 {
				return moves[0] // so that there are windows with cards in the hands
			}
			return moves[engine.Uint32N(rng, uint32(len(moves)))]
		},
	})
}

// R8.5: six seats take turns at the longest chain, offers included, and each moment of it
// comes back.
func TestTheLongestChainLeadsBack(t *testing.T) {
	g := enginetest.Game(t, "domination(players=6,first_player=0,auto_forced=false,fixed_pool="+fixedPool+")")
	facts, err := domination.NewFacts()
	if err != nil {
		t.Fatal(err)
	}
	var areas []string
	for i, a := range facts.Areas {
		areas = append(areas, fmt.Sprintf(`%q:{"owner":%d,"strength":"full"}`, a.ID, i%6))
	}
	s, err := g.Load([]byte(`{"active":0,"hands":{"0":["Bio Weapons"]},"areas":{`+strings.Join(areas, ",")+`}}`), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	longest := 0
	for move := "TEXT_OF Bio Weapons"; ; move = "ACCEPT" {
		a, err := engine.FindMove(g, s, move)
		if err != nil {
			a = engine.Moves(s)[0]
		}
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
		answers := enginetest.Since(t, s)
		if len(answers) == 0 {
			break
		}
		longest = len(answers)
		enginetest.LeadsBack(t, g, s, engine.Lenient)
	}
	if longest < 60 || longest > 83 {
		t.Errorf("the chain has %d answers", longest)
	}
	t.Logf("the chain has %d answers", longest)
}

// R4.2: the answers since hold what was drawn, and are in no view. A state that was dealt anew
// does not know them, and refuses to be written until it rests.
func TestTrailsReachNoSeat(t *testing.T) {
	g := enginetest.Game(t, secrets)
	const draws = `{"rest":{"phase":"start_of_game_turn","turn":2,"draw_decks":{"0":[{"unknown":{"Domination":4,"Surrender":1,"Insurgents":1}}],
		"1":[{"unknown":{"Domination":4,"Surrender":1}}]}},"since":["DRAW %CARD"]}`
	load := func(card string) engine.State {
		s, err := g.Load([]byte(strings.ReplaceAll(draws, "%CARD", card)), engine.Lenient)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	here, there := load("Surrender"), load("Insurgents")
	dealt := enginetest.TrailReachesNoSeat(t, g, 1, here, there, "Surrender").(*domination.State)
	for open(dealt).Phase() != domination.CardPlay {
		if err := dealt.Apply(engine.Moves(dealt)[0]); err != nil {
			t.Fatal(err)
		}
	}
	enginetest.LeadsBack(t, g, dealt, engine.Lenient)
}

// R4.5, R4.8: a deal of a view in which nobody is asked goes on from a question, and what is
// played from there comes back.
func TestADealOfAWindowLeadsBack(t *testing.T) {
	g := enginetest.Game(t, secrets)
	for d := range windowsOpen {
		s, asked := window(t, d, "Airborne Forces", "Surrender", "Domination", "Insurgents"), 0
		rng := rand.NewPCG(7, 7)
		for range 60 {
			v := engine.Clone(g, s).(*domination.State)
			v.Redeal(engine.Look(s, 0), rng)
			if open(v).Decision() != d {
				continue
			}
			asked++
			enginetest.LeadsBack(t, g, v, engine.Lenient)
			do(t, secrets, v, "TEXT_OF Airborne Forces")
			enginetest.LeadsBack(t, g, v, engine.Lenient)
		}
		if asked == 0 {
			t.Errorf("%v was never asked", d)
		}
	}
}

// What stands in the middle is written as rest and since: a document that writes it by hand is
// refused with the line that says so, and what stands beside rest and since must agree.
func TestMiddlesAreWrittenAsTheirAnswers(t *testing.T) {
	const rest = `"rest":{"active":0,"hands":{"0":["Domination"]}},"since":["BUILD_WITH Domination"]`
	enginetest.BadPositions(t, enginetest.Game(t, secrets), map[string]string{
		`{"active":0,"used_this_turn":true,"discards":{"0":["Domination"]},"frame":{"card":"Domination","way":"build","actor":0,"points":3}}`: flow.Under,
		`{"phase":"start_of_game_turn","turn":2,"drawer":1,"draws_made":0}`:                                                                   flow.Under,
		`{"phase":"start_of_game_turn","turn":1,"draws_made":2}`:                                                                              flow.Under,
		`{"active":0,"drawer":1}`:                                             `drawer is 1, but it follows from the rest that it is <nil>`,
		`{` + rest + `,"frame":{"card":"Domination","way":"attack"}}`:         `frame is map`,
		`{` + rest + `,"frame":null}`:                                         `frame is <nil>, but it follows from rest and since`,
		`{` + rest + `,"draws_made":1}`:                                       `draws_made is 1`,
		`{` + rest + `,"turn":2}`:                                             `turn is 2, but it follows from rest and since that it is 1`,
		`{"rest":{"active":0,"passed":[true,false,false]},"since":[]}`:        `rest: `,
		`{"rest":{"active":0,"hands":{"0":["Domination"]}},"since":["DONE"]}`: `since: `,
	})
	g := enginetest.Game(t, secrets)
	for _, beside := range []string{``, `,"turn":1,"frame":{"card":"Domination","way":"build","actor":0,"effect":0,"points":3,"spent":false,"lowest_area":"CAN",
		"region":0,"regions":[],"target":null,"storms_left":[0,0,0]}`} {
		if _, err := g.Load([]byte(`{`+rest+beside+`}`), engine.Lenient); err != nil {
			t.Error(err)
		}
	}
}
