package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// Describe implements engine.Describer.
func (g *game) Describe(p *Position, a engine.Action) string {
	if p.Actor == engine.Chance {
		return g.describeOutcome(p, a)
	}
	b := g.box
	switch {
	case a < 0 || a >= numActions:
		return fmt.Sprintf("action %d", a)
	case a < ActMode:
		return g.describeCard(p, CardID(a-ActCard+1))
	case a < ActOp:
		return g.describeMode(p, modeEvent+mode(a-ActMode))
	case a < ActAmount:
		return operationTexts[a-ActOp]
	case a < ActType:
		return g.describeAmount(p, int(a-ActAmount))
	case a < ActSpace:
		return [numKinds]string{"select cities", "select suburbs", "select regions"}[a-ActType]
	case a < ActDone:
		return g.describeSpace(p, SpaceID(a-ActSpace))
	case a == ActDone:
		return g.describeDone(p)
	case a == ActUnits:
		i := p.Op.Net.Selected[p.Op.Net.At]
		return fmt.Sprintf("recruit %d militia in %s", 1+p.Spaces[i].RebelBases, b.spaces[i].name)
	case a == ActBase:
		return fmt.Sprintf("swap two militia in %s for a base", b.spaces[p.Op.Net.Selected[p.Op.Net.At]].name)
	case a < ActAttack:
		return fmt.Sprintf("move the Social Media marker to %s (%s)", smNames[a-ActSM], edgeText(b.sm[a-ActSM].edge))
	case a < ActStory:
		return socialTexts[a-ActAttack]
	case a < ActHack:
		return g.describeStory(p, StoryID(a-ActStory+1))
	case a < ActOption:
		return g.describeHack(p, hackChoice(a-ActHack))
	case a < ActYes:
		return g.describeOption(p, int(a-ActOption))
	case a == ActYes || a == ActNo:
		return g.describeYesNo(p, a == ActYes)
	case a == ActRemove:
		return "take a piece of your own off the map"
	}
	return "take off " + pieceTexts[a-ActPiece]
}

func edgeText(side Side) string { return [numSeats]string{"Rebel Edge", "Federal Edge"}[side] }

var socialTexts = [numAttacks]string{
	"Feed (1 Op): draw a story, keep or discard it", "Censor (1 Op): discard a story of the pool",
	"Persuade (2 Ops): one more step of the marker", "Distract (2 Ops): cycle the news, then you may swap the story in slot 1",
	"Enrage (3 Ops): turn Anger into Defiance or back in a space", "Convert (3 Ops): replace an enemy unit with one of yours",
}

// describeOption names an option of the running event.
func (g *game) describeOption(p *Position, k int) string {
	if in := g.instruction(&p.Event); in != nil && k < len(in.options) {
		return fmt.Sprintf("take option %d: %s", k+1, strings.ReplaceAll(in.options[k].Label, "_", " "))
	}
	return fmt.Sprintf("take option %d", k+1)
}

// describeCard names a card to play or an event to end.
func (g *game) describeCard(p *Position, n CardID) string {
	e := &g.box.programs[n]
	if p.Ask == AskMomentum {
		return fmt.Sprintf("end %s", e.name)
	}
	return fmt.Sprintf("play %d %s (%s, %s)", n, e.name, cardSide(e.side), opsText(e.ops))
}

// cardSide says whose card it is.
func cardSide(side Side) string {
	if side == nobody {
		return "neutral"
	}
	return sideNames[side]
}

func (g *game) describeMode(p *Position, m mode) string {
	switch m {
	case modeEvent:
		return "take the event"
	case modeOps:
		return "perform an operation instead of the event"
	case modeOpsEvent:
		return "perform an operation, then the enemy gets the event"
	case modeEventOps:
		return "the enemy gets the event first, then perform an operation"
	}
	return "burn the card for Social Media; its event is ignored"
}

var operationTexts = [numOps]string{
	"Fundraise: $2 for each population of selected red spaces", "Recruit: militia or bases in selected spaces ($1 each)",
	"Unrest: markers in selected spaces ($1 each)", "Attack Federal pieces ($1 a space)", "Surge: shift an Order space to Anger ($3)",
	"Move groups", "Tax Order spaces", "Deploy agents and bases ($1 a space)", "Hunt Rebel pieces", "Pacify: remove Unrest ($1 a space)",
	"Secure: shift a space toward Order", "Reserves: save the Ops", "Social Media: move the marker and attack", "Hack the other HQ",
}

// describeAmount says what a number stands for.
func (g *game) describeAmount(p *Position, n int) string {
	switch p.Ask {
	case AskReserves:
		return fmt.Sprintf("add %s: %s", flow.Count(n, "reserve"), flow.Count(int(g.cardOps(p))+n, "Op"))
	case AskAgents:
		return fmt.Sprintf("place %d agents in %s", n, g.box.spaces[p.Op.Pick.Todo.First()].name)
	case AskUnits, AskActive:
		what := "agents"
		if p.Op.Side == rebel {
			what = [...]string{"sleepers", "active militia"}[p.Ask-AskUnits]
		}
		return fmt.Sprintf("move %d %s from %s to %s", n, what, g.box.spaces[p.Op.Group.From].name, g.box.spaces[p.Op.Group.To].name)
	}
	return fmt.Sprintf("%s of %s", flow.Count(n, "unit"), g.box.spaces[min(p.Event.Convert, p.Event.Relocate.From)].name)
}

