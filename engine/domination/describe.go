package domination

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	if p.Actor == engine.Chance {
		return g.board(p).describeOutcome(a)
	}
	named := func(first engine.Action) *Card { return &g.box.Cards[a-first] }
	switch {
	case a < 0 || a >= numActions:
		return fmt.Sprintf("action %d", a)
	case a < ActBuildWith:
		return g.board(p).describeWord(a)
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
		return g.board(p).describeBuy(CardID(a - ActBuy))
	case a < ActTargetPlayer:
		return g.board(p).describeArea(a)
	}
	return fmt.Sprintf("choose seat %d", g.place(SeatID(max(p.Actor, 0)), SeatID(a-ActTargetPlayer)%g.seats))
}

func (b Board) describeWord(a engine.Action) string {
	switch a {
	case ActDone:
		return fmt.Sprintf("stop (%s left over)", flow.Count(b.Frame.Points, "point"))
	case ActEndTurn:
		return "end the turn"
	case ActPass:
		return "pass and be locked out for the rest of the Game Turn"
	case ActAccept:
		return fmt.Sprintf("perform %d Reductions and pass the offer on", b.chainLength())
	}
	switch b.asked() {
	case SurrenderRegionDecision:
		return fmt.Sprintf("remove nothing in %s", b.box.Regions[b.Frame.Region].Name)
	case BioResponseDecision:
		return fmt.Sprintf("stop %s", b.box.Cards[b.Frame.Card].Name)
	}
	return "do not react"
}

// chainLength returns the Reductions that a chain offers.
func (b Board) chainLength() uint8 {
	f := b.Frame
	if effects := b.box.Cards[f.Card].ways[f.Way]; int(f.Effect) < len(effects) {
		return effects[f.Effect].n
	}
	return 0
}

func (b Board) describeBuy(c CardID) string {
	k, cost := &b.box.Cards[c], ""
	if k.Cost > 0 {
		cost = fmt.Sprintf(" for %d Logistical Support", k.Cost)
	}
	return fmt.Sprintf("buy %s%s (%d left; Build %d, Reduction %d)", k.Name, cost, b.Stack[c], k.Build, k.Reduction)
}

// describeArea says what a point or a pick in an Area does to what is there.
func (b Board) describeArea(n engine.Action) string {
	a := AreaID((n - ActBuildAt) % Areas)
	name := b.box.Areas[a].Name
	owner := b.Owner(a)
	force := "no Force"
	if owner != NoSeat {
		force = fmt.Sprintf("the %s Force of seat %d", b.strength(a), owner)
	}
	switch {
	case n < ActReduceAt && owner == NoSeat:
		return fmt.Sprintf("build in %s: place a Struggling Force", name)
	case n < ActReduceAt:
		return fmt.Sprintf("build in %s: upgrade to Full", name)
	case n < ActRemoveAt && b.Full.Has(a):
		return fmt.Sprintf("reduce %s: %s becomes Struggling", name, force)
	case n < ActRemoveAt:
		return fmt.Sprintf("reduce %s: %s leaves the map", name, force)
	case b.asked() == InsurgentPickDecision:
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
func (b Board) describeOutcome(a engine.Action) string {
	switch {
	case a < 0 || int(a) >= len(b.spec.Outcomes):
		return fmt.Sprintf("outcome %d", a)
	case a < b.outFirst:
		return fmt.Sprintf("%s is in the game", b.box.Cards[a+1].Name)
	case a < b.outDraw:
		return fmt.Sprintf("seat %d is First Player", a-b.outFirst)
	}
	return fmt.Sprintf("seat %d draws %s", b.drawer(), b.box.Cards[a-b.outDraw].Name)
}
