package search

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"powderkeg/engine"
)

// StudyConfig sets up a Study.
type StudyConfig struct {
	// Depth is how many decisions with a choice a simulation plays after the first action
	// before the critic's values count, 0 for to the end of the game. If the game is likely to
	// be over within Rest of them, simulations are played to its end, too.
	Depth, Rest int
	// Considered is how many actions are tried at most, at least 1: those that the judge likes most.
	Considered int
	// Lines is how many choices of each simulation are kept for Line.
	Lines int
	// Prior says how likely the actions are to be chosen, Judge plays the simulations, Critic
	// says what situations are worth. They may be the same.
	Prior, Judge, Critic Judge
	// Beliefs, if not nil, say how likely worlds are; else all that the view allows are alike.
	Beliefs *Beliefs
}

// Study finds out what the actions of one decision are worth, each as far as it matters, and for
// as long as somebody wants to know. It plays the same simulations as Descent: a world that the
// seat's view allows, an action, and then the judge for all seats. But it spends them by rounds
// of sequential halving (Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in
// Multi-Armed Bandits", ICML 2013), over and over, so that most go to the actions between which
// it has to decide.
//
// All that it says is of the same simulations, and honest about their noise. What worlds have in
// common is taken out of the differences between actions: gain = action + world + noise, by least
// squares. The values of actions are drawn together as far as noise may have driven them apart
// (R. DerSimonian, N. Laird, "Meta-Analysis in Clinical Trials", 1986), so that after few
// simulations nothing is a mistake. The policy is the judge's own, improved by the values
// (I. Danihelka and others, "Policy improvement by planning with Gumbel", ICLR 2022), by less the
// greater the noise is. The value of the decision is the mean of the actions' by that policy.
//
// A Study belongs to one goroutine.
type Study struct {
	config  StudyConfig
	sampler sampler
	low     float64 // a return r scales to (r - low) * scale, from 0 to 1
	scale   float64

	view   engine.View
	seat   engine.Player
	legal  []engine.Action
	known  engine.State // the world, nil where all that the view allows are dealt
	seed   uint64
	prior  []float64 // by legal action
	tried  []int     // indices of the actions in question, the likeliest first
	always int       // the first so many of them are tried in every round
	trials []trial   // of whole worlds
	batch  []trial   // of the worlds under way
	left   [][]int   // of the round: the actions of the worlds still to be played
	worlds int       // so far
	width  int       // of the round before
	rng    rand.PCG
	common []float64 // scratch: by world
}

// trial is what came of an action in a world.
type trial struct {
	action, world int
	gain          float64 // scaled
	line          []move
}

// Action is what a Study thinks of a legal action.
type Action struct {
	Action engine.Action
	// Share is with which probability it should be taken, 0 where it was not tried.
	Share float64
	// Value is the expected return of the seat, scaled to 0..1, and Error its standard error
	// against other actions. Both mean something if Trials is above 0.
	Value, Error float64
	Trials       int
}

// Finding is what a Study has found out.
type Finding struct {
	// Actions are in the order of the legal ones.
	Actions []Action
	// Value is the mean of their values by their shares.
	Value float64
	// Best is the index of the action with the largest share.
	Best int
	// Error is the standard error of what the worlds tried have in common.
	Error float64
	// Worlds and Trials count worlds and simulations.
	Worlds, Trials int
}

// MostTrials bounds the simulations of a Study, and with them its memory.
const MostTrials = 1 << 14

const (
	// studyStream and worldStream are the PCG streams of the simulations and of the worlds.
	studyStream = 0x7374756479
	worldStream = 0x776f726c64
	// fits is how often worlds and actions are fitted to each other; few actions are not
	// in nearly all worlds of the others, so that it soon comes to rest.
	fits = 12
	// asked is how often the judge is asked about the decision itself: one without
	// probabilities says another thing each time.
	asked = 8
	// roundTrials is how many simulations a round has, about.
	roundTrials = 64
	// priorFloor is the share of its policy that the judge gives up to all actions alike, so
	// that none is beyond improvement, and priorPower how much its policy counts: together they
	// let it outweigh two or three standard errors. What a hint takes for noise must not be a
	// mistake in a review.
	priorFloor, priorPower = 0.1, 0.5
	// sharpness is the difference in value that multiplies a share by e where there is no
	// noise: the likeliest of 16 actions is worth at most one hundredth less than any other.
	sharpness = 0.004
	// noiseTrials and leastNoise are what is supposed of an action's noise beforehand: a
	// standard deviation, for so many trials.
	noiseTrials, leastNoise = 2.0, 0.03
)

