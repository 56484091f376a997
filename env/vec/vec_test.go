package vec_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/envtest"
	"powderkeg/env/vec"
)

func newVec(t testing.TB, name string, c vec.Config) *vec.Vec {
	t.Helper()
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := vec.New(g, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

// choose picks a legal action of the mask from what the row shows alone, so that
// every way of driving the environments plays the same games.
func choose(b *vec.Buffers, row, actions int, salt uint64) engine.Action {
	mask := b.Masks[row*actions : (row+1)*actions]
	n := uint32(bytes.Count(mask, []byte{1}))
	if n == 0 {
		return 0
	}
	k := engine.Uint32N(rand.NewPCG(salt, 0), n)
	for a, legal := range mask {
		if legal == 1 {
			if k == 0 {
				return engine.Action(a)
			}
			k--
		}
	}
	panic("the mask has fewer ones than counted")
}

// row writes down a row of the buffers.
func row(b *vec.Buffers, v *vec.Vec, i int) string {
	var out bytes.Buffer
	n := v.Envs()
	part := func(data any) { _ = binary.Write(&out, binary.LittleEndian, data) }
	d := len(b.Observations) / n
	part(b.Observations[i*d : (i+1)*d])
	a := len(b.Masks) / n
	part(b.Masks[i*a : (i+1)*a])
	p := len(b.Rewards) / n
	part(b.Rewards[i*p : (i+1)*p])
	part([]int8{int8(b.Actors[i]), int8(b.Terminated[i]), int8(b.Truncated[i])})
	if b.Terminated[i] == 1 || b.Truncated[i] == 1 {
		part(b.Returns[i*p : (i+1)*p])
		part(b.Lengths[i])
		if b.Final != nil {
			part(b.Final[i*d : (i+1)*d])
			part([]int8{int8(b.FinalActors[i])})
		}
	}
	return out.String()
}

// play drives the environments synchronously and returns what each slot showed.
func play(t testing.TB, v *vec.Vec, steps int) [][]string {
	t.Helper()
	b := v.NewBuffers(v.Envs())
	trace := make([][]string, v.Envs())
	actions := make([]engine.Action, v.Envs())
	v.Reset(11, b)
	for step := range steps {
		for i := range actions {
			trace[i] = append(trace[i], row(b, v, i))
			actions[i] = choose(b, i, len(v.Env(i).Game().Spec().Actions), uint64(step))
		}
		if err := v.Step(actions, b); err != nil {
			t.Fatal(err)
		}
	}
	return trace
}

func TestResultsDoNotDependOnWorkers(t *testing.T) {
	for _, f := range games.Families() {
		for _, mode := range []vec.Autoreset{vec.SameStep, vec.NextStep} {
			var want [][]string
			for _, workers := range []int{1, 3, 16, 100} {
				v := newVec(t, f.Name, vec.Config{Envs: 16, Workers: workers, Autoreset: mode, Env: env.Options{MaxDecisions: 40}})
				got := play(t, v, 120)
				if want == nil {
					want = got
				}
				for i := range want {
					if !slices.Equal(want[i], got[i]) {
						t.Errorf("%s, %s: slot %d differs between 1 and %d workers", f.Name, mode, i, workers)
					}
				}
			}
		}
	}
}

// A slot shows what a single environment with its seed shows.
func TestSlotsAreSingleEnvironments(t *testing.T) {
	v := newVec(t, "leduc", vec.Config{Envs: 5, Workers: 2, Autoreset: vec.SameStep})
	b := v.NewBuffers(5)
	v.Reset(3, b)
	single, err := env.New(v.Env(0).Game(), env.Options{})
	if err != nil {
		t.Fatal(err)
	}
	single.Reset(vec.SlotSeed(3, 4))
	size := single.Encoder().Layout().Size
	obs, mask := make([]float32, size), make([]uint8, 3)
	actions := make([]engine.Action, 5)
	for step := range 200 {
		single.Observe(obs, mask)
		if !slices.Equal(obs, b.Observations[4*size:]) || !slices.Equal(mask, b.Masks[4*3:]) || single.Actor() != b.Actors[4] {
			t.Fatalf("step %d: slot 4 shows another decision than the single environment", step)
		}
		for i := range actions {
			actions[i] = choose(b, i, 3, uint64(step))
		}
		if err := v.Step(actions, b); err != nil {
			t.Fatal(err)
		}
		if err := single.Step(actions[4]); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(single.Rewards(), b.Rewards[4*2:]) || single.Terminated() != (b.Terminated[4] == 1) {
			t.Fatalf("step %d: slot 4 has rewards %v, terminated %d; want %v, %v", step, b.Rewards[4*2:], b.Terminated[4], single.Rewards(),
				single.Terminated())
		}
		if single.Terminated() {
			single.ObserveAs(0, obs)
			if !slices.Equal(obs, b.Final[4*size:]) || !slices.Equal(single.Returns(), b.Returns[4*2:]) {
				t.Fatalf("step %d: the end of the episode is not kept", step)
			}
			single.Restart()
		}
	}
}

func TestAutoresetModes(t *testing.T) {
	line := []engine.Action{0, 3, 1, 4, 2} // the first seat wins at its third mark
	for _, mode := range vec.Modes {
		t.Run(string(mode), func(t *testing.T) {
			v := newVec(t, "tictactoe", vec.Config{Envs: 1, Workers: 1, Autoreset: mode})
			b := v.NewBuffers(1)
			v.Reset(1, b)
			for _, a := range line {
				if err := v.Step([]engine.Action{a}, b); err != nil {
					t.Fatal(err)
				}
			}
			if b.Terminated[0] != 1 || b.Truncated[0] != 0 || !slices.Equal(b.Rewards, []float32{1, -1}) || !slices.Equal(b.Returns, []float32{1, -1}) ||
				b.Lengths[0] != 5 {
				t.Fatalf("at the end: %+v", b)
			}
			open := bytes.Count(b.Masks, []byte{1})
			if mode == vec.SameStep {
				if open != 9 || b.Actors[0] != 0 || b.FinalActors[0] != engine.Terminal || !slices.Equal(b.Final[:3], []float32{1, 1, 1}) {
					t.Errorf("%d squares are open for seat %d, final %v", open, b.Actors[0], b.Final)
				}
				return
			}
			if open != 0 || b.Actors[0] != engine.Terminal {
				t.Errorf("%d squares are open for seat %d, want none for Terminal", open, b.Actors[0])
			}
			err := v.Step([]engine.Action{8}, b)
			if mode == vec.Disabled {
				if err == nil || !strings.Contains(err.Error(), "slot 0: the episode has ended; reset the slot first") {
					t.Errorf("Step after the end: error %v", err)
				}
				v.ResetSlot(0, 5, b)
			} else if err != nil {
				t.Fatal(err)
			}
			if bytes.Count(b.Masks, []byte{1}) != 9 || b.Terminated[0] != 0 || !slices.Equal(b.Rewards, []float32{0, 0}) {
				t.Errorf("after the reset: %+v", b)
			}
		})
	}
}

func TestIllegalActionsStopTheirSlotAlone(t *testing.T) {
	v := newVec(t, "tictactoe", vec.Config{Envs: 3, Workers: 2, Autoreset: vec.SameStep})
	b := v.NewBuffers(3)
	v.Reset(1, b)
	err := v.Step([]engine.Action{4, 9, 4}, b)
	if !errors.Is(err, engine.ErrIllegal) || !strings.Contains(err.Error(), "slot 1") || strings.Contains(err.Error(), "slot 0") {
		t.Errorf("error %v, want one about slot 1", err)
	}
	for i, want := range []int{1, 0, 1} {
		if got := v.Env(i).Decisions(); got != want {
			t.Errorf("slot %d has taken %d decisions, want %d", i, got, want)
		}
	}
	if err := v.Step([]engine.Action{0, 0, 0}, b); err != nil {
		t.Errorf("the step after: %v", err)
	}
	if err := v.Step([]engine.Action{0}, b); err == nil || !strings.Contains(err.Error(), "1 actions for 3 environments") {
		t.Errorf("a short list of actions: error %v", err)
	}
}

// A slot that cannot take its action shows what it showed, in whatever buffers, however many
// workers there are.
func TestFaultsKeepWhatTheirSlotsShow(t *testing.T) {
	for _, workers := range []int{1, 2, 3} {
		v := newVec(t, "tictactoe", vec.Config{Envs: 3, Workers: workers, Autoreset: vec.SameStep})
		for _, b := range []*vec.Buffers{v.NewBuffers(3), v.NewBuffers(3)} {
			v.Reset(1, b)
			if err := v.Step([]engine.Action{4, 4, 4}, b); err != nil {
				t.Fatal(err)
			}
			v.ResetSlot(1, 1, b)
			want := row(b, v, 1)
			if err := v.Step([]engine.Action{0, 9, 0}, b); err == nil {
				t.Fatal("an illegal action was taken")
			}
			if got := row(b, v, 1); got != want {
				t.Errorf("%d workers: slot 1 shows %x after an illegal action, %x before", workers, got, want)
			}
		}
	}
}

// Slots that are stepped by themselves play the games that they play together,
// whatever the order, and the others stand still.
func TestStepSlotsLeavesTheOthersAlone(t *testing.T) {
	const envs = 6
	for _, mode := range []vec.Autoreset{vec.SameStep, vec.NextStep} {
		together := newVec(t, "leduc", vec.Config{Envs: envs, Workers: 1, Autoreset: mode})
		apart := newVec(t, "leduc", vec.Config{Envs: envs, Workers: 2, Autoreset: mode})
		want, got, few := together.NewBuffers(envs), apart.NewBuffers(envs), apart.NewBuffers(envs)
		together.Reset(3, want)
		apart.Reset(3, got)
		for step := range 60 {
			n := len(want.Masks) / envs
			actions := make([]engine.Action, envs)
			for i := range actions {
				actions[i] = choose(want, i, n, uint64(step*envs+i))
			}
			if err := together.Step(actions, want); err != nil {
				t.Fatal(err)
			}
			for _, slots := range [][]int32{{5, 1}, {0, 3, 2}, {}, {4}} {
				before := row(got, apart, 4)
				chosen := make([]engine.Action, len(slots))
				for i, s := range slots {
					chosen[i] = actions[s]
				}
				if err := apart.StepSlots(slots, chosen, got); err != nil {
					t.Fatal(err)
				}
				few.Gather(got, slots)
				for i, s := range slots {
					if few.Slots[i] != s || row(few, apart, i) != row(want, together, int(s)) {
						t.Fatalf("%s: step %d: slot %d shows %x, want %x", mode, step, s, row(few, apart, i), row(want, together, int(s)))
					}
				}
				if len(slots) != 1 && row(got, apart, 4) != before {
					t.Fatalf("%s: step %d: slot 4 has changed while %v were stepped", mode, step, slots)
				}
			}
		}
	}
}

func TestStepSlotsRefuses(t *testing.T) {
	v := newVec(t, "tictactoe", vec.Config{Envs: 3, Workers: 2, Autoreset: vec.Disabled})
	b := v.NewBuffers(3)
	v.Reset(1, b)
	for _, c := range []struct {
		slots   []int32
		actions []engine.Action
		want    string
	}{
		{[]int32{0, 3}, []engine.Action{0, 0}, "slot 3 of 3"},
		{[]int32{-1}, []engine.Action{0}, "slot -1 of 3"},
		{[]int32{1, 2, 1}, []engine.Action{0, 0, 0}, "slot 1 is named twice"},
		{[]int32{1}, nil, "0 actions for 1 slots"},
		{[]int32{1}, []engine.Action{9}, "slot 1"},
	} {
		if err := v.StepSlots(c.slots, c.actions, b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("slots %v, actions %v: got error %v, want %q", c.slots, c.actions, err, c.want)
		}
	}
	if err := v.StepSlots([]int32{1, 2}, []engine.Action{0, 0}, b); err != nil || v.Env(0).Decisions() != 0 || v.Env(1).Decisions() != 1 {
		t.Errorf("after all of that: error %v, %d and %d decisions, want 0 and 1", err, v.Env(0).Decisions(), v.Env(1).Decisions())
	}
}

// Send and Receive play every slot through the same games as Step.
func TestAsynchronousTrajectoriesAreTheSame(t *testing.T) {
	const envs, steps = 7, 90
	config := vec.Config{Envs: envs, Workers: 3, Autoreset: vec.SameStep}
	want := play(t, newVec(t, "leduc", config), steps)
	v := newVec(t, "leduc", config)
	first := v.NewBuffers(envs)
	v.Reset(11, first)
	counts := make([]int, envs)
	got := make([][]string, envs)
	var slots []int32
	var actions []engine.Action
	for i := range envs {
		got[i] = append(got[i], row(first, v, i))
		slots, actions = append(slots, int32(i)), append(actions, choose(first, i, 3, 0))
	}
	b := v.NewBuffers(envs)
	for flying := 0; len(slots) > 0 || flying > 0; {
		if err := v.Send(slots, actions); err != nil {
			t.Fatal(err)
		}
		flying += len(slots)
		n := min(2, flying)
		if err := v.Receive(context.Background(), n, b); err != nil {
			t.Fatal(err)
		}
		flying -= n
		slots, actions = slots[:0], actions[:0]
		for r, s := range b.Slots[:n] {
			counts[s]++
			if counts[s] == steps {
				continue
			}
			got[s] = append(got[s], row(b, v, r))
			slots, actions = append(slots, s), append(actions, choose(b, r, 3, uint64(counts[s])))
		}
	}
	for i := range want {
		if !slices.Equal(want[i], got[i]) {
			t.Errorf("slot %d plays another game when driven asynchronously", i)
		}
	}
}

func TestSendAndReceiveRefuse(t *testing.T) {
	v := newVec(t, "kuhn", vec.Config{Envs: 2, Workers: 1, Autoreset: vec.SameStep})
	b := v.NewBuffers(2)
	v.Reset(1, b)
	if err := v.Receive(context.Background(), 1, b); err == nil {
		t.Error("Receive before Send is accepted")
	}
	if err := v.Send([]int32{0, 2}, []engine.Action{0, 0}); err == nil || !strings.Contains(err.Error(), "slot 2 of 2") {
		t.Errorf("slot 2 of 2: error %v", err)
	}
	if err := v.Send([]int32{0}, []engine.Action{0}); err != nil {
		t.Fatal(err)
	}
	if err := v.Send([]int32{0}, []engine.Action{0}); err == nil || !strings.Contains(err.Error(), "slot 0 has an action under way") {
		t.Errorf("a second action: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := v.Receive(ctx, 2, b); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive after cancel: error %v", err)
	}
	if err := v.Receive(context.Background(), 1, b); err != nil || b.Slots[0] != 0 {
		t.Errorf("the result is lost: slot %d, error %v", b.Slots[0], err)
	}
}

func TestConfigFaultsAreJoined(t *testing.T) {
	g, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	_, err = vec.New(g, vec.Config{Autoreset: "sometimes"})
	for _, want := range []string{"envs is 0", "workers is 0", `autoreset is "sometimes", it must be one of ["same-step" "next-step" "disabled"]`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

func TestCloseLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	v := newVec(t, "kuhn", vec.Config{Envs: 8, Workers: 4, Autoreset: vec.SameStep})
	b := v.NewBuffers(8)
	v.Reset(1, b)
	if err := v.Send([]int32{0, 1}, []engine.Action{0, 0}); err != nil {
		t.Fatal(err)
	}
	v.Close()
	v.Close()
	for range 100 { // a goroutine that has returned may still be counted for a moment
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func BenchmarkVec(b *testing.B) {
	const envs = 2048
	for _, f := range games.Families() {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("game=%s/workers=%d", f.Name, workers), func(b *testing.B) {
				v := newVec(b, f.Name, vec.Config{Envs: envs, Workers: workers, Autoreset: vec.SameStep})
				buffers := v.NewBuffers(envs)
				v.Reset(1, buffers)
				actions := make([]engine.Action, envs)
				n := len(v.Env(0).Game().Spec().Actions)
				b.ReportAllocs()
				choose := func(_, from, to int) { // the first legal action: choosing is not what is measured
					for i := from; i < to; i++ {
						actions[i] = engine.Action(bytes.IndexByte(buffers.Masks[i*n:(i+1)*n], 1))
					}
				}
				for b.Loop() {
					v.Each(choose)
					if err := v.Step(actions, buffers); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N)*envs/b.Elapsed().Seconds(), "decisions/s")
			})
		}
	}
}

// An engine that breaks down costs its slot, in every worker and in both ways of
// driving the slots, and the slot goes on after a reset.
func TestBrokenEngineCostsItsSlot(t *testing.T) {
	for _, asynchronous := range []bool{false, true} {
		v, err := vec.New(envtest.Mine{}, vec.Config{Envs: 4, Workers: 2, Autoreset: vec.NextStep})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(v.Close)
		b := v.NewBuffers(4)
		v.Reset(1, b)
		actions := []engine.Action{envtest.Step, envtest.Tread, envtest.Step, envtest.Tread}
		if asynchronous {
			if err := v.Send([]int32{0, 1, 2, 3}, actions); err != nil {
				t.Fatal(err)
			}
			err = v.Receive(t.Context(), 4, b)
		} else {
			err = v.Step(actions, b)
		}
		var broken *env.Panic
		if !errors.As(err, &broken) || broken.Game != "mine" || broken.Value != "the mine went off" || !strings.Contains(string(broken.Stack), "mine.go") {
			t.Fatalf("error %v, want a panic of mine with its stack", err)
		}
		for _, slot := range []string{"slot 1:", "slot 3:"} {
			if !strings.Contains(err.Error(), slot) {
				t.Errorf("error %q does not name %s", err, slot)
			}
		}
		if asynchronous {
			continue
		}
		v.ResetSlot(1, 1, b)
		v.ResetSlot(3, 1, b)
		if err := v.Step(make([]engine.Action, 4), b); err != nil {
			t.Errorf("after a reset: %v", err)
		}
	}
}

// The last observation of an episode is that of the observer, however it ends: in Kuhn
// poker the first three numbers are the observer's card.
func TestObserverSeesTheEnd(t *testing.T) {
	for _, limit := range []int{0, 1} {
		for _, mode := range vec.Modes {
			for seat := range engine.Player(2) {
				const n = 6
				v := newVec(t, "kuhn", vec.Config{Envs: n, Workers: 2, Autoreset: mode, Env: env.Options{MaxDecisions: limit, Observer: &seat}})
				b := v.NewBuffers(n)
				v.Reset(3, b)
				d := len(b.Observations) / n
				own := make([]float32, d)
				ended := 0
				for range 4 {
					cards := make([][]float32, n)
					for i := range n {
						v.Env(i).ObserveAs(seat, own)
						cards[i] = slices.Clone(own[2:5])
					}
					actions := make([]engine.Action, n)
					for i := range n {
						actions[i] = choose(b, i, 2, uint64(i))
						if mode == vec.Disabled && b.Terminated[i]+b.Truncated[i] > 0 {
							v.ResetSlot(i, uint64(i), b)
							v.Env(i).ObserveAs(seat, own)
							cards[i], actions[i] = slices.Clone(own[2:5]), choose(b, i, 2, uint64(i))
						}
					}
					if err := v.Step(actions, b); err != nil {
						t.Fatal(err)
					}
					for i := range n {
						if b.Terminated[i]+b.Truncated[i] == 0 {
							continue
						}
						ended++
						last := b.Observations
						if mode == vec.SameStep {
							last = b.Final
						}
						if got := last[i*d : (i+1)*d]; got[seat] != 1 || !slices.Equal(got[2:5], cards[i]) {
							t.Errorf("%s, cap %d: slot %d ends with %v, want the card %v of seat %d", mode, limit, i, got, cards[i], seat)
						}
					}
				}
				if ended == 0 {
					t.Errorf("%s, cap %d: no episode has ended", mode, limit)
				}
			}
		}
	}
	other := engine.Player(2)
	if _, err := env.New(newVec(t, "kuhn", vec.Config{Envs: 1, Workers: 1, Autoreset: vec.Disabled}).Env(0).Game(),
		env.Options{Observer: &other}); err == nil || !strings.Contains(err.Error(), "seats 0 to 1") {
		t.Errorf("observer 2: error %v", err)
	}
}
