// Package liarsdice is Liar's Dice: every seat rolls dice that it alone sees, and the
// seats bid in turn on what all dice show until one calls the last bidder a liar. It is
// the game of OpenSpiel's liars_dice, for two to six seats. With two seats and a die each
// it has 24,576 information states, and its value for the first seat is -7/258 under
// optimal play: the largest solved game here in which something is hidden.
package liarsdice

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

// The largest game, for which the arrays of a position are made.
const (
	maxSeats = 6
	maxDice  = 5 // per seat
	maxFaces = 6
	mostBids = maxSeats * maxDice * maxFaces
)

const title = "Liar's Dice"

// Family makes Liar's Dice.
var Family = engine.Family{
	Name:  "liars_dice",
	Title: title,
	Options: []option.Option{
		{Name: "players", Kind: option.Int, Default: "2", Min: 2, Max: maxSeats, Help: "number of seats"},
		{Name: "dice", Kind: option.Int, Default: "1", Min: 1, Max: maxDice, Help: "dice of each seat"},
		{Name: "faces", Kind: option.Int, Default: "6", Min: 2, Max: maxFaces, Help: "faces of a die, of which the highest is wild"},
	},
	Configure: configure,
	Rules:     rules,
	Rulings:   rulings,
}

// game is a configured game.
type game struct {
	spec  engine.Spec
	seats int
	dice  uint8 // of each seat
	total uint8 // of all seats
	faces Face
	liar  engine.Action // the action behind the bids
	legal []actionSet   // newLegal
	// actions are those of a seat, in order.
	actions []engine.Action
	codec   *codec.Codec[Position]
	start   Position
}

func configure(v option.Values) (engine.Game, error) {
	g := &game{seats: v.Int("players"), dice: uint8(v.Int("dice")), faces: Face(v.Int("faces"))}
	g.total = uint8(g.seats) * g.dice
	g.liar = engine.Action(g.total) * engine.Action(g.faces)
	g.spec = engine.Spec{
		Name: "liars_dice", Title: title, Text: v.Format("liars_dice"), Version: 1, Seats: g.seats,
		MaxDecisions: int(g.liar) + 1, MaxMoves: int(g.liar) + 1 + int(g.total),
		MinReturn: -1, MaxReturn: 1, Payoff: engine.ZeroSum,
	}
	for a := range g.liar {
		quantity, face := g.unrank(Bid(a))
		g.spec.Actions = append(g.spec.Actions, fmt.Sprintf("%d-%d", quantity, face+1))
	}
	for f := range g.faces {
		g.spec.Outcomes = append(g.spec.Outcomes, fmt.Sprintf("Roll %d", f+1))
	}
	g.spec.Actions = append(g.spec.Actions, "Liar")
	for a := range g.liar + 1 {
		g.actions = append(g.actions, a)
	}
	g.legal, g.codec = g.newLegal(), g.newCodec()
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
