package minuteman

import "powderkeg/engine/flow"

// combatStage is how far an attack has come.
type combatStage uint8

const (
	combatNone        combatStage = iota
	combatTarget                  // D41
	combatVictim                  // D41: whose units, of several players
	combatAttackers               // D42
	combatRuthless                // D43
	combatBetrayal                // D44
	combatBetrayalDie             // C10
	combatReact                   // D31
	combatDefender                // D45
	combatSupport                 // D46
	combatDie                     // C9
	combatLoss                    // D47
	combatHalf                    // D51
	combatRetreat                 // D48
	combatZone                    // D49
	combatPassage                 // D20
	combatZoneDie                 // C8
	combatAdvance                 // D50
	combatConsole                 // D14b
)

var combatStageNames = []string{"", "target", "victim", "attackers", "ruthless", "betrayal", "betrayal_die", "react", "defender",
	"support", "die", "loss", "half", "retreat", "zone", "passage", "zone_die", "advance", "console"}

// attackKind is a type of attack, in the order of the verbs (R10.1).
type attackKind uint8

const (
	military attackKind = iota
	infiltration
	subversion
	sedition
)

var attackNames = []string{"military", "infiltration", "subversion", "sedition"}

// Combat is an attack under way (R10).
type Combat struct {
	Stage  combatStage `pos:"stage" word:"combat_stage"`
	Kind   attackKind  `pos:"attack" word:"attack"`
	Seat   SeatID      `pos:"seat"`               // who declared it
	Victim SeatID      `pos:"victim" word:"seat"` // whose units defend; with one Rebel, and in a Sedition, the other side
	Target HexID       `pos:"target" word:"hex"`
	// Participants. Units that leave the map leave the sets.
	Attackers     unitSet  `pos:"attackers" set:"unit"`
	Defenders     unitSet  `pos:"defenders" set:"unit"`
	Partner       uint8    `pos:"partner"`   // partners asked in D42 (R28.6, R28.7)
	LastRank      uint8    `pos:"last_rank"` // of the last attacker of a hex (R10.15)
	Exposed       bool     `pos:"exposed"`   // a Riot or an Informer exposed all Rebels when it was declared (Ruling 36)
	Riot          bool     `pos:"riot"`      // the Riot, or a Network as one, defends too
	Informer      bool     `pos:"informer"`  // the Informer defends
	Ruthless      bool     `pos:"ruthless"`
	Betrayed      bool     `pos:"betrayed"`
	Betrayals     uint8    `pos:"betrayals_shown"` // Betrayal markers shown (R10.7)
	Passages      uint8    `pos:"passages_shown"`  // Passage markers shown (R11.3)
	React         uint8    `pos:"react"`           // seats asked in D31
	AttackerLoses bool     `pos:"attacker_loses"`
	Retreats      bool     `pos:"retreats"`                    // survivors of a step loss retreat
	Pending       unitSet  `pos:"to_retreat" set:"unit"`       // losers that have still to retreat
	Retreater     UnitID   `pos:"retreating" word:"unit"`      // who retreats now, noUnit for none
	Zone          HexID    `pos:"zone" word:"hex"`             // hex tried in D49
	Left          uint8    `pos:"left"`                        // attackers still to be eliminated (D51)
	Consoled      uint8    `pos:"-" hash:"true"`               // units of R25.8 dealt with
	Vacated       uint8    `pos:"vacated"`                     // losers' hexes: bit 0 the target, 1 + i its neighbour i
	Bared         uint8    `pos:"bared"`                       // the same for those that a CIG or Army of the Government left (R20.8)
	Passed        SeatSet  `pos:"passed" set:"seat"`           // seats that are done with their advances (R28.7)
	_             struct{} `pos:"shown,omitzero" form:"older"` // read only: older names
}

// rebelCombatPhase implements A4 (R10): the Rebels in the order of movement.
// Ruling 10: attacks are declared and resolved one by one.
func (g *game) rebelCombatPhase(p *Position, w *flow.Witness) bool {
	seat, place := g.inOrder(p, p.Struck)
	if seat == noSeat {
		return g.enter(p, w, phaseA5)
	}
	p.Seat, p.Struck = seat, place
	return p.decide(askAttack, seat)
}

