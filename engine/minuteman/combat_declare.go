package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

func (g *game) offerAttack(p *Position) {
	seat := SeatID(p.Actor)
	enemies := g.targetable(p, seat)
	for k := military; k <= sedition; k++ {
		set := g.targetSet(p, seat, k, &enemies, true)
		p.allowIf(!set.empty(), actMilitary+int(k))
	}
	p.allowIf(g.canKill(p, seat), actAssassinate)
	p.allow(actDone)
}

func (g *game) chooseAttack(p *Position, _ *flow.Witness, a engine.Action) {
	switch a {
	case actDone:
		p.Struck++
	case actAssassinate:
		g.startKill(p)
	default:
		p.Combat = Combat{Stage: combatTarget, Kind: attackKind(a - actMilitary), Seat: SeatID(p.Actor), Victim: noSeat, Target: noHex, Retreater: noUnit,
			Zone: noHex}
	}
}

// offerTarget offers D41: the hex, and of several players there the victim.
func (g *game) offerTarget(p *Position) {
	c := &p.Combat
	if c.Stage == combatVictim {
		set := g.victims(p, c.Seat, c.Kind, c.Target)
		for v := range g.Seats {
			p.allowIf(set>>v&1 != 0, actPlayer+v)
		}
		return
	}
	enemies := g.targetable(p, c.Seat)
	set := g.targetSet(p, c.Seat, c.Kind, &enemies, false)
	p.allowHexes(&set)
}

func (g *game) chooseTarget(p *Position, _ *flow.Witness, a engine.Action) {
	c := &p.Combat
	if c.Stage == combatVictim {
		c.Victim = SeatID(a - actPlayer)
	} else {
		c.Target = HexID(a - actHex)
		set := g.victims(p, c.Seat, c.Kind, c.Target)
		if set&(set-1) != 0 {
			c.Stage = combatVictim
			return
		}
		c.Victim = SeatID(trailing(uint64(set)))
	}
	c.Stage, c.Partner, c.LastRank = combatAttackers, 0, 0
	p.Part, p.LastHex, p.LastClass = 0, 0, 0
}

// attacks is D42.
var attacks = taking{set: (*game).candidatesNow, take: (*game).attackWith, done: (*game).attackersDone, ready: (*game).attackBegun}

func (g *game) candidatesNow(p *Position) unitSet { return g.candidates(p, SeatID(p.Actor)) }

// attackWith implements R10.15: an attacker, and the order in which the next may follow.
func (g *game) attackWith(p *Position, w *flow.Witness, u UnitID) {
	p.LastHex, p.Combat.LastRank = p.SelHex, g.rank(p, u)
	g.federalizeBy(p, w, u)
	g.join(p, u)
}

func (g *game) attackBegun(p *Position) bool { return !p.Combat.Attackers.empty() }

func (g *game) attackersDone(p *Position, _ *flow.Witness) {
	p.Part, p.LastHex, p.Combat.LastRank = 0, 0, 0
	p.Combat.Partner++
}

func (g *game) chooseRuthless(p *Position, _ *flow.Witness, a engine.Action) {
	p.Combat.Ruthless, p.Combat.Stage = a == actYes, combatBetrayal
}

func (g *game) offerBetrayal(p *Position) {
	p.allowAmounts(0, min(3, int(p.Hand[p.Combat.Seat][betrayal])))
}

func (g *game) chooseBetrayal(p *Position, w *flow.Witness, a engine.Action) {
	c := &p.Combat
	c.Betrayals, c.Stage = uint8(a-actAmount), combatBetrayalDie
	switch {
	case c.Betrayals == 0:
		c.Stage, c.React = combatReact, 0
	case g.success[c.Betrayals] == 6: // three markers need no die
		g.betrayalRoll(p, w, 1)
	}
}

// mark puts the marks of an attack on its units: each attacks once a phase
// (R10.1), a Minuteman uses its strength (R10.2), an Agent has fought (R18).
func (g *game) markAttackers(p *Position) {
	c := &p.Combat
	for u := c.Attackers.next(0); u != noUnit; u = c.Attackers.next(u + 1) {
		p.Units[u].Marks |= attacked
		if k := g.kind[u]; k == agent || k == minuteman {
			p.Units[u].Marks |= fought
		}
	}
}
