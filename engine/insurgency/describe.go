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
		return g.board(p).describeOutcome(a)
	}
	b := g.box
	switch {
	case a < 0 || a >= numActions:
		return fmt.Sprintf("action %d", a)
	case a < ActMode:
		return g.board(p).describeCard(CardID(a - ActCard + 1))
	case a < ActOp:
		return g.board(p).describeMode(modeEvent + mode(a-ActMode))
	case a < ActAmount:
		return operationTexts[a-ActOp]
	case a < ActType:
		return g.board(p).describeAmount(int(a - ActAmount))
	case a < ActSpace:
		return [numKinds]string{"select cities", "select suburbs", "select regions"}[a-ActType]
	case a < ActDone:
		return g.board(p).describeSpace(SpaceID(a - ActSpace))
	case a == ActDone:
		return g.board(p).describeDone()
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
		return g.board(p).describeStory(StoryID(a - ActStory + 1))
	case a < ActOption:
		return g.board(p).describeHack(hackChoice(a - ActHack))
	case a < ActYes:
		return g.board(p).describeOption(int(a - ActOption))
	case a == ActYes || a == ActNo:
		return g.board(p).describeYesNo(a == ActYes)
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
func (b Board) describeOption(k int) string {
	if in := b.instruction(&b.Event); in != nil && k < len(in.options) {
		return fmt.Sprintf("take option %d: %s", k+1, strings.ReplaceAll(in.options[k].Label, "_", " "))
	}
	return fmt.Sprintf("take option %d", k+1)
}

// describeCard names a card to play or an event to end.
func (b Board) describeCard(n CardID) string {
	e := &b.box.programs[n]
	if b.Ask == AskMomentum {
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

func (b Board) describeMode(m mode) string {
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
func (b Board) describeAmount(n int) string {
	switch b.Ask {
	case AskReserves:
		return fmt.Sprintf("add %s: %s", flow.Count(n, "reserve"), flow.Count(int(b.cardOps())+n, "Op"))
	case AskAgents:
		return fmt.Sprintf("place %d agents in %s", n, b.box.spaces[b.Op.Pick.Todo.First()].name)
	case AskUnits, AskActive:
		what := "agents"
		if b.Op.Side == rebel {
			what = [...]string{"sleepers", "active militia"}[b.Ask-AskUnits]
		}
		return fmt.Sprintf("move %d %s from %s to %s", n, what, b.box.spaces[b.Op.Group.From].name, b.box.spaces[b.Op.Group.To].name)
	}
	return fmt.Sprintf("%s of %s", flow.Count(n, "unit"), b.box.spaces[min(b.Event.Convert, b.Event.Relocate.From)].name)
}

// describeSpace names a space with what it holds and what is done there.
func (b Board) describeSpace(i SpaceID) string {
	verb, ok := spaceVerbs[b.Ask]
	if !ok {
		verb = "choose"
	}
	where := fmt.Sprintf("%s %s (%s)", verb, b.box.spaces[i].name, b.spaceText(i))
	if b.Ask == AskDestination {
		f, road := &b.Op, "by road"
		if b.box.spaces[f.Group.From].adjacent.Has(i) {
			road = "next door"
		}
		arrests := b.arrestsTo(f, f.Group.From, i)
		text := fmt.Sprintf("%s, %s, $%d", where, road, b.groupCost(f, i, arrests))
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
func (b Board) spaceText(i SpaceID) string {
	text := fmt.Sprintf("%s, pop %d", statusNames[b.Spaces[i].Status], b.box.spaces[i].population)
	for _, part := range []struct {
		n    uint8
		name string
	}{
		{b.Spaces[i].Unrest, "unrest"}, {b.Spaces[i].Agents, "agents"}, {b.Spaces[i].Sleepers, "sleepers"}, {b.Spaces[i].Active, "active"},
		{b.Spaces[i].FederalBases, "Federal bases"}, {b.Spaces[i].RebelBases, "Rebel bases"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.name)
		}
	}
	return text
}

// describeDone says what stopping means.
func (b Board) describeDone() string {
	switch b.Ask {
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
func (b Board) describeStory(n StoryID) string {
	st := &b.box.stories[n]
	verb := "discard"
	switch {
	case b.Ask == AskTie || b.Ask == AskSlot || b.Ask == AskStory && b.News.Do == newsChoose:
		verb = "bring to slot 1"
	}
	return fmt.Sprintf("%s story %d %s (Virality %d, Factor %d)", verb, n, st.title, st.virality, st.factor)
}

func (b Board) describeHack(k hackChoice) string {
	return [...]string{
		"Intelligence: see the other hand", "Theft: take two dice of the other's dollars", "Denial of Service: a Hacked marker on the other HQ",
		"Restore Service: remove a Hacked marker from your HQ", "Secure: a Shield for your HQ", "Invade: remove a Shield from the other HQ",
	}[k]
}

func (b Board) describeYesNo(yes bool) string {
	if b.Ask == AskKeep {
		st := &b.box.stories[b.Drawn]
		verb := "discard"
		if yes {
			verb = "keep"
		}
		return fmt.Sprintf("%s story %d %s (Virality %d, Factor %d)", verb, b.Drawn, st.title, st.virality, st.factor)
	}
	where := b.box.spaces[b.Op.Pick.Todo.First()].name
	if yes {
		return "swap two agents in " + where + " for a base"
	}
	return "leave the agents in " + where
}

// describeOutcome says what a chance outcome means.
func (b Board) describeOutcome(a engine.Action) string {
	switch {
	case a < 0 || int(a) >= len(b.spec.Outcomes):
		return fmt.Sprintf("outcome %d", a)
	case a < outStory:
		return fmt.Sprintf("the %s is dealt %d %s", sideNames[b.dealtTo()], a+1, b.box.programs[a+1].name)
	case a < outD6:
		st := &b.box.stories[a-outStory+1]
		return fmt.Sprintf("story %d %s (Virality %d, Factor %d) is drawn", a-outStory+1, st.title, st.virality, st.factor)
	case a < outD20:
		face := a - outD6 + 1
		if b.Ask == chanceTest {
			return fmt.Sprintf("a roll of %d: %s becomes %s", face, b.box.spaces[b.Testing].name, statusNames[b.box.test[face]])
		}
		return fmt.Sprintf("a roll of %d", face)
	case a < outDiscard:
		face := a - outD20 + 1
		i := b.box.region[face]
		switch b.Op.Net.Kind {
		case city:
			i = b.box.metroCity[face]
		case suburb:
			i = b.box.metroRing[face]
		}
		return fmt.Sprintf("a roll of %d: %s", face, b.box.spaces[i].name)
	case a < outSetUp:
		n := a - outDiscard + 1
		return fmt.Sprintf("%d %s is discarded", n, b.box.programs[n].name)
	case a < outSetDone:
		return fmt.Sprintf("the lot falls on %s", b.box.spaces[a-outSetUp].name)
	}
	return "the lot ends the choice of spaces"
}
