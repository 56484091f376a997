package train

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"powderkeg/agents/network/kernel"
	"powderkeg/engine"
	"powderkeg/train/ppo"
	"powderkeg/train/rollout"
)

// partConfigs are runs whose rollouts have all that a part must keep: truncated games, games
// against the pool, forced decisions, a critic, a policy that is held to the old one, pairs,
// margins, an archive.
func partConfigs() map[string]Config {
	list := map[string]Config{}
	add := func(name, game string, change func(*Config)) {
		c := small(game)
		c.League.Agents[0].Share = 0.5
		change(&c)
		list[name] = c
	}
	add("truncated", "leduc", func(c *Config) { c.MaxDecisions, c.League.Matchmaking.Priority = 4, "hard" })
	add("held", "kuhn", func(c *Config) { c.PPO.Proximal = ppo.Constant(0.1) })
	add("critic", "leduc", func(c *Config) { c.PPO.Critic.Hidden, c.League.Paired, c.MaxDecisions = []int{8}, true, 5 })
	add("forced", "domination", func(c *Config) {
		c.SkipForced, c.Margin, c.MaxDecisions, c.Envs, c.Steps = true, ppo.Constant(0.5), 40, 8, 64
		c.Archive.Share, c.Archive.Games = 0.5, 2
		c.Network.Advice = 3
		c.Network.Entities = []Entities{{Count: 25, Width: 2, Fields: []string{"areas", "open_areas"}, Actions: []string{"BUILD_AT ", "REMOVE_AT "}}}
	})
	return list
}

// TestPartsAreTheRolloutAgain: what one trainer has played another has from its parts, bit
// for bit, and both go on alike.
func TestPartsAreTheRolloutAgain(t *testing.T) {
	for name, c := range partConfigs() {
		t.Run(name, func(t *testing.T) {
			one, other := trainer(t, c), trainer(t, c)
			for range 3 {
				e, err := one.collector.collect(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				p, err := one.collector.part()
				if err != nil {
					t.Fatal(err)
				}
				k := other.collector
				half := c.Envs / 2
				var sum episodes
				for _, own := range []span{{0, half}, {half, c.Envs}} {
					played, err := k.recall(cutPart(p, k.rollout.Shape, own), own.from, own.to)
					if err != nil {
						t.Fatal(err)
					}
					sum.add(played)
				}
				e.score(one.pool)
				sum.score(other.pool)
				if e.games == 0 || e.games != sum.games || e.truncated != sum.truncated || e.forced != sum.forced || e.decisions != sum.decisions ||
					!reflect.DeepEqual(e.returns, sum.returns) {
					t.Fatalf("the parts sum up to %+v, the rollout to %+v", sum, e)
				}
				same(t, one.collector.rollout, k.rollout)
			}
			was, err1 := one.Checkpoint()
			is, err2 := other.Checkpoint()
			if err1 != nil || err2 != nil || string(was.State) != string(is.State) {
				t.Errorf("the trainers stand otherwise now, errors %v and %v", err1, err2)
			}
		})
	}
}

// cutPart returns what a part of all slots says of some.
func cutPart(p *Part, s rollout.Shape, own span) *Part {
	n := own.to - own.from
	q := &Part{Next: p.Next[own.from*s.Seats : own.to*s.Seats], Choices: p.Choices[own.from:own.to], Hashes: p.Hashes[own.from:own.to]}
	for t := range s.Steps {
		from := t*s.Envs + own.from
		q.Actions = append(q.Actions, p.Actions[from:from+n]...)
		q.LogProbs = append(q.LogProbs, p.LogProbs[from:from+n]...)
		q.Values = append(q.Values, p.Values[from*s.Seats:(from+n)*s.Seats]...)
		if p.Logits != nil {
			q.Logits = append(q.Logits, p.Logits[from*s.NumActions:(from+n)*s.NumActions]...)
		}
	}
	for _, c := range p.Cut {
		if c.Slot >= own.from && c.Slot < own.to {
			q.Cut = append(q.Cut, Cut{c.Step, c.Slot - own.from, c.Values})
		}
	}
	return q
}

// forget clears what is seen of decision i.
func forget(b *rollout.Buffer, i int) {
	b.Obs[i] = kernel.Row{}
	clear(b.Masks[i*b.NumActions : (i+1)*b.NumActions])
	if b.Others != nil {
		n := b.Seats - 1
		clear(b.Others[i*n : (i+1)*n])
	}
}

// same compares what is learned from.
func same(t *testing.T, a, b *rollout.Buffer) {
	t.Helper()
	for i := range a.Actors {
		if a.Learn[i] != b.Learn[i] || a.Actors[i] != b.Actors[i] || a.Ends[i] != b.Ends[i] {
			t.Fatalf("decision %d is of another kind", i)
		}
		if !a.Learn[i] { // what stands there is of earlier rollouts
			for _, x := range []*rollout.Buffer{a, b} {
				x.LogProbs[i] = 0
				clear(x.Values[i*x.Seats : (i+1)*x.Seats])
				clear(x.Logits[i*x.NumActions : (i+1)*x.NumActions])
				forget(x, i)
			}
		}
		if a.Ends[i] != rollout.Truncated {
			a.NextActors[i], b.NextActors[i] = 0, 0
		}
		if a.Ends[i] != rollout.Truncated || a.NextActors[i] == rollout.Opponent {
			clear(a.NextValues[i*a.Seats : (i+1)*a.Seats])
			clear(b.NextValues[i*b.Seats : (i+1)*b.Seats])
		}
	}
	for n := range a.Envs {
		if i := a.Steps*a.Envs + n; a.NextActors[i] == rollout.Opponent {
			forget(a, i)
			forget(b, i)
			clear(a.NextValues[i*a.Seats : (i+1)*a.Seats])
			clear(b.NextValues[i*b.Seats : (i+1)*b.Seats])
		}
	}
	for name, pair := range map[string][2]any{
		"observations": {a.Obs, b.Obs}, "masks": {a.Masks, b.Masks}, "others": {a.Others, b.Others}, "actions": {a.Actions, b.Actions},
		"log-probabilities": {a.LogProbs, b.LogProbs}, "values": {a.Values, b.Values}, "rewards": {a.Rewards, b.Rewards},
		"next actors": {a.NextActors, b.NextActors}, "next values": {a.NextValues, b.NextValues},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Fatalf("%s differ", name)
		}
	}
}

