// Package connect4 is Connect Four: seven columns of six, four in a row win.
// The first seat wins under optimal play (V. Allis, "A Knowledge-based Approach
// of Connect-Four", 1988).
package connect4

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

// Family makes Connect Four; it has no options.
var Family = engine.Family{
	Name:  "connect4",
	Title: "Connect Four",
	Rules: rules,
	Configure: func(option.Values) (engine.Game, error) {
		return game{}, nil
	},
}

// The board's size (R1.1).
const (
	Columns = 7
	Rows    = 6
)

var spec = engine.Spec{
	Name: "connect4", Title: "Connect Four", Text: "connect4", Version: 1, Seats: 2,
	Actions:      []string{"column_1", "column_2", "column_3", "column_4", "column_5", "column_6", "column_7"},
	Outcomes:     []string{},
	MaxDecisions: Columns * Rows, MaxMoves: Columns * Rows,
	MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
}

// Bit reports the bit of a square in a set of discs: column c and row r count
// from 0, row 0 at the bottom. Each column has a seventh bit that is never set,
// so that shifts do not carry a line into the next column.
func Bit(c, r int) uint { return uint(c*(Rows+1) + r) }

// tops holds the uppermost square of every column.
var tops = func() (set uint64) {
	for c := range Columns {
		set |= 1 << Bit(c, Rows-1)
	}
	return set
}()

// won implements R3.1: whether the set holds four in a row: vertical, horizontal and both
// diagonals.
func won(set uint64) bool {
	for _, step := range [4]uint{1, Rows + 1, Rows, Rows + 2} {
		if pairs := set & (set >> step); pairs&(pairs>>(2*step)) != 0 {
			return true
		}
	}
	return false
}

type game struct{}

func (game) Spec() *engine.Spec { return &spec }
func (game) New() engine.State  { return &State{} }

// State is a game of Connect Four. The zero value is the start.
type State struct {
	Position
	w *flow.Witness // nil while nobody listens
}

// Position is the position. It has no secrets.
type Position struct {
	discs [2]uint64 // set of discs of each seat
	moves uint8     // discs dropped, 0 to 42
	ended bool
	win   bool // the seat that moved last has four in a row
}

// ToAct implements engine.State.
func (s *State) ToAct() engine.Player {
	if s.ended {
		return engine.Terminal
	}
	return engine.Player(s.moves & 1)
}

// Legal implements engine.State and R2.1: the columns that are not full.
func (s *State) Legal(dst []engine.Action) []engine.Action {
	if s.ended {
		return dst
	}
	open := tops &^ (s.discs[0] | s.discs[1])
	for c := range engine.Action(Columns) {
		if open>>Bit(int(c), Rows-1)&1 != 0 {
			dst = append(dst, c)
		}
	}
	return dst
}

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	all := s.discs[0] | s.discs[1]
	if a < 0 || a >= Columns || s.ended || all>>Bit(int(a), Rows-1)&1 != 0 {
		return fmt.Errorf("%w: action %d, board %s", engine.ErrIllegal, a, strings.Join(s.rows(), "/"))
	}
	if s.w != nil {
		s.tellMove(a)
	}
	p := s.moves & 1
	// Adding the bottom bit of the column carries up to its lowest empty square.
	bottom := Bit(int(a), 0)
	column := uint64(1<<Rows-1) << bottom
	s.discs[p] |= (all + 1<<bottom) & column &^ all
	s.moves++
	s.win = won(s.discs[p])
	s.ended = s.win || s.moves == Columns*Rows
	if s.w != nil && s.ended {
		s.tellEnd()
	}
	return nil
}

// Returns implements engine.State and R3.2: 1 for the winner, -1 for the loser.
func (s *State) Returns(dst []float32) []float32 {
	switch {
	case !s.win:
		return append(dst, 0, 0)
	case s.moves&1 == 1:
		return append(dst, 1, -1)
	}
	return append(dst, -1, 1)
}

// CopyFrom implements engine.State. The listener stays the receiver's.
func (s *State) CopyFrom(src engine.State) { s.Position = src.(*State).Position }

