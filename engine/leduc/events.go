package leduc

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

var kinds = flow.NewKinds(flow.Counted("chips", "chip", "chips"), []flow.Kind{
	{Name: "deal", Text: "Seat {seat} is dealt {card}", Veiled: "Seat {seat} is dealt a card"},
	{Name: "public_card", Text: "{card} is turned up"},
	{Name: "move", Text: "Seat {seat}: {}"},
	{Name: "showdown", Text: "Both cards are shown: {cards}"},
	{Name: "game_over", Text: "Seat {winner} wins {chips}"},
	{Name: "draw", Text: "The ranks are equal, and the pot is shared"},
})

// Listen implements engine.Narrator.
func (s *State) Listen(tell func(e *engine.Event)) { s.w = flow.NewWitness(kinds, spec.Seats, tell) }

// tellDeal tells of a card that is about to be dealt (R1.1) or turned up (R2.5).
func (s *State) tellDeal(card engine.Action) {
	name := flow.Arg("card", cardNames[card])
	if s.dealt == 2 {
		s.w.All("public_card", "R2.5", name)
		return
	}
	own, seat := uint8(1)<<s.dealt, flow.Arg("seat", int(s.dealt))
	s.w.Some(own, "deal", "R1.1", seat, name)
	s.w.Others(own, "deal", "R1.1", seat)
}

// tellMove tells of an action that is about to be carried out (R2.1).
func (s *State) tellMove(a engine.Action) {
	s.w.All("move", "R2.1", flow.Arg("seat", int(s.ToAct())), flow.Arg("action", spec.Actions[a]), flow.Said(s.Describe(a)))
}

// tellEnd tells how the game has ended (R3.1, R3.2).
func (s *State) tellEnd() {
	rule := "R3.1"
	if s.showdown() {
		rule = "R3.2"
		s.w.All("showdown", rule, flow.Arg("cards", []string{name(s.cards[0]), name(s.cards[1])}))
	}
	winner, chips := 0, int(s.Returns(nil)[0])
	switch {
	case chips == 0:
		s.w.All("draw", rule)
		return
	case chips < 0:
		winner, chips = 1, -chips
	}
	s.w.All("game_over", rule, flow.Arg("winner", winner), flow.Arg("chips", chips))
}
