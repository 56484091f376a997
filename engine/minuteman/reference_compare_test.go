package minuteman_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// refTester is what the reference needs of a test.
type refTester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// refGame plays one game beside the engine.
type refGame struct {
	t      refTester
	rng    *rand.PCG
	engine engine.Game
	fast   engine.State
	choose refPlayerFunc
	tally  map[string]int // how often each question, row and rule was exercised
	tokens map[string]int // the rank of each action in the vocabulary
	moves  []string       // what was played so far

	data    *refData
	hexes   []*refHex
	hex     map[string]*refHex
	options map[string]string
	refPosition

	question  string
	questions int
	decisions int
	limit     int // stop after so many questions, 0 for never
	attacking *refAttack
	seen      []byte // the position when it was compared last, of both sides
}

// refPosition is what a position holds beside the map.
type refPosition struct {
	scenario  refScenario
	seats     int
	gov       int
	firstGov  bool // the seat that began as the Government still is
	phase     string
	turn      int
	rev       int  // the Game-Turn of the Revolution, 0 before it
	rose      bool // there has been one
	track     int
	committed int
	rail      int // Air/Rail points, in halves
	assaulted map[string]bool
	hands     []map[string]int
	pool      map[string]int
	piles     map[string][]string // counters off the map, in the order of the sheet
	due       []int
	foreign   struct {
		seat, left int
		called     bool
	}
	abroadRebel map[string]bool // countries whose Brigades are the Rebel's
	abroadBuilt map[string]bool
	order       []int
	federalized int
	fedTurn     int
	pact        int
	out         map[int]bool
	truces      [][2]int
	targets     [][2]int
	result      *refResult
}

type refResult struct {
	level   int
	by      string
	winners []int
}

// refOver unwinds the game when it has ended.
type refOver struct{}

// refStop unwinds it after the number of questions that was asked for.
type refStop struct{}

func (r *refGame) did(what string) { r.tally[what]++ }

// fail ends the test with the game, what was played and what differs.
func (r *refGame) fail(format string, args ...any) {
	r.t.Helper()
	var under struct{ Combat, Build, Move, Players, Result json.RawMessage }
	if text, err := r.fast.(*minuteman.State).Print(); err == nil {
		_ = json.Unmarshal(text, &under)
	}
	r.t.Fatalf("%s\nplayed:   %s\nat:       Game-Turn %d, phase %s, %s\nattack:   %s\ncombat:   %s\nbuild:    %s\nmove:     %s\nplayers:  %s\nresult: "+
		"  %s\ndiffers:  %s",
		r.engine.Spec().Text, strings.Join(r.moves, " "), r.turn, r.phase, r.question,
		r.standing(), under.Combat, under.Build, under.Move, under.Players, under.Result, fmt.Sprintf(format, args...))
}

// standing tells what stands in the target of the last attack and beside it.
func (r *refGame) standing() string {
	if r.attacking == nil {
		text := ""
		for _, u := range r.where(r.isG) {
			text += u.hex.id + " " + u.name + " "
		}
		return text
	}
	h := r.attacking.target
	text := fmt.Sprintf("%s on %s, Riot %v, Informer %v:", r.attacking.kind, h.id, h.riot, h.informer)
	for _, u := range r.all() {
		if u.hex.near(h) {
			text += fmt.Sprintf(" %s %s of %d;", u.hex.id, u.name, u.owner)
		}
	}
	return text
}

// ask puts a question to a seat and returns the answer; a single option is taken
// without asking (R5.4).
func (r *refGame) ask(seat int, question string, options ...string) string {
	r.t.Helper()
	if len(options) == 0 {
		r.fail("the reference asks %s without an option", question)
	}
	if len(options) == 1 {
		r.did(question + " forced")
		return options[0]
	}
	slices.SortFunc(options, func(a, b string) int { return r.tokens[a] - r.tokens[b] })
	r.compare(seat, question, options)
	a := r.choose(r, seat, question, options)
	r.did(question)
	r.did(question + " " + refKindOf(a))
	r.decisions++
	r.apply(a)
	return a
}

// refKindOf is what coverage says of a token: hexes are all alike.
func refKindOf(token string) string {
	if len(token) == 4 && token[0] >= '0' && token[0] <= '9' {
		return "hex"
	}
	return token
}

// draw lets chance decide among outcomes with the given weights.
func (r *refGame) draw(event string, weights map[string]int) string {
	r.t.Helper()
	names := slices.Sorted(maps.Keys(weights))
	if len(names) == 1 && event != "C4" { // which marker is drawn is not known to all
		r.did(event + " forced")
		return names[0]
	}
	r.compare(-1, event, names)
	total := 0
	for _, o := range r.fast.(engine.Stochastic).Outcomes(nil) {
		name := r.engine.Spec().Outcomes[o.Action]
		if int(o.Weight) != weights[name] {
			r.fail("%s has the weight %d, want %d", name, o.Weight, weights[name])
		}
		total += weights[name]
	}
	x := int(engine.Uint32N(r.rng, uint32(total)))
	for _, name := range names {
		if x -= weights[name]; x < 0 {
			r.did(event)
			r.apply(name)
			return name
		}
	}
	panic("weights")
}

