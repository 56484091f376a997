package domination

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/soak"
)

// The slow reference: the rules once more, as a program that plays a game from top
// to bottom and asks where somebody has to choose. It has maps and lists in place of
// bit sets, nested calls in place of frames and phases, and a function per card in
// place of the ops; it shares the numbers printed on cards and map with the engine,
// and nothing else. At every question it demands that the engine asks the same one,
// with the same options, in the same situation.

// slowForce is the Force in an Area.
type slowForce struct {
	owner int
	full  bool
}

// slowPlayer is what belongs to a player; cards are counted by name.
type slowPlayer struct {
	hand, deck, discard, known map[string]int
	vp, logistics              int
	passed, fog                bool
}

type slowGame struct {
	t    *testing.T
	rng  *rand.PCG
	fast *State

	n, turns, copies, logisticsMax int
	rotate, auto                   bool

	cards    map[string]*Card
	order    []string // card names by index
	areas    []string // Area ids by index
	adjacent map[string][]string
	regions  [][]string
	resource map[string][]string

	board                map[string]slowForce
	players              []*slowPlayer
	stacks               map[string]int
	turn, first, active  int
	used                 bool
	decisions, questions int
}

func newSlowGame(t *testing.T, g *game, rng *rand.PCG) *slowGame {
	b := g.box
	s := &slowGame{
		t: t, rng: rng, fast: g.New().(*State), n: int(g.seats), turns: int(g.turns), copies: int(g.copies),
		logisticsMax: int(g.maxLogistics), rotate: g.rotate, auto: g.autoForced,
		cards: map[string]*Card{}, adjacent: map[string][]string{}, resource: map[string][]string{},
		board: map[string]slowForce{}, stacks: map[string]int{}, first: -1,
	}
	for i := range b.Cards {
		s.cards[b.Cards[i].Name] = &b.Cards[i]
		s.order = append(s.order, b.Cards[i].Name)
	}
	for i := range b.Areas {
		s.areas = append(s.areas, b.Areas[i].ID)
	}
	ids := func(set AreaSet) (list []string) {
		for a := range set.Each() {
			list = append(list, s.areas[a])
		}
		return list
	}
	for i := range b.Areas {
		s.adjacent[s.areas[i]] = ids(b.Areas[i].Adjacent)
	}
	for i := range b.Regions {
		s.regions = append(s.regions, ids(b.Regions[i].Areas))
		s.resource[b.Resources[i].Name] = ids(b.Resources[i].Areas)
	}
	for range s.n {
		s.players = append(s.players, &slowPlayer{
			hand: map[string]int{}, deck: map[string]int{"Domination": 4}, discard: map[string]int{}, known: map[string]int{}, logistics: 4,
		})
	}
	return s
}

func (s *slowGame) sea(area string) bool { return slices.Index(s.areas, area) >= 18 }

// ask puts a question to a seat and returns the answer.
func (s *slowGame) ask(seat int, decision string, options []string) string {
	s.t.Helper()
	if len(options) == 0 {
		s.t.Fatalf("%s asks seat %d without an option", decision, seat)
	}
	// A hand that leaves no other answer is not given away (R11.1).
	tells := decision == "D1" || decision == "D2" && size(s.players[seat].hand) > 1
	if s.auto && len(options) == 1 && !tells {
		return options[0]
	}
	s.compare(seat, decision, options)
	a := options[engine.Uint32N(s.rng, uint32(len(options)))]
	s.apply(a, s.fast.G.spec.Actions)
	s.decisions++
	return a
}

// draw draws one of the things with chances in the ratio of their weights, without an
// event if everybody is sure of it.
func (s *slowGame) draw(event string, weights map[string]uint32, sure bool) string {
	s.t.Helper()
	names := slices.Sorted(maps.Keys(weights))
	if sure {
		_, thing, _ := strings.Cut(names[0], " ")
		return thing
	}
	s.compare(-1, event, names)
	total := uint32(0)
	for _, o := range s.fast.Outcomes(nil) {
		if name := s.fast.G.spec.Outcomes[o.Action]; o.Weight != weights[name] {
			s.t.Fatalf("%s has the weight %d, want %d", name, o.Weight, weights[name])
		}
		total += o.Weight
	}
	x := engine.Uint32N(s.rng, total)
	for _, name := range names {
		if x < weights[name] {
			s.apply(name, s.fast.G.spec.Outcomes)
			_, thing, _ := strings.Cut(name, " ")
			return thing
		}
		x -= weights[name]
	}
	panic("weights")
}

