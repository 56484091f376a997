package train

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/network"
)

// lagging are runs whose rollouts are played ahead, with a pool that changes meanwhile.
func lagging() map[string]Config {
	list := partConfigs()
	for name, c := range list {
		c.Lag, c.Updates, c.Shards, c.League.SnapshotEvery, c.League.Capacity = 1, 8, 3, 2, 2
		list[name] = c
	}
	return list
}

// inTurn makes updates as Config.Lag defines them, with nothing beside anything: the weights
// and the pool of before each update are kept, and play the rollout of the one after it.
func inTurn(t *testing.T, c Config, n int) []float32 {
	t.Helper()
	c.Lag = 0
	r := trainer(t, c)
	k := r.collector
	k.net = r.net.Clone()
	if k.critic != nil {
		k.critic = k.critic.Clone()
	}
	keep := func() {
		copy(k.net.Weights(), r.net.Weights())
		if k.critic != nil {
			copy(k.critic.Weights(), r.learner.Critic().Weights())
		}
		k.pool = r.pool.Clone()
	}
	keep()
	for u := range n {
		e, err := r.play(t.Context(), r.updates, nil)
		if err != nil {
			t.Fatal(err)
		}
		k.rollout.Age = int64(min(u, 1))
		e.score(r.pool)
		k.forget(r.pool)
		keep()
		if _, err := r.learner.Update(k.rollout, r.clock(r.updates)); err != nil {
			t.Fatal(err)
		}
		r.count(e.games, e.forced)
		if r.updates%int64(c.League.SnapshotEvery) == 0 {
			if _, err := r.snapshot(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return slices.Clone(r.net.Weights())
}

// TestPlayingAheadIsPlayingByTheWeightsOfBefore: beside each other the two come to what they
// come to one after the other.
func TestPlayingAheadIsPlayingByTheWeightsOfBefore(t *testing.T) {
	for name, c := range lagging() {
		t.Run(name, func(t *testing.T) {
			c.Workers = 1
			want := inTurn(t, c, c.Updates)
			r := trainer(t, c)
			for u := range c.Updates {
				m, err := r.Update()
				if err != nil {
					t.Fatal(err)
				}
				if m.Lag != int64(min(u, 1)) {
					t.Errorf("update %d has a lag of %d", u+1, m.Lag)
				}
			}
			if !slices.Equal(r.net.Weights(), want) {
				t.Error("the weights differ from those of a run in which nothing is beside anything")
			}
			if r.ahead == nil || r.ahead.done != nil {
				t.Error("a rollout is played that nobody learns from, or a longer run could not go on from here")
			}
			c.Lag = 0
			none := trainer(t, c)
			updates(t, none, c.Updates)
			if slices.Equal(none.net.Weights(), want) {
				t.Error("without a lag the weights are the same")
			}
		})
	}
}

// TestRunsThatPlayAheadAreResumedBitForBit, by the same hands or others: a checkpoint has no
// rollout, which is played again.
func TestRunsThatPlayAheadAreResumedBitForBit(t *testing.T) {
	for name, c := range lagging() {
		t.Run(name, func(t *testing.T) {
			a, err := NewActor(c)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(a.Close)
			h := &hands{config: c, rng: rand.New(rand.NewPCG(3, 4)), actors: []*Actor{a}}
			alone, led := undisturbed(t, c), trainer(t, c)
			for u := range c.Updates {
				if u%3 != 2 || network.ForeignBLAS {
					led.Employ(h, 0)
				}
				updates(t, alone, 1)
				updates(t, led, 1)
				if !slices.Equal(alone.net.Weights(), led.net.Weights()) {
					t.Fatalf("after update %d the weights differ", u+1)
				}
				one, err1 := alone.Checkpoint()
				other, err2 := led.Checkpoint()
				if err1 != nil || err2 != nil || string(one.State) != string(other.State) {
					t.Fatalf("after update %d the runs stand otherwise, errors %v and %v", u+1, err1, err2)
				}
				led = reopened(t, c, led)
			}
		})
	}
}

// moody is a crew that leaves in the middle of every other play.
type moody struct {
	*hands
	left  error
	plays int
}

func (m *moody) Play(ctx context.Context, tasks []*Task, weights map[Digest][]byte, take func(int, *Part) error) error {
	if m.stop = m.left; m.plays%2 == 1 {
		m.stop = nil
	}
	m.plays++
	return m.hands.Play(ctx, tasks, weights, take)
}

// TestAnUpdateThatFailsCanBeMadeAgain: the rollout that was not played is played once more, and
// a trainer that is closed waits for nobody.
func TestAnUpdateThatFailsCanBeMadeAgain(t *testing.T) {
	c := lagging()["truncated"]
	a, err := NewActor(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	alone, led := undisturbed(t, c), trainer(t, c)
	m := &moody{hands: &hands{config: c, rng: rand.New(rand.NewPCG(5, 6)), actors: []*Actor{a}, late: 1}, left: errors.New("everybody has left")}
	led.Employ(m, 0)
	updates(t, alone, 4)
	fresh, err := led.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	for failures := 0; led.updates < alone.updates; {
		_, err := led.Update()
		if err == nil {
			continue
		}
		if failures++; !errors.Is(err, m.left) || failures > 4 {
			t.Fatalf("failure %d: error %v, want %v", failures, err, m.left)
		}
		if again, err := led.Checkpoint(); led.updates == 0 && (err != nil || string(again.State) != string(fresh.State)) {
			t.Errorf("a first update that was not made has left something behind, error %v", err)
		}
	}
	if !slices.Equal(alone.net.Weights(), led.net.Weights()) {
		t.Error("the weights differ")
	}
}

// tired is a crew of whom nobody is left after the first play.
type tired struct {
	calm
	plays int
}

func (c *tired) Play(ctx context.Context, tasks []*Task, weights map[Digest][]byte, take func(int, *Part) error) error {
	if c.plays++; c.plays == 1 {
		return c.calm.Play(ctx, tasks, weights, take)
	}
	<-ctx.Done()
	return ctx.Err()
}

// TestACloseWaitsForNobody: what is played ahead is given up.
func TestACloseWaitsForNobody(t *testing.T) {
	c := lagging()["held"]
	a, err := NewActor(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	led := trainer(t, c)
	led.Employ(&tired{calm: calm{a}}, 0)
	updates(t, led, 1)
	if led.ahead == nil || led.ahead.done == nil {
		t.Error("nothing is being played")
	}
}
