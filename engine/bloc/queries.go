package bloc

// Queries of the rules, for encoders and players (R16.1): what somebody may do, what it costs
// and what it does. Each asks the function that carries the rule out. They work on views too,
// and none allocates.

// ActionDice returns how many action dice a faction with so many blocs in the city rolls
// (R4.3).
func (b Board) ActionDice(blocs int) int { return int(b.box.dice[blocs]) }

// InCity returns how many blocs of a faction are in the city.
func (b Board) InCity(f FactionID) int { return blocsEach - int(b.Mat[f]) }

// DieFor returns the least die for an advanced action in a district: 1 for a basic one
// (R6.1).
func (b Board) DieFor(f FactionID, v Verb, c CellID) int {
	return int(b.dieFor(b.Basic(f, v, c), c))
}

// CardNumber returns the number that a loot card is about: what it adds or takes off, or how
// many cops, blocs, dice, barricades or moves it brings; 0 for Steel Doors and Police Scanner.
func (b Board) CardNumber(card LootID) int { return int(b.box.loot[card].number) }

// Strength returns the strength of an attack without a bonus, by its verb (R7.2 to R7.4).
func Strength(v Verb) int { return int(strength[v]) }

// Room reports whether a connection leaves a district by an arm that can take a barricade
// (R1.2).
func (b Board) Room(c CellID, arm Arm) bool {
	return b.Districts != 0 && b.room(EndOf(c, arm))
}

// OrderedTo returns where an ops card would move the group of a district, NoCell if it would
// leave it there (R8.4).
func (b Board) OrderedTo(card OpsID, c CellID) CellID {
	for i := range b.box.ops[card].Effects {
		if e := &b.box.ops[card].Effects[i]; e.Op == opMoveGroups && b.UnderOrders(c) > 0 {
			return b.pick(b.Near[c]&b.targets(e), e.Priority)
		}
	}
	return NoCell
}

// Arriving returns how many of the riot cops ordered from a district to an adjacent one get
// there (R8.4).
func (b Board) Arriving(from, to CellID, cops int) int {
	return cops - int(stoppedBy(b.barricadesAt(b.way(from, to)), uint8(cops)))
}

// Evicts reports whether the occupation of a district would be evicted, by its riot van or by
// that many attacks of riot cops (R9.2, R9.3).
func (b Board) Evicts(c CellID, attacks int) bool {
	return b.unprotected(c) && (b.Van[c] > 0 || attacks > int(b.total(c)))
}
