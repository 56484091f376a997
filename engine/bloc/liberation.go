package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// couldBeLiberated implements the first half of R9.5: a repressed district with a liberated
// side and an occupation.
func (g *game) couldBeLiberated(p *position, c uint8) bool {
	return !p.liberated.has(c) && g.box.tiles[p.tile[c]].Liberable && p.holder[c] != 0
}

// enough implements the second half of R9.5: blocs of all factions and boosts are
// at least twice the difficulty. Police do not matter.
func (g *game) enough(p *position, c uint8) bool {
	return p.total(c)+p.boost[c] >= blocsNeeded(g.difficulty(p, c))
}

// blocsNeeded implements the table of R9.5.
func blocsNeeded(difficulty uint8) uint8 { return 2 * difficulty }

// scanSound implements R9.5 (i): districts with an occupation that fall short.
func (g *game) scanSound(p *position, _ *flow.Witness) bool {
	if p.next(func(c uint8) bool { return g.couldBeLiberated(p, c) && !g.enough(p, c) }) {
		p.step = askSound
	} else {
		p.step = liberate
	}
	return false
}

// promptSound implements R9.5 (i) and D28: Sound Systems, of each faction in turn order,
// until the number suffices.
func (g *game) promptSound(p *position, _ *flow.Witness) bool {
	sound := g.box.soundSystem
	for ; p.now.order < g.factions && !g.enough(p, p.now.cell); p.now.order++ {
		f := g.order(p, p.now.order)
		if p.blocs[f][p.now.cell] == 0 {
			continue
		}
		g.mayBeAsked(p, f)
		if p.hand[f][sound] == 0 {
			continue
		}
		p.now.who = f
		legal := p.Offer()
		legal.Add(actDone)
		legal.Add(actCard + engine.Action(sound))
		return g.decide(p, f)
	}
	scan := p.now.scan + 1
	p.now, p.step = clearPending, scanSound
	p.now.scan = scan
	return false
}

func (g *game) actSound(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.now.order++
		return
	}
	g.toDiscard(p, w, p.now.who, g.box.soundSystem)
	p.boost[p.now.cell] += uint8(g.box.loot[g.box.soundSystem].Effects[0].N)
	if w != nil {
		w.All("boost", "R9.5", g.district(p, p.now.cell), number("blocs", p.boost[p.now.cell]))
	}
}

// liberateNext implements R9.5 (ii): the district of lowest police ID that qualifies is
// liberated; none means that the step is over.
func (g *game) liberateNext(p *position, w *flow.Witness) bool {
	if !p.next(func(c uint8) bool { return g.couldBeLiberated(p, c) && g.enough(p, c) }) {
		p.step = nextNight
		return false
	}
	g.liberate(p, w, p.now.cell)
	return false
}

// liberate implements R9.6 (Liberate; Ruling 28): tokens and shopping centres go, the rest stays. The
// factions with blocs there and the one with most are noted for the card.
func (g *game) liberate(p *position, w *flow.Witness, c uint8) {
	needed := blocsNeeded(g.difficulty(p, c))
	p.liberated |= at(c)
	for i := range p.centers {
		p.centers[i][c] = 0
	}
	p.now = clearPending
	p.now.cell = c
	for f := range uint8(numFactions) {
		if p.blocs[f][c] > 0 {
			p.now.liberating |= 1 << f
		}
	}
	p.now.chooser = g.strongest(p, c)
	if w != nil {
		w.All("liberated", "R9.6", g.district(p, c), flow.Arg("liberating", g.factionList(p.now.liberating)),
			number("blocs", p.total(c)+p.boost[c]), number("needed", needed))
	}
	p.step = turnUp
}

// promptManifest implements R9.6 and C15: the manifestation card under the tile is
// turned up, any of those not seen with equal chance.
func (g *game) promptManifest(p *position, w *flow.Witness) bool {
	card, ok := only(p.manifest[:])
	switch {
	case ok:
		g.turnedUp(p, w, card)
		return false
	case kindsOf(p.manifest[:]) == 0: // only where a position lacks cards
		p.now, p.step = clearPending, liberate
		return false
	}
	return p.wait()
}

func (g *game) turnedUp(p *position, w *flow.Witness, card uint8) {
	p.manifest[card]--
	if w != nil {
		w.All("manifestation", "R9.6", flow.Arg("manifestation", g.box.manifest[card].Key))
	}
	p.now.program = firstManifest + program(card)
	p.step = runProgram
}

