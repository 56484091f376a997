package domination

import (
	"fmt"

	"powderkeg/engine"
)

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	if p.Actor == engine.Chance {
		return g.describeOutcome(p, a)
	}
	n := int(a)
	named := func(first int) *card { return &g.box.cards[n-first] }
	switch {
	case n < 0 || n >= numActions:
		return fmt.Sprintf("action %d", a)
	case n < actBuildWith:
		return g.describeWord(p, n)
	case n < actAttackWith:
		c := named(actBuildWith)
		return fmt.Sprintf("build with %s (%d points)", c.name, c.build)
	case n < actTextOf:
		c := named(actAttackWith)
		return fmt.Sprintf("attack with %s (%d points)", c.name, c.reduction)
	case n < actDiscard1:
		c := named(actTextOf)
		return fmt.Sprintf("use the text of %s: %s", c.name, c.text)
	case n < actDiscard2First:
		return fmt.Sprintf("discard %s and buy a card into the discard pile", named(actDiscard1).name)
	case n < actDiscard2Second:
		return fmt.Sprintf("discard %s and a second card and buy a card into the hand", named(actDiscard2First).name)
	case n < actBuy:
		return fmt.Sprintf("discard %s as the second card", named(actDiscard2Second).name)
	case n < actBuildAt:
		return g.describeBuy(p, CardID(n-actBuy))
	case n < actTargetPlayer:
		return g.describeArea(p, n)
	}
	return fmt.Sprintf("choose seat %d", g.place(SeatID(max(p.Actor, 0)), SeatID(n-actTargetPlayer)%g.seats))
}

func (g *game) describeWord(p *Position, n int) string {
	switch n {
	case actDone:
		return fmt.Sprintf("stop (%d points left over)", p.Frame.Points)
	case actEndTurn:
		return "end the turn"
	case actPass:
		return "pass and be locked out for the rest of the Game Turn"
	case actAccept:
		return fmt.Sprintf("perform %d Reductions and pass the offer on", g.chainLength(p))
	}
	switch p.Ask {
	case askSurrenderRegion:
		return fmt.Sprintf("remove nothing in %s", g.box.regions[p.Frame.Region].name)
	case askBioResponse:
		return fmt.Sprintf("stop %s", g.box.cards[p.Frame.Card].name)
	}
	return "do not react"
}

// chainLength returns the Reductions that a chain offers.
func (g *game) chainLength(p *Position) uint8 {
	f := p.Frame
	if effects := g.box.cards[f.Card].ways[f.Way]; int(f.Effect) < len(effects) {
		return effects[f.Effect].n
	}
	return 0
}

func (g *game) describeBuy(p *Position, c CardID) string {
	k, cost := &g.box.cards[c], ""
	if k.cost > 0 {
		cost = fmt.Sprintf(" for %d Logistical Support", k.cost)
	}
	return fmt.Sprintf("buy %s%s (%d left; Build %d, Reduction %d)", k.name, cost, p.Stack[c], k.build, k.reduction)
}

// describeArea says what a point or a pick in an Area does to what is there.
func (g *game) describeArea(p *Position, n int) string {
	a := AreaID(n-actBuildAt) % numAreas
	name := g.box.areas[AreaID(n-actBuildAt)%numAreas].name
	owner := p.ownerOf(a)
	force := "no Force"
	if owner != noSeat {
		force = fmt.Sprintf("the %s Force of seat %d", p.strength(a), owner)
	}
	switch {
	case n < actReduceAt && owner == noSeat:
		return fmt.Sprintf("build in %s: place a Struggling Force", name)
	case n < actReduceAt:
		return fmt.Sprintf("build in %s: upgrade to Full", name)
	case n < actRemoveAt && p.Full.has(a):
		return fmt.Sprintf("reduce %s: %s becomes Struggling", name, force)
	case n < actRemoveAt:
		return fmt.Sprintf("reduce %s: %s leaves the map", name, force)
	case p.Ask == askInsurgentPick:
		return fmt.Sprintf("replace %s in %s by an own Full Force", force, name)
	}
	return fmt.Sprintf("remove %s from %s", force, name)
}

// strength names the strength of the Force in an Area.
func (p *Position) strength(a AreaID) string {
	if p.Full.has(a) {
		return "Full"
	}
	return "Struggling"
}

// describeOutcome says what a chance outcome means.
func (g *game) describeOutcome(p *Position, a engine.Action) string {
	switch {
	case a < 0 || int(a) >= len(g.spec.Outcomes):
		return fmt.Sprintf("outcome %d", a)
	case a < g.outFirst:
		return fmt.Sprintf("%s is in the game", g.box.cards[a+1].name)
	case a < g.outDraw:
		return fmt.Sprintf("seat %d is First Player", a-g.outFirst)
	}
	return fmt.Sprintf("seat %d draws %s", g.drawer(p), g.box.cards[a-g.outDraw].name)
}
