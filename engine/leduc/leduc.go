// Package leduc is Leduc poker (Southey et al., "Bayes' Bluff: Opponent
// Modelling in Poker", 2005): six cards in two suits, two rounds of betting, a
// public card between them, two seats. It has 936 information states (suits
// told apart), and its value for the first seat is -0.085606 under optimal play.
package leduc

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
)

//go:embed data/rules.json
var rules []byte

// Family makes Leduc poker; it has no options.
var Family = engine.Family{
	Name:  "leduc",
	Title: "Leduc poker",
	Rules: rules,
	Configure: func(option.Values) (engine.Game, error) {
		return game{}, nil
	},
}

// The actions. A call that has nothing to match is a check.
const (
	Fold engine.Action = iota
	Call
	Raise
)

// The limits of the betting (R1.1, R1.2, R2.3).
const (
	numCards  = 6
	maxRaises = 2 // in each round, by both seats together
	ante      = 1
	// MaxActions is the longest betting of one round: call, raise, raise, call.
	MaxActions = 4
)

// raiseBy is what a raise adds to the stake, by round (R2.2).
var raiseBy = [2]uint8{2, 4}

var cardNames = []string{"Js", "Jh", "Qs", "Qh", "Ks", "Kh"}

var spec = engine.Spec{
	Name: "leduc", Title: "Leduc poker", Text: "leduc", Version: 1, Seats: 2,
	Actions:      []string{"fold", "call", "raise"},
	Outcomes:     cardNames,
	MaxDecisions: 2 * MaxActions, MaxMoves: 2*MaxActions + 3,
	MinReturn: -13, MaxReturn: 13, Payoff: engine.ZeroSum,
}

type game struct{}

func (game) Spec() *engine.Spec { return &spec }
func (game) New() engine.State  { return newState() }

func newState() *State {
	return &State{Position: Position{paid: [2]uint8{ante, ante}}}
}

// noCard stands for a card not dealt or hidden; the cards are 1 to 6 in the
// order of cardNames, so that (c-1)/2 is the rank.
const noCard = 0

// State is a game of Leduc poker.
type State struct {
	Position
	w *flow.Witness // nil while nobody listens
}

// View is what a seat knows of it.
type View struct {
	Position
	seat engine.Player // whose view it is
}

// Position is what has been dealt and played.
type Position struct {
	cards  [3]uint8    // private card of each seat, then the public card
	dealt  uint8       // cards dealt, 0 to 3
	round  uint8       // betting round, 0 or 1
	taken  [2]uint8    // actions taken in each round, 0 to 4
	bets   [2][4]uint8 // the actions taken in each round
	raises uint8       // raises in this round, 0 to 2
	paid   [2]uint8    // chips put in by each seat, ante included
	folded uint8       // 1 + the seat that has folded, or 0
	ended  bool        // the game is over
}

// dealing reports whether a card is due: two private ones at the start, the
// public one before the second round (R2.5).
func (s *Position) dealing() bool { return s.dealt < 2+s.round }

// ToAct implements engine.State.
func (s *Position) ToAct() engine.Player {
	switch {
	case s.ended:
		return engine.Terminal
	case s.dealing():
		return engine.Chance
	}
	return engine.Player(s.taken[s.round] & 1)
}

// Legal implements engine.State and R2.1: a fold only against a bet, a raise only below
// the limit.
func (s *Position) Legal(dst []engine.Action) []engine.Action {
	if s.ended || s.dealing() {
		return dst
	}
	if s.paid[0] != s.paid[1] {
		dst = append(dst, Fold)
	}
	dst = append(dst, Call)
	if s.raises < maxRaises {
		dst = append(dst, Raise)
	}
	return dst
}

// held tells whether the card has been dealt.
func (s *Position) held(c uint8) bool {
	return s.cards[0] == c || s.cards[1] == c || s.cards[2] == c
}

// Outcomes implements engine.Stochastic: the cards not yet dealt.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.ended || !s.dealing() {
		return dst
	}
	for c := uint8(1); c <= numCards; c++ {
		if !s.held(c) {
			dst = append(dst, engine.Outcome{Action: engine.Action(c - 1), Weight: 1})
		}
	}
	return dst
}

// deal deals a card that has not been dealt.
func (s *State) deal(card engine.Action) {
	if s.w != nil {
		s.tellDeal(card)
	}
	s.cards[s.dealt] = uint8(card) + 1
	s.dealt++
}

