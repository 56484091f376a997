package bank

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/train/solve"
)

// Bank is solved positions of a game.
type Bank struct {
	Game  string `json:"game"`
	Rules int    `json:"rules"` // version
	// Players played the games that the positions come from, on all seats; Seed decided those
	// games, of which Games were played.
	Players string `json:"players"`
	Seed    uint64 `json:"seed"`
	Games   int    `json:"games"`
	// Limits are those that the positions were chosen by.
	Limits    Limits     `json:"limits"`
	Positions []Position `json:"positions"`
}

// Limits say which positions are kept.
type Limits struct {
	// Deals and Nodes bound the deals that are possible in a position and the tree behind them.
	Deals int `json:"deals"`
	Nodes int `json:"nodes"`
	// Cut is the least that uniformly random play loses, over all seats, in units of the
	// largest return.
	Cut float64 `json:"cut"`
}

// Position is a solved position.
type Position struct {
	// Game is the number of the game, from 0, and Back how many choices among several actions
	// were still made in it, the one of the position included.
	Game int `json:"from_game"`
	Back int `json:"back"`
	// Position is as it was, one of the deals.
	Position json.RawMessage `json:"position"`
	// Deals and Nodes are the sizes of its tree, Digest that of the deals.
	Deals  int    `json:"deals"`
	Digest string `json:"digest"`
	Nodes  int    `json:"nodes"`
	// Value is what the first seat that decides can make sure of, in the game's unit, exact to
	// within Gap.
	Value float64 `json:"value"`
	Gap   float64 `json:"gap"`
	// Uniform is what uniformly random play loses, by seat.
	Uniform []float64 `json:"uniform"`
}

// errKind is the error of positions of no kind that can be solved.
var errKind = errors.New("more than one seat decides, and it is no zero-sum game of two seats")

// iterations of CFR+ are made at most, until NashConv is below a share of the largest return.
const (
	iterations = 4000
	look       = 50 // iterations between two looks
	share      = 1e-3
)

// problem is a position's tree.
type problem struct {
	tree   *solve.Tree
	deals  int
	digest string
	alone  bool // one seat alone decides
	first  int  // seat that decides, the lowest
}

// pose builds the tree of a position.
func pose(ctx context.Context, g engine.Game, s engine.State, l Limits) (*problem, error) {
	list, err := deals(g, s, l.Deals)
	if err != nil {
		return nil, err
	}
	_, keys := s.(engine.Recaller)
	tree, err := solve.BuildAmong(ctx, g, list, solve.Limits{MaxNodes: l.Nodes, ByView: !keys})
	if err != nil {
		return nil, err
	}
	p := &problem{tree: tree, deals: len(list), first: -1}
	deciders := 0
	for seat := range tree.Seats() {
		if len(tree.InfoStates(engine.Player(seat))) == 0 {
			continue
		}
		if deciders++; p.first < 0 {
			p.first = seat
		}
	}
	p.alone = deciders == 1
	if spec := g.Spec(); deciders == 0 || !p.alone && (spec.Payoff != engine.ZeroSum || spec.Seats != 2) {
		return nil, errKind
	}
	h := engine.NewHash()
	for _, d := range list {
		h = h.Word(d.Hash())
	}
	p.digest = strconv.FormatUint(uint64(h), 16)
	return p, nil
}

// solve returns the value for the first seat that decides, exact to within gap.
func (p *problem) solve(ctx context.Context, largest float64) (value, gap float64, err error) {
	if p.alone {
		value, _ = p.tree.BestResponse(p.tree.Uniform(), engine.Player(p.first))
		return value, 0, nil
	}
	solver, err := solve.New(p.tree, solve.Default(solve.CFRPlus))
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
		e := p.tree.Evaluate(solver.Average())
		// The first seat gets no more than its best response to the other's policy does, and no
		// less than it keeps of its own against the other's best response.
		if gap = e.NashConv / 2; e.NashConv <= share*largest {
			return (e.Responses[0] - e.Responses[1]) / 2, gap, nil
		}
	}
	return 0, gap, errUnsolved
}

// errUnsolved is the error of positions whose solution is not near enough after all iterations.
var errUnsolved = errors.New("not solved")

// lost is what each seat loses by a policy in a position of that value.
func (p *problem) lost(policy *solve.Policy, value float64) []float64 {
	e := p.tree.Evaluate(policy)
	lost := make([]float64, p.tree.Seats())
	if p.alone {
		lost[p.first] = max(0, value-e.Values[p.first])
		return lost
	}
	lost[0], lost[1] = max(0, value+e.Responses[1]), max(0, e.Responses[0]-value)
	return lost
}

// largest is the largest return of a game, in absolute value.
func largest(g engine.Game) float64 {
	s := g.Spec()
	return math.Max(-float64(s.MinReturn), float64(s.MaxReturn))
}

// Read reads a bank. Errors wrap option.ErrUsage.
func Read(data []byte) (*Bank, engine.Game, error) {
	b := &Bank{}
	if err := json.Unmarshal(data, b); err != nil {
		return nil, nil, option.Wrong(fmt.Errorf("no bank of positions: %w", err))
	}
	g, err := env.NewGame(b.Game)
	if err != nil {
		return nil, nil, fmt.Errorf("bank: %w", err)
	}
	switch l := b.Limits; {
	case g.Spec().Version != b.Rules:
		return nil, nil, fmt.Errorf(
			"%w: the bank was made by version %d of the rules of %s, those of today are version %d; powderkeg bank make makes a new one",
			option.ErrUsage, b.Rules, g.Spec().Name, g.Spec().Version)
	case len(b.Positions) == 0:
		return nil, nil, fmt.Errorf("%w: the bank has no positions", option.ErrUsage)
	case l.Deals < 1 || l.Deals > MostDeals || l.Nodes < 1 || l.Nodes > MostNodes:
		return nil, nil, fmt.Errorf("%w: the bank's limits are %d deals and %d nodes, they must be from 1 to %d and %d",
			option.ErrUsage, l.Deals, l.Nodes, MostDeals, MostNodes)
	}
	for i := range b.Positions {
		if n := len(b.Positions[i].Uniform); n != g.Spec().Seats {
			return nil, nil, fmt.Errorf("%w: position %d of the bank has numbers for %d seats, %s has %d", option.ErrUsage, i+1, n, b.Game, g.Spec().Seats)
		}
	}
	return b, g, nil
}

// Digest is the SHA-256 of the bank as it is written.
func (b *Bank) Digest() string {
	h := sha256.New()
	if err := b.Write(h); err != nil {
		panic(err) // what was read can be written, and a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Write writes the bank as Read reads it, a line for each position.
func (b *Bank) Write(w io.Writer) error {
	head := *b
	head.Positions = nil
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(bytes.TrimSuffix(text, []byte("null}")))
	for i := range b.Positions {
		line, err := json.Marshal(&b.Positions[i])
		if err != nil {
			return err
		}
		out.WriteString([]string{"[\n", ",\n"}[min(i, 1)])
		out.Write(line)
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}
