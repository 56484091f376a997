package minuteman

// Chain is the decision under way: what has been chosen and what it amounts to.
// Hexes are NoHex and numbers zero where they mean nothing.
type Chain struct {
	Attack                    int // 0 to 3, -1 for none
	Class                     int // -1 for none
	Hex, Target               int
	AttackSum, Known, Defence float32
	Column, Modifier          int // Column is -1 without an attack
	Doubled, Ruthless         bool
	Tried, Betrayed           bool
	Points, BuildColumn       int // BuildColumn is 1 to 6, 0 without a build
	Organizers, Helpers       int
	Left                      int
	Price                     int
	Success, Stop, Lost       float32
	Shown, RetreatClass       int // RetreatClass is -1 but for a retreat
	Second                    bool
	Proposal                  int // 0 to 3, -1 for none
	Moving                    int // unit, -1 for none
}

// Chain returns the decision under way.
func (s *State) Chain() Chain {
	g, p := s.g, &s.p
	v := Chain{Attack: -1, Class: -1, Hex: NoHex, Target: NoHex, Column: -1, RetreatClass: -1, Proposal: -1, Moving: -1}
	if p.part > 0 {
		v.Hex = int(p.selHex)
	}
	if p.part > 1 && p.ask == askAdvance {
		v.Class = int(p.selClass)
	}
	if p.part == 0 && (p.ask == askSpread || p.ask == askExtraRiot || p.ask == askReactPlace) {
		v.Left = int(p.count)
	}
	if b := &p.build; b.stage != buildNone {
		v.Hex, v.Points, v.Organizers, v.Helpers = int(b.hex), g.buildPoints(p), int(b.markers), b.helpers.count()
		shift := 0
		if b.seat != p.gov {
			shift = int(g.sc.BuildShift)
		}
		v.BuildColumn = min(6, v.Points+shift)
	}
	if k := &p.kill; k.stage != killNone {
		v.Hex = int(k.hex)
		if k.stage > killClass {
			v.Class = int(k.class)
		}
	}
	if p.propose.kind != 0 {
		v.Proposal = int(p.propose.kind) - actTruce
	}
	s.chainMove(&v)
	s.chainCombat(&v)
	return v
}

func (s *State) chainMove(v *Chain) {
	g, p := s.g, &s.p
	m := &p.move
	if m.stage == moveNone {
		return
	}
	v.Moving = int(m.unit)
	v.Hex, v.Class = int(p.units[m.unit].hex), int(g.classOf(p, m.unit))
	v.Shown = int(m.shown)
	if m.dest != noHex {
		v.Target, v.Price = int(m.dest), int(m.price)
	}
	if m.stage == movePassage || m.stage == moveDie {
		v.Success, v.Stop, v.Lost = g.moveChances(int(m.price), int(m.shown))
	}
}

// moveChances returns the chances of a Minuteman's move.
func (g *game) moveChances(price, shown int) (success, stop, lost float32) {
	for die := 1; die <= 6; die++ {
		switch g.minutemanResult(price, shown, die) {
		case rStop:
			stop += 1. / 6
		case rLost:
			lost += 1. / 6
		default:
			success += 1. / 6
		}
	}
	return success, stop, lost
}

func (s *State) chainCombat(v *Chain) {
	g, p := s.g, &s.p
	c := &p.combat
	if c.stage == combatNone {
		return
	}
	v.Attack, v.Target = int(c.kind), int(c.target)
	v.Ruthless, v.Betrayed, v.Tried = c.ruthless, c.betrayed, c.stage == combatBetrayalDie || c.betrayed
	v.Left, v.Second = int(c.left), c.stage == combatConsole && c.left == 1
	if c.target == noHex || c.victim == noSeat {
		return
	}
	v.Doubled = p.team(c.seat) == 0 && g.informerAt(p, c.target)
	v.Modifier = g.dieModifier(p)
	var attack, known, mean float32
	for u := c.attackers.next(0); u != noUnit; u = c.attackers.next(u + 1) {
		if p.units[u].hex != noHex {
			a, _ := s.seen(u)
			attack += a
		}
	}
	for u := c.defenders.next(0); u != noUnit; u = c.defenders.next(u + 1) {
		if p.units[u].hex != noHex {
			_, d := s.seen(u)
			mean += d
			if p.units[u].marks&untried == 0 {
				known += d
			}
		}
	}
	if c.riot {
		known += float32(g.riotDefence(p))
		mean += float32(g.riotDefence(p))
	}
	v.AttackSum, v.Known, v.Defence = attack, known, mean
	if c.stage >= combatDie || c.stage == combatReact {
		v.Column = s.seenColumn(attack, mean)
	}
	if c.retreater != noUnit {
		v.Hex, v.Class = int(p.units[c.retreater].hex), int(g.classOf(p, c.retreater))
		if c.stage == combatRetreat {
			v.RetreatClass = g.retreatClass(p, c.retreater)
		}
		if c.zone != noHex {
			var price [numHexes]uint8
			g.prices(p, &price)
			v.Price, v.Shown = int(price[c.zone]), int(c.shown)
			v.Success, v.Stop, v.Lost = g.moveChances(v.Price, v.Shown)
		}
	}
}

// seen returns the strengths of a unit as everybody knows them.
func (s *State) seen(u uint8) (attack, defence float32) {
	if k := s.g.kind[u]; k == militia || k == army {
		return s.g.strengths(&s.p, u)
	}
	return float32(s.g.attackOf(&s.p, u)), float32(s.g.defenceOf(&s.p, u))
}

// seenColumn is the column of the attack under way as far as its strengths are
// known: printed strengths without halving and doubling but that of an Informer
// and a Betrayal.
func (s *State) seenColumn(attack, defence float32) int {
	g, p := s.g, &s.p
	c := &p.combat
	a := int(attack)
	if p.team(c.seat) == 0 && g.informerAt(p, c.target) {
		a *= 2
	}
	if c.betrayed {
		a *= 2
	}
	switch c.kind {
	case military:
		side, place := 0, int(g.hexes[c.target].terrain)
		if c.victim == p.gov {
			side = 1
		}
		if g.hexes[c.target].pop == 1 {
			place = int(numTerrains)
		}
		return oddsColumn(g.militaryOdds[g.militaryLine[side][place]][:], a, int(defence+0.5))
	case infiltration:
		return oddsColumn(g.infiltrationOdds[:], a, int(defence+0.5))
	case sedition:
		a += int(g.sc.SeditionShift)
	}
	return max(0, min(a, 7)-1)
}
