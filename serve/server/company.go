package server

import (
	"context"
	"math/rand/v2"
	"slices"

	"powderkeg/agents"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/env/vec"
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"
)

// company are the agents that play the seats of a vec that are not the client's
// (vec.Others). Agents without memory are shared by all slots and seats that name them, one
// per worker; others are one per slot and seat.
type company struct {
	server *Server
	owner  *thinking.Owner
	even   bool // forced questions take as long as others; see Config.EvenTime
	game   engine.Game
	texts  []string // [P]
	envs   int      // N
	seats  []player // [P]
	choirs []*choir
	agents int // that count for the limits of the connection
	bytes  int // that all of it holds, about

	// The request under way, of which all agents together have the request timeout; nil
	// between requests, and while agents play what vec.send has sent, each turn of which
	// has that time.
	request context.Context
	life    context.Context // of the vec
	end     context.CancelFunc
}

// player plays one seat in all slots. The zero player is the client.
type player struct {
	agents minds  // [N]
	choir  *choir // in place of agents
}

// choir is an agent without memory that plays in all slots: each seat of a slot draws from
// a generator of its own, as an agent there would. Of a network each worker asks about all
// of its slots at once.
type choir struct {
	text    string
	network bool
	voices  []voice    // by worker
	rngs    []rand.PCG // [N×P]
	encoder encoding.Encoder
	seats   int // P
}

// voice is the choir of a worker.
type voice struct {
	solo         agents.Stateless // nil for a network
	gauge        *thinking.Gauge  // of solo
	agent        *inference.Agent // of a network, nil for others
	batches      crowd            // of agent
	turns        []int            // that it is asked about, as indices
	observations []float32
	masks        []uint8
	rngs         []*rand.PCG
	actions      []int32
}

var _ vec.Others = (*company)(nil)

