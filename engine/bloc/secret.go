package bloc

import "powderkeg/engine"

// Moment is a point of a Sunrise at which a faction may be asked in secret. A player keeps
// seeing it until something happens that the player learns of. The pieces do not change
// meanwhile, so these fields of UnderWay suffice. The zero value is no moment.
//
// a player sees the first point at which, judging by public information, another player's
// faction might be asked. The first point at which one is asked would reveal who holds a card.
// D12 and D15 need no moment, because only the active faction can be asked there.
type Moment struct {
	Step    Stage           `pos:"step" word:"step"` // askDoors, askMasks, rescue or askSound; 0 for none
	Scan    uint8           `pos:"scan"`
	Order   uint8           `pos:"order"`
	Doors   uint8           `pos:"doors"`
	LostTo  Force           `pos:"lost_to"`
	Decider FactionID       `pos:"decider" word:"faction"`
	Lost    [Factions]uint8 `pos:"lost" count:"faction"`
}

// mayBeAsked implements R15.1: faction f will be asked here if it holds a certain card. Hands
// are hidden, but their sizes are public. Players who see no earlier moment see this one while
// others are asked.
func (b Board) mayBeAsked(f FactionID) {
	if b.HandSize[f] == 0 {
		return
	}
	owner, n := b.owner(f), &b.Now
	for v := range engine.Player(b.players) {
		if v != owner && b.Shown[v].Step == 0 {
			b.Shown[v] = Moment{b.Step, n.Scan, n.Order, n.Doors, n.LostTo, n.Decider, n.Lost}
		}
	}
}

// seenBy ends the moments that players see. Everybody learns that a card was played; only the
// player who was asked learns that none was.
func (p *Position) seenBy(answer engine.Action) {
	if answer == ActDone {
		p.Shown[p.Actor] = Moment{}
	} else {
		p.seenByAll()
	}
}

// seenByAll notes that something public has happened.
func (p *Position) seenByAll() { p.Shown = [maxPlayers]Moment{} }

// back puts the course of the game back to a moment; the pieces stand as they did.
func (p *Position) back(m *Moment) {
	p.Step, p.Now = m.Step, clearPending
	n := &p.Now
	n.Cell, n.Scan, n.Order, n.Doors, n.LostTo, n.Decider, n.Lost = p.ByID[m.Scan], m.Scan, m.Order, m.Doors, m.LostTo, m.Decider, m.Lost
}

// forgetQuestion makes the view of a player who does not know of the question: the situation
// as it was before, with nobody asked.
func (p *Position) forgetQuestion(me engine.Player) {
	if m := p.Shown[me]; m.Step != 0 {
		p.back(&m)
	}
	p.rest(engine.Nobody)
	p.Ask = over
}
