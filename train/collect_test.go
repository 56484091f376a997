package train

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine"
	"powderkeg/train/league"
	"powderkeg/train/ppo"
	"powderkeg/train/rollout"
)

// TestRolloutsRecordWhatHappened replays each slot's record from the recorded
// numbers alone: probabilities, values, masks, rewards and ends.
func TestRolloutsRecordWhatHappened(t *testing.T) {
	for _, advice := range []int{0, 2} {
		t.Run(fmt.Sprint("advice ", advice), func(t *testing.T) { testRollouts(t, advice) })
	}
}

func testRollouts(t *testing.T, advice int) {
	c := small("leduc")
	c.MaxDecisions = 4 // truncates the longer games
	c.League.Agents[0].Share = 0.5
	c.Network.Advice = advice
	r := trainer(t, c)
	k := r.collector
	for range 3 {
		e, err := k.collect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b := k.rollout
		w := r.net.NewWorkspace(1)
		logits, values, probs := make([]float32, b.NumActions), make([]float32, b.Seats), make([]float32, b.NumActions)
		seen := make([]float32, b.Inputs)
		learned, ended, truncated := 0, 0, 0
		estimated := map[bool]int{} // truncations by whether the learner would act next
		for i := range b.Actors {
			slot := i % b.Envs
			b.Seen(seen, i)
			r.net.Forward(w, seen, logits, values)
			mask := b.Masks[i*b.NumActions : (i+1)*b.NumActions]
			r.net.Config().Advise(logits, mask)
			network.Softmax(probs, logits, mask)
			for q, got := range b.Values[i*b.Seats : (i+1)*b.Seats] {
				if !b.Learn[i] {
					break
				}
				if math.Abs(float64(got-values[q])) > 1e-6 {
					t.Fatalf("decision %d has value %v in place %d, the network %v", i, got, q, values[q])
				}
			}
			if b.Learn[i] {
				learned++
				if mask[b.Actions[i]] == 0 {
					t.Fatalf("decision %d took the illegal action %d", i, b.Actions[i])
				}
				if p := math.Exp(float64(b.LogProbs[i])); math.Abs(p-float64(probs[b.Actions[i]])) > 1e-5 {
					t.Fatalf("decision %d has probability %v, the policy says %v", i, p, probs[b.Actions[i]])
				}
			} else if k.slots[slot].seats == nil {
				t.Fatalf("decision %d of self-play is not learned from", i)
			}
			rewards := b.Rewards[i*b.Seats : (i+1)*b.Seats]
			if sum := rewards[0] + rewards[1]; sum != 0 || max(rewards[0], rewards[1]) > 1 {
				t.Fatalf("decision %d has rewards %v, want a zero sum within 1", i, rewards)
			}
			switch b.Ends[i] {
			case rollout.Terminated:
				ended++
			case rollout.Truncated:
				ended++
				truncated++
				next := b.NextActors[i]
				if next < rollout.Opponent || int(next) >= b.Seats || next == rollout.Opponent && k.slots[slot].seats == nil {
					t.Fatalf("after truncated decision %d seat %d would act", i, next)
				}
				estimated[next >= 0]++
			}
		}
		if ended != e.games || truncated != e.truncated || truncated == 0 {
			t.Errorf("the record has %d ends and %d truncations, the sums say %d and %d; both kinds must occur", ended, truncated, e.games, e.truncated)
		}
		// Half of the environments are self-play; in the others half of the decisions,
		// roughly, are the learner's.
		if share := float64(learned) / float64(len(b.Actors)); share < 0.6 || share > 0.9 {
			t.Errorf("%.0f%% of the decisions are learned from, want about 75%%", 100*share)
		}
		if estimated[true] == 0 || estimated[false] == 0 {
			t.Errorf("truncations before the learner's decision and before an opponent's: %d and %d, both must occur", estimated[true], estimated[false])
		}
		for n := range b.Envs {
			want := k.vec.Env(n).Actor()
			if s := k.slots[n].seats; s != nil && s[want] != league.Learner {
				want = rollout.Opponent
			}
			if at := b.Steps*b.Envs + n; b.NextActors[at] != want {
				t.Errorf("the decision after the last step of slot %d is of seat %d, want %d", n, b.NextActors[at], want)
			}
		}
	}
}

