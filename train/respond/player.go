package respond

import (
	"fmt"
	"path/filepath"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
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
	brain, err := f.open(c)
	if err != nil {
		return eval.Contestant{}, err
	}
	return eval.Contestant{Name: c.name(), New: func() (agents.Agent, error) { return brain.NewAgent(0), nil }}, nil
}

// open reads the network of a candidate.
func (f *folder) open(c Candidate) (*learned.Brain, error) {
	return learned.Open(f.game, filepath.Join(f.dir, filepath.FromSlash(c.Player)))
}
