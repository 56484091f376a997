package insurgency

import "powderkeg/engine"

// hash mixes every field that tells positions apart. legal follows from the others
// and is left out, except that a view lacks it.
func (p *position) hash() uint64 {
	h := engine.NewHash()
	for i := range p.status {
		h = h.Word(pack(p.status[i], p.unrest[i], p.agents[i], p.sleepers[i], p.active[i], p.fedBases[i], p.rebBases[i], 0))
	}
	for s := range p.hand {
		h = h.Word(p.hand[s][0]).Word(p.hand[s][1]).Word(p.known[s][0]).Word(p.known[s][1])
		h = h.Word(pack(p.handSize[s], p.resources[s], p.reserves[s], p.hacked[s], p.shields[s], flag(p.smUsed[s]), p.toDeal[s], flag(p.setUp.done[s])))
	}
	h = h.Word(p.discards[0]).Word(p.discards[1]).Word(p.removed[0]).Word(p.removed[1])
	h = h.Word(uint64(p.momentum) | uint64(p.owners)<<32)
	h = h.Word(uint64(p.pool) | uint64(p.storyDiscard)<<32)
	h = h.Word(pack(p.slots[0], p.slots[1], p.slots[2], p.drawn, p.social, p.plague, p.testing, p.round))
	h = h.Word(pack(uint8(p.phase), p.side, p.pairLeft, uint8(p.adminDue), uint8(p.ask), uint8(p.actor), p.winner, uint8(p.cause)))
	h = h.Word(pack(flag(p.decisive), flag(p.legal == actionSet{}), 0, 0, 0, 0, 0, 0))
	h = p.hashPlay(h)
	h = p.hashOperation(h)
	return uint64(p.hashEvent(h))
}

func (p *position) hashPlay(h engine.Hash64) engine.Hash64 {
	f := &p.play
	h = h.Word(pack(f.card, uint8(f.mode), f.part, uint8(f.operation), flag(f.removing), f.removeFrom, f.lastSpace, f.lastPiece))
	n, c := &p.news, &p.placing
	h = h.Word(pack(uint8(n.do), n.by, n.stage, n.n, flag(n.optional), 0, 0, 0))
	return h.Word(pack(uint8(c.kind), c.side, c.at, c.left, 0, 0, 0, 0))
}

func (p *position) hashOperation(h engine.Hash64) engine.Hash64 {
	f := &p.op
	h = h.Word(pack(uint8(f.kind), uint8(f.stage), f.side, f.ops, flag(f.free), flag(f.noUnrest), flag(f.noArrest), flag(f.ignore)))
	h = h.Word(uint64(f.within)).Word(uint64(f.picks)).Word(uint64(f.todo))
	h = h.Word(pack(f.margin, f.limit, f.bound, f.cost, uint8(f.typ), f.count, f.rolled, f.rolls))
	h = h.Word(pack(f.choices, f.at, f.dice, f.hits, f.from, f.to, f.arrests, f.sleepers))
	h = h.Bytes(f.selected[:f.count])
	for _, g := range f.groups[:f.numGroups] {
		h = h.Word(pack(g.from, g.to, g.units, g.active, 0, 0, 0, 0))
	}
	return h.Word(pack(f.numGroups, f.moved, f.budget, f.agentsLeft, flag(f.baseChosen), 0, 0, 0))
}

func (p *position) hashEvent(h engine.Hash64) engine.Hash64 {
	f := &p.event
	h = h.Word(pack(f.card, f.owner, f.pc, f.stage, f.bound, f.left, f.sum, f.stored)).Word(pack(f.from, f.to, 0, 0, 0, 0, 0, 0))
	h = h.Word(uint64(f.cur)).Word(uint64(f.todo))
	for _, set := range f.named {
		h = h.Word(uint64(set))
	}
	return h
}

// pack puts eight bytes into a word.
func pack(a, b, c, d, e, f, g, h uint8) uint64 {
	return uint64(a) | uint64(b)<<8 | uint64(c)<<16 | uint64(d)<<24 | uint64(e)<<32 | uint64(f)<<40 | uint64(g)<<48 | uint64(h)<<56
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
