package train

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/train/ppo"
)

// Archive lets some games begin in positions of others that were played before the run:
// near the end, where the result says much about each decision, and further from it as
// the run goes on. (Go-Exploit: A. Trudeau and M. Bowling, "Targeted search control in
// AlphaZero for effective policy improvement", AAMAS 2023.) The games follow from the
// run's seed, so that a resumed run plays them again.
type Archive struct {
	// Share is the share of the games that begin in the archive, 0 for none. They do not
	// count for the pool's rates.
	Share float64 `yaml:"share"`
	// Games is how many games are played for it.
	Games int `yaml:"games"`
	// Positions is how many decisions of each, spread evenly over it, a game may begin at.
	Positions int `yaml:"positions"`
	// Players are agents without memory, as in the pool; each seat draws one.
	Players []string `yaml:"players"`
	// Reach is how far before its end a game may be entered, as a share of its length;
	// it changes over the run.
	Reach ppo.Schedule `yaml:"reach"`
	// Won keeps only games in which some seat has a positive return, and plays on until
	// there are Games of them: for teams that mostly lose, whose late positions are lost
	// as well and teach nothing.
	Won bool `yaml:"won"`
}

// defaultArchive is of scripted games, and not used.
func defaultArchive() Archive {
	return Archive{Games: 200, Positions: 16, Players: []string{"scripted"}, Reach: ppo.Schedule{Start: 0.2, End: 1}}
}

// validate reports all faults together.
func (a Archive) validate(g engine.Game) error {
	var faults []error
	share := func(name string, x, least float64) {
		if !(x >= least && x <= 1) {
			faults = append(faults, fmt.Errorf("archive.%s is %v, it must be from %v to 1", name, x, least))
		}
	}
	share("share", a.Share, 0)
	faults = append(faults, a.Reach.Validate("archive.reach", 1))
	const many = 1 << 20
	for name, n := range map[string]int{"games": a.Games, "positions": a.Positions} {
		if n < 1 || n > many {
			faults = append(faults, fmt.Errorf("archive.%s is %d, it must be from 1 to %d", name, n, many))
		}
	}
	if a.Share == 0 {
		return errors.Join(faults...)
	}
	if len(a.Players) == 0 {
		faults = append(faults, errors.New("archive.players is empty; name an agent, such as scripted"))
	}
	for _, name := range a.Players {
		if _, err := roster.Policies(g, name); err != nil {
			faults = append(faults, fmt.Errorf("archive.players: %w", err))
		}
	}
	return errors.Join(faults...)
}

// archive is the positions of the games, those nearest to their game's end first.
type archive struct {
	entries []entry
}

// entry is a position in which a game may begin.
type entry struct {
	left     float64 // share of its game that was still to come
	position []byte
}

// archiveStream sets the games of the archive apart from those of the run.
const archiveStream = 0x61726368697665

// patience is how many games may be played for each that the archive is to have.
const patience = 50

// newArchive plays the games.
func newArchive(g engine.Game, c Archive, seed uint64) (*archive, error) {
	var players []agents.Policy
	for _, name := range c.Players {
		newPolicy, err := roster.Policies(g, name)
		if err != nil {
			return nil, err
		}
		players = append(players, newPolicy())
	}
	e, err := env.New(g, env.Options{Written: true})
	if err != nil {
		return nil, err
	}
	a := &archive{}
	rng := rand.NewPCG(seed, archiveStream)
	for game, kept := 0, 0; kept < c.Games; game++ {
		if game == patience*c.Games {
			return nil, fmt.Errorf("archive: %s won %d of %d games, archive.won asks for %d", strings.Join(c.Players, ", "), kept, game, c.Games)
		}
		took, err := a.play(e, vec.SlotSeed(seed^archiveStream, game), players, c, rng)
		if err != nil {
			return nil, fmt.Errorf("archive: game %d: %w", game+1, err)
		}
		if took {
			kept++
		}
	}
	slices.SortStableFunc(a.entries, func(x, y entry) int {
		if x.left < y.left {
			return -1
		}
		if x.left > y.left {
			return 1
		}
		return 0
	})
	return a, nil
}

// play plays a game and says whether it belongs in the archive. If so, it adds its
// positions: now that its length is known, the game is played once more.
func (a *archive) play(e *env.Env, seed uint64, players []agents.Policy, c Archive, rng *rand.PCG) (took bool, err error) {
	defer env.Recover(e.Game(), &err)
	seats := make([]agents.Policy, e.Game().Spec().Seats)
	for q := range seats {
		seats[q] = players[engine.Uint32N(rng, uint32(len(players)))]
	}
	var moves []engine.Action
	for e.Reset(seed); !e.Terminated(); {
		p := e.Actor()
		move, err := agents.Choose(seats[p], e.View(p), p, e.Legal(), rng)
		if err != nil {
			return false, fmt.Errorf("archive: seat %d: %w", p, err)
		}
		moves = append(moves, move)
		if err := e.Step(move); err != nil {
			return false, err
		}
	}
	if c.Won && slices.Max(e.Returns()) <= 0 {
		return false, nil
	}
	n, positions := len(moves), c.Positions
	e.Reset(seed)
	for at, next := 0, 0; at < n; at++ {
		if next < positions && at >= next*n/positions {
			position, err := e.State().MarshalJSON()
			if err != nil {
				return false, err
			}
			a.entries = append(a.entries, entry{left: float64(n-at) / float64(n), position: position})
			for next < positions && at >= next*n/positions {
				next++
			}
		}
		if err := e.Step(moves[at]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// draw returns a position of which at most the given share of its game was still to
// come; where none is so late, the latest.
func (a *archive) draw(reach float64, rng *rand.PCG) []byte {
	n := sort.Search(len(a.entries), func(i int) bool { return a.entries[i].left > reach })
	return a.entries[engine.Uint32N(rng, uint32(max(1, n)))].position
}
