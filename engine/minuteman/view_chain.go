package minuteman

// Chain is the decision under way: what has been chosen and what it amounts to.
// Hexes are NoHex and numbers zero where they mean nothing. From the first attacker to
// the die AttackSum, Known and Defence are the totals as they count, all multipliers
// included: what is known of them, and the defence with means for the untried; Column
// is where the attack would be resolved with these means if it were committed as it
// stands.
type Chain struct {
	Attack                    int // 0 to 3, -1 for none
	Class                     int // -1 for none
	Hex, Target               int
	Begun                     bool // a verb or a pile has been chosen, and no hex yet
	Mexico                    bool // it is the pile of Mexico
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
	Placing                   int // type of the counter that D1 places: armored 0, infantry, airborne, marine, Security 4; -1 for none
	Proposal                  int // truce 0, TARGET, joint Revolution, federalization 3; -1 for none
	Maker                     int // seat that makes it, -1 for none
	Moving                    int // unit, -1 for none
}

// Chain returns the decision under way.
func (s *View) Chain() Chain {
	g, p := s.G, &s.P
	v := Chain{Attack: -1, Class: -1, Hex: NoHex, Target: NoHex, Column: -1, RetreatClass: -1, Placing: -1, Proposal: -1, Maker: -1, Moving: -1}
	if p.hexChosen() {
		v.Hex = int(p.selHex)
	} else {
		v.Begun = p.part > 0
		v.Mexico = v.Begun && p.Ask == askExtra && p.pile == mexico
	}
	if p.part > 1 && p.Ask == askAdvance {
		v.Class = int(p.selClass)
	}
	if p.part == 0 && (p.Ask == askSpread || p.Ask == askExtraRiot || p.Ask == askReactPlace) {
		v.Left = int(p.count)
	}
	if b := &p.build; b.stage != buildNone {
		v.Hex, v.Points, v.Organizers, v.Helpers = int(b.hex), g.buildPoints(p), int(b.markers), b.helpers.count()
		v.BuildColumn = g.buildColumn(v.Points, b.seat != p.gov)
	}
	if k := &p.kill; k.stage != killNone {
		v.Hex = int(k.hex)
		if k.stage > killClass {
			v.Class = int(k.class)
		}
	}
	if p.Ask == askArmy && p.queued > 0 {
		v.Placing = int(g.queuedGroup(p, 0) - armored)
	}
	switch {
	case p.rising.stage == risingAsk: // a declaration that asks for consent (R28.7)
		v.Proposal, v.Maker = actJointRevolution-actTruce, int(p.rising.seat)
	case p.propose.kind != 0:
		v.Proposal, v.Maker = int(p.propose.kind)-actTruce, int(p.seat)
	}
	s.chainMove(&v)
	s.chainCombat(&v)
	return v
}

// hexChosen reports whether the chain under way has named a hex: the second token where
// a verb begins it, else the first.
func (p *position) hexChosen() bool {
	switch p.Ask {
	case askToggle, askBuild, askGovBuild, askMove, askGovMove:
		return p.part > 1
	case askMoveNet, askAttackers, askLoss, askHalf, askAdvance:
		return p.part > 0
	}
	return false
}

func (s *View) chainMove(v *Chain) {
	g, p := s.G, &s.P
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

func (s *View) chainCombat(v *Chain) {
	g, p := s.G, &s.P
	c := &p.combat
	if c.stage == combatNone {
		return
	}
	v.Attack, v.Target = int(c.kind), int(c.target)
	v.Ruthless, v.Betrayed, v.Tried = c.ruthless, c.betrayed, c.stage == combatBetrayalDie || c.betrayed
	v.Left, v.Second = int(c.left), c.stage == combatConsole && c.consoled == 1
	if v.Second {
		v.Left = 1
	}
	if c.target == noHex || c.victim == noSeat {
		return
	}
	if c.stage <= combatDie && !c.attackers.empty() {
		d := g.defenders(p)
		v.Doubled = g.informerDoubles(p, &d)
		v.Modifier = g.dieModifier(p, c.kind, c.target)
		v.Column = g.combatColumn(p, &d, mean)
		v.AttackSum = float32(g.attackStrength(p, &d, known)) / point
		if c.kind <= infiltration {
			v.Known = float32(g.defenceStrength(p, &d, known)) / point
			v.Defence = float32(g.defenceStrength(p, &d, mean)) / point
		}
	}
	if c.retreater != noUnit {
		v.Hex, v.Class = int(p.units[c.retreater].hex), int(g.classOf(p, c.retreater))
		if c.stage == combatRetreat {
			v.RetreatClass = g.retreatClass(p, c.retreater)
		}
		if c.zone != noHex {
			var price [numHexes]uint8
			g.prices(p, &price)
			v.Price, v.Shown = int(price[c.zone]), int(c.passages)
			v.Success, v.Stop, v.Lost = g.moveChances(v.Price, v.Shown)
		}
	}
}
