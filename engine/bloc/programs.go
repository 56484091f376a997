package bloc

// program is a list of effects that is being carried out: of a loot card, of the
// ability of a verb, or of a manifestation card.
type program uint8

const (
	firstAbility  program = numLoot // plus the verb
	firstManifest         = firstAbility + program(numVerbs)
	noProgram     program = 0xFF
)

// manifesting reports whether a manifestation card is being carried out.
func (p *position) manifesting() bool {
	return p.now.program != noProgram && p.now.program >= firstManifest
}

// effects returns the program under way.
func (g *game) effects(p *position) []effect {
	switch i := p.now.program; {
	case i < firstAbility:
		return g.box.loot[i].effects
	case i < firstManifest:
		return g.box.factions[p.who].occs[g.box.abilities[i-firstAbility].kind[p.who]].program
	default:
		return g.box.manifest[i-firstManifest].effects
	}
}

// current returns the effect that is being carried out, nil if there is none. The
// counter is already on the next one, except for manifestations that several factions
// carry out one after another.
func (g *game) current(p *position) *effect {
	list, i := g.effects(p), int(p.now.counter)
	if !p.manifesting() {
		i--
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return &list[i]
}

// possible implements the preconditions of R5.2 (abilities) and R11.3: whether every
// effect of a program can be carried out.
func (g *game) possible(p *position, list []effect) bool {
	for i := range list {
		if !g.effectPossible(p, &list[i]) {
			return false
		}
	}
	return true
}

func (g *game) effectPossible(p *position, e *effect) bool {
	switch e.op {
	case opSpendDie:
		return p.bestDie() >= e.n[0]
	case opFormBloc:
		return p.mat[p.who] > 0
	case opDrawLoot, opDrawKeep:
		return p.lootLeft()
	case opFreeMove:
		return p.sources(p.who, e.fromClash) != 0
	case opNextAdvanced:
		return p.bolt == 0 && p.bestDie() > 0
	case opExtraDice:
		return p.numDice() < g.box.maxDice && p.extraDice < g.maxExtraDice()
	case opChooseCell:
		return g.fitting(p, e.filter) != 0
	case opFewerOps:
		return p.jammers < g.box.morale[p.moraleStep]
	}
	return true // what the chosen district does not rule out
}

// runProgram carries out the next effect (section 12 of the specification).
func (g *game) runProgram(p *position) bool {
	list := g.effects(p)
	if int(p.now.counter) == len(list) {
		g.programOver(p)
		return false
	}
	e := &list[p.now.counter]
	if p.manifesting() {
		g.manifestEffect(p, e)
		return false
	}
	p.now.counter++
	g.turnEffect(p, e)
	return false
}

// programOver goes on after the last effect.
func (g *game) programOver(p *position) {
	if p.manifesting() {
		p.now, p.who, p.step = clearPending, noFaction, liberate
		return
	}
	p.backToMenu()
}

// turnEffect carries out an effect of a loot card or an ability (R5.2, R11.3).
func (g *game) turnEffect(p *position, e *effect) {
	switch e.op {
	case opSpendDie:
		p.spend(e.n[0])
	case opFormBloc:
		c := p.now.cell
		if e.where == thisDistrict {
			v := verb(p.now.program - firstAbility)
			c = p.place[p.who][g.box.abilities[v].kind[p.who]]
		}
		for range e.n[0] {
			p.form(p.who, c)
		}
	case opDrawLoot:
		p.draw(e.n[0], e.n[0])
	case opDrawKeep:
		p.draw(e.draw, e.n[0])
	case opFreeMove:
		p.step = moveSource
	case opNextAdvanced:
		p.bolt = e.n[0]
	case opExtraDice:
		p.now.left, p.step = e.n[0], rollExtra
	case opChooseCell:
		p.step = cardCell
	case opKickOut:
		p.now.count, p.step = e.n[0], kickArm
	case opReactionRoll:
		p.step = rollReaction
	case opPlaceBarricades:
		p.now.left, p.step = e.n[0], barricadeArm
	case opFewerOps:
		p.jammers += e.n[0]
	default:
		panic("bloc: " + opNames[e.op] + " in a turn")
	}
}
