package bank

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/train/eval"
	"powderkeg/train/solve"
)

// Options say how a score is worked out.
type Options struct {
	// Workers is how many positions are judged at a time, 0 for one. The score does not depend on
	// it.
	Workers int
	// Progress, if not nil, is called after every position, by one goroutine at a time.
	Progress func(done, total int)
}

// Score is what an agent loses in the positions of a bank.
type Score struct {
	Game string `json:"game"`
	// Agent is who was judged, Weights the digest of its weights, both as the caller gives them.
	Agent   string `json:"agent"`
	Weights string `json:"weights,omitempty"`
	// Asks is how often it was asked in each information state if it tells no odds.
	Asks int `json:"asks,omitempty"`
	// Bank is the digest of the bank (Bank.Digest).
	Bank      string `json:"bank"`
	Positions int    `json:"positions"`
	// Lost is what is lost over all seats, the mean of the positions in units of the largest return;
	// in a zero-sum game of two seats that is NashConv. Seats is what each seat loses.
	Lost  eval.Estimate   `json:"lost"`
	Seats []eval.Estimate `json:"seats"`
	// Uniform is what uniformly random play loses.
	Uniform eval.Estimate `json:"uniform"`
	// Held is the share of the positions in which the agent loses no more than a hundredth.
	Held float64 `json:"held"`
	// Each is what is lost over all seats in each position.
	Each []float64 `json:"each"`
}

// held is the most that an agent loses, in units of the largest return, where it holds a position.
const held = 0.01

// Score judges an agent, of which players makes one for each worker. Errors of a
// bank whose positions are not what they were wrap option.ErrUsage.
func (b *Bank) Score(ctx context.Context, g engine.Game, players func() (Player, error), o Options) (*Score, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	lost := make([][]float64, len(b.Positions)) // [positions][seats]
	var next atomic.Int64
	var all sync.WaitGroup
	var mu sync.Mutex
	done := 0 // guarded by mu
	for range max(1, min(o.Workers, len(b.Positions))) {
		all.Go(func() {
			player, err := players()
			if err != nil {
				cancel(err)
				return
			}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(b.Positions) {
					return
				}
				if lost[i], err = b.Judge(ctx, g, i, player); err != nil {
					cancel(fmt.Errorf("bank: position %d: %w", i+1, err))
					return
				}
				mu.Lock()
				if done++; o.Progress != nil {
					o.Progress(done, len(b.Positions))
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return b.sum(g, lost), nil
}

// Judge is what each seat loses in the position of that number, from 0, in units of the largest return.
func (b *Bank) Judge(ctx context.Context, g engine.Game, number int, player Player) ([]float64, error) {
	at := &b.Positions[number]
	s, err := g.Load(at.Position, engine.Strict)
	if err != nil {
		return nil, option.Wrong(err)
	}
	p, err := pose(ctx, g, s, b.Limits, b.Known)
	if errors.Is(err, errManyDeals) || errors.Is(err, errKind) || errors.Is(err, solve.ErrTooLarge) && !errors.Is(err, solve.ErrMemory) {
		return nil, option.Wrong(err)
	}
	if err != nil {
		return nil, err
	}
	if deals, _, digest := p.size(); digest != at.Digest {
		return nil, fmt.Errorf("%w: the deals that are possible in it are %d with digest %s, the bank says %d and %s",
			option.ErrUsage, deals, digest, at.Deals, at.Digest)
	}
	return p.Lost(player, at.Value)
}

// sum sums up what is lost, [positions][seats] in units of the largest return.
func (b *Bank) sum(g engine.Game, lost [][]float64) *Score {
	most := largest(g)
	s := &Score{Game: b.Game, Bank: b.Digest(), Positions: len(lost), Each: make([]float64, len(lost))}
	uniform, own := make([]float64, len(lost)), make([]float64, len(lost))
	for i, row := range lost {
		for seat, x := range row {
			s.Each[i] += x
			uniform[i] += b.Positions[i].Uniform[seat] / most
		}
		if s.Each[i] <= held {
			s.Held++
		}
	}
	s.Held /= float64(len(lost))
	over := func(list []float64) eval.Estimate { return eval.EstimateOf(list, 0, float64(2*g.Spec().Seats)) }
	s.Lost, s.Uniform = over(s.Each), over(uniform)
	for seat := range g.Spec().Seats {
		for i, row := range lost {
			own[i] = row[seat]
		}
		s.Seats = append(s.Seats, over(own))
	}
	return s
}

// Table is scores in Markdown.
func Table(scores []Score) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| game | agent | positions | lost by all seats | by seat | by random play | positions held |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|")
	for _, s := range scores {
		var seats []string
		for _, e := range s.Seats {
			seats = append(seats, fmt.Sprintf("%.3f", e.Mean))
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %d | %.3f [%.3f, %.3f] | %s | %.3f | %.1f%% |\n",
			s.Game, s.Agent, s.Positions, s.Lost.Mean, s.Lost.Low, s.Lost.High, strings.Join(seats, ", "), s.Uniform.Mean, 100*s.Held)
	}
	return b.String()
}

// Write prints the score for people.
func (s *Score) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s in %d solved positions of %s; lost in units of the largest return, 95%% intervals\n\n", s.Agent, s.Positions, s.Game)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "lost by all seats\t%s\n", s.Lost)
	for seat, e := range s.Seats {
		fmt.Fprintf(t, "  by seat %d\t%s\n", seat, e)
	}
	fmt.Fprintf(t, "by random play\t%s\n", s.Uniform)
	fmt.Fprintf(t, "positions held, within %g\t%.1f%%\n", held, 100*s.Held)
	return t.Flush()
}
