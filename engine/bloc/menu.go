package bloc

import (
	"powderkeg/engine"
)

// promptMenu implements R5.1, R5.2, R5.8 and D2: it offers the verbs that can be completed.
// END_ACTIONS always can (R4.4).
func (b Board) promptMenu() bool {
	legal := b.Offer()
	f, die := b.Now.Who, b.bestDie()
	calm := b.With[f] &^ b.Police // districts with own blocs not in a clash (R3.7)
	offer := func(v Verb, ok bool) {
		if ok {
			legal.Add(ActVerb + engine.Action(v))
		}
	}
	offer(VerbEndActions, true)
	offer(VerbMove, die > 0 && calm != 0)
	offer(VerbBarricade, die > 0 && b.barricadeCells(f) != 0)
	for v := VerbLootGraffiti; v <= VerbSwap; v++ {
		offer(v, die > 0 && b.advancedCells(v) != 0)
	}
	for v := VerbAttackDefeat; v <= VerbAttackVan; v++ {
		offer(v, die > 0 && b.attackCells(v) != 0)
	}
	for _, v := range [...]Verb{VerbMoveFree, VerbUseHall, VerbUseHacker, VerbUseWorkshop} {
		offer(v, b.usable(v))
	}
	offer(VerbPlayCard, b.playable() != 0)
	offer(VerbTrade, b.Trades < maxTrades && b.Partners(f) != 0)
	return b.decide(f)
}

// actMenu begins what the verb stands for.
func (b Board) actMenu(a engine.Action) {
	v := Verb(a - ActVerb)
	b.Now.Verb = v
	switch v {
	case VerbMove:
		b.Step = moveSource
	case VerbBarricade:
		b.Step = barricadeCell
	case VerbLootGraffiti, VerbLootBurn, VerbBuild, VerbSwap:
		b.Step = advancedCell
	case VerbAttackDefeat, VerbAttackKick, VerbAttackVan:
		b.Step = attackCell
	case VerbMoveFree, VerbUseHall, VerbUseHacker, VerbUseWorkshop:
		b.Uses[useOf[v]]++
		b.Now.Program = firstAbility + Program(v)
		b.Step = runProgram
	case VerbPlayCard:
		b.Step = chooseCard
	case VerbTrade:
		b.Step = tradePartner
	default:
		b.endActions()
	}
}

// endActions implements R4.4 and R8.1 (Step 3): as many ops cards as the morale step
// says when the step begins, less the Signal Jammers.
func (b Board) endActions() {
	b.Now = idle(b.Now.Who)
	cards := b.OpsCards()
	b.Now.Ops = cards - min(cards, b.Jammers)
	b.Step = drawOps
}

// OpsCards implements the table of R8.1: it returns how many police ops cards a turn has at
// this morale.
func (b Board) OpsCards() uint8 { return b.box.morale[b.MoraleStep].Cards }

// useOf says which count of uses an ability has.
var useOf = [Verbs]uint8{VerbMoveFree: useOfSocial, VerbUseHall: useOfHall, VerbUseHacker: useOfHacker, VerbUseWorkshop: useOfWorkshop}

// usable implements R5.2 (abilities): the occupation stands in the city, has uses left on the
// side that lies up, and can be carried out. A clash does not matter, even for the Assembly
// Hall (Ruling 18).
func (b Board) usable(v Verb) bool {
	kind := b.box.abilities[v].kind[b.Now.Who]
	if kind == NoOcc {
		return false
	}
	c := b.Place[b.Now.Who][kind]
	if c == NoCell {
		return false
	}
	o := &b.box.factions[b.Now.Who].occs[kind]
	return b.Uses[useOf[v]] < o.uses(b.lib(c)) && b.can(b.Now.Who, firstAbility+Program(v))
}

// standing returns the cell of a faction's standing ability, NoCell if it is not in the city,
// and its effect.
func (b Board) standing(f FactionID, o op) (CellID, *effect) {
	fac := &b.box.factions[f]
	kind := fac.standing[o]
	if kind == NoOcc {
		return NoCell, nil
	}
	return b.Place[f][kind], &fac.occs[kind].Ability[0]
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
func (b Board) holds(f FactionID, o op, v Verb, there CellID) bool {
	c, e := b.standing(f, o)
	if c == NoCell {
		return false
	}
	lib := b.lib(c)
	if o == opBasicActions && !onSide(e.Actions, e.ActionsLib, lib).has(v) {
		return false
	}
	return b.covers(onSide(e.Scope, e.ScopeLib, lib), c, there, b.box.tiles[b.Tile[c]].Type, b.box.tiles[b.Tile[there]].Type)
}
