package league

import (
	"fmt"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
)

// State is the pool at rest, without the weights. Its JSON form goes into
// checkpoints.
type State struct {
	Members []MemberState `json:"members"`
	Next    int           `json:"next"`
	// Best is the ID of the best member, absent without one.
	Best *int `json:"best,omitempty"`
}

// MemberState is a member at rest.
type MemberState struct {
	Member
	Snapshot bool `json:"snapshot,omitempty"`
	Retired  bool `json:"retired,omitempty"`
}

// State returns the state of the pool and the weights of its snapshots.
func (p *Pool) State() (State, []checkpoints.Tensor) {
	s := State{Members: []MemberState{}, Next: p.next}
	if p.best != none {
		best := p.best
		s.Best = &best
	}
	var weights []checkpoints.Tensor
	for _, m := range p.members {
		s.Members = append(s.Members, MemberState{Member: *m, Snapshot: m.snapshot, Retired: m.retired})
		if m.snapshot {
			w := m.net.Weights()
			weights = append(weights, checkpoints.Float32s(tensorName(m.ID), w, len(w)))
		}
	}
	return s, weights
}

func tensorName(id int) string { return fmt.Sprintf("member.%d", id) }

// Stored finds the networks of snapshots in the weights that State has returned, for
// Restore; they have the given architecture.
func Stored(weights []checkpoints.Tensor, c network.Config) func(id int) (*network.Network, error) {
	return func(id int) (*network.Network, error) {
		t, err := checkpoints.Find(weights, tensorName(id))
		if err != nil {
			return nil, err
		}
		flat := make([]float32, c.NumWeights())
		if err := t.Float32s(flat, len(flat)); err != nil {
			return nil, err
		}
		return network.FromWeights(c, flat), nil
	}
}

// Restore sets a fresh pool to a state of one with the same config. It asks for the
// snapshots in their order and keeps them; nobody may write them any more.
func (p *Pool) Restore(s State, snapshot func(id int) (*network.Network, error)) error {
	named := len(p.members)
	for i, saved := range s.Members {
		if !saved.Snapshot {
			if i >= named || p.members[i].Name != saved.Name || p.members[i].ID != saved.ID {
				return fmt.Errorf("%w: its pool has %q as agent %d, the config has %s", checkpoints.ErrMismatch, saved.Name, i, p.names(named))
			}
			m := p.members[i]
			m.Games, m.Points, m.RecentGames, m.RecentPoints = saved.Games, saved.Points, saved.RecentGames, saved.RecentPoints
			continue
		}
		net, err := snapshot(saved.ID)
		if err != nil {
			return err
		}
		m, err := p.frozen(saved.Member, net)
		if err != nil {
			return err
		}
		m.retired = saved.Retired
		p.members = append(p.members, m)
	}
	p.next = s.Next
	if s.Best != nil {
		if m := p.Member(*s.Best); m == nil || !m.snapshot {
			return fmt.Errorf("%w: its best member, %d, is no snapshot of the pool", checkpoints.ErrCorrupt, *s.Best)
		}
		p.best = *s.Best
	}
	return nil
}

func (p *Pool) names(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = p.members[i].Name
	}
	return "[" + strings.Join(list, ", ") + "]"
}