// NewStudy returns a study of game g. The configuration must be sound.
func NewStudy(g engine.Game, c StudyConfig) *Study {
	spec := g.Spec()
	s := &Study{config: c, low: float64(spec.MinReturn), scale: 1}
	if spec.MaxReturn > spec.MinReturn {
		s.scale = 1 / (float64(spec.MaxReturn) - s.low)
	}
	s.sampler.init(g, c.Judge, c.Critic, c.Depth)
	s.sampler.lines = c.Lines
	s.sampler.ended = func(r *run, gain float64) {
		s.batch[r.action].gain = min(max((gain-s.low)*s.scale, 0), 1)
		s.batch[r.action].line = slices.Clone(r.line)
	}
	return s
}

// Begin takes up the decision of a seat by its view. What comes of it follows from the view and the
// seed. Actions of always are tried in any case.
func (s *Study) Begin(view engine.View, seat engine.Player, legal []engine.Action, always []engine.Action, seed uint64) error {
	return s.begin(view, seat, legal, always, seed, nil)
}

// BeginIn is Begin where what the seat does not see is known: one world, which the view must allow
// and which the study keeps and does not change.
func (s *Study) BeginIn(world engine.State, view engine.View, seat engine.Player, legal []engine.Action, seed uint64) error {
	return s.begin(view, seat, legal, nil, seed, world)
}

func (s *Study) begin(view engine.View, seat engine.Player, legal, always []engine.Action, seed uint64, world engine.State) error {
	s.view, s.seat, s.seed, s.known = view, seat, view.Hash()^seed, world
	s.legal = append(s.legal[:0], legal...)
	s.trials, s.batch, s.left, s.worlds, s.width = nil, s.batch[:0], nil, 0, 0
	s.sampler.past = engine.Nobody
	if world != nil {
		s.sampler.past = seat
	}
	if err := s.ask(); err != nil {
		return err
	}
	s.choose(always)
	return s.foresee()
}

// pilots is in how many worlds it is tried whether the game is soon over.
const pilots = 3

// foresee sets how deep the simulations are.
func (s *Study) foresee() error {
	s.sampler.depth = s.config.Depth
	if s.config.Depth == 0 || s.config.Rest <= s.config.Depth {
		return nil
	}
	s.sampler.depth = s.config.Rest
	over := 0
	for n := range pilots {
		r := &s.sampler.runs[0]
		r.rng.Seed(s.deal(n), studyStream)
		s.batch, r.action = append(s.batch[:0], trial{}), 0
		s.sampler.start(r, s.legal[s.tried[0]])
		s.sampler.play(context.Background(), 1, s.seat)
		if r.state.ToAct() == engine.Terminal {
			over++
		}
	}
	s.batch = s.batch[:0]
	if s.sampler.depth = s.config.Depth; over == pilots {
		s.sampler.depth = 0
	}
	return faultOf(s.config.Judge)
}

// Depth is how many decisions with a choice the simulations of this decision play, 0 for to the
// end of the game.
func (s *Study) Depth() int { return s.sampler.depth }

// ask has the judge say how likely the actions are.
func (s *Study) ask() (err error) {
	s.prior, err = liking(s.config.Prior, s.view, s.seat, s.legal, s.seed, asked)
	return err
}

// liking returns how likely a judge takes the legal actions to be, asked so many times.
func liking(judge Judge, view engine.View, seat engine.Player, legal []engine.Action, seed uint64, times int) ([]float64, error) {
	rows, probs, odds := min(times, judge.Rows()), make([]float32, len(legal)), make([]float64, len(legal))
	for row := range rows {
		if j, ok := judge.(Drawing); ok {
			j.Seed(row, seed+uint64(row))
		}
		judge.Show(row, view, seat, legal)
	}
	judge.Look(rows)
	for row := range rows {
		judge.Policy(row, probs)
		for i, p := range probs {
			odds[i] += float64(p) / float64(rows)
		}
	}
	return odds, faultOf(judge)
}

