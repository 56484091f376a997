package server

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/env/envtest"
	"powderkeg/env/vec"
	"powderkeg/serve/protocol"
)

// opening returns a session that has said hello.
func opening(t testing.TB) *Session {
	t.Helper()
	config := Default()
	config.NewAgent = func(g engine.Game, text string) (agents.Agent, error) { return roster.New(g, text) }
	server, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	s := server.Open()
	t.Cleanup(s.Close)
	asked(t, s, protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions}, new(protocol.Welcome))
	return s
}

// asked makes a request and reads its result.
func asked(t testing.TB, s *Session, method string, params, result any) {
	t.Helper()
	body, err := s.Call(request(t, 7, method, params))
	if err != nil {
		t.Fatal(err)
	}
	response, err := protocol.ParseResponse(body)
	if err != nil || response.Error != nil || response.ID != 7 {
		t.Fatalf("%s answers %v, %v", method, response.Error, err)
	}
	if err := protocol.NewDecoder(false).Decode(response.Result, result); err != nil {
		t.Fatal(err)
	}
}

// A session answers as a connection does, byte for byte.
func TestSessionsAnswerAsConnectionsDo(t *testing.T) {
	s, c := opening(t), alone(t)
	seed := uint64(5)
	for _, r := range []struct {
		method string
		params any
	}{
		{protocol.MethodGames, &protocol.None{}},
		{protocol.MethodSpec, &protocol.SpecParams{Game: "leduc"}},
		{protocol.MethodEnvMake, &protocol.EnvMake{Game: "leduc", Seed: &seed}},
		{protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByName("call")}},
		{protocol.MethodEnvStep, &protocol.EnvStep{Env: 1, Action: protocol.ByNumber(99)}},
		{protocol.MethodEnvLegal, &protocol.Env{Env: 1}},
		{protocol.MethodEnvPosition, &protocol.Env{Env: 1}},
		{protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 3, Workers: 1}},
		{protocol.MethodVecReset, &protocol.VecReset{Vec: 2, Seed: &seed}},
		{protocol.MethodVecStep, &protocol.VecStep{Vec: 2, Actions: []engine.Action{0, 1, 0}}},
		{protocol.MethodVecStepSlots, &protocol.VecSend{Vec: 2, Slots: []int32{2, 0}, Actions: []engine.Action{1, 0}}},
		{protocol.MethodVecStepSlots, &protocol.VecSend{Vec: 2, Slots: []int32{2, 2}, Actions: []engine.Action{0, 0}}},
		{protocol.MethodVecSend, &protocol.VecSend{Vec: 2, Slots: []int32{1}, Actions: []engine.Action{0}}},
		{protocol.MethodVecRecv, &protocol.VecRecv{Vec: 2, Count: 1}},
		{protocol.MethodVecClose, &protocol.Vec{Vec: 2}},
		{protocol.MethodEnvStep, &protocol.EnvStep{Env: 2}},
		{"fly", &protocol.None{}},
		{protocol.MethodHello, &protocol.Hello{Versions: protocol.Versions}},
	} {
		body := request(t, 9, r.method, r.params)
		c.serve(t.Context(), body)
		var want bytes.Buffer
		if err := c.out.Flush(&want, 1<<20); err != nil {
			t.Fatal(err)
		}
		got, err := s.Call(body)
		if err != nil || !bytes.Equal(got, want.Bytes()[protocol.HeaderSize:]) {
			t.Errorf("%s: a session answers\n%q (%v)\nand a connection\n%q", r.method, got, err, want.Bytes()[protocol.HeaderSize:])
		}
	}
}

// memoryOf returns memory for an environment, as a client brings it.
func memoryOf(d, a, p int) EnvMemory {
	return EnvMemory{make([]float32, d), make([]uint8, a), make([]float32, p), make([]float32, p), make([]int64, EnvFacts)}
}

// told writes down what bound memory shows.
func (m *EnvMemory) told() string {
	f := m.Facts
	return fmt.Sprint(m.Observation, m.Mask, m.Rewards, m.Returns, f[0], f[1], f[2] == 1, f[3] == 1, f[4])
}

func toldOf(s *protocol.Step) string {
	return fmt.Sprint([]float32(s.Observation), []uint8(s.Mask), []float32(s.Rewards), []float32(s.Returns), s.Actor, s.Observer, s.Terminated,
		s.Truncated, s.Decisions)
}

