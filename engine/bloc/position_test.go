package bloc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// Every limit is checked, and the error names the field and the rule.
func TestBadPositionsAreRefused(t *testing.T) {
	enginetest.BadPositions(t, enginetest.Game(t, coop), map[string]string{
		`{"active":"peasants"}`:                               `active "peasants" is unknown`,
		`{"step":"lunch"}`:                                    `step "lunch" is unknown`,
		`{"active":"workers","dice":[7]}`:                     `dice is 7, it must be 1 to 6`,
		`{"active":"workers","dice":[1,1,1,1,1,1,1,1]}`:       `at most 7 lie unspent (R1.2)`,
		`{"city":[null]}`:                                     `city has 1 cells, it has 25 (R2.2)`,
		`{"city":"atlantis"}`:                                 `city is a list of 25 tiles`,
		`{"districts":{"the_moon":{}}}`:                       `"the_moon" is no district of the city`,
		`{"districts":{"highway_1":{"cops":1}}}`:              `"highway_1" is no district of the city`,
		`{"districts":{"the_park":{"blocs":{"workers":11}}}}`: `the_park.blocs.workers is 11, it must be 0 to 10`,
		`{"districts":{"the_park":{"blocs":{"workers":6}},"the_plaza":{"blocs":{"workers":6}}}}`:                                                                      `10 blocs in all (R1.2)`,
		`{"districts":{"the_park":{"cops":20},"the_plaza":{"cops":20}}}`:                                                                                              `40 riot cops, there are 30 (R1.1)`,
		`{"districts":{"the_park":{"van":3}}}`:                                                                                                                        `the_park.van is 3, it must be 0 to 2`,
		`{"districts":{"garment_sweatshop":{"occupation":["students","assembly_hall"]}}}`:                                                                             `students cannot have an occupation there (R5.2)`,
		`{"districts":{"commercial_1":{"occupation":["students","assembly_hall"]}}}`:                                                                                  `cannot have an occupation there (R5.2)`,
		`{"districts":{"commercial_1":{"liberated":true}}}`:                                                                                                           `liberated is true (R9.5)`,
		`{"districts":{"the_park":{"occupation":["students","assembly_hall"]},"the_plaza":{"occupation":["students","assembly_hall"]}}}`:                              `stands elsewhere already (R1.2)`,
		`{"districts":{"the_park":{"attacked":{"students":1}}}}`:                                                                                                      `1 blocs of the students have attacked (R5.5)`,
		`{"districts":{"the_park":{"shopping_centers":[0,0,0]}}}`:                                                                                                     `0 shopping centres, the tile has 1`,
		`{"districts":{"the_park":{"protected":true}}}`:                                                                                                               `flags of a Sunrise outside one (R9.7)`,
		`{"active":"workers","barricades":[{"cell":1,"arm":"S","count":1}]}`:                                                                                          `no connection leaves cell 1 by arm S (R3.3)`,
		`{"active":"workers","barricades":[{"cell":0,"arm":"E","count":2},{"cell":1,"arm":"W","count":2}]}`:                                                           `more than 3 on the connection`,
		`{"active":"workers","hands":{"workers":["steel_doors","steel_doors","steel_doors"]}}`:                                                                        `3 cards steel_doors, there are 2 (R11.3)`,
		`{"rest":{"active":"workers","trades":3,"districts":{"street_market":{"blocs":{"workers":1,"students":1}}},"hands":{"workers":["bikes"]}},"since":["TRADE"]}`: `since: bad position: illegal: "TRADE" is not possible here`,
		`{"active":"workers","bonus_dice":{"workers":21}}`:                                                                                                            `bonus_dice of the workers are 21, and 6 more can follow (R11.4)`,
		`{"active":"workers","pending":{"verb":"MOVE"},"step":"menu"}`:                                                                                                `pending.verb is MOVE, but it follows from the rest that it is <nil>; a moment in the middle of a procedure is written as`,
		`{"active":"workers","drawn":{"bikes":1}}`:                                                                                                                    `drawn is map[bikes:1], but it follows from the rest that it is map[]`,
		`{"active":"workers","shown":[null,{"step":"cop_cards"},null,null]}`:                                                                                          `but it follows from the rest that it is <nil>`,
		`{"active":"workers","agendas":{"workers":"nihilist"}}`:                                                                                                       `a cooperative game has none (R2.9)`,
		`{"active":"workers","ops_discard":{"metro_lockdown":1},"metro_lockdown":"workers"}`:                                                                          `(R2.6, R11.5)`,
		`{"active":"workers","metro_lockdown_expiring":true}`:                                                                                                         `no faction has the Metro Lockdown before it (R8.9)`,
		`{"active":"workers","nights_left":9}`:                                                                                                                        `nights_left is 9, it must be 0 to 8`,
		`{"active":"workers","turn":2}`:                                                                                                                               `turn 2 is another's`,
		`{"seats":["workers","workers","students","neighbors"],"active":"workers"}`:                                                                                   `sits twice`,
		`{"active":"workers","step":"move_count"}`:                                                                                                                    `step is move_count; a moment in the middle of a procedure is written as the position before it, "rest", and the answers given since, "since" (R13.1)`,
		`{"rest":{"active":"workers"},"since":["MOVE"]}`:                                                                                                              `"MOVE" is not possible here; seat 0 has END_ACTIONS`,
		`{"rest":{"active":"workers"},"since":["MARCH"]}`:                                                                                                             `"MARCH" is unknown`,
		`{"rest":{"active":"workers","step":"stop"},"since":[]}`:                                                                                                      `rest: bad position: step is stop`,
		`{"rest":{"rest":{"active":"workers"},"since":[]},"since":[]}`:                                                                                                `unknown field "rest"`,
		`{"rest":7,"since":[]}`: `it must be an object`,
		`{"rest":{"active":"workers"},"since":["END_ACTIONS"],"dice":[6]}`:                                                                            `dice is [6], but it follows from rest and since that it is []`,
		`{"rest":{"active":"workers"},"since":["END_ACTIONS"],"pending":{"who":"workers","ops":7}}`:                                                   `pending is map[ops:7 who:workers], but it follows from rest and since`,
		`{"rest":{"active":"workers"},"since":[],"pending":{"who":"workers","ops":7}}`:                                                                `pending is map[ops:7 who:workers], but it follows from rest and since`,
		`{"rest":{"active":"workers"},"since":["END_ACTIONS"],"moon":1}`:                                                                              `unknown field "moon"`,
		`{"result":{"winners":["workers"],"by":"time_out"},"nights_left":0}`:                                                                          `winners of a game that nobody won (R10.1)`,
		`{"active":"workers","result":{"winners":["students"]},"districts":{}}`:                                                                       `result`,
		`{"active":"workers","decision":"D5"}`:                                                                                                        `does not wait for it`,
		`{"step":"medic_destination","turn":4,"districts":{"the_plaza":{"occupation":["workers","strike_hall"]},"the_park":{"blocs":{"workers":1}}}}`: `step is medic_destination`,
		`{"active":"workers","staging":{"cops":3}}`:                                                                                                   `riot cops, there are 30 (R1.1)`,
	})
}

