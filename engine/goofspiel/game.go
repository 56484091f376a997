// Package goofspiel is Goofspiel, the game of pure strategy: two seats bid their cards for
// prizes, at the same time and unseen. It is the game of OpenSpiel's goofspiel, for two
// seats, its bids hidden or shown.
package goofspiel

import (
	_ "embed"
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	"powderkeg/engine/option"
	codec "powderkeg/engine/position"
)

// What people read of the rules (engine.Family).
var (
	//go:embed data/rules.json
	rules []byte
	//go:embed RULINGS.md
	rulings string
)

const (
	seats    = 2
	maxCards = 13 // for which the arrays of a position are made
)

// actionSet holds all actions.
type actionSet [1]uint64

const title = "Goofspiel"

// Family makes Goofspiel.
var Family = engine.Family{
	Name:  "goofspiel",
	Title: title,
	Options: []option.Option{
		{Name: "cards", Kind: option.Int, Default: "13", Min: 2, Max: maxCards, Help: "cards of each seat, and prizes"},
		{
			Name: "order", Kind: option.Choice, Default: "random", Choices: []string{"random", "descending", "ascending"},
			Help: "order in which the prizes are turned up",
		},
		{
			Name: "bids", Kind: option.Choice, Default: "hidden", Choices: []string{"hidden", "shown"},
			Help: "whether a seat sees the other's bid when the round is over",
		},
		{
			Name: "returns", Kind: option.Choice, Default: "win_loss", Choices: []string{"win_loss", "difference"},
			Help: "what is won: 1, or half of the difference in points",
		},
	},
	Configure: configure,
	Rules:     rules,
	Rulings:   rulings,
}

// game is a configured game.
type game struct {
	spec       engine.Spec
	cards      uint8
	all        uint16 // the numbers of all cards, bit n for card n
	order      string
	shown      bool // the bids, after each round
	difference bool // what is won is half of it
	codec      *codec.Codec[Position]
	start      Position
}

func configure(v option.Values) (engine.Game, error) {
	n := v.Int("cards")
	g := &game{
		cards: uint8(n), all: 1<<(n+1) - 2, order: v.Choice("order"),
		shown: v.Choice("bids") == "shown", difference: v.Choice("returns") == "difference",
	}
	g.spec = engine.Spec{
		Name: "goofspiel", Title: title, Text: v.Format("goofspiel"), Version: 1, Seats: seats,
		MaxDecisions: seats * (n - 1), MaxMoves: seats * (n - 1), // the last round is played unasked
		MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
	}
	if g.order == "random" {
		g.spec.MaxMoves += n - 1
	}
	if g.difference {
		g.spec.MaxReturn = float32(n*(n+1)) / 4
		g.spec.MinReturn = -g.spec.MaxReturn
	}
	for i := range n {
		g.spec.Actions = append(g.spec.Actions, fmt.Sprintf("BID_%d", i+1))
		g.spec.Outcomes = append(g.spec.Outcomes, fmt.Sprintf("PRIZE_%d", i+1))
	}
	g.codec = g.newCodec()
	s := g.state(&Position{})
	s.Settle()
	g.start = s.P
	return g, nil
}

// Spec implements engine.Game.
func (g *game) Spec() *engine.Spec { return &g.spec }

// New implements engine.Game.
func (g *game) New() engine.State { return g.state(&g.start) }

func (g *game) state(p *Position) *State {
	return &State{flow.NewState[*game, Position, actionSet](g, p)}
}
