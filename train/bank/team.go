package bank

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	"powderkeg/engine"
	"powderkeg/train/solve"
)

// team is a position of a cooperative game by all states that can come of it, each once. The team
// that it is solved for sees all hands: no team can do better, and one that must guess at cards
// may have to do worse. Two of the few million states that are met share a hash of 64 bits with a
// probability below one in a million.
type team struct {
	g     engine.Game
	start engine.State
	best  map[uint64]float64 // what the best play expects, by the hashes of states that are not the end
	depth []place
}

// place is the memory that the states of one depth share.
type place struct {
	next     engine.State
	legal    []engine.Action
	outcomes []engine.Outcome
	returns  []float32
}

// newTeam goes through all that can come of s, up to so many states.
func newTeam(ctx context.Context, g engine.Game, s engine.State, most int) (*team, error) {
	t := &team{g: g, start: engine.Clone(g, s), best: map[uint64]float64{}}
	_, err := t.value(ctx, t.start, 0, most)
	return t, err
}

func (t *team) size() (deals, states int, digest string) {
	return 1, len(t.best), strconv.FormatUint(t.start.Hash(), 16)
}

func (t *team) solve(context.Context, float64) (value, gap float64, err error) {
	return t.best[t.start.Hash()], 0, nil
}

func (t *team) contested(float64) bool { return true }

// at returns the memory of a depth, valid until that of a greater one is asked for.
func (t *team) at(depth int) *place {
	if depth == len(t.depth) {
		t.depth = append(t.depth, place{next: t.g.New()})
	}
	return &t.depth[depth]
}

// after is the state after a move in s.
func (t *team) after(s engine.State, depth int, a engine.Action) (engine.State, error) {
	next := t.at(depth).next
	next.CopyFrom(s)
	if err := next.Apply(a); err != nil {
		return nil, fmt.Errorf("a possible move is refused: %w", err)
	}
	return next, nil
}

// end is what each seat has at the end.
func (t *team) end(s engine.State, depth int) float64 {
	p := t.at(depth)
	p.returns = s.Returns(p.returns[:0])
	return float64(p.returns[0])
}

// outcomes are those of chance in s.
func (t *team) outcomes(s engine.State, depth int) []engine.Outcome {
	p := t.at(depth)
	p.outcomes = s.(engine.Stochastic).Outcomes(p.outcomes[:0])
	return p.outcomes
}

// legal are the actions in s.
func (t *team) legal(s engine.State, depth int) []engine.Action {
	p := t.at(depth)
	p.legal = s.Legal(p.legal[:0])
	return p.legal
}

// value is what the best play expects in s. No state comes twice in a game.
func (t *team) value(ctx context.Context, s engine.State, depth, most int) (float64, error) {
	actor := s.ToAct()
	if actor == engine.Terminal {
		return t.end(s, depth), nil
	}
	key := s.Hash()
	if v, known := t.best[key]; known {
		return v, nil
	}
	if len(t.best) == most {
		return 0, fmt.Errorf("%w: more than %d states can come of it", solve.ErrTooLarge, most)
	}
	t.best[key] = 0 // counted at once
	if len(t.best)%1024 == 0 && ctx.Err() != nil {
		return 0, ctx.Err()
	}
	follows := func(a engine.Action) (float64, error) {
		next, err := t.after(s, depth, a)
		if err != nil {
			return 0, err
		}
		return t.value(ctx, next, depth+1, most)
	}
	best := 0.0
	if actor == engine.Chance {
		outcomes := t.outcomes(s, depth)
		total := float64(engine.Total(outcomes))
		for _, o := range outcomes {
			v, err := follows(o.Action)
			if err != nil {
				return 0, err
			}
			best += v * float64(o.Weight) / total
		}
	} else {
		for i, a := range t.legal(s, depth) {
			v, err := follows(a)
			if err != nil {
				return 0, err
			}
			if i == 0 || v > best {
				best = v
			}
		}
	}
	t.best[key] = best
	return best, nil
}

// lost tells whose choices give away what: at each of them what the best action is worth more than
// those that the player takes, as often as it comes to that.
func (t *team) lost(p Player, _ float64) ([]float64, error) {
	l := &losses{team: t, player: p, known: map[uint64][]float64{}}
	return l.from(t.start, 0)
}

// losses are those of a player, by seat.
type losses struct {
	*team
	player Player
	known  map[uint64][]float64 // by the hashes of states
}

// from is what each seat loses from s on.
func (l *losses) from(s engine.State, depth int) ([]float64, error) {
	actor := s.ToAct()
	seats := l.g.Spec().Seats
	if actor == engine.Terminal {
		return make([]float64, seats), nil
	}
	key := s.Hash()
	if lost, known := l.known[key]; known {
		return lost, nil
	}
	lost := make([]float64, seats)
	// add adds what follows from a move of that probability, and returns what it is worth.
	add := func(a engine.Action, probability float64) (float64, error) {
		next, err := l.after(s, depth, a)
		if err != nil || probability == 0 {
			return 0, err
		}
		worth := l.worth(next, depth+1)
		follow, err := l.from(next, depth+1)
		for seat, x := range follow {
			lost[seat] += probability * x
		}
		return worth, err
	}
	if actor == engine.Chance {
		outcomes := l.outcomes(s, depth)
		total := float64(engine.Total(outcomes))
		for _, o := range outcomes {
			if _, err := add(o.Action, float64(o.Weight)/total); err != nil {
				return nil, err
			}
		}
	} else {
		legal := l.legal(s, depth)
		odds, err := l.odds(s, actor, legal, key)
		if err != nil {
			return nil, err
		}
		for k, a := range legal {
			worth, err := add(a, odds[k])
			if err != nil {
				return nil, err
			}
			lost[actor] += odds[k] * (l.best[key] - worth)
		}
	}
	l.known[key] = lost
	return lost, nil
}

// worth is what the best play expects in a state that can come.
func (l *losses) worth(s engine.State, depth int) float64 {
	if s.ToAct() == engine.Terminal {
		return l.end(s, depth)
	}
	return l.best[s.Hash()]
}

// odds are those of a seat's choice in s.
func (l *losses) odds(s engine.State, seat engine.Player, legal []engine.Action, key uint64) ([]float64, error) {
	odds := make([]float64, len(legal))
	if len(odds) == 1 {
		odds[0] = 1
		return odds, nil
	}
	view := engine.Look(s, seat)
	if _, shared := view.(engine.State); shared {
		view = engine.Clone(l.g, s) // s is played on
	}
	state := solve.InfoState{Seat: seat, Key: string(binary.LittleEndian.AppendUint64(nil, key)), Legal: legal, View: view}
	if err := l.player.Odds(odds, state); err != nil {
		return nil, err
	}
	return odds, nil
}
