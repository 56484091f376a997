package league

import (
	"errors"
	"fmt"
	"math"

	"powderkeg/engine"
)

// Named is an agent in the pool.
type Named struct {
	// Name is that of an agent without memory (roster.Policies), such as random,
	// scripted, mcts(sims=50), checkpoint:PATH or zoo:NAME, so that a run can be
	// resumed in the middle of a game.
	Name string `yaml:"name" json:"name"`
	// Share is the share of the pool's seats that it takes; with 0 it is drawn like a
	// snapshot.
	Share float64 `yaml:"share" json:"share"`
}

// Priority says by what an opponent is drawn. x is the rate at which the learner
// beats it, as measured in their latest games.
type Priority string

// The priorities. Hard and Variance are the weights of prioritised fictitious
// self-play (O. Vinyals and others, "Grandmaster level in StarCraft II using
// multi-agent reinforcement learning", Nature 575, 2019, "Prioritized fictitious
// self-play").
const (
	// Uniform draws all alike.
	Uniform Priority = "uniform"
	// Hard draws by (1-x)^power: those that are not beaten yet.
	Hard Priority = "hard"
	// Variance draws by x(1-x): those of about the learner's own strength.
	Variance Priority = "variance"
)

// Matchmaking says which of the opponents without a share of their own play.
type Matchmaking struct {
	// Priority is uniform, hard or variance; empty means uniform.
	Priority Priority `yaml:"priority" json:"priority"`
	// Power is the exponent of hard, 2 in the paper.
	Power float64 `yaml:"power" json:"power"`
	// Forget is the share of the past that each game with an opponent makes forgotten
	// in the rate against it: 0.01 is a memory of about 100 games, 0 one of all.
	Forget float64 `yaml:"forget" json:"forget"`
}

func (m Matchmaking) uniform() bool { return m.Priority == Uniform || m.Priority == "" }

// weight is how much an opponent that is beaten at the rate x counts in the draw.
func (m Matchmaking) weight(x float64) float64 {
	switch m.Priority {
	case Hard:
		return math.Pow(1-x, m.Power)
	case Variance:
		return x * (1 - x)
	}
	return 1
}

// Gate lets a snapshot into the pool only if it is better than the last one that
// was let in, the best.
type Gate struct {
	// Games is how many games a candidate plays against the best, 0 for no gate.
	Games int `yaml:"games" json:"games"`
	// Above is what the lower end of the 95% interval of its score must exceed; 0.5
	// demands that it is better, with the risk of an error of 2.5%.
	Above float64 `yaml:"above" json:"above"`
}

// Config sets up the pool.
type Config struct {
	// Share is the share of the environments that play against the pool; in the
	// others the learner holds every seat. 0 is pure self-play.
	Share float64 `yaml:"share" json:"share"`
	// LearnerSeats is how many seats, one next to the other, the learner holds in
	// those; 0 means 1. Each other seat draws an opponent for itself.
	LearnerSeats int `yaml:"learner_seats" json:"learner_seats"`
	// Rota says in which seat the learner's begin in one game against the pool after
	// another, over and over: [0, 1, 1, 1] is for a game whose second side has more to
	// learn. Empty is every seat in turn.
	Rota []int `yaml:"rota" json:"rota"`
	// Paired makes the games of an environment against the pool come in rounds of as many
	// as there are seats: the opponents stay, everybody moves on by a seat from game to
	// game, and all begin in the same position and draw from the same chance. So the luck
	// of a seat or of a deal falls on both sides, until the games' decisions differ and
	// their draws with them.
	Paired bool `yaml:"paired" json:"paired"`
	// SnapshotEvery adds the learner to the pool after so many updates, 0 for never.
	// The untrained network is its first member then.
	SnapshotEvery int `yaml:"snapshot_every" json:"snapshot_every"`
	// Capacity is how many snapshots the pool holds; the oldest leaves first.
	Capacity int `yaml:"capacity" json:"capacity"`
	// Agents are the named ones. What their shares leave of 1 goes to the snapshots
	// and to those without a share, as Matchmaking says.
	Agents      []Named     `yaml:"agents" json:"agents"`
	Matchmaking Matchmaking `yaml:"matchmaking" json:"matchmaking"`
	Gate        Gate        `yaml:"gate" json:"gate"`
}

