// Package inference runs networks for many clients at once. Each network that is
// in use has one goroutine, which evaluates what all clients ask of it in
// batches, and is replaced while it plays when a newer checkpoint stands in its
// place.
//
// What an agent chooses follows from its seed and from what it is asked alone,
// not from what else is in the batch: each agent draws from a generator of its
// own, and in the pure Go build a row's logits are the same in whatever batch it
// comes. It is the same as what a learned.Agent would choose.
package inference

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"powderkeg/engine"
)

// Config sets up a Pool.
type Config struct {
	// MaxBatch bounds the decisions that a network makes at once.
	MaxBatch int
	// MaxWait bounds how long a batch waits to become as large as the one before it
	// was; 0 never waits. An agent that is alone never waits either.
	MaxWait time.Duration
	// Queue bounds the requests that wait for one network.
	Queue int
	// Reload is how often a Pool looks for newer checkpoints; 0 for never.
	Reload time.Duration
}

// Default returns the configuration for a small machine.
func Default() Config {
	return Config{MaxBatch: 256, MaxWait: 100 * time.Microsecond, Queue: 1024, Reload: 5 * time.Second}
}

// MostRows bounds the decisions of a batch, and the requests that wait for one.
const MostRows = 1 << 16

// Validate returns all faults of the configuration, joined.
func (c Config) Validate() error {
	var faults []error
	if c.MaxBatch < 1 || c.MaxBatch > MostRows {
		faults = append(faults, fmt.Errorf("inference: max-batch is %d, it must be from 1 to %d", c.MaxBatch, MostRows))
	}
	if c.Queue < 1 || c.Queue > MostRows {
		faults = append(faults, fmt.Errorf("inference: queue is %d, it must be from 1 to %d", c.Queue, MostRows))
	}
	if c.MaxWait < 0 {
		faults = append(faults, fmt.Errorf("inference: max-wait is %v, it must not be negative", c.MaxWait))
	}
	if c.Reload < 0 {
		faults = append(faults, fmt.Errorf("inference: reload is %v, it must not be negative", c.Reload))
	}
	return errors.Join(faults...)
}

// ErrOverloaded is returned where a network's queue is full.
var ErrOverloaded = errors.New("inference: the queue of the network is full")

// Pool holds the networks in use. Its methods are safe for concurrent use.
type Pool struct {
	config  Config
	log     *slog.Logger
	metrics *Metrics

	mu       sync.Mutex
	networks map[key]*served // guarded by mu

	running sync.WaitGroup // goroutines of networks
}

// key names a network. Agent strings of two games may name one file, of which
// one of them is refused.
type key struct{ game, agent string }

// NewPool returns a pool with no networks.
func NewPool(c Config, log *slog.Logger, m *Metrics) (*Pool, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Pool{config: c, log: log, metrics: m, networks: map[key]*served{}}, nil
}

// Open returns an agent that plays the network which an agent string of the game
// names, and which source reads unless it is in use already. Close the agent when
// it has played.
func (p *Pool) Open(g engine.Game, text string, source Source) (*Agent, error) {
	k := key{g.Spec().Text, text}
	p.mu.Lock()
	n := p.networks[k]
	if n == nil {
		n = &served{pool: p, key: k, source: source, log: p.log.With("game", k.game, "agent", text)}
		p.networks[k] = n
	}
	n.agents++
	p.mu.Unlock()
	// Not under the lock, so that a slow disk holds up only those who want this one.
	n.loading.Do(n.load)
	if n.fault != nil {
		p.leave(n)
		return nil, n.fault
	}
	return newAgent(n, g), nil
}

// leave ends a network that no agent plays any more.
func (p *Pool) leave(n *served) {
	p.mu.Lock()
	n.agents--
	last := n.agents == 0
	if last {
		delete(p.networks, n.key)
	}
	p.mu.Unlock()
	if last && n.fault == nil {
		close(n.quit)
		p.metrics.networks.Dec()
	}
}

// Wait returns when the goroutines of all networks are down, which they are when
// all agents have been closed.
func (p *Pool) Wait() { p.running.Wait() }

// Watch replaces networks by newer checkpoints until ctx ends.
func (p *Pool) Watch(ctx context.Context) {
	if p.config.Reload == 0 {
		return
	}
	tick := time.NewTicker(p.config.Reload)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, n := range p.loaded() {
			n.renew()
		}
	}
}

// loaded returns the networks in use.
func (p *Pool) loaded() []*served {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*served
	for _, n := range p.networks {
		if n.current.Load() != nil {
			list = append(list, n)
		}
	}
	return list
}
