// Package league keeps the opponents of self-play: frozen earlier versions of
// the learner and named agents. It says who sits where in the games against
// them and keeps the score. All that it does follows from the seed.
package league

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/engine"
)

// Learner stands for the learner among the members.
const Learner = -1

// Member is an opponent. A snapshot has a network.
type Member struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	// Updates is how many updates the network of a snapshot had made.
	Updates int64 `json:"updates,omitempty"`
	// Games counts the duels with the learner, one for each of its seats against each
	// of the member's in a game, and Points what the learner made of them: 1 for
	// gaining more than the member, ½ for as much.
	Games  int64   `json:"games"`
	Points float64 `json:"points"`
	// RecentGames and RecentPoints are the same with the past forgotten bit by bit
	// (Matchmaking.Forget).
	RecentGames  float64 `json:"recent_games"`
	RecentPoints float64 `json:"recent_points"`

	net       *network.Network
	newPolicy func() agents.Policy
	share     float64 // of a named agent
	snapshot  bool
	retired   bool // in games under way at the most
}

// Network returns the network of a snapshot, nil for a named agent. It is never
// written.
func (m *Member) Network() *network.Network { return m.net }

// Snapshot reports whether the member is a frozen learner, Active whether it gets
// new games.
func (m *Member) Snapshot() bool { return m.snapshot }

// Active is described at Snapshot.
func (m *Member) Active() bool { return !m.retired }

// NewPolicy returns a player for one goroutine.
func (m *Member) NewPolicy() agents.Policy { return m.newPolicy() }

// Rate is the rate at which the learner beats the member, a draw counting half,
// in their latest games and one draw that is added: ½ before the first game.
func (m *Member) Rate() float64 { return (m.RecentPoints + 0.5) / (m.RecentGames + 1) }

// Pool is the set of opponents. Snapshot, Promote, Forget and Record are for one
// goroutine, while Seat and Member may be called by many between them.
type Pool struct {
	config  Config
	game    engine.Game
	members []*Member // named ones first, then by age
	next    int       // ID of the next snapshot
	best    int       // ID of the last one that was promoted, none before
}

// none stands for no member.
const none = -1

// New returns a pool with the named agents of the config.
func New(g engine.Game, c Config) (*Pool, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := c.validateFor(g); err != nil {
		return nil, err
	}
	p := &Pool{config: c, game: g, best: none}
	for _, a := range c.Agents {
		newPolicy, err := roster.Policies(g, a.Name)
		if err != nil {
			return nil, fmt.Errorf("league: agents: %w", err)
		}
		p.members = append(p.members, &Member{ID: p.next, Name: a.Name, share: a.Share, newPolicy: newPolicy})
		p.next++
	}
	return p, nil
}

// SnapshotName is the name of the snapshot after so many updates.
func SnapshotName(updates int64) string { return snapshotPrefix + checkpoints.Name(updates) }

const snapshotPrefix = "update "

// IsSnapshot reports whether a member of a pool has the name of a snapshot.
func IsSnapshot(name string) bool { return strings.HasPrefix(name, snapshotPrefix) }

// Snapshot adds a frozen copy of the network, which has made so many updates. Beyond
// the capacity the oldest snapshot retires: it gets no new games.
func (p *Pool) Snapshot(updates int64, net *network.Network) error {
	m, err := p.frozen(Member{ID: p.next, Name: SnapshotName(updates), Updates: updates}, net.Clone())
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

// Promote is Snapshot for a network that is the best from now on.
func (p *Pool) Promote(updates int64, net *network.Network) error {
	id := p.next
	if err := p.Snapshot(updates, net); err != nil {
		return err
	}
	p.best = id
	return nil
}

// Best returns the member that was promoted last, nil before the first. It is the
// newest snapshot where each of them is promoted, and so never retires.
func (p *Pool) Best() *Member { return p.Member(p.best) }

// frozen makes m a snapshot of net, which it keeps.
func (p *Pool) frozen(m Member, net *network.Network) (*Member, error) {
	brain, err := learned.NewBrain(p.game, net.Frozen())
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

// Clone returns a pool that stands as this one does and goes its own way. Both have the
// weights of the snapshots, which do not change.
func (p *Pool) Clone() *Pool {
	c := *p
	c.members = make([]*Member, len(p.members))
	for i, m := range p.members {
		own := *m
		c.members[i] = &own
	}
	return &c
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
// seat, the ID of a member or Learner. The learner holds Config.LearnerSeats of
// them from number turn mod seats on, so that turns that count up give it every
// seat equally often, or from where Config.Rota says. Each other seat is drawn for itself.
func (p *Pool) Seat(seats []int, turn uint64, rng *rand.PCG) {
	n := len(seats)
	first := int(turn % uint64(n))
	if rota := p.config.Rota; len(rota) > 0 {
		first = rota[turn%uint64(len(rota))]
	}
	for s := range seats {
		if (s-first+n)%n < max(1, p.config.LearnerSeats) {
			seats[s] = Learner
		}
	}
	for s := range seats {
		if (s-first+n)%n >= max(1, p.config.LearnerSeats) {
			seats[s] = p.draw(rng)
		}
	}
}

// drawn reports whether the member is drawn by its priority, not by a share.
func (m *Member) drawn() bool { return m.share == 0 && !m.retired }

// draw chooses a member: a named one by its share, or one of the others by
// priority.
func (p *Pool) draw(rng *rand.PCG) int {
	u := engine.Unit(rng)
	for _, m := range p.members {
		if u -= m.share; u < 0 {
			return m.ID
		}
	}
	others, total := 0, 0.0
	for _, m := range p.members {
		if m.drawn() {
			others++
			total += p.config.Matchmaking.weight(m.Rate())
		}
	}
	if others == 0 { // the shares add up to 1 within rounding
		return p.members[len(p.config.Agents)-1].ID
	}
	if p.config.Matchmaking.uniform() || total == 0 { // beaten so surely that float64 has no weight for it
		return p.nth(int(engine.Uint32N(rng, uint32(others))))
	}
	u = engine.Unit(rng) * total
	k := -1
	for _, m := range p.members {
		if m.drawn() {
			k++
			if u -= p.config.Matchmaking.weight(m.Rate()); u < 0 {
				break
			}
		}
	}
	return p.nth(k)
}

// nth returns the ID of member k, from 0, of those that are drawn by priority.
func (p *Pool) nth(k int) int {
	for _, m := range p.members {
		if m.drawn() {
			if k == 0 {
				return m.ID
			}
			k--
		}
	}
	panic("league: a member was lost while drawing")
}

// Record scores a finished game by the returns of its seats: each seat of the
// learner against each of the others.
func (p *Pool) Record(seats []int, returns []float32) {
	for mine, id := range seats {
		if id != Learner {
			continue
		}
		for s, id := range seats {
			if id == Learner {
				continue
			}
			score := 0.0
			switch {
			case returns[mine] > returns[s]:
				score = 1
			case returns[mine] == returns[s]:
				score = 0.5
			}
			p.Member(id).record(score, p.config.Matchmaking.Forget)
		}
	}
}

func (m *Member) record(score, forget float64) {
	m.Games++
	m.Points += score
	m.RecentGames = m.RecentGames*(1-forget) + 1
	m.RecentPoints = m.RecentPoints*(1-forget) + score
}
