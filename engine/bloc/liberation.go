package bloc

import (
	"powderkeg/engine"
)

// couldBeLiberated implements the first half of R9.5: a repressed district with a liberated
// side and an occupation.
func (b Board) couldBeLiberated(c CellID) bool {
	return !b.Liberated.Has(c) && b.box.tiles[b.Tile[c]].Liberable && b.Holder[c] != 0
}

// enough implements the second half of R9.5: blocs of all factions and boosts are
// at least twice the difficulty. Police do not matter.
func (b Board) enough(c CellID) bool {
	return b.total(c)+b.Boost[c] >= blocsNeeded(b.difficulty(c))
}

// blocsNeeded implements the table of R9.5.
func blocsNeeded(difficulty uint8) uint8 { return 2 * difficulty }

// scanSound implements R9.5 (i): districts with an occupation that fall short.
func (b Board) scanSound() bool {
	if b.next(func(c CellID) bool { return b.couldBeLiberated(c) && !b.enough(c) }) {
		b.Step = askSound
	} else {
		b.Step = liberate
	}
	return false
}

// promptSound implements R9.5 (i) and D28: Sound Systems, of each faction in turn order,
// until the number suffices.
func (b Board) promptSound() bool {
	sound := CardSoundSystem
	for ; b.Now.Order < b.factions && !b.enough(b.Now.Cell); b.Now.Order++ {
		f := b.order(b.Now.Order)
		if b.Blocs[f][b.Now.Cell] == 0 {
			continue
		}
		b.mayBeAsked(f)
		if b.Hand[f][sound] == 0 {
			continue
		}
		b.Now.Who = f
		legal := b.Offer()
		legal.Add(ActDone)
		legal.Add(ActCard + engine.Action(sound))
		return b.decide(f)
	}
	scan := b.Now.Scan + 1
	b.Now, b.Step = clearPending, scanSound
	b.Now.Scan = scan
	return false
}

func (b Board) actSound(a engine.Action) {
	if a == ActDone {
		b.Now.Order++
		return
	}
	b.toDiscard(b.Now.Who, CardSoundSystem)
	b.Boost[b.Now.Cell] += uint8(b.box.loot[CardSoundSystem].Effects[0].N)
	b.tell(districtBoosted, "R9.5", b.Now.Cell, b.Boost[b.Now.Cell])
}

// liberateNext implements R9.5 (ii): the district of lowest police ID that qualifies is
// liberated; none means that the step is over.
func (b Board) liberateNext() bool {
	if !b.next(func(c CellID) bool { return b.couldBeLiberated(c) && b.enough(c) }) {
		b.Step = nextNight
		return false
	}
	b.liberate(b.Now.Cell)
	return false
}

// liberate implements R9.6 (Liberate; Ruling 28): tokens and shopping centres go, the rest stays. The
// factions with blocs there and the one with most are noted for the card.
func (b Board) liberate(c CellID) {
	needed := blocsNeeded(b.difficulty(c))
	b.Liberated |= at(c)
	for i := range b.Centers {
		b.Centers[i][c] = 0
	}
	b.Now = clearPending
	b.Now.Cell = c
	for f := range FactionID(Factions) {
		if b.Blocs[f][c] > 0 {
			b.Now.Liberating |= 1 << f
		}
	}
	b.Now.Chooser = b.strongest(c)
	b.tell(districtLiberated, "R9.6", c, factionSet(b.Now.Liberating), b.total(c)+b.Boost[c], needed)
	b.Step = turnUp
}

// promptManifest implements R9.6 and C15: the manifestation card under the tile is
// turned up, any of those not seen with equal chance.
func (b Board) promptManifest() bool {
	card, ok := only(b.Manifest[:])
	switch {
	case ok:
		b.turnedUp(ManifestID(card))
		return false
	case kindsOf(b.Manifest[:]) == 0: // only where a position lacks cards
		b.Now, b.Step = clearPending, liberate
		return false
	}
	return b.wait()
}

func (b Board) turnedUp(card ManifestID) {
	b.Manifest[card]--
	b.tell(manifestationShown, "R9.6", card)
	b.Now.Program = firstManifest + Program(card)
	b.Step = runProgram
}

