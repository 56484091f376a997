package vec_test

import (
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env/vec"
)

// What a Vec shows stands in the memory that its caller has brought, byte for byte as in
// buffers of its own.
func TestCallersOwnTheMemory(t *testing.T) {
	for _, mode := range vec.Modes {
		const envs = 5
		v, twin := newVec(t, "leduc", vec.Config{Envs: envs, Workers: 2, Autoreset: mode}), newVec(t, "leduc",
			vec.Config{Envs: envs, Workers: 1, Autoreset: mode})
		own := twin.NewBuffers(envs)
		memory := vec.Buffers{Observations: make([]float32, len(own.Observations)), Masks: make([]uint8, len(own.Masks)),
			Rewards:    make([]float32, len(own.Rewards)),
			Terminated: make([]uint8, envs), Returns: make([]float32, len(own.Returns)), Lengths: make([]int32, envs), Actors: make([]engine.Player, envs)}
		given := memory
		if err := v.Fit(&given, envs); err != nil {
			t.Fatal(err)
		}
		if err := v.Reset(3, &given); err != nil {
			t.Fatal(err)
		}
		if err := twin.Reset(3, own); err != nil {
			t.Fatal(err)
		}
		actions := make([]engine.Action, envs)
		for range 60 {
			for i := range actions {
				actions[i] = choose(own, i, len(own.Masks)/envs, 1)
				if own.Terminated[i] == 1 && mode == vec.Disabled {
					for which, b := range map[*vec.Vec]*vec.Buffers{v: &given, twin: own} {
						if err := which.ResetSlot(i, 9, b); err != nil {
							t.Fatal(err)
						}
					}
					actions[i] = choose(own, i, len(own.Masks)/envs, 1)
				}
			}
			if err := v.Step(actions, &given); err != nil {
				t.Fatal(err)
			}
			if err := twin.Step(actions, own); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(memory.Observations, own.Observations) || !slices.Equal(memory.Masks, own.Masks) || !slices.Equal(memory.Actors, own.Actors) ||
				!slices.Equal(memory.Rewards, own.Rewards) || !slices.Equal(memory.Terminated, own.Terminated) ||
				!slices.Equal(memory.Returns, own.Returns) || !slices.Equal(memory.Lengths, own.Lengths) {
				t.Fatalf("%s: the caller's memory has\n%+v\nand buffers of the Vec's own\n%+v", mode, memory, *own)
			}
		}
	}
}

// Memory of the wrong length is refused by the name of the slice, before anything is written.
func TestFitNamesWhatDoesNotFit(t *testing.T) {
	v := newVec(t, "kuhn", vec.Config{Envs: 3, Workers: 1, Autoreset: vec.SameStep})
	for want, b := range map[string]vec.Buffers{
		"Observations has length 32; 3 rows of 11 make 33": {Observations: make([]float32, 32)},
		"Masks has length 7; 3 rows of 2 make 6":           {Masks: make([]uint8, 7)},
		"Rewards has length 0; 3 rows of 2 make 6":         {Rewards: []float32{}},
		"Final has length 3; 3 rows of 11 make 33":         {Final: make([]float32, 3)},
		"Lengths has length 4; 3 rows of 1 make 3":         {Lengths: make([]int32, 4)},
	} {
		if err := v.Fit(&b, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Fit returned %v, want %q", err, want)
		}
		if b.Truncated != nil {
			t.Errorf("%s: the buffers were changed", want)
		}
	}
	// What was never fitted is no place to write to: the width of its rows is not known.
	defer func() {
		if recover() == nil {
			t.Error("Reset took buffers that were not fitted")
		}
	}()
	v.Reset(1, &vec.Buffers{Observations: make([]float32, 33), Masks: make([]uint8, 6), Actors: make([]engine.Player, 3), Rewards: make([]float32, 6),
		Terminated: make([]uint8, 3), Truncated: make([]uint8, 3)})
}
