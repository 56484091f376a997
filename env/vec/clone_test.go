package vec_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env"
	"powderkeg/env/vec"
)

// Minds implements vec.Rememberers.
func (b *bots) Minds(slot int) ([][]byte, error) {
	if b.forgetful {
		return nil, errors.New("bots forget")
	}
	minds := make([][]byte, b.seats)
	minds[0] = binary.BigEndian.AppendUint64(nil, uint64(*b.hashes[slot]))
	return minds, nil
}

// Remember implements vec.Rememberers.
func (b *bots) Remember(slot int, minds [][]byte) error {
	*b.hashes[slot] = engine.Hash64(binary.BigEndian.Uint64(minds[0]))
	return nil
}

// seated returns bots for all seats of a game but seat 1.
func seated(name string, slots int) *bots {
	g, err := games.New(name)
	if err != nil {
		panic(err)
	}
	b := newBots(1, slots)
	b.seats = g.Spec().Seats
	return b
}

// driven is a Vec that is stepped by what its rows show.
type driven struct {
	*vec.Vec
	b       *vec.Buffers
	actions []engine.Action
}

func drive(v *vec.Vec) *driven {
	return &driven{v, v.NewBuffers(v.Envs()), make([]engine.Action, v.Envs())}
}

// step plays the same moves in every slot that shows the same.
func (d *driven) step(t *testing.T, salt int) {
	t.Helper()
	for i := range d.actions {
		d.actions[i] = choose(d.b, i, len(d.Env(i).Game().Spec().Actions), uint64(salt))
	}
	if err := d.Step(d.actions, d.b); err != nil {
		t.Fatal(err)
	}
}

// kinds are Vecs of every game, autoreset mode, and with others or without.
func kinds(t *testing.T, do func(name string, config vec.Config, others func() vec.Others)) {
	const most = 9
	for _, f := range games.Families() {
		for _, mode := range []vec.Autoreset{vec.SameStep, vec.NextStep} {
			for _, company := range []bool{false, true} {
				others, name := func() vec.Others { return nil }, f.Name+", "+string(mode)
				if company {
					others, name = func() vec.Others { return seated(f.Name, 4) }, name+", with others"
				}
				do(name, vec.Config{Envs: 4, Workers: 2, Autoreset: mode, Env: env.Options{MaxDecisions: most, Written: true}, Others: others()}, others)
			}
		}
	}
}

func family(name string) string {
	game, _, _ := strings.Cut(name, ",")
	return game
}

