package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// couldBeLiberated implements the first half of R9.5: a repressed district with a liberated
// side and an occupation.
func (g *game) couldBeLiberated(p *Position, c CellID) bool {
	return !p.Liberated.Has(c) && g.box.tiles[p.Tile[c]].Liberable && p.Holder[c] != 0
}

// enough implements the second half of R9.5: blocs of all factions and boosts are
// at least twice the difficulty. Police do not matter.
func (g *game) enough(p *Position, c CellID) bool {
	return p.total(c)+p.Boost[c] >= blocsNeeded(g.difficulty(p, c))
}

// blocsNeeded implements the table of R9.5.
func blocsNeeded(difficulty uint8) uint8 { return 2 * difficulty }

// scanSound implements R9.5 (i): districts with an occupation that fall short.
func (g *game) scanSound(p *Position, _ *flow.Witness) bool {
	if p.next(func(c CellID) bool { return g.couldBeLiberated(p, c) && !g.enough(p, c) }) {
		p.Step = askSound
	} else {
		p.Step = liberate
	}
	return false
}

// promptSound implements R9.5 (i) and D28: Sound Systems, of each faction in turn order,
// until the number suffices.
func (g *game) promptSound(p *Position, _ *flow.Witness) bool {
	sound := CardSoundSystem
	for ; p.Now.Order < g.factions && !g.enough(p, p.Now.Cell); p.Now.Order++ {
		f := g.order(p, p.Now.Order)
		if p.Blocs[f][p.Now.Cell] == 0 {
			continue
		}
		g.mayBeAsked(p, f)
		if p.Hand[f][sound] == 0 {
			continue
		}
		p.Now.Who = f
		legal := p.Offer()
		legal.Add(ActDone)
		legal.Add(ActCard + engine.Action(sound))
		return g.decide(p, f)
	}
	scan := p.Now.Scan + 1
	p.Now, p.Step = clearPending, scanSound
	p.Now.Scan = scan
	return false
}

func (g *game) actSound(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Now.Order++
		return
	}
	g.toDiscard(p, w, p.Now.Who, CardSoundSystem)
	p.Boost[p.Now.Cell] += uint8(g.box.loot[CardSoundSystem].Effects[0].N)
	if w != nil {
		w.All("boost", "R9.5", g.district(p, p.Now.Cell), number("blocs", p.Boost[p.Now.Cell]))
	}
}

// liberateNext implements R9.5 (ii): the district of lowest police ID that qualifies is
// liberated; none means that the step is over.
func (g *game) liberateNext(p *Position, w *flow.Witness) bool {
	if !p.next(func(c CellID) bool { return g.couldBeLiberated(p, c) && g.enough(p, c) }) {
		p.Step = nextNight
		return false
	}
	g.liberate(p, w, p.Now.Cell)
	return false
}

// liberate implements R9.6 (Liberate; Ruling 28): tokens and shopping centres go, the rest stays. The
// factions with blocs there and the one with most are noted for the card.
func (g *game) liberate(p *Position, w *flow.Witness, c CellID) {
	needed := blocsNeeded(g.difficulty(p, c))
	p.Liberated |= at(c)
	for i := range p.Centers {
		p.Centers[i][c] = 0
	}
	p.Now = clearPending
	p.Now.Cell = c
	for f := range FactionID(Factions) {
		if p.Blocs[f][c] > 0 {
			p.Now.Liberating |= 1 << f
		}
	}
	p.Now.Chooser = g.strongest(p, c)
	if w != nil {
		w.All("liberated", "R9.6", g.district(p, c), flow.Arg("liberating", g.factionList(p.Now.Liberating)),
			number("blocs", p.total(c)+p.Boost[c]), number("needed", needed))
	}
	p.Step = turnUp
}

// promptManifest implements R9.6 and C15: the manifestation card under the tile is
// turned up, any of those not seen with equal chance.
func (g *game) promptManifest(p *Position, w *flow.Witness) bool {
	card, ok := only(p.Manifest[:])
	switch {
	case ok:
		g.turnedUp(p, w, ManifestID(card))
		return false
	case kindsOf(p.Manifest[:]) == 0: // only where a position lacks cards
		p.Now, p.Step = clearPending, liberate
		return false
	}
	return p.wait()
}

func (g *game) turnedUp(p *Position, w *flow.Witness, card ManifestID) {
	p.Manifest[card]--
	if w != nil {
		w.All("manifestation", "R9.6", flow.Arg("manifestation", g.box.manifest[card].Key))
	}
	p.Now.Program = firstManifest + Program(card)
	p.Step = runProgram
}