// Hash implements engine.State.
func (s *State) Hash() uint64 {
	return uint64(engine.NewHash().Word(s.discs[0]).Word(s.discs[1]))
}

// InfoState implements engine.Recaller: the seat and the board, all of which it
// sees.
func (s *State) InfoState(dst []byte, p engine.Player) []byte {
	dst = append(dst, '0'+byte(p))
	for _, set := range s.discs {
		for i := 0; i < 64; i += 8 {
			dst = append(dst, byte(set>>i))
		}
	}
	return dst
}

// Discs returns the set of discs of seat p; Bit tells which bit is which square.
func (s *State) Discs(p engine.Player) uint64 { return s.discs[p] }

// rows draws the board from the top.
func (s *State) rows() []string {
	rows := make([]string, Rows)
	for r := range Rows {
		for c := range Columns {
			disc := "."
			switch {
			case s.discs[0]>>Bit(c, r)&1 != 0:
				disc = "x"
			case s.discs[1]>>Bit(c, r)&1 != 0:
				disc = "o"
			}
			rows[Rows-1-r] += disc
		}
	}
	return rows
}

// Text implements engine.Teller.
func (s *State) Text(engine.Player) string {
	var b strings.Builder
	for _, row := range s.rows() {
		for _, disc := range row {
			fmt.Fprintf(&b, " %c", disc)
		}
		b.WriteString("\n")
	}
	return b.String() + " 1 2 3 4 5 6 7\n"
}

// Question implements engine.Teller.
func (s *State) Question() string {
	if s.ToAct() == engine.Terminal {
		return ""
	}
	return fmt.Sprintf("Drop your %c into a column", "xo"[s.moves&1])
}

// Describe implements engine.Teller.
func (s *State) Describe(a engine.Action) string {
	return fmt.Sprintf("drop %c into column %d", "xo"[s.moves&1], a+1)
}

// document is the JSON position.
type document struct {
	Board []string `json:"board"` // six rows from the top, seven of "x", "o" and "." each
}

// MarshalJSON implements engine.State.
func (s *State) MarshalJSON() ([]byte, error) { return position.Encode(document{s.rows()}) }

// Load implements engine.Game.
func (game) Load(data []byte, _ engine.Strictness) (engine.State, error) {
	d := document{(&State{}).rows()}
	if err := position.Decode(data, &d); err != nil {
		return nil, err
	}
	s, err := parse(d.Board)
	if err != nil {
		return nil, err
	}
	x, o := bits.OnesCount64(s.discs[0]), bits.OnesCount64(s.discs[1])
	s.moves = uint8(x + o)
	first, second := won(s.discs[0]), won(s.discs[1])
	switch {
	case x != o && x != o+1:
		return nil, fmt.Errorf("%w: board has %d x and %d o; x begins and they take turns", engine.ErrPosition, x, o)
	case first && x == o || second && x != o:
		return nil, fmt.Errorf("%w: board was played on after four in a row", engine.ErrPosition)
	}
	s.win = first || second
	s.ended = s.win || s.moves == Columns*Rows
	return s, nil
}

// parse reads the discs and checks the form of the board.
func parse(board []string) (*State, error) {
	s := &State{}
	if len(board) != Rows {
		return nil, fmt.Errorf("%w: board has %d rows, not %d", engine.ErrPosition, len(board), Rows)
	}
	for _, row := range board { // all of them before any is looked at from above
		if len(row) != Columns || strings.Trim(row, "xo.") != "" {
			return nil, fmt.Errorf(`%w: board row %q must be %d of "x", "o" and "."`, engine.ErrPosition, row, Columns)
		}
	}
	for i, row := range board {
		r := Rows - 1 - i
		for c, disc := range row {
			switch {
			case disc == '.':
				continue
			case r > 0 && board[i+1][c] == '.':
				return nil, fmt.Errorf("%w: board: the disc in column %d of row %d hangs in the air", engine.ErrPosition, c+1, i+1)
			case disc == 'x':
				s.discs[0] |= 1 << Bit(c, r)
			default:
				s.discs[1] |= 1 << Bit(c, r)
			}
		}
	}
	return s, nil
}
