package bloc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// R15.1 and R13.1: at moments of crowded games what a seat does not know is dealt again,
// whether somebody is asked included, and both worlds are played on with the same public
// moves: all that reaches the seat is the same in both, what it is told included.
func TestTwoWorldsLookAlike(t *testing.T) {
	steps, secrets := 0, 0
	for i, name := range []string{
		"bloc(city=beginner)", "bloc(city=beginner,mode=semi_cooperative,auto_forced=true)", "bloc(scenario=beginner_city,players=3)",
		"bloc(scenario=beginner_city,players=2,auto_forced=true)", "bloc(scenario=beginner_city,players=2)",
	} {
		g, rng := enginetest.Game(t, name), rand.NewPCG(17, uint64(i))
		for range enginetest.Times(1) {
			position := rich(g, rng)
			s, err := g.Load([]byte(position), engine.Lenient)
			if err != nil {
				t.Fatal(err)
			}
			for s := s.(*bloc.State); s.ToAct() != engine.Terminal; {
				if secret(s) || engine.Uint32N(rng, 40) == 0 {
					for p := range engine.Player(g.Spec().Seats) {
						w := &worlds{t: t, p: p, rng: rng, from: *s, a: *s, b: *deal(s, p, rng)}
						if view(s, p).ToAct() == engine.Nobody {
							secrets++
						}
						w.late = view(s, p).ToAct() == engine.Nobody
						w.listen(&w.a, &w.told[0])
						w.listen(&w.b, &w.told[1])
						steps += w.play(40)
					}
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Logf("%d views in which nobody is asked, %d moves", secrets, steps)
	if secrets < 30 || steps < 1500 {
		t.Errorf("only %d views in which nobody is asked, %d moves", secrets, steps)
	}
}

// worlds are two states that seat p cannot tell apart.
type worlds struct {
	t    *testing.T
	p    engine.Player
	rng  *rand.PCG
	from bloc.State
	a, b bloc.State
	// What the seat has been told in each since they were last compared.
	told [2][]string
	late bool // the new deal may have gone on before anybody listened
}

func (w *worlds) listen(s *bloc.State, told *[]string) {
	s.Listen(func(e *engine.Event) {
		if e.SeenBy(w.p) {
			*told = append(*told, enginetest.EventText(e, len(s.Returns(nil))))
		}
	})
}

// settle answers secret questions to others with DONE.
func (w *worlds) settle(s *bloc.State) {
	for secret(s) && s.ToAct() != w.p {
		first := *view(s, w.p)
		if first.ToAct() != engine.Nobody {
			w.t.Fatalf("seat %d sees seat %d asked in secret", w.p, s.ToAct())
		}
		if err := s.Apply(bloc.ActDone); err != nil {
			w.t.Fatal(err)
		}
	}
}

// play plays both worlds on for so many moves at most and returns how many there were.
func (w *worlds) play(n int) int {
	for i := range n {
		w.settle(&w.a)
		w.settle(&w.b)
		if open(&w.a).Decision() == 21 && w.a.ToAct() == w.b.ToAct() && w.offer(&w.a) != w.offer(&w.b) {
			return i // what D20 and D21 have chosen in secret shows in what comes next
		}
		if w.a.ToAct() == engine.Terminal || w.b.ToAct() == engine.Terminal {
			return i // agendas decide, and are shown
		}
		if !w.alike() {
			w.t.Fatalf("after %d moves from\n%s\nseat %d can tell\n%s\nfrom\n%s", i, dump(w.t, &w.from), w.p, dump(w.t, &w.a), dump(w.t, &w.b))
		}
		if !w.move() {
			return i
		}
	}
	return n
}

// offer says of a proposal what the seat gets to know now or by what comes of it: the
// partner what it is, the others how many cards go each way and whether the partner picks.
func (w *worlds) offer(s *bloc.State) [2]bloc.Offer {
	n := open(s).P.Now
	if s.ToAct() == w.p {
		return [2]bloc.Offer{n.Give, n.Want}
	}
	return [2]bloc.Offer{max(n.Give, 15), max(n.Want, 15)}
}

// alike compares all that reaches the seat.
func (w *worlds) alike() bool {
	if !w.late && !slices.Equal(w.told[0], w.told[1]) {
		w.t.Errorf("seat %d is told %q in one world, %q in the other", w.p, w.told[0], w.told[1])
		return false
	}
	w.told, w.late = [2][]string{}, false
	x, y := view(&w.a, w.p), view(&w.b, w.p)
	return x.ToAct() == y.ToAct() && x.Hash() == y.Hash() && slices.Equal(x.Legal(nil), y.Legal(nil)) &&
		(x.ToAct() != w.p || x.Text(w.p) == y.Text(w.p) && dump(w.t, x) == dump(w.t, y))
}

func dump(t *testing.T, s engine.View) string {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// move makes a move in both worlds, the same one if the seat gets to know it. It returns
// false if there is none in common.
func (w *worlds) move() bool {
	ours, theirs := engine.Moves(&w.a), engine.Moves(&w.b)
	var shown, hidden [2][]engine.Action
	for i, moves := range [][]engine.Action{ours, theirs} {
		s := []*bloc.State{&w.a, &w.b}[i]
		for _, a := range moves {
			if s.Shows(w.p, a) {
				shown[i] = append(shown[i], a)
			} else {
				hidden[i] = append(hidden[i], a)
			}
		}
	}
	if f := open(&w.a).P.Asked; f != bloc.NoFaction && open(&w.a).P.HandSize[f] == 1 && open(&w.a).P.Hand[f] != open(&w.b).P.Hand[f] {
		hidden = [2][]engine.Action{} // with auto_forced a lone card is played or given unasked
		for i := range shown {
			shown[i] = slices.DeleteFunc(shown[i], func(a engine.Action) bool { return a == bloc.ActYes || a == bloc.ActVerb+13 })
		}
	}
	common := slices.DeleteFunc(shown[0], func(a engine.Action) bool { return !slices.Contains(shown[1], a) })
	pick := func(list []engine.Action) engine.Action { return list[engine.Uint32N(w.rng, uint32(len(list)))] }
	var x, y engine.Action
	switch {
	case len(common) > 0:
		x = pick(common)
		y = x
	case len(hidden[0]) > 0 && len(hidden[1]) > 0:
		x, y = pick(hidden[0]), pick(hidden[1])
	default:
		return false
	}
	if err := w.a.Apply(x); err != nil {
		w.t.Fatal(err)
	}
	if err := w.b.Apply(y); err != nil {
		w.t.Fatal(err)
	}
	return true
}
