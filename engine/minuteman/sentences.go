package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine/flow"
)

// says makes the question a sentence that is always the same.
func (q question) says(text string) question {
	q.Says = flow.Say[*game, Position](text)
	return q
}

// saying makes the question a sentence about the position.
func (q question) saying(text func(g *game, p *Position) string) question {
	q.Says = text
	return q
}

// groupWord names the type of a counter.
func groupWord(gr group) string { return strings.ReplaceAll(groupNames[gr], "_", " ") }

// unitWord names a unit and where it stands.
func (g *game) unitWord(p *Position, u UnitID) string {
	return fmt.Sprintf("%s in %s", g.unitWords[g.name[u]], g.hexWord(p.Units[u].Hex))
}

// setUpLeft says how many pieces of this step of the set-up are left, the one that is asked about included.
func (g *game) setUpLeft(p *Position) string {
	return fmt.Sprintf("(%d left)", g.plan[p.SetUp.Step].n-int(p.SetUp.Done))
}

func (g *game) saysArmy(p *Position) string {
	if p.Queued == 0 {
		return "Place an Army"
	}
	return fmt.Sprintf("Place the next Army, %s (%d left)", groupWord(g.queuedGroup(p, 0)), p.Queued)
}

func (g *game) saysStarting(p *Position) string {
	what := "an Agent"
	if g.plan[p.SetUp.Step].op == opCIGs {
		what = "a CIG"
	}
	return fmt.Sprintf("Place %s %s", what, g.setUpLeft(p))
}

func (g *game) saysBrigade(p *Position) string {
	return fmt.Sprintf("Place a Brigade in %s %s", countryNames[g.plan[p.SetUp.Step].place], g.setUpLeft(p))
}

func (g *game) saysMoveNet(p *Position) string {
	if g.hexChosen(p) {
		return fmt.Sprintf("Choose where the Network of %s goes", g.hexWord(p.SelHex))
	}
	return "Choose a Network to move, or stop"
}

func (g *game) saysExtra(p *Position) string {
	s := &g.plan[p.SetUp.Step]
	what := map[setUpOp]string{opNets: "a Network", opMinutemen: "a Minuteman"}[s.op]
	switch {
	case what != "":
		return fmt.Sprintf("Place %s in %s %s", what, countryNames[s.place], g.setUpLeft(p))
	case s.op == opAbroad && p.Part == 0:
		return "Choose whether the next Militia is Canadian or Mexican " + g.setUpLeft(p)
	case s.op == opAbroad:
		return fmt.Sprintf("Place a Militia in %s %s", countryNames[p.Pile], g.setUpLeft(p))
	}
	return "Place a Militia " + g.setUpLeft(p)
}

// saysTaking makes a question of what is done to units that are named by hex and class.
func saysTaking(do, whose string) func(*game, *Position) string {
	return func(g *game, p *Position) string {
		switch {
		case g.hexChosen(p):
			return fmt.Sprintf("Choose which of the units in %s %s", g.hexWord(p.SelHex), whose)
		case p.Part > 0:
			return fmt.Sprintf("Choose the hex of the unit that %s", whose)
		}
		return do
	}
}

func (g *game) saysSpread(p *Position) string {
	return fmt.Sprintf("Choose a city that the Riot in %s spreads to (%d left)", g.hexWord(p.Build.Hex), p.Build.Spread)
}

func (g *game) saysResult(p *Position) string {
	return fmt.Sprintf("Choose what the build in %s brings", g.hexWord(p.Build.Hex))
}

func (g *game) saysConsole(p *Position) string {
	what := "a Network"
	if p.Combat.Consoled == 1 {
		what = "a Minuteman"
	}
	return fmt.Sprintf("Place %s near %s, for the ruthless attack that failed", what, g.hexWord(p.Combat.Target))
}

func (g *game) saysCompose(p *Position) string {
	return fmt.Sprintf("Add a unit or an Organizer to the build in %s, or roll (%s)", g.hexWord(p.Build.Hex), flow.Count(g.buildPoints(p), "point"))
}

func (g *game) saysDestination(p *Position) string {
	return "Choose where to move the " + g.unitWord(p, p.Move.Unit)
}

func (g *game) saysPassage(p *Position) string {
	unit, to, price := p.Move.Unit, p.Move.Dest, int(p.Move.Price)
	if p.Combat.Stage == combatPassage {
		var prices [numHexes]uint8
		unit, to = p.Combat.Retreater, p.Combat.Zone
		g.prices(p, g.owner(p, unit), &prices)
		price = int(prices[to])
	}
	return fmt.Sprintf("Choose how many Passage markers to show for the %s on its way to %s (%d Movement Points)",
		g.unitWord(p, unit), g.hexWord(to), price)
}