// governmentCombatPhase implements G4 (R10, R28.6): the Government, then a
// federalized Rebel.
func (g *game) governmentCombatPhase(p *Position, w *flow.Witness) bool {
	switch {
	case p.Struck == 0:
		return p.decide(askAttack, p.Gov)
	case p.Struck == 1 && p.serving():
		return p.decide(askAttack, p.Fed)
	}
	return g.enter(p, w, phaseG5)
}

// around returns 0 for the target, 1 + i for its neighbour i, -1 for other hexes.
func (g *game) around(target, h HexID) int {
	if h == target {
		return 0
	}
	for i, n := range g.hexes[target].near {
		if n == h {
			return i + 1
		}
	}
	return -1
}

// canStrike implements R10.1, R10.2, R10.3 and R20.7: whether a unit may still begin
// an attack of the kind, whatever its target.
func (g *game) canStrike(p *Position, u UnitID, k attackKind) bool {
	x := &p.Units[u]
	if x.Marks&(attacked|advanced|underground) != 0 {
		return false
	}
	switch {
	case !strikers[b2u(p.RevTurn > 0)][k].has(u):
		return false
	case g.kind[u] == minuteman:
		return g.mayUse(p, u)
	case g.kind[u] == army:
		return x.Marks&(pinned|airRail) == 0
	}
	return true
}

// strikers are the units of which canStrike asks more: before the Revolution and after it, by
// the kind of attack.
var strikers = func() (sets [2][sedition + 1]unitSet) {
	for i := range sets {
		add := func(k attackKind, kinds ...kind) {
			for _, kind := range kinds {
				first, n := kindRange(kind)
				for u := first; u < first+n; u++ {
					sets[i][k].add(u)
				}
			}
		}
		add(military, militia, army)
		add(infiltration, network, minuteman, cig, agent)
		add(subversion, minuteman)
		add(sedition, minuteman)
		if i > 0 {
			add(military, network, cig)
		}
	}
	return sets
}()

// mayUse implements R10.2: of the Minutemen of a hex only the one that has fought
// in this Game-Turn uses its strength.
// Ruling 11: the mark holds for the Game-Turn, while it stays.
func (g *game) mayUse(p *Position, u UnitID) bool {
	for v := p.Head[p.Units[u].Hex]; v != noUnit; v = p.Units[v].Next {
		if v != u && g.kind[v] == minuteman && p.Units[v].Marks&fought != 0 {
			return false
		}
	}
	return true
}

// targetFor implements R10.3, R20.7 and R28.3: whether a seat may attack the units
// of another in a hex, attackers apart.
// Ruling 33: an attack spares no hex from the next one.
// Ruling 47: an Informer exposes Rebels after the Revolution too.
func (g *game) targetFor(p *Position, seat, victim SeatID, k attackKind, h HexID) bool {
	if k == sedition {
		return victim == p.Gov && g.incitable(p, h)
	}
	if victim == p.Gov {
		return g.governmentTarget(p, k, h)
	}
	if k == subversion || seat != p.Gov && p.team(seat) == p.team(victim) && p.RevTurn > 0 {
		return false
	}
	return g.hasTarget(p, victim, k, h) || k == military && seat == p.Gov && g.riotAt(p, h) && p.team(victim) == rebelTeam
}

// hasTarget implements R10.3 and R20.7 for the units of a Rebel in a hex.
func (g *game) hasTarget(p *Position, victim SeatID, k attackKind, h HexID) bool {
	exposed := k == military && g.exposes(p, h)
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if !g.isRebel(p, u) || g.owner(p, u) != victim || p.Units[u].Marks&advanced != 0 {
			continue
		}
		if line := g.isLine(u); exposed || line == (k == military) {
			return true
		}
	}
	return false
}

