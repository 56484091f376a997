package minuteman

import "powderkeg/engine"

// hash implements engine.State: a hash of every field but the legal tokens, which
// follow from the others.
func (p *position) hash() uint64 {
	h := engine.NewHash()
	for u := range p.units {
		x := &p.units[u]
		h = h.Word(uint64(uint16(x.hex)) | uint64(x.marks)<<16 | uint64(x.next)<<32 | uint64(x.step)<<40)
	}
	for i := range p.counter {
		h = h.Word(uint64(p.counter[i]) | uint64(p.cand[i])<<8)
	}
	for _, w := range p.unrest {
		h = h.Word(w)
	}
	for _, s := range []*citySet{&p.riot, &p.informer, &p.riotsBefore, &p.riotsToDo, &p.tried} {
		h = h.Word(s[0]).Word(s[1])
	}
	h = h.Word(pack(uint8(p.phase), p.step, p.count, p.window, uint8(p.ask), p.part, uint8(p.actor), p.seat))
	h = h.Word(uint64(uint16(p.selHex)) | uint64(p.selClass)<<16 | uint64(p.selPlayer)<<24 | uint64(uint16(p.lastHex))<<32 | uint64(p.lastClass)<<48 | uint64(p.die)<<56)
	h = h.Word(pack(p.turn, p.revTurn, p.airRail, p.assaults, p.commit, p.poolSize, p.placed, p.picks)).Word(uint64(p.track))
	for s := range p.hand {
		h = h.Word(pack(p.hand[s][0], p.hand[s][1], p.hand[s][2], p.hand[s][3], p.handSize[s], p.due[s], p.rank[s], p.roll[s]))
	}
	h = h.Word(pack(p.pool[0], p.pool[1], p.pool[2], p.pool[3], p.foreignSeat, uint8(p.foreignStage), p.foreignLeft, p.foreignCount))
	h = h.Word(pack(p.foreignPlace, p.sides[1], p.sides[2], flag(p.built[1]), flag(p.built[2]), p.gov, p.fed, p.pact))
	h = h.Word(pack(p.order[0], p.order[1], p.order[2], p.gone, p.truces, uint8(p.result), uint8(p.cause), p.winners))
	h = h.Word(pack(flag(p.original), flag(p.late), flag(p.refused), p.lot, p.ties, p.fedTurn, p.queued, 0)).Word(uint64(p.rows))
	h = h.Word(pack(p.named[0], p.named[1], p.named[2], p.named[3], p.combat.bared, p.combat.passed, 0, 0))
	h = h.Bytes(p.queue[:p.queued]).Bytes(p.chits[:])
	return uint64(p.hashMachines(h))
}

func (p *position) hashMachines(h engine.Hash64) engine.Hash64 {
	sets := func(list ...*unitSet) {
		for _, s := range list {
			for _, w := range s {
				h = h.Word(w)
			}
		}
	}
	d, b, m, k, c, r := &p.draw, &p.build, &p.move, &p.kill, &p.combat, &p.rising
	h = h.Word(uint64(d.groups) | uint64(uint16(d.hex))<<16 | uint64(d.marks)<<32 | uint64(d.ask)<<48)
	h = h.Word(pack(uint8(b.stage), b.seat, b.builder, b.markers, b.points, b.react, flag(b.free), flag(b.newNet))).Word(uint64(uint16(b.hex)))
	h = h.Word(pack(uint8(m.stage), m.unit, m.mode, m.shown, k.n, k.seat, uint8(k.class), k.player))
	h = h.Word(uint64(uint16(m.dest)) | uint64(m.price)<<16 | uint64(uint16(k.hex))<<32 | uint64(k.stage)<<48)
	h = h.Word(pack(uint8(r.stage), r.seat, r.answers, r.army, p.propose.stage, p.propose.kind, p.propose.to, 0))
	h = h.Word(pack(uint8(c.stage), uint8(c.kind), c.seat, c.victim, c.partner, c.shown, c.react, c.retreater))
	h = h.Word(pack(flag(c.exposed), flag(c.riot), flag(c.informer), flag(c.ruthless), flag(c.betrayed), flag(c.attackerLoses), flag(c.retreats), c.left))
	h = h.Word(uint64(uint16(c.target)) | uint64(uint16(c.zone))<<16 | uint64(c.vacated)<<32)
	sets(&b.helpers, &c.attackers, &c.defenders, &c.pending)
	return h
}

func flag(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func pack(a, b, c, d, e, f, g, h uint8) uint64 {
	return uint64(a) | uint64(b)<<8 | uint64(c)<<16 | uint64(d)<<24 | uint64(e)<<32 | uint64(f)<<40 | uint64(g)<<48 | uint64(h)<<56
}