// number returns how many an effect of the manifestation under way is about (R9.6: the
// table at the liberated difficulty).
func (g *game) number(p *position, n amount) uint8 {
	if n == fromTable {
		return g.box.manifest[p.now.program-firstManifest].Table[g.difficulty(p, p.now.cell)]
	}
	return uint8(n)
}

// around returns the liberated district and those adjacent to it (R3.4).
func (p *position) around() cellSet { return at(p.now.cell) | p.near[p.now.cell] }

// changeMorale implements R8.3 (Morale).
func (g *game) changeMorale(p *position, w *flow.Witness, e *effect) {
	p.moraleStep = uint8(min(max(int8(p.moraleStep)+e.Delta, 0), int8(len(g.box.morale))-1))
	if w != nil {
		step := &g.box.morale[p.moraleStep]
		w.All("morale", "R8.3", number("morale_step", p.moraleStep), flow.Arg("morale", step.Name), number("cards", step.Cards))
	}
}

// formEach implements Popular Assembly and Mass Jailbreak of R11.4.
func (g *game) formEach(p *position, w *flow.Witness, e *effect) {
	for f := range uint8(numFactions) {
		c := p.now.cell
		if e.Where == ownStart {
			c = p.place[f][factionStart]
		}
		if c == noCell || e.Who == eachLiberating && p.now.liberating>>f&1 == 0 {
			continue
		}
		g.form(p, w, "R11.4", f, c, g.number(p, e.N))
	}
}

// giveBonusDice implements General Strike of R11.4.
func (g *game) giveBonusDice(p *position, w *flow.Witness, e *effect) {
	for f := range p.bonusDice {
		if p.now.liberating>>f&1 != 0 {
			p.bonusDice[f] += g.number(p, e.N)
			if w != nil {
				w.All("bonus_dice", "R11.4", g.faction(uint8(f)), number("dice", p.bonusDice[f]))
			}
		}
	}
}

// reveal begins Leaked Orders of R11.4.
func (g *game) reveal(p *position, _ *flow.Witness, e *effect) {
	p.revealed += g.number(p, e.N)
	p.step = revealOps
}

// fortify begins Street Fortifications of R11.4, if there is somebody to choose.
func (g *game) fortify(p *position, _ *flow.Witness, e *effect) {
	if p.now.who = p.now.chooser; p.now.who != noFaction {
		p.now.left, p.now.enough, p.step = g.number(p, e.Max), true, manifestArm
	}
}

// eachInTurn implements Mass Looting, Spontaneous March and Wave of Occupations of
// R11.4: the liberating factions in turn order, each n times. now.left counts what
// is left to the faction who. Cards are drawn unasked (Ruling 35).
func (g *game) eachInTurn(p *position, _ *flow.Witness, e *effect) {
	n := g.number(p, e.N)
	for {
		if p.now.left > 0 && p.now.who != noFaction && g.canServe(p, e) {
			p.step = occupyCell
			if e.Op == opFreeMove {
				p.step = marchOrNot
			}
			return
		}
		p.now.left, p.now.last = 0, 0
		p.now.who = noFaction
		for p.now.order < g.factions && p.now.who == noFaction {
			if f := g.order(p, p.now.order); p.now.liberating>>f&1 != 0 {
				p.now.who = f
			}
			p.now.order++
		}
		if p.now.who == noFaction {
			p.now.order = 0
			p.now.counter++
			return
		}
		if e.Op == opDrawLoot {
			p.draw(n, n)
			return
		}
		p.now.left = n
	}
}

// canServe reports whether the faction who has anything to choose at D32 or D33.
func (g *game) canServe(p *position, e *effect) bool {
	if e.Op == opFreeMove {
		return p.sources(p.now.who, false) != 0
	}
	return g.openCircles(p) != 0
}

// promptMarch implements D32.
func (g *game) promptMarch(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.Add(actDone)
	legal.Add(actVerb + engine.Action(moveFree))
	return g.decide(p, p.now.who)
}

func (g *game) actMarch(p *position, _ *flow.Witness, a engine.Action) {
	if a == actDone {
		p.now.left, p.step = 0, runProgram
		return
	}
	p.now.left--
	p.step = moveSource
}

// openCircles implements the condition of Wave of Occupations in R11.4: adjacent districts of
// the faction's type or Public, with an empty circle and no police, in ascending
// order (R13.4).
func (g *game) openCircles(p *position) cellSet {
	if p.matOccs(p.now.who) == 0 {
		return 0
	}
	cells := p.near[p.now.cell] & (p.ofType[p.now.who] | p.ofType[public]) &^ p.police >> p.now.last << p.now.last
	for s := cells; s != 0; s &= s - 1 {
		if c := s.first(); p.holder[c] != 0 || !g.box.tiles[p.tile[c]].Circle {
			cells &^= at(c)
		}
	}
	return cells
}