// choose sets which actions are tried.
func (s *Study) choose(always []engine.Action) {
	s.tried = s.tried[:0]
	for i := range s.legal {
		s.tried = append(s.tried, i)
	}
	in := func(i int) int {
		if slices.Contains(always, s.legal[i]) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(s.tried, func(a, b int) int {
		return cmp.Or(cmp.Compare(in(b), in(a)), cmp.Compare(s.prior[b], s.prior[a]))
	})
	s.always = 0
	for s.always < len(s.tried) && in(s.tried[s.always]) == 1 {
		s.always++
	}
	s.tried = s.tried[:min(len(s.tried), max(s.config.Considered, s.always))]
}

// Think goes on until there are so many simulations, or ctx ends, which is no error: it may be
// called again. The view is equal to that of Begin, and must not change before the next Begin or
// Think.
func (s *Study) Think(ctx context.Context, view engine.View, trials int) error {
	s.view = view
	// What one simulation takes is not known beforehand: the first worlds come one by one.
	for together := 1; len(s.trials) < min(trials, MostTrials) && ctx.Err() == nil; together = min(2*together, roundTrials) {
		if len(s.left)+len(s.batch) == 0 {
			s.round()
		}
		if err := s.play(ctx, together); err != nil {
			return err
		}
	}
	return nil
}

// round plans the next round: of the actions tried half as many as before, the best ones, in more
// worlds; after two it begins anew with all.
func (s *Study) round() {
	s.width = (s.width + 1) / 2
	if s.width < 2 {
		s.width = len(s.tried)
	}
	best := slices.Clone(s.tried)
	if s.width < len(best) {
		f := s.Found()
		slices.SortStableFunc(best[s.always:], func(a, b int) int { return cmp.Compare(f.Actions[b].Share, f.Actions[a].Share) })
		best = best[:max(s.width, s.always+1)]
	}
	for range max(1, roundTrials/len(best)) {
		s.left = append(s.left, best)
	}
}

// play plays up to so many worlds of the round side by side, or goes on with those that were under
// way when ctx ended.
func (s *Study) play(ctx context.Context, worlds int) error {
	for n := len(s.batch); n == 0 && worlds > 0 && len(s.left) > 0; worlds-- {
		actions := s.left[0]
		if len(s.batch) > 0 && len(s.batch)+len(actions) > len(s.sampler.runs) {
			break
		}
		s.left = s.left[1:]
		luck := s.deal(s.worlds)
		for _, i := range actions {
			r := &s.sampler.runs[len(s.batch)]
			r.rng.Seed(luck, studyStream)
			r.action = len(s.batch)
			s.batch = append(s.batch, trial{action: i, world: s.worlds})
			s.sampler.start(r, s.legal[i])
		}
		s.worlds++
	}
	whole := s.sampler.play(ctx, len(s.batch), s.seat)
	if err := cmp.Or(faultOf(s.config.Judge), faultOf(s.config.Critic)); err != nil {
		return err
	}
	if whole {
		s.trials = append(s.trials, s.batch...)
		s.batch = s.batch[:0]
	}
	return nil
}

// deal makes a world the sampler's, by its number, and returns the seed of what follows in it.
func (s *Study) deal(world int) uint64 {
	s.rng.Seed(s.seed+uint64(world), worldStream)
	luck := s.rng.Uint64() // the first numbers of neighbouring streams are alike
	switch {
	case s.known != nil:
		s.sampler.world.CopyFrom(s.known)
	case !s.config.Beliefs.Deal(s.sampler.world, s.view, s.seat, &s.rng):
		s.sampler.deal(s.view, &s.rng)
	}
	return luck
}

// Found returns what the simulations so far say.
func (s *Study) Found() *Finding {
	f := &Finding{Actions: make([]Action, len(s.legal)), Trials: len(s.trials), Best: s.tried[0]}
	if len(s.trials) > 0 {
		f.Worlds = s.trials[len(s.trials)-1].world + 1
	}
	for i, a := range s.legal {
		f.Actions[i].Action = a
	}
	for _, t := range s.trials {
		f.Actions[t.action].Trials++
	}
	seen := slices.DeleteFunc(slices.Clone(s.tried), func(i int) bool { return f.Actions[i].Trials == 0 })
	if len(seen) == 0 {
		for _, i := range s.tried {
			f.Actions[i].Share = s.prior[i]
		}
		return f
	}
	s.fit(f, seen)
	shrink(f, seen)
	s.improve(f, seen)
	return f
}

// fit fills values and errors of the actions seen by least squares: what a world gives all actions
// alike is taken out.
func (s *Study) fit(f *Finding, seen []int) {
	s.common = resize(s.common, f.Worlds)
	clear(s.common)
	counts, sums := make([]float64, f.Worlds), make([]float64, len(f.Actions))
	for _, t := range s.trials {
		counts[t.world]++
	}
	for range fits {
		clear(sums)
		for _, t := range s.trials {
			sums[t.action] += t.gain - s.common[t.world]
		}
		for _, i := range seen {
			f.Actions[i].Value = sums[i] / float64(f.Actions[i].Trials)
		}
		clear(s.common)
		mean := 0.0
		for _, t := range s.trials {
			d := (t.gain - f.Actions[t.action].Value) / counts[t.world]
			s.common[t.world] += d
			mean += d / float64(f.Worlds)
		}
		for w := range s.common {
			s.common[w] -= mean
		}
		for _, i := range seen {
			f.Actions[i].Value += mean
		}
	}
	clear(sums)
	all := 0.0
	for _, t := range s.trials {
		d := t.gain - f.Actions[t.action].Value - s.common[t.world]
		sums[t.action] += d * d
		all += d * d
	}
	// Each world and each action has taken one degree of freedom.
	free := float64(len(s.trials) - f.Worlds - len(seen) + 1)
	lost := 1.0
	if free > 0 {
		lost = float64(len(s.trials)) / free
	}
	for _, i := range seen {
		a := &f.Actions[i]
		n := float64(a.Trials)
		a.Error = math.Sqrt((sums[i]*lost + noiseTrials*leastNoise*leastNoise) / (n + noiseTrials) / n)
	}
	for _, c := range s.common {
		f.Error += c * c
	}
	f.Error = math.Sqrt(f.Error/float64(s.worlds)+leastNoise*leastNoise) / math.Sqrt(float64(s.worlds))
}

// shrink draws the values seen together by as much as noise may have driven them apart.
func shrink(f *Finding, seen []int) {
	mean, between := between(f, seen)
	for _, i := range seen {
		a := &f.Actions[i]
		noise := a.Error * a.Error
		keep := between / (between + noise)
		a.Value = min(max(mean+(a.Value-mean)*keep, 0), 1)
		a.Error = math.Sqrt(keep) * a.Error
	}
}

// between returns the mean of the values seen and by how much (a variance) they differ beyond
// their noise.
func between(f *Finding, seen []int) (mean, variance float64) {
	weigh := func(variance float64) (sum, squares float64) {
		mean = 0
		for _, i := range seen {
			a := f.Actions[i]
			w := 1 / (variance + a.Error*a.Error)
			sum, squares = sum+w, squares+w*w
			mean += w * a.Value
		}
		mean /= sum
		return sum, squares
	}
	sum, squares := weigh(0)
	if len(seen) > 1 {
		q := 0.0
		for _, i := range seen {
			d := (f.Actions[i].Value - mean) / f.Actions[i].Error
			q += d * d
		}
		variance = max(0, (q-float64(len(seen)-1))/(sum-squares/sum))
		weigh(variance)
	}
	return mean, variance
}

// improve sets the shares, and what follows from them.
func (s *Study) improve(f *Finding, seen []int) {
	// The noise that counts is that of the two actions that were tried most.
	by := slices.Clone(seen)
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(f.Actions[b].Trials, f.Actions[a].Trials) })
	noise := sharpness
	for _, i := range by[:min(2, len(by))] {
		noise = math.Hypot(noise, f.Actions[i].Error)
	}
	top := math.Inf(-1)
	for _, i := range seen {
		top = max(top, f.Actions[i].Value)
	}
	sum := 0.0
	for _, i := range seen {
		a := &f.Actions[i]
		a.Share = math.Pow((1-priorFloor)*s.prior[i]+priorFloor/float64(len(seen)), priorPower) * math.Exp((a.Value-top)/noise)
		sum += a.Share
	}
	f.Best = seen[0]
	for _, i := range seen {
		a := &f.Actions[i]
		a.Share /= sum
		f.Value += a.Share * a.Value
		if a.Share > f.Actions[f.Best].Share {
			f.Best = i
		}
	}
}

