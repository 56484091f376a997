package search

import (
	"context"
	"fmt"
	"math/rand/v2"

	"powderkeg/engine"
)

// sampler plays simulations side by side: a judge plays on for all seats until they are over,
// or deep enough for the judge's values to count. Nothing grows from one to the next.
type sampler struct {
	judge  Judge
	critic Judge // whose values count, the judge itself if it is the same
	depth  int   // decisions with a choice after the first action, 0 for to the end of the game
	hidden bool  // something is
	inPlay bool  // returns count before the end
	// past is a seat at whose decisions no simulation is cut, engine.Nobody for none: where a
	// world is given, that seat is the one that does not see it.
	past engine.Player
	// lines is how many choices of a run are kept, with what follows of itself.
	lines int
	// ended is called with the gain of the seat of play when a run is over.
	ended func(r *run, gain float64)

	world    engine.State
	runs     []run
	view     engine.View // scratch of See; unused where nothing is hidden
	rows     []int32     // the run that each row of the judge belongs to
	cuts     []int32     // and of the critic, where it is another
	outcomes []engine.Outcome
	returns  []float32
	probs    []float32 // scratch of draws
}

// run is a simulation under way.
type run struct {
	state  engine.State
	rng    rand.PCG
	legal  []engine.Action
	action int // the number of that with which it began
	depth  int // decisions with a choice since then
	over   bool
	told   bool   // what it came to has been counted
	line   []move // the first ones, as far as the sampler keeps them
}

// move is a move of a line.
type move struct {
	action engine.Action
	chance bool
}

func (s *sampler) init(g engine.Game, judge, critic Judge, depth int) {
	spec := g.Spec()
	s.judge, s.critic, s.depth, s.inPlay, s.past = judge, critic, depth, spec.PaysInPlay, engine.Nobody
	s.world, s.probs = engine.Unwritten(g), make([]float32, len(spec.Actions))
	h, ok := s.world.(engine.Hidden)
	if s.hidden = ok; ok {
		s.view = h.NewView()
	}
	s.runs = make([]run, max(judge.Rows(), len(spec.Actions)))
	for i := range s.runs {
		s.runs[i].state = engine.Unwritten(g)
	}
}

// deal makes the world of the next runs one that the view allows.
func (s *sampler) deal(view engine.View, rng *rand.PCG) {
	if s.hidden {
		s.world.(engine.Hidden).Redeal(view, rng)
	} else {
		s.world.CopyFrom(view.(engine.State))
	}
}

// start begins a run in the world with an action. Its generator is seeded before.
func (s *sampler) start(r *run, a engine.Action) {
	r.state.CopyFrom(s.world)
	r.depth, r.over, r.told, r.line = 0, false, false, r.line[:0]
	s.move(r, a)
}

// play brings the first n runs, which have been started, to their ends, and reports whether it
// could before ctx ended; it may be called again then. It counts for a seat.
func (s *sampler) play(ctx context.Context, n int, seat engine.Player) bool {
	runs := s.runs[:n]
	for going := true; going; {
		going = false
		if ctx.Err() != nil {
			return false
		}
		for i := range runs {
			r := &runs[i]
			switch {
			case r.told:
			case r.over:
				s.returns = r.state.Returns(s.returns[:0])
				s.end(r, float64(s.returns[seat]))
			case s.cut(r) && s.critic != s.judge:
				going = true
				s.show(s.critic, len(s.cuts), r)
				if s.cuts = append(s.cuts, int32(i)); len(s.cuts) == s.critic.Rows() {
					s.value(runs, seat)
				}
			default:
				going = true
				s.show(s.judge, len(s.rows), r)
				if s.rows = append(s.rows, int32(i)); len(s.rows) == s.judge.Rows() {
					s.look(runs, seat)
				}
			}
		}
		s.look(runs, seat)
		s.value(runs, seat)
	}
	return true
}

