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
func (s *View) InCity(f int) int { return blocsEach - int(s.P.Mat[f]) }

// MayHold reports whether a faction may have an occupation in a district (R5.2).
func (s *View) MayHold(f, c int) bool {
	return s.P.Tile[c] != noTile && s.G.mayHold(&s.P, uint8(f), uint8(c))
}

// Basic reports whether an advanced action, by its verb, counts as a basic one for a faction
// in a district (R6.1).
func (s *View) Basic(f, verb0, c int) bool {
	return s.G.isBasic(&s.P, uint8(f), Verb(verb0), uint8(c))
}

// DieFor returns the least die for an advanced action in a district: 1 for a basic one
// (R6.1).
func (s *View) DieFor(f, verb0, c int) int {
	return int(s.G.dieFor(&s.P, s.Basic(f, verb0, c), uint8(c)))
}

// CanPlay reports whether a faction in its turn could carry out a loot card, if it held it
// (R11.3).
func (s *View) CanPlay(f, card int) bool {
	return s.G.possible(&s.P, uint8(f), s.G.box.loot[card].Effects)
}

// CardNumber returns the number that a loot card is about: what it adds or takes off, or how
// many cops, blocs, dice, barricades or moves it brings; 0 for Steel Doors and Police Scanner.
func (s *View) CardNumber(card int) int {
	n := uint8(0)
	for i := range s.G.box.loot[card].Effects {
		e := &s.G.box.loot[card].Effects[i]
		n += uint8(e.N) + uint8(e.Max) + e.Add + e.Minus
	}
	return int(n)
}

// Strength returns the strength of an attack without a bonus, by its verb (R7.2 to R7.4).
func Strength(verb0 int) int { return int(strength[verb0]) }

// FactoryUses returns how often the Molotov Factory can still be used in a turn of a faction.
func (s *View) FactoryUses(f int) int { return int(s.G.factory(&s.P, uint8(f))) }

// Molotov returns what a Molotov card adds to an attack of a faction, with the Molotov Factory
// or without (R7.1). The faction must have the Factory in the city for the former.
func (s *View) Molotov(f, card int, factory bool) int {
	return int(s.G.molotov(&s.P, uint8(f), uint8(card), factory))
}

// HitsLeft returns how many hits the riot van of a district still takes, 0 without one
// (R7.4).
func (s *View) HitsLeft(c int) int { return int(s.G.hitsLeft(&s.P, uint8(c))) }

// Room reports whether a connection leaves a district by an arm that can take a barricade
// (R1.2).
func (s *View) Room(c, arm int) bool {
	return s.P.Districts != 0 && s.G.room(&s.P, uint8(4*c+arm))
}

// Steps returns the districts one step away, by street, highway or metro, a bit set (R5.3).
func (s *View) Steps(c int) uint32 { return uint32(s.P.steps(uint8(c))) }

// Partners returns the factions that a faction could propose a trade to, a bit set (R5.9).
func (s *View) Partners(f int) uint32 { return s.G.partners(&s.P, uint8(f)) }

// UnderOrders returns how many riot cops of a district an ops card could move away (R8.4).
func (s *View) UnderOrders(c int) int { return int(s.P.underOrders(uint8(c))) }

// OrderedTo returns the district that an ops card would move the group in a district to, -1 if
// it leaves it there (R8.4).
func (s *View) OrderedTo(card, c int) int {
	p := &s.P
	for i := range s.G.box.ops[card].Effects {
		if e := &s.G.box.ops[card].Effects[i]; e.Op == opMoveGroups && p.underOrders(uint8(c)) > 0 {
			return cell0(p.pick(p.Near[c]&p.targets(e), e.Priority))
		}
	}
	return -1
}

// Arriving returns how many of so many riot cops under orders get from a district to an
// adjacent one (R8.4).
func (s *View) Arriving(from, to, cops int) int {
	return cops - int(stoppedBy(s.P.barricadesAt(s.P.way(uint8(from), uint8(to))), uint8(cops)))
}

// Attacks returns how many attacks the riot cops of a district make at Sunrise (R9.3).
func (s *View) Attacks(c int) int { return int(s.P.attacks(uint8(c))) }

// Evicts reports whether so many attacks of riot cops evict the occupation of a district, or its riot van
// does (R9.2, R9.3).
func (s *View) Evicts(c, attacks int) bool {
	return s.P.unprotected(uint8(c)) && (s.P.Van[c] > 0 || attacks > int(s.P.total(uint8(c))))
}

// BlocsNeeded returns how many blocs and boosts liberate a district (R9.5).
func (s *View) BlocsNeeded(c int) int { return int(blocsNeeded(s.G.difficulty(&s.P, uint8(c)))) }