// describeSpace names a space with what it holds and what is done there.
func (g *game) describeSpace(p *Position, i SpaceID) string {
	verb, ok := spaceVerbs[p.Ask]
	if !ok {
		verb = "choose"
	}
	where := fmt.Sprintf("%s %s (%s)", verb, g.box.spaces[i].name, g.spaceText(p, i))
	if p.Ask == AskDestination {
		f, road := &p.Op, "by road"
		if g.box.spaces[f.Group.From].adjacent.Has(i) {
			road = "next door"
		}
		arrests := g.arrestsTo(p, f, f.Group.From, i)
		text := fmt.Sprintf("%s, %s, $%d", where, road, g.groupCost(p, f, i, arrests))
		if f.Side == rebel {
			text += fmt.Sprintf(", %d arrested", arrests)
		}
		return text
	}
	return where
}

var spaceVerbs = map[uint8]string{
	AskNetSpace: "select", AskLiftUnit: "lift a unit from", AskLiftBase: "lift a base from", AskOrigin: "move out of",
	AskDestination: "move to", AskAttack: "attack in", AskSurge: "surge in", AskTax: "tax", AskDeploy: "deploy to", AskHunt: "hunt in",
	AskPacify: "pacify", AskSecure: "secure", AskEnrage: "enrage", AskConvert: "convert a unit in", AskRelocate: "relocate to",
	AskRemoveSpace: "take a piece off", AskSetUpSpace: "take", AskSetUpBase: "put a base in", AskSetUpUnit: "put a unit in",
}

// spaceText says in a few words what a space is like.
func (g *game) spaceText(p *Position, i SpaceID) string {
	text := fmt.Sprintf("%s, pop %d", statusNames[p.Spaces[i].Status], g.box.spaces[i].population)
	for _, part := range []struct {
		n    uint8
		name string
	}{
		{p.Spaces[i].Unrest, "unrest"}, {p.Spaces[i].Agents, "agents"}, {p.Spaces[i].Sleepers, "sleepers"}, {p.Spaces[i].Active, "active"},
		{p.Spaces[i].FederalBases, "Federal bases"}, {p.Spaces[i].RebelBases, "Rebel bases"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.name)
		}
	}
	return text
}

// describeDone says what stopping means.
func (g *game) describeDone(p *Position) string {
	switch p.Ask {
	case AskNetSpace:
		return "roll this selection instead"
	case AskRecruit:
		return "recruit nothing there"
	case AskLiftUnit, AskLiftBase:
		return "do not place the piece"
	case AskStep:
		return "leave the Social Media marker"
	case AskSlot:
		return "leave the story in slot 1"
	case AskCensor:
		return "discard no story"
	case AskMomentum:
		return "end no event"
	case AskRelocate:
		return "relocate nothing"
	case AskHack:
		return "the hack has no effect"
	case AskSetUpSpace:
		return "take no more spaces"
	}
	return "choose no more"
}

// describeStory names a story with its numbers.
func (g *game) describeStory(p *Position, n StoryID) string {
	st := &g.box.stories[n]
	verb := "discard"
	switch {
	case p.Ask == AskTie || p.Ask == AskSlot || p.Ask == AskStory && p.News.Do == newsChoose:
		verb = "bring to slot 1"
	}
	return fmt.Sprintf("%s story %d %s (Virality %d, Factor %d)", verb, n, st.title, st.virality, st.factor)
}

func (g *game) describeHack(p *Position, k hackChoice) string {
	return [...]string{
		"Intelligence: see the other hand", "Theft: take two dice of the other's dollars", "Denial of Service: a Hacked marker on the other HQ",
		"Restore Service: remove a Hacked marker from your HQ", "Secure: a Shield for your HQ", "Invade: remove a Shield from the other HQ",
	}[k]
}

func (g *game) describeYesNo(p *Position, yes bool) string {
	if p.Ask == AskKeep {
		st := &g.box.stories[p.Drawn]
		verb := "discard"
		if yes {
			verb = "keep"
		}
		return fmt.Sprintf("%s story %d %s (Virality %d, Factor %d)", verb, p.Drawn, st.title, st.virality, st.factor)
	}
	where := g.box.spaces[p.Op.Pick.Todo.First()].name
	if yes {
		return "swap two agents in " + where + " for a base"
	}
	return "leave the agents in " + where
}

// describeOutcome says what a chance outcome means.
func (g *game) describeOutcome(p *Position, a engine.Action) string {
	switch {
	case a < 0 || int(a) >= len(g.spec.Outcomes):
		return fmt.Sprintf("outcome %d", a)
	case a < outStory:
		return fmt.Sprintf("the %s is dealt %d %s", sideNames[g.dealtTo(p)], a+1, g.box.programs[a+1].name)
	case a < outD6:
		st := &g.box.stories[a-outStory+1]
		return fmt.Sprintf("story %d %s (Virality %d, Factor %d) is drawn", a-outStory+1, st.title, st.virality, st.factor)
	case a < outD20:
		face := a - outD6 + 1
		if p.Ask == chanceTest {
			return fmt.Sprintf("a roll of %d: %s becomes %s", face, g.box.spaces[p.Testing].name, statusNames[g.box.test[face]])
		}
		return fmt.Sprintf("a roll of %d", face)
	case a < outDiscard:
		face := a - outD20 + 1
		i := g.box.region[face]
		switch p.Op.Net.Kind {
		case city:
			i = g.box.metroCity[face]
		case suburb:
			i = g.box.metroRing[face]
		}
		return fmt.Sprintf("a roll of %d: %s", face, g.box.spaces[i].name)
	case a < outSetUp:
		n := a - outDiscard + 1
		return fmt.Sprintf("%d %s is discarded", n, g.box.programs[n].name)
	case a < outSetDone:
		return fmt.Sprintf("the lot falls on %s", g.box.spaces[a-outSetUp].name)
	}
	return "the lot ends the choice of spaces"
}