// Draw implements engine.Drawer: it leaves out the cards dealt, the lower one first.
func (s *State) Draw(rng *rand.PCG, room []engine.Outcome) (engine.Action, []engine.Outcome) {
	card := uint8(engine.Uint32N(rng, numCards-uint32(s.dealt))) + 1
	low, high := min(s.cards[0], s.cards[1]), max(s.cards[0], s.cards[1])
	if s.dealt > 1 && card >= low {
		card++
	}
	if s.dealt > 0 && card >= high {
		card++
	}
	s.deal(engine.Action(card) - 1)
	return engine.Action(card) - 1, room
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	switch {
	case s.ended:
		return fmt.Errorf("%w: action %d after the end of the game", engine.ErrIllegal, a)
	case s.dealing():
		if a < 0 || a >= numCards || s.held(uint8(a)+1) {
			return fmt.Errorf("%w: outcome %d of the deal", engine.ErrIllegal, a)
		}
		s.deal(a)
		return nil
	}
	p := s.taken[s.round] & 1
	switch {
	case a == Call:
	case a == Fold && s.paid[0] != s.paid[1]:
	case a == Raise && s.raises < maxRaises:
	default:
		return fmt.Errorf("%w: action %d with stakes of %d and %d after %d raises", engine.ErrIllegal, a, s.paid[0], s.paid[1], s.raises)
	}
	if s.w != nil {
		s.tellMove(a)
	}
	s.bets[s.round][s.taken[s.round]] = uint8(a)
	s.taken[s.round]++
	switch a {
	case Fold:
		s.folded, s.ended = 1+p, true
	case Raise:
		s.paid[p] = s.paid[1-p] + raiseBy[s.round]
		s.raises++
	default:
		s.paid[p] = s.paid[1-p]
		if s.taken[s.round] > 1 { // the first call of a round is a check
			s.endRound()
		}
	}
	if s.w != nil && s.ended {
		s.tellEnd()
	}
	return nil
}

// endRound implements R2.4.
func (s *State) endRound() {
	if s.round == 1 {
		s.ended = true
		return
	}
	s.round, s.raises = 1, 0
}

// rank implements R3.2: the worth of a seat's hand. A pair with the public card beats
// everything, else the higher card counts.
func (s *State) rank(p int) uint8 {
	r := (s.cards[p] + 1) / 2
	if r == (s.cards[2]+1)/2 {
		return r + 3
	}
	return r
}

// Returns implements engine.State, R3.1 and R3.2: chips won, which is what the loser
// has put in.
func (s *State) Returns(dst []float32) []float32 {
	if !s.ended {
		return append(dst, 0, 0)
	}
	switch {
	case s.folded != 0:
		lost := float32(s.paid[s.folded-1])
		if s.folded == 1 {
			return append(dst, -lost, lost)
		}
		return append(dst, lost, -lost)
	case s.rank(0) == s.rank(1):
		return append(dst, 0, 0)
	case s.rank(0) > s.rank(1):
		return append(dst, float32(s.paid[1]), -float32(s.paid[1]))
	}
	return append(dst, -float32(s.paid[0]), float32(s.paid[0]))
}

// CopyFrom implements engine.State. The listener stays the receiver's.
func (s *State) CopyFrom(src engine.State) { s.Position = src.(*State).Position }

// Hash implements engine.State. The cards and the betting say all.
func (s *Position) Hash() uint64 {
	h := engine.NewHash().Bytes(s.cards[:]).Word(uint64(s.dealt))
	for r, n := range s.taken {
		h = h.Bytes(s.bets[r][:n])
	}
	return uint64(h)
}

// showdown tells whether the game has ended with both cards on the table.
func (s *Position) showdown() bool { return s.ended && s.folded == 0 }

// NewView implements engine.Hidden.
func (s *State) NewView() engine.View { return &View{} }

// See implements engine.Hidden. What is hidden is the other seat's card, unless a
// showdown has shown it.
func (s *State) See(p engine.Player, v engine.View) {
	view := v.(*View)
	view.Position, view.seat = s.Position, p
	if p != engine.Everything && !s.showdown() {
		view.cards[1-p] = noCard
	}
}

// Redeal implements engine.Hidden.
func (s *State) Redeal(v engine.View, rng *rand.PCG) {
	view := v.(*View)
	s.Position = view.Position
	p := view.seat
	if 1-uint8(p) >= s.dealt || s.showdown() {
		return
	}
	var left [numCards]uint8
	n := uint32(0)
	for c := uint8(1); c <= numCards; c++ {
		if !s.held(c) {
			left[n] = c
			n++
		}
	}
	s.cards[1-p] = left[engine.Uint32N(rng, n)]
}

