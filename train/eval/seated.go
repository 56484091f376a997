package eval

import (
	"context"

	"powderkeg/agents"
	"powderkeg/engine"
)

// BySeat is a contestant that plays each seat by another one, in the order of the seats. One
// alone plays all of them.
func BySeat(players []Contestant) Contestant {
	if len(players) == 1 {
		return players[0]
	}
	return Contestant{Name: "response", New: func() (agents.Agent, error) {
		var s bySeat
		for _, p := range players {
			a, err := p.New()
			if err != nil {
				return nil, err
			}
			s.players = append(s.players, a)
		}
		return &s, nil
	}}
}

// bySeat is an agent for each seat.
type bySeat struct {
	players []agents.Agent
	seat    engine.Player
}

// Start implements agents.Agent.
func (s *bySeat) Start(seat engine.Player, seed uint64) {
	s.seat = seat
	s.players[seat].Start(seat, seed)
}

// Act implements agents.Agent.
func (s *bySeat) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	return s.players[s.seat].Act(ctx, view, legal)
}
