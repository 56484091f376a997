package insurgency

import "powderkeg/engine"

// What is printed, for players who think about situations that are not there. What the
// rules make of it stands beside the rules: Admits, Price, HitFaces, HuntEffects,
// TaxYield, Selections, GroupPrice and their like.

// Box returns what is in the game's box.
func (s *View) Box() *Box { return s.G.box }

// Limits are the most of each marker, and of bases in a space (R1.4, R1.6).
type Limits struct{ Unrest, Bases, Reserves, Hacked, Shields int }

// Limits returns the limits.
func (b *Box) Limits() Limits {
	return Limits{int(b.maxUnrest), int(b.maxBases), int(b.maxReserves), int(b.maxHacked), int(b.maxShields)}
}

// Operations returns the operations that seat p may perform (R7.1).
func (b *Box) Operations(p engine.Player) []int {
	var list []int
	for k, side := range opSides {
		if side == eitherSide || side == opSide(p) {
			list = append(list, k)
		}
	}
	return list
}

// MarkerSteps returns the spaces that the Social Media marker can go to from space i, and
// who has the Edge there (R13.3.1).
func (b *Box) MarkerSteps(i int) (to []Marker, edge engine.Player) {
	return b.sm[i].moves, engine.Player(b.sm[i].edge)
}

// SocialOps returns the Ops of Social Media attack k (R13.3.3).
func (b *Box) SocialOps(k int) int { return int(b.attacks[k]) }

// Income returns the dollars that a base brings seat p (R15).
func (b *Box) Income(p engine.Player) int { return int(b.income[p]) }

// Desertion returns among how many militia of a space one deserts (R15).
func (b *Box) Desertion() int { return int(b.desertion) }

// HandSize returns the cards that a side with so many dollars is dealt (R15).
func (b *Box) HandSize(dollars int) int { return int(b.handSize[dollars]) }

// DominationPoints returns the victory points that end the game when a round ends (R5.3).
func (b *Box) DominationPoints() int { return b.dominationVP }
