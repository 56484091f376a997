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
			legal.Add(ActVerb + engine.Action(v))
		}
	}
	offer(VerbEndActions, true)
	offer(VerbMove, die > 0 && calm != 0)
	offer(VerbBarricade, die > 0 && g.barricadeCells(p, f) != 0)
	for v := VerbLootGraffiti; v <= VerbSwap; v++ {
		offer(v, die > 0 && g.advancedCells(p, v) != 0)
	}
	for v := VerbAttackDefeat; v <= VerbAttackVan; v++ {
		offer(v, die > 0 && g.attackCells(p, v) != 0)
	}
	for _, v := range [...]Verb{VerbMoveFree, VerbUseHall, VerbUseHacker, VerbUseWorkshop} {
		offer(v, g.usable(p, v))
	}
	offer(VerbPlayCard, g.playable(p) != 0)
	offer(VerbTrade, p.Trades < maxTrades && g.partners(p, f) != 0)
	return g.decide(p, f)
}

// actMenu begins what the verb stands for.
func (g *game) actMenu(p *Position, w *flow.Witness, a engine.Action) {
	v := Verb(a - ActVerb)
	p.Now.Verb = v
	switch v {
	case VerbMove:
		p.Step = moveSource
	case VerbBarricade:
		p.Step = barricadeCell
	case VerbLootGraffiti, VerbLootBurn, VerbBuild, VerbSwap:
		p.Step = advancedCell
	case VerbAttackDefeat, VerbAttackKick, VerbAttackVan:
		p.Step = attackCell
	case VerbMoveFree, VerbUseHall, VerbUseHacker, VerbUseWorkshop:
		p.Uses[useOf[v]]++
		p.Now.Program = firstAbility + Program(v)
		p.Step = runProgram
	case VerbPlayCard:
		p.Step = chooseCard
	case VerbTrade:
		p.Step = tradePartner
	default:
		g.endActions(p, w)
	}
}

// endActions implements R4.4 and R8.1 (Step 3): as many ops cards as the morale step
// says when the step begins, less the Signal Jammers.
func (g *game) endActions(p *Position, _ *flow.Witness) {
	p.Now = idle(p.Now.Who)
	cards := g.opsCards(p)
	p.Now.Ops = cards - min(cards, p.Jammers)
	p.Step = drawOps
}

// opsCards implements the table of R8.1: police ops cards a turn by morale step.
func (g *game) opsCards(p *Position) uint8 { return g.box.morale[p.MoraleStep].Cards }

// useOf says which count of uses an ability has.
var useOf = [Verbs]uint8{VerbMoveFree: useOfSocial, VerbUseHall: useOfHall, VerbUseHacker: useOfHacker, VerbUseWorkshop: useOfWorkshop}

// usable implements R5.2 (abilities): the occupation stands in the city, has uses
// left on its side, and its program can be carried out. A clash does not matter, not for
// the Assembly Hall either (Ruling 18).
func (g *game) usable(p *Position, v Verb) bool {
	kind := g.box.abilities[v].kind[p.Now.Who]
	if kind == NoOcc {
		return false
	}
	c := p.Place[p.Now.Who][kind]
	if c == NoCell {
		return false
	}
	o := &g.box.factions[p.Now.Who].occs[kind]
	return p.Uses[useOf[v]] < o.uses(p.lib(c)) && g.possible(p, p.Now.Who, o.Ability)
}

// standing returns where a standing ability of a faction is, NoCell if it is not
// in the city, and its effect.
func (g *game) standing(p *Position, f FactionID, o op) (CellID, *effect) {
	fac := &g.box.factions[f]
	kind := fac.standing[o]
	if kind == NoOcc {
		return NoCell, nil
	}
	return p.Place[f][kind], &fac.occs[kind].Ability[0]
}

// covers reports whether a standing ability in district c holds in district there.
func (p *Position) covers(s scope, c, there CellID, typ, thereTyp TileType) bool {
	switch {
	case s == inCity || c == there:
		return true
	case (s == inDistrictAndAdjacent || s == inDistrictAdjacentAndType) && p.Near[c].Has(there):
		return true
	}
	return (s == inDistrictAndType || s == inDistrictAdjacentAndType) && typ == thereTyp
}

// holds reports whether the standing ability o of faction f, for verb v, holds in
// district there.
func (g *game) holds(p *Position, f FactionID, o op, v Verb, there CellID) bool {
	c, e := g.standing(p, f, o)
	if c == NoCell {
		return false
	}
	lib := p.lib(c)
	if o == opBasicActions && !onSide(e.Actions, e.ActionsLib, lib).has(v) {
		return false
	}
	return p.covers(onSide(e.Scope, e.ScopeLib, lib), c, there, g.box.tiles[p.Tile[c]].Type, g.box.tiles[p.Tile[there]].Type)
}
