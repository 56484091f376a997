package domination_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/flow"
)

// since returns the answers that a document of a state holds, nil for one at rest, and the
// whole of it.
func since(t *testing.T, s engine.View) (answers []string, text []byte) {
	t.Helper()
	text, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Since []string }
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Since, text
}

// leadsBack demands that the document of a moment brings it back.
func leadsBack(t *testing.T, g engine.Game, s engine.State, how engine.Strictness) {
	t.Helper()
	was, text := since(t, s)
	again, err := g.Load(text, how)
	if err != nil || again.Hash() != s.Hash() {
		t.Fatalf("%s: a moment does not come back: %v\n%s", g.Spec().Text, err, text)
	}
	if is, _ := since(t, again); !slices.Equal(is, was) {
		t.Fatalf("%s: the answers since were %v and are %v", g.Spec().Text, was, is)
	}
}

// The proof beside Rests says how many answers lie between two positions at rest. Each moment
// of random games comes back as it was.
func TestTrailsAreShortAndLeadBack(t *testing.T) {
	longest, middles := 0, 0
	for i, name := range settings {
		g, rng := enginetest.Game(t, name), rand.NewPCG(11, uint64(i))
		for range enginetest.Times(1) {
			for s, ply := g.New(), 0; s.ToAct() != engine.Terminal; ply++ {
				if answers, _ := since(t, s); len(answers) > 0 {
					longest = max(longest, len(answers))
					middles++
				}
				if ply%7 == 0 || ply < 200 {
					leadsBack(t, g, s, engine.Strict)
				}
				moves := engine.Moves(s)
				a := moves[engine.Uint32N(rng, uint32(len(moves)))]
				if s.ToAct() >= 0 && moves[0] == domination.ActPass && engine.Uint32N(rng, 3) == 0 {
					a = moves[0] // so that there are windows with cards in the hands
				}
				if err := s.Apply(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if longest < 12 || longest > 120 || middles < 1000 {
		t.Errorf("the longest trail has %d answers, of %d moments", longest, middles)
	}
	t.Logf("the longest trail has %d answers, of %d moments", longest, middles)
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
		answers, _ := since(t, s)
		if len(answers) == 0 {
			break
		}
		longest = len(answers)
		leadsBack(t, g, s, engine.Lenient)
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
	a, errA := engine.Look(here, 1).MarshalJSON()
	b, errB := engine.Look(there, 1).MarshalJSON()
	if errA != nil || errB != nil || string(a) != string(b) || strings.Contains(string(a), `"since"`) || strings.Contains(string(a), `"rest"`) {
		t.Errorf("seat 1 sees %s and %s, %v, %v", a, b, errA, errB)
	}
	dealt := engine.Clone(g, here).(*domination.State) // which has the answers, until it is dealt anew
	dealt.Redeal(engine.Look(here, 1), rand.NewPCG(1, 1))
	if text, err := dealt.MarshalJSON(); !errors.Is(err, engine.ErrUnderWay) || strings.Contains(err.Error(), "Surrender") {
		t.Errorf("a new deal in the middle of the draws is written: %s, %v", text, err)
	}
	for open(dealt).Phase() != domination.CardPlay {
		if err := dealt.Apply(engine.Moves(dealt)[0]); err != nil {
			t.Fatal(err)
		}
	}
	leadsBack(t, g, dealt, engine.Lenient)
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
			leadsBack(t, g, v, engine.Lenient)
			do(t, secrets, v, "TEXT_OF Airborne Forces")
			leadsBack(t, g, v, engine.Lenient)
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
