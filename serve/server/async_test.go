package server_test

import (
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/env/vec"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
)

// row is what one slot shows.
type row struct {
	actor  engine.Player
	mask   []uint8
	obs    []float32
	reward []float32
	ended  bool
}

// history plays n decisions in every slot, by choices that follow from the slot
// and the number of the decision, and returns what each slot has shown.
func history(t *testing.T, v *client.Vec, n int, step func(pending []int32, actions []engine.Action) *protocol.VecReceived) [][]row {
	t.Helper()
	envs, width, size, seats := int(v.Made.Envs), int(v.Made.Actions), int(v.Made.ObservationSize), int(v.Made.Seats)
	var first protocol.VecResult
	if err := v.Reset(t.Context(), 5, &first); err != nil {
		t.Fatal(err)
	}
	shown := make([][]row, envs)
	result := &protocol.VecReceived{VecResult: first}
	for i := range envs {
		result.Slots = append(result.Slots, int32(i))
	}
	for left := envs * (n + 1); ; {
		var slots []int32
		var actions []engine.Action
		for i, s := range result.Slots {
			r := row{actor: result.Actors[i], mask: slices.Clone(result.Masks[i*width : (i+1)*width]),
				obs: slices.Clone(result.Observations[i*size : (i+1)*size]), reward: slices.Clone(result.Rewards[i*seats : (i+1)*seats]),
				ended: result.Terminated[i]|result.Truncated[i] == 1}
			shown[s] = append(shown[s], r)
			left--
			if len(shown[s]) <= n {
				slots = append(slots, s)
				actions = append(actions, pick(r.mask, uint64(engine.NewHash().Word(uint64(s)).Word(uint64(len(shown[s]))))))
			}
		}
		if left == 0 {
			return shown
		}
		result = step(slots, actions)
	}
}

