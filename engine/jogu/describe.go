package jogu

import (
	"fmt"

	"powderkeg/engine"
)

// Describe implements flow.Rules.
func (g *game) Describe(p *Position, a engine.Action) string {
	if p.Actor == engine.Chance {
		return g.describeOutcome(p, a)
	}
	switch {
	case a == ActEnd:
		return g.describeEnd(p)
	case a == ActOwnFirst:
		return fmt.Sprintf("carry out the ability of %s first", g.pendingName(p))
	case a == ActScramblerFirst:
		return "let the Scrambler move first"
	case a >= ActLocation && a < ActSlot:
		return g.describePlace(p, placeOf(a))
	case a >= ActSlot && a < ActCard:
		return g.describeSlot(p, uint8(a-ActSlot))
	case a >= ActCard && int(a-ActCard) < len(g.box.cards):
		return g.describeCard(p, g.box.cards[a-ActCard])
	}
	return fmt.Sprintf("action %d", a)
}

// Veil implements flow.Veiler: what the opponent of the seat to act is told of an action
// that it is not shown, and "" where it is shown. A card played face down is not named
// (R16.5), and of a Support Tower it learns that a card went to the bottom, not which
// (R16.7).
func (g *game) Veil(p *Position, a engine.Action) string {
	switch {
	case p.asked() == TurnDecision && a >= ActCard && g.box.cards[a-ActCard].FaceDown:
		return "play a card face down"
	case p.asked() == SupportDecision && a != ActEnd:
		return "put one of the cards seen at the bottom"
	}
	return ""
}

func (g *game) describeEnd(p *Position) string {
	switch p.asked() {
	case DiscardDecision:
		return "discard nothing more"
	case MedicDecision:
		return "put no more cards back"
	case SupportDecision:
		return "leave the cards as they are"
	}
	return "pass for the round"
}

func (g *game) describePlace(p *Position, place Place) string {
	at := fmt.Sprintf("Location %d (capacity %d of %d)", place+FirstPlace, p.Room.Used[place], g.box.capacity)
	switch p.asked() {
	case ScramblerDecision:
		return "move the Scrambler to " + at
	case TrojanPlaceDecision:
		return fmt.Sprintf("take back a card at Location %d", place+FirstPlace)
	}
	if p.Depth == 0 {
		return "to " + at
	}
	if f := &p.Frames[p.Depth-1]; f.Card == hiddenPlay || g.playing(p, f).FaceDown {
		return "put a card face down at " + at // the other seat is told this too
	}
	return fmt.Sprintf("put %s at %s", g.pendingName(p), at)
}

func (g *game) describeSlot(p *Position, slot uint8) string {
	if p.asked() == SupportDecision {
		name := "unknown"
		if c := p.Seats[p.Turn].Fixed[slot]; !c.hidden() {
			name = g.deckOf(p, p.Turn).cards[c.card()].Name
		}
		return fmt.Sprintf("put card %d from the top (%s) at the bottom", slot+1, name)
	}
	if p.Depth > 0 && p.Seats[1-p.Turn].downCount(p.Frames[p.Depth-1].Place) == 0 {
		d := g.deckOf(p, 1-p.Turn)
		if d.tokened != noType {
			return fmt.Sprintf("discard %s without a Stay token", d.cards[d.tokened].Name)
		}
	}
	return fmt.Sprintf("discard face-down card %d", slot+1)
}

func (g *game) describeCard(p *Position, c *Card) string {
	numbers := fmt.Sprintf("%s (strength %d, morale %d)", c.Name, c.Strength, c.Morale)
	switch p.asked() {
	case DiscardDecision, BombDecision:
		return "discard " + numbers
	case ConjurerDecision:
		return "play " + numbers + " from the discard"
	case MedicDecision, TrojanCardDecision:
		return fmt.Sprintf("put %s under the draw pile", c.Name)
	}
	return "play " + numbers
}

// describeOutcome says what a chance outcome means.
func (g *game) describeOutcome(p *Position, a engine.Action) string {
	switch {
	case a < 0 || int(a) >= len(g.spec.Outcomes):
		return fmt.Sprintf("outcome %d", a)
	case a < g.outStart:
		return fmt.Sprintf("seat %d plays %s", p.undrawn(), g.box.decks[a].Name)
	case a < g.outDraw:
		return fmt.Sprintf("seat %d starts", a-g.outStart)
	case a < g.outLocation:
		return g.describeDraw(p, g.box.cards[a-g.outDraw].Name)
	case a < g.outHit:
		verb := "looks at"
		if p.Phase == scout {
			verb = "draws"
		}
		return fmt.Sprintf("seat %d %s Location Card %d", g.locationOwner(p), verb, a-g.outLocation+FirstPlace)
	}
	return fmt.Sprintf("the Assassin strikes %s", g.box.cards[a-g.outHit].Name)
}

// describeDraw says what becomes of the card that lies on top of a pile.
func (g *game) describeDraw(p *Position, name string) string {
	owner := g.pileOwner(p)
	if p.Depth > 0 {
		switch g.currentEffect(p).Op {
		case Mill:
			return fmt.Sprintf("the Saboteur turns up %s of seat %d", name, owner)
		case PeekDrawPile:
			return fmt.Sprintf("seat %d looks at %s", owner, name)
		}
	}
	return fmt.Sprintf("seat %d draws %s", owner, name)
}