// cut reports whether a run is deep enough for the critic.
func (s *sampler) cut(r *run) bool {
	return s.depth > 0 && r.depth >= s.depth && r.state.ToAct() != s.past
}

// end takes what a run has come to.
func (s *sampler) end(r *run, gain float64) {
	r.over, r.told = true, true
	s.ended(r, gain)
}

// show puts the decision of a run before a judge.
func (s *sampler) show(judge Judge, row int, r *run) {
	if j, ok := judge.(Drawing); ok {
		j.Seed(row, r.rng.Uint64())
	}
	seat := r.state.ToAct()
	if s.hidden {
		r.state.(engine.Hidden).See(seat, s.view)
		judge.Show(row, s.view, seat, r.legal)
		return
	}
	judge.Show(row, r.state, seat, r.legal)
}

// look judges the rows shown and lets their runs go on, or end where they are deep
// enough.
func (s *sampler) look(runs []run, seat engine.Player) {
	if len(s.rows) > 0 {
		s.judge.Look(len(s.rows))
	}
	for row, i := range s.rows {
		r := &runs[i]
		if s.cut(r) {
			s.end(r, s.worth(s.judge, row, r, seat))
			continue
		}
		probs := s.probs[:len(r.legal)]
		s.judge.Policy(row, probs)
		r.depth++
		if s.move(r, r.legal[draw(probs, &r.rng)]); r.over {
			s.returns = r.state.Returns(s.returns[:0])
			s.end(r, float64(s.returns[seat]))
		}
	}
	s.rows = s.rows[:0]
}

// value has the critic judge the runs shown to it, which end.
func (s *sampler) value(runs []run, seat engine.Player) {
	if len(s.cuts) > 0 {
		s.critic.Look(len(s.cuts))
	}
	for row, i := range s.cuts {
		s.end(&runs[i], s.worth(s.critic, row, &runs[i], seat))
	}
	s.cuts = s.cuts[:0]
}

// worth returns what a judge expects of a row for a seat.
func (s *sampler) worth(judge Judge, row int, r *run, seat engine.Player) float64 {
	gain := float64(judge.Values(row)[seat])
	if s.inPlay {
		s.returns = r.state.Returns(s.returns[:0])
		gain += float64(s.returns[seat])
	}
	return gain
}

// draw returns an index with the given probabilities.
func draw(probs []float32, rng *rand.PCG) int {
	u := float32(engine.Unit(rng))
	for i, p := range probs {
		if u -= p; u < 0 {
			return i
		}
	}
	return len(probs) - 1
}

// move makes a move in a run, and what follows of itself, up to the next choice or the end.
func (s *sampler) move(r *run, a engine.Action) {
	s.apply(r, a)
	for {
		switch r.state.ToAct() {
		case engine.Terminal:
			r.over = true
			return
		case engine.Chance:
			if d, ok := r.state.(engine.Drawer); ok {
				var came engine.Action
				came, s.outcomes = d.Draw(&r.rng, s.outcomes)
				s.note(r, came, true)
				continue
			}
			s.outcomes = r.state.(engine.Stochastic).Outcomes(s.outcomes[:0])
			s.apply(r, engine.Sample(s.outcomes, &r.rng))
		default:
			r.legal = r.state.Legal(r.legal[:0])
			if len(r.legal) > 1 {
				return
			}
			s.apply(r, r.legal[0])
		}
	}
}

func (s *sampler) apply(r *run, a engine.Action) {
	chance := r.state.ToAct() == engine.Chance
	if err := r.state.Apply(a); err != nil {
		panic(fmt.Sprintf("search: a game refuses a move that it offered: %v", err))
	}
	s.note(r, a, chance)
}

// note keeps a move of the line of a run.
func (s *sampler) note(r *run, a engine.Action, chance bool) {
	if r.depth < s.lines {
		r.line = append(r.line, move{a, chance})
	}
}