// In whatever order the slots come back, each shows what it shows when all are
// stepped together.
func TestSendAndReceiveEqualStep(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	const envs, n = 7, 40
	for _, mode := range []vec.Autoreset{vec.SameStep, vec.NextStep} {
		for _, text := range tested {
			p := &protocol.VecMake{Game: text, Envs: envs, Autoreset: string(mode), MaxDecisions: 11}
			together, err := c.MakeVec(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var result protocol.VecResult
			want := history(t, together, n, func(slots []int32, actions []engine.Action) *protocol.VecReceived {
				if err := together.Step(t.Context(), actions, &result); err != nil {
					t.Fatal(err)
				}
				return &protocol.VecReceived{VecResult: result, Slots: slots}
			})
			apart, err := c.MakeVec(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			var received protocol.VecReceived
			got := history(t, apart, n, func(slots []int32, actions []engine.Action) *protocol.VecReceived {
				pending := 0
				if len(slots) > 0 {
					var err error
					if pending, err = apart.Send(t.Context(), slots, actions); err != nil {
						t.Fatal(err)
					}
				}
				if err := apart.Receive(t.Context(), max(1, min(3, pending)), &received); err != nil {
					t.Fatal(err)
				}
				ended := 0
				for i := range received.Slots {
					ended += int(received.Terminated[i] | received.Truncated[i])
				}
				if len(received.Ended) != ended || len(received.Lengths) != ended {
					t.Errorf("%s, %s: %d episodes ended, the flags say %d", text, mode, len(received.Ended), ended)
				}
				return &received
			})
			for slot := range envs {
				same := slices.EqualFunc(got[slot], want[slot], func(a, b row) bool {
					return a.actor == b.actor && a.ended == b.ended && slices.Equal(a.mask, b.mask) && slices.Equal(a.obs, b.obs) && slices.Equal(a.reward, b.reward)
				})
				if !same || len(got[slot]) != n+1 {
					t.Errorf("%s, %s, slot %d: %d rows by vec.recv differ from the %d by vec.step", text, mode, slot, len(got[slot]), len(want[slot]))
				}
			}
		}
	}
}

func TestSendAndReceiveRefuseWhatWouldHangOrMixUp(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	ctx := t.Context()
	make := func(mode vec.Autoreset) *client.Vec {
		v, err := c.MakeVec(ctx, &protocol.VecMake{Game: "kuhn", Envs: 3, Autoreset: string(mode)})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	v := make(vec.SameStep)
	pass := []engine.Action{0}
	_, err := v.Send(ctx, []int32{0}, pass)
	wantCode(t, "before the reset", err, protocol.CodeOver, "vec.reset first")
	var all protocol.VecResult
	if err := v.Reset(ctx, 1, &all); err != nil {
		t.Fatal(err)
	}
	var r protocol.VecReceived
	wantCode(t, "nothing is under way", v.Receive(ctx, 1, &r), protocol.CodeParams, "0 slots under way")
	for _, x := range []struct {
		name    string
		slots   []int32
		actions []engine.Action
		code    protocol.Code
		part    string
	}{
		{"no slots", nil, nil, protocol.CodeParams, "one slot at least"},
		{"too few actions", []int32{0, 1}, pass, protocol.CodeParams, "1 actions for 2 slots"},
		{"a slot that is not there", []int32{0, 3}, []engine.Action{0, 0}, protocol.CodeParams, "slots 0 to 2"},
		{"a slot below 0", []int32{-1}, pass, protocol.CodeParams, "slots 0 to 2"},
		{"a slot twice", []int32{2, 2}, []engine.Action{0, 0}, protocol.CodeParams, "slot 2 has an action under way"},
		{"an illegal action", []int32{0, 1}, []engine.Action{0, 9}, protocol.CodeIllegal, "slot 1: action 9"},
	} {
		_, err := v.Send(ctx, x.slots, x.actions)
		wantCode(t, x.name, err, x.code, x.part)
	}
	if err := v.Step(ctx, []engine.Action{0, 0, 0}, &all); err != nil {
		t.Fatalf("a step after sends that were refused: %v", err)
	}
	if pending, err := v.Send(ctx, []int32{2, 0}, []engine.Action{0, 0}); err != nil || pending != 2 {
		t.Fatalf("send: %d pending, error %v, want 2", pending, err)
	}
	_, err = v.Send(ctx, []int32{0}, pass)
	wantCode(t, "a slot that is under way", err, protocol.CodeParams, "slot 0 has an action under way")
	wantCode(t, "more than are under way", v.Receive(ctx, 3, &r), protocol.CodeParams, "2 slots under way")
	wantCode(t, "a negative count", v.Receive(ctx, -1, &r), protocol.CodeParams, "count is -1")
	wantCode(t, "a step", v.Step(ctx, []engine.Action{0, 0, 0}, &all), protocol.CodeParams, "vec.send")
	wantCode(t, "a reset of slots", v.ResetSlots(ctx, []int32{1}, []uint64{1}, &all), protocol.CodeParams, "vec.send")
	wantCode(t, "a reset", v.Reset(ctx, 1, &all), protocol.CodeParams, "2 slots have an action under way")
	if err := v.Receive(ctx, 2, &r); err != nil || len(r.Slots) != 2 {
		t.Fatalf("receive: slots %v, error %v, want 2", r.Slots, err)
	}
	if err := v.Reset(ctx, 1, &all); err != nil {
		t.Errorf("a reset with nothing under way: %v", err)
	}
	disabled := make(vec.Disabled)
	if err := disabled.Reset(ctx, 1, &all); err != nil {
		t.Fatal(err)
	}
	_, err = disabled.Send(ctx, []int32{0}, pass)
	wantCode(t, "autoreset disabled", err, protocol.CodeParams, "same-step")

	// Whatever is under way ends with the connection; start looks for goroutines.
	if _, err := v.Send(ctx, []int32{0, 1, 2}, []engine.Action{0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	c.Close()
}
