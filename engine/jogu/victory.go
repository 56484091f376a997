package jogu

import (
	"fmt"

	"powderkeg/engine/flow"
)

// loseMorale implements R2.9, R9.9 and R12.1: a loss never goes below 0, and at 0
// that player loses the game at once, in the middle of whatever is going on,
// of which nothing is left to be done.
// rule is what the loss follows from.
func (g *game) loseMorale(p *Position, w *flow.Witness, s SeatID, n uint16, rule string) {
	if w != nil && n > 0 {
		now := p.Morale[s] - min(n, p.Morale[s])
		w.All("morale", rule, seatArg("seat", s), flow.Arg("change", int(now)-int(p.Morale[s])), flow.Arg("morale", int(now)),
			flow.Said(fmt.Sprintf("loses %d morale and has %d", n, now)))
	}
	if p.Morale[s] > n {
		p.Morale[s] -= n
		return
	}
	p.Morale[s] = 0
	p.Frames, p.Depth = [MaxDepth]Frame{}, 0
	p.finish(w, 1-s, byMorale)
}

// points returns the victory points of both seats (R10.6).
func (p *Position) points() []int {
	points := make([]int, numSeats)
	for _, winner := range p.Winners[:p.Scored] {
		points[winner]++
	}
	return points
}

// leader implements R12.2-R12.3 and Q16, Q31: after the Cleanup of the round with the
// end-game marker more victory points win; on equal ones, possible after an even number
// of rounds, the winner of the round just ended.
func (p *Position) leader() (winner SeatID, why cause) {
	switch points := p.points(); {
	case points[0] > points[1]:
		return 0, byVictoryPoints
	case points[1] > points[0]:
		return 1, byVictoryPoints
	}
	return p.LastWinner, byTieBreak
}
