package jogu_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
)

// slow is a second implementation of the rules, written to be obvious: cards are
// objects that lie in ordered lists, piles are shuffled at the start, and a game
// is one function that calls others in the order of the rulebook. It shares the
// card data with the engine and nothing else. TestSlowReference plays it and the
// engine side by side: at every decision and chance event both must have the
// same options, weights and facts.
type slow struct {
	t    *testing.T
	g    engine.Game
	s    engine.State
	rng  *rand.PCG
	auto bool
	log  []string

	facts   map[string]slowFacts
	keys    []string // all card keys in the order of their ids
	faction [2]string

	pile, hand, discard [2][]*slowCard // piles from the top
	known               [2]map[string]int
	board               map[int][]*slowCard // by Location, in order of play
	locPile, locDiscard [2][]int
	locCard             [2]int
	locShown, topSeen   [2]bool
	morale              [2]int
	passed              [2]bool
	round, endMarker    int
	start               int
	won                 []int
	battle, ratings     []int
	pending             [2][]*slowCard
	winner              int
	cause               string
	active              int
	ended               bool
}

type slowFacts struct {
	ID               int      `json:"id"`
	Key              string   `json:"key"`
	Faction          string   `json:"faction"`
	Copies           int      `json:"copies"`
	Strength         int      `json:"strength"`
	Morale           int      `json:"morale"`
	CapacityStrength int      `json:"capacity_strength"`
	Protected        bool     `json:"protected"`
	FaceDown         bool     `json:"face_down"`
	OrderFree        bool     `json:"order_free"`
	Timing           []string `json:"timing"`
	Traits           []string `json:"traits"`
}

type slowCard struct {
	slowFacts
	owner  int
	down   bool
	tokens int
	placed bool // its place in the pile is known to the table's record
	knows  [2]bool
}

// slowOver is thrown when the game ends.
type slowOver struct{}

func newSlow(t *testing.T, g engine.Game, first, second string, seed uint64, auto bool) *slow {
	data, err := os.ReadFile("data/cards.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cards []slowFacts `json:"cards"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	r := &slow{t: t, g: g, s: g.New(), rng: rand.NewPCG(seed, 11), auto: auto,
		facts: map[string]slowFacts{}, faction: [2]string{first, second}, board: map[int][]*slowCard{},
		morale: [2]int{30, 30}, round: 1, endMarker: 7, winner: -1}
	for _, c := range file.Cards {
		r.facts[c.Key] = c
		r.keys = append(r.keys, c.Key)
	}
	for p := range 2 {
		r.known[p] = map[string]int{}
		for _, c := range file.Cards {
			if c.Faction == r.faction[p] {
				for range c.Copies {
					r.pile[p] = append(r.pile[p], &slowCard{slowFacts: c, owner: p})
				}
			}
		}
		r.shuffle(len(r.pile[p]), func(i, j int) { r.pile[p][i], r.pile[p][j] = r.pile[p][j], r.pile[p][i] })
		for l := 2; l <= 6; l++ {
			r.locPile[p] = append(r.locPile[p], l, l)
		}
		r.shuffle(10, func(i, j int) { r.locPile[p][i], r.locPile[p][j] = r.locPile[p][j], r.locPile[p][i] })
	}
	return r
}

func (r *slow) n(n int) int { return int(engine.Uint32N(r.rng, uint32(n))) }

func (r *slow) shuffle(n int, swap func(i, j int)) { rand.New(r.rng).Shuffle(n, swap) }

// happen tells the engine the result of a chance event; weights is what every
// possible result should weigh.
func (r *slow) happen(name string, weights map[string]int) {
	r.log = append(r.log, name)
	got := map[string]int{}
	if r.s.ToAct() == engine.Chance {
		for _, o := range r.s.(engine.Stochastic).Outcomes(nil) {
			got[engine.MoveName(r.g, r.s, o.Action)] = int(o.Weight)
		}
	}
	if !maps.Equal(got, weights) {
		r.t.Fatalf("%q: chance is %v (seat %d to act), want %v", r.log, got, r.s.ToAct(), weights)
	}
	r.apply(name)
}

func (r *slow) apply(name string) {
	a, err := engine.FindMove(r.g, r.s, name)
	if err == nil {
		err = r.s.Apply(a)
	}
	if err != nil {
		r.t.Fatalf("%q: %v", r.log, err)
	}
}

