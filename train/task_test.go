package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"powderkeg/agents/network"
)

// hands is a crew in the process whose members come and go: tasks are played out of order,
// some by a fresh actor, some twice, and some parts come back spoilt.
type hands struct {
	config  Config
	actors  []*Actor
	rng     *rand.Rand
	refused int
	stop    error // returned after late tasks
	late    int
}

func (h *hands) Play(_ context.Context, tasks []*Task, weights map[Digest][]byte, take func(int, *Part) error) error {
	fetch := func(d Digest) ([]byte, error) {
		if data, ok := weights[d]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("no weights %v", d)
	}
	var group sync.WaitGroup
	faults := make([]error, len(tasks))
	for done, n := range h.rng.Perm(len(tasks)) {
		if h.stop != nil && done == h.late {
			group.Wait()
			return h.stop
		}
		at := h.rng.IntN(len(h.actors))
		if h.rng.IntN(4) == 0 {
			h.actors[at].Close()
			var err error
			if h.actors[at], err = NewActor(h.config); err != nil {
				return err
			}
		}
		for range 1 + h.rng.IntN(2) {
			part, err := h.actors[at].Play(tasks[n], fetch)
			if err != nil {
				return err
			}
			if h.rng.IntN(3) == 0 {
				part.Hashes[0]++
				if err := take(n, part); !errors.Is(err, ErrPart) {
					return fmt.Errorf("a part that was spoilt: error %v", err)
				}
				h.refused++
				part.Hashes[0]--
			}
			if faults[n] == nil {
				faults[n] = errors.New("done")
				group.Go(func() { faults[n] = take(n, part) })
				break
			}
		}
	}
	group.Wait()
	return errors.Join(faults...)
}

// calm is a crew of one, who plays tasks in their order.
type calm struct{ *Actor }

func (c calm) Play(_ context.Context, tasks []*Task, weights map[Digest][]byte, take func(int, *Part) error) error {
	for n, task := range tasks {
		part, err := c.Actor.Play(task, func(d Digest) ([]byte, error) { return weights[d], nil })
		if err != nil {
			return err
		}
		if err := take(n, part); err != nil {
			return err
		}
	}
	return nil
}

