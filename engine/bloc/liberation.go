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
	return b.total(c)+b.Boost[c] >= b.BlocsNeeded(c)
}

// BlocsNeeded returns how many blocs and boosts liberate a district (R9.5).
func (b Board) BlocsNeeded(c CellID) uint8 { return blocsNeeded(b.difficulty(c)) }

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
	b.Boost[b.Now.Cell] += b.box.loot[CardSoundSystem].number
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
	needed := b.BlocsNeeded(c)
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

// manifestation returns the card under way.
func (b Board) manifestation() *card { return &b.box.manifest[b.Now.Program-firstManifest] }

// number returns the number of the manifestation under way: its table at the liberated
// difficulty (R9.6).
func (b Board) number() uint8 { return b.manifestation().Table[b.difficulty(b.Now.Cell)] }

// around returns the liberated district and those adjacent to it (R3.4).
func (p *Position) around() CellSet { return at(p.Now.Cell) | p.Near[p.Now.Cell] }

// changeMorale implements R8.3 (Morale).
func (b Board) changeMorale(e *effect) {
	b.MoraleStep = uint8(min(max(int8(b.MoraleStep)+e.Delta, 0), int8(len(b.box.morale))-1))
	b.tell(moraleChanged, "R8.3", b.MoraleStep, moraleID(b.MoraleStep), b.OpsCards())
}

// The manifestation cards (R11.4). Each lowers the morale first.

func (b Board) lowerMorale() { b.changeMorale(&b.manifestation().Effects[0]) }

// popularAssembly is also the end of Mass Jailbreak.
func (b Board) popularAssembly() {
	for f := range FactionID(Factions) {
		if b.liberates(f) {
			b.form("R11.4", f, b.Now.Cell, b.number())
		}
	}
}

func (b Board) massJailbreak() {
	for f := range FactionID(Factions) {
		if c := b.Place[f][OccFactionStart]; c != NoCell {
			b.form("R11.4", f, c, uint8(b.manifestation().Effects[1].N))
		}
	}
}

func (b Board) generalStrike() {
	for f := range FactionID(Factions) {
		if b.liberates(f) {
			b.BonusDice[f] += b.number()
			b.tell(bonusGiven, "R11.4", f, b.BonusDice[f])
		}
	}
}

func (b Board) leakedOrders() {
	b.Revealed += b.number()
	b.Step = revealOps
}

// chooses has the faction choose that had most blocs; false if there is none.
func (b Board) chooses() bool {
	b.Now.Who = b.Now.Chooser
	return b.Now.Who != NoFaction
}

func (b Board) streetFortifications() {
	if b.chooses() {
		b.Now.Barricades, b.Now.Enough, b.Step = b.number(), true, manifestArm
	}
}

// liberates reports whether a faction is one of those that have liberated the district.
func (b Board) liberates(f FactionID) bool { return b.Now.Liberating>>f&1 != 0 }

// nextLiberating turns to the next of the liberating factions in turn order; false if all
// have been served.
func (b Board) nextLiberating() bool {
	b.Now.Times, b.Now.Least, b.Now.Who = 0, 0, NoFaction
	for b.Now.Next < b.factions {
		f := b.order(b.Now.Next)
		if b.Now.Next++; b.liberates(f) {
			b.Now.Who = f
			return true
		}
	}
	b.Now.Next = 0
	return false
}

// massLooting has each liberating faction draw cards, unasked (Ruling 35).
func (b Board) massLooting() {
	if b.nextLiberating() {
		b.draw(b.number(), b.number())
		b.Now.Counter-- // once more for the next
	}
}

func (b Board) spontaneousMarch() {
	b.eachChooses(marchOrNot, func() bool { return b.mayMove(b.Now.Who) })
}

func (b Board) waveOfOccupations() {
	b.eachChooses(occupyCell, func() bool { return b.openCircles() != 0 })
}

// eachChooses asks the liberating factions in turn order, each as often as the card says and
// as it can choose anything.
func (b Board) eachChooses(step Stage, can func() bool) {
	for b.Now.Times == 0 || !can() {
		if !b.nextLiberating() {
			return
		}
		b.Now.Times = b.number()
	}
	b.Step = step
	b.Now.Counter-- // once more for the next choice
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

func (b Board) mutinyInTheRanks() {
	if b.chooses() {
		b.Now.Times, b.Step = b.number(), mutiny
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

func (b Board) riotVanTorched() {
	if b.chooses() {
		b.Step = torch
	}
}

// copsOfTorchedVan is the end of Riot Van Torched.
func (b Board) copsOfTorchedVan() {
	if c := b.Now.Torched; c != NoCell {
		b.takeCops("R11.4", c, min(b.number(), b.Cops[c]))
	}
	b.Now.Torched = NoCell
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
