package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// newPosition implements R4.2, R4.3 and R1.3, R1.6 (Set-up): full piles in unknown
// order, empty hands (Q2), morale 30 (Q1), markers on 1 and 7 (Q4). Factions that
// are to be drawn are noDeck; the start player is drawn where the option says
// so (Q3). The Stay tokens' supply is what is not on cards.
func (g *game) newPosition(decks [numSeats]DeckID, start string) Position {
	p := Position{
		Round: 1, EndMarker: g.box.endStart, Start: NoSeat,
		Decks: decks, LastWinner: NoSeat, End: Ending{Winner: NoSeat},
	}
	switch start {
	case "first":
		p.Start = 0
	case "second":
		p.Start = 1
	}
	for i := range p.Seats {
		p.Morale[i] = g.box.startMorale
		p.Locs[i].Unknown = g.box.locCopies
		if decks[i] != noDeck {
			g.takeDeck(&p, SeatID(i), decks[i])
		}
	}
	return p
}

// takeDeck implements R1.2 and R4.2: the seat's pile holds one whole deck, also in a
// mirror match (Q24).
func (g *game) takeDeck(p *Position, s SeatID, deck DeckID) {
	p.Decks[s] = deck
	p.Seats[s].Unknown = g.box.decks[deck].copies
	p.Seats[s].Middle = DeckSize
}

// factionDrawn deals the faction that was drawn by lot.
func (g *game) factionDrawn(p *Position, w *flow.Witness, a engine.Action) {
	s := p.undrawn()
	g.takeDeck(p, s, DeckID(a))
	if w != nil {
		w.All("faction", "R4.1", seatArg("seat", s), flow.Arg("faction", g.deckOf(p, s).ID))
	}
}

// startDrawn carries out C3.
func (g *game) startDrawn(p *Position, w *flow.Witness, a engine.Action) {
	p.Start = SeatID(a - g.outStart)
	if w != nil {
		w.All("start_player", "R4.4", seatArg("seat", p.Start))
	}
}

// setUp implements R4.4, Q5 and C3: factions that the options leave to the lot, seat 0
// first, then the start player. Round 1 follows.
func (g *game) setUp(p *Position, w *flow.Witness) bool {
	if p.undrawn() != NoSeat {
		return p.wait(askFaction, engine.Chance)
	}
	if p.Start == NoSeat {
		return p.wait(askStart, engine.Chance)
	}
	g.beginRound(p, w)
	return false
}

// undrawn returns the first seat without a faction, NoSeat if both have one.
func (p *Position) undrawn() SeatID {
	for i := range p.Seats {
		if p.Decks[i] == noDeck {
			return SeatID(i)
		}
	}
	return NoSeat
}

// beginRound implements R6.1: Reinforcement, the start player first.
func (g *game) beginRound(p *Position, w *flow.Witness) {
	p.Phase = reinforcement
	p.Turn = p.Start
	if w != nil {
		w.All("round", "R5.1", flow.Arg("round", int(p.Round)), flow.Arg("end_marker", int(p.EndMarker)), seatArg("start_player", p.Start))
	}
}

// finish ends the game (R12.4).
func (p *Position) finish(w *flow.Witness, winner SeatID, why cause) {
	p.Phase, p.End, p.Turn = over, Ending{winner, why}, 0
	p.wait(askNothing, engine.Terminal)
	if w != nil {
		w.All("game_over", "R12.4", seatArg("winner", winner), flow.Arg("by", causeNames[why]), flow.Arg("points", p.points()),
			flow.Arg("morale", p.moraleOfBoth()))
	}
}