// die casts a die.
func (r *refGame) die(event string) int {
	r.t.Helper()
	weights := map[string]int{}
	for n := 1; n <= 6; n++ {
		weights[fmt.Sprint("DIE_", n)] = 1
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(r.draw(event, weights), "DIE_"))
	return n
}

func (r *refGame) apply(name string) {
	r.t.Helper()
	names := r.engine.Spec().Actions
	if r.fast.ToAct() == engine.Chance {
		names = r.engine.Spec().Outcomes
	}
	if err := r.fast.Apply(engine.Action(slices.Index(names, name))); err != nil {
		r.fail("%s: %v", name, err)
	}
	r.moves = append(r.moves, name)
}

// compare demands that the engine waits for the same answer in the same position.
func (r *refGame) compare(seat int, question string, want []string) {
	r.t.Helper()
	r.question = question
	if r.limit > 0 && r.questions >= r.limit {
		panic(refStop{})
	}
	r.questions++
	var got []string
	for _, a := range engine.Moves(r.fast) {
		got = append(got, engine.MoveName(r.engine, r.fast, a))
	}
	if seat < 0 {
		slices.Sort(got)
	}
	asks, _ := r.fast.(*minuteman.State).Asks()
	if int(r.fast.ToAct()) != seat || asks != question {
		r.fail("the engine asks %s of seat %d among %q,\n          want %s of seat %d among %q", asks, r.fast.ToAct(), got, question, seat, want)
	}
	if !slices.Equal(got, want) {
		r.fail("%s of seat %d: the engine has %q too many and %q too few,\n          it has %q", question, seat, refMinus(got, want), refMinus(want, got),
			got)
	}
	for i, x := range r.fast.Returns(nil) {
		if x != 0 {
			r.fail("seat %d has %v in play", i, x)
		}
	}
	r.comparePosition(seat)
}

func refMinus(a, b []string) (rest []string) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			rest = append(rest, x)
		}
	}
	return rest
}

// refUnitDocument is a unit of a JSON position.
type refUnitDocument struct {
	Unit    string
	Hex     string
	Step    int
	Counter string
	CanBe   []string `json:"can_be"`
	Marks   []string
}

// comparePosition compares the engine's JSON position with the reference's.
func (r *refGame) comparePosition(seat int) {
	r.t.Helper()
	text, err := r.fast.(*minuteman.State).Print()
	if err != nil {
		r.fail("%v", err)
	}
	want, facts := r.unitLines(seat), r.facts()
	own, err := json.Marshal([]any{want, facts})
	if err != nil {
		r.fail("%v", err)
	}
	// What has not changed on either side since it was compared last agrees still.
	seen, later, _ := bytes.Cut(text, []byte(`,"decision":`))
	_, later, _ = bytes.Cut(later, []byte(`,"turn":`))
	later, _, ok := bytes.Cut(later, []byte(`,"set_up":`))
	seen = slices.Concat(seen, later, own)
	if ok && bytes.Equal(seen, r.seen) {
		return
	}
	r.seen = seen
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(text, &doc); err != nil {
		r.fail("%v", err)
	}
	var units []refUnitDocument
	if err := json.Unmarshal(doc["units"], &units); err != nil {
		r.fail("%v", err)
	}
	var got []string
	for _, u := range units {
		slices.Sort(u.CanBe)
		mine := r.hex[u.Hex].has(func(x *refUnit) bool { return x.name == u.Unit && x.owner == seat })
		got = append(got, r.line(u.Unit, u.Hex, u.Step, u.Counter, u.CanBe, u.Marks, seat, mine))
	}
	if !slices.Equal(got, want) {
		r.fail("the engine has the units %q\n          want              %q", refMinus(got, want), refMinus(want, got))
	}
	for key, value := range facts {
		a, err := json.Marshal(value)
		if err != nil {
			r.fail("%v", err)
		}
		if string(a) != string(doc[key]) {
			if (key == "players" || key == "foreign") && refWithin(a, doc[key]) {
				continue
			}
			r.fail("%s is %s, want %s", key, doc[key], a)
		}
	}
}

// refWithin reports whether every field of the object want has the same value in got.
func refWithin(want, got []byte) bool {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(want, &a) != nil || json.Unmarshal(got, &b) != nil {
		return false
	}
	for key := range a {
		if string(a[key]) != string(b[key]) {
			return false
		}
	}
	return true
}

// refShown are the marks that are compared; the others end at different moments and
// show in what is legal.
var refShown = []string{"untried", "pinned", "underground", "front_line", "rebel_held", "air_rail", "fought"}

// refDone are the marks of what a unit has done that are compared at the verbs of its owner.
var refDone = map[string][]string{
	"D10": {"acted"}, "D16": {"acted"}, "D62": {"acted", "placed_now"}, "D18": {"moved"}, "D64": {"moved"}, "D40": {"attacked", "advanced"},
}

