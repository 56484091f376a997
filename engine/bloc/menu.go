package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// promptMenu implements R5.1, R5.2, R5.8 and D2: the verbs that can be completed.
// END_ACTIONS always is (R4.4).
func (g *game) promptMenu(p *Position, _ *flow.Witness) bool {
	legal := p.Offer()
	f, die := p.Now.Who, p.bestDie()
	calm := p.With[f] &^ p.Police // districts with own blocs not in a clash (R3.7)
	offer := func(v Verb, ok bool) {
		if ok {
			legal.Add(actVerb + engine.Action(v))
		}
	}
	offer(endActions, true)
	offer(move, die > 0 && calm != 0)
	offer(barricade, die > 0 && g.barricadeCells(p, f) != 0)
	for v := lootGraffiti; v <= swap; v++ {
		offer(v, die > 0 && g.advancedCells(p, v) != 0)
	}
	for v := attackDefeat; v <= attackVan; v++ {
		offer(v, die > 0 && g.attackCells(p, v) != 0)
	}
	for _, v := range [...]Verb{moveFree, useHall, useHacker, useWorkshop} {
		offer(v, g.usable(p, v))
	}
	offer(playCard, g.playable(p) != 0)
	offer(trade, p.Trades < maxTrades && g.partners(p, f) != 0)
	return g.decide(p, f)
}

// actMenu begins what the verb stands for.
func (g *game) actMenu(p *Position, w *flow.Witness, a engine.Action) {
	v := Verb(a - actVerb)
	p.Now.Verb = v
	switch v {
	case move:
		p.Step = moveSource
	case barricade:
		p.Step = barricadeCell
	case lootGraffiti, lootBurn, build, swap:
		p.Step = advancedCell
	case attackDefeat, attackKick, attackVan:
		p.Step = attackCell
	case moveFree, useHall, useHacker, useWorkshop:
		p.Uses[useOf[v]]++
		p.Now.Program = firstAbility + Program(v)
		p.Step = runProgram
	case playCard:
		p.Step = chooseCard
	case trade:
		p.Step = tradePartner
	default:
		g.endActions(p, w)
	}
}

// endActions implements R4.4 and R8.1 (Step 3): as many ops cards as the morale step
// says when the step begins, less the Signal Jammers.
func (g *game) endActions(p *Position, _ *flow.Witness) {
	p.endAction()
	cards := g.opsCards(p)
	p.Now.Left = cards - min(cards, p.Jammers)
	p.Step = drawOps
}

// opsCards implements the table of R8.1: police ops cards a turn by morale step.
func (g *game) opsCards(p *Position) uint8 { return g.box.morale[p.MoraleStep].Cards }

// useOf says which count of uses an ability has.
var useOf = [numVerbs]uint8{moveFree: useOfSocial, useHall: useOfHall, useHacker: useOfHacker, useWorkshop: useOfWorkshop}

// usable implements R5.2 (abilities): the occupation stands in the city, has uses
// left on its side, and its program can be carried out. A clash does not matter, not for
// the Assembly Hall either (Ruling 18).
func (g *game) usable(p *Position, v Verb) bool {
	kind := g.box.abilities[v].kind[p.Now.Who]
	if kind == noOcc {
		return false
	}
	c := p.Place[p.Now.Who][kind]
	if c == noCell {
		return false
	}
	o := &g.box.factions[p.Now.Who].occs[kind]
	return p.Uses[useOf[v]] < o.uses(p.lib(c)) && g.possible(p, p.Now.Who, o.Ability)
}

// standing returns where a standing ability of a faction is, noCell if it is not
// in the city, and its effect.
func (g *game) standing(p *Position, f uint8, o op) (uint8, *effect) {
	fac := &g.box.factions[f]
	kind := fac.standing[o]
	if kind == noOcc {
		return noCell, nil
	}
	return p.Place[f][kind], &fac.occs[kind].Ability[0]
}

// covers reports whether a standing ability in district c holds in district there.
func (p *Position) covers(s scope, c, there uint8, typ, thereTyp tileType) bool {
	switch {
	case s == inCity || c == there:
		return true
	case (s == inDistrictAndAdjacent || s == inDistrictAdjacentAndType) && p.Near[c].has(there):
		return true
	}
	return (s == inDistrictAndType || s == inDistrictAdjacentAndType) && typ == thereTyp
}

// holds reports whether the standing ability o of faction f, for verb v, holds in
// district there.
func (g *game) holds(p *Position, f uint8, o op, v Verb, there uint8) bool {
	c, e := g.standing(p, f, o)
	if c == noCell {
		return false
	}
	lib := p.lib(c)
	if o == opBasicActions && !onSide(e.Actions, e.ActionsLib, lib).has(v) {
		return false
	}
	return p.covers(onSide(e.Scope, e.ScopeLib, lib), c, there, g.box.tiles[p.Tile[c]].Type, g.box.tiles[p.Tile[there]].Type)
}