// R2.7: with three players the fourth faction is nowhere.
func TestR2_7_OnlyFactionsInPlayAreNamed(t *testing.T) {
	enginetest.BadPositions(t, enginetest.Game(t, "bloc(scenario=beginner_city,players=3)"), map[string]string{
		`{"active":"prisoners"}`:                                                  `active: prisoners are not in the game`,
		`{"active":"workers","metro_lockdown":"prisoners"}`:                       `prisoners are named, who are not in the game (R2.7)`,
		`{"active":"workers","bonus_dice":{"prisoners":1}}`:                       `prisoners are named, who are not in the game (R2.7)`,
		`{"active":"workers","hands":{"prisoners":["bikes"]}}`:                    `a hand of 1 cards of the prisoners (R2.8)`,
		`{"active":"workers","districts":{"the_park":{"blocs":{"prisoners":1}}}}`: `prisoners are not in the game (R2.7)`,
		`{"result":{"winners":["prisoners"],"by":"success"},"nights_left":1}`:     `won by all (R10.1)`,
	})
}

// R2.10: who has chosen a starting district has the occupation there and blocs out, and who has
// not has neither.
func TestR2_10_FactionsStartWithOccupationAndBlocs(t *testing.T) {
	const setUp = `{"phase":"set_up","city":"beginner_city","seats":["workers","students","neighbors","prisoners"],"step":"start_district","districts":{"garment_sweatshop":{%s}}}`
	enginetest.BadPositions(t, enginetest.Game(t, "bloc(scenario=occupy_everything)"), map[string]string{
		fmt.Sprintf(setUp, `"occupation":["workers","faction_start"]`): `the workers have started: true (R2.10)`,
		fmt.Sprintf(setUp, `"blocs":{"workers":3}`):                    `the workers have started: false (R2.10)`,
	})
}

// A lenient position may lack pieces and cards, but breaks no other limit.
func TestLenientPositionsMayLackPieces(t *testing.T) {
	g := enginetest.Game(t, coop)
	const few = `{"active":"workers","districts":{},"staging":{"cops":3,"vans":1},"barricade_pile":5,"loot_deck":{"bikes":1},"ops_deck":{"maneuvers":1},"manifestations":{}}`
	if _, err := g.Load([]byte(few), engine.Lenient); err != nil {
		t.Errorf("%s: %v", few, err)
	}
	if _, err := g.Load([]byte(few), engine.Strict); err == nil {
		t.Errorf("%s is accepted as a whole position", few)
	}
}