// TestLearnersHoldEverySeatAgainstThePool counts whose decisions are learned from
// in the games against the pool.
func TestLearnersHoldEverySeatAgainstThePool(t *testing.T) {
	c := small("tictactoe")
	c.League = league.Config{Share: 1, Agents: []league.Named{{Name: "random", Share: 1}}}
	c.Envs = 2 // one begins on each seat
	r := trainer(t, c)
	held := map[engine.Player]int{}
	for range 10 {
		e, err := r.collector.collect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e.score(r.pool)
		b := r.collector.rollout
		for i, learn := range b.Learn {
			if learn {
				held[b.Actors[i]]++
			}
		}
	}
	// Games are five to nine moves, so that no seat can have twice the other's.
	if len(held) != 2 || held[0] > 2*held[1] || held[1] > 2*held[0] {
		t.Errorf("decisions learned from by seat: %v, want both seats about equally", held)
	}
	for _, m := range r.Pool().Members() {
		if m.Games == 0 {
			t.Errorf("member %s has no games on record", m.Name)
		}
	}
}

// TestUnmaskedPlayReplacesIllegalActions: the record holds the action that was
// chosen, legal or not, under a mask that allows all, and the penalty of an illegal
// one; the game goes on with a legal one.
func TestUnmaskedPlayReplacesIllegalActions(t *testing.T) {
	c := small("leduc")
	c.League.Share = 0
	c.PPO.Unmasked, c.PPO.IllegalPenalty = true, 0.25
	r := trainer(t, c)
	if _, err := r.collector.collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	b, illegal := r.collector.rollout, 0
	for i := range b.Actors {
		for j, m := range b.Masks[i*b.NumActions : (i+1)*b.NumActions] {
			if m != 1 {
				t.Fatalf("decision %d has mask %d at action %d, want 1", i, m, j)
			}
		}
		rewards := b.Rewards[i*b.Seats : (i+1)*b.Seats]
		switch sum := float64(rewards[0] + rewards[1]); {
		case math.Abs(sum+0.25) < 1e-6:
			illegal++
			if other := rewards[1-b.Actors[i]]; b.Ends[i] == rollout.Running && other != 0 {
				t.Errorf("decision %d has rewards %v, the penalty is the actor's alone", i, rewards)
			}
		case math.Abs(sum) > 1e-6:
			t.Errorf("decision %d has rewards %v, want a sum of 0 or of the penalty", i, rewards)
		}
	}
	// Folding is illegal before a raise and raising after two.
	if share := float64(illegal) / float64(len(b.Actors)); share < 0.1 || share > 0.5 {
		t.Errorf("%.0f%% of an untrained network's actions are illegal, want a good part", 100*share)
	}
}