func (s *slowGame) apply(name string, names []string) {
	s.t.Helper()
	if err := s.fast.Apply(engine.Action(slices.Index(names, name))); err != nil {
		s.t.Fatal(err)
	}
}

// compare demands that the engine waits for the same answer in the same situation.
func (s *slowGame) compare(seat int, ask string, options []string) {
	s.t.Helper()
	var got []string
	for _, a := range engine.Moves(s.fast) {
		names := s.fast.G.spec.Actions
		if seat < 0 {
			names = s.fast.G.spec.Outcomes
		}
		got = append(got, names[a])
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(options))
	if int(s.fast.ToAct()) != seat || s.fast.G.table[s.fast.P.Ask].Name != ask || !slices.Equal(got, want) {
		s.t.Fatalf("Game Turn %d: the engine asks %s of seat %d among %q, want %s of seat %d among %q",
			s.turn, s.fast.G.table[s.fast.P.Ask].Name, s.fast.ToAct(), got, ask, seat, want)
	}
	if s.questions++; s.questions%7 == 0 || ask == "D1" {
		s.compareTables()
	}
}

// document is what the reference reads of a JSON position.
type document struct {
	Turn         int                 `json:"turn"`
	FirstPlayer  *int                `json:"first_player"`
	Active       *int                `json:"active"`
	UsedThisTurn bool                `json:"used_this_turn"`
	Passed       []bool              `json:"passed"`
	VP           []int               `json:"vp"`
	Logistics    []int               `json:"logistics"`
	Stacks       map[string]int      `json:"stacks"`
	Areas        map[string]*force   `json:"areas"`
	Hands        map[string][]string `json:"hands"`
	Discards     map[string][]string `json:"discards"`
	Known        map[string][]string `json:"known"`
	FogPlayers   []int               `json:"fog_players"`
	DrawDecks    map[string][]struct {
		Unknown map[string]int `json:"unknown"`
	} `json:"draw_decks"`
}

// compareTables compares the engine's JSON position with the reference's table.
func (s *slowGame) compareTables() {
	s.t.Helper()
	data, err := s.fast.MarshalJSON()
	if err != nil {
		s.t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		s.t.Fatal(err)
	}
	for _, a := range s.areas {
		var want *force
		if f, ok := s.board[a]; ok {
			want = &force{f.owner, map[bool]string{true: "full", false: "struggling"}[f.full]}
		}
		if got := d.Areas[a]; (got == nil) != (want == nil) || got != nil && *got != *want {
			s.t.Fatalf("%s holds %+v, want %+v", a, got, want)
		}
	}
	for i, p := range s.players {
		key := fmt.Sprint(i)
		deck := map[string]int{}
		for _, e := range d.DrawDecks[key] {
			maps.Copy(deck, e.Unknown)
		}
		for what, pair := range map[string][2]map[string]int{
			"hand": {count(d.Hands[key]), p.hand}, "discards": {count(d.Discards[key]), p.discard},
			"known": {count(d.Known[key]), p.known}, "draw deck": {deck, p.deck},
		} {
			if !maps.Equal(pair[0], positive(pair[1])) {
				s.t.Fatalf("%s of seat %d is %v, want %v", what, i, pair[0], positive(pair[1]))
			}
		}
		if d.VP[i] != p.vp || d.Logistics[i] != p.logistics || d.Passed[i] != p.passed || slices.Contains(d.FogPlayers, i) != p.fog {
			s.t.Fatalf("seat %d has %d VPs, %d logistics, passed %v, fog %v; want %+v", i, d.VP[i], d.Logistics[i], d.Passed[i], d.FogPlayers, p)
		}
	}
	if !maps.Equal(d.Stacks, s.stacks) || d.Turn != s.turn || s.first >= 0 && *d.FirstPlayer != s.first {
		s.t.Fatalf("stacks %v, Game Turn %d, First Player %d; want %v, %d, %d", d.Stacks, d.Turn, *d.FirstPlayer, s.stacks, s.turn, s.first)
	}
	if d.Active != nil && (*d.Active != s.active || d.UsedThisTurn != s.used) {
		s.t.Fatalf("seat %d is active, used %v; want %d, %v", *d.Active, d.UsedThisTurn, s.active, s.used)
	}
}