// promptOccupy implements D33.
func (g *game) promptOccupy(p *position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.Add(actDone)
	legal.AddBits(actCell, uint64(g.openCircles(p)))
	return g.decide(p, p.now.who)
}

func (g *game) actOccupy(p *position, _ *flow.Witness, a engine.Action) {
	if a == actDone {
		p.now.left, p.step = 0, runProgram
		return
	}
	p.now.from = uint8(a - actCell)
	p.step = chooseOccupation
}

// occupy builds what D9 chose for D33.
func (g *game) occupy(p *position, w *flow.Witness, kind uint8) {
	g.settle(p, w, "R11.4", p.now.who, kind, p.now.from)
	p.now.last, p.now.from = p.now.from+1, noCell
	p.now.left--
	p.step = runProgram
}

// removeCops implements Mutiny in the Ranks and the end of Riot Van Torched of R11.4.
func (g *game) removeCops(p *position, w *flow.Witness, e *effect) {
	n := g.number(p, e.Max)
	if e.Where == districtOfVan {
		if c := p.now.torched; c != noCell {
			g.takeCops(p, w, "R11.4", c, min(n, p.cops[c]))
		}
		p.now.torched = noCell
		return
	}
	if p.now.who = p.now.chooser; p.now.who != noFaction {
		p.now.left, p.step = n, mutiny
	}
}

// promptMutiny implements D30: districts in ascending order (R13.4).
func (g *game) promptMutiny(p *position, _ *flow.Witness) bool {
	cells := p.around() >> p.now.last << p.now.last
	for s := cells; s != 0; s &= s - 1 {
		if c := s.first(); p.cops[c] == 0 {
			cells &^= at(c)
		}
	}
	if p.now.left == 0 || cells == 0 {
		p.now.left, p.now.last, p.step = 0, 0, runProgram
		return false
	}
	legal := p.Offer()
	legal.Add(actDone)
	legal.AddBits(actCell, uint64(cells))
	return g.decide(p, p.now.who)
}

func (g *game) actMutiny(p *position, w *flow.Witness, a engine.Action) {
	if a == actDone {
		p.now.left = 0
		return
	}
	p.now.last = uint8(a - actCell)
	g.takeCops(p, w, "R11.4", p.now.last, 1)
	p.now.left--
}

// chooseVan begins Riot Van Torched of R11.4, if there is somebody to choose.
func (g *game) chooseVan(p *position, _ *flow.Witness, _ *effect) {
	if p.now.who = p.now.chooser; p.now.who != noFaction {
		p.step = torch
	}
}

// promptTorch implements Riot Van Torched of R11.4 and D31: the chooser picks among
// several vans.
func (g *game) promptTorch(p *position, w *flow.Witness) bool {
	vans := cellSet(0)
	for s := p.around(); s != 0; s &= s - 1 {
		if c := s.first(); p.van[c] > 0 {
			vans |= at(c)
		}
	}
	switch {
	case vans == 0:
		p.step = runProgram
		return false
	case vans&(vans-1) == 0:
		g.torch(p, w, vans.first())
		return false
	}
	return g.decideCell(p, p.now.who, vans)
}

func (g *game) actTorch(p *position, w *flow.Witness, a engine.Action) {
	g.torch(p, w, uint8(a-actCell))
}

func (g *game) torch(p *position, w *flow.Witness, c uint8) {
	g.destroyVan(p, w, "R11.4", c)
	p.now.torched, p.step = c, runProgram
}

// promptReveal implements Leaked Orders of R11.4: the top cards of the ops deck become
// public, as many as all such cards of this Sunrise say together.
func (g *game) promptReveal(p *position, w *flow.Witness) bool {
	for p.prefixSize < min(p.revealed, maxPrefix) {
		card, ok := only(p.ops[:])
		if !ok {
			if kindsOf(p.ops[:]) == 0 {
				break
			}
			return p.wait()
		}
		g.show(p, w, card)
	}
	p.step = runProgram
	return false
}

// show puts an ops card at the end of the known prefix.
func (g *game) show(p *position, w *flow.Witness, card uint8) {
	p.ops[card]--
	p.prefix[p.prefixSize] = card
	p.prefixSize++
	if w != nil {
		w.All("revealed", "R11.4", number("place", p.prefixSize), flow.Arg("ops_card", g.box.ops[card].Key))
	}
}