func (g *game) saysKill(p *Position) string {
	k := &p.Kill
	switch k.Stage {
	case killOwner:
		return "Choose whose unit to assassinate"
	case killHex:
		return "Choose the hex of the unit to assassinate"
	case killClass:
		return fmt.Sprintf("Choose which unit in %s to assassinate", g.hexWord(k.Hex))
	}
	return fmt.Sprintf("Choose how many Assassin markers to show for the %s in %s", g.describeToken(p, actClass+int(k.Class)), g.hexWord(k.Hex))
}

func (g *game) saysTarget(p *Position) string {
	return fmt.Sprintf("Choose the target of the %s attack", attackNames[p.Combat.Kind])
}

func (g *game) saysAttackers(p *Position) string {
	where := g.hexWord(p.Combat.Target)
	if g.hexChosen(p) {
		return fmt.Sprintf("Choose which unit in %s joins the attack on %s", g.hexWord(p.SelHex), where)
	}
	if p.Combat.Attackers.empty() {
		return fmt.Sprintf("Choose the hex of a unit that attacks %s", where)
	}
	return fmt.Sprintf("Choose the hex of another unit that attacks %s, or stop (%d so far)", where, p.Combat.Attackers.count())
}

// saysOfTarget makes a question of a sentence with the target of the attack.
func saysOfTarget(format string) func(*game, *Position) string {
	return func(g *game, p *Position) string { return fmt.Sprintf(format, g.hexWord(p.Combat.Target)) }
}

func (g *game) saysLoss(p *Position) string {
	if g.hexChosen(p) {
		return fmt.Sprintf("Choose which unit in %s loses a step", g.hexWord(p.SelHex))
	}
	return "Choose the hex of the unit that loses a step"
}

// saysOfRetreat makes a question of a sentence with the unit that retreats.
func saysOfRetreat(format string) func(*game, *Position) string {
	return func(g *game, p *Position) string { return fmt.Sprintf(format, g.unitWord(p, p.Combat.Retreater)) }
}

func (g *game) saysAdvance(p *Position) string {
	switch {
	case p.Part > 1:
		return fmt.Sprintf("Choose where the %s in %s advances to", g.describeToken(p, actClass+int(p.SelClass)), g.hexWord(p.SelHex))
	case p.Part > 0:
		return fmt.Sprintf("Choose which unit in %s advances", g.hexWord(p.SelHex))
	}
	return "Choose the hex of a unit that advances, or stop"
}

func (g *game) saysHalf(p *Position) string {
	if g.hexChosen(p) {
		return fmt.Sprintf("Choose which Minuteman in %s is lost", g.hexWord(p.SelHex))
	}
	return fmt.Sprintf("Choose the hex of a Minuteman that is lost (%d left to lose)", p.Combat.Left)
}

func (g *game) saysReactPlace(p *Position) string {
	what := "a CIG"
	if p.Reaction.Step == stepPlaceAgents {
		what = "an Agent"
	}
	return fmt.Sprintf("Place %s (%d left)", what, p.Reaction.Left)
}

func (g *game) saysMode(p *Position) string {
	return fmt.Sprintf("Choose how to move the %s", g.unitWord(p, p.Move.Unit))
}

func (g *game) saysUnrest(p *Position) string {
	return fmt.Sprintf("Remove the Unrest in %s?", g.hexWord(p.LastHex))
}

func (g *game) saysReinforce(p *Position) string {
	switch seat := SeatID(p.Actor); {
	case p.Foreign.Stage == foreignPlacing && seat == p.Foreign.Seat:
		return "Place a Foreign Division, or none"
	case g.lateArmy(p, seat):
		return "Place the Army of this Game-Turn, or give it up"
	case seat != p.Gov:
		return fmt.Sprintf("Place a Militia as a reinforcement, or none (%d due)", p.Due[seat])
	}
	return fmt.Sprintf("Place a Division as a reinforcement, or none (%d due)", p.Due[p.Actor])
}

func (g *game) saysLeave(p *Position) string {
	return fmt.Sprintf("Choose where the %s goes at the Revolution", g.unitWord(p, p.Rising.Army))
}

func (g *game) saysNegotiate(p *Position) string {
	if p.Part > 0 {
		return fmt.Sprintf("Choose the player to whom you propose %s", proposalTexts[p.Propose.Kind-actTruce])
	}
	return "Propose something to another player, or nothing"
}

func (g *game) saysAnswer(p *Position) string {
	if p.Rising.Stage == risingAsk {
		return fmt.Sprintf("Player %d declares a joint Revolution: do you take part?", p.Rising.Seat)
	}
	return fmt.Sprintf("Player %d proposes %s: do you accept?", p.Seat, proposalTexts[p.Propose.Kind-actTruce])
}
