package eval

import (
	"context"
	"encoding/binary"
	"encoding/json"
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

// MatchKind is the kind of jobs that play some units of a match (DoMatch).
const MatchKind = "match"

// Elsewhere says who else plays a match.
type Elsewhere struct {
	Hands job.Hands
	// Agents are the contestants as others can make them, in their order.
	Agents []Named
}

// Named is an agent as another machine can make it: by its name in the roster, or, with a
// Network, by weights.
type Named struct {
	Roster string `json:"roster,omitempty"`
	// Digest is Roster.Weights of it. A name that stands for a file is looked for on the other
	// machine, which must have the same one.
	Digest string `json:"digest,omitempty"`
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
	// Weights is a digest of the weights that it plays by, empty for other agents.
	Weights func(name string) (string, error)
}

// Named is the agent of that name.
func (r Roster) Named(name string) (Named, error) {
	digest, err := r.Weights(name)
	return Named{Roster: name, Digest: digest}, err
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

// matchPayload is the JSON of a job: the units From to To, not included, of a match.
type matchPayload struct {
	Game     string          `json:"game"`
	Position json.RawMessage `json:"position,omitempty"` // that games begin in, where it is not the game's own
	Start    uint64          `json:"start"`              // its hash
	Agents   []Named         `json:"agents"`
	Solo     bool            `json:"solo,omitempty"`
	Games    int             `json:"games"`
	From     int             `json:"from"`
	To       int             `json:"to"`
}

// matchJobs bounds the jobs of a match: enough for every machine to have several, few enough
// that nobody makes players more often than it must.
const matchJobs = 128

// playElsewhere has the games of a plan played by the hands.
func (c Config) playElsewhere(ctx context.Context, p plan, returns []float32) error {
	start := c.Game.New()
	base := matchPayload{Game: c.Game.Spec().Text, Solo: c.Solo, Games: c.Games, Start: start.Hash()}
	if engine.Original(c.Game).New().Hash() != base.Start {
		var err error
		if base.Position, err = start.MarshalJSON(); err != nil {
			return err
		}
	}
	blobs := map[job.Digest][]byte{}
	var names []job.Digest
	base.Agents = c.Elsewhere.Agents
	if len(base.Agents) != len(c.Contestants) {
		return fmt.Errorf("eval: match: %d agents for %d contestants", len(base.Agents), len(c.Contestants))
	}
	for _, a := range base.Agents {
		if a.Network != nil && blobs[a.Weights] == nil {
			blobs[a.Weights] = a.data
			names = append(names, a.Weights)
		}
	}
	var jobs []*job.Job
	var spans [][2]int
	count := min(p.units, matchJobs)
	for n := range count {
		own := base
		own.From, own.To = n*p.units/count, (n+1)*p.units/count
		payload, err := json.Marshal(own)
		if err != nil {
			return err
		}
		jobs = append(jobs, &job.Job{Kind: MatchKind, Seed: c.Seed, Payload: payload, Blobs: names})
		spans = append(spans, [2]int{own.From, own.To})
	}
	size := p.seats * p.seats
	var mu sync.Mutex
	done := 0
	return c.Elsewhere.Hands.Do(ctx, jobs, blobs, func(n int, result []byte) error {
		from, to := spans[n][0], spans[n][1]
		if err := readReturns(returns[from*size:to*size], result, c.Game.Spec()); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done += (to - from) * p.seats
		if c.Progress != nil {
			c.Progress(done, p.games())
		}
		return nil
	})
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

// DoMatch returns what plays the units of a job of MatchKind, with the agents of a roster.
func DoMatch(r Roster) job.Do {
	return func(ctx context.Context, j *job.Job, fetch func(job.Digest) ([]byte, error)) ([]byte, error) {
		return r.play(ctx, j, fetch)
	}
}

// play plays the units of a job.
func (r Roster) play(ctx context.Context, j *job.Job, fetch func(job.Digest) ([]byte, error)) ([]byte, error) {
	var m matchPayload
	if err := json.Unmarshal(j.Payload, &m); err != nil {
		return nil, err
	}
	g, err := env.NewGame(m.Game)
	if err != nil {
		return nil, err
	}
	if len(m.Position) > 0 {
		if g, err = engine.StartAt(g, m.Position); err != nil {
			return nil, err
		}
	}
	if h := g.New().Hash(); h != m.Start {
		return nil, fmt.Errorf("the game begins at position %016x here, at %016x there; is it of the same rules?", h, m.Start)
	}
	c := Config{Game: g, Solo: m.Solo, Games: m.Games, Seed: j.Seed}
	for _, a := range m.Agents {
		k, err := r.contestant(a, g, fetch)
		if err != nil {
			return nil, err
		}
		c.Contestants = append(c.Contestants, k)
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := newPlan(len(c.Contestants), g.Spec().Seats, c.Games, c.Solo)
	if m.From < 0 || m.To > p.units || m.From > m.To {
		return nil, fmt.Errorf("units %d to %d of %d", m.From, m.To, p.units)
	}
	w, size := newWorker(c, p), p.seats*p.seats
	returns := make([]float32, (m.To-m.From)*size)
	for u := m.From; u < m.To; u++ {
		if err := w.unit(ctx, u, returns[(u-m.From)*size:(u-m.From+1)*size]); err != nil {
			return nil, err
		}
	}
	result := make([]byte, 0, 4*len(returns))
	for _, r := range returns {
		result = binary.LittleEndian.AppendUint32(result, math.Float32bits(r))
	}
	return result, nil
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
		return Contestant{Name: a.Roster, New: func() (agents.Agent, error) { return r.New(g, a.Roster) }}, nil
	}
	data, err := fetch(a.Weights)
	if err != nil {
		return Contestant{}, err
	}
	if err := a.Network.Validate(); err != nil {
		return Contestant{}, err
	}
	if len(data) != 4*a.Network.NumWeights() || job.DigestOf(data) != a.Weights {
		return Contestant{}, fmt.Errorf("weights %v are not what they are called", a.Weights)
	}
	flat := make([]float32, len(data)/4)
	for i := range flat {
		flat[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	brain, err := learned.NewBrain(g, network.FromWeights(*a.Network, flat).Frozen())
	if err != nil {
		return Contestant{}, err
	}
	return Contestant{Name: a.Weights.String(), New: func() (agents.Agent, error) { return brain.NewAgent(a.Temperature), nil }}, nil
}
