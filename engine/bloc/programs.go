package bloc

// Program is a list of effects that is being carried out: of a loot card, of the
// ability of a verb, or of a manifestation card.
type Program uint8

const (
	firstAbility  Program = LootCards // plus the verb
	firstManifest         = firstAbility + Program(Verbs)
	NoProgram     Program = 0xFF
)

// manifesting reports whether a manifestation card is being carried out.
func (p *Position) manifesting() bool {
	return p.Now.Program != NoProgram && p.Now.Program >= firstManifest
}

// effects returns the program under way.
func (b Board) effects() []effect {
	switch i := b.Now.Program; {
	case i < firstAbility:
		return b.box.loot[i].Effects
	case i < firstManifest:
		return b.box.factions[b.Now.Who].occs[b.box.abilities[i-firstAbility].kind[b.Now.Who]].Ability
	default:
		return b.box.manifest[i-firstManifest].Effects
	}
}

// current returns the effect that is being carried out, nil if there is none. The
// counter is already on the next one, except for those that a manifestation card has
// carried out by one faction after another.
func (b Board) current() *effect {
	if b.Now.Program == NoProgram {
		return nil
	}
	list, i := b.effects(), int(b.Now.Counter)
	if i >= len(list) || !b.manifesting() || !primitives[list[i].Op].each {
		i--
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return &list[i]
}

// possible implements the preconditions of R5.2 (abilities) and R11.3: whether faction f can
// carry out every effect of a program.
func (b Board) possible(f FactionID, list []effect) bool {
	for i := range list {
		if ok := primitives[list[i].Op].possible; ok != nil && !ok(b, f, &list[i]) {
			return false
		}
	}
	return true
}

// runProgram carries out the next effect (section 12 of the specification).
func (b Board) runProgram() bool {
	list := b.effects()
	if int(b.Now.Counter) == len(list) {
		b.programOver()
		return false
	}
	e := &list[b.Now.Counter]
	row := &primitives[e.Op]
	switch {
	case !b.manifesting():
		b.Now.Counter++
		row.inTurn(b, e)
	case row.each:
		b.eachInTurn(e)
	default:
		row.atSunrise(b, e)
		b.Now.Counter++
	}
	return false
}

// programOver goes on after the last effect.
func (b Board) programOver() {
	if b.manifesting() {
		b.Now, b.Step = clearPending, liberate
		return
	}
	b.backToMenu()
}

// formHere implements FORM_BLOC of a loot card in the chosen district, or of an ability in
// that of its occupation.
func (b Board) formHere(e *effect) {
	c := b.Now.Cell
	if e.Where == thisDistrict {
		v := Verb(b.Now.Program - firstAbility)
		c = b.Place[b.Now.Who][b.box.abilities[v].kind[b.Now.Who]]
	}
	rule := "R5.2"
	if e.Where == chosenCell {
		rule = "R11.3"
	}
	b.form(rule, b.Now.Who, c, uint8(e.N))
}

// cutBolts implements the effect of Bolt Cutters (R11.3).
func (b Board) cutBolts(e *effect) {
	b.Bolt = e.Minus
	b.tell(boltsCut, "R11.3", b.Now.Who, b.Bolt)
}

// jam implements the effect of a Signal Jammer (R11.3, R8.1).
func (b Board) jam(e *effect) {
	b.Jammers += uint8(e.N)
	b.tell(opsJammed, "R11.3", b.Jammers)
}

// canDraw implements the precondition of drawing loot cards in R5.2 and R11.3.
func (b Board) canDraw(_ FactionID, _ *effect) bool { return b.lootLeft() }
