package domination

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	if p.Actor == engine.Chance {
		return g.describeOutcome(p, a)
	}
	named := func(first engine.Action) *Card { return &g.box.Cards[a-first] }
	switch {
	case a < 0 || a >= numActions:
		return fmt.Sprintf("action %d", a)
	case a < ActBuildWith:
		return g.describeWord(p, a)
	case a < ActAttackWith:
		c := named(ActBuildWith)
		return fmt.Sprintf("build with %s (%s)", c.Name, flow.Count(c.Build, "point"))
	case a < ActTextOf:
		c := named(ActAttackWith)
		return fmt.Sprintf("attack with %s (%s)", c.Name, flow.Count(c.Reduction, "point"))
	case a < ActDiscard1:
		c := named(ActTextOf)
		return fmt.Sprintf("use the text of %s: %s", c.Name, c.Text)
	case a < ActDiscard2First:
		return fmt.Sprintf("discard %s and buy a card into the discard pile", named(ActDiscard1).Name)
	case a < ActDiscard2Second:
		return fmt.Sprintf("discard %s and a second card and buy a card into the hand", named(ActDiscard2First).Name)
	case a < ActBuy:
		return fmt.Sprintf("discard %s as the second card", named(ActDiscard2Second).Name)
	case a < ActBuildAt:
		return g.describeBuy(p, CardID(a-ActBuy))
	case a < ActTargetPlayer:
		return g.describeArea(p, a)
	}
	return fmt.Sprintf("choose seat %d", g.place(SeatID(max(p.Actor, 0)), SeatID(a-ActTargetPlayer)%g.seats))
}

func (g *game) describeWord(p *Position, a engine.Action) string {
	switch a {
	case ActDone:
		return fmt.Sprintf("stop (%s left over)", flow.Count(p.Frame.Points, "point"))
	case ActEndTurn:
		return "end the turn"
	case ActPass:
		return "pass and be locked out for the rest of the Game Turn"
	case ActAccept:
		return fmt.Sprintf("perform %d Reductions and pass the offer on", g.chainLength(p))
	}
	switch p.asked() {
	case SurrenderRegionDecision:
		return fmt.Sprintf("remove nothing in %s", g.box.Regions[p.Frame.Region].Name)
	case BioResponseDecision:
		return fmt.Sprintf("stop %s", g.box.Cards[p.Frame.Card].Name)
	}
	return "do not react"
}

// chainLength returns the Reductions that a chain offers.
func (g *game) chainLength(p *Position) uint8 {
	f := p.Frame
	if effects := g.box.Cards[f.Card].ways[f.Way]; int(f.Effect) < len(effects) {
		return effects[f.Effect].n
	}
	return 0
}

func (g *game) describeBuy(p *Position, c CardID) string {
	k, cost := &g.box.Cards[c], ""
	if k.Cost > 0 {
		cost = fmt.Sprintf(" for %d Logistical Support", k.Cost)
	}
	return fmt.Sprintf("buy %s%s (%d left; Build %d, Reduction %d)", k.Name, cost, p.Stack[c], k.Build, k.Reduction)
}

// describeArea says what a point or a pick in an Area does to what is there.
func (g *game) describeArea(p *Position, n engine.Action) string {
	a := AreaID((n - ActBuildAt) % Areas)
	name := g.box.Areas[a].Name
	owner := p.Owner(a)
	force := "no Force"
	if owner != NoSeat {
		force = fmt.Sprintf("the %s Force of seat %d", p.strength(a), owner)
	}
	switch {
	case n < ActReduceAt && owner == NoSeat:
		return fmt.Sprintf("build in %s: place a Struggling Force", name)
	case n < ActReduceAt:
		return fmt.Sprintf("build in %s: upgrade to Full", name)
	case n < ActRemoveAt && p.Full.Has(a):
		return fmt.Sprintf("reduce %s: %s becomes Struggling", name, force)
	case n < ActRemoveAt:
		return fmt.Sprintf("reduce %s: %s leaves the map", name, force)
	case p.asked() == InsurgentPickDecision:
		return fmt.Sprintf("replace %s in %s by an own Full Force", force, name)
	}
	return fmt.Sprintf("remove %s from %s", force, name)
}

// strength names the strength of the Force in an Area.
func (p *Position) strength(a AreaID) string {
	if p.Full.Has(a) {
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
		return fmt.Sprintf("%s is in the game", g.box.Cards[a+1].Name)
	case a < g.outDraw:
		return fmt.Sprintf("seat %d is First Player", a-g.outFirst)
	}
	return fmt.Sprintf("seat %d draws %s", g.drawer(p), g.box.Cards[a-g.outDraw].Name)
}
