// Package kuhn is Kuhn poker (H. W. Kuhn, "A simplified two-person poker",
// 1950): three cards, one bet, two seats. Its value for the first seat is -1/18
// under optimal play, and it has 12 information states. It is the smallest game
// with chance and hidden information.
package kuhn

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

// Family makes Kuhn poker; it has no options.
var Family = engine.Family{
	Name:  "kuhn",
	Title: "Kuhn poker",
	Rules: rules,
	Configure: func(option.Values) (engine.Game, error) {
		return game{}, nil
	},
}

// The two actions. A pass is a check, or a fold where there is a bet; a bet is
// also a call.
const (
	Pass engine.Action = iota
	Bet
)

var spec = engine.Spec{
	Name: "kuhn", Title: "Kuhn poker", Text: "kuhn", Version: 1, Seats: 2,
	Actions:      []string{"pass", "bet"},
	Outcomes:     []string{"J", "Q", "K"},
	MaxDecisions: 3, MaxMoves: 5,
	MinReturn: -2, MaxReturn: 2, Payoff: engine.ZeroSum,
}

type game struct{}

func (game) Spec() *engine.Spec { return &spec }
func (game) New() engine.State  { return &State{} }

// noCard is 0, so that the zero State is the start; J, Q and K are 1, 2 and 3.
const noCard = 0

// State is a game of Kuhn poker. The zero value is the start.
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
	cards  [2]uint8 // card of each seat, noCard before the deal and when hidden
	dealt  uint8    // cards dealt, 0 to 2
	played uint8    // decisions taken, 0 to 3
	bets   uint8    // bit i is set if decision i was a bet
}

// over implements R2.2: whether the betting has ended by pass pass, bet and any
// answer, or pass bet and any answer.
func (s *Position) over() bool {
	switch s.played {
	case 2:
		return s.bets != 0b10
	case 3:
		return true
	}
	return false
}

// ToAct implements engine.State.
func (s *Position) ToAct() engine.Player {
	switch {
	case s.dealt < 2:
		return engine.Chance
	case s.over():
		return engine.Terminal
	}
	return engine.Player(s.played & 1)
}

// Legal implements engine.State and R2.1: both actions at every decision.
func (s *Position) Legal(dst []engine.Action) []engine.Action {
	if s.dealt < 2 || s.over() {
		return dst
	}
	return append(dst, Pass, Bet)
}

// Mask implements engine.Masker.
func (s *State) Mask(dst []uint8) {
	yes := uint8(1)
	if s.dealt < 2 || s.over() {
		yes = 0
	}
	dst[Pass], dst[Bet] = yes, yes
}

// Outcomes implements engine.Stochastic and R1.1: the cards not yet dealt.
func (s *State) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.dealt == 2 {
		return dst
	}
	for c := engine.Action(0); c < 3; c++ {
		if s.dealt == 0 || uint8(c)+1 != s.cards[0] {
			dst = append(dst, engine.Outcome{Action: c, Weight: 1})
		}
	}
	return dst
}

// deal implements R1.1: a card that has not been dealt goes to the next seat.
func (s *State) deal(card engine.Action) {
	if s.w != nil {
		s.tellDeal(card)
	}
	s.cards[s.dealt] = uint8(card) + 1
	s.dealt++
}

// Draw implements engine.Drawer: it leaves out the card dealt first.
func (s *State) Draw(rng *rand.PCG, room []engine.Outcome) (engine.Action, []engine.Outcome) {
	card := engine.Action(engine.Uint32N(rng, 3-uint32(s.dealt)))
	if s.dealt == 1 && card >= engine.Action(s.cards[0])-1 {
		card++
	}
	s.deal(card)
	return card, room
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	switch {
	case s.dealt < 2:
		if a < 0 || a > 2 || s.dealt == 1 && uint8(a)+1 == s.cards[0] {
			return fmt.Errorf("%w: outcome %d of the deal", engine.ErrIllegal, a)
		}
		s.deal(a)
		return nil
	case s.over():
		return fmt.Errorf("%w: action %d after the end of the game", engine.ErrIllegal, a)
	case a != Pass && a != Bet:
		return fmt.Errorf("%w: action %d; have 0 (pass), 1 (bet)", engine.ErrIllegal, a)
	}
	if s.w != nil {
		s.tellMove(a)
	}
	s.bets |= uint8(a) << s.played
	s.played++
	if s.w != nil && s.over() {
		s.tellEnd()
	}
	return nil
}

