package train

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"powderkeg/engine"
)

// TestPolicyNeverSeesWhatTheCriticDoes puts pairs of worlds that the actor cannot tell
// apart into two environments: the player's observation, logits and own values are equal
// bit for bit, and the critic sees another world, and values it otherwise.
func TestPolicyNeverSeesWhatTheCriticDoes(t *testing.T) {
	for _, game := range []string{"leduc", "jogu", "domination", "insurgency"} {
		t.Run(game, func(t *testing.T) {
			c := small(game)
			c.Envs, c.League.Share, c.PPO.Critic.Hidden = 2, 0, []int{16}
			k := trainer(t, c).collector
			b, w, rng := k.rollout, k.workers[0], rand.NewPCG(5, 1)
			first, twin := k.vec.Env(0), k.vec.Env(1)
			told, differ := 0, 0
			for range 600 {
				if first.Terminated() {
					if err := first.StartFrom(nil); err != nil {
						t.Fatal(err)
					}
					first.Restart()
				}
				actor := first.Actor()
				other := first.Game().New().(engine.Hidden)
				other.Redeal(first.View(actor), rng)
				one, err := first.State().MarshalJSON()
				two, otherErr := other.MarshalJSON()
				if errors.Is(err, engine.ErrUnderWay) || errors.Is(otherErr, engine.ErrUnderWay) {
					legal := first.Legal() // on to where both can be written
					if err := first.Step(legal[rng.Uint64()%uint64(len(legal))]); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if err := errors.Join(err, otherErr, first.StartFrom(one), twin.StartFrom(two)); err != nil {
					t.Fatal(err)
				}
				first.Restart()
				twin.Restart()
				if twin.Actor() != actor {
					continue // what is dealt says whether a secret question comes first
				}
				k.observe(0, 0)
				k.observe(0, 1)
				k.act(w, 0)
				o, a, p := b.Seats-1, b.NumActions, b.Seats
				if !reflect.DeepEqual(b.Obs[0], b.Obs[1]) || !slices.Equal(b.Logits[:a], b.Logits[a:2*a]) || !slices.Equal(b.Masks[:a], b.Masks[a:2*a]) {
					t.Fatal("the policy can tell two worlds apart that its seat cannot")
				}
				told++
				if !reflect.DeepEqual(b.Others[:o], b.Others[o:2*o]) {
					differ++
					if slices.Equal(b.Values[:p], b.Values[p:2*p]) {
						t.Error("the critic sees two worlds and values them alike")
					}
				}
				if err := first.Step(k.slots[0].action); err != nil {
					t.Fatal(err)
				}
			}
			if told < 100 || differ < told/10 {
				t.Errorf("of %d pairs of worlds %d look different to the critic", told, differ)
			}
		})
	}
}