// ask lets player p choose one of the options, which are action names.
func (r *slow) ask(decision string, p int, options []string) string {
	slices.SortFunc(options, func(a, b string) int { return r.index(a) - r.index(b) })
	options = slices.Compact(options)
	if r.auto && len(options) == 1 {
		return options[0]
	}
	var got []string
	for _, a := range r.s.Legal(nil) {
		got = append(got, engine.MoveName(r.g, r.s, a))
	}
	if int(r.s.ToAct()) != p || !slices.Equal(got, options) {
		r.t.Fatalf("%q: seat %d has %v, want %s of seat %d with %v", r.log, r.s.ToAct(), got, decision, p, options)
	}
	r.compare(decision)
	choice := options[r.n(len(options))]
	if choice == "END" && decision == "D2" && r.n(3) > 0 { // longer rounds meet more rules
		choice = options[r.n(len(options))]
	}
	r.log = append(r.log, choice)
	r.apply(choice)
	return choice
}

func (r *slow) index(action string) int { return slices.Index(r.g.Spec().Actions, action) }

// cardOptions names the types of the cards that pass the test.
func cardOptions(cards []*slowCard, ok func(*slowCard) bool) []string {
	var names []string
	for _, c := range cards {
		if ok == nil || ok(c) {
			names = append(names, "CARD_"+c.Key)
		}
	}
	return names
}

// take removes the first card of that action name.
func take(cards *[]*slowCard, action string) *slowCard {
	i := slices.IndexFunc(*cards, func(c *slowCard) bool { return "CARD_"+c.Key == action })
	c := (*cards)[i]
	*cards = slices.Delete(*cards, i, i+1)
	return c
}

func locations(ls []int) []string {
	var names []string
	for _, l := range ls {
		names = append(names, fmt.Sprintf("LOC_%d", l))
	}
	return names
}

func number(action string) int { return int(action[len(action)-1] - '0') }

// identify reveals the card at place i of p's pile, by chance unless its place
// was known or all cards of unknown place are alike.
func (r *slow) identify(p, i int) *slowCard {
	c := r.pile[p][i]
	if c.placed {
		return c
	}
	weights := map[string]int{}
	for _, x := range r.pile[p] {
		if !x.placed {
			weights["DRAW_"+x.Key]++
		}
	}
	if len(weights) > 1 {
		r.happen("DRAW_"+c.Key, weights)
	}
	c.placed = true
	return c
}

func (r *slow) draw(p int) {
	if len(r.pile[p]) == 0 {
		return
	}
	c := r.identify(p, 0)
	r.pile[p] = r.pile[p][1:]
	if c.knows[1-p] {
		r.known[p][c.Key]++
	}
	c.placed, c.knows = false, [2]bool{}
	r.hand[p] = append(r.hand[p], c)
}

func (r *slow) under(p int, c *slowCard) {
	c.placed, c.knows = true, [2]bool{true, true}
	r.pile[p] = append(r.pile[p], c)
}

func (r *slow) leaveHand(p int, c *slowCard) {
	if r.known[p][c.Key] > 0 {
		r.known[p][c.Key]--
	}
}

func (r *slow) throw(c *slowCard) {
	c.tokens, c.down = 0, false
	r.discard[c.owner] = append(r.discard[c.owner], c)
}

func (r *slow) inPlay(keep func(*slowCard) bool) []*slowCard {
	var cards []*slowCard
	for l := 2; l <= 6; l++ {
		for _, c := range r.board[l] {
			if keep(c) {
				cards = append(cards, c)
			}
		}
	}
	return cards
}

func (r *slow) remove(l int, c *slowCard) {
	i := slices.Index(r.board[l], c)
	r.board[l] = slices.Delete(r.board[l], i, i+1)
}

func (r *slow) loseMorale(p, n int) {
	r.morale[p] -= n
	if r.morale[p] <= 0 {
		r.morale[p] = 0
		r.winner, r.cause = 1-p, "morale"
		panic(slowOver{})
	}
}

// topLocation identifies the top Location Card of p, after a reshuffle if the
// pile is empty.
func (r *slow) topLocation(p int) int {
	if len(r.locPile[p]) == 0 {
		r.locPile[p], r.locDiscard[p] = r.locDiscard[p], nil
		r.shuffle(len(r.locPile[p]), func(i, j int) { r.locPile[p][i], r.locPile[p][j] = r.locPile[p][j], r.locPile[p][i] })
	}
	if !r.topSeen[p] {
		weights := map[string]int{}
		for _, l := range r.locPile[p] {
			weights[fmt.Sprintf("LOCATION_%d", l)]++
		}
		if len(weights) > 1 {
			r.happen(fmt.Sprintf("LOCATION_%d", r.locPile[p][0]), weights)
		}
	}
	return r.locPile[p][0]
}

// play runs the whole game.
func (r *slow) play() {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(slowOver); !ok {
				panic(e)
			}
			r.ended = true
			r.compare("")
		}
	}()
	r.start = r.n(2)
	r.happen(fmt.Sprintf("START_%d", r.start), map[string]int{"START_0": 1, "START_1": 1})
	for {
		r.reinforcement()
		r.scout()
		r.deployment()
		r.resolution()
		r.cleanup()
	}
}