// sameSeen looks at an environment through every seat, by requests, and at a bound one by fast calls.
func sameSeen(t *testing.T, s *Session, slow, quick uint64, seats, size int) {
	t.Helper()
	seen := make([]float32, size)
	for seat := range int64(seats) + 1 {
		body, err := s.Call(request(t, 9, protocol.MethodEnvObserve, &protocol.EnvObserve{Env: slow, Seat: seat}))
		if err != nil {
			t.Fatal(err)
		}
		r, err := protocol.ParseResponse(body)
		if err != nil {
			t.Fatal(err)
		}
		err = s.EnvObserve(quick, seat, seen)
		if r.Error != nil {
			if fmt.Sprint(err) != r.Error.Error() {
				t.Errorf("seat %d: a fast call says %v, a request %v", seat, err, r.Error)
			}
			continue
		}
		var want protocol.Observed
		if err := protocol.NewDecoder(false).Decode(r.Result, &want); err != nil {
			t.Fatal(err)
		}
		if err != nil || !slices.Equal(seen, want.Observation) {
			t.Errorf("seat %d sees %v (%v), by a request %v", seat, seen, err, want.Observation)
		}
	}
	if err := s.EnvObserve(quick, 0, seen[1:]); err == nil {
		t.Error("memory that is too short is written to")
	}
}

// What a bound environment writes is what requests answer about the same game, with agents on
// its other seats and without.
func TestFastCallsPlayTheSameGames(t *testing.T) {
	for _, m := range []protocol.EnvMake{
		{Game: "tictactoe"}, {Game: "leduc", MaxDecisions: 3}, {Game: "leduc", Agents: []string{"", "scripted"}}, {Game: "connect4",
			Agents: []string{"random", ""}}, {Game: "jogu"},
	} {
		s, seed := opening(t), uint64(3)
		m.Seed = &seed
		var slow, quick protocol.EnvMade
		asked(t, s, protocol.MethodEnvMake, &m, &slow)
		asked(t, s, protocol.MethodEnvMake, &m, &quick)
		memory := memoryOf(len(slow.Step.Observation), len(slow.Step.Mask), len(slow.Step.Returns))
		if err := s.BindEnv(quick.Env, memory); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		step := slow.Step
		for i := range 300 {
			if memory.told() != toldOf(&step) || memory.Facts[5] != int64(i+1) {
				t.Fatalf("%s, after %d calls: bound memory tells\n%s\nand a request\n%s", m.Game, i, memory.told(), toldOf(&step))
			}
			sameSeen(t, s, slow.Env, quick.Env, len(slow.Step.Returns), len(memory.Observation))
			if step.Terminated || step.Truncated {
				if err := s.EnvReset(quick.Env, nil); err != nil {
					t.Fatal(err)
				}
				asked(t, s, protocol.MethodEnvReset, &protocol.EnvReset{Env: slow.Env}, &step)
				continue
			}
			var legal []int64
			for a, ok := range step.Mask {
				if ok == 1 {
					legal = append(legal, int64(a))
				}
			}
			a := legal[rng.IntN(len(legal))]
			if i%7 == 0 { // a request about a bound environment writes there too
				asked(t, s, protocol.MethodEnvStep, &protocol.EnvStep{Env: quick.Env, Action: protocol.ByNumber(a)}, new(protocol.Step))
			} else if err := s.EnvStep(quick.Env, a); err != nil {
				t.Fatal(err)
			}
			asked(t, s, protocol.MethodEnvStep, &protocol.EnvStep{Env: slow.Env, Action: protocol.ByNumber(a)}, &step)
		}
	}
}

// vecMemory returns memory for a vec of n slots.
func vecMemory(made *protocol.VecMade, n int) VecMemory {
	d, a, p := int(made.ObservationSize), int(made.Actions), int(made.Seats)
	m := VecMemory{make([]float32, n*d), make([]uint8, n*a), make([]engine.Player, n), make([]float32, n*p), make([]uint8, n), make([]uint8, n),
		make([]int32, n), make([]float32, n*p), make([]int32, n), nil, make([]engine.Player, n), make([]int32, n), make([]uint64, VecFacts)}
	if made.Autoreset == string(vec.SameStep) {
		m.Final = make([]float32, n*d)
	}
	return m
}

