package liarsdice

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// roller implements R1.1 and R-04: the seats roll one after the other, a die at a time.
func (g *game) roller(p *Position) engine.Player { return engine.Player(p.Rolled / g.dice) }

// due implements R1.1 and R-04: how many dice a seat has rolled, by how many all have.
func (g *game) due(p *Position, seat int) int {
	return min(max(int(p.Rolled)-seat*int(g.dice), 0), int(g.dice))
}

// rollOdds are those of a fair die.
func (g *game) rollOdds(_ *Position, face int) uint32 {
	if Face(face) < g.faces {
		return 1
	}
	return 0
}

// roll implements R1.1.
func (g *game) roll(p *Position, w *flow.Witness, a engine.Action) {
	seat := g.roller(p)
	p.Dice[seat][a]++
	p.Rolled++
	if w != nil {
		w.Some(1<<seat, "roll", "R1.1", flow.Arg("seat", int(seat)), flow.Arg("face", int(a)+1))
		w.Others(1<<seat, "roll", "R1.1", flow.Arg("seat", int(seat)))
	}
}

// bidder implements R2.1: the seat whose turn it is after that many bids.
func (g *game) bidder(bids int) engine.Player { return engine.Player(bids % g.seats) }

// unrank implements R2.2: bids are numbered from the lowest to the highest.
func (g *game) unrank(b Bid) (quantity uint8, face Face) {
	return uint8(b)/uint8(g.faces) + 1, Face(b) % g.faces
}

// newLegal implements R2.2 and R2.3: after each bid a seat may make any higher one, or
// call. It returns what is legal by the lowest bid that is open, so that it is looked up in
// play; at 0, before the first bid, there is nothing to call.
func (g *game) newLegal() []actionSet {
	list := make([]actionSet, g.liar+1)
	for lowest := range g.liar + 1 {
		set := flow.Set(list[lowest][:])
		for a := lowest; a < g.liar; a++ {
			set.Add(a)
		}
		if lowest > 0 {
			set.Add(g.liar)
		}
	}
	return list
}

// open returns the lowest bid that may be made; it is that of the call after the highest.
func (p *Position) open() int {
	if p.Made == 0 {
		return 0
	}
	return int(p.last()) + 1
}

// bidOrCall implements R2.1 and R2.3.
func (g *game) bidOrCall(p *Position, w *flow.Witness, a engine.Action) {
	if a != g.liar {
		p.Bids[p.Made] = Bid(a)
		p.Made++
		return
	}
	p.Called = true // and that is the game
	if w != nil {
		g.tellEnd(p, w)
	}
}

// counts implements R1.2: it reports whether a die that shows a face counts for a bid of
// another. For the wild face, if that is bid, only it does.
func (g *game) counts(die, bid Face) bool { return die == bid || die == g.faces-1 }

// counted implements R3.1: how many of all dice count for a face.
func (g *game) counted(p *Position, face Face) uint8 {
	n, wild := uint8(0), g.faces-1
	for seat := range g.seats {
		if n += p.Dice[seat][face]; face != wild { // R1.2, as in counts
			n += p.Dice[seat][wild]
		}
	}
	return n
}

// outcome implements R3.2 and, of more than two seats, R-01: who has won and lost a game
// that is over.
func (g *game) outcome(p *Position) (winner, loser engine.Player) {
	bidder, caller := g.bidder(int(p.Made)-1), g.bidder(int(p.Made))
	if quantity, face := g.unrank(p.last()); g.counted(p, face) >= quantity {
		return bidder, caller
	}
	return caller, bidder
}

// State is one game in progress.
type State struct {
	flow.State[*game, Position, actionSet]
}

// Returns implements engine.State and R3.2.
func (s *State) Returns(dst []float32) []float32 {
	first := len(dst)
	for range s.G.seats {
		dst = append(dst, 0)
	}
	if s.P.Called {
		winner, loser := s.G.outcome(&s.P)
		dst[first+int(winner)], dst[first+int(loser)] = 1, -1
	}
	return dst
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }
