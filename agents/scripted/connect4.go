package scripted

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/engine/connect4"
)

// connect4Depth is how many moves connect4 looks ahead: it sees its own and the
// other's threats two moves before they are carried out.
const connect4Depth = 6

// connect4Won is above any count of windows.
const connect4Won = 1 << 20

// windows are the 69 sets of four squares in a row.
var windows = func() (list []uint64) {
	for c := range connect4.Columns {
		for r := range connect4.Rows {
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				if endC, endR := c+3*d[0], r+3*d[1]; endC >= connect4.Columns || endR >= connect4.Rows || endR < 0 {
					continue
				}
				var set uint64
				for i := range 4 {
					set |= 1 << connect4.Bit(c+i*d[0], r+i*d[1])
				}
				list = append(list, set)
			}
		}
	}
	return list
}()

// worth is what a window is worth that holds so many discs of one seat and none
// of the other: three nearly win, one is a hope.
var worth = [5]int{0, 1, 4, 16, 0}

// centreFirst orders the columns by the number of windows through them: the best
// move comes early, which lets alpha-beta cut most.
var centreFirst = [connect4.Columns]engine.Action{3, 2, 4, 1, 5, 0, 6}

// connect4Policy looks a few moves ahead and counts windows that are still open.
type connect4Policy struct {
	stack [connect4Depth + 1]engine.State // scratch, one per move looked ahead
	legal [connect4Depth + 1][]engine.Action
}

func newConnect4(g engine.Game) agents.Policy {
	p := &connect4Policy{}
	for i := range p.stack {
		p.stack[i] = g.New()
	}
	return p
}

// Choose implements agents.Policy: one of the best moves at random.
func (p *connect4Policy) Choose(view engine.View, _ engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	s := p.stack[connect4Depth]
	var best []engine.Action
	bestValue := -2 * connect4Won
	for _, a := range legal {
		s.CopyFrom(view.(engine.State)) // nothing is hidden
		apply(s, a)
		// Equal moves are wanted too, so the window is open one below the best.
		v := -p.negamax(s.(*connect4.State), connect4Depth-1, -2*connect4Won, -bestValue+1)
		if v > bestValue {
			best, bestValue = best[:0], v
		}
		if v == bestValue {
			best = append(best, a)
		}
	}
	return best[engine.Uint32N(rng, uint32(len(best)))]
}

// negamax values s for the seat to act (alpha-beta, D. E. Knuth and R. W. Moore,
// Artificial Intelligence 6, 1975). Quick wins and late losses are preferred.
func (p *connect4Policy) negamax(s *connect4.State, depth, alpha, beta int) int {
	if s.ToAct() == engine.Terminal {
		full := s.Discs(0) | s.Discs(1)
		if s.Returns(nil)[0] == 0 {
			return 0
		}
		return -connect4Won + bits.OnesCount64(full) // who moved last has won
	}
	if depth == 0 {
		return connect4Windows(s)
	}
	p.legal[depth] = s.Legal(p.legal[depth][:0])
	best := -2 * connect4Won
	for _, a := range centreFirst {
		if !slices.Contains(p.legal[depth], a) {
			continue
		}
		next := p.stack[depth]
		next.CopyFrom(s)
		apply(next, a)
		best = max(best, -p.negamax(next.(*connect4.State), depth-1, -beta, -max(alpha, best)))
		if best >= beta {
			break
		}
	}
	return best
}

// connect4Windows counts what the open windows are worth to the seat to act, less
// what they are worth to the other.
func connect4Windows(s *connect4.State) int {
	p := s.ToAct()
	own, other := s.Discs(p), s.Discs(1-p)
	sum := 0
	for _, w := range windows {
		switch mine, theirs := bits.OnesCount64(w&own), bits.OnesCount64(w&other); {
		case theirs == 0:
			sum += worth[mine]
		case mine == 0:
			sum -= worth[theirs]
		}
	}
	return sum
}
