package env_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// remembered are games whose encoders remember, in settings that show much of them.
var remembered = []string{
	"domination", "domination(players=5)", "insurgency", "insurgency(scenario=custom)",
	"bloc", "bloc(players=2)", "bloc(players=3,mode=semi_cooperative)", "minuteman", "minuteman(scenario=partisan)", "minuteman(players=4)",
}

// FuzzRememberedObservations takes two environments of a game through what environments can
// go through, in the order that a seed gives: decisions, resets, copies of each other,
// snapshots, worlds that are dealt anew, ends. Their observations go to buffers that hold
// anything, and must be to the bit those of the encoder that remembers nothing.
func FuzzRememberedObservations(f *testing.F) {
	for game := range remembered {
		for seed := range uint64(3) {
			f.Add(uint8(game), seed)
		}
	}
	f.Fuzz(func(t *testing.T, game uint8, seed uint64) {
		w := walk{t: t, rng: rand.NewPCG(seed, 0x77616c6b)}
		name := remembered[int(game)%len(remembered)]
		for i := range w.envs {
			w.envs[i] = newEnv(t, name, env.Options{MaxDecisions: 300, Written: true})
			w.envs[i].Reset(seed + uint64(i))
		}
		if _, ok := w.envs[0].Encoder().(encoding.Rememberer); !ok {
			t.Fatalf("the encoder of %s does not remember", name)
		}
		size := w.envs[0].Encoder().Layout().Size
		w.got, w.want = make([]float32, size), make([]float32, size)
		for range 400 {
			w.step()
		}
	})
}

// walk takes environments somewhere.
type walk struct {
	t         *testing.T
	rng       *rand.PCG
	envs      [2]*env.Env
	got, want []float32
}

func (w *walk) n(n uint32) int { return int(engine.Uint32N(w.rng, n)) }

// step does something with one of the environments and looks at it.
func (w *walk) step() {
	i := w.n(2)
	e := w.envs[i]
	switch what := w.n(60); {
	case what == 0:
		e.Reset(w.rng.Uint64())
	case what == 1:
		e.CopyFrom(w.envs[1-i])
	case what == 2:
		w.envs[i] = w.envs[1-i].Clone()
		e = w.envs[i]
	case what == 3:
		if s, err := w.envs[1-i].Snapshot(); err == nil { // a world dealt anew may have to wait
			if err := e.Restore(s); err != nil {
				w.t.Fatal(err)
			}
		}
	case what == 4:
		e.Redeal(max(e.Actor(), 0), w.rng.Uint64())
	case what == 5:
		e.Truncate()
	case e.Terminated() || e.Truncated():
		e.Restart()
	default:
		if err := e.Step(pick(e, w.rng)); err != nil {
			w.t.Fatal(err)
		}
	}
	w.look(e, e.Observer())
	if w.n(4) == 0 {
		w.look(e, engine.Player(w.n(uint32(e.Game().Spec().Seats))))
	}
}

// look compares what the environment shows a seat with what the encoder writes.
func (w *walk) look(e *env.Env, p engine.Player) {
	if w.n(2) == 0 { // else the row of another moment stands there
		for i := range w.got {
			w.got[i] = float32(math.NaN())
		}
	}
	e.ObserveAs(p, w.got)
	e.Encoder().Encode(w.want, e.View(p), p)
	for i := range w.want {
		if math.Float32bits(w.got[i]) != math.Float32bits(w.want[i]) {
			w.t.Fatalf("%s: seat %d sees %g as number %d, want %g", e.Game().Spec().Text, p, w.got[i], i, w.want[i])
		}
	}
}

// Environments of which there are too many for a processor's cache remember nothing, and show
// the same.
func TestManyEnvironmentsShowTheSame(t *testing.T) {
	for _, name := range remembered {
		one := newEnv(t, name, env.Options{})
		many, err := env.Several(one.Game(), env.Options{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		w := walk{t: t, rng: rand.NewPCG(1, 2), envs: [2]*env.Env{one, many[0]}}
		w.got, w.want = make([]float32, one.Encoder().Layout().Size), make([]float32, one.Encoder().Layout().Size)
		one.Reset(3)
		for range 50 {
			many[0].CopyFrom(one)
			w.look(one, one.Observer())
			w.look(many[0], one.Observer())
			if one.Terminated() {
				one.Restart()
			} else if err := one.Step(pick(one, w.rng)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What an environment remembers is part of what it is said to hold.
func TestBytesCountWhatIsRemembered(t *testing.T) {
	for _, name := range remembered {
		e := newEnv(t, name, env.Options{})
		r := e.Encoder().(encoding.Rememberer)
		if n := r.RememberingBytes(); n < 4*r.Layout().Size || int64(env.Bytes(e.Game())) < int64(n) {
			t.Errorf("%s: an encoder remembers %d bytes, an environment holds %d", name, n, env.Bytes(e.Game()))
		}
	}
}
