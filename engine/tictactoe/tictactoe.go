// Package tictactoe is tic-tac-toe: perfect information, no chance, a draw
// under optimal play. It is the plainest game of the engine.
package tictactoe

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
)

//go:embed data/rules.json
var rules []byte

// Family makes tic-tac-toe; it has no options.
var Family = engine.Family{
	Name:  "tictactoe",
	Title: "Tic-tac-toe",
	Rules: rules,
	Configure: func(option.Values) (engine.Game, error) {
		return game{}, nil
	},
}

var spec = engine.Spec{
	Name: "tictactoe", Title: "Tic-tac-toe", Text: "tictactoe", Version: 1, Seats: 2,
	Actions:      []string{"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"},
	Outcomes:     []string{},
	MaxDecisions: 9, MaxMoves: 9,
	MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
}

// Size is the number of squares (R1.1). Square i is named Spec.Actions[i]: columns a to
// c, rows 1 (top) to 3.
const Size = 9

const full = 1<<Size - 1

// lines are the eight rows of three as sets of squares.
var lines = [8]uint16{
	0b000000111, 0b000111000, 0b111000000,
	0b001001001, 0b010010010, 0b100100100,
	0b100010001, 0b001010100,
}

// wins tells for each set of squares whether it holds a line.
var wins = func() (table [full + 1]bool) {
	for set := range table {
		for _, l := range lines {
			if uint16(set)&l == l {
				table[set] = true
			}
		}
	}
	return table
}()

type game struct{}

func (game) Spec() *engine.Spec { return &spec }
func (game) New() engine.State  { return &State{} }

// State is a game of tic-tac-toe. The zero value is the start.
type State struct {
	Position
	w *flow.Witness // nil while nobody listens
}

// Position is the position. It has no secrets.
type Position struct {
	marks [2]uint16 // set of squares of each seat; seat 0 plays x
	moves uint8     // marks set, 0 to 9
	ended bool
}

// ToAct implements engine.State.
func (s *State) ToAct() engine.Player {
	if s.ended {
		return engine.Terminal
	}
	return engine.Player(s.moves & 1)
}

// free implements R2.1: the set of squares that the seat to act may mark, the empty ones.
func (s *State) free() uint16 {
	if s.ended {
		return 0
	}
	return full &^ (s.marks[0] | s.marks[1])
}

// Legal implements engine.State.
func (s *State) Legal(dst []engine.Action) []engine.Action {
	for free := s.free(); free != 0; free &= free - 1 {
		dst = append(dst, engine.Action(bits.TrailingZeros16(free)))
	}
	return dst
}

// Mask implements engine.Masker.
func (s *State) Mask(dst []uint8) { flow.Set{uint64(s.free())}.Mask(dst) }

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	if a < 0 || a >= Size || s.ended || (s.marks[0]|s.marks[1])>>a&1 != 0 {
		return fmt.Errorf("%w: action %d, board %s", engine.ErrIllegal, a, strings.Join(s.rows(), "/"))
	}
	if s.w != nil {
		s.tellMove(a)
	}
	p := s.moves & 1
	s.marks[p] |= 1 << a
	s.moves++
	s.ended = s.moves == Size || wins[s.marks[p]]
	if s.w != nil && s.ended {
		s.tellEnd()
	}
	return nil
}

// Returns implements engine.State, R3.1 and R3.2: 1 for the winner, -1 for the loser.
func (s *State) Returns(dst []float32) []float32 {
	switch {
	case wins[s.marks[0]]:
		return append(dst, 1, -1)
	case wins[s.marks[1]]:
		return append(dst, -1, 1)
	}
	return append(dst, 0, 0)
}

// CopyFrom implements engine.State. The listener stays the receiver's.
func (s *State) CopyFrom(src engine.State) { s.Position = src.(*State).Position }

// Hash implements engine.State.
func (s *State) Hash() uint64 {
	return uint64(engine.NewHash().Word(uint64(s.marks[0]) | uint64(s.marks[1])<<16))
}

// InfoState implements engine.Recaller: the seat and the board, all of which it
// sees.
func (s *State) InfoState(dst []byte, p engine.Player) []byte {
	return append(dst, '0'+byte(p), byte(s.marks[0]), byte(s.marks[0]>>8), byte(s.marks[1]), byte(s.marks[1]>>8))
}

// Marks returns the set of squares of seat p, bit i for square i.
func (s *State) Marks(p engine.Player) uint16 { return s.marks[p] }

func (s *State) rows() []string {
	rows := make([]string, 3)
	for i := range Size {
		c := "."
		switch {
		case s.marks[0]>>i&1 != 0:
			c = "x"
		case s.marks[1]>>i&1 != 0:
			c = "o"
		}
		rows[i/3] += c
	}
	return rows
}

// Text implements engine.Teller.
func (s *State) Text(engine.Player) string {
	var b strings.Builder
	b.WriteString("  a b c\n")
	for i, row := range s.rows() {
		fmt.Fprintf(&b, "%d %c %c %c\n", i+1, row[0], row[1], row[2])
	}
	return b.String()
}

// Question implements engine.Teller.
func (s *State) Question() string {
	if s.ToAct() == engine.Terminal {
		return ""
	}
	return fmt.Sprintf("Put your %c on an empty square", "xo"[s.moves&1])
}

// Describe implements engine.Teller.
func (s *State) Describe(a engine.Action) string {
	return fmt.Sprintf("put %c on %s", "xo"[s.moves&1], spec.Actions[a])
}

// document is the JSON position.
type document struct {
	Board []string `json:"board"` // three rows of three of "x", "o" and "."
}

// MarshalJSON implements engine.State.
func (s *State) MarshalJSON() ([]byte, error) { return position.Encode(document{s.rows()}) }

// Load implements engine.Game.
func (game) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	d := document{(&State{}).rows()}
	if err := position.Decode(data, &d); err != nil {
		return nil, err
	}
	board := strings.Join(d.Board, "")
	if len(d.Board) != 3 || len(board) != Size || strings.Trim(board, "xo.") != "" {
		return nil, fmt.Errorf(`%w: board is %q, it must be 3 rows of 3 of "x", "o" and "."`, engine.ErrPosition, d.Board)
	}
	s := &State{}
	for i, c := range board {
		switch c {
		case 'x':
			s.marks[0] |= 1 << i
		case 'o':
			s.marks[1] |= 1 << i
		}
	}
	x, o := bits.OnesCount16(s.marks[0]), bits.OnesCount16(s.marks[1])
	s.moves = uint8(x + o)
	switch {
	case x != o && x != o+1:
		return nil, fmt.Errorf("%w: board has %d x and %d o; x begins and they take turns", engine.ErrPosition, x, o)
	case wins[s.marks[0]] && x == o || wins[s.marks[1]] && x != o:
		return nil, fmt.Errorf("%w: board was played on after a line of three", engine.ErrPosition)
	}
	s.ended = s.moves == Size || wins[s.marks[0]] || wins[s.marks[1]]
	return s, nil
}
