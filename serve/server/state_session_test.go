package server

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
)

// bound makes an environment with memory that is bound to it.
func bound(t testing.TB, s *Session, m *protocol.EnvMake) (uint64, EnvMemory) {
	t.Helper()
	var made protocol.EnvMade
	asked(t, s, protocol.MethodEnvMake, m, &made)
	return made.Env, bindTo(t, s, &made)
}

func bindTo(t testing.TB, s *Session, made *protocol.EnvMade) EnvMemory {
	t.Helper()
	memory := memoryOf(len(made.Step.Observation), len(made.Step.Mask), len(made.Step.Returns))
	if err := s.BindEnv(made.Env, memory); err != nil {
		t.Fatal(err)
	}
	return memory
}

// wander steps an environment at random by fast calls, and writes down what it shows.
func wander(t testing.TB, s *Session, env uint64, m EnvMemory, salt uint64, steps int) string {
	t.Helper()
	var b strings.Builder
	rng := rand.New(rand.NewPCG(salt, 0))
	for range steps {
		b.WriteString(m.told() + "\n")
		if m.Facts[2]+m.Facts[3] > 0 {
			if err := s.EnvReset(env, nil); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var legal []int64
		for a, ok := range m.Mask {
			if ok == 1 {
				legal = append(legal, int64(a))
			}
		}
		if err := s.EnvStep(env, legal[rng.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// In one's own process games against agents are copied too, whose play goes on alike: in a new
// environment, in one that is there, and from a snapshot.
func TestGamesAgainstAgentsAreCopied(t *testing.T) {
	for _, m := range []protocol.EnvMake{
		{Game: "leduc", Agents: []string{"", "random"}}, {Game: "leduc", Agents: []string{"mcts(sims=9)", ""}}, {Game: "leduc", MaxDecisions: 2},
		{Game: "jogu", Agents: []string{"", "scripted"}}, {Game: "jogu", Agents: []string{"zoo:jogu", ""}}, {Game: "insurgency",
			Agents: []string{"", "random"}},
	} {
		s := opening(t)
		env, memory := bound(t, s, &m)
		spare, spared := bound(t, s, &m)
		for moment := range uint64(3) {
			wander(t, s, env, memory, moment, 7)
			var text protocol.Snapshot
			asked(t, s, protocol.MethodEnvSnapshot, &protocol.Env{Env: env}, &text)
			fresh, err := s.EnvClone(env, 0)
			if err != nil {
				t.Fatal(err)
			}
			var made protocol.EnvMade
			asked(t, s, protocol.MethodEnvClone, &protocol.EnvClone{Env: env}, &made)
			asked(t, s, protocol.MethodEnvClone, &protocol.EnvClone{Env: env, Into: fresh}, new(protocol.EnvMade))
			want := wander(t, s, made.Env, bindTo(t, s, &made), 9, 25)
			made.Env = fresh
			if got := wander(t, s, fresh, bindTo(t, s, &made), 9, 25); got != want {
				t.Fatalf("%+v: the copy shows\n%s\nwant\n%s", m, got, want)
			}
			if into, err := s.EnvClone(env, spare); err != nil || into != spare {
				t.Fatalf("the copy into %d is %d, %v", spare, into, err)
			}
			if got := wander(t, s, spare, spared, 9, 25); got != want {
				t.Fatalf("%+v: the copy into another environment shows\n%s\nwant\n%s", m, got, want)
			}
			asked(t, s, protocol.MethodEnvRestore, &protocol.EnvRestore{Env: spare, Snapshot: text.Snapshot}, new(protocol.EnvMade))
			if got := wander(t, s, spare, spared, 9, 25); got != want {
				t.Fatalf("%+v: restored it shows\n%s\nwant\n%s", m, got, want)
			}
			if err := errors.Join(s.EnvClose(fresh), s.EnvRedeal(spare, 5, -1)); err != nil {
				// An episode may have ended, which is not dealt anew.
				var fault *protocol.Error
				if !errors.As(err, &fault) || fault.Code != protocol.CodeOver {
					t.Fatal(err)
				}
			}
		}
	}
}

// The same of slots, with agents that have memories of their own and with those that share one.
func TestSlotsAgainstAgentsAreCopied(t *testing.T) {
	const n = 4
	for _, agent := range []string{"random", "scripted", "zoo:jogu"} {
		s, seed := opening(t), uint64(11)
		var made, copied protocol.VecMade
		asked(t, s, protocol.MethodVecMake, &protocol.VecMake{Game: "jogu", Envs: n, Workers: 2, Autoreset: "next-step", MaxDecisions: 20,
			Agents: []string{"", agent}}, &made)
		m := vecMemory(&made, n)
		if err := errors.Join(s.BindVec(made.Vec, m), s.VecReset(made.Vec, &seed)); err != nil {
			t.Fatal(err)
		}
		step := func(vec uint64, m VecMemory) {
			t.Helper()
			actions, a := make([]engine.Action, n), int(made.Actions)
			for i := range actions {
				actions[i] = engine.Action(max(0, strings.IndexByte(string(m.Masks[i*a:(i+1)*a]), 1)))
			}
			if err := s.VecStep(vec, actions); err != nil {
				t.Fatal(err)
			}
		}
		for range 9 {
			step(made.Vec, m)
		}
		if err := s.VecFork(made.Vec, 2, []int32{0, 3}); err != nil {
			t.Fatal(err)
		}
		asked(t, s, protocol.MethodVecClone, &protocol.Vec{Vec: made.Vec}, &copied)
		twin := vecMemory(&copied, n)
		if err := s.BindVec(copied.Vec, twin); err != nil {
			t.Fatal(err)
		}
		var text protocol.Snapshot
		asked(t, s, protocol.MethodVecSnapshot, &protocol.VecSnapshot{Vec: made.Vec, Slot: 2}, &text)
		asked(t, s, protocol.MethodVecRestore, &protocol.VecRestore{Vec: made.Vec, Slot: 3, Snapshot: text.Snapshot}, new(protocol.VecReceived))
		for i := range 60 {
			d := int(made.ObservationSize)
			for _, slot := range []int{0, 3} {
				if got, want := fmt.Sprint(m.Observations[slot*d:(slot+1)*d], m.Rewards[2*slot:2*slot+2]), fmt.Sprint(m.Observations[2*d:3*d],
					m.Rewards[4:6]); got != want {
					t.Fatalf("%s, step %d: slot %d shows\n%s\nwant\n%s", agent, i, slot, got, want)
				}
			}
			if got, want := fmt.Sprint(twin.Observations, twin.Masks, twin.Rewards), fmt.Sprint(m.Observations, m.Masks, m.Rewards); got != want {
				t.Fatalf("%s, step %d: the copy shows\n%s\nwant\n%s", agent, i, got, want)
			}
			step(made.Vec, m)
			step(copied.Vec, twin)
		}
		if err := s.VecFork(made.Vec, n, nil); err == nil || !strings.Contains(err.Error(), "slot 4; vec 1 has slots 0 to 3") {
			t.Errorf("a fork of a slot that is not there: %v", err)
		}
	}
}

// Copies that cannot be are refused, and closed environments are gone.
func TestCopiesThatCannotBe(t *testing.T) {
	s := opening(t)
	env, _ := bound(t, s, &protocol.EnvMake{Game: "leduc"})
	other, _ := bound(t, s, &protocol.EnvMake{Game: "kuhn"})
	against, _ := bound(t, s, &protocol.EnvMake{Game: "leduc", Agents: []string{"", "random"}})
	var loose protocol.EnvMade
	asked(t, s, protocol.MethodEnvMake, &protocol.EnvMake{Game: "leduc"}, &loose)
	for _, c := range []struct {
		into uint64
		want string
	}{
		{other, "params: into is an environment of kuhn"}, {against, `with the agents ["" "random"]`}, {loose.Env, ErrUnbound.Error()}, {99,
			ErrUnbound.Error()},
	} {
		if _, err := s.EnvClone(env, c.into); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("a copy into %d: %v, want %q", c.into, err, c.want)
		}
	}
	if clone, err := s.EnvClone(env, env); clone != env || err != nil {
		t.Errorf("a copy into itself is %d, %v", clone, err)
	}
	if err := s.EnvClose(env); err != nil {
		t.Fatal(err)
	}
	if _, err := s.EnvClone(env, 0); err == nil || !strings.Contains(err.Error(), "handle: env 1 is not open") {
		t.Errorf("a copy of a closed environment: %v", err)
	}
	if err := s.EnvClose(env); err == nil || s.EnvStep(env, 0) != ErrUnbound {
		t.Errorf("it is closed twice: %v", err)
	}
	before := s.conn.environments
	s.conn.server.config.Environments = before
	if _, err := s.EnvClone(other, 0); err == nil || !strings.Contains(err.Error(), "limit: 1 more environments") {
		t.Errorf("a copy beyond the limit: %v", err)
	}
	if s.conn.environments != before {
		t.Errorf("%d environments count, want %d", s.conn.environments, before)
	}
}

// Goroutines copy environments to and fro, each in the others' way.
func TestCopiesToAndFro(t *testing.T) {
	s := opening(t)
	a, _ := bound(t, s, &protocol.EnvMake{Game: "leduc"})
	b, _ := bound(t, s, &protocol.EnvMake{Game: "leduc"})
	var running sync.WaitGroup
	for i := range 4 {
		running.Go(func() {
			from, to := a, b
			if i%2 == 0 {
				from, to = b, a
			}
			for range 300 {
				if _, err := s.EnvClone(from, to); err != nil {
					t.Error(err)
				}
				clone, err := s.EnvClone(from, 0)
				if err == nil {
					err = s.EnvClose(clone)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if s.conn.environments != 2 {
		t.Errorf("%d environments count, want 2", s.conn.environments)
	}
}
