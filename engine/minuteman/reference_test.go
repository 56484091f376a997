package minuteman_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/engine/minuteman"
)

// refPlayerFunc chooses one of the options of a question.
type refPlayerFunc func(r *refGame, seat int, question string, options []string) string

// newRefGame begins a game of the reference beside one of the engine.
func newRefGame(t testing.TB, data *refData, text string, seed uint64) *refGame {
	t.Helper()
	g, err := engine.Families{minuteman.Family}.New(text)
	if err != nil {
		t.Fatal(err)
	}
	r := &refGame{
		t: t, rng: rand.NewPCG(seed, 7), engine: g, fast: g.New(), choose: refRandom(seed), tally: map[string]int{}, tokens: map[string]int{},
		data: data, options: map[string]string{},
	}
	for i, a := range g.Spec().Actions {
		r.tokens[a] = i
	}
	r.hexes, r.hex = newRefMap(data)
	if _, options, ok := strings.Cut(strings.TrimSuffix(text, ")"), "("); ok {
		for _, o := range strings.Split(options, ",") {
			name, value, _ := strings.Cut(o, "=")
			r.options[name] = value
		}
	}
	scenario := "basic"
	if s := r.options["scenario"]; s != "" {
		scenario = s
	}
	r.seats = g.Spec().Seats
	if r.seats > 2 {
		scenario = "multiplayer"
	}
	r.scenario = data.scenarios[scenario]
	r.firstGov, r.federalized, r.pact = true, -1, -1
	r.pool = map[string]int{"assassin": 16, "betrayal": 10, "organizer": 8, "passage": 6}
	r.abroadRebel, r.abroadBuilt, r.out = map[string]bool{}, map[string]bool{}, map[int]bool{}
	r.due = make([]int, r.seats)
	r.order = []int{}
	for range r.seats {
		r.hands = append(r.hands, map[string]int{})
	}
	r.piles = map[string][]string{}
	for _, group := range refGroups {
		for _, c := range data.counters(group) {
			r.piles[group] = append(r.piles[group], c.ID)
		}
	}
	return r
}

// run plays the game to its end, or to the limit, and compares all the way.
func (r *refGame) run() {
	defer func() {
		switch x := recover().(type) {
		case nil, refStop:
		case refOver:
			r.compareEnd()
		default:
			panic(fmt.Sprintf("%v\n%s played %s", x, r.engine.Spec().Text, strings.Join(r.moves, " ")))
		}
	}()
	r.play()
}

// refRandom is a player that prefers what goes on to what ends, by a taste of its own
// for each game, so that rare rules come up.
func refRandom(seed uint64) refPlayerFunc {
	taste := rand.NewPCG(seed, 11)
	like := map[string]int{
		"REVOLUTION": []int{0, 1, 2, 6, 40}[engine.Uint32N(taste, 5)], "DONE": []int{10, 20, 40, 100}[engine.Uint32N(taste, 4)],
		"OPT_DECLINE": 10, "FOREIGN_INTERVENTION": []int{1, 10, 100}[engine.Uint32N(taste, 3)],
		"TOGGLE_UNDERGROUND": []int{10, 100}[engine.Uint32N(taste, 2)], "ASSASSINATE": []int{5, 50, 200}[engine.Uint32N(taste, 3)],
		"ATTACK_SUBVERSION": []int{50, 400}[engine.Uint32N(taste, 2)], "ATTACK_MILITARY": []int{100, 400}[engine.Uint32N(taste, 2)],
		"UNFEDERALIZE": 30, "PROPOSE_FEDERALIZE": 400, "ACCEPT": 200,
	}
	gathers := engine.Uint32N(taste, 2) == 0 // attacks with all that it has
	return func(r *refGame, seat int, question string, options []string) string {
		total := 0
		weight := func(o string) int {
			if question == "D42" && o == "DONE" && gathers {
				return 3
			}
			if n, ok := like[o]; ok {
				return n
			}
			return 100
		}
		for _, o := range options {
			total += weight(o)
		}
		if total == 0 {
			return options[0]
		}
		x := int(engine.Uint32N(r.rng, uint32(total)))
		for _, o := range options {
			if x -= weight(o); x < 0 {
				return o
			}
		}
		panic("weights")
	}
}

// refScripted is the scripted player, of whose choices some in a hundred are left to
// another one, so that its games differ and go astray.
func refScripted(g engine.Game, astray uint32, other refPlayerFunc) refPlayerFunc {
	policy := scripted.Must(g)
	return func(r *refGame, seat int, question string, options []string) string {
		if engine.Uint32N(r.rng, 100) < astray {
			return other(r, seat, question, options)
		}
		p := engine.Player(seat)
		a := g.Spec().Actions[policy.Choose(engine.Look(r.fast, p), p, r.fast.Legal(nil), r.rng)]
		if !slices.Contains(options, a) {
			return other(r, seat, question, options)
		}
		return a
	}
}

// TestAgreesWithReference plays every scenario beside the slow reference. A soak plays
// more games, whole ones, and tells how often each rule was exercised.
func TestAgreesWithReference(t *testing.T) {
	data := readRefData(t)
	reach := map[string]int{}
	decisions := 0
	games := refGames()
	rounds := soak.Times(1)
	for i, text := range games {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(text, "minuteman("), ")"), func(t *testing.T) {
			for round := range rounds {
				r := newRefGame(t, data, text, uint64(1000*round+i))
				switch round % 3 {
				case 1:
					r.choose = refScripted(r.engine, 3, r.choose)
				case 2:
					r.choose = refScripted(r.engine, 40, r.choose)
				}
				if !soak.On() {
					r.limit = 250
				}
				r.run()
				decisions += r.decisions
				for k, n := range r.tally {
					reach[k] += n
				}
			}
		})
	}
	refReport(t, decisions, reach)
}

// refReport tells how many decisions agree and, in a soak, how often each rule was exercised.
func refReport(t *testing.T, decisions int, reach map[string]int) {
	t.Logf("%d decisions agree", decisions)
	if soak.On() {
		for _, k := range slices.Sorted(maps.Keys(reach)) {
			t.Logf("%7d %s", reach[k], k)
		}
	}
}
