package minuteman

// Who is declared, who counts and who suffers in an attack, and what its odds are.
// The rules, the observations, the texts and the players all ask here.

// point is one point of strength in the unit in which strengths are added up. It
// can be divided by every number of counters that an untried unit can be, so that
// means are exact.
const point = 27720

// sight says how an untried unit counts.
type sight uint8

const (
	truth sight = iota // as the counter that it is; only the rules may look
	mean               // as the mean of the counters that it can be
	known              // not at all
)

// sameSide implements R20.6 and R28.6 for two seats: the Rebels fight on one side,
// but for a federalized one, who fights beside the Government and defends apart.
func (p *Position) sameSide(a, b SeatID) bool {
	return a == b || a != p.Gov && b != p.Gov && a != p.Fed && b != p.Fed
}

// backs implements R20.6: what must take part beside a Militia or Army of its own
// side. An Army held by a Rebel is as a Militia (R30.1).
func (g *game) backs(p *Position, u, line UnitID) bool {
	if !p.sameSide(g.owner(p, u), g.owner(p, line)) {
		return false
	}
	if g.isRebel(p, line) {
		return g.kind[u] == network || g.kind[u] == minuteman
	}
	return g.kind[u] == agent || g.kind[u] == cig
}

// suffering implements R20.6: who suffers the result of one side. Before the
// Revolution, and in other than Military combat, these are the participants; after it
// also all other units of their side in the hex of a Militia or Army among them, even
// if they have attacked already or stood back. A defender that has advanced is not
// attacked (R10.1), nor are others than the one whom a Rebel has named (R28.3, R-23).
// see there for units that have advanced.
func (g *game) suffering(p *Position, attackers bool) unitSet {
	c := &p.Combat
	part := c.Defenders
	if attackers {
		part = c.Attackers
	}
	if c.Kind != military || p.RevTurn == 0 {
		return part
	}
	set := part
	for u := part.next(milFirst); u < agtFirst; u = part.next(u + 1) {
		if p.Units[u].Hex == noHex {
			continue
		}
		for v := p.Head[p.Units[u].Hex]; v != noUnit; v = p.Units[v].Next {
			if o := g.owner(p, v); p.sameSide(o, g.owner(p, u)) && (attackers || p.Units[v].Marks&advanced == 0 && (c.Seat == p.Gov || o == c.Victim)) {
				set.add(v)
			}
		}
	}
	return set
}

// riotLike implements R20.7: whether a hex is a Riot hex to Military combat. After the
// Revolution one with a Network is.
func (g *game) riotLike(p *Position, h HexID) bool {
	return g.riotAt(p, h) || p.RevTurn > 0 && g.first(p, network, h) != noUnit
}

// defence is who defends in the attack under way, as far as that is settled.
type defence struct {
	units unitSet
	// minuteman is the one whose strength counts (R10.2): of several that may be
	// chosen the strongest, noUnit for none.
	minuteman UnitID
	riot      bool // the Riot, or a Network as one, defends too
	informer  bool // the Informer defends
	whole     bool // all count in full
}

// defenders returns who defends. What is settled only later is taken as the present
// map has it.
func (g *game) defenders(p *Position) defence {
	c := &p.Combat
	d := defence{units: c.Defenders, minuteman: noUnit, riot: c.Riot, informer: c.Informer}
	exposed := c.Exposed
	if c.Stage <= combatAttackers && c.Kind == military && c.Victim != p.Gov {
		d.riot = g.riotLike(p, c.Target)
		exposed = d.riot || g.informerAt(p, c.Target)
	}
	d.whole = c.Kind == infiltration || p.RevTurn > 0 || c.Victim != p.Gov && exposed
	choice := c.Stage == combatDefender
	if c.Stage <= combatReact {
		d.informer = g.informerDefends(p)
		var minutemen bool
		d.units, minutemen, _ = g.called(p, d.whole)
		choice = minutemen && d.whole
	}
	if choice {
		set := g.defendingMinutemen(p)
		for u := set.next(mmFirst); u < milFirst; u = set.next(u + 1) {
			if d.minuteman == noUnit || g.defenceOf(p, u, known) > g.defenceOf(p, d.minuteman, known) {
				d.minuteman = u
			}
		}
		return d
	}
	for u := c.Defenders.next(mmFirst); u < milFirst; u = c.Defenders.next(u + 1) {
		if p.Units[u].Marks&fought != 0 { // D45 and D46 put the mark
			d.minuteman = u
		}
	}
	return d
}

// informerDefends implements R10.4 for the Informer of the target.
func (g *game) informerDefends(p *Position) bool {
	c := &p.Combat
	return c.Kind == infiltration && c.Victim == p.Gov && g.informerAt(p, c.Target)
}

// called implements R10.4 and R20.6: the units of the target hex that defend without
// a choice. It reports whether there are Minutemen that may be chosen, and whether
// there is anybody who may add his strength.
func (g *game) called(p *Position, whole bool) (set unitSet, minutemen, supporters bool) {
	c := &p.Combat
	line := UnitID(noUnit)
	if c.Kind == sedition {
		return set, false, false
	}
	for u := p.Head[c.Target]; u != noUnit; u = p.Units[u].Next {
		if !g.defends(p, u) {
			continue
		}
		switch g.kind[u] {
		case army, militia:
			if c.Kind != infiltration {
				set.add(u)
				line = u
			}
		case network:
			if whole {
				set.add(u)
			}
			supporters = true
		case minuteman:
			minutemen, supporters = true, true
		default:
			if c.Kind == infiltration || c.Kind == military && p.RevTurn > 0 {
				set.add(u)
			}
			supporters = true
		}
	}
	minutemen = minutemen && c.Victim != p.Gov
	if minutemen && p.RevTurn > 0 && line != noUnit && c.Kind == military {
		for u := p.Head[c.Target]; u != noUnit; u = p.Units[u].Next {
			if g.kind[u] == minuteman && g.defends(p, u) {
				set.add(u)
			}
		}
	}
	return set, minutemen, supporters
}