// Default returns a pool of ten snapshots for a quarter of the environments, all
// drawn alike and let in without a test.
func Default() Config {
	return Config{
		Share: 0.25, LearnerSeats: 1, SnapshotEvery: 10, Capacity: 10,
		Matchmaking: Matchmaking{Priority: Uniform, Power: 2, Forget: 0.01}, Gate: Gate{Above: 0.5},
	}
}

// Validate reports all faults together.
func (c Config) Validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf("league: "+format, args...)) }
	if !(c.Share >= 0 && c.Share <= 1) {
		fault("share is %v, it must be from 0 to 1", c.Share)
	}
	count := func(name string, n, least int) {
		if n < least || n > mostCount {
			fault("%s is %d, it must be from %d to %d", name, n, least, mostCount)
		}
	}
	count("learner_seats", c.LearnerSeats, 0)
	if len(c.Rota) > 0 && c.Paired {
		fault("rota is %v, but in paired games the learner has every seat in turn; it must be empty", c.Rota)
	}
	count("snapshot_every", c.SnapshotEvery, 0)
	if count("capacity", c.Capacity, 0); c.SnapshotEvery > 0 && c.Capacity == 0 {
		fault("capacity is 0, it must be at least 1 where snapshots are taken")
	}
	sum, drawn := 0.0, c.SnapshotEvery > 0
	for i, a := range c.Agents {
		if !(a.Share >= 0 && a.Share <= 1) {
			fault("agents[%d]: share of %s is %v, it must be from 0 to 1", i, a.Name, a.Share)
		}
		sum += a.Share
		drawn = drawn || a.Share == 0
	}
	if sum > 1+rounding {
		fault("the shares of the agents add up to %v, the most is 1", sum)
	}
	if c.Share > 0 && !drawn && sum < 1-rounding {
		fault("without snapshots the shares of the agents must add up to 1, they are %v", sum)
	}
	switch m := c.Matchmaking; {
	case !m.uniform() && m.Priority != Hard && m.Priority != Variance:
		fault("matchmaking.priority is %q, it must be %s, %s or %s", m.Priority, Uniform, Hard, Variance)
	case !(m.Power >= 0 && m.Power <= 100):
		fault("matchmaking.power is %v, it must be from 0 to 100", m.Power)
	case !(m.Forget >= 0 && m.Forget < 1):
		fault("matchmaking.forget is %v, it must be at least 0 and below 1", m.Forget)
	}
	count("gate.games", c.Gate.Games, 0)
	if c.Gate.Games > 0 {
		if c.SnapshotEvery == 0 {
			fault("gate.games is %d, but without snapshots nothing comes to the gate; set snapshot_every", c.Gate.Games)
		}
		if !(c.Gate.Above >= 0 && c.Gate.Above < 1) {
			fault("gate.above is %v, it must be at least 0 and below 1", c.Gate.Above)
		}
	}
	return errors.Join(faults...)
}

// mostCount bounds updates, seats, snapshots and games; what fits into memory is another matter
// (train.Config.CheckMemory).
const mostCount = 1 << 30

// rounding is how far shares may be from 1 in sum.
const rounding = 1e-9

// validateFor reports what Validate cannot know without the game.
func (c Config) validateFor(g engine.Game) error {
	spec := g.Spec()
	if most := max(1, spec.Seats-1); c.LearnerSeats > most {
		return fmt.Errorf("league: learner_seats is %d, the most in %s is %d", c.LearnerSeats, spec.Text, most)
	}
	for _, seat := range c.Rota {
		if seat < 0 || seat >= spec.Seats {
			return fmt.Errorf("league: rota has seat %d, those of %s are 0 to %d", seat, spec.Text, spec.Seats-1)
		}
	}
	if c.Gate.Games > 0 && spec.Payoff == engine.Cooperative {
		return fmt.Errorf("league: gate.games is %d, but nobody is ahead of another in %s, whose seats all gain the same; it must be 0", c.Gate.Games,
			spec.Text)
	}
	return nil
}
