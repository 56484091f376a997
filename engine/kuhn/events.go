package kuhn

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

var kinds = flow.NewKinds(flow.Counted("chips", "chip", "chips"), []flow.Kind{
	{Name: "deal", Text: "Seat {seat} is dealt {card}", Veiled: "Seat {seat} is dealt a card"},
	{Name: "move", Text: "Seat {seat}: {}"},
	{Name: "showdown", Text: "Both cards are shown: {cards}"},
	{Name: "game_over", Text: "Seat {winner} wins {chips}"},
})

// Listen implements engine.Narrator.
func (s *State) Listen(tell func(e *engine.Event)) { s.w = flow.NewWitness(kinds, spec.Seats, tell) }

// tellDeal tells of a card that is about to be dealt (R1.1).
func (s *State) tellDeal(card engine.Action) {
	own, seat := uint8(1)<<s.dealt, flow.Arg("seat", int(s.dealt))
	s.w.Some(own, "deal", "R1.1", seat, flow.Arg("card", spec.Outcomes[card]))
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
		s.w.All("showdown", rule, flow.Arg("cards", []string{spec.Outcomes[s.cards[0]-1], spec.Outcomes[s.cards[1]-1]}))
	}
	winner, chips := 0, int(s.Returns(nil)[0])
	if chips < 0 {
		winner, chips = 1, -chips
	}
	s.w.All("game_over", rule, flow.Arg("winner", winner), flow.Arg("chips", chips))
}