// governmentTarget is the part of targetFor for targets of the Government.
// Ruling 30: any Army of the Government can be subverted.
func (g *game) governmentTarget(p *Position, k attackKind, h HexID) bool {
	if k == infiltration && g.informerAt(p, h) {
		return true
	}
	if k == subversion && p.RevTurn > 0 { // R20.4
		return false
	}
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if g.isRebel(p, u) || p.Units[u].Marks&advanced != 0 {
			continue
		}
		switch isArmy := g.kind[u] == army; {
		case k == infiltration && !isArmy, k == military && isArmy:
			return true
		case k == subversion && isArmy:
			return g.subvertible(p, u)
		}
	}
	return false
}

// incitable implements R10.3 and R20.7 for Sedition: cities in play without a Riot, or
// what counts as one.
func (g *game) incitable(p *Position, h HexID) bool {
	return g.open.has(h) && g.hexes[h].pop == 1 && !g.riotLike(p, h)
}

// subvertible implements R31 (elite units) for an Army.
func (g *game) subvertible(p *Position, u UnitID) bool {
	gr := g.groupOf(p, u)
	return !(g.Elite && (gr == airborne || gr == marine))
}

// exposes implements R10.3 and R20.7: whether Military combat finds all Rebels of a
// hex, not their Militia alone.
func (g *game) exposes(p *Position, h HexID) bool {
	return g.riotLike(p, h) || g.informerAt(p, h)
}

// victims is the bit set of seats whose units a seat may attack in a hex. With one
// Rebel, and for the Government, the Rebels count as one: the first that can be
// attacked stands for all (R28.4).
func (g *game) victims(p *Position, seat SeatID, k attackKind, h HexID) SeatSet {
	var set SeatSet
	for v := range SeatID(g.Seats) {
		switch {
		case v == seat || p.Gone.Has(v) && v != p.Gov:
		case (seat == p.Gov || seat == p.Fed) && (v == p.Gov || v == p.Fed): // R28.6: no attacks between them
		case g.targetFor(p, seat, v, k, h):
			set |= 1 << v
			if seat == p.Gov || k == sedition {
				return set
			}
		}
	}
	return set
}

// targetSet is the set of hexes that a seat can attack now (D41): a legal target
// near a unit that can attack it, out of those that are targetable. With any set it stops at the first.
func (g *game) targetSet(p *Position, seat SeatID, k attackKind, targetable *hexSet, any bool) hexSet {
	var set hexSet
	if k > infiltration && seat == p.Gov || seat == p.Fed && k > infiltration {
		return set
	}
	left := *targetable // and not looked at
	if k == sedition {
		left = g.pop1
	}
	able := strikers[b2u(p.RevTurn > 0)][k]
	for i := range able {
		able[i] &= p.OnMap[i]
	}
	for u := able.next(0); u != noUnit; u = able.next(u + 1) {
		if g.owner(p, u) != seat || !g.canStrike(p, u, k) {
			continue
		}
		x := &g.hexes[p.Units[u].Hex].around
		if !left.meets(x) {
			continue
		}
		home, bound := g.attackHome(p, u)
		for i, w := range x.bits {
			i += x.word
			if w &= left[i]; bound {
				w &= g.board.country[home][i]
			}
			left[i] &^= w
			for ; w != 0; w &= w - 1 {
				if t := HexID(i<<6 + trailing(w)); g.victims(p, seat, k, t) != 0 {
					set.add(t)
					if any {
						return set
					}
				}
			}
		}
	}
	return set
}

// targetable is a set that holds every hex that can be a target of a seat (R10.3), cities apart
// that Sedition incites. It is seldom
// much larger than that, since others cost more than to leave them out here.
func (g *game) targetable(p *Position, seat SeatID) hexSet {
	var set hexSet
	switch {
	case g.Seats > 2: // Rebels attack Rebels too
		set = p.Occupied
	default:
		for i, w := range p.OnMap {
			for ; w != 0; w &= w - 1 {
				if u := UnitID(i<<6 + trailing(w)); g.isRebel(p, u) == (seat == p.Gov) {
					set.add(p.Units[u].Hex)
				}
			}
		}
	}
	for _, marked := range [2]*citySet{&p.Riot, &p.Informer} {
		for i, w := range marked {
			for ; w != 0; w &= w - 1 {
				set.add(g.cityHex[i<<6+trailing(w)])
			}
		}
	}
	return set
}

