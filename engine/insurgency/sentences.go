package insurgency

import (
	"fmt"
	"strings"

	"powderkeg/engine/flow"
)

// says makes a question of a sentence that is always the same.
func says(text string) sentence { return func(Board) string { return text } }

// saysOfPick makes a question of what an operation does in a space, with the dollars that are left.
func saysOfPick(do string) sentence {
	return func(b Board) string { return do + orStop(b.Op.Pick.Spaces != 0) + b.moneyLeft(b.Op.Pick.Cost) }
}

// saysOfEvent makes a question of a sentence about the event that is being resolved.
func saysOfEvent(do string) sentence {
	return func(b Board) string { return fmt.Sprintf("%s (%s)", do, b.box.programs[b.Event.Card].name) }
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

func (b Board) saysCard() string {
	text := "Play a card"
	if b.pieces(b.Side) > 1 {
		text += ", or take a piece of your own off the map"
	}
	if b.PairLeft > 1 {
		return text + " (first card of two)"
	}
	return text
}

func (b Board) saysMode() string {
	card := &b.box.programs[b.Card.Number]
	if card.side == b.Side || card.side == nobody {
		return fmt.Sprintf("Play %s as its event, or for %s", card.name, opsText(card.ops))
	}
	return fmt.Sprintf("Play %s for %s: before or after its event, which is the %s's", card.name, opsText(card.ops), sideNames[card.side])
}

func (b Board) saysOperation() string {
	return fmt.Sprintf("Choose an operation (%s, %d in reserve)", opsText(b.cardOps()), b.Reserves[b.Side])
}

func (b Board) saysReserves() string {
	return fmt.Sprintf("Choose how many reserves to add to %s (%d in store)", opsText(b.cardOps()), b.Reserves[b.Side])
}

func (b Board) saysType() string {
	return fmt.Sprintf("Choose cities, suburbs or regions to %s in", netVerbs[b.Op.Kind])
}

var netVerbs = map[opKind]string{fundraise: "fundraise", recruit: "recruit", unrestOp: "spread unrest"}

func (b Board) saysNetSpace() string {
	return fmt.Sprintf("Choose a space to %s in, or roll for it (%d left to choose)", netVerbs[b.Op.Kind], b.Op.Net.Choices)
}

func (b Board) saysRecruit() string {
	return fmt.Sprintf("Recruit in %s: militia, a base, or nothing", b.box.spaces[b.Op.Net.Selected[b.Op.Net.At]].name)
}

func (b Board) saysOrigin() string {
	return "Choose where a group sets out" + orStop(b.Op.Move.NumGroups > 0) + b.moneyLeft(b.Op.Move.Cost)
}

func (b Board) saysDestination() string {
	return fmt.Sprintf("Choose where the group from %s goes", b.box.spaces[b.Op.Group.From].name) + b.moneyLeft(b.Op.Move.Cost)
}

func (b Board) saysUnits() string {
	return fmt.Sprintf("Choose how many %s go from %s to %s", b.movers(), b.box.spaces[b.Op.Group.From].name, b.box.spaces[b.Op.Group.To].name)
}

// movers names the units of which D11 and D12 ask how many move.
func (p *Position) movers() string {
	switch {
	case p.Op.Side == federal:
		return "agents"
	case p.Ask == AskActive:
		return "active militia"
	}
	return "sleepers"
}

func (b Board) saysTax() string {
	return fmt.Sprintf("Choose an Order space to tax%s (%d of %d chosen)", orStop(b.Op.Pick.Spaces != 0), b.Op.Pick.Spaces.Count(), b.Op.Ops)
}

// orStop ends a question that may be answered by stopping.
func orStop(may bool) string {
	if may {
		return ", or stop"
	}
	return ""
}

func (b Board) saysAgents() string {
	return fmt.Sprintf("Choose how many agents to place in %s (%d in stock)", b.box.spaces[b.Op.Pick.Todo.First()].name, b.stock(unitOf(federal)))
}

func (b Board) saysSwap() string {
	return fmt.Sprintf("Swap two agents in %s for a base?", b.box.spaces[b.Op.Pick.Todo.First()].name)
}

func (b Board) saysStep() string {
	return fmt.Sprintf("Move the Social Media marker from %s, or leave it", smNames[b.Social])
}

func (b Board) saysSocialAttack() string {
	return fmt.Sprintf("Choose a Social Media attack, or stop (%s left)", opsText(b.Op.Budget))
}

func (b Board) saysKeep() string {
	return fmt.Sprintf("Keep the story %s in the pool?", b.box.stories[b.Drawn].title)
}

func (b Board) saysTrim() string {
	return fmt.Sprintf("Discard a story of the pool (%d of %d stay)", numSlots, b.Pool.Count())
}

func (b Board) saysOption() string {
	var labels []string
	if in := b.instruction(&b.Event); in != nil {
		for _, o := range in.options {
			labels = append(labels, strings.ReplaceAll(o.Label, "_", " "))
		}
	}
	return saysOfEvent("Choose " + strings.Join(labels, " or "))(b)
}

func (b Board) saysNumber() string {
	return saysOfEvent(fmt.Sprintf("Choose how many units in %s", b.box.spaces[min(b.Event.Convert, b.Event.Relocate.From)].name))(b)
}

func (b Board) saysRelocate() string {
	return saysOfEvent(fmt.Sprintf("Choose where units of %s relocate to", b.box.spaces[b.Event.Cur.First()].name))(b)
}

func (b Board) saysRemovePiece() string {
	return fmt.Sprintf("Choose the piece to take off %s", b.box.spaces[b.Removal.From].name)
}
