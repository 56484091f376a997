package minuteman

// What a player can read off the charts before a die is cast.

// Chances are the chances of what an attack can bring.
type Chances struct {
	AttackerOut, AttackerBack     float32 // Ae (hAe counts half); Ar or A1
	DefenderBack, DefenderOut     float32 // Dr or D1; De
	Pin, Convert, Unrest, Outrage float32 // P, M, U, R
}

// AttackChances returns the chances of an attack of a kind, 0 to 3 as in Chain, on a
// hex: summed strengths as they count, and whether Rebels defend it. The defence
// means nothing to a Subversion or Sedition.
func (s *View) AttackChances(kind, target int, rebelsDefend bool, attack, defence float32) Chances {
	var c Chances
	k, h := attackKind(kind), int16(target)
	column := s.g.columnOf(k, h, !rebelsDefend, int(attack*point+0.5), int(defence*point+0.5))
	modifier := s.g.dieModifier(&s.p, k, h)
	for die := 1; die <= 6; die++ {
		c.count(s.g.cell(k, max(0, die+modifier), column))
	}
	return c
}

// cell reads one result of a combat table.
func (g *game) cell(k attackKind, die, column int) result {
	switch k {
	case military:
		return g.tables.military[die][column]
	case infiltration:
		return g.tables.infiltration[die][column]
	case subversion:
		return g.tables.subversion[die][column]
	}
	return g.tables.sedition[die][column]
}

// count adds the chance of one face of the die.
func (c *Chances) count(r result) {
	const face = 1. / 6
	switch r {
	case rAe:
		c.AttackerOut += face
	case rhAe:
		c.AttackerOut += face / 2
	case rAr, rA1:
		c.AttackerBack += face
	case rDr, rD1:
		c.DefenderBack += face
	case rDe:
		c.DefenderOut += face
	case rPin:
		c.Pin += face
	case rConvert:
		c.Convert += face
	case rUnrest:
		c.Unrest += face
	case rRiot:
		c.Outrage += face
	}
}

// BuildChances returns the chances of the results B, U and R of an attempt in a hex
// with so many points, by a Rebel or the Government (R7.4, R16.2).
func (s *View) BuildChances(points int, rebel bool, at int) (built, unrest, riot float32) {
	g := s.g
	modifier := 0
	if rebel {
		points += int(g.sc.BuildShift)
		if in := g.look(&s.p, int16(at)); in.count[agent]+in.count[cig] > 0 {
			modifier = -1
		}
	}
	column := max(1, min(points, 6)) - 1
	for die := 1; die <= 6; die++ {
		switch r := g.tables.build[max(0, die+modifier)][column]; {
		case r == rBuild:
			built += 1. / 6
		case !rebel && g.sc.QuietBuilds:
		case r == rRiot, r == rUnrest && rebel && g.sc.UnrestIsRiot:
			riot += 1. / 6
		case r == rUnrest:
			unrest += 1. / 6
		}
	}
	return built, unrest, riot
}

// Attacking tells whether a unit takes part in the attack under way.
func (s *View) Attacking(u int) bool { return s.p.combat.attackers.has(uint8(u)) }

// Class returns the class of a unit on the map; FirstClass plus it names the unit.
func (s *View) Class(u int) int { return int(s.g.classOf(&s.p, uint8(u))) }

// BuildStrength returns what a unit on the map adds to a build, 0 for Militia and
// Army.
func (s *View) BuildStrength(u int) int {
	if k := s.g.kind[u]; k == militia || k == army {
		return 0
	}
	return s.g.buildOf(&s.p, uint8(u))
}

// Distance returns the distance of two hexes (R3.2).
func (s *View) Distance(a, b int) int { return s.g.distance(int16(a), int16(b)) }

// RiotDefence, InformerDefence and Ruthless are facts of the scenario (R10.4,
// R25.5, R25.8, R26.3): what a Riot and an Informer add to a defence now, and
// whether Army may attack ruthlessly.
func (s *View) RiotDefence() float32     { return float32(s.g.riotDefence(&s.p)) }
func (s *View) InformerDefence() float32 { return float32(s.g.sc.InformerDefence) }
func (s *View) Ruthless() bool           { return s.g.sc.Ruthless }

// FrontLine tells whether a unit is an uncommitted Division of the Front Line
// (R25.11).
func (s *View) FrontLine(u int) bool { return s.p.units[u].marks&frontLine != 0 }

// PartisanCities returns the eight cities that decide the Partisan scenario, by
// number (R25.12).
func (s *View) PartisanCities() [8]int {
	var hexes [8]int
	for i, h := range s.g.board.partisan {
		hexes[i] = int(h)
	}
	return hexes
}
