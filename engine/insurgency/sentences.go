package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine/flow"
)

// says makes a question of a sentence that is always the same.
func says(text string) func(*game, *Position) string { return flow.Say[*game, Position](text) }

// saysOfPick makes a question of what an operation does in a space, with the dollars that are left.
func saysOfPick(do string) func(*game, *Position) string {
	return func(_ *game, p *Position) string {
		return do + orStop(p.Op.Pick.Spaces != 0) + p.moneyLeft(p.Op.Pick.Cost)
	}
}

// saysOfEvent makes a question of a sentence about the event that is being resolved.
func saysOfEvent(do string) func(*game, *Position) string {
	return func(g *game, p *Position) string {
		return fmt.Sprintf("%s (%s)", do, g.box.programs[p.Event.Card].name)
	}
}

// moneyLeft says what a side may still spend on an operation of which so much is to be paid.
func (p *Position) moneyLeft(due uint8) string {
	if p.Op.Terms.Free {
		return " (free)"
	}
	return fmt.Sprintf(" ($%d left)", p.Resources[p.Op.Side]-due)
}

// opsText writes a number of Ops.
func opsText(n uint8) string { return flow.Count(n, "Op") }

func (g *game) saysCard(p *Position) string {
	text := "Play a card"
	if p.pieces(p.Side) > 1 {
		text += ", or take a piece of your own off the map"
	}
	if p.PairLeft > 1 {
		return text + " (first card of two)"
	}
	return text
}

func (g *game) saysMode(p *Position) string {
	card := &g.box.programs[p.Card.Number]
	if card.side == p.Side || card.side == nobody {
		return fmt.Sprintf("Play %s as its event, or for %s", card.name, opsText(card.ops))
	}
	return fmt.Sprintf("Play %s for %s: before or after its event, which is the %s's", card.name, opsText(card.ops), sideNames[card.side])
}

func (g *game) saysOperation(p *Position) string {
	return fmt.Sprintf("Choose an operation (%s, %d in reserve)", opsText(g.cardOps(p)), p.Reserves[p.Side])
}

func (g *game) saysReserves(p *Position) string {
	return fmt.Sprintf("Choose how many reserves to add to %s (%d in store)", opsText(g.cardOps(p)), p.Reserves[p.Side])
}

func (g *game) saysType(p *Position) string {
	return fmt.Sprintf("Choose cities, suburbs or regions to %s in", netVerbs[p.Op.Kind])
}

var netVerbs = map[opKind]string{fundraise: "fundraise", recruit: "recruit", unrestOp: "spread unrest"}

func (g *game) saysNetSpace(p *Position) string {
	return fmt.Sprintf("Choose a space to %s in, or roll for it (%d left to choose)", netVerbs[p.Op.Kind], p.Op.Net.Choices)
}

func (g *game) saysRecruit(p *Position) string {
	return fmt.Sprintf("Recruit in %s: militia, a base, or nothing", g.box.spaces[p.Op.Net.Selected[p.Op.Net.At]].name)
}

func (g *game) saysOrigin(p *Position) string {
	return "Choose where a group sets out" + orStop(p.Op.Move.NumGroups > 0) + p.moneyLeft(p.Op.Move.Cost)
}

func (g *game) saysDestination(p *Position) string {
	return fmt.Sprintf("Choose where the group from %s goes", g.box.spaces[p.Op.Group.From].name) + p.moneyLeft(p.Op.Move.Cost)
}

func (g *game) saysUnits(p *Position) string {
	return fmt.Sprintf("Choose how many %s go from %s to %s", movers(p), g.box.spaces[p.Op.Group.From].name, g.box.spaces[p.Op.Group.To].name)
}

// movers names the units of which D11 and D12 ask how many move.
func movers(p *Position) string {
	switch {
	case p.Op.Side == federal:
		return "agents"
	case p.Ask == AskActive:
		return "active militia"
	}
	return "sleepers"
}

func (g *game) saysTax(p *Position) string {
	return fmt.Sprintf("Choose an Order space to tax%s (%d of %d chosen)", orStop(p.Op.Pick.Spaces != 0), p.Op.Pick.Spaces.Count(), p.Op.Ops)
}

// orStop ends a question that may be answered by stopping.
func orStop(may bool) string {
	if may {
		return ", or stop"
	}
	return ""
}

func (g *game) saysAgents(p *Position) string {
	return fmt.Sprintf("Choose how many agents to place in %s (%d in stock)", g.box.spaces[p.Op.Pick.Todo.First()].name, g.stock(p, unitOf(federal)))
}

func (g *game) saysSwap(p *Position) string {
	return fmt.Sprintf("Swap two agents in %s for a base?", g.box.spaces[p.Op.Pick.Todo.First()].name)
}

func (g *game) saysStep(p *Position) string {
	return fmt.Sprintf("Move the Social Media marker from %s, or leave it", smNames[p.Social])
}

func (g *game) saysSocialAttack(p *Position) string {
	return fmt.Sprintf("Choose a Social Media attack, or stop (%s left)", opsText(p.Op.Budget))
}

func (g *game) saysKeep(p *Position) string {
	return fmt.Sprintf("Keep the story %s in the pool?", g.box.stories[p.Drawn].title)
}

func (g *game) saysTrim(p *Position) string {
	return fmt.Sprintf("Discard a story of the pool (%d of %d stay)", numSlots, p.Pool.Count())
}

func (g *game) saysOption(p *Position) string {
	var labels []string
	if in := g.instruction(&p.Event); in != nil {
		for _, o := range in.options {
			labels = append(labels, strings.ReplaceAll(o.Label, "_", " "))
		}
	}
	return saysOfEvent("Choose "+strings.Join(labels, " or "))(g, p)
}

func (g *game) saysNumber(p *Position) string {
	return saysOfEvent(fmt.Sprintf("Choose how many units in %s", g.box.spaces[min(p.Event.Convert, p.Event.Relocate.From)].name))(g, p)
}

func (g *game) saysRelocate(p *Position) string {
	return saysOfEvent(fmt.Sprintf("Choose where units of %s relocate to", g.box.spaces[p.Event.Cur.First()].name))(g, p)
}

func (g *game) saysRemovePiece(p *Position) string {
	return fmt.Sprintf("Choose the piece to take off %s", g.box.spaces[p.Removal.From].name)
}
