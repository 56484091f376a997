package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// State is one game in progress. It implements engine.Stochastic, engine.Hidden,
// engine.Secretive, engine.Describer, engine.Ender and engine.Narrator.
type State struct {
	flow.State[*game, position, actionSet]
}

// actionSet holds a flow.Set.
type actionSet [(numActions + 63) / 64]uint64

// Returns implements engine.State and R10.1: 1 for a player whose faction has won a
// finished game, -1 for one whose has lost, zeroes before. With two players all win or
// all lose.
func (s *State) Returns(dst []float32) []float32 {
	for player := range s.G.players {
		switch {
		case s.P.ending == undecided:
			dst = append(dst, 0)
		case s.P.winners>>s.P.seats[player]&1 != 0:
			dst = append(dst, 1)
		default:
			dst = append(dst, -1)
		}
	}
	return dst
}

// CopyFrom implements engine.State.
func (s *State) CopyFrom(src engine.State) { s.Copy(&src.(*State).State) }

// Hash implements flow.Rules.
func (g *game) Hash(p *position) uint64 { return p.hash() }

// Check implements flow.Rules.
func (g *game) Check(p *position) error { return g.check(p, engine.Lenient) }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.box.kinds }

// hash mixes every field that tells positions apart; what survey and the sums of
// pieces.go derive from them is left out.
func (p *position) hash() uint64 {
	h := engine.NewHash().Bytes(p.tile[:]).Bytes(p.rotation[:])
	for f := range p.blocs {
		h = h.Bytes(p.blocs[f][:]).Bytes(p.attacked[f][:]).Bytes(p.hand[f][:]).Bytes(p.place[f][:])
	}
	for v := range p.known {
		for f := range p.known[v] {
			h = h.Bytes(p.known[v][f][:])
		}
	}
	h = h.Bytes(p.cops[:]).Bytes(p.van[:]).Bytes(p.centers[0][:]).Bytes(p.centers[1][:]).Bytes(p.centers[2][:])
	h = h.Bytes(p.barricades[:]).Bytes(p.cancelled[:]).Bytes(p.boost[:])
	h = h.Bytes(p.deck[:]).Bytes(p.discard[:]).Bytes(p.drawn[:]).Bytes(p.ops[:]).Bytes(p.opsDiscard[:])
	h = h.Bytes(p.prefix[:p.prefixSize]).Bytes(p.manifest[:]).Bytes(p.agenda[:]).Bytes(p.bonusDice[:]).Bytes(p.seats[:])
	h = h.Bytes(p.handSize[:]).Bytes(p.dice[:]).Bytes(p.uses[:])
	h = h.Word(uint64(p.liberated) | uint64(p.protected)<<32)
	h = h.Word(uint64(p.barred[0]) | uint64(p.barred[1])<<32).Word(uint64(p.barred[2]) | uint64(p.asked)<<32 | uint64(p.drawnSize)<<40)
	h = h.Word(word(p.pile, p.copsLeft, p.vansLeft, p.destroyed, p.moraleStep, p.lockdown, p.redraws, p.firstSeat))
	h = h.Word(word(p.night, p.nightsLeft, p.turn, p.winners, uint8(p.ending), p.extraDice, p.bolt, p.jammers))
	h = h.Word(word(p.trades, p.revealed, uint8(p.step), p.who, uint8(p.Ask), uint8(p.Actor), p.deckSize, 0))
	for v := range p.shown {
		m := &p.shown[v]
		h = h.Word(word(uint8(m.step), m.scan, m.order, m.last, m.keep, m.decider, 0, 0)).Bytes(m.lost[:])
	}
	return uint64(p.now.hash(h))
}

func (n *pending) hash(h engine.Hash64) engine.Hash64 {
	flags := uint8(0)
	if n.enough {
		flags |= 1
	}
	if n.basic {
		flags |= 2
	}
	h = h.Word(word(uint8(n.verb), uint8(n.program), n.counter, n.cell, n.from, n.count, n.left, n.keep))
	h = h.Word(word(n.last, flags, n.occ, n.bonus, n.roll, n.order, n.scan, n.decider))
	h = h.Word(word(n.liberating, n.chooser, n.partner, n.give, n.want, 0, 0, 0))
	return h.Word(word(n.lost[0], n.lost[1], n.lost[2], n.lost[3], 0, 0, 0, 0))
}

func word(a, b, c, d, e, f, g, h uint8) uint64 {
	return uint64(a) | uint64(b)<<8 | uint64(c)<<16 | uint64(d)<<24 | uint64(e)<<32 | uint64(f)<<40 | uint64(g)<<48 | uint64(h)<<56
}