// undisturbed returns a run that nothing happens to: by itself, or, where networks add up in
// another order with other batches, with a crew that nothing happens to.
func undisturbed(t *testing.T, c Config) *Trainer {
	t.Helper()
	r := trainer(t, c)
	if network.ForeignBLAS {
		a, err := NewActor(c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(a.Close)
		r.Employ(calm{a}, 0)
	}
	return r
}

// TestCrewsPlayWhatTheCollectorWould: with workers that come, go, lie and overlap a run has
// the weights that it has undisturbed, also after it was resumed.
func TestCrewsPlayWhatTheCollectorWould(t *testing.T) {
	for name, c := range partConfigs() {
		t.Run(name, func(t *testing.T) {
			c.Shards, c.League.SnapshotEvery = 3, 2
			alone, led := undisturbed(t, c), trainer(t, c)
			h := &hands{config: c, rng: rand.New(rand.NewPCG(1, 2))}
			for range 2 {
				a, err := NewActor(c)
				if err != nil {
					t.Fatal(err)
				}
				h.actors = append(h.actors, a)
			}
			t.Cleanup(func() {
				for _, a := range h.actors {
					a.Close()
				}
			})
			led.Employ(h, 0)
			for half := range 2 {
				updates(t, alone, 3)
				updates(t, led, 3)
				if !slices.Equal(alone.net.Weights(), led.net.Weights()) {
					t.Fatal("the weights differ from those of a run that nothing happened to")
				}
				if half == 0 {
					led = reopened(t, c, led)
					led.Employ(h, 0)
				}
			}
			one, err1 := alone.Checkpoint()
			other, err2 := led.Checkpoint()
			if err1 != nil || err2 != nil || string(one.State) != string(other.State) {
				t.Errorf("the runs stand otherwise, errors %v and %v", err1, err2)
			}
			if h.refused == 0 {
				t.Error("no part was spoilt")
			}
			h.stop = errors.New("everybody has left")
			h.late = 1
			if _, err := led.Update(); !errors.Is(err, h.stop) {
				t.Errorf("error %v, want %v", err, h.stop)
			}
			if again, err := led.Checkpoint(); err != nil || string(again.State) != string(other.State) {
				t.Errorf("an update that was not made has left something behind, error %v", err)
			}
		})
	}
}

func TestActorsRefuseWhatTheyAreNotGiven(t *testing.T) {
	c := partConfigs()["critic"]
	c.League.SnapshotEvery = 1
	led := trainer(t, c)
	updates(t, led, 1)
	led.Employ(nil, 0)
	slots, err := led.collector.rest()
	if err != nil {
		t.Fatal(err)
	}
	tasks, weights := led.tasks(led.updates, slots)
	fetch := func(d Digest) ([]byte, error) { return weights[d], nil }
	for want, change := range map[string]func(*Task){
		"slots, not 1":                 func(task *Task) { task.To = task.From + 1 },
		"environments":                 func(task *Task) { task.From, task.To = task.From+c.Envs, task.To+c.Envs },
		"are not what their name says": func(task *Task) { task.Net[0]++ },
		"the network":                  func(task *Task) { task.Critic = task.Net },
		"more than 0 snapshots":        func(task *Task) { task.Members = nil },
	} {
		a, err := NewActor(c)
		if err != nil {
			t.Fatal(err)
		}
		task := *tasks[0]
		change(&task)
		if _, err := a.Play(&task, fetch); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		a.Close()
	}
}

// TestChecksFindProbabilitiesThatAreNotOfTheWeights: an honest part passes, also one of an actor
// that rounds otherwise; one that lies about one number of any kind does not.
func TestChecksFindProbabilitiesThatAreNotOfTheWeights(t *testing.T) {
	for name, c := range partConfigs() {
		t.Run(name, func(t *testing.T) {
			led := trainer(t, c)
			updates(t, led, 2)
			slots, err := led.collector.rest()
			if err != nil {
				t.Fatal(err)
			}
			tasks, weights := led.tasks(led.updates, slots)
			fetch := func(d Digest) ([]byte, error) { return weights[d], nil }
			a, err := NewActor(c)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			for _, task := range tasks {
				p, err := a.Play(task, fetch)
				if err != nil {
					t.Fatal(err)
				}
				for _, list := range [][]float32{p.LogProbs, p.Values, p.Logits, p.Next} {
					for i := range list {
						list[i] += 1e-5
					}
				}
				if err := a.Check(task, p, fetch); err != nil {
					t.Fatalf("an honest part: %v", err)
				}
				b := a.collector.rollout
				learnt := slices.Index(b.Learn, true)
				lies := map[string]*float32{"logarithm of a probability": &p.LogProbs[learnt], "value": &p.Values[learnt*b.Seats]}
				if p.Logits != nil {
					lies["logit"] = &p.Logits[learnt*b.NumActions]
				}
				if len(p.Cut) > 0 {
					lies["value of what was cut off"] = &p.Cut[len(p.Cut)-1].Values[0]
				}
				for what, x := range lies {
					was := *x
					*x -= 0.01
					if err := a.Check(task, p, fetch); !errors.Is(err, ErrPolicy) || !errors.Is(err, ErrPart) || !strings.Contains(err.Error(), "the "+what+" is") {
						t.Errorf("a false %s: error %v", what, err)
					}
					*x = was
				}
				for i := range p.Next {
					p.Next[i] -= 0.01
				}
				if err := a.Check(task, p, fetch); !errors.Is(err, ErrPolicy) {
					t.Errorf("false next values: error %v", err)
				}
			}
		})
	}
}