// Loss returns how much less action i is worth than the best one, and the standard error of
// that.
func (f *Finding) Loss(i int) (loss, err float64) {
	if i == f.Best {
		return 0, 0
	}
	best, own := f.Actions[f.Best], f.Actions[i]
	return best.Value - own.Value, math.Hypot(best.Error, own.Error)
}

// Line goes through the moves that are to be expected after an action, in one of the
// worlds that have been tried: at every choice the most frequent one, as long as a quarter of the worlds have come so
// far. each is called before every move, chance's too, with a state that it may read until
// it returns.
func (s *Study) Line(i int, each func(at engine.State, a engine.Action)) {
	var rest []int
	for n, t := range s.trials {
		if t.action == i {
			rest = append(rest, n)
		}
	}
	if len(rest) == 0 {
		return
	}
	least := max(2, (len(rest)+3)/4)
	nth := func(n, k int) (at int) { // where the k-th choice of a trial stands, -1 for none
		for at, m := range s.trials[n].line {
			if !m.chance {
				if k == 0 {
					return at
				}
				k--
			}
		}
		return -1
	}
	end := -1
	for k := 0; ; k++ {
		by := map[engine.Action]int{}
		var most engine.Action
		for _, n := range rest {
			if at := nth(n, k); at >= 0 {
				a := s.trials[n].line[at].action
				if by[a]++; by[a] > by[most] || by[a] == by[most] && a < most {
					most = a
				}
			}
		}
		if by[most] < least && k > 0 || by[most] == 0 {
			break
		}
		rest = slices.DeleteFunc(rest, func(n int) bool {
			at := nth(n, k)
			return at < 0 || s.trials[n].line[at].action != most
		})
		end = k
	}
	t := s.trials[rest[0]]
	s.deal(t.world)
	state := s.sampler.world
	for _, m := range t.line[:nth(rest[0], end)+1] {
		each(state, m.action)
		if err := state.Apply(m.action); err != nil {
			panic(err) // it was made before
		}
	}
}
