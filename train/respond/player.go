package respond

import (
	"context"
	"fmt"
	"path/filepath"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/train/eval"
)

// Candidate is a player that may be the response, with what it gains in the games by which
// one is chosen.
type Candidate struct {
	Way Way `json:"way"`
	// Updates and Decisions are how far its training had come, 0 of a search.
	Updates   int64 `json:"updates,omitempty"`
	Decisions int64 `json:"decisions,omitempty"`
	// Player is the checkpoint, as a path below the folder, which plays its most probable
	// action; of a search the agent string.
	Player string `json:"player"`
	*eval.DeviationResult
}

// name is short and unlike that of any other candidate of the run.
func (c Candidate) name() string {
	if c.Way == Search {
		return string(Search)
	}
	return fmt.Sprintf("%s-%09d", c.Way, c.Updates)
}

// player makes the candidate a contestant. A best response needs no mixing: some pure policy
// is one, so a network plays its most probable action.
func (f *folder) player(c Candidate) (eval.Contestant, error) {
	if c.Way == Search {
		return eval.Contestant{Name: c.Player, New: func() (agents.Agent, error) { return roster.New(f.game, c.Player) }}, nil
	}
	brain, err := learned.Open(f.game, filepath.Join(f.dir, filepath.FromSlash(c.Player)))
	if err != nil {
		return eval.Contestant{}, err
	}
	return eval.Contestant{Name: c.name(), New: func() (agents.Agent, error) { return brain.NewAgent(0), nil }}, nil
}

// seated is a contestant that plays on each seat by another one.
func seated(players []eval.Contestant) eval.Contestant {
	return eval.Contestant{Name: "response", New: func() (agents.Agent, error) {
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
