package bank

import (
	"context"
	"errors"
	"math"
	"strconv"

	"powderkeg/engine"
	"powderkeg/train/solve"
)

// Problem is a position that can be solved. It may be used by one goroutine at a time.
type Problem struct {
	kind
	seats   int
	largest float64
}

// kind is what differs by the kind of a problem.
type kind interface {
	// size says how many deals are possible, and how many nodes or states are behind them; digest
	// is that of the deals.
	size() (deals, nodes int, digest string)
	// solve returns the value for the first seat that decides, or for the team, exact to within gap.
	solve(ctx context.Context, largest float64) (value, gap float64, err error)
	// lost is what each seat loses in a position of that value.
	lost(p Player, value float64) ([]float64, error)
	// contested says whether playing at random may lose as much.
	contested(cut float64) bool
}

// errKind is the error of positions of no kind that can be solved.
var errKind = errors.New("more than one seat decides, and it is no game of two seats whose returns always have the same sum")

// errUnsolved is the error of positions whose solution is not near enough after all iterations.
var errUnsolved = errors.New("not solved")

// Pose makes the problem of a position. Errors wrap solve.ErrTooLarge where it is beyond the limits.
func Pose(ctx context.Context, g engine.Game, s engine.State, l Limits) (*Problem, error) {
	return pose(ctx, g, s, l, false)
}

// pose makes the problem of a position, which may be known to all seats.
func pose(ctx context.Context, g engine.Game, s engine.State, l Limits, known bool) (*Problem, error) {
	p := &Problem{seats: g.Spec().Seats, largest: largest(g)}
	if g.Spec().Payoff == engine.Cooperative {
		t, err := newTeam(ctx, g, s, l.Nodes)
		p.kind = t
		return p, err
	}
	list, err := []engine.State{s}, error(nil)
	if !known {
		list, err = deals(g, s, l.Deals)
	}
	if err != nil {
		return nil, err
	}
	t, err := newTree(ctx, g, list, l.Nodes)
	p.kind = t
	return p, err
}

// Nodes is how many nodes its tree has, of a cooperative game how many different states can come.
func (p *Problem) Nodes() int {
	_, nodes, _ := p.size()
	return nodes
}

// Solve returns the value for the first seat that decides, or for the team, exact to within gap.
func (p *Problem) Solve(ctx context.Context) (value, gap float64, err error) {
	return p.solve(ctx, p.largest)
}

// Lost is what each seat loses in a position of that value, in units of the largest return.
func (p *Problem) Lost(player Player, value float64) ([]float64, error) {
	lost, err := p.lost(player, value)
	for seat := range lost {
		lost[seat] /= p.largest
	}
	return lost, err
}

// largest is the largest return of a game, in absolute value.
func largest(g engine.Game) float64 {
	s := g.Spec()
	return math.Max(-float64(s.MinReturn), float64(s.MaxReturn))
}

// iterations of CFR+ are made at most, until NashConv is below a share of the largest return.
const (
	iterations = 4000
	look       = 50 // iterations between two looks
	share      = 1e-3
)

// tree is a position by the tree of all its deals.
type tree struct {
	tree  *solve.Tree
	deals []engine.State
	alone bool    // one seat alone decides
	first int     // seat that decides, the lowest
	sum   float64 // of the returns of two seats, unless one alone decides
}

func newTree(ctx context.Context, g engine.Game, list []engine.State, most int) (*tree, error) {
	_, keys := list[0].(engine.Recaller)
	built, err := solve.BuildAmong(ctx, g, list, solve.Limits{MaxNodes: most, ByView: !keys})
	if err != nil {
		return nil, err
	}
	t := &tree{tree: built, deals: list, first: -1}
	deciders := 0
	for seat := range built.Seats() {
		if len(built.InfoStates(engine.Player(seat))) == 0 {
			continue
		}
		if deciders++; t.first < 0 {
			t.first = seat
		}
	}
	t.alone = deciders == 1
	constant := false
	if t.sum, constant = built.Sum(); deciders == 0 || !t.alone && (!constant || built.Seats() != 2) {
		return nil, errKind
	}
	return t, nil
}

func (t *tree) size() (deals, nodes int, digest string) {
	h := engine.NewHash()
	for _, d := range t.deals {
		h = h.Word(d.Hash())
	}
	return len(t.deals), t.tree.Nodes(), strconv.FormatUint(uint64(h), 16)
}

// contested: nobody loses more than NashConv says, so that most positions need not be solved.
func (t *tree) contested(cut float64) bool { return t.tree.Evaluate(t.tree.Uniform()).NashConv >= cut }

func (t *tree) solve(ctx context.Context, largest float64) (value, gap float64, err error) {
	if t.alone {
		value, _ = t.tree.BestResponse(t.tree.Uniform(), engine.Player(t.first))
		return value, 0, nil
	}
	solver, err := solve.New(t.tree, solve.Default(solve.CFRPlus))
	if err != nil {
		return 0, 0, err
	}
	for n := 1; n <= iterations; n++ {
		solver.Iterate()
		if n%look > 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		e := t.tree.Evaluate(solver.Average())
		// The first seat gets no more than its best response to the other's policy does, and no
		// less than it keeps of its own against the other's best response.
		if gap = e.NashConv / 2; e.NashConv <= share*largest {
			return (e.Responses[0] + t.sum - e.Responses[1]) / 2, gap, nil
		}
	}
	return 0, gap, errUnsolved
}

func (t *tree) lost(p Player, value float64) ([]float64, error) {
	policy, err := policyOf(t.tree, p)
	if err != nil {
		return nil, err
	}
	e := t.tree.Evaluate(policy)
	lost := make([]float64, t.tree.Seats())
	if t.alone {
		lost[t.first] = max(0, value-e.Values[t.first])
		return lost, nil
	}
	lost[0], lost[1] = max(0, value-(t.sum-e.Responses[1])), max(0, e.Responses[0]-value)
	return lost, nil
}