// A slot and its forks show the same from then on: what is seen and gained, ends, and the
// episodes that follow.
func TestForksGoOnAlike(t *testing.T) {
	kinds(t, func(name string, config vec.Config, _ func() vec.Others) {
		v := drive(newVec(t, family(name), config))
		if err := v.Fork(1, []int32{0}, v.b); err == nil || !strings.Contains(err.Error(), "reset first") {
			t.Fatalf("%s: a fork before the first reset: %v", name, err)
		}
		v.Reset(3, v.b)
		for step := range 12 {
			v.step(t, step)
		}
		other := row(v.b, v.Vec, 2)
		if err := v.Fork(1, []int32{0, 1, 3}, v.b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if slices.Contains(v.b.Terminated, 1) || slices.Contains(v.b.Truncated, 1) {
			t.Fatalf("%s: a fork shows the end of an episode", name)
		}
		d := len(v.b.Observations) / 4 * 4
		if got := row(v.b, v.Vec, 2); got[:d] != other[:d] {
			t.Fatalf("%s: a fork changes another slot", name)
		}
		for step := range 40 {
			want := row(v.b, v.Vec, 1)
			for _, i := range []int{0, 3} {
				if got := row(v.b, v.Vec, i); got != want {
					t.Fatalf("%s: %d steps after the fork slot %d shows\n%q\nwant\n%q", name, step, i, got, want)
				}
			}
			v.step(t, 100+step)
		}
	})
}

// A snapshot survives its JSON form, and what is restored from it goes on as its original does,
// in another Vec too.
func TestSnapshotsOfSlotsGoOnAlike(t *testing.T) {
	kinds(t, func(name string, config vec.Config, others func() vec.Others) {
		v := drive(newVec(t, family(name), config))
		config.Others = others()
		w := drive(newVec(t, family(name), config))
		if _, err := v.Snapshot(0); err == nil || !strings.Contains(err.Error(), "reset first") {
			t.Fatalf("%s: a snapshot before the first reset: %v", name, err)
		}
		v.Reset(3, v.b)
		w.Reset(4, w.b)
		for step := range 30 {
			v.step(t, step)
			for i := range 4 {
				s, err := v.Snapshot(i)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				text, err := json.Marshal(s)
				if err != nil {
					t.Fatal(err)
				}
				var back vec.Snapshot
				if err := json.Unmarshal(text, &back); err != nil {
					t.Fatal(err)
				}
				if err := w.Restore((i+step)%4, back, w.b); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			v.step(t, 50+step)
			w.step(t, 50+step)
			for i := range 4 {
				if want, got := row(v.b, v.Vec, i), row(w.b, w.Vec, (i+step)%4); got != want {
					t.Fatalf("%s, step %d: restored, slot %d shows\n%q\nwant\n%q", name, step, i, got, want)
				}
			}
		}
	})
}

// A copy of all slots goes on as they do.
func TestCopiesOfAllSlotsGoOnAlike(t *testing.T) {
	kinds(t, func(name string, config vec.Config, others func() vec.Others) {
		v := drive(newVec(t, family(name), config))
		config.Others, config.Workers = others(), 1
		w := drive(newVec(t, family(name), config))
		v.Reset(3, v.b)
		for step := range 25 {
			v.step(t, step)
		}
		if err := w.CopyFrom(v.Vec, v.b, w.b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for step := range 40 {
			for i := range 4 {
				if want, got := row(v.b, v.Vec, i), row(w.b, w.Vec, i); got != want {
					t.Fatalf("%s: %d steps after the copy slot %d shows\n%q\nwant\n%q", name, step, i, got, want)
				}
			}
			v.step(t, 60+step)
			w.step(t, 60+step)
		}
	})
}

func TestSlotsThatCannotBeCopied(t *testing.T) {
	others := seated("leduc", 2)
	v := drive(newVec(t, "leduc", vec.Config{Envs: 2, Workers: 1, Autoreset: vec.NextStep, Others: others, Env: env.Options{Written: true}}))
	plain := drive(newVec(t, "leduc", vec.Config{Envs: 2, Workers: 1, Autoreset: vec.SameStep, Env: env.Options{Written: true}}))
	v.Reset(1, v.b)
	plain.Reset(1, plain.b)
	company, err := v.Snapshot(0)
	if err != nil {
		t.Fatal(err)
	}
	own, err := plain.Snapshot(0)
	if err != nil {
		t.Fatal(err)
	}
	for !plain.Env(0).Terminated() {
		if err := plain.Env(0).Step(plain.Env(0).Legal()[0]); err != nil {
			t.Fatal(err)
		}
	}
	ended, err := plain.Snapshot(0)
	if err != nil {
		t.Fatal(err)
	}
	plain.Reset(1, plain.b)
	counts, gains, luck, theirs := own, own, own, company
	counts.Env.Moves, gains.Before, luck.Decided = -1, []float32{0, 1e9}, 7
	theirs.Env = own.Env // in which seat 0 is to act
	others.forgetful = true
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"a snapshot of a game with others":       {plain.Restore(0, company, plain.b), "where the same players sit"},
		"a snapshot without others":              {v.Restore(0, own, v.b), "where the same players sit"},
		"an ended episode where none is shown":   {plain.Restore(0, ended, plain.b), "has ended, and slots in the mode same-step never show an end"},
		"a count that cannot be":                 {plain.Restore(0, counts, plain.b), "0 decisions among -1 moves"},
		"gains that cannot be":                   {plain.Restore(0, gains, plain.b), "a seat had gained 1e+09"},
		"more decisions than there were":         {plain.Restore(0, luck, plain.b), "7 decisions of 0"},
		"a decision of the others":               {v.Restore(0, theirs, v.b), "seat 0 is to act in the snapshot, which others play"},
		"a slot that is not there":               {plain.Fork(0, []int32{2}, plain.b), "slot 2 of 2"},
		"others that cannot say what they know":  {v.Fork(0, []int32{1}, v.b), "bots forget"},
		"the same of a copy of all":              {v.CopyFrom(v.Vec, v.b, v.b), "bots forget"},
		"a copy of a Vec in which others do not": {plain.CopyFrom(v.Vec, v.b, plain.b), "other slots or players"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, c.err, c.want)
		}
	}
}
