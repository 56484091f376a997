// Package league keeps the opponents of self-play: frozen earlier versions of
// the learner and named agents. It says who sits where in the games against
// them and keeps the score. All that it does follows from the seed.
package league

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/train/nn"
)

// Named is an agent in the pool.
type Named struct {
	// Name is random, scripted, checkpoint:PATH or zoo:NAME: agents that keep no
	// memory, so that a run can be resumed in the middle of a game.
	Name string `yaml:"name" json:"name"`
	// Share is the share of the pool's seats that it takes.
	Share float64 `yaml:"share" json:"share"`
}

// Config sets up the pool.
type Config struct {
	// Share is the share of the environments that play against the pool; in the
	// others the learner holds every seat. 0 is pure self-play.
	Share float64 `yaml:"share" json:"share"`
	// SnapshotEvery adds the learner to the pool after so many updates, 0 for never.
	// The untrained network is its first member then.
	SnapshotEvery int `yaml:"snapshot_every" json:"snapshot_every"`
	// Capacity is how many snapshots the pool holds; the oldest leaves first.
	Capacity int `yaml:"capacity" json:"capacity"`
	// Agents are the named ones. What their shares leave of 1 goes to the snapshots,
	// each as much as any other.
	Agents []Named `yaml:"agents" json:"agents"`
}

// Default returns a pool of ten snapshots for a quarter of the environments.
func Default() Config { return Config{Share: 0.25, SnapshotEvery: 10, Capacity: 10} }

// Validate reports all faults together.
func (c Config) Validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf("league: "+format, args...)) }
	if !(c.Share >= 0 && c.Share <= 1) {
		fault("share is %v, it must be from 0 to 1", c.Share)
	}
	if c.SnapshotEvery < 0 {
		fault("snapshot_every is %d, it must not be negative", c.SnapshotEvery)
	}
	if c.SnapshotEvery > 0 && c.Capacity < 1 {
		fault("capacity is %d, it must be at least 1 where snapshots are taken", c.Capacity)
	}
	sum := 0.0
	for i, a := range c.Agents {
		if !(a.Share > 0 && a.Share <= 1) {
			fault("agents[%d]: share of %s is %v, it must be above 0 and at most 1", i, a.Name, a.Share)
		}
		sum += a.Share
	}
	if sum > 1+1e-9 {
		fault("the shares of the agents add up to %v, the most is 1", sum)
	}
	if c.Share > 0 && c.SnapshotEvery == 0 && sum < 1-1e-9 {
		fault("without snapshots the shares of the agents must add up to 1, they are %v", sum)
	}
	return errors.Join(faults...)
}

// Learner stands for the learner among the members.
const Learner = -1

// Member is an opponent. A snapshot has a network, a named agent may have none.
type Member struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	// Games counts the games with the learner, Points what the learner made of them:
	// 1 for ending ahead of the member, ½ for ending level.
	Games  int64   `json:"games"`
	Points float64 `json:"points"`

	net       *nn.Network
	newPolicy func() agents.Policy
	snapshot  bool
	retired   bool // in games under way at the most
}

// Network returns the member's network, nil for an agent without one. It is
// never written.
func (m *Member) Network() *nn.Network { return m.net }

// NewPolicy returns a player for one goroutine.
func (m *Member) NewPolicy() agents.Policy { return m.newPolicy() }

// Pool is the set of opponents. Add, Retire and Record are for one goroutine,
// while Seat and Member may be called by many between them.
type Pool struct {
	config  Config
	game    engine.Game
	members []*Member // named ones first, then by age
	next    int       // ID of the next snapshot
}

// New returns a pool with the named agents of the config.
func New(g engine.Game, c Config) (*Pool, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	p := &Pool{config: c, game: g}
	for _, a := range c.Agents {
		m := &Member{ID: p.next, Name: a.Name}
		if err := m.open(g); err != nil {
			return nil, fmt.Errorf("league: %w", err)
		}
		p.members = append(p.members, m)
		p.next++
	}
	return p, nil
}

