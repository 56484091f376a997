package respond

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/engine/position"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/eval"
	"powderkeg/train/job"
)

// ErrStopped is wrapped by the error of a run that ctx has ended early. The same call goes
// on with it.
var ErrStopped = errors.New("stopped")

// Options are what a run needs beside its config.
type Options struct {
	// Dir is the folder of the run: respond.json (config and plan), a training run for each
	// learner, candidates (a file for each measurement), result.json and curve.png.
	Dir string
	// Progress is told how the run goes. It may be nil.
	Progress io.Writer
	// Hands, if not nil, train the learners, each a job, and play the games that measure. The
	// result is the same; of a learner they tell no more than that it is done.
	Hands job.Hands
}

// plan is what a run has settled on at its beginning; it and the config are respond.json.
type plan struct {
	Config Config `json:"config"`
	Ways   []Way  `json:"ways"`
	// Updates is the length of each learner's training where time decided it.
	Updates map[Way]int64 `json:"updates,omitempty"`
}

// folder is a run under way.
type folder struct {
	config   Config
	plan     plan
	game     engine.Game
	agent    func() agents.Policy
	dir      string
	progress io.Writer
	hands    job.Hands
}

// tell writes a line for the user.
func (f *folder) tell(format string, args ...any) {
	if f.progress != nil {
		fmt.Fprintf(f.progress, format+"\n", args...)
	}
}

// Run looks for a response in a new folder, or goes on in one that has a run of the same
// config. It blocks until the result is there; when ctx ends, it saves what there is and
// returns an error that wraps ErrStopped.
func Run(ctx context.Context, c Config, o Options) (r *Result, err error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := durable.Claim(o.Dir, "run of this command", planName); err != nil {
		return nil, err
	}
	release, err := durable.Lock(o.Dir, "run folder")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	return find(ctx, c, o)
}

// find is Run in a folder of this process's own.
func find(ctx context.Context, c Config, o Options) (*Result, error) {
	f := &folder{config: c, dir: o.Dir, progress: o.Progress, hands: o.Hands}
	var err error
	if f.game, err = c.NewGame(); err != nil {
		return nil, err
	}
	if f.agent, err = roster.Policies(f.game, c.Agent); err != nil {
		return nil, err
	}
	if err := f.settle(ctx); err != nil {
		return nil, err
	}
	r := &Result{Format: Format, Game: c.Game, Rules: f.game.Spec().Version, Agent: c.Agent, Position: json.RawMessage(c.Position), Seed: c.Seed,
		zeroSum: f.game.Spec().Payoff == engine.ZeroSum}
	if f.hands != nil {
		if err := f.learnElsewhere(ctx); err != nil {
			return nil, err
		}
	}
	for _, way := range learners(f.plan.Ways) {
		l, err := f.learn(ctx, way)
		if err != nil {
			return nil, err
		}
		r.Learners = append(r.Learners, l)
	}
	start := time.Now()
	if r.Candidates, err = f.candidates(ctx); err != nil {
		return nil, err
	}
	if err := f.choose(ctx, r); err != nil {
		return nil, err
	}
	r.Measuring = time.Since(start).Seconds()
	if err := writeJSON(filepath.Join(f.dir, resultName), r); err != nil {
		return nil, err
	}
	return r, r.WritePlot(filepath.Join(f.dir, plotName))
}

// The parts of the folder.
const (
	planName       = "respond.json"
	resultName     = "result.json"
	plotName       = "curve.png"
	candidatesName = "candidates"
)