// number returns how many an effect of the manifestation under way is about (R9.6: the
// table at the liberated difficulty).
func (g *game) number(p *Position, n amount) uint8 {
	if n == fromTable {
		return g.box.manifest[p.Now.Program-firstManifest].Table[g.difficulty(p, p.Now.Cell)]
	}
	return uint8(n)
}

// around returns the liberated district and those adjacent to it (R3.4).
func (p *Position) around() CellSet { return at(p.Now.Cell) | p.Near[p.Now.Cell] }

// changeMorale implements R8.3 (Morale).
func (g *game) changeMorale(p *Position, w *flow.Witness, e *effect) {
	p.MoraleStep = uint8(min(max(int8(p.MoraleStep)+e.Delta, 0), int8(len(g.box.morale))-1))
	if w != nil {
		step := &g.box.morale[p.MoraleStep]
		w.All("morale", "R8.3", number("morale_step", p.MoraleStep), flow.Arg("morale", step.Name), number("cards", step.Cards))
	}
}

// formEach implements Popular Assembly and Mass Jailbreak of R11.4.
func (g *game) formEach(p *Position, w *flow.Witness, e *effect) {
	for f := range FactionID(Factions) {
		c := p.Now.Cell
		if e.Where == ownStart {
			c = p.Place[f][OccFactionStart]
		}
		if c == NoCell || e.Who == eachLiberating && p.Now.Liberating>>f&1 == 0 {
			continue
		}
		g.form(p, w, "R11.4", f, c, g.number(p, e.N))
	}
}

// giveBonusDice implements General Strike of R11.4.
func (g *game) giveBonusDice(p *Position, w *flow.Witness, e *effect) {
	for f := range p.BonusDice {
		if p.Now.Liberating>>f&1 != 0 {
			p.BonusDice[f] += g.number(p, e.N)
			if w != nil {
				w.All("bonus_dice", "R11.4", g.faction(FactionID(f)), number("dice", p.BonusDice[f]))
			}
		}
	}
}

// reveal begins Leaked Orders of R11.4.
func (g *game) reveal(p *Position, _ *flow.Witness, e *effect) {
	p.Revealed += g.number(p, e.N)
	p.Step = revealOps
}

// fortify begins Street Fortifications of R11.4, if there is somebody to choose.
func (g *game) fortify(p *Position, _ *flow.Witness, e *effect) {
	if p.Now.Who = p.Now.Chooser; p.Now.Who != NoFaction {
		p.Now.Barricades, p.Now.Enough, p.Step = g.number(p, e.Max), true, manifestArm
	}
}

// eachInTurn implements Mass Looting, Spontaneous March and Wave of Occupations of
// R11.4: the liberating factions in turn order, each n times. Now.Times counts what
// is left to the faction who. Cards are drawn unasked (Ruling 35).
func (g *game) eachInTurn(p *Position, _ *flow.Witness, e *effect) {
	n := g.number(p, e.N)
	for {
		if p.Now.Times > 0 && p.Now.Who != NoFaction && g.canServe(p, e) {
			p.Step = occupyCell
			if e.Op == opFreeMove {
				p.Step = marchOrNot
			}
			return
		}
		p.Now.Times, p.Now.Least = 0, 0
		p.Now.Who = NoFaction
		for p.Now.Next < g.factions && p.Now.Who == NoFaction {
			if f := g.order(p, p.Now.Next); p.Now.Liberating>>f&1 != 0 {
				p.Now.Who = f
			}
			p.Now.Next++
		}
		if p.Now.Who == NoFaction {
			p.Now.Next = 0
			p.Now.Counter++
			return
		}
		if e.Op == opDrawLoot {
			p.draw(n, n)
			return
		}
		p.Now.Times = n
	}
}

// canServe reports whether the faction who has anything to choose at D32 or D33.
func (g *game) canServe(p *Position, e *effect) bool {
	if e.Op == opFreeMove {
		return p.sources(p.Now.Who, false) != 0
	}
	return g.openCircles(p) != 0
}

// promptMarch implements D32.
func (g *game) promptMarch(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.Add(ActDone)
	legal.Add(ActVerb + engine.Action(VerbMoveFree))
	return g.decide(p, p.Now.Who)
}

func (g *game) actMarch(p *Position, _ *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Now.Times, p.Step = 0, runProgram
		return
	}
	p.Now.Times--
	p.Step = moveSource
}

// openCircles implements the condition of Wave of Occupations in R11.4: adjacent districts of
// the faction's type or Public, with an empty circle and no police, in ascending
// order (R13.4).
func (g *game) openCircles(p *Position) CellSet {
	if p.matOccs(p.Now.Who) == 0 {
		return 0
	}
	cells := p.Near[p.Now.Cell] & (p.OfType[p.Now.Who] | p.OfType[TypePublic]) &^ p.Police >> p.Now.Least << p.Now.Least
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); p.Holder[c] != 0 || !g.box.tiles[p.Tile[c]].Circle {
			cells &^= at(c)
		}
	}
	return cells
}

