package server_test

import (
	"fmt"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
)

// tested are the games whose trajectories are compared.
var tested = []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "jogu"}

// pick returns one of the legal actions of a mask, 0 where there is none.
func pick(mask []uint8, choice uint64) engine.Action {
	var legal []engine.Action
	for a, m := range mask {
		if m == 1 {
			legal = append(legal, engine.Action(a))
		}
	}
	if len(legal) == 0 {
		return 0
	}
	return legal[choice%uint64(len(legal))]
}

// An environment over the socket shows what one in the process does, number by
// number, through several episodes, with and without a new seed, capped and
// not, by action number and by name.
func TestEnvOverTheSocketEqualsEnvInTheProcess(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, text := range tested {
		for _, limit := range []int{0, 3} {
			t.Run(fmt.Sprintf("%s, cap %d", text, limit), func(t *testing.T) {
				g := enginetest.Game(t, text)
				want, err := env.New(g, env.Options{MaxDecisions: limit})
				if err != nil {
					t.Fatal(err)
				}
				seed, choice := uint64(7), engine.NewHash()
				e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: text, Seed: &seed, MaxDecisions: int64(limit)})
				if err != nil {
					t.Fatal(err)
				}
				want.Reset(seed)
				step := &e.Made.Step
				for episode := range 6 {
					same(t, step, want)
					for !step.Terminated && !step.Truncated {
						choice = choice.Word(1)
						a := pick(step.Mask, uint64(choice))
						move := protocol.ByNumber(a)
						if choice&1 == 0 {
							move = protocol.ByName(g.Spec().Actions[a])
						}
						if err := want.Step(a); err != nil {
							t.Fatal(err)
						}
						if err := e.Step(t.Context(), move, step); err != nil {
							t.Fatal(err)
						}
						same(t, step, want)
						position, err := e.Position(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						other := engine.Player(int(choice>>8) % g.Spec().Seats)
						seen, err := e.Observe(t.Context(), int64(other))
						obs := make([]float32, len(seen))
						want.ObserveAs(other, obs)
						if err != nil || !slices.Equal(seen, obs) {
							t.Fatalf("seat %d sees %v, error %v, want %v", other, seen, err, obs)
						}
						if hash := fmt.Sprintf("%016x", want.State().Hash()); position.Hash != hash {
							t.Fatalf("the state's hash is %s, want %s", position.Hash, hash)
						}
						if t.Failed() {
							return
						}
					}
					again := &seed
					if episode%2 == 0 {
						again = nil
						want.Restart()
					} else {
						seed++
						want.Reset(seed)
					}
					if err := e.Reset(t.Context(), again, step); err != nil {
						t.Fatal(err)
					}
				}
				if err := e.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// same compares what a step shows with an environment.
func same(t *testing.T, got *protocol.Step, want *env.Env) {
	t.Helper()
	spec := want.Game().Spec()
	obs, mask := make([]float32, want.Encoder().Layout().Size), make([]uint8, len(spec.Actions))
	want.Observe(obs, mask)
	if got.Actor != int64(want.Actor()) || got.Observer != max(got.Actor, 0) || got.Decisions != int64(want.Decisions()) ||
		got.Terminated != want.Terminated() || got.Truncated != want.Truncated() {
		t.Errorf("actor %d, observer %d, decisions %d, terminated %v, truncated %v; want %d, %d, %d, %v, %v", got.Actor, got.Observer,
			got.Decisions, got.Terminated, got.Truncated, want.Actor(), max(want.Actor(), 0), want.Decisions(), want.Terminated(), want.Truncated())
	}
	if !slices.Equal(got.Observation, obs) {
		t.Errorf("observation %v, want %v", got.Observation, obs)
	}
	if !slices.Equal(got.Mask, mask) {
		t.Errorf("mask %v, want %v", got.Mask, mask)
	}
	if !slices.Equal(got.Rewards, want.Rewards()) || !slices.Equal(got.Returns, want.Returns()) {
		t.Errorf("rewards %v and returns %v, want %v and %v", got.Rewards, got.Returns, want.Rewards(), want.Returns())
	}
}

// Whoever names no number of workers gets as many as have enough to do, and with agents all.
func TestVecHasTheWorkersThatAreWorthIt(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	for _, x := range []struct {
		make protocol.VecMake
		want int64
	}{
		{protocol.VecMake{Game: "leduc", Envs: 64}, 1},
		{protocol.VecMake{Game: "leduc", Envs: 64, Workers: 2}, 2},
		{protocol.VecMake{Game: "leduc", Envs: 8, Agents: []string{"", "random"}}, 2},
		{protocol.VecMake{Game: "jogu", Envs: 300}, 1},
		{protocol.VecMake{Game: "jogu", Envs: 512}, 2},
	} {
		v, err := c.MakeVec(t.Context(), &x.make)
		if err != nil {
			t.Fatal(err)
		}
		if v.Made.Workers != x.want {
			t.Errorf("%+v has %d workers, want %d", x.make, v.Made.Workers, x.want)
		}
		if err := v.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// A vectorised environment over the socket shows what one in the process does,
// in every mode and with either number of workers.
func TestVecOverTheSocketEqualsVecInTheProcess(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	const n, seed = 5, 11
	for _, text := range tested {
		for _, mode := range vec.Modes {
			for _, workers := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s, %s, %d workers", text, mode, workers), func(t *testing.T) {
					want, err := vec.New(enginetest.Game(t, text), vec.Config{Envs: n, Workers: 3 - workers, Autoreset: mode, Env: env.Options{MaxDecisions: 6}})
					if err != nil {
						t.Fatal(err)
					}
					defer want.Close()
					b := want.NewBuffers(n)
					v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: text, Envs: n, Workers: int64(workers), Autoreset: string(mode), MaxDecisions: 6})
					if err != nil {
						t.Fatal(err)
					}
					var got protocol.VecResult
					if err := v.Reset(t.Context(), seed, &got); err != nil {
						t.Fatal(err)
					}
					want.Reset(seed, b)
					choice, actions, width := engine.NewHash(), make([]engine.Action, n), int(v.Made.Actions)
					ended := 0
					for range 60 {
						sameVec(t, &got, b, mode)
						if t.Failed() {
							return
						}
						ended += len(got.Ended)
						if mode == vec.Disabled && len(got.Ended) > 0 {
							resetEnded(t, v, want, &got, b)
							continue
						}
						for i := range actions {
							choice = choice.Word(uint64(i))
							actions[i] = pick(got.Masks[i*width:(i+1)*width], uint64(choice))
						}
						if err := want.Step(actions, b); err != nil {
							t.Fatal(err)
						}
						if err := v.Step(t.Context(), actions, &got); err != nil {
							t.Fatal(err)
						}
					}
					if ended < 10 {
						t.Errorf("%d episodes ended, want at least 10 to have been compared", ended)
					}
					if err := v.Close(t.Context()); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}

// sameVec compares what all slots show with buffers.
func sameVec(t *testing.T, got *protocol.VecResult, want *vec.Buffers, mode vec.Autoreset) {
	t.Helper()
	if !slices.Equal(got.Observations, want.Observations) || !slices.Equal(got.Masks, want.Masks) || !slices.Equal(got.Actors, want.Actors) {
		t.Errorf("observations, masks or actors differ: actors %v, want %v", got.Actors, want.Actors)
	}
	if !slices.Equal(got.Rewards, want.Rewards) || !slices.Equal(got.Terminated, want.Terminated) || !slices.Equal(got.Truncated, want.Truncated) {
		t.Errorf("rewards %v, terminated %v, truncated %v; want %v, %v, %v", got.Rewards, got.Terminated, got.Truncated, want.Rewards, want.Terminated,
			want.Truncated)
	}
	n := len(want.Terminated)
	size, seats := len(want.Observations)/n, len(want.Rewards)/n
	row := 0
	for slot := range n {
		if want.Terminated[slot]|want.Truncated[slot] == 0 {
			continue
		}
		if row >= len(got.Ended) || int(got.Ended[row]) != slot {
			t.Fatalf("ended slots are %v, want slot %d at place %d", got.Ended, slot, row)
		}
		if !slices.Equal(got.Returns[row*seats:(row+1)*seats], want.Returns[slot*seats:(slot+1)*seats]) || got.Lengths[row] != want.Lengths[slot] {
			t.Errorf("slot %d: returns or length of the episode differ", slot)
		}
		if mode == vec.SameStep {
			if !slices.Equal(got.Final[row*size:(row+1)*size], want.Final[slot*size:(slot+1)*size]) || got.FinalActors[row] != want.FinalActors[slot] {
				t.Errorf("slot %d: the last observation differs", slot)
			}
		}
		row++
	}
	if len(got.Ended) != row || mode != vec.SameStep && len(got.Final) != 0 {
		t.Errorf("%d episodes ended with %d final numbers, want %d", len(got.Ended), len(got.Final), row)
	}
}

// Slots that are stepped by themselves show what they show when all are stepped.
func TestVecStepSlotsShowsTheseSlots(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	const n = 4
	all, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "leduc", Envs: n})
	if err != nil {
		t.Fatal(err)
	}
	some, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "leduc", Envs: n})
	if err != nil {
		t.Fatal(err)
	}
	var want protocol.VecResult
	var got protocol.VecReceived
	if err := some.Reset(t.Context(), 7, &want); err != nil {
		t.Fatal(err)
	}
	if err := all.Reset(t.Context(), 7, &want); err != nil {
		t.Fatal(err)
	}
	d, a, p := int(all.Made.ObservationSize), int(all.Made.Actions), int(all.Made.Seats)
	ended := 0
	for step := range 40 {
		moves := make([]engine.Action, n)
		for i := range moves {
			moves[i] = pick(want.Masks[i*a:(i+1)*a], uint64(step*n+i))
		}
		if err := all.Step(t.Context(), moves, &want); err != nil {
			t.Fatal(err)
		}
		ended += len(want.Ended)
		for _, slots := range [][]int32{{3, 0}, {1}, {2}} {
			chosen := make([]engine.Action, len(slots))
			for i, s := range slots {
				chosen[i] = moves[s]
			}
			if err := some.StepSlots(t.Context(), slots, chosen, &got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Slots, slots) || len(got.Observations) != len(slots)*d {
				t.Fatalf("step %d: slots %v with %d numbers, want %v", step, got.Slots, len(got.Observations), slots)
			}
			for i, s := range slots {
				j := int(s)
				if !slices.Equal(got.Observations[i*d:(i+1)*d], want.Observations[j*d:(j+1)*d]) ||
					!slices.Equal(got.Masks[i*a:(i+1)*a], want.Masks[j*a:(j+1)*a]) ||
					got.Actors[i] != want.Actors[j] || !slices.Equal(got.Rewards[i*p:(i+1)*p], want.Rewards[j*p:(j+1)*p]) ||
					got.Terminated[i] != want.Terminated[j] || slices.Contains(got.Ended, s) != slices.Contains(want.Ended, s) {
					t.Fatalf("step %d: slot %d differs from that of the vec which is stepped as a whole", step, s)
				}
			}
		}
	}
	if ended < 20 {
		t.Errorf("%d episodes have ended, want 20 at least", ended)
	}
}

// resetEnded begins new episodes where they have ended, on both sides. A step
// before that is refused.
func resetEnded(t *testing.T, v *client.Vec, want *vec.Vec, got *protocol.VecResult, b *vec.Buffers) {
	t.Helper()
	err := v.Step(t.Context(), make([]engine.Action, want.Envs()), &protocol.VecResult{})
	if int(got.Ended[0]) == 0 {
		wantCode(t, "a step of an ended slot", err, protocol.CodeOver, "slot 0", "vec.reset_slots first")
	} else if err == nil {
		t.Error("a step of an ended slot was not refused")
	}
	slots := slices.Clone(got.Ended)
	seeds := make([]uint64, len(slots))
	clear(b.Rewards)
	clear(b.Terminated)
	clear(b.Truncated)
	for i, s := range slots {
		seeds[i] = 1<<63 + uint64(s)
		want.ResetSlot(int(s), seeds[i], b)
	}
	if err := v.ResetSlots(t.Context(), slots, seeds, got); err != nil {
		t.Fatal(err)
	}
}