// attackHome implements R29.3: a Brigade of the Government attacks in its own
// country only. It returns the country, and whether there is one.
func (g *game) attackHome(p *Position, u UnitID) (country, bool) {
	if g.kind[u] != army || g.isRebel(p, u) {
		return us, false
	}
	switch g.groupOf(p, u) {
	case canadianBrigade:
		return canada, true
	case mexicanBrigade:
		return mexico, true
	}
	return us, false
}

// rank implements R10.15: Militia and Army first, then Network, Minuteman, CIG,
// Agent.
func (g *game) rank(p *Position, u UnitID) uint8 {
	switch c := g.classOf(p, u); {
	case c >= militiaOne && c <= anArmy:
		return uint8(c - militiaOne)
	case c <= networkUnderground:
		return 4 + uint8(c)
	case c <= minutemanStrongUnderground:
		return 7 + uint8(c-minutemanWeak)
	default:
		return 11 + uint8(c-aCIG)
	}
}

// candidates is the set of units of a seat that may join the attack next (D42).
func (g *game) candidates(p *Position, seat SeatID) unitSet {
	var set unitSet
	c := &p.Combat
	for i := -1; i < 6; i++ {
		h := c.Target
		if i >= 0 {
			h = g.hexes[c.Target].near[i]
		}
		if h == noHex || h < p.LastHex {
			continue
		}
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			if g.owner(p, u) == seat && !c.Attackers.has(u) && (h > p.LastHex || g.rank(p, u) >= c.LastRank) && g.mayJoin(p, u) {
				set.add(u)
			}
		}
	}
	return set
}

// isLine reports whether a unit is a Militia or an Army: what others back (R10.4,
// R10.5, R20.6).
func (g *game) isLine(u UnitID) bool { return g.kind[u] == militia || g.kind[u] == army }

// mayJoin implements R10.2, R10.5 and R20.6 for one unit near the target.
func (g *game) mayJoin(p *Position, u UnitID) bool {
	c := &p.Combat
	x := &p.Units[u]
	if g.kind[u] == minuteman && !g.soleMinuteman(p, u) {
		return false
	}
	if home, bound := g.attackHome(p, u); bound && g.hexes[c.Target].country != home {
		return false
	}
	if g.canStrike(p, u, c.Kind) {
		return true
	}
	if c.Kind != military || p.RevTurn > 0 || x.Marks&(attacked|advanced|underground) != 0 || g.isLine(u) {
		return false
	}
	if g.kind[u] == minuteman && !g.mayUse(p, u) {
		return false
	}
	for v := p.Head[x.Hex]; v != noUnit; v = p.Units[v].Next {
		if c.Attackers.has(v) && g.isLine(v) {
			return true
		}
	}
	return false
}

// soleMinuteman reports whether no other Minuteman of the hex has joined the attack
// (R10.2).
func (g *game) soleMinuteman(p *Position, u UnitID) bool {
	for v := p.Head[p.Units[u].Hex]; v != noUnit; v = p.Units[v].Next {
		if v != u && g.kind[v] == minuteman && p.Combat.Attackers.has(v) {
			return false
		}
	}
	return true
}

// join adds a unit to the attack. R20.6: after the Revolution a Militia or Army
// brings what backs it in its hex and has not attacked; of several Minutemen the one
// marked by R10.2, else the first by arrival.
func (g *game) join(p *Position, u UnitID) {
	c := &p.Combat
	c.Attackers.add(u)
	if c.Kind != military || p.RevTurn == 0 || !g.isLine(u) {
		return
	}
	for v := p.Head[p.Units[u].Hex]; v != noUnit; v = p.Units[v].Next {
		if g.backs(p, v, u) && p.Units[v].Marks&(attacked|advanced) == 0 && (g.kind[v] != minuteman || g.mayUse(p, v) && g.soleMinuteman(p, v)) {
			c.Attackers.add(v)
		}
	}
}