// promptOccupy implements D33.
func (g *game) promptOccupy(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	legal.Add(ActDone)
	legal.AddBits(ActCell, uint64(g.openCircles(p)))
	return g.decide(p, p.Now.Who)
}

func (g *game) actOccupy(p *Position, _ *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Now.Times, p.Step = 0, runProgram
		return
	}
	p.Now.Site = CellID(a - ActCell)
	p.Step = chooseOccupation
}

// occupy builds what D9 chose for D33.
func (g *game) occupy(p *Position, w *flow.Witness, kind OccID) {
	g.settle(p, w, "R11.4", p.Now.Who, kind, p.Now.Site)
	p.Now.Least, p.Now.Site = p.Now.Site+1, NoCell
	p.Now.Times--
	p.Step = runProgram
}

// removeCops implements Mutiny in the Ranks and the end of Riot Van Torched of R11.4.
func (g *game) removeCops(p *Position, w *flow.Witness, e *effect) {
	n := g.number(p, e.Max)
	if e.Where == districtOfVan {
		if c := p.Now.Torched; c != NoCell {
			g.takeCops(p, w, "R11.4", c, min(n, p.Cops[c]))
		}
		p.Now.Torched = NoCell
		return
	}
	if p.Now.Who = p.Now.Chooser; p.Now.Who != NoFaction {
		p.Now.Times, p.Step = n, mutiny
	}
}

// promptMutiny implements D30: districts in ascending order (R13.4).
func (g *game) promptMutiny(p *Position, _ *flow.Witness) bool {
	cells := p.around() >> p.Now.Least << p.Now.Least
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); p.Cops[c] == 0 {
			cells &^= at(c)
		}
	}
	if p.Now.Times == 0 || cells == 0 {
		p.Now.Times, p.Now.Least, p.Step = 0, 0, runProgram
		return false
	}
	legal := p.Offer()
	legal.Add(ActDone)
	legal.AddBits(ActCell, uint64(cells))
	return g.decide(p, p.Now.Who)
}

func (g *game) actMutiny(p *Position, w *flow.Witness, a engine.Action) {
	if a == ActDone {
		p.Now.Times = 0
		return
	}
	p.Now.Least = CellID(a - ActCell)
	g.takeCops(p, w, "R11.4", p.Now.Least, 1)
	p.Now.Times--
}

// chooseVan begins Riot Van Torched of R11.4, if there is somebody to choose.
func (g *game) chooseVan(p *Position, _ *flow.Witness, _ *effect) {
	if p.Now.Who = p.Now.Chooser; p.Now.Who != NoFaction {
		p.Step = torch
	}
}

// promptTorch implements Riot Van Torched of R11.4 and D31: the chooser picks among
// several vans.
func (g *game) promptTorch(p *Position, w *flow.Witness) bool {
	vans := CellSet(0)
	for s := p.around(); s != 0; s &= s - 1 {
		if c := s.First(); p.Van[c] > 0 {
			vans |= at(c)
		}
	}
	switch {
	case vans == 0:
		p.Step = runProgram
		return false
	case vans&(vans-1) == 0:
		g.torch(p, w, vans.First())
		return false
	}
	return g.decideCell(p, p.Now.Who, vans)
}

func (g *game) actTorch(p *Position, w *flow.Witness, a engine.Action) {
	g.torch(p, w, CellID(a-ActCell))
}

func (g *game) torch(p *Position, w *flow.Witness, c CellID) {
	g.destroyVan(p, w, "R11.4", c)
	p.Now.Torched, p.Step = c, runProgram
}

// promptReveal implements Leaked Orders of R11.4: the top cards of the ops deck become
// public, as many as all such cards of this Sunrise say together.
func (g *game) promptReveal(p *Position, w *flow.Witness) bool {
	for p.PrefixSize < min(p.Revealed, maxPrefix) {
		card, ok := only(p.Ops[:])
		if !ok {
			if kindsOf(p.Ops[:]) == 0 {
				break
			}
			return p.wait()
		}
		g.show(p, w, OpsID(card))
	}
	p.Step = runProgram
	return false
}

// show puts an ops card at the end of the known prefix.
func (g *game) show(p *Position, w *flow.Witness, card OpsID) {
	p.Ops[card]--
	p.Prefix[p.PrefixSize] = card
	p.PrefixSize++
	if w != nil {
		w.All("revealed", "R11.4", number("place", p.PrefixSize), flow.Arg("ops_card", g.box.ops[card].Key))
	}
}