func (r *refGame) line(unit, hex string, step int, counter string, canBe, marks []string, seat int, mine bool) string {
	var shown []string
	compared := refShown
	if mine && seat != r.federalized {
		compared = slices.Concat(refShown, refDone[r.question])
	}
	for _, m := range compared {
		if slices.Contains(marks, m) && (m != "fought" || strings.HasPrefix(unit, "MM")) {
			shown = append(shown, m)
		}
	}
	return fmt.Sprintf("%s %s %d %s %s %s", hex, unit, step, counter, strings.Join(canBe, "/"), strings.Join(shown, "+"))
}

// unitLines describes the units of the reference as line does those of the engine.
func (r *refGame) unitLines(seat int) (list []string) {
	for _, h := range r.hexes {
		for _, u := range h.units {
			var marks []string
			for mark, on := range map[string]bool{
				"untried": u.untried, "pinned": u.pinned, "underground": u.underground, "front_line": u.frontLine,
				"rebel_held": u.kind == "army" && u.owner != r.gov, "air_rail": u.rail, "fought": u.fought,
				"acted": u.acted && r.question != "D10" || u.toggled && r.question == "D10", "placed_now": u.newInCIG && u.kind == "cig", "moved": u.moved,
				"attacked": u.attacked, "advanced": u.advanced,
			} {
				if on {
					marks = append(marks, mark)
				}
			}
			var canBe []string
			if u.untried {
				canBe = slices.Sorted(maps.Keys(u.canBe))
			}
			list = append(list, r.line(u.name, h.id, u.step, u.counter, canBe, marks, seat, u.owner == seat))
		}
	}
	return list
}

// facts are the fields of a position beside the units, as they must be.
func (r *refGame) facts() map[string]any {
	hexes := func(has func(h *refHex) bool) []string {
		list := []string{}
		for _, h := range r.hexes {
			if has(h) {
				list = append(list, h.id)
			}
		}
		return list
	}
	type hand struct {
		Assassin  int `json:"assassin"`
		Betrayal  int `json:"betrayal"`
		Organizer int `json:"organizer"`
		Passage   int `json:"passage"`
	}
	in := func(m map[string]int) hand { return hand{m["assassin"], m["betrayal"], m["organizer"], m["passage"]} }
	var hands []hand
	var sizes []int
	for _, h := range r.hands {
		hands = append(hands, in(h))
		sizes = append(sizes, h["assassin"]+h["betrayal"]+h["organizer"]+h["passage"])
	}
	facts := map[string]any{
		"phase": r.phase, "turn": r.turn, "revolution_turn": r.rev, "build_track": r.track, "committed": r.committed,
		"riots":     hexes(func(h *refHex) bool { return h.riot }),
		"unrest":    hexes(func(h *refHex) bool { return h.unrest }),
		"informers": hexes(func(h *refHex) bool { return h.informer }),
		"hands":     hands, "hand_sizes": sizes, "pool": in(r.pool), "reinforcements_due": r.due,
		"country_built": []bool{false, r.abroadBuilt["Canada"], r.abroadBuilt["Mexico"]},
		"country_sides": []int{0, refBit(r.abroadRebel["Canada"]), refBit(r.abroadRebel["Mexico"])},
		"players":       r.playersDocument(),
	}
	foreign := map[string]any{"seat": nil, "movement_phases_left": r.foreign.left}
	if r.foreign.called {
		foreign["seat"] = r.foreign.seat
	}
	facts["foreign"] = foreign
	if r.phase == "G3" {
		facts["air_rail_halves"] = r.rail
	}
	return facts
}

// playersDocument holds what a position says of the players.
func (r *refGame) playersDocument() map[string]any {
	optional := func(seat int) any {
		if seat < 0 {
			return nil
		}
		return seat
	}
	type target struct {
		By   int `json:"by"`
		Seat int `json:"seat"`
	}
	truces, targets, out := [][2]int{}, []target{}, []int{}
	for _, x := range r.truces {
		truces = append(truces, [2]int{min(x[0], x[1]), max(x[0], x[1])})
	}
	slices.SortFunc(truces, func(a, b [2]int) int { return 10*a[0] + a[1] - 10*b[0] - b[1] })
	for _, x := range r.targets {
		targets = append(targets, target{x[0], x[1]})
	}
	slices.SortFunc(targets, func(a, b target) int { return 10*a.By + a.Seat - 10*b.By - b.Seat })
	for i := range r.seats {
		if r.out[i] {
			out = append(out, i)
		}
	}
	facts := map[string]any{
		"government": r.gov, "federalized": optional(r.federalized), "pact": optional(r.pact), "eliminated": out,
		"truces": slices.Compact(truces), "targets": targets, "original_government": r.firstGov,
	}
	if r.seats > 2 {
		facts["order"] = r.order
	}
	return facts
}