// number returns how many an effect of the manifestation under way is about (R9.6: the
// table at the liberated difficulty).
func (b Board) number(n amount) uint8 {
	if n == fromTable {
		return b.box.manifest[b.Now.Program-firstManifest].Table[b.difficulty(b.Now.Cell)]
	}
	return uint8(n)
}

// around returns the liberated district and those adjacent to it (R3.4).
func (p *Position) around() CellSet { return at(p.Now.Cell) | p.Near[p.Now.Cell] }

// changeMorale implements R8.3 (Morale).
func (b Board) changeMorale(e *effect) {
	b.MoraleStep = uint8(min(max(int8(b.MoraleStep)+e.Delta, 0), int8(len(b.box.morale))-1))
	b.tell(moraleChanged, "R8.3", b.MoraleStep, moraleID(b.MoraleStep), b.opsCards())
}

// formEach implements Popular Assembly and Mass Jailbreak of R11.4.
func (b Board) formEach(e *effect) {
	for f := range FactionID(Factions) {
		c := b.Now.Cell
		if e.Where == ownStart {
			c = b.Place[f][OccFactionStart]
		}
		if c == NoCell || e.Who == eachLiberating && b.Now.Liberating>>f&1 == 0 {
			continue
		}
		b.form("R11.4", f, c, b.number(e.N))
	}
}

// giveBonusDice implements General Strike of R11.4.
func (b Board) giveBonusDice(e *effect) {
	for f := range b.BonusDice {
		if b.Now.Liberating>>f&1 != 0 {
			b.BonusDice[f] += b.number(e.N)
			b.tell(bonusGiven, "R11.4", FactionID(f), b.BonusDice[f])
		}
	}
}

// reveal begins Leaked Orders of R11.4.
func (b Board) reveal(e *effect) {
	b.Revealed += b.number(e.N)
	b.Step = revealOps
}

// fortify begins Street Fortifications of R11.4, if there is somebody to choose.
func (b Board) fortify(e *effect) {
	if b.Now.Who = b.Now.Chooser; b.Now.Who != NoFaction {
		b.Now.Barricades, b.Now.Enough, b.Step = b.number(e.Max), true, manifestArm
	}
}

// eachInTurn implements Mass Looting, Spontaneous March and Wave of Occupations of
// R11.4: the liberating factions in turn order, each n times. Now.Times counts what
// is left to the faction who. Cards are drawn unasked (Ruling 35).
func (b Board) eachInTurn(e *effect) {
	n := b.number(e.N)
	for {
		if b.Now.Times > 0 && b.Now.Who != NoFaction && b.canServe(e) {
			b.Step = occupyCell
			if e.Op == opFreeMove {
				b.Step = marchOrNot
			}
			return
		}
		b.Now.Times, b.Now.Least = 0, 0
		b.Now.Who = NoFaction
		for b.Now.Next < b.factions && b.Now.Who == NoFaction {
			if f := b.order(b.Now.Next); b.Now.Liberating>>f&1 != 0 {
				b.Now.Who = f
			}
			b.Now.Next++
		}
		if b.Now.Who == NoFaction {
			b.Now.Next = 0
			b.Now.Counter++
			return
		}
		if e.Op == opDrawLoot {
			b.draw(n, n)
			return
		}
		b.Now.Times = n
	}
}

// canServe reports whether the faction who has anything to choose at D32 or D33.
func (b Board) canServe(e *effect) bool {
	if e.Op == opFreeMove {
		return b.sources(b.Now.Who, false) != 0
	}
	return b.openCircles() != 0
}

// promptMarch implements D32.
func (b Board) promptMarch() bool {
	legal := b.Offer()
	legal.Add(ActDone)
	legal.Add(ActVerb + engine.Action(VerbMoveFree))
	return b.decide(b.Now.Who)
}

func (b Board) actMarch(a engine.Action) {
	if a == ActDone {
		b.Now.Times, b.Step = 0, runProgram
		return
	}
	b.Now.Times--
	b.Step = moveSource
}

// openCircles implements the condition of Wave of Occupations in R11.4: adjacent districts of
// the faction's type or Public, with an empty circle and no police, in ascending
// order (R13.4).
func (b Board) openCircles() CellSet {
	if b.matOccs(b.Now.Who) == 0 {
		return 0
	}
	cells := b.Near[b.Now.Cell] & (b.OfType[b.Now.Who] | b.OfType[TypePublic]) &^ b.Police >> b.Now.Least << b.Now.Least
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); b.Holder[c] != 0 || !b.box.tiles[b.Tile[c]].Circle {
			cells &^= at(c)
		}
	}
	return cells
}

