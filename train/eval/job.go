package eval

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/train/job"
)

// Elsewhere says who else plays games.
type Elsewhere struct {
	Hands job.Hands
	// Agents are the contestants as others can make them, in their order: those of a match, the
	// agent of a team, and an agent with who deviates from it, either one for all seats or one for
	// each.
	Agents []Named
}

// Named is an agent as another machine can make it: by its name in the roster, or, with a
// Network, by weights.
type Named struct {
	Roster string `json:"roster,omitempty"`
	// Digest is Roster.Weights of it. A name that stands for a file is looked for on the other
	// machine, which must have the same one.
	Digest string `json:"digest,omitempty"`
	// Policy asks for the agent's policy in place of the agent: a search draws from other seeds as
	// the one and as the other.
	Policy bool `json:"policy,omitempty"`
	// Network plays with Weights, as little-endian float32, at Temperature.
	Network     *network.Config `json:"network,omitempty"`
	Weights     job.Digest      `json:"weights,omitzero"`
	Temperature float64         `json:"temperature,omitempty"`

	data []byte // Weights
}

// Roster makes agents by their names, as package agents/roster does. It is handed over, since
// what that package makes is tested by matches of this one.
type Roster struct {
	// New makes the agent of that name.
	New func(g engine.Game, name string) (agents.Agent, error)
	// Policies makes a maker of its policies.
	Policies func(g engine.Game, name string) (func() agents.Policy, error)
	// Weights is a digest of the weights that it plays by, empty for other agents.
	Weights func(name string) (string, error)
}

// Named is the agent of that name.
func (r Roster) Named(name string) (Named, error) {
	digest, err := r.Weights(name)
	return Named{Roster: name, Digest: digest}, err
}

// NamedPolicy is the policy of the agent of that name.
func (r Roster) NamedPolicy(name string) (Named, error) {
	a, err := r.Named(name)
	a.Policy = true
	return a, err
}

// Ships reports whether every program of this version has the agent.
func (a Named) Ships() bool {
	return a.Network != nil || a.Digest == "" && !strings.HasPrefix(a.Roster, "tabular") || strings.Contains(a.Roster, "zoo:")
}

// NamedNetwork is an agent that plays by a network at a temperature.
func NamedNetwork(net *network.Network, temperature float64) Named {
	c := net.Config()
	data := make([]byte, 0, 4*len(net.Weights()))
	for _, w := range net.Weights() {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(w))
	}
	return Named{Network: &c, Weights: job.DigestOf(data), Temperature: temperature, data: data}
}

// part is what the payload of every job says: where games begin, by whom they are played, and
// the units From to To, not included, that the job is of.
type part struct {
	Game     string          `json:"game"`
	Position json.RawMessage `json:"position,omitempty"` // that games begin in, where it is not the game's own
	Start    uint64          `json:"start"`              // its hash
	Agents   []Named         `json:"agents"`
	From     int             `json:"from"`
	To       int             `json:"to"`
}

// mostJobs bounds the jobs of a list: enough for every machine to have several, few enough
// that nobody makes players more often than it must.
const mostJobs = 128

// errand is a list of consecutive units that are played elsewhere.
type errand struct {
	kind  string
	game  engine.Game
	seed  uint64
	first int
	units int
	// payload makes the payload of a job of its part.
	payload func(part) any
	// take takes the result of the units from to to. It may be called for several jobs at once.
	take func(from, to int, result []byte) error
	// told is told how many units are done, by one goroutine at a time.
	told func(done int)
}

// send has the units of an errand played by the hands.
func (e *Elsewhere) send(ctx context.Context, o errand) error {
	start := o.game.New()
	base := part{Game: o.game.Spec().Text, Start: start.Hash(), Agents: e.Agents}
	if engine.Original(o.game).New().Hash() != base.Start {
		var err error
		if base.Position, err = start.MarshalJSON(); err != nil {
			return err
		}
	}
	blobs := map[job.Digest][]byte{}
	var names []job.Digest
	for _, a := range e.Agents {
		if a.Network != nil && blobs[a.Weights] == nil {
			blobs[a.Weights] = a.data
			names = append(names, a.Weights)
		}
	}
	var jobs []*job.Job
	var spans [][2]int
	count := min(o.units, mostJobs)
	for n := range count {
		own := base
		own.From, own.To = o.first+n*o.units/count, o.first+(n+1)*o.units/count
		payload, err := json.Marshal(o.payload(own))
		if err != nil {
			return err
		}
		jobs = append(jobs, &job.Job{Kind: o.kind, Seed: o.seed, Payload: payload, Blobs: names})
		spans = append(spans, [2]int{own.From, own.To})
	}
	var mu sync.Mutex
	done := 0
	return e.Hands.Do(ctx, jobs, blobs, func(n int, result []byte) error {
		from, to := spans[n][0], spans[n][1]
		if err := o.take(from, to, result); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done += to - from
		o.told(done)
		return nil
	})
}