// TestForcedDecisionsAreNotRecorded: with skip_forced only a game's first decision may
// have one legal action, and what the seats gain by the decisions that are left out, the
// game's end above all, is in the record of the ones before them.
func TestForcedDecisionsAreNotRecorded(t *testing.T) {
	for _, test := range []struct {
		game string
		cap  int
	}{{"domination", 0}, {"domination", 25}, {"insurgency", 0}} {
		c := small(test.game)
		c.MaxDecisions, c.SkipForced, c.Envs, c.Steps = test.cap, true, 4, 400
		r := trainer(t, c)
		m, err := r.Update()
		if err != nil {
			t.Fatal(err)
		}
		if m.Forced == 0 || m.Decisions != int64(4*400+m.Forced) {
			t.Errorf("%s: %d forced decisions of %d in all, want some beside the 1600 that are recorded", test.game, m.Forced, m.Decisions)
		}
		b := r.collector.rollout
		ended, truncated := 0, 0
		for slot := range b.Envs {
			first, gained := true, float32(0)
			for step := range b.Steps {
				i := step*b.Envs + slot
				choices := 0
				for _, legal := range b.Masks[i*b.NumActions : (i+1)*b.NumActions] {
					choices += int(legal)
				}
				if choices < 2 && !first && b.Learn[i] {
					t.Fatalf("%s: decision %d of slot %d has %d legal actions", test.game, step, slot, choices)
				}
				gained += b.Rewards[i*b.Seats]
				if first = b.Ends[i] != rollout.Running; !first {
					continue
				}
				ended++
				if b.Ends[i] == rollout.Truncated {
					truncated++
				} else if gained != 1 && gained != 0 && gained != -1 {
					t.Errorf("%s: seat 0 has gained %v in a game", test.game, gained)
				}
				if b.Ends[i] == rollout.Truncated && gained != 0 {
					t.Errorf("%s: seat 0 has gained %v in a game without an end", test.game, gained)
				}
				gained = 0
			}
		}
		if ended != m.GamesEnded || truncated != m.Truncated || ended == 0 || (truncated > 0) != (test.cap > 0) {
			t.Errorf("%s: the record has %d ends and %d truncations, the metrics %d and %d", test.game, ended, truncated, m.GamesEnded, m.Truncated)
		}
	}
}

// TestMarginsAreMixedIntoTheEnd: the rewards of a game add up to the payoff's share and
// that of the margins, which the last position has.
func TestMarginsAreMixedIntoTheEnd(t *testing.T) {
	c := small("domination")
	c.Envs, c.Steps, c.League.Share = 1, 1, 0
	c.Margin = ppo.Constant(0.25)
	k := trainer(t, c).collector
	k.margin = 0.25
	e := k.vec.Env(0)
	for games := 0; games < 3; {
		k.rollout.Carry(0)
		k.act(k.workers[0], 0)
		if err := k.advance(0, 0); err != nil {
			t.Fatal(err)
		}
		want := []float32{0, 0}
		if e.Terminated() {
			games++
			margins := e.State().(engine.Marginal).Margins(nil)
			for q, r := range e.Returns() {
				want[q] = 0.75*r + 0.25*margins[q]
			}
		}
		for q, got := range k.rollout.Rewards {
			if math.Abs(float64(got-want[q])) > 1e-6 {
				t.Fatalf("rewards are %v, want %v", k.rollout.Rewards, want)
			}
		}
		var sum episodes
		sum.returns = make([]float64, 2)
		k.settle(0, 0, &sum, nil)
	}
}

func TestMarginsNeedAGameThatHasThem(t *testing.T) {
	c := small("kuhn")
	c.Margin.Start = 0.5
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "margin: in kuhn") {
		t.Errorf("error is %v, want margins refused in kuhn", err)
	}
	c = small("domination")
	c.Margin.End = 2
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "margin.end is 2, it must be from 0 to 1") {
		t.Errorf("error is %v, want a weight of 2 refused", err)
	}
}

// TestFaultsEndARollout: the error names the environment, and its neighbours do not play on to
// the end. A rollout that is given up is no fault.
func TestFaultsEndARollout(t *testing.T) {
	c := small("leduc")
	c.League.Share, c.Steps, c.Workers = 0, 1<<14, 2
	k := trainer(t, c).collector
	broken := c.Envs - 1
	for e := k.vec.Env(broken); !e.Terminated(); {
		if err := e.Step(e.Legal()[0]); err != nil {
			t.Fatal(err)
		}
	}
	e, err := k.collect(t.Context())
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("environment %d: ", broken)) {
		t.Errorf("error is %v, want one that names environment %d", err, broken)
	}
	if most := c.Envs * c.Steps / 8; e.games > most { // a game is some five decisions
		t.Errorf("%d games were played beside the fault, want at most %d", e.games, most)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := trainer(t, c).collector.collect(ctx); err != context.Canceled {
		t.Errorf("error is %v, want %v", err, context.Canceled)
	}
}