// open makes the player of a named member.
func (m *Member) open(g engine.Game) error {
	switch ref, isPath := strings.CutPrefix(m.Name, "checkpoint:"); {
	case m.Name == "random":
		m.newPolicy = func() agents.Policy { return random.Policy{} }
	case m.Name == "scripted":
		if _, err := scripted.New(g); err != nil {
			return err
		}
		m.newPolicy = func() agents.Policy {
			p, err := scripted.New(g)
			if err != nil {
				panic(err) // it could be made before
			}
			return p
		}
	case isPath, strings.HasPrefix(m.Name, "zoo:"):
		brain, err := learned.Open(g, ref)
		if err != nil {
			return err
		}
		m.net = brain.Network()
		m.newPolicy = func() agents.Policy { return brain.NewPolicy(1) }
	default:
		return fmt.Errorf("agent %q cannot be in the pool; it takes random, scripted, checkpoint:PATH, zoo:NAME", m.Name)
	}
	return nil
}

// Snapshot adds a frozen copy of the network under the given name. Beyond the
// capacity the oldest snapshot retires: it gets no new games.
func (p *Pool) Snapshot(name string, net *nn.Network) error {
	m, err := p.frozen(Member{ID: p.next, Name: name}, net.Clone())
	if err != nil {
		return err
	}
	p.next++
	p.members = append(p.members, m)
	if active := p.active(); len(active) > p.config.Capacity {
		active[0].retired = true
	}
	return nil
}

// frozen makes m a snapshot of net, which it keeps.
func (p *Pool) frozen(m Member, net *nn.Network) (*Member, error) {
	brain, err := learned.NewBrain(p.game, net)
	if err != nil {
		return nil, err
	}
	m.net, m.snapshot = net, true
	m.newPolicy = func() agents.Policy { return brain.NewPolicy(1) }
	return &m, nil
}

// active lists the snapshots that get games, the oldest first.
func (p *Pool) active() []*Member {
	var list []*Member
	for _, m := range p.members {
		if m.snapshot && !m.retired {
			list = append(list, m)
		}
	}
	return list
}

// Forget drops the retired members that inUse does not name by their IDs.
func (p *Pool) Forget(inUse map[int]bool) {
	kept := p.members[:0]
	for _, m := range p.members {
		if !m.retired || inUse[m.ID] {
			kept = append(kept, m)
		}
	}
	clear(p.members[len(kept):])
	p.members = kept
}

// Members lists the members, retired ones too. The caller must not change it.
func (p *Pool) Members() []*Member { return p.members }

// Member returns the member with the ID, nil if there is none.
func (p *Pool) Member(id int) *Member {
	for _, m := range p.members {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// Seat writes who sits where in a game against the pool to seats, one entry a
// seat, the ID of a member or Learner. The learner holds one seat, that of
// number turn mod seats, so that turns that count up give it every seat equally
// often. Each other seat is drawn for itself.
func (p *Pool) Seat(seats []int, turn uint64, rng *rand.PCG) {
	mine := int(turn % uint64(len(seats)))
	for s := range seats {
		if s == mine {
			seats[s] = Learner
		} else {
			seats[s] = p.draw(rng)
		}
	}
}

// draw chooses a member by the shares.
func (p *Pool) draw(rng *rand.PCG) int {
	u := float64(rng.Uint64()>>11) / (1 << 53)
	for i, a := range p.config.Agents {
		if u -= a.Share; u < 0 {
			return p.members[i].ID
		}
	}
	snapshots := 0
	for _, m := range p.members {
		if m.snapshot && !m.retired {
			snapshots++
		}
	}
	if snapshots == 0 { // the shares add up to 1 within rounding
		return p.members[len(p.config.Agents)-1].ID
	}
	k := engine.Uint32N(rng, uint32(snapshots))
	for _, m := range p.members {
		if m.snapshot && !m.retired {
			if k == 0 {
				return m.ID
			}
			k--
		}
	}
	panic("league: a snapshot was lost while drawing")
}

// Record scores a finished game by the returns of its seats.
func (p *Pool) Record(seats []int, returns []float32) {
	mine := 0
	for s, id := range seats {
		if id == Learner {
			mine = s
		}
	}
	for s, id := range seats {
		if id == Learner {
			continue
		}
		m := p.Member(id)
		m.Games++
		switch {
		case returns[mine] > returns[s]:
			m.Points++
		case returns[mine] == returns[s]:
			m.Points += 0.5
		}
	}
}