// agentsFor reports a number of agents that is not that of the contestants.
func (e *Elsewhere) agentsFor(what string, contestants int) error {
	if len(e.Agents) != contestants {
		return fmt.Errorf("eval: %s: %d agents for %d contestants", what, len(e.Agents), contestants)
	}
	return nil
}

// readReturns reads what a job has sent.
func readReturns(dst []float32, data []byte, spec *engine.Spec) error {
	if len(data) != 4*len(dst) {
		return fmt.Errorf("%w: %d bytes, not %d", job.ErrResult, len(data), 4*len(dst))
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if !(dst[i] >= spec.MinReturn && dst[i] <= spec.MaxReturn) { // NaN too
			return fmt.Errorf("%w: a return of %v", job.ErrResult, dst[i])
		}
	}
	return nil
}

// appendReturns appends what readReturns reads.
func appendReturns(dst []byte, returns []float32) []byte {
	for _, r := range returns {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(r))
	}
	return dst
}

// open makes the game of a part and its agents.
func (r Roster) open(p part, fetch func(job.Digest) ([]byte, error)) (engine.Game, []Contestant, error) {
	g, err := env.NewGame(p.Game)
	if err != nil {
		return nil, nil, err
	}
	if len(p.Position) > 0 {
		if g, err = engine.StartAt(g, p.Position); err != nil {
			return nil, nil, err
		}
	}
	if h := g.New().Hash(); h != p.Start {
		return nil, nil, fmt.Errorf("the game begins at position %016x here, at %016x there; is it of the same rules?", h, p.Start)
	}
	var list []Contestant
	for _, a := range p.Agents {
		c, err := r.contestant(a, g, fetch)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, c)
	}
	return g, list, nil
}

// within reports units that a job cannot be of.
func (p part) within(units int) error {
	if p.From < 0 || p.To > units || p.From > p.To {
		return fmt.Errorf("units %d to %d of %d", p.From, p.To, units)
	}
	return nil
}

// contestant makes the agent.
func (r Roster) contestant(a Named, g engine.Game, fetch func(job.Digest) ([]byte, error)) (Contestant, error) {
	if a.Network == nil {
		switch digest, err := r.Weights(a.Roster); {
		case err != nil:
			return Contestant{}, err
		case digest != a.Digest:
			return Contestant{}, fmt.Errorf("the weights of %s are %.12s here, %.12s there", a.Roster, digest, a.Digest)
		}
		if a.Policy {
			policies, err := r.Policies(g, a.Roster)
			if err != nil {
				return Contestant{}, err
			}
			return Contestant{Name: a.Roster, New: func() (agents.Agent, error) { return agents.FromPolicy(policies()), nil }}, nil
		}
		return Contestant{Name: a.Roster, New: func() (agents.Agent, error) { return r.New(g, a.Roster) }}, nil
	}
	data, err := fetch(a.Weights)
	if err != nil {
		return Contestant{}, err
	}
	if err := errors.Join(a.Network.Validate(), learned.CheckTemperature(a.Temperature)); err != nil {
		return Contestant{}, err
	}
	if len(data) != 4*a.Network.NumWeights() || job.DigestOf(data) != a.Weights {
		return Contestant{}, fmt.Errorf("weights %v are not what they are called", a.Weights)
	}
	flat := make([]float32, len(data)/4)
	for i := range flat {
		flat[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	net := network.FromWeights(*a.Network, flat)
	if err := net.Finite(); err != nil {
		return Contestant{}, fmt.Errorf("weights %v: %w", a.Weights, err)
	}
	brain, err := learned.NewBrain(g, net.Frozen())
	if err != nil {
		return Contestant{}, err
	}
	return Contestant{Name: a.Weights.String(), New: func() (agents.Agent, error) { return brain.NewAgent(a.Temperature), nil }}, nil
}