// TestPartsThatWereNotPlayedAreFoundOut: what does not fit is refused by name, and the slots
// go on from where they were restored.
func TestPartsThatWereNotPlayedAreFoundOut(t *testing.T) {
	c := partConfigs()["truncated"]
	c.PPO.Proximal = ppo.Constant(0.1)
	one, other := trainer(t, c), trainer(t, c)
	if _, err := one.collector.collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := other.collector.rest()
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Part){
		"action":     func(p *Part) { p.Actions[len(p.Actions)/2] = engine.Action(one.game.Spec().Seats + 100) },
		"negative":   func(p *Part) { p.Actions[0] = -1 },
		"short":      func(p *Part) { p.Actions = p.Actions[1:] },
		"odds":       func(p *Part) { p.LogProbs = nil },
		"worth":      func(p *Part) { p.Values = p.Values[1:] },
		"logits":     func(p *Part) { p.Logits = nil },
		"next":       func(p *Part) { p.Next = nil },
		"cut":        func(p *Part) { p.Cut = p.Cut[1:] },
		"more cut":   func(p *Part) { p.Cut = append(p.Cut, p.Cut[0]) },
		"cut short":  func(p *Part) { p.Cut[0].Values = nil },
		"position":   func(p *Part) { p.Hashes[3]++ },
		"generator":  func(p *Part) { p.Choices[2] = []byte("dice") },
		"generators": func(p *Part) { p.Choices = nil },
		"odds of 2":  func(p *Part) { p.LogProbs[slices.IndexFunc(p.LogProbs, func(x float32) bool { return x != 0 })] = 0.7 },
		"no number":  func(p *Part) { p.Values[0] = float32(math.NaN()) },
		"no logit":   func(p *Part) { p.Logits[0] = float32(math.Inf(1)) },
		"no worth":   func(p *Part) { p.Next[0] = float32(math.Inf(1)) },
		"cut at NaN": func(p *Part) { p.Cut[0].Values[0] = float32(math.NaN()) },
	} {
		p, err := one.collector.part()
		if err != nil {
			t.Fatal(err)
		}
		spoil(p)
		if _, err := other.collector.recall(p, 0, c.Envs); !errors.Is(err, ErrPart) {
			t.Errorf("%s: error %v, want ErrPart", name, err)
		}
		if err := other.collector.restore(before); err != nil {
			t.Fatal(err)
		}
	}
	p, err := one.collector.part()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.collector.recall(p, 0, c.Envs); err != nil {
		t.Fatal(err)
	}
	same(t, one.collector.rollout, other.collector.rollout)
}
