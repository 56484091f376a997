package lessons

import (
	"fmt"
	"math/rand/v2"

	"powderkeg/checkpoints"
	"powderkeg/engine"
)

// pass deals the games of the set in an order drawn anew for each time through: what
// has come to the set since then waits for the next one. Its state is three numbers,
// since the order follows from the seed.
type pass struct {
	seed   uint64
	window int // rows
	number int64
	games  int // of the set when it began
	at     int // parts dealt so far
	order  []part
}

// passStream is the PCG stream of the orders.
const passStream = 0x70617373

// begin draws the order of a pass.
func (p *pass) begin(number int64, games []record) {
	p.number, p.games, p.at = number, len(games), 0
	p.order = p.order[:0]
	for i := range games {
		if heldOut(i) {
			continue
		}
		n := p.parts(games[i].rows)
		for rest := range min(n, games[i].rows) {
			p.order = append(p.order, part{int32(i), int32(rest), int32(n)})
		}
	}
	rng := rand.NewPCG(uint64(engine.NewHash().Word(p.seed).Word(uint64(number))), passStream)
	for i := len(p.order) - 1; i > 0; i-- {
		j := engine.Uint32N(rng, uint32(i+1))
		p.order[i], p.order[j] = p.order[j], p.order[i]
	}
}

// parts is in how many parts a game of so many rows comes: the rows of a game are alike,
// and a window of few games is a noisy gradient. Each part costs that the whole game is
// played, so that there are four at most, unless they have to fit the window.
func (p *pass) parts(rows int) int {
	const mixed, most = 256, 4
	wanted := min((rows*mixed+p.window-1)/p.window, most)
	return max(1, wanted, (rows+p.window-1)/p.window)
}

// deal appends the next parts, as many as fit the window, and returns their rows. There
// is a game that is not held out.
func (p *pass) deal(dst []part, games []record) (parts []part, rows int) {
	for {
		if p.at == len(p.order) {
			p.begin(p.number+1, games)
		}
		next := p.order[p.at]
		n := next.rows(games[next.game].rows)
		if rows+n > p.window {
			return dst, rows
		}
		dst, rows = append(dst, next), rows+n
		p.at++
	}
}

// resume sets the pass to a saved state.
func (p *pass) resume(state []int64, games []record) error {
	number, of, at := state[0], state[1], state[2]
	if number < 0 || of < 0 || of > int64(len(games)) {
		return fmt.Errorf("%w: lessons: pass %d over %d games of %d", checkpoints.ErrCorrupt, number, of, len(games))
	}
	p.begin(number, games[:of])
	if at < 0 || at > int64(len(p.order)) {
		return fmt.Errorf("%w: lessons: pass %d is at part %d of %d", checkpoints.ErrCorrupt, number, at, len(p.order))
	}
	p.at = int(at)
	return nil
}

// passes is how often the set as it is has been gone through, in passes of any size.
func (p *pass) passes() float64 {
	if len(p.order) == 0 {
		return 0
	}
	return float64(p.number-1) + float64(p.at)/float64(len(p.order))
}