// promptOccupy implements D33.
func (b Board) promptOccupy() bool {
	legal := b.Offer()
	legal.Add(ActDone)
	legal.AddBits(ActCell, uint64(b.openCircles()))
	return b.decide(b.Now.Who)
}

func (b Board) actOccupy(a engine.Action) {
	if a == ActDone {
		b.Now.Times, b.Step = 0, runProgram
		return
	}
	b.Now.Site = CellID(a - ActCell)
	b.Step = chooseOccupation
}

// occupy builds what D9 chose for D33.
func (b Board) occupy(kind OccID) {
	b.settle("R11.4", b.Now.Who, kind, b.Now.Site)
	b.Now.Least, b.Now.Site = b.Now.Site+1, NoCell
	b.Now.Times--
	b.Step = runProgram
}

// removeCops implements Mutiny in the Ranks and the end of Riot Van Torched of R11.4.
func (b Board) removeCops(e *effect) {
	n := b.number(e.Max)
	if e.Where == districtOfVan {
		if c := b.Now.Torched; c != NoCell {
			b.takeCops("R11.4", c, min(n, b.Cops[c]))
		}
		b.Now.Torched = NoCell
		return
	}
	if b.Now.Who = b.Now.Chooser; b.Now.Who != NoFaction {
		b.Now.Times, b.Step = n, mutiny
	}
}

// promptMutiny implements D30: districts in ascending order (R13.4).
func (b Board) promptMutiny() bool {
	cells := b.around() >> b.Now.Least << b.Now.Least
	for s := cells; s != 0; s &= s - 1 {
		if c := s.First(); b.Cops[c] == 0 {
			cells &^= at(c)
		}
	}
	if b.Now.Times == 0 || cells == 0 {
		b.Now.Times, b.Now.Least, b.Step = 0, 0, runProgram
		return false
	}
	legal := b.Offer()
	legal.Add(ActDone)
	legal.AddBits(ActCell, uint64(cells))
	return b.decide(b.Now.Who)
}

func (b Board) actMutiny(a engine.Action) {
	if a == ActDone {
		b.Now.Times = 0
		return
	}
	b.Now.Least = CellID(a - ActCell)
	b.takeCops("R11.4", b.Now.Least, 1)
	b.Now.Times--
}

// chooseVan begins Riot Van Torched of R11.4, if there is somebody to choose.
func (b Board) chooseVan(_ *effect) {
	if b.Now.Who = b.Now.Chooser; b.Now.Who != NoFaction {
		b.Step = torch
	}
}

// promptTorch implements Riot Van Torched of R11.4 and D31: the chooser picks among
// several vans.
func (b Board) promptTorch() bool {
	vans := CellSet(0)
	for s := b.around(); s != 0; s &= s - 1 {
		if c := s.First(); b.Van[c] > 0 {
			vans |= at(c)
		}
	}
	switch {
	case vans == 0:
		b.Step = runProgram
		return false
	case vans&(vans-1) == 0:
		b.torch(vans.First())
		return false
	}
	return b.decideCell(b.Now.Who, vans)
}

func (b Board) actTorch(a engine.Action) {
	b.torch(CellID(a - ActCell))
}

func (b Board) torch(c CellID) {
	b.destroyVan("R11.4", c)
	b.Now.Torched, b.Step = c, runProgram
}

// promptReveal implements Leaked Orders of R11.4: the top cards of the ops deck become
// public, as many as all such cards of this Sunrise say together.
func (b Board) promptReveal() bool {
	for b.PrefixSize < min(b.Revealed, maxPrefix) {
		card, ok := only(b.Ops[:])
		if !ok {
			if kindsOf(b.Ops[:]) == 0 {
				break
			}
			return b.wait()
		}
		b.show(OpsID(card))
	}
	b.Step = runProgram
	return false
}

// show puts an ops card at the end of the known prefix.
func (b Board) show(card OpsID) {
	b.Ops[card]--
	b.Prefix[b.PrefixSize] = card
	b.PrefixSize++
	b.tell(opsRevealed, "R11.4", b.PrefixSize, card)
}
