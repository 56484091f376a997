package evolve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"text/tabwriter"
	"time"

	"github.com/goccy/go-yaml"

	"powderkeg/agents/network"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/env/file"
	"powderkeg/train"
)

// The files of a run's folder.
const (
	stateFile = "evolution.json"
	foundFile = "advisers.yaml"
)

// state is a search between two generations, as a run's folder has it.
type state struct {
	Config  Config  `json:"config"`
	Search  *search `json:"search"`
	History []Stats `json:"history"`
}

// Result is what a run has found.
type Result struct {
	Config  Config  `json:"config"`
	History []Stats `json:"history"`
	// Adviser is what was found, for network.advisers of a training run.
	Adviser network.Adviser `json:"adviser"`
	Closing []Comparison    `json:"closing"`
}

// Run searches in a folder, in which the same config goes on with a search that was stopped;
// Generations may be another number. It tells of each generation in a line.
func Run(ctx context.Context, c Config, dir string, progress io.Writer) (r *Result, err error) {
	e, err := New(c)
	if err != nil {
		return nil, err
	}
	if err := durable.Claim(dir, "search", stateFile); err != nil {
		return nil, err
	}
	release, err := durable.Lock(dir, "folder of the search")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	return e.run(ctx, c, dir, progress)
}

// run is Run in a folder of this process's own.
func (e *Evolution) run(ctx context.Context, c Config, dir string, progress io.Writer) (*Result, error) {
	var history []Stats
	var err error
	if history, err = e.resume(filepath.Join(dir, stateFile)); err != nil {
		return nil, err
	}
	if len(history) > 0 && e.done < c.Generations {
		fmt.Fprintf(progress, "going on with %s after generation %d\n", dir, e.done)
	}
	first, start := e.done, time.Now()
	for e.done < c.Generations {
		s, err := e.Generation(ctx)
		if err != nil {
			if errors.Is(err, context.Canceled) && e.done > 0 {
				fmt.Fprintf(progress, "for %s now: the same with --generations %d\n", foundFile, e.done)
			}
			if e.done > first {
				err = errors.Join(err, writePlot(dir, c.Game, history))
			}
			return nil, cli.Stopped(err, "after generation %d; the same command goes on from there", e.done)
		}
		history = append(history, s)
		if err := e.save(filepath.Join(dir, stateFile), history); err != nil {
			return nil, err
		}
		each := time.Since(start) / time.Duration(e.done-first)
		fmt.Fprintf(progress, "generation %d/%d  return %+.4f  best %+.4f  step %.3f  %s left\n", s.Generation, c.Generations, s.Return, s.Best, s.Step,
			(each * time.Duration(c.Generations-e.done)).Round(time.Second))
	}
	fmt.Fprintf(progress, "%d closing games a seat\n", c.ClosingGames)
	r := &Result{Config: c, History: history, Adviser: network.Adviser{Seats: c.Seats, Weights: e.Found()}}
	if r.Closing, err = e.Compare(ctx); err != nil {
		return nil, cli.Stopped(err, "in the closing games; the same command plays them again")
	}
	text, err := yaml.Marshal(map[string][]network.Adviser{"advisers": {r.Adviser}})
	if err != nil {
		return nil, err
	}
	if err := durable.WriteFile(filepath.Join(dir, foundFile), text); err != nil {
		return nil, err
	}
	return r, writePlot(dir, c.Game, history)
}

// ReadFound reads the weights of an advisers.yaml that Run has left, to begin another search with.
// Errors wrap cli.ErrUsage.
func ReadFound(path string) (map[string]float64, error) {
	text, err := file.Read(path, file.Text)
	if err != nil {
		return nil, option.Wrong(err)
	}
	if err := file.CheckYAML(text); err != nil {
		return nil, option.Wrong(fmt.Errorf("%s: %w", path, err))
	}
	var found struct {
		Advisers []network.Adviser `yaml:"advisers"`
	}
	if err := yaml.Unmarshal(text, &found); err != nil || len(found.Advisers) != 1 {
		return nil, fmt.Errorf("%w: %s has not the weights of one search (%s)", cli.ErrUsage, path, foundFile)
	}
	return found.Advisers[0].Weights, nil
}

// resume takes a saved search over; without one there is no history.
func (e *Evolution) resume(path string) ([]Stats, error) {
	text, err := file.Read(path, file.Text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s state
	if err := json.Unmarshal(text, &s); err != nil || s.Search == nil {
		return nil, fmt.Errorf("%s is no search; give another --run", path)
	}
	now := e.config
	s.Config.Generations, s.Config.Workers, s.Config.ClosingGames = now.Generations, now.Workers, now.ClosingGames
	if !reflect.DeepEqual(plain(s.Config), plain(now)) {
		line, err := train.SettingsDifference(plain(s.Config), plain(now))
		if err != nil {
			return nil, err
		}
		return nil, train.Taken(filepath.Dir(path), "a search with other settings", line, "its own settings")
	}
	if n := len(e.free); len(s.Search.Mean) != n || len(s.Search.Variance) != n || len(s.Search.StepPath) != n || len(s.Search.Path) != n {
		return nil, fmt.Errorf("%s is no search over these %d weights; give another --run", path, n)
	}
	e.search, e.done = s.Search, len(s.History)
	return s.History, nil
}

// plain has empty lists as nil, as JSON reads them.
func plain(c Config) Config {
	if len(c.Seats) == 0 {
		c.Seats = nil
	}
	if len(c.Only) == 0 {
		c.Only = nil
	}
	if len(c.Start) == 0 {
		c.Start = nil
	}
	return c
}

func (e *Evolution) save(path string, history []Stats) error {
	text, err := json.MarshalIndent(state{e.config, e.search, history}, "", " ")
	if err != nil {
		return err
	}
	return durable.WriteFile(path, text)
}

// Write writes what was found for people.
func (r *Result) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "seat\tgames\tfound\t95%\tbefore\t95%\tgain\t95%")
	for _, c := range r.Closing {
		seat := fmt.Sprint(c.Seat)
		if c.Seat < 0 {
			seat = "all"
		}
		fmt.Fprintf(t, "%s\t%d\t%+.4f\t± %.4f\t%+.4f\t± %.4f\t%+.4f\t± %.4f\n", seat, c.Games, c.Found, c.FoundError, c.Start, c.StartError, c.Gain,
			c.GainError)
	}
	return t.Flush()
}