// invite plans the agents of a vec of n slots, nil for no texts, and says how many they are
// and what they hold. Gather makes them.
func (c *conn) invite(g engine.Game, texts []string, n, workers int) (*company, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	spec := g.Spec()
	if len(texts) != spec.Seats {
		return nil, protocol.Errorf(protocol.CodeParams, "%d agents; %s has %d seats, each an agent string or empty for your own", len(texts), spec.Name,
			spec.Seats)
	}
	if !slices.Contains(texts, "") {
		return nil, protocol.Errorf(protocol.CodeParams, "agents on all %d seats; leave one empty for yourself", spec.Seats)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	m := &company{server: c.server, owner: &c.thinker, even: c.hides(g), game: g, texts: texts, envs: n, seats: make([]player, spec.Seats)}
	for _, text := range texts {
		if text == "" {
			continue
		}
		if fault := c.offered(text); fault != nil {
			return nil, fault
		}
		if slices.ContainsFunc(m.choirs, func(h *choir) bool { return h.text == text }) {
			continue
		}
		_, network := c.networkOf(g, text)
		if !network {
			a, err := c.open(g, text)
			if err != nil {
				return nil, err
			}
			if _, ok := a.(agents.Stateless); !ok {
				m.agents += n
				m.bytes += n * c.server.config.AgentBytes
				continue
			}
		}
		m.agents++ // whatever the number of workers, which the client need not know
		m.bytes += workers*c.server.config.AgentBytes + n*16*spec.Seats
		if network {
			m.bytes += n * (4*encoder.Layout().Size + len(spec.Actions) + 32)
		}
		m.choirs = append(m.choirs, &choir{text: text, network: network, encoder: encoder, voices: make([]voice, workers), seats: spec.Seats})
	}
	if have, most := len(c.agents)+c.seated, c.server.config.AgentsPerConnection; m.agents > most-have {
		return nil, protocol.Errorf(protocol.CodeLimit,
			"%d more agents, one per slot and seat of those with a memory; this connection has %d of at most %d", m.agents, have, most)
	}
	return m, nil
}

// gather makes the agents.
func (m *company) gather(c *conn) error {
	m.life, m.end = context.WithCancel(context.Background())
	for _, h := range m.choirs {
		h.rngs = make([]rand.PCG, m.envs*h.seats)
		for i := range h.voices {
			a, err := c.open(m.game, h.text)
			if err != nil {
				return err
			}
			if h.network {
				h.voices[i].agent, h.voices[i].batches = a.(*inference.Agent), newCrowd()
			} else {
				h.voices[i].solo, h.voices[i].gauge = a.(agents.Stateless), thinking.GaugeOf(a)
			}
		}
	}
	for p, text := range m.texts {
		if err := m.seat(c, &m.seats[p], text); err != nil {
			return err
		}
	}
	return nil
}

// seat makes the player that an agent string names.
func (m *company) seat(c *conn, p *player, text string) error {
	if text == "" {
		return nil
	}
	for _, h := range m.choirs {
		if h.text == text {
			p.choir = h
			return nil
		}
	}
	for range m.envs {
		a, err := c.open(m.game, text)
		if err != nil {
			return err
		}
		p.agents = append(p.agents, newMind(a))
	}
	return nil
}

// close gives all agents up, of which gather may have made a part. It comes after the end
// of the vec.
func (m *company) close() {
	for _, p := range m.seats {
		giveAll(p.agents)
	}
	for _, h := range m.choirs {
		for _, v := range h.voices {
			if v.agent != nil {
				v.agent.Close()
			}
		}
	}
}

// during makes a request the one that the agents play in until the function that it returns
// is called.
func (m *company) during(ctx context.Context) context.CancelFunc {
	if m == nil {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(ctx, m.server.config.RequestTimeout)
	m.request = ctx
	return func() {
		cancel()
		m.request = nil
	}
}

// Plays implements vec.Others.
func (m *company) Plays(seat engine.Player) bool {
	return seat >= 0 && (m.seats[seat].agents != nil || m.seats[seat].choir != nil)
}

// Batches implements vec.Others.
func (m *company) Batches() bool {
	return slices.ContainsFunc(m.choirs, func(h *choir) bool { return h.network })
}

// Start implements vec.Others. An agent plays as one on a seat of a single environment
// whose seed is that of the slot.
func (m *company) Start(slot int, seed, episode uint64) {
	for p := range m.seats {
		seed := agentSeed(seed, episode, p)
		switch player := &m.seats[p]; {
		case player.agents != nil:
			player.agents[slot].agent.Start(engine.Player(p), seed)
		case player.choir != nil:
			player.choir.seed(&player.choir.rngs[slot*len(m.seats)+p], seed)
		}
	}
}

// Act implements vec.Others.
func (m *company) Act(worker int, turns []vec.Turn) {
	ctx := m.request
	if ctx == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(m.life, m.server.config.RequestTimeout)
		defer cancel()
	}
	for i := range turns {
		t := &turns[i]
		player := &m.seats[t.Env.Actor()]
		if h := player.choir; h != nil && h.network {
			h.hear(worker, i, t)
		} else if t.Err = ctx.Err(); t.Err == nil { // not every agent looks
			t.Action, t.Err = m.ask(ctx, player, worker, t)
		}
	}
	for _, h := range m.choirs {
		m.hear(ctx, h, worker, turns)
	}
	m.server.metrics.byAgent.Add(float64(len(turns)))
}

// ask asks an agent that is no network. One that breaks down costs its vec.
func (m *company) ask(ctx context.Context, p *player, worker int, t *vec.Turn) (action engine.Action, err error) {
	e := t.Env
	defer env.Recover(e.Game(), &err)
	if p.choir == nil {
		one := &p.agents[t.Slot]
		if err := m.pretend(ctx, one.agent, one.gauge, e); err != nil {
			return 0, err
		}
		return choose(ctx, m.server.thinks, m.owner, one, e)
	}
	voice := &p.choir.voices[worker]
	if err := m.pretend(ctx, voice.solo, voice.gauge, e); err != nil {
		return 0, err
	}
	err = m.server.thinks.Do(ctx, m.owner, voice.gauge, func(ctx context.Context) error {
		action, err = voice.solo.ActFor(ctx, e.View(e.Actor()), e.Actor(), e.Legal(), p.choir.rng(t))
		return err
	})
	return chosen(e, action, err)
}

// pretend has an agent that has no choice think as if it had, if it can.
func (m *company) pretend(ctx context.Context, a agents.Agent, gauge *thinking.Gauge, e *env.Env) error {
	pretends, ok := a.(agents.Pretender)
	if !ok || !m.even || len(e.Legal()) > 1 {
		return nil
	}
	m.server.metrics.pretended.Inc()
	return m.server.thinks.Do(ctx, m.owner, gauge, func(ctx context.Context) error {
		return pretends.Pretend(ctx, e.View(e.Actor()), e.Actor(), e.Legal())
	})
}

// ready says why the agents must not be asked now.
func (m *company) ready() error {
	if m.long() {
		return m.server.thinks.Full()
	}
	return nil
}

// long reports whether one of the agents may think for long.
func (m *company) long() bool {
	if m == nil {
		return false
	}
	for _, p := range m.seats {
		if p.agents.long() || p.choir != nil && p.choir.long() {
			return true
		}
	}
	return false
}

// long reports whether the agent may think for long. It looks at gauges alone: the rest of a
// voice is its worker's, which may be at work.
func (h *choir) long() bool {
	for i := range h.voices {
		if gauge := h.voices[i].gauge; gauge != nil && gauge.Long() {
			return true
		}
	}
	return false
}

// seed makes rng the generator of a game with the seed.
func (h *choir) seed(rng *rand.PCG, seed uint64) {
	if h.network {
		agents.Seed(rng, seed)
		return
	}
	h.voices[0].solo.Seed(rng, seed)
}

// rng returns the generator of the actor of a turn.
func (h *choir) rng(t *vec.Turn) *rand.PCG { return &h.rngs[t.Slot*h.seats+int(t.Env.Actor())] }

// hear notes a turn that is the network's.
func (h *choir) hear(worker, i int, t *vec.Turn) {
	v, e := &h.voices[worker], t.Env
	size, width := h.encoder.Layout().Size, len(e.Game().Spec().Actions)
	n := len(v.turns)
	v.turns = append(v.turns, i)
	v.observations = slices.Grow(v.observations[:n*size], size)[:(n+1)*size]
	v.masks = slices.Grow(v.masks[:n*width], width)[:(n+1)*width]
	h.encoder.Encode(v.observations[n*size:], e.View(e.Actor()), e.Actor())
	mask := v.masks[n*width:]
	clear(mask)
	for _, a := range e.Legal() {
		mask[a] = 1
	}
	v.agent.Adviser().MarkNext(mask, e)
	v.rngs = append(v.rngs[:n], h.rng(t))
	v.actions = append(v.actions[:n], 0)
}

// hear has a choir choose in the turns that were noted.
func (m *company) hear(ctx context.Context, h *choir, worker int, turns []vec.Turn) {
	v := &h.voices[worker]
	if len(v.turns) == 0 {
		return
	}
	err := m.server.thinks.Do(ctx, m.owner, v.batches.of(len(v.turns)), func(ctx context.Context) error {
		return v.agent.ActEach(ctx, v.observations, v.masks, v.rngs, v.actions)
	})
	for row, i := range v.turns {
		turns[i].Action, turns[i].Err = engine.Action(v.actions[row]), err
	}
	v.turns = v.turns[:0]
}
