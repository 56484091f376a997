package bloc

import "powderkeg/engine/flow"

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
func (g *game) effects(p *Position) []effect {
	switch i := p.Now.Program; {
	case i < firstAbility:
		return g.box.loot[i].Effects
	case i < firstManifest:
		return g.box.factions[p.Now.Who].occs[g.box.abilities[i-firstAbility].kind[p.Now.Who]].Ability
	default:
		return g.box.manifest[i-firstManifest].Effects
	}
}

// current returns the effect that is being carried out, nil if there is none. The
// counter is already on the next one, except for those that a manifestation card has
// carried out by one faction after another.
func (g *game) current(p *Position) *effect {
	if p.Now.Program == NoProgram {
		return nil
	}
	list, i := g.effects(p), int(p.Now.Counter)
	if i >= len(list) || !p.manifesting() || !primitives[list[i].Op].each {
		i--
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return &list[i]
}

// possible implements the preconditions of R5.2 (abilities) and R11.3: whether faction f can
// carry out every effect of a program.
func (g *game) possible(p *Position, f FactionID, list []effect) bool {
	for i := range list {
		if ok := primitives[list[i].Op].possible; ok != nil && !ok(g, p, f, &list[i]) {
			return false
		}
	}
	return true
}

// runProgram carries out the next effect (section 12 of the specification).
func (g *game) runProgram(p *Position, w *flow.Witness) bool {
	list := g.effects(p)
	if int(p.Now.Counter) == len(list) {
		g.programOver(p, w)
		return false
	}
	e := &list[p.Now.Counter]
	row := &primitives[e.Op]
	switch {
	case !p.manifesting():
		p.Now.Counter++
		row.inTurn(g, p, w, e)
	case row.each:
		g.eachInTurn(p, w, e)
	default:
		row.atSunrise(g, p, w, e)
		p.Now.Counter++
	}
	return false
}

// programOver goes on after the last effect.
func (g *game) programOver(p *Position, _ *flow.Witness) {
	if p.manifesting() {
		p.Now, p.Step = clearPending, liberate
		return
	}
	p.backToMenu()
}

// formHere implements FORM_BLOC of a loot card in the chosen district, or of an ability in
// that of its occupation.
func (g *game) formHere(p *Position, w *flow.Witness, e *effect) {
	c := p.Now.Cell
	if e.Where == thisDistrict {
		v := Verb(p.Now.Program - firstAbility)
		c = p.Place[p.Now.Who][g.box.abilities[v].kind[p.Now.Who]]
	}
	rule := "R5.2"
	if e.Where == chosenCell {
		rule = "R11.3"
	}
	g.form(p, w, rule, p.Now.Who, c, uint8(e.N))
}

// cutBolts implements the effect of Bolt Cutters (R11.3).
func (g *game) cutBolts(p *Position, w *flow.Witness, e *effect) {
	p.Bolt = e.Minus
	if w != nil {
		w.All("bolt_cutters", "R11.3", g.faction(p.Now.Who), number("bolt_cutters", p.Bolt))
	}
}

// jam implements the effect of a Signal Jammer (R11.3, R8.1).
func (g *game) jam(p *Position, w *flow.Witness, e *effect) {
	p.Jammers += uint8(e.N)
	if w != nil {
		w.All("jammers", "R11.3", number("cards", p.Jammers))
	}
}

// canDraw implements the precondition of drawing loot cards in R5.2 and R11.3.
func (g *game) canDraw(p *Position, _ FactionID, _ *effect) bool { return p.lootLeft() }