// Returns implements engine.State, R1.2, R3.1 and R3.2: chips won. Each seat has put
// in an ante of one chip, and a bet is one chip.
func (s *State) Returns(dst []float32) []float32 {
	if s.dealt < 2 || !s.over() {
		return append(dst, 0, 0)
	}
	var first float32
	switch {
	case s.bets == 0b01 && s.played == 2: // bet, fold
		first = 1
	case s.bets == 0b10 && s.played == 3: // pass, bet, fold
		first = -1
	default:
		first = 1
		if s.bets != 0 {
			first = 2
		}
		if s.cards[0] < s.cards[1] {
			first = -first
		}
	}
	return append(dst, first, -first)
}

// CopyFrom implements engine.State. The listener stays the receiver's.
func (s *State) CopyFrom(src engine.State) { s.Position = src.(*State).Position }

// Hash implements engine.State.
func (s *Position) Hash() uint64 {
	return uint64(engine.NewHash().Word(uint64(s.cards[0]) | uint64(s.cards[1])<<8 |
		uint64(s.dealt)<<16 | uint64(s.played)<<24 | uint64(s.bets)<<32))
}

// showdown tells whether the game has ended with both cards on the table: with
// two passes, or with a call.
func (s *Position) showdown() bool {
	return s.over() && (s.bets == 0 || s.bets>>(s.played-1) == 1)
}

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
	if 1-int(p) >= int(s.dealt) || s.showdown() {
		return
	}
	// The two cards that p does not hold, or all three if p has none yet.
	var left [3]uint8
	n := 0
	for c := uint8(1); c <= 3; c++ {
		if c != s.cards[p] {
			left[n] = c
			n++
		}
	}
	s.cards[1-p] = left[engine.Uint32N(rng, uint32(n))]
}

// Shows implements engine.Secretive: a card is seen by the seat that it is dealt
// to.
func (s *State) Shows(p engine.Player, _ engine.Action) bool {
	return s.dealt == 2 || p == engine.Player(s.dealt)
}

// InfoState implements engine.Recaller: the seat, its card and the betting.
func (s *Position) InfoState(dst []byte, p engine.Player) []byte {
	dst = append(dst, '0'+byte(p), "?JQK"[s.cards[p]], ':')
	for i := uint8(0); i < s.played; i++ {
		dst = append(dst, "pb"[s.bets>>i&1])
	}
	return dst
}

// Card returns the card of seat p, 0 to 2 for J, Q, K, or -1 if it is unknown.
func (s *View) Card(p engine.Player) int { return int(s.cards[p]) - 1 }

// History returns the number of decisions taken and the bit set of those that
// were bets.
func (s *View) History() (played int, bets uint8) { return int(s.played), s.bets }

// Text implements engine.Teller.
func (s *View) Text(engine.Player) string {
	var b strings.Builder
	for p, c := range s.cards {
		fmt.Fprintf(&b, "seat %d: %c\n", p, "?JQK"[c])
	}
	b.WriteString("betting:")
	for i := uint8(0); i < s.played; i++ {
		b.WriteString(" " + spec.Actions[s.bets>>i&1])
	}
	return b.String() + "\n"
}

// Question implements engine.Teller.
func (s *Position) Question() string {
	switch {
	case s.ToAct() == engine.Terminal:
		return ""
	case s.dealt < 2:
		return "A card is dealt"
	case s.bets != 0:
		return "Call the bet of 1 chip, or fold"
	}
	return "Check, or bet 1 chip"
}

// Describe implements engine.Describer.
func (s *Position) Describe(a engine.Action) string {
	switch {
	case s.dealt < 2:
		return fmt.Sprintf("deal %s to seat %d", spec.Outcomes[a], s.dealt)
	case s.bets != 0 && a == Pass:
		return "fold"
	case s.bets != 0:
		return "call"
	case a == Pass:
		return "check"
	}
	return "bet"
}

// document is the JSON position.
type document struct {
	Cards   []string `json:"cards"`   // J, Q or K of each seat that has been dealt one
	Actions []string `json:"actions"` // pass or bet, in order
}

// MarshalJSON implements engine.State.
func (s *Position) MarshalJSON() ([]byte, error) {
	d := document{Cards: []string{}, Actions: []string{}}
	for _, c := range s.cards[:s.dealt] {
		d.Cards = append(d.Cards, "?JQK"[c:c+1])
	}
	for i := uint8(0); i < s.played; i++ {
		d.Actions = append(d.Actions, spec.Actions[s.bets>>i&1])
	}
	return position.Encode(d)
}

// Load implements engine.Game.
func (game) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	var d document
	if err := position.Decode(data, &d); err != nil {
		return nil, err
	}
	s := &State{}
	if err := position.Play(game{}, s, d.Cards, d.Actions); err != nil {
		return nil, err
	}
	return s, nil
}
