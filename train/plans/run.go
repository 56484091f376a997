package plans

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"powderkeg/agents/planner"
	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/env/cli"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/figure"
)

// The files of a run's folder.
const (
	stateFile   = "plans.json"
	metricsFile = "metrics.jsonl"
	storeName   = "checkpoints"
	botName     = "bot"
	plotFile    = "return.png"
)

// Result is what a run has found.
type Result struct {
	Config  Config      `json:"config"`
	History []Stats     `json:"history"`
	Closing *Comparison `json:"closing"`
	// Bot is the folder of the planner that was trained.
	Bot string `json:"bot"`
}

// saveEvery is how many updates lie between two checkpoints.
const saveEvery = 10

// Run trains in a folder, in which the same config goes on with a training that was stopped. It
// tells of updates in a line.
func Run(ctx context.Context, c Config, dir string, progress io.Writer) (r *Result, err error) {
	t, err := New(c)
	if err != nil {
		return nil, err
	}
	if err := durable.Claim(dir, "training of plans", stateFile); err != nil {
		return nil, err
	}
	release, err := durable.Lock(dir, "folder of the training")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	return t.run(ctx, dir, progress)
}

func (t *Trainer) run(ctx context.Context, dir string, progress io.Writer) (*Result, error) {
	history, err := t.resume(dir)
	if err != nil {
		return nil, err
	}
	if t.updates > 0 && t.updates < t.config.Updates {
		fmt.Fprintf(progress, "going on with %s after update %d\n", dir, t.updates)
	}
	first, start := t.updates, time.Now()
	for t.updates < t.config.Updates {
		s, err := t.next(ctx)
		if err == nil {
			history = append(history, s)
		}
		if last := t.updates == t.config.Updates; err != nil || last || t.updates%saveEvery == 0 {
			if saved := t.save(dir, history); saved != nil {
				return nil, errors.Join(err, saved)
			}
		}
		if err != nil {
			return nil, cli.Stopped(errors.Join(err, writePlot(dir, t.config.Game, history)),
				"after update %d; the same command goes on from there", t.updates)
		}
		each := time.Since(start) / time.Duration(t.updates-first)
		fmt.Fprintf(progress, "update %d/%d  return %+.4f%s  departures %.3f  divergence %.4f  explained %.3f (late %.3f)%s  %.1fs  %s left\n",
			s.Update, t.config.Updates, s.Return, s.bySeat(),
			s.Departures, s.Divergence, s.Explained, s.Late, s.evaluation(), s.Seconds, (each * time.Duration(t.config.Updates-t.updates)).Round(time.Second))
	}
	r := &Result{Config: t.config, History: history, Bot: filepath.Join(dir, botName)}
	fmt.Fprintf(progress, "%d closing games with the network, and as many without\n", t.config.ClosingGames)
	if r.Closing, err = t.Compare(ctx, t.config.ClosingGames, closingSeeds); err != nil {
		return nil, cli.Stopped(err, "in the closing games; the same command plays them again")
	}
	return r, writePlot(dir, t.config.Game, history)
}

// next is an update and, where one is due, its evaluation.
func (t *Trainer) next(ctx context.Context) (Stats, error) {
	start := time.Now()
	s, err := t.Update(ctx)
	if err != nil {
		return s, err
	}
	s.Seconds = time.Since(start).Seconds()
	if c := t.config; c.Every > 0 && c.EvalGames > 1 && t.updates%c.Every == 0 {
		// An evaluation that is stopped is left out; the update is over.
		if e, err := t.Compare(ctx, c.EvalGames, evalSeeds); err == nil {
			s.Best, s.Alone, s.Error = &e.Found, &e.Start, &e.GainError
			for i := range e.Seats {
				c := &e.Seats[i]
				s.Seats[i].Best, s.Seats[i].Alone, s.Seats[i].Error = &c.Found, &c.Start, &c.GainError
			}
		} else if ctx.Err() == nil {
			return s, err
		}
	}
	return s, nil
}

// bySeat tells of the returns of each learning seat for people.
func (s *Stats) bySeat() (told string) {
	for i := range s.Seats {
		told += fmt.Sprintf("  seat %d %+.4f", s.Seats[i].Seat, s.Seats[i].Return)
	}
	return told
}

// evaluation tells of one for people.
func (s *Stats) evaluation() string {
	if s.Best == nil {
		return ""
	}
	told := fmt.Sprintf("  best %+.4f  planner %+.4f  gain %+.4f ± %.4f", *s.Best, *s.Alone, *s.Best-*s.Alone, *s.Error)
	for i := range s.Seats {
		x := &s.Seats[i]
		told += fmt.Sprintf("  seat %d gain %+.4f ± %.4f", x.Seat, *x.Best-*x.Alone, *x.Error)
	}
	return told
}

// save writes the checkpoint, what it was made with, and the metrics up to it.
func (t *Trainer) save(dir string, history []Stats) error {
	if t.updates == 0 {
		return nil
	}
	text, err := json.MarshalIndent(t.config, "", " ")
	if err != nil {
		return err
	}
	c, err := t.Checkpoint()
	if err != nil {
		return err
	}
	if err := file.MakeFolder(dir); err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(dir, stateFile), text); err != nil {
		return err
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for i := range history {
		if err := encoder.Encode(&history[i]); err != nil {
			return err
		}
	}
	if err := durable.WriteFile(filepath.Join(dir, metricsFile), lines.Bytes()); err != nil {
		return err
	}
	store := checkpoints.Store{Dir: filepath.Join(dir, storeName)}
	if _, err := os.Stat(filepath.Join(store.Dir, checkpoints.Name(int64(t.updates)))); err == nil {
		return nil // an update that was stopped came to nothing
	}
	if _, err := store.Save(c); err != nil {
		return err
	}
	if err := store.Retain(3, 100); err != nil {
		return err
	}
	bot := filepath.Join(dir, botName)
	if err := os.RemoveAll(bot); err != nil {
		return err
	}
	return c.ForPlay().Write(bot)
}