// The same of a vec, in every mode, whatever is stepped and reset.
func TestFastCallsStepTheSameSlots(t *testing.T) {
	const n = 4
	for _, mode := range vec.Modes {
		for _, agents := range [][]string{nil, {"", "random"}} {
			s, seed := opening(t), uint64(11)
			make := &protocol.VecMake{Game: "leduc", Envs: n, Workers: 2, Autoreset: string(mode), Agents: agents}
			var slow, quick protocol.VecMade
			asked(t, s, protocol.MethodVecMake, make, &slow)
			asked(t, s, protocol.MethodVecMake, make, &quick)
			m := vecMemory(&quick, n)
			if err := s.BindVec(quick.Vec, m); err != nil {
				t.Fatal(err)
			}
			var r protocol.VecResult
			asked(t, s, protocol.MethodVecReset, &protocol.VecReset{Vec: slow.Vec, Seed: &seed}, &r)
			if err := s.VecReset(quick.Vec, &seed); err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(2, 2))
			for i := range 200 {
				e, d, p := int(m.Facts[1]), int(quick.ObservationSize), int(quick.Seats)
				final := m.Final
				if final != nil {
					final = final[:e*d]
				}
				got := fmt.Sprint(m.Observations, m.Masks, m.Actors, m.Rewards, m.Terminated, m.Truncated, m.Ended[:e], m.Returns[:e*p], m.Lengths[:e], final,
					m.Facts[0])
				want := fmt.Sprint(r.Observations, r.Masks, r.Actors, r.Rewards, r.Terminated, r.Truncated, r.Ended, r.Returns, r.Lengths, r.Final, r.Seed)
				if got != want {
					t.Fatalf("%s %v, after %d calls: bound memory tells\n%s\nand a request\n%s", mode, agents, i, got, want)
				}
				if ended := slices.Clone(r.Ended); mode == vec.Disabled && len(ended) > 0 {
					seeds := []uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}[:len(ended)]
					asked(t, s, protocol.MethodVecResetSlots, &protocol.VecResetSlots{Vec: slow.Vec, Slots: ended, Seeds: seeds}, &r)
					if err := s.VecResetSlots(quick.Vec, ended, seeds); err != nil {
						t.Fatal(err)
					}
					continue
				}
				actions := [n]engine.Action{}
				for slot := range actions {
					for a := range engine.Action(quick.Actions) {
						if r.Masks[slot*int(quick.Actions)+int(a)] == 1 && (actions[slot] == 0 || rng.IntN(2) == 0) {
							actions[slot] = a
						}
					}
					if r.Masks[slot*int(quick.Actions)+int(actions[slot])] == 0 {
						actions[slot] = engine.Action(slices.Index([]uint8(r.Masks[slot*int(quick.Actions):(slot+1)*int(quick.Actions)]), 1))
					}
				}
				asked(t, s, protocol.MethodVecStep, &protocol.VecStep{Vec: slow.Vec, Actions: actions[:]}, &r)
				if err := s.VecStep(quick.Vec, actions[:]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Some slots are stepped in their own rows; what was sent comes back in the first ones.
func TestFastCallsStepSomeSlots(t *testing.T) {
	s, seed := opening(t), uint64(1)
	var made protocol.VecMade
	asked(t, s, protocol.MethodVecMake, &protocol.VecMake{Game: "kuhn", Envs: 3, Workers: 1, Autoreset: "next-step"}, &made)
	m := vecMemory(&made, 3)
	if err := s.BindVec(made.Vec, m); err != nil {
		t.Fatal(err)
	}
	if err := s.VecStep(made.Vec, make([]engine.Action, 3)); !strings.Contains(fmt.Sprint(err), "vec.reset first") {
		t.Errorf("a step before the reset: %v", err)
	}
	if err := s.VecReset(made.Vec, &seed); err != nil {
		t.Fatal(err)
	}
	if err := s.VecStepSlots(made.Vec, []int32{2, 0}, []engine.Action{1, 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.VecStepSlots(made.Vec, []int32{2, 0}, []engine.Action{0, 0}); err != nil { // folds
		t.Fatal(err)
	}
	if e := m.Facts[1]; e != 2 || !slices.Equal(m.Ended[:e], []int32{2, 0}) || m.Terminated[0] != 1 || m.Terminated[1] != 0 || m.Lengths[0] != 2 {
		t.Errorf("after two bets that are folded to: ended %v of %d, terminated %v", m.Ended, e, m.Terminated)
	}
	if err := s.VecStepSlots(made.Vec, []int32{1, 3}, []engine.Action{0, 0}); !strings.Contains(fmt.Sprint(err), "slots 0 to 2") {
		t.Errorf("a slot that is not there: %v", err)
	}
	asked(t, s, protocol.MethodVecSend, &protocol.VecSend{Vec: made.Vec, Slots: []int32{1, 2}, Actions: []engine.Action{1, 0}}, new(protocol.VecSent))
	if err := s.VecRecv(made.Vec, 2); err != nil || !slices.Contains(m.Slots[:2], 1) || !slices.Contains(m.Slots[:2], 2) {
		t.Errorf("what was sent to slots 1 and 2 comes back as %v, %v", m.Slots, err)
	}
}

// Memory that does not fit is refused by name, what is not bound and what is closed by a fault,
// and nothing is written to it any more.
func TestBindingsAreChecked(t *testing.T) {
	s := opening(t)
	var made protocol.EnvMade
	asked(t, s, protocol.MethodEnvMake, &protocol.EnvMake{Game: "tictactoe"}, &made)
	short := memoryOf(17, 9, 2)
	if err := s.BindEnv(made.Env, short); fmt.Sprint(err) != "params: observation has length 17, it must be 18" {
		t.Errorf("binding short memory: %v", err)
	}
	if err := s.BindEnv(99, memoryOf(18, 9, 2)); !strings.Contains(fmt.Sprint(err), "env 99 is not open") {
		t.Errorf("binding what is not open: %v", err)
	}
	if err := s.EnvStep(made.Env, 0); err != ErrUnbound {
		t.Errorf("a fast call before the binding: %v", err)
	}
	memory := memoryOf(18, 9, 2)
	if err := s.BindEnv(made.Env, memory); err != nil {
		t.Fatal(err)
	}
	if err := s.VecStep(made.Env, nil); !strings.Contains(fmt.Sprint(err), "is an env") {
		t.Errorf("stepping an env as a vec: %v", err)
	}
	before := memory.told()
	var fault *protocol.Error
	if err := s.EnvStep(made.Env, 1<<40); !errors.As(err, &fault) || fault.Code != protocol.CodeIllegal || memory.told() != before {
		t.Errorf("an illegal action: %v, and the memory tells %s", err, memory.told())
	}
	asked(t, s, protocol.MethodEnvClose, &protocol.Env{Env: made.Env}, new(protocol.None))
	if err := s.EnvStep(made.Env, 0); err != ErrUnbound || memory.told() != before {
		t.Errorf("a fast call after the close: %v", err)
	}
	s.Close()
	if _, err := s.Call(nil); err != ErrClosed {
		t.Errorf("a call after the end of the session: %v", err)
	}
	s.Close()
}

// A bound environment whose engine breaks down has to be reset, a bound vec is closed; the
// session goes on.
func TestBrokenEngineCostsItsBinding(t *testing.T) {
	c, _ := mined(t)
	s := &Session{server: c.server, conn: c, ctx: t.Context(), cancel: func() {}}
	c.session = s
	if err := s.BindEnv(100, memoryOf(1, 2, 2)); err != nil {
		t.Fatal(err)
	}
	m := vecMemory(&protocol.VecMade{ObservationSize: 1, Actions: 2, Seats: 2, Autoreset: string(vec.SameStep)}, 2)
	if err := s.BindVec(101, m); err != nil {
		t.Fatal(err)
	}
	var fault *protocol.Error
	if err := s.EnvStep(100, int64(envtest.Tread)); !errors.As(err, &fault) || fault.Code != protocol.CodeInternal {
		t.Errorf("the step that breaks the engine: %v", err)
	}
	if err := s.EnvStep(100, int64(envtest.Step)); !errors.As(err, &fault) || fault.Code != protocol.CodeOver {
		t.Errorf("a step after it: %v", err)
	}
	if err := errors.Join(s.EnvReset(100, nil), s.EnvStep(100, int64(envtest.Step))); err != nil {
		t.Errorf("after a reset: %v", err)
	}
	if err := s.VecStep(101, []engine.Action{envtest.Step, envtest.Tread}); !errors.As(err, &fault) || fault.Code != protocol.CodeInternal {
		t.Errorf("the vec: %v", err)
	}
	if err := s.VecStep(101, []engine.Action{0, 0}); err != ErrUnbound || c.vecs[101] != nil {
		t.Errorf("the vec afterwards: %v", err)
	}
}

// Fast calls of several goroutines, requests about the same environments and the end of the
// session do not get in each other's way.
func TestSessionsAreSafeForGoroutines(t *testing.T) {
	s := opening(t)
	var group sync.WaitGroup
	for i := range 4 {
		seed := uint64(i)
		var made protocol.EnvMade
		asked(t, s, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn", Seed: &seed, Agents: []string{"", "random"}}, &made)
		memory := memoryOf(11, 2, 2)
		if err := s.BindEnv(made.Env, memory); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for range 300 {
				if err := s.EnvStep(made.Env, 0); err != nil {
					s.EnvReset(made.Env, nil)
				}
			}
		})
		group.Go(func() {
			for range 50 {
				if _, err := s.Call(request(t, 1, protocol.MethodEnvObserve, &protocol.EnvObserve{Env: made.Env})); err != nil && err != ErrClosed {
					t.Error(err)
				}
			}
		})
	}
	group.Go(func() {
		for range 20 {
			s.Call(request(t, 1, protocol.MethodEnvMake, &protocol.EnvMake{Game: "kuhn"}))
		}
		s.Close()
	})
	group.Wait()
	if n := s.server.environments.Load(); n != 0 {
		t.Errorf("%d environments are left", n)
	}
}