func (r *slow) order() [2]int { return [2]int{r.start, 1 - r.start} }

func (r *slow) reinforcement() {
	for _, p := range r.order() {
		r.active = p
		last := 0
		for len(r.hand[p]) > 0 {
			left := slices.Clone(r.hand[p])
			for _, c := range r.pending[p] {
				left = slices.Delete(left, slices.Index(left, c), slices.Index(left, c)+1)
			}
			options := append(cardOptions(left, func(c *slowCard) bool { return c.ID >= last }), "END")
			a := r.ask("D1", p, options)
			if a == "END" {
				break
			}
			c := take(&left, a)
			last = c.ID
			r.pending[p] = append(r.pending[p], c)
		}
	}
	for p := range 2 {
		for _, c := range r.pending[p] {
			r.hand[p] = slices.Delete(r.hand[p], slices.Index(r.hand[p], c), slices.Index(r.hand[p], c)+1)
			r.leaveHand(p, c)
			r.throw(c)
		}
		r.pending[p] = nil
	}
	for _, p := range r.order() {
		for len(r.hand[p]) < 7 && len(r.pile[p]) > 0 {
			r.draw(p)
		}
	}
}

func (r *slow) scout() {
	for _, p := range r.order() {
		r.locCard[p] = r.topLocation(p)
		r.locPile[p] = r.locPile[p][1:]
		r.topSeen[p] = false
	}
}

func (r *slow) deployment() {
	r.active = r.start
	for !r.passed[0] || !r.passed[1] {
		if r.passed[r.active] {
			r.active = 1 - r.active
		}
		p := r.active
		options := append(cardOptions(r.hand[p], func(c *slowCard) bool { return len(r.legal(c)) > 0 }), "END")
		a := r.ask("D2", p, options)
		if a == "END" {
			r.passed[p] = true
		} else {
			c := take(&r.hand[p], a)
			r.leaveHand(p, c)
			r.playCard(p, c)
		}
		r.active = 1 - r.active
	}
}

func (r *slow) resolution() {
	for _, c := range r.inPlay(func(c *slowCard) bool { return c.down }) {
		c.down = false
	}
	at := func(l int, key string) int {
		n := 0
		for _, c := range r.board[l] {
			if c.Key == key {
				n++
			}
		}
		return n
	}
	battle := map[int]bool{r.locCard[0]: true, r.locCard[1]: true}
	for l := 2; l <= 6; l++ {
		if at(l, "dragoon") > 0 {
			battle[2] = true
		}
		if at(l, "lantern_bearer") > 0 {
			battle[l] = true
		}
	}
	for l := 2; l <= 6; l++ {
		if at(l, "punisher") > 0 {
			delete(battle, l)
		}
	}
	r.battle = slices.Sorted(maps.Keys(battle))
	for l := 2; l <= 6; l++ {
		total := 0
		for _, c := range r.board[l] {
			total += c.Strength
		}
		for _, c := range r.board[l] {
			if c.Key == "master_of_earth" {
				r.morale[c.owner] += max(0, 10-total)
			}
		}
	}
	r.ratings = []int{0, 0}
	for _, l := range r.battle {
		for _, c := range r.board[l] {
			r.ratings[c.owner] += l * c.Strength
		}
	}
	winner := r.start
	if r.ratings[0] > r.ratings[1] {
		winner = 0
	} else if r.ratings[1] > r.ratings[0] {
		winner = 1
	}
	r.won = append(r.won, winner)
	loss := 0
	for _, c := range r.inPlay(func(c *slowCard) bool { return c.owner != winner }) {
		loss += c.Morale
	}
	r.locShown = [2]bool{true, true}
	r.loseMorale(1-winner, loss)
}

func (r *slow) cleanup() {
	for l := 2; l <= 6; l++ {
		var stay []*slowCard
		for _, c := range r.board[l] {
			if c.tokens > 0 {
				c.tokens--
				stay = append(stay, c)
			} else {
				r.throw(c)
			}
		}
		r.board[l] = stay
	}
	for p := range 2 {
		r.locDiscard[p] = append(r.locDiscard[p], r.locCard[p])
	}
	r.locCard, r.locShown, r.passed = [2]int{}, [2]bool{}, [2]bool{}
	if r.round == r.endMarker {
		points := [2]int{}
		for _, p := range r.won {
			points[p]++
		}
		switch {
		case points[0] != points[1]:
			r.cause, r.winner = "victory_points", 0
			if points[1] > points[0] {
				r.winner = 1
			}
		default:
			r.cause, r.winner = "tie_break_last_round", r.won[len(r.won)-1]
		}
		panic(slowOver{})
	}
	r.round++
	r.start = 1 - r.start
}
