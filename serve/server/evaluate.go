package server

import (
	"context"
	"fmt"

	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
)

func (c *conn) agentEvaluate(ctx context.Context, p *protocol.AgentEvaluate) (any, error) {
	a, err := opened("agent", p.Agent, c.agents)
	if err != nil {
		return nil, err
	}
	network, ok := a.agent.(*inference.Agent)
	if !ok {
		return nil, protocol.Errorf(protocol.CodeAgent, "agent %d has no network to evaluate", p.Agent)
	}
	if network.Adviser() != nil {
		return nil, protocol.Errorf(protocol.CodeAgent,
			"agent %d plays by its network and the scripted player's advice, which needs more than observations; use act with an env", p.Agent)
	}
	n := len(p.Observations) / a.layout.Size
	if n == 0 || len(p.Observations) != n*a.layout.Size {
		return nil, protocol.Errorf(protocol.CodeParams, "%d observed numbers; for n observations of %s it is n×%d, n at least 1",
			len(p.Observations), a.game.Spec().Text, a.layout.Size)
	}
	for i := range n {
		if fault := a.checkObservation(p.Observations[i*a.layout.Size:], i, n); fault != nil {
			return nil, fault
		}
	}
	spec := a.game.Spec()
	if bytes, limit := 4*n*(len(spec.Actions)+spec.Seats)+frameRest, c.server.config.FrameBytes; bytes > limit {
		return nil, protocol.Errorf(protocol.CodeLimit, "what is known of %d observations takes %d bytes, the limit of a frame is %d", n, bytes, limit)
	}
	if err := c.readyFor(a, n); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.server.config.RequestTimeout)
	defer cancel()
	result := &protocol.Evaluated{Logits: make([]float32, n*len(spec.Actions)), Values: make([]float32, n*spec.Seats)}
	if err := c.server.thinks.Do(ctx, &c.thinker, a.batches.of(n), func(ctx context.Context) error {
		return network.Evaluate(ctx, p.Observations, n, result.Logits, result.Values)
	}); err != nil {
		return nil, fmt.Errorf("agent.evaluate: %w", err)
	}
	return result, nil
}
