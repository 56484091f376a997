package client

import (
	"context"
	"fmt"
	"strings"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/serve/protocol"
)

// Player plays a seat by an agent at the other end of a connection, which is shown what
// networks are shown: the observation of the seat and the mask of its legal actions
// (act_batch). Every game loads the agent anew with the game's own seed, so that what it
// chooses follows from the seed, whatever it was asked before. It implements agents.Agent.
type Player struct {
	client  *Client
	game    engine.Game
	encoder encoding.Encoder
	name    string

	agent *Agent
	seat  engine.Player
	seed  uint64
	fresh bool // a game has begun since the agent was loaded

	observation []float32
	mask        []uint8
}

var _ agents.Agent = (*Player)(nil)

// NewPlayer loads the agent of that name behind the connection and returns a player by it.
func NewPlayer(ctx context.Context, c *Client, g engine.Game, name string) (*Player, error) {
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	p := &Player{
		client: c, game: g, encoder: encoder, name: name,
		observation: make([]float32, encoder.Layout().Size), mask: make([]uint8, len(g.Spec().Actions)),
	}
	if err := p.load(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// Start implements agents.Agent.
func (p *Player) Start(seat engine.Player, seed uint64) {
	p.seat, p.seed, p.fresh = seat, seed, true
}

// Act implements agents.Agent.
func (p *Player) Act(ctx context.Context, view engine.View, legal []engine.Action) (engine.Action, error) {
	if p.fresh {
		if err := p.load(ctx); err != nil {
			return 0, err
		}
	}
	p.encoder.Encode(p.observation, view, p.seat)
	clear(p.mask)
	for _, a := range legal {
		p.mask[a] = 1
	}
	chosen, err := p.agent.ActBatch(ctx, p.observation, p.mask)
	if err != nil {
		return 0, err
	}
	if len(chosen) != 1 || chosen[0] < 0 || int(chosen[0]) >= len(p.mask) || p.mask[chosen[0]] != 1 {
		return 0, fmt.Errorf("client: agent %s chose %v for one decision of %s, which is not legal", p.name, chosen, p.game.Spec().Text)
	}
	return engine.Action(chosen[0]), nil
}

// load makes the agent begin a game.
func (p *Player) load(ctx context.Context) error {
	if p.agent != nil {
		if err := p.agent.Close(ctx); err != nil {
			return err
		}
		p.agent = nil
	}
	a, err := p.client.LoadAgent(ctx, &protocol.AgentLoad{Game: p.game.Spec().Text, Agent: p.name, Seed: p.seed})
	if err != nil {
		return err
	}
	if !a.Made.Batch {
		return fmt.Errorf("client: agent %s does not act on observations (act_batch)", p.name)
	}
	p.agent, p.fresh = a, false
	return nil
}

// Close ends the connection.
func (p *Player) Close() error { return p.client.Close() }

// Source makes players of agents behind an address, each on a connection of its own.
type Source struct {
	address string
	welcome protocol.Welcome
}

// NewSource asks the server at the address who it is. The address is as that of Dial.
func NewSource(ctx context.Context, address string) (*Source, error) {
	c, err := Dial(ctx, address)
	if err != nil {
		return nil, err
	}
	return &Source{address, c.welcome}, c.Close()
}

// Name is what the server calls itself, with its release.
func (s *Source) Name() string { return strings.TrimSpace(s.welcome.Server + " " + s.welcome.Release) }

// Agent returns a player of the game by the agent of that name. It is an io.Closer.
func (s *Source) Agent(ctx context.Context, g engine.Game, name string) (agents.Agent, error) {
	c, err := Dial(ctx, s.address)
	if err != nil {
		return nil, err
	}
	p, err := NewPlayer(ctx, c, g, name)
	if err != nil {
		c.Close()
		return nil, err
	}
	return p, nil
}