// settle reads the plan, or makes one.
func (f *folder) settle(ctx context.Context) error {
	path := filepath.Join(f.dir, planName)
	text, err := file.Read(path, file.Text)
	switch {
	case err == nil:
		if err := json.Unmarshal(text, &f.plan); err != nil {
			return fmt.Errorf("%s: %s", path, position.Plainly(err, nil))
		}
		// What does not decide the result may change.
		old := f.plan.Config
		old.Workers = f.config.Workers
		if reflect.DeepEqual(normal(old), normal(f.config)) {
			return nil
		}
		line, err := train.SettingsDifference(normal(old), normal(f.config))
		if err != nil {
			return err
		}
		return train.Taken(f.dir, "a run with another configuration", line, "its own settings")
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f.plan = plan{Config: f.config, Ways: f.config.ways(f.game)}
	if list := learners(f.plan.Ways); f.config.Seconds > 0 && len(list) > 0 {
		f.plan.Updates = map[Way]int64{}
		for _, way := range list {
			if f.plan.Updates[way], err = f.config.probe(ctx, f.game, way, f.config.Seconds/float64(len(list))); err != nil {
				return err
			}
		}
	}
	if err := file.MakeFolder(filepath.Join(f.dir, candidatesName)); err != nil {
		return err
	}
	return writeJSON(path, f.plan)
}

// normal is a config as JSON has it back: an empty list is none.
func normal(c Config) Config {
	if len(c.Ways) == 0 {
		c.Ways = nil
	}
	if len(c.Set) == 0 {
		c.Set = nil
	}
	return c
}

// candidates lists the candidates of all ways with what they gain.
func (f *folder) candidates(ctx context.Context) ([]Candidate, error) {
	var list []Candidate
	for _, way := range f.plan.Ways {
		if way == Search {
			list = append(list, Candidate{Way: Search, Player: f.searcher()})
			continue
		}
		own, err := trained(filepath.Join(f.dir, string(way)), way)
		if err != nil {
			return nil, err
		}
		list = append(list, own...)
	}
	for i := range list {
		if err := f.measure(ctx, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// searcher names the search that takes the agent to be what it plays against.
func (f *folder) searcher() string {
	if ref, ok := roster.Network(f.config.Agent); ok {
		return fmt.Sprintf("md(net=%s,sims=%d,depth=0,eta=1000000,alpha=0)", ref, f.config.Simulations)
	}
	rollout := "random"
	if f.config.Agent == "scripted" {
		rollout = "scripted"
	}
	return fmt.Sprintf("mcts(sims=%d,rollout=%s)", f.config.Simulations, rollout)
}

// measure plays the games by which a candidate is chosen, unless that was done before.
func (f *folder) measure(ctx context.Context, c *Candidate) error {
	path := filepath.Join(f.dir, candidatesName, c.name()+".json")
	text, err := file.Read(path, file.Text)
	if err == nil {
		var old Candidate
		if err := json.Unmarshal(text, &old); err != nil {
			return fmt.Errorf("%s: %s", path, position.Plainly(err, nil))
		}
		*c = old
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	units := f.config.Units
	if c.Way == Search {
		units = f.config.SearchUnits
	}
	if c.DeviationResult, err = f.play(ctx, []Candidate{*c}, units, choosing); err != nil {
		return err
	}
	f.tell("%s: gains %.4g [%.4g, %.4g] in %d games", c.name(), c.NashConv, c.NashConvLow, c.NashConvHigh, c.Games)
	return writeJSON(path, c)
}

// The streams of the games that choose and of those that report.
const (
	choosing = 0x63686f6f7365
	fresh    = 0x6672657368
)

// play measures who deviates: one candidate on every seat, or one for each.
func (f *folder) play(ctx context.Context, deviants []Candidate, units int, stream uint64) (*eval.DeviationResult, error) {
	var players []eval.Contestant
	for _, c := range deviants {
		p, err := f.player(c)
		if err != nil {
			return nil, err
		}
		players = append(players, p)
	}
	elsewhere, err := f.elsewhere(deviants)
	if err != nil {
		return nil, err
	}
	r, err := eval.Deviation(ctx, eval.DeviationConfig{
		Game: f.game, Deviant: eval.BySeat(players), Units: units, Workers: f.config.Workers, Elsewhere: elsewhere,
		Agent: eval.Contestant{Name: f.config.Agent, New: func() (agents.Agent, error) { return agents.FromPolicy(f.agent()), nil }},
		Seed:  uint64(engine.NewHash().Word(f.config.Seed).Word(stream)),
	})
	return r, f.stopped(err)
}

// choose takes the best candidate for each seat and measures them in fresh games.
func (f *folder) choose(ctx context.Context, r *Result) error {
	var response []Candidate
	units := f.config.FreshUnits
	for seat := range f.game.Spec().Seats {
		best := slices.MaxFunc(r.Candidates, func(a, b Candidate) int {
			return cmp.Compare(a.Seats[seat].GainLow, b.Seats[seat].GainLow)
		})
		if best.Way == Search {
			units = f.config.SearchUnits
		}
		response = append(response, best)
		r.Response = append(r.Response, Choice{Seat: seat, Way: best.Way, Updates: best.Updates, Player: best.Player})
	}
	result, err := f.play(ctx, response, units, fresh)
	if err != nil {
		return err
	}
	r.set(result)
	return nil
}

// writeJSON replaces a file by the JSON of v, for people to read.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(text, '\n'))
}
