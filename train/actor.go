package train

import (
	"context"
	"fmt"
	"math/rand/v2"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
)

// Actor plays tasks of a run. It belongs to one goroutine, and keeps nothing from one task to
// the next but weights.
type Actor struct {
	config    Config
	game      engine.Game
	identity  checkpoints.Identity
	net       *network.Network
	critic    *network.Network // nil without one
	has       map[*network.Network]Digest
	members   map[Digest]*network.Network // the pool's snapshots, frozen
	collector *collector
	own       span // the collector's
}

// NewActor returns an actor for a run with the config, who plays on one processor.
func NewActor(c Config) (*Actor, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c.Workers = 1
	a := &Actor{config: c, has: map[*network.Network]Digest{}, members: map[Digest]*network.Network{}}
	var err error
	if a.game, err = c.NewGame(); err != nil {
		return nil, err
	}
	if a.identity, err = IdentityOf(c); err != nil {
		return nil, err
	}
	shape, err := c.networkFor(a.game)
	if err != nil {
		return nil, err
	}
	// Weights come with the tasks.
	if a.net, err = network.New(shape, rand.NewPCG(0, 0)); err != nil {
		return nil, err
	}
	if len(c.PPO.Critic.Hidden) > 0 {
		if a.critic, err = ppo.CriticNetwork(c.PPO, a.net, 0); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Close frees the actor.
func (a *Actor) Close() {
	if a.collector != nil {
		a.collector.close()
	}
}

// Play plays a task. fetch returns the weights of a name, as Crew.Play was given them.
func (a *Actor) Play(task *Task, fetch func(Digest) ([]byte, error)) (*Part, error) {
	if err := a.prepare(task, fetch); err != nil {
		return nil, err
	}
	if _, err := a.collector.collect(context.Background()); err != nil {
		return nil, err
	}
	return a.collector.part()
}

// prepare gives the actor what a task names, and sets its slots to where the task begins.
func (a *Actor) prepare(task *Task, fetch func(Digest) ([]byte, error)) error {
	if task.From < 0 || task.To > a.config.Envs {
		return fmt.Errorf("%w: task: environments %d to %d of %d", checkpoints.ErrMismatch, task.From, task.To-1, a.config.Envs)
	}
	if len(task.Slots) != task.To-task.From {
		return fmt.Errorf("%w: task: %d slots, not %d", checkpoints.ErrCorrupt, len(task.Slots), task.To-task.From)
	}
	if err := a.load(a.net, task.Net, fetch); err != nil {
		return err
	}
	if a.critic != nil {
		if err := a.load(a.critic, task.Critic, fetch); err != nil {
			return err
		}
	}
	pool, err := a.pool(task.Pool, task.Members, fetch)
	if err != nil {
		return err
	}
	if err := a.sit(span{task.From, task.To}, pool); err != nil {
		return err
	}
	k := a.collector
	k.margin, k.reach = task.Margin, task.Reach
	return k.restore(task.Slots)
}

// load sets a network to the weights of a name.
func (a *Actor) load(net *network.Network, d Digest, fetch func(Digest) ([]byte, error)) error {
	if a.has[net] == d {
		return nil
	}
	data, err := fetch(d)
	if err != nil {
		return err
	}
	delete(a.has, net) // half of them may be there after an error
	if err := unpack(net.Weights(), data, d); err != nil {
		return err
	}
	a.has[net] = d
	return nil
}

// pool returns the pool of a task, and forgets the snapshots that are no longer in it.
func (a *Actor) pool(s league.State, members []Digest, fetch func(Digest) ([]byte, error)) (*league.Pool, error) {
	p, err := league.New(a.game, a.config.League)
	if err != nil {
		return nil, err
	}
	kept, next := map[Digest]*network.Network{}, 0
	err = p.Restore(s, func(int) (*network.Network, error) {
		if next == len(members) {
			return nil, fmt.Errorf("%w: task: a pool of more than %d snapshots", checkpoints.ErrMismatch, len(members))
		}
		d := members[next]
		next++
		net, ok := a.members[d]
		if !ok {
			data, err := fetch(d)
			if err != nil {
				return nil, err
			}
			weights := make([]float32, len(a.net.Weights()))
			if err := unpack(weights, data, d); err != nil {
				return nil, err
			}
			net = network.FromWeights(a.net.Config(), weights).Frozen()
		}
		kept[d] = net
		return net, nil
	})
	a.members = kept
	return p, err
}

// sit gives the actor the slots of a span, against a pool.
func (a *Actor) sit(own span, pool *league.Pool) (err error) {
	switch size := own.to - own.from; {
	case a.collector == nil || len(a.collector.slots) != size:
		a.Close()
		a.collector = nil
		if a.collector, err = newCollector(a.game, a.config, own, a.net, a.critic, pool); err != nil {
			return err
		}
	case a.own != own:
		a.collector.assign(a.config, own.from)
	}
	a.own = own
	a.collector.join(pool)
	return nil
}

// join sets the pool, with fresh players of those who have left it or changed.
func (k *collector) join(pool *league.Pool) {
	k.pool = pool
	for _, w := range k.workers {
		clear(w.policies)
	}
}

// Identity is that of the game that the actor plays.
func (a *Actor) Identity() checkpoints.Identity { return a.identity }
