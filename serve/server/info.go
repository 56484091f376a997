package server

import (
	"bufio"
	"context"
	"fmt"
	"slices"

	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/protocol"
	"powderkeg/serve/python"
)

// name is what the server calls itself.
const name = "powderkeg"

// capabilities are what clients may rely on beyond the list of methods.
var capabilities = []string{"agents", "async", "datasets", "drawings", "envs", "match", "states", "tokens", "vec_match", "vecs", "views"}

func (c *conn) hello(_ context.Context, p *protocol.Hello) (any, error) {
	config := &c.server.config
	if !c.server.admits(p.Token) {
		return nil, protocol.Errorf(protocol.CodeToken, "this server demands a token in hello, and it is not the one given; ask its operator for one")
	}
	best := int64(0)
	for _, v := range p.Versions {
		if slices.Contains(protocol.Versions, v) {
			best = max(best, v)
		}
	}
	if best == 0 {
		return nil, protocol.Errorf(protocol.CodeVersion, "the client speaks versions %d of the protocol, this server %d", p.Versions, protocol.Versions)
	}
	if c.net != nil {
		if fault := c.server.admit(c); fault != nil {
			return nil, fault
		}
		c.in = bufio.NewReaderSize(c.net, 16<<10)
	}
	c.greeted = true
	c.log.Debug("hello", "client", fmt.Sprintf("%.100q", p.Client), "version", best)
	loadable := config.Agents
	if config.NewAgent == nil {
		loadable = []string{}
	}
	return &protocol.Welcome{
		Version: best, Server: name, Release: python.Version(), Capabilities: capabilities, Methods: c.methods(), Agents: loadable,
		Limits: protocol.Limits{
			FrameBytes:   int64(config.FrameBytes),
			Environments: int64(config.Environments), Agents: int64(config.AgentsPerConnection), Workers: int64(config.Workers),
			IdleSeconds: config.IdleTimeout.Seconds(), RequestSeconds: config.RequestTimeout.Seconds(),
		},
	}, nil
}

func (c *conn) games(context.Context, *protocol.None) (any, error) {
	listings, err := env.Listings()
	if err != nil {
		return nil, err
	}
	list := &protocol.Games{}
	for _, g := range listings {
		list.Games = append(list.Games, protocol.GameInfo{
			Name: g.Name, Title: g.Title, Players: int64(g.Players), Options: g.Options,
			Actions: int64(g.Actions), ObservationSize: int64(g.ObservationSize), MaxDecisions: int64(g.MaxDecisions),
		})
	}
	return list, nil
}

// newGame makes the game that a game string names.
func newGame(text string) (engine.Game, error) {
	if text == "" {
		return nil, protocol.Errorf(protocol.CodeParams, "game is missing")
	}
	g, err := env.NewGame(text)
	if err != nil {
		return nil, protocol.Errorf(protocol.CodeGame, "%v", err)
	}
	return g, nil
}

func (c *conn) spec(_ context.Context, p *protocol.SpecParams) (any, error) {
	g, err := newGame(p.Game)
	if err != nil {
		return nil, err
	}
	e, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	s, layout := g.Spec(), e.Layout()
	identity := checkpoints.IdentityOf(g, layout)
	return &protocol.Spec{
		Game: s.Text, Name: s.Name, Title: s.Title, Version: int64(s.Version), Seats: int64(s.Seats),
		Actions: s.Actions, Outcomes: s.Outcomes, MaxDecisions: int64(s.MaxDecisions), MaxMoves: int64(s.MaxMoves),
		MinReturn: s.MinReturn, MaxReturn: s.MaxReturn, Payoff: string(s.Payoff),
		Layout: layout, LayoutHash: identity.LayoutHash, VocabularyHash: identity.VocabularyHash,
	}, nil
}