// attackStrength implements R10.5, R10.6, R20.6, R25.5 and R30.1: the attack total of
// the attack under way.
func (g *game) attackStrength(p *Position, d *defence, s sight) int {
	c := &p.Combat
	total := 0
	for i := -1; i < 6; i++ {
		h := c.Target
		if i >= 0 {
			h = g.hexes[c.Target].near[i]
		}
		if h != noHex {
			total += g.strengthFrom(p, h, s)
		}
	}
	if g.informerDoubles(p, d) {
		total *= 2
	}
	if c.Betrayed {
		total *= 2
	}
	return total
}

// informerDoubles implements R10.6: the Government attacks Rebel units beside an
// Informer.
// an attack of a federalized Rebel is none of the Government's.
func (g *game) informerDoubles(p *Position, d *defence) bool {
	c := &p.Combat
	return c.Seat == p.Gov && g.informerAt(p, c.Target) && (!d.units.empty() || d.minuteman != noUnit)
}

// strengthFrom is what the attackers of one hex add. Of several Minutemen in a hex
// one at most attacks (R10.2).
func (g *game) strengthFrom(p *Position, h HexID, s sight) int {
	c := &p.Combat
	line, other := 0, 0
	for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
		if !c.Attackers.has(u) {
			continue
		}
		n := g.attackOf(p, u, s)
		if !g.isLine(u) {
			other += n
			continue
		}
		if g.kind[u] == army && c.Ruthless && !g.isRebel(p, u) || g.kind[u] == militia && g.doubles(p, u) {
			n *= 2
		}
		line += n
	}
	if c.Kind == military && p.RevTurn == 0 { // support, summed and halved hex by hex (Ruling 27)
		other = other / (2 * point) * point
	}
	return line + other
}

// doubles implements R20.6 and R25.5: a Militia that attacks from the hex of a Network
// or Minuteman doubles its strength.
func (g *game) doubles(p *Position, u UnitID) bool {
	if p.RevTurn == 0 && !g.sc.MilitiaDoubled {
		return false
	}
	for v := p.Head[p.Units[u].Hex]; v != noUnit; v = p.Units[v].Next {
		if g.backs(p, v, u) {
			return true
		}
	}
	return false
}

// defenceStrength implements R10.4 and R20.6.
func (g *game) defenceStrength(p *Position, d *defence, s sight) int {
	total, other := 0, 0
	for u := p.Head[p.Combat.Target]; u != noUnit; u = p.Units[u].Next {
		switch {
		case u == d.minuteman:
			other += g.defenceOf(p, u, s)
		case !d.units.has(u) || g.kind[u] == minuteman:
		case g.kind[u] == militia || g.kind[u] == army:
			total += g.defenceOf(p, u, s)
		default:
			other += g.defenceOf(p, u, s)
		}
	}
	if !d.whole {
		other = other / (2 * point) * point
	}
	total += other
	if d.riot {
		total += g.riotDefence(p) * point
	}
	if d.informer {
		total += int(g.sc.InformerDefence) * point
	}
	return total
}

// riotDefence implements R10.4, R20.7, R25.5 and R26.3.
func (g *game) riotDefence(p *Position) int {
	const risen = 3 // R20.7
	n := int(g.sc.RiotDefence)
	if p.RevTurn > 0 {
		n = max(n, risen)
	}
	return n
}

// combatColumn returns the column in which the attack under way is resolved as it
// stands.
func (g *game) combatColumn(p *Position, d *defence, s sight) int {
	c := &p.Combat
	against := 0
	if c.Kind <= infiltration {
		against = g.defenceStrength(p, d, s)
	}
	return g.columnOf(c.Kind, c.Target, c.Victim == p.Gov, g.attackStrength(p, d, s), against)
}

// columnOf implements R10.9 to R10.13, R25.6 and R26.3: the column for an attack on a
// hex with summed strengths in parts of a point. R10.14: terrain counts in Military
// combat alone.
func (g *game) columnOf(k attackKind, target HexID, onGovernment bool, attack, defence int) int {
	switch defence = max(defence, point); k {
	case military:
		place := int(g.hexes[target].terrain)
		if g.hexes[target].pop == 1 {
			place = int(numTerrains)
		}
		return oddsColumn(g.Military.Lines[g.militaryLine[b2u(onGovernment)][place]].Odds[:], attack, defence)
	case infiltration:
		return oddsColumn(g.Infiltration.Columns[:], attack, defence)
	case sedition:
		attack += int(g.sc.SeditionShift) * point
	}
	return max(0, min(attack/point, 7)-1)
}

// dieModifier implements R10.12 and R10.13: 1 is taken off if an Agent or CIG
// stands in the hex.
func (g *game) dieModifier(p *Position, k attackKind, target HexID) int {
	if k < subversion {
		return 0
	}
	if in := g.look(p, target); in.count[agent]+in.count[cig] > 0 {
		return -1
	}
	return 0
}
