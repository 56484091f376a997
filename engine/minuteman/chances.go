package minuteman

// What a player can read off the charts before a die is cast.

// Chances are the chances of what an attack can bring.
type Chances struct {
	AttackerOut, AttackerBack     float32 // Ae (hAe counts half); Ar or A1
	DefenderBack, DefenderOut     float32 // Dr or D1; De
	Pin, Convert, Unrest, Outrage float32 // P, M, U, R
}

// AttackChances returns the chances of an attack of a seat on a hex, of a kind as in
// Chain: with summed strengths as they count, and what results mean there. The defence
// means nothing to a Subversion or Sedition.
func (s *View) AttackChances(seat, kind, target int, attack, defence float32) Chances {
	var c Chances
	g, p, k, h := s.G, &s.P, attackKind(kind), HexID(target)
	column := g.columnOf(k, h, p.team(SeatID(seat)) == rebelTeam, int(attack*point+0.5), int(defence*point+0.5))
	modifier := g.dieModifier(p, k, h)
	in, u := g.look(p, h), g.armyIn(p, false, h)
	armyAlone := SeatID(seat) == p.Gov && in.count[militia] == 0 && !in.heldArmy
	for die := 1; die <= 6; die++ {
		c.count(g.meaning(k, g.cell(k, max(0, die+modifier), column), armyAlone, u != noUnit && p.Units[u].Marks&pinned != 0))
	}
	return c
}

// cell reads one result of a combat table.
func (g *game) cell(k attackKind, die, column int) result {
	switch k {
	case military:
		return g.Military.Cells[die][column]
	case infiltration:
		return g.Infiltration.Cells[die][column]
	case subversion:
		return g.Subversion.Cells[die][column]
	}
	return g.Sedition.Cells[die][column]
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
	modifier := s.G.buildModifier(&s.P, rebel, HexID(at))
	for die := 1; die <= 6; die++ {
		switch s.G.buildResult(points, rebel, HexID(at), max(0, die+modifier)) {
		case rBuild:
			built += 1. / 6
		case rUnrest:
			unrest += 1. / 6
		case rRiot:
			riot += 1. / 6
		}
	}
	return built, unrest, riot
}

// JourneyChances returns the chances of a Minuteman whose way has a price, without
// Passage markers (R8.3).
func (s *View) JourneyChances(price int) (success, stop, lost float32) {
	return s.G.moveChances(price, 0)
}

// WayPrices writes what a Minuteman before the Revolution pays for the cheapest way to
// each hex (R8.3), Unreachable for none.
func (s *View) WayPrices(u int, dst *[numHexes]uint16) {
	var price [numHexes]uint8
	var length [numHexes]uint32
	s.G.prices(&s.P, s.G.owner(&s.P, UnitID(u)), &price)
	s.G.lengths(&s.P, UnitID(u), s.P.Units[u].Hex, &price, false, &length)
	for h, l := range length {
		if dst[h] = Unreachable; l != pathNone {
			dst[h] = uint16(l / pathCost)
		}
	}
}

// Unreachable is the price of a way that there is not.
const Unreachable = 0xFFFF

// ZonesCostAlone reports whether Minutemen pay for nothing but Zones and Agents (R25.9,
// R26.7).
func (s *View) ZonesCostAlone() bool { return s.G.tables.prices[s.G.priceList][3] == 0 }

// Reach returns where a unit that moves hex by hex may end its move (R4.3, R9).
func (s *View) Reach(u int) HexSet { return s.G.reach(&s.P, UnitID(u)) }

// Allowance returns the movement points of a unit that moves hex by hex (R8.4, R8.5,
// R17.2).
func (s *View) Allowance(u int) int { return int(s.G.allowance[s.G.kind[u]]) }

// Room reports whether a unit that stands elsewhere may stand in a hex (R1.7).
func (s *View) Room(u, h int) bool { return s.G.fits(&s.P, UnitID(u), HexID(h)) }

// TakenByRail reports whether Air/Rail takes a unit up where it stands, points apart
// (R17.2).
func (s *View) TakenByRail(u int) bool { return s.G.takenByRail(&s.P, UnitID(u)) }

// Assaults reports whether a unit may come from the air or from the sea now, if there
// is a place for it (R31).
func (s *View) Assaults(u int) (air, sea bool) { return s.G.assaultsOf(&s.P, UnitID(u)) }

// CanStrike reports whether a unit may still begin an attack of a kind (R10.1 to R10.3,
// R20.7).
func (s *View) CanStrike(u, kind int) bool {
	return s.G.canStrike(&s.P, UnitID(u), attackKind(kind))
}

// Doubles reports whether a Militia attacks with doubled strength from where it stands
// (R20.6, R25.5).
func (s *View) Doubles(u int) bool { return s.G.kind[u] == militia && s.G.doubles(&s.P, UnitID(u)) }

// Exposed reports whether Military combat finds all Rebels of a hex (R10.3, R20.7),
// Incitable whether a Sedition may be aimed at it, and Subvertible whether a Division
// may be subverted (R31).
func (s *View) Exposed(h int) bool     { return s.G.exposes(&s.P, HexID(h)) }
func (s *View) Incitable(h int) bool   { return s.G.incitable(&s.P, HexID(h)) }
func (s *View) Subvertible(u int) bool { return s.G.subvertible(&s.P, UnitID(u)) }

// Builders returns the units with which a seat may begin a build attempt now (R7.3,
// R16.2, R29.6).
func (s *View) Builders(seat int) UnitSet { return s.G.builders(&s.P, SeatID(seat)) }

// LineHexes returns the hexes that a line to the Front Line may pass (R25.12).
func (s *View) LineHexes() (hexes HexSet) {
	way := s.G.freeForLines(&s.P)
	for h := range s.G.hexes {
		x := &s.G.hexes[h]
		hexes.put(HexID(h), way[x.col]>>x.row&1 != 0)
	}
	return hexes
}

// CommitStep is the number of committed Divisions that cost the Aggressor a level
// (R25.11), 0 where there is no Front Line.
func (s *View) CommitStep() int { return int(s.G.sc.CommitStep) }

// Class returns the class of a unit on the map; FirstClass plus it names the unit.
func (s *View) Class(u int) int { return int(s.G.classOf(&s.P, UnitID(u))) }

// BuildStrength returns what a unit on the map adds to a build, 0 for Militia and
// Army.
func (s *View) BuildStrength(u int) int {
	if k := s.G.kind[u]; k == militia || k == army {
		return 0
	}
	return s.G.buildOf(&s.P, UnitID(u))
}

// Distance returns the distance of two hexes (R3.2).
func (s *View) Distance(a, b int) int { return s.G.distance(HexID(a), HexID(b)) }

// RiotDefence, InformerDefence and Ruthless are facts of the scenario (R10.4,
// R25.5, R25.8, R26.3): what a Riot and an Informer add to a defence now, and
// whether Army may attack ruthlessly.
func (s *View) RiotDefence() float32     { return float32(s.G.riotDefence(&s.P)) }
func (s *View) InformerDefence() float32 { return float32(s.G.sc.InformerDefence) }
func (s *View) Ruthless() bool           { return s.G.sc.Ruthless }

// FrontLine reports whether a unit is an uncommitted Division of the Front Line
// (R25.11).
func (s *View) FrontLine(u int) bool { return s.P.Units[u].Marks&frontLine != 0 }

// PartisanCities returns the eight cities that decide the Partisan scenario, by
// number (R25.12).
func (s *View) PartisanCities() [8]int {
	var hexes [8]int
	for i, h := range s.G.board.partisan {
		hexes[i] = int(h)
	}
	return hexes
}
