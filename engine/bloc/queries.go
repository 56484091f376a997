package bloc

// Queries of the rules, for encoders and players (R16.1): what somebody may do, what it costs
// and what it does. Each asks the function that carries the rule out. All work on views and
// none allocates.

// OpsCards returns how many police ops cards a turn has at this morale (R8.1).
func (s *View) OpsCards() int { return int(s.G.opsCards(&s.P)) }

// ActionDice returns how many action dice a faction with so many blocs in the city rolls
// (R4.3).
func (s *View) ActionDice(blocs int) int { return int(s.G.box.dice[blocs]) }

// InCity returns how many blocs of a faction are in the city.
func (s *View) InCity(f FactionID) int { return blocsEach - int(s.P.Mat[f]) }

// MayHold reports whether a faction may have an occupation in a district (R5.2).
func (s *View) MayHold(f FactionID, c CellID) bool {
	return s.P.Tile[c] != noTile && s.G.mayHold(&s.P, f, c)
}

// Basic reports whether an advanced action, by its verb, counts as a basic one for a faction
// in a district (R6.1).
func (s *View) Basic(f FactionID, v Verb, c CellID) bool {
	return s.G.isBasic(&s.P, f, v, c)
}

// DieFor returns the least die for an advanced action in a district: 1 for a basic one
// (R6.1).
func (s *View) DieFor(f FactionID, v Verb, c CellID) int {
	return int(s.G.dieFor(&s.P, s.Basic(f, v, c), c))
}

// CanPlay reports whether a faction in its turn could carry out a loot card, if it held it
// (R11.3).
func (s *View) CanPlay(f FactionID, card LootID) bool {
	return s.G.possible(&s.P, f, s.G.box.loot[card].Effects)
}

// CardNumber returns the number that a loot card is about: what it adds or takes off, or how
// many cops, blocs, dice, barricades or moves it brings; 0 for Steel Doors and Police Scanner.
func (s *View) CardNumber(card LootID) int {
	n := uint8(0)
	for i := range s.G.box.loot[card].Effects {
		e := &s.G.box.loot[card].Effects[i]
		n += uint8(e.N) + uint8(e.Max) + e.Add + e.Minus
	}
	return int(n)
}

// Strength returns the strength of an attack without a bonus, by its verb (R7.2 to R7.4).
func Strength(v Verb) int { return int(strength[v]) }

// FactoryUses returns how often the Molotov Factory can still be used in a turn of a faction.
func (s *View) FactoryUses(f FactionID) int { return int(s.G.factory(&s.P, f)) }

// Molotov returns what a Molotov card adds to an attack of a faction, with the Molotov Factory
// or without (R7.1). The faction must have the Factory in the city for the former.
func (s *View) Molotov(f FactionID, card LootID, factory bool) int {
	return int(s.G.molotov(&s.P, f, card, factory))
}

// HitsLeft returns how many hits the riot van of a district still takes, 0 without one
// (R7.4).
func (s *View) HitsLeft(c CellID) int { return int(s.G.hitsLeft(&s.P, c)) }

// Room reports whether a connection leaves a district by an arm that can take a barricade
// (R1.2).
func (s *View) Room(c CellID, arm Arm) bool {
	return s.P.Districts != 0 && s.G.room(&s.P, EndOf(c, arm))
}

// Steps returns the districts one step away, by street, highway or metro (R5.3).
func (s *View) Steps(c CellID) CellSet { return s.P.steps(c) }

// Partners returns the factions that a faction could propose a trade to, a bit set (R5.9).
func (s *View) Partners(f FactionID) uint32 { return s.G.partners(&s.P, f) }

// UnderOrders returns how many riot cops of a district an ops card could move away (R8.4).
func (s *View) UnderOrders(c CellID) int { return int(s.P.underOrders(c)) }

// OrderedTo returns the district that an ops card would move the group in a district to, NoCell if
// it leaves it there (R8.4).
func (s *View) OrderedTo(card OpsID, c CellID) CellID {
	p := &s.P
	for i := range s.G.box.ops[card].Effects {
		if e := &s.G.box.ops[card].Effects[i]; e.Op == opMoveGroups && p.underOrders(c) > 0 {
			return p.pick(p.Near[c]&p.targets(e), e.Priority)
		}
	}
	return NoCell
}

// Arriving returns how many of so many riot cops under orders get from a district to an
// adjacent one (R8.4).
func (s *View) Arriving(from, to CellID, cops int) int {
	return cops - int(stoppedBy(s.P.barricadesAt(s.P.way(from, to)), uint8(cops)))
}

// Attacks returns how many attacks the riot cops of a district make at Sunrise (R9.3).
func (s *View) Attacks(c CellID) int { return int(s.P.attacks(c)) }

// Evicts reports whether so many attacks of riot cops evict the occupation of a district, or its riot van
// does (R9.2, R9.3).
func (s *View) Evicts(c CellID, attacks int) bool {
	return s.P.unprotected(c) && (s.P.Van[c] > 0 || attacks > int(s.P.total(c)))
}

// BlocsNeeded returns how many blocs and boosts liberate a district (R9.5).
func (s *View) BlocsNeeded(c CellID) int { return int(blocsNeeded(s.G.difficulty(&s.P, c))) }
