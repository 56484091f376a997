package tictactoe

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

var kinds = flow.NewKinds(nil, []flow.Kind{
	{Name: "move", Text: "Seat {seat}: {}"},
	{Name: "game_over", Text: "Seat {winner} wins with three in a row"},
	{Name: "draw", Text: "The board is full, and the game is drawn"},
})

// Listen implements engine.Narrator.
func (s *State) Listen(tell func(e *engine.Event)) { s.w = flow.NewWitness(kinds, spec.Seats, tell) }

// tellMove tells of an action that is about to be carried out (R2.1).
func (s *State) tellMove(a engine.Action) {
	s.w.All("move", "R2.1", flow.Arg("seat", int(s.ToAct())), flow.Arg("action", spec.Actions[a]), flow.Said(s.Describe(a)))
}

// tellEnd tells how the game has ended (R3.1, R3.2).
func (s *State) tellEnd() {
	switch first := s.Returns(nil)[0]; {
	case first > 0:
		s.w.All("game_over", "R3.1", flow.Arg("winner", 0))
	case first < 0:
		s.w.All("game_over", "R3.1", flow.Arg("winner", 1))
	default:
		s.w.All("draw", "R3.2")
	}
}