// R11.3: the copies of a card are counted beyond what fits a byte.
func TestTooManyCopiesAreRefused(t *testing.T) {
	bikes := func(n int) string { return strings.TrimSuffix(strings.Repeat(`"bikes",`, n), ",") }
	text := fmt.Sprintf(`{"active":"workers","loot_deck":{"bikes":60},"loot_discard":{"bikes":60},"hands":{"workers":[%s],"students":[%s],"neighbors":[%s]}}`,
		bikes(60), bikes(60), bikes(16))
	if _, err := enginetest.Game(t, coop).Load([]byte(text), engine.Lenient); err == nil || !strings.Contains(err.Error(), "256 cards bikes") {
		t.Errorf("256 bikes: error %v", err)
	}
}

// numbers are put in the places of numbers: small ones, and some about the limits.
var numbers = []any{nil, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 24, 25, 30, 70000}

// Positions of real games and crowded ones with a few fields changed at random are
// refused with ErrPosition or can be played on, strict and lenient: nothing that a user
// writes makes the engine panic or leads it out of its limits.
func TestMutatedPositionsAreRefusedOrPlayable(t *testing.T) {
	tried, accepted := 0, [2]int{}
	for i, name := range settings {
		g := enginetest.Game(t, name)
		rng := rand.NewPCG(4, uint64(i))
		m := &enginetest.Mutator{RNG: rng, Words: []any{"workers", "menu", "bikes", "MOVE", "the_park", "sunrise_2", "cop_cards", "D24"}, Numbers: numbers}
		for k := range enginetest.Times(2) {
			s := g.New()
			if crowded, err := g.Load([]byte(rich(g, rng)), engine.Lenient); k%2 == 1 && err == nil {
				s = crowded
			}
			for s.ToAct() != engine.Terminal {
				data, err := s.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if m.N(20) == 0 {
					changed := mutate(t, m, data)
					for _, how := range []engine.Strictness{engine.Strict, engine.Lenient} {
						tried++
						if loadAndPlay(t, g, m, changed, how) {
							accepted[how]++
						}
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[m.N(len(moves))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d positions, of which %d strict and %d lenient ones were accepted", tried, accepted[engine.Strict], accepted[engine.Lenient])
	if accepted[engine.Strict] < 15 || accepted[engine.Lenient] < 30 {
		t.Errorf("only %d strict and %d lenient changed positions could be played", accepted[engine.Strict], accepted[engine.Lenient])
	}
}

// mutate changes a position in up to three places.
func mutate(t *testing.T, m *enginetest.Mutator, data []byte) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	doc := v.(map[string]any)
	for range 1 + m.N(3) {
		if rest, ok := doc["rest"].(map[string]any); ok && m.N(4) > 0 {
			for key := range doc { // what stands beside it would betray most changes
				if key != "rest" && key != "since" {
					delete(doc, key)
				}
			}
			m.Change(rest)
		} else {
			m.Change(doc)
		}
	}
	if m.N(2) == 0 {
		delete(doc, "decision")
	}
	changed, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// loadAndPlay reports whether a position is accepted, and plays on from it.
func loadAndPlay(t *testing.T, g engine.Game, m *enginetest.Mutator, position []byte, how engine.Strictness) bool {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v when reading %s", r, position)
		}
	}()
	s, err := g.Load(position, how)
	if err != nil {
		if !errors.Is(err, engine.ErrPosition) {
			t.Fatalf("the error %q does not wrap ErrPosition", err)
		}
		return false
	}
	playOn(t, g, s, position, m.RNG, 40)
	return true
}

// playOn plays a while from a position and demands that it can be dumped, read and
// seen at every step.
func playOn(t *testing.T, g engine.Game, s engine.State, from []byte, rng *rand.PCG, plies int) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%v in a game from %s\n%s", r, from, debug.Stack())
		}
	}()
	for ply := range plies {
		text, err := s.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if ply%8 == 0 {
			again, err := g.Load(text, engine.Lenient)
			if err != nil || again.Hash() != s.Hash() {
				t.Fatalf("a position does not survive being read: %v\n%s\nfrom %s", err, text, from)
			}
			for p := range engine.Player(g.Spec().Seats) {
				v, deal := engine.Look(s, p), g.New().(engine.Hidden)
				_ = v.(engine.Teller).Text(p)
				deal.Redeal(v, rng)
				if deal.ToAct() >= 0 && len(deal.Legal(nil)) == 0 {
					t.Fatalf("a new deal for seat %d has no move in %s", p, text)
				}
			}
		}
		if s.ToAct() == engine.Terminal {
			return
		}
		moves := engine.Moves(s)
		if len(moves) == 0 {
			t.Fatalf("there is no move in %s\nfrom %s", text, from)
		}
		if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
			t.Fatalf("%v\nin %s", err, text)
		}
	}
}