// Shows implements engine.Secretive: a private card is seen by the seat that it
// is dealt to.
func (s *State) Shows(p engine.Player, _ engine.Action) bool {
	return s.dealt >= 2 || p == engine.Player(s.dealt)
}

// InfoState implements engine.Recaller: the seat, its card, the public card and
// the betting of both rounds.
func (s *Position) InfoState(dst []byte, p engine.Player) []byte {
	dst = append(dst, '0'+byte(p), '0'+s.cards[p], '0'+s.cards[2])
	for r, n := range s.taken {
		dst = append(dst, ':')
		for _, a := range s.bets[r][:n] {
			dst = append(dst, "fcr"[a])
		}
	}
	return dst
}

// Card returns the private card of seat p, or with p = 2 the public card, as an
// outcome number, or -1 if it is unknown.
func (s *View) Card(p int) int { return int(s.cards[p]) - 1 }

// Betting returns the actions taken in round 0 or 1. The slice belongs to the
// state.
func (s *View) Betting(round int) []uint8 { return s.bets[round][:s.taken[round]] }

// Paid returns the chips that seat p has put in.
func (s *View) Paid(p engine.Player) int { return int(s.paid[p]) }

func name(c uint8) string {
	if c == noCard {
		return "??"
	}
	return cardNames[c-1]
}

// Text implements engine.Teller.
func (s *View) Text(engine.Player) string {
	var b strings.Builder
	for p := range 2 {
		fmt.Fprintf(&b, "seat %d: %s, %d in the pot\n", p, name(s.cards[p]), s.paid[p])
	}
	for r, n := range s.taken {
		if r == 1 && s.round == 1 {
			fmt.Fprintf(&b, "public card: %s\n", name(s.cards[2]))
		}
		if n > 0 {
			fmt.Fprintf(&b, "round %d:", r+1)
			for _, a := range s.bets[r][:n] {
				b.WriteString(" " + spec.Actions[a])
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// Question implements engine.Teller.
func (s *Position) Question() string {
	p := s.taken[s.round] & 1
	switch {
	case s.ToAct() == engine.Terminal:
		return ""
	case s.dealing():
		return "A card is dealt"
	case s.paid[0] == s.paid[1]:
		return fmt.Sprintf("Check, or raise by %d", raiseBy[s.round])
	case s.raises == maxRaises:
		return fmt.Sprintf("Call %d, or fold", s.paid[1-p]-s.paid[p])
	}
	return fmt.Sprintf("Call %d, raise by %d, or fold", s.paid[1-p]-s.paid[p], raiseBy[s.round])
}

// Describe implements engine.Describer.
func (s *Position) Describe(a engine.Action) string {
	owes := s.paid[0] != s.paid[1]
	switch {
	case s.dealing() && s.dealt < 2:
		return fmt.Sprintf("deal %s to seat %d", cardNames[a], s.dealt)
	case s.dealing():
		return "turn up " + cardNames[a]
	case a == Fold:
		return "fold"
	case a == Call && owes:
		p := s.taken[s.round] & 1
		return fmt.Sprintf("call %d", s.paid[1-p]-s.paid[p])
	case a == Call:
		return "check"
	}
	return fmt.Sprintf("raise by %d", raiseBy[s.round])
}

// document is the JSON position.
type document struct {
	Cards  []string `json:"cards"`  // private cards dealt, first seat first
	Round1 []string `json:"round1"` // actions of the first round
	Public []string `json:"public"` // the public card, once it lies
	Round2 []string `json:"round2"` // actions of the second round
}

// MarshalJSON implements engine.State.
func (s *Position) MarshalJSON() ([]byte, error) {
	d := document{Cards: []string{}, Public: []string{}}
	for _, c := range s.cards[:min(s.dealt, 2)] {
		d.Cards = append(d.Cards, name(c))
	}
	if s.dealt == 3 {
		d.Public = append(d.Public, name(s.cards[2]))
	}
	rounds := [2][]string{{}, {}}
	for r, n := range s.taken {
		for _, a := range s.bets[r][:n] {
			rounds[r] = append(rounds[r], spec.Actions[a])
		}
	}
	d.Round1, d.Round2 = rounds[0], rounds[1]
	return position.Encode(d)
}

// Load implements engine.Game.
func (game) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	var d document
	if err := position.Decode(data, &d); err != nil {
		return nil, err
	}
	s := newState()
	if err := position.Play(game{}, s, d.Cards, d.Round1, d.Public, d.Round2); err != nil {
		return nil, err
	}
	return s, nil
}