func count(names []string) map[string]int {
	m := map[string]int{}
	for _, n := range names {
		m[n]++
	}
	return m
}

func positive(m map[string]int) map[string]int {
	out := map[string]int{}
	for k, n := range m {
		if n > 0 {
			out[k] = n
		}
	}
	return out
}

func size(m map[string]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

// play plays a whole game (sections 5, 6, 9 and 10 of the specification).
func (s *slowGame) play() {
	s.setUp()
	for s.turn = 1; s.turn <= s.turns; s.turn++ {
		if s.rotate && s.turn >= 2 {
			s.first = (s.first + 1) % s.n
		}
		s.active, s.used = s.first, false
		for _, p := range s.players {
			p.passed = false
		}
		for k := range s.n {
			s.drawCards(s.players[(s.first+k)%s.n])
		}
		s.anytimeWindow()
		s.cardPlay()
		s.scoring()
	}
	s.end()
}

func (s *slowGame) setUp() {
	var left []string
	for i, name := range s.order {
		if s.fast.G.types.Has(CardID(i)) {
			left = append(left, name)
		}
	}
	pool := s.fast.G.start.Pool // a fixed one, or empty
	if pool.Size() == 10 {
		for c, name := range s.order {
			if pool.Has(CardID(c)) {
				s.stacks[name] = s.copies
			}
		}
	}
	for k := len(s.stacks); k < 10; k++ {
		weights := map[string]uint32{}
		for i, name := range left {
			// The pools whose next type this is: sets of the other 9-k among those above.
			if w := binomial(len(left)-1-i, 9-k); w > 0 {
				weights["POOL "+name] = w
			}
		}
		name := s.draw("C1", weights, len(weights) == 1)
		left = left[slices.Index(left, name)+1:]
		s.stacks[name] = 0
	}
	for name := range s.stacks {
		s.stacks[name] = s.copies
	}
	if fixed := s.fast.G.start.First; fixed != NoSeat {
		s.first = int(fixed)
		return
	}
	weights := map[string]uint32{}
	for i := range s.n {
		weights[fmt.Sprint("FIRST_PLAYER ", i)] = 1
	}
	fmt.Sscan(s.draw("C2", weights, false), &s.first)
}

// binomial counts the subsets by Pascal's rule.
func binomial(n, k int) uint32 {
	if k == 0 {
		return 1
	}
	if n < k {
		return 0
	}
	return binomial(n-1, k-1) + binomial(n-1, k)
}

// drawCards is R6.2 for one player.
func (s *slowGame) drawCards(p *slowPlayer) {
	for range p.logistics {
		if size(p.deck) == 0 {
			p.deck, p.discard = p.discard, map[string]int{}
		}
		if size(p.deck) == 0 {
			return
		}
		weights, sure := map[string]uint32{}, true
		for name, n := range positive(p.deck) {
			weights["DRAW "+name] = uint32(n)
			sure = sure && len(weights) == 1
		}
		for name, n := range p.hand { // cards of which only the owner knows that they are not in the deck
			sure = sure && (size(p.deck) == 1 || n <= p.known[name] || p.deck[name] > 0)
		}
		name := s.draw("draw", weights, sure)
		p.deck[name]--
		p.hand[name]++
		if size(p.deck) == 0 {
			p.known = maps.Clone(p.hand)
		}
	}
}

// cardPlay is R6.3 to R6.6.
func (s *slowGame) cardPlay() {
	for s.active = s.first; ; s.active = (s.active + 1) % s.n {
		unlocked := 0
		for _, p := range s.players {
			unlocked += bit(!p.passed)
		}
		if unlocked == 0 {
			return
		}
		if !s.players[s.active].passed {
			s.oneTurn(unlocked == 1)
		}
	}
}

// oneTurn is the turn of the active player, who is alone if all others are locked.
func (s *slowGame) oneTurn(alone bool) {
	p := s.players[s.active]
	for s.used = false; ; s.used = true {
		closing := "PASS"
		if s.used && !alone {
			closing = "END_TURN"
		}
		answer := closing
		if size(p.hand) > 0 {
			answer = s.ask(s.active, "D1", append(s.uses(s.active), closing))
		}
		if answer == closing {
			p.passed = closing == "PASS"
			s.used = false
			return
		}
		s.used = true
		verb, name, _ := strings.Cut(answer, " ")
		s.use(s.active, verb, name)
		if verb == "BUILD_WITH" || verb == "ATTACK_WITH" || verb == "TEXT_OF" {
			s.anytimeWindow()
		}
	}
}

// anytimeWindow is D14: rounds of questions until one brings no play.
func (s *slowGame) anytimeWindow() {
	s.window(func() []int {
		var order []int
		for k := 1; k < s.n; k++ {
			order = append(order, (s.active+k)%s.n)
		}
		return order
	}(), "D14", "Airborne Forces")
}

// window asks the seats in order for the cards named and begins again after a play.
func (s *slowGame) window(order []int, decision string, cards ...string) {
	for k := 0; k < len(order); k++ {
		seat := order[k]
		var options []string
		for _, name := range cards {
			if s.players[seat].hand[name] > 0 && s.textWorks(seat, name, decision == "D15") {
				options = append(options, "TEXT_OF "+name)
			}
		}
		if options == nil {
			continue
		}
		answer := s.ask(seat, decision, append(options, "DECLINE"))
		if answer != "DECLINE" {
			s.use(seat, "TEXT_OF", strings.TrimPrefix(answer, "TEXT_OF "))
			k = -1
		}
	}
}

// scoring is R9.1 to R9.5.
func (s *slowGame) scoring() {
	var order []int
	for k := range s.n {
		order = append(order, (s.first+k)%s.n)
	}
	s.window(order, "D15", "Airborne Forces", "Fog of War")
	for i, p := range s.players {
		for a, f := range s.board {
			if f.owner == i {
				p.vp += (1 + bit(f.full)) * (1 + bit(s.sea(a)))
			}
		}
		for _, r := range s.regions {
			if s.controlsAll(i, r) && !s.fogged(i) {
				p.vp += 6
			}
		}
	}
	for _, p := range s.players {
		p.fog = false
	}
	if s.turn < s.turns {
		s.window(order, "D16", "Airborne Forces")
	}
	for i, p := range s.players {
		for _, areas := range s.resource {
			p.logistics += bit(s.controlsAll(i, areas))
		}
		p.logistics = min(p.logistics, s.logisticsMax)
	}
}

func (s *slowGame) controlsAll(seat int, areas []string) bool {
	for _, a := range areas {
		if f, ok := s.board[a]; !ok || f.owner != seat {
			return false
		}
	}
	return true
}

// fogged reports whether anybody else has played Fog of War.
func (s *slowGame) fogged(seat int) bool {
	for i, p := range s.players {
		if p.fog && i != seat {
			return true
		}
	}
	return false
}

// end compares the end of the game (R10.2).
func (s *slowGame) end() {
	most, winners := -1, 0
	for _, p := range s.players {
		if p.vp > most {
			most, winners = p.vp, 0
		}
		winners += bit(p.vp == most)
	}
	if s.fast.ToAct() != engine.Terminal {
		s.t.Fatalf("the game should be over, the engine asks %s of seat %d", s.fast.G.table[s.fast.P.Ask].Name, s.fast.ToAct())
	}
	for _, p := range s.players {
		p.passed = true
	}
	s.compareTables()
	for i, got := range s.fast.Returns(nil) {
		want := float32(0)
		if s.players[i].vp == most {
			want = 1 / float32(winners)
		}
		if got != want {
			s.t.Fatalf("seat %d returns %g, want %g", i, got, want)
		}
	}
}

func TestSlowReferenceAgrees(t *testing.T) {
	for _, c := range []struct {
		options string
		games   int
	}{
		{"players=2", 6}, {"players=3,auto_forced=false", 4}, {"players=4,extended_pool=true", 4},
		{"players=5,rotate_first_player=true,turns=5", 3}, {"players=6", 2},
		{"players=3,copies_per_stack=12,logistics_max=20,turns=12,first_player=2", 2},
		{"players=4,turns=3,fixed_pool=airborne_forces+bio_weapons+fog_of_war+global_disruption+insurgents+mega_storm+military_base+out_of_supply+surrender+show_of_force", 6},
	} {
		g := testGame(t, c.options)
		for seed := range soak.Times(c.games) {
			s := newSlowGame(t, g, rand.NewPCG(uint64(seed), 8))
			s.play()
			if t.Failed() {
				t.Fatalf("domination(%s), seed %d", c.options, seed)
			}
		}
	}
}
