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
	if g.hexChosen(p) {
		v.Hex = int(p.SelHex)
	} else {
		v.Begun = p.Part > 0
		v.Mexico = v.Begun && p.Ask == askExtra && p.Pile == mexico
	}
	if p.Part > 1 && p.Ask == askAdvance {
		v.Class = int(p.SelClass)
	}
	switch p.Ask {
	case askSpread:
		v.Left = int(p.Build.Spread)
	case askExtraRiot:
		v.Left = int(p.Builds.Extra)
	case askReactPlace:
		v.Left = int(p.Reaction.Left)
	}
	if b := &p.Build; b.Stage != buildNone {
		v.Hex, v.Points, v.Organizers, v.Helpers = int(b.Hex), g.buildPoints(p), int(b.Markers), b.Helpers.count()
		v.BuildColumn = g.buildColumn(v.Points, b.Seat != p.Gov)
	}
	if k := &p.Kill; k.Stage != killNone {
		v.Hex = int(k.Hex)
		if k.Stage > killClass {
			v.Class = int(k.Class)
		}
	}
	if p.Ask == askArmy && p.Queued > 0 {
		v.Placing = int(g.queuedGroup(p, 0) - armored)
	}
	switch {
	case p.Rising.Stage == risingAsk: // a declaration that asks for consent (R28.7)
		v.Proposal, v.Maker = actJointRevolution-actTruce, int(p.Rising.Seat)
	case p.Propose.Kind != 0:
		v.Proposal, v.Maker = int(p.Propose.Kind)-actTruce, int(p.Seat)
	}
	s.chainMove(&v)
	s.chainCombat(&v)
	return v
}

func (s *View) chainMove(v *Chain) {
	g, p := s.G, &s.P
	m := &p.Move
	if m.Stage == moveNone {
		return
	}
	v.Moving = int(m.Unit)
	v.Hex, v.Class = int(p.Units[m.Unit].Hex), int(g.classOf(p, m.Unit))
	v.Shown = int(m.Shown)
	if m.Dest != noHex {
		v.Target, v.Price = int(m.Dest), int(m.Price)
	}
	if m.Stage == movePassage || m.Stage == moveDie {
		v.Success, v.Stop, v.Lost = g.moveChances(int(m.Price), int(m.Shown))
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
	c := &p.Combat
	if c.Stage == combatNone {
		return
	}
	v.Attack, v.Target = int(c.Kind), int(c.Target)
	v.Ruthless, v.Betrayed, v.Tried = c.Ruthless, c.Betrayed, c.Stage == combatBetrayalDie || c.Betrayed
	v.Left, v.Second = int(c.Left), c.Stage == combatConsole && c.Consoled == 1
	if v.Second {
		v.Left = 1
	}
	if c.Target == noHex || c.Victim == noSeat {
		return
	}
	if c.Stage <= combatDie && !c.Attackers.empty() {
		d := g.defenders(p)
		v.Doubled = g.informerDoubles(p, &d)
		v.Modifier = g.dieModifier(p, c.Kind, c.Target)
		v.Column = g.combatColumn(p, &d, mean)
		v.AttackSum = float32(g.attackStrength(p, &d, known)) / point
		if c.Kind <= infiltration {
			v.Known = float32(g.defenceStrength(p, &d, known)) / point
			v.Defence = float32(g.defenceStrength(p, &d, mean)) / point
		}
	}
	if c.Retreater != noUnit {
		v.Hex, v.Class = int(p.Units[c.Retreater].Hex), int(g.classOf(p, c.Retreater))
		if c.Stage == combatRetreat {
			v.RetreatClass = g.retreatClass(p, c.Retreater)
		}
		if c.Zone != noHex {
			var price [numHexes]uint8
			g.prices(p, g.owner(p, c.Retreater), &price)
			v.Price, v.Shown = int(price[c.Zone]), int(c.Passages)
			v.Success, v.Stop, v.Lost = g.moveChances(v.Price, v.Shown)
		}
	}
}