// resume takes over what a folder has.
func (t *Trainer) resume(dir string) ([]Stats, error) {
	text, err := file.Read(filepath.Join(dir, stateFile), file.Text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var was Config
	if err := json.Unmarshal(text, &was); err != nil {
		return nil, fmt.Errorf("%s is no training of plans: %w", filepath.Join(dir, stateFile), err)
	}
	now := t.config
	was.Workers, was.ClosingGames = now.Workers, now.ClosingGames
	if !reflect.DeepEqual(was, now) {
		line, err := train.SettingsDifference(was, now)
		if err != nil {
			return nil, err
		}
		return nil, train.Taken(dir, "a training with other settings", line, "its own settings")
	}
	c, err := checkpoints.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := c.Manifest.Check(planner.IdentityOf(t.game, t.planner)); err != nil {
		return nil, err
	}
	if err := t.restore(c); err != nil {
		return nil, err
	}
	return readHistory(filepath.Join(dir, metricsFile), t.updates)
}

// readHistory reads the metrics of so many updates.
func readHistory(path string, updates int) ([]Stats, error) {
	text, err := file.Read(path, file.Record)
	if err != nil {
		return nil, err
	}
	var history []Stats
	for d := json.NewDecoder(bytes.NewReader(text)); len(history) < updates; {
		var s Stats
		if err := d.Decode(&s); err != nil {
			return nil, fmt.Errorf("%s: update %d: %w", path, len(history)+1, err)
		}
		history = append(history, s)
	}
	return history, nil
}

// writePlot draws the returns of the updates and of the evaluations.
func writePlot(dir, game string, history []Stats) error {
	if len(history) == 0 {
		return nil
	}
	p := plot.New()
	p.Title.Text = "plans, " + game
	p.X.Label.Text, p.Y.Label.Text = "update", "return"
	p.Add(plotter.NewGrid())
	type curve struct {
		name string
		y    func(*Stats) *float64
	}
	curves := []curve{
		{"in learning", func(s *Stats) *float64 { return &s.Return }},
		{"best candidates", func(s *Stats) *float64 { return s.Best }},
		{"planner alone", func(s *Stats) *float64 { return s.Alone }},
	}
	for i, seat := range history[0].Seats {
		curves = append(curves,
			curve{fmt.Sprintf("seat %d in learning", seat.Seat), func(s *Stats) *float64 { return &s.Seats[i].Return }},
			curve{fmt.Sprintf("seat %d, best candidates", seat.Seat), func(s *Stats) *float64 { return s.Seats[i].Best }})
	}
	for i, c := range curves {
		line, low, high := means(history, c.y)
		if len(line) == 0 {
			continue
		}
		if err := figure.AddCurve(p, i, c.name, line, low, high); err != nil {
			return fmt.Errorf("plans: plot: %w", err)
		}
	}
	if err := figure.Save(p, figure.Width, figure.Height, filepath.Join(dir, plotFile)); err != nil {
		return fmt.Errorf("plans: plot: %w", err)
	}
	return nil
}

// mostPoints bounds the points of a curve: the returns of single updates hide how they rise.
const mostPoints = 50

// means is a curve of what is known of the updates, and where it is known of more than mostPoints
// the means of as many updates each, with the bounds of their 95% intervals.
func means(history []Stats, y func(*Stats) *float64) (line, low, high plotter.XYs) {
	var all plotter.XYs
	for i := range history {
		if v := y(&history[i]); v != nil {
			all = append(all, plotter.XY{X: float64(history[i].Update), Y: *v})
		}
	}
	if len(all) <= mostPoints {
		return all, nil, nil
	}
	each := (len(all) + mostPoints - 1) / mostPoints
	for part := range slices.Chunk(all, each) {
		values := make([]float64, len(part))
		for i := range part {
			values[i] = part[i].Y
		}
		at, half := mean(values)
		x := (part[0].X + part[len(part)-1].X) / 2
		line = append(line, plotter.XY{X: x, Y: at})
		low, high = append(low, plotter.XY{X: x, Y: at - half}), append(high, plotter.XY{X: x, Y: at + half})
	}
	return line, low, high
}

// Write writes what was found for people.
func (r *Result) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	c := r.Closing
	fmt.Fprintln(t, "learning seat\tgames\twith network\t95%\tplanner alone\t95%\tgain\t95%")
	c.write(t, "all")
	for i := range c.Seats {
		c.Seats[i].write(t, strconv.Itoa(c.Seats[i].Seat))
	}
	return t.Flush()
}

// write writes a comparison as a row of a table.
func (c *Comparison) write(w io.Writer, seat string) {
	fmt.Fprintf(w, "%s\t%d\t%+.4f\t± %.4f\t%+.4f\t± %.4f\t%+.4f\t± %.4f\n",
		seat, c.Games, c.Found, c.FoundError, c.Start, c.StartError, c.Gain, c.GainError)
}
