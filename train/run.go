package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/train/eval"
)

// The parts of a run's directory.
const (
	configName      = "config.yaml"
	metricsName     = "metrics.jsonl"
	checkpointsName = "checkpoints"
	plotsName       = "plots"
	reportName      = "report.md"
	pageName        = "report.html"
	botName         = "bot"
	bestName        = "best"
)

// Options are what a run needs beside its config: nothing here changes what is
// learned.
type Options struct {
	// Dir is the directory of the run.
	Dir string
	// Progress is told how the run goes, with a bar if it is a terminal. It may be
	// nil.
	Progress io.Writer
	// MetricsAddress, if not empty, is where the Prometheus metrics are served over
	// HTTP at /metrics, such as localhost:9090.
	MetricsAddress string
}

// tell writes a line for the user.
func (o Options) tell(format string, args ...any) {
	if o.Progress != nil {
		fmt.Fprintf(o.Progress, format+"\n", args...)
	}
}

// ErrStopped is wrapped by the error of a run that ctx has ended before its
// length. The run has been saved, and the error says how it goes on.
var ErrStopped = errors.New("stopped")

// Run trains a network from the start in a new directory. It blocks until the
// run is done; when ctx ends it saves the run after the update under way and
// returns an error that wraps ErrStopped.
func Run(ctx context.Context, c Config, o Options) error {
	if err := c.Validate(); err != nil {
		return err
	}
	path := filepath.Join(o.Dir, configName)
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%s holds a run already; resume it, or choose another directory: %w", o.Dir, fs.ErrExist)
	}
	text, err := c.YAML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return err
	}
	if err := durable.WriteFile(path, []byte(text)); err != nil {
		return err
	}
	t, err := NewTrainer(c)
	if err != nil {
		return err
	}
	return finish(ctx, t, o)
}

// Start is Run in a directory without a run, and Resume in one with a run of the
// same config.
func Start(ctx context.Context, c Config, o Options) error {
	old, err := readConfig(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Run(ctx, c, o)
	}
	if err != nil {
		return err
	}
	here, err := c.YAML()
	if err != nil {
		return err
	}
	there, err := old.YAML()
	if err != nil {
		return err
	}
	if here != there {
		return fmt.Errorf("%s holds a run with another configuration (%s); go on with it by --resume %s, or choose another directory: %w", o.Dir, difference(there, here), o.Dir, fs.ErrExist)
	}
	return Resume(ctx, o)
}

// difference returns the first line in which two configs differ.
func difference(there, here string) string {
	a, b := strings.Split(there, "\n"), strings.Split(here, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("%q there, %q here", strings.TrimSpace(a[i]), strings.TrimSpace(b[i]))
		}
	}
	return "one is longer"
}

// readConfig reads the config of the run in a directory.
func readConfig(dir string) (Config, error) {
	text, err := os.ReadFile(filepath.Join(dir, configName))
	if err != nil {
		return Config{}, err
	}
	return ParseConfig(text)
}

// Resume goes on with the run in the directory from its latest checkpoint, or
// from the start if it was killed before the first. It is not an error to
// resume a run that is done: its closing evaluation is made again.
func Resume(ctx context.Context, o Options) error {
	c, err := readConfig(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no run: %w", o.Dir, err)
	}
	if err != nil {
		return err
	}
	from, err := latestSound(o)
	if err != nil {
		return fmt.Errorf("resume %s: %w", o.Dir, err)
	}
	var t *Trainer
	if from == nil {
		t, err = NewTrainer(c)
	} else {
		t, err = ResumeTrainer(c, from)
	}
	if err != nil {
		return fmt.Errorf("resume %s: %w", o.Dir, err)
	}
	return finish(ctx, t, o)
}

// run is a Trainer with its directory.
type run struct {
	*Trainer
	options  Options
	store    checkpoints.Store
	journal  *journal
	events   *events
	progress *progress
	metrics  *Metrics
	// equilibria is nil unless the config asks for exact evaluations.
	equilibria *equilibria
}

// finish takes the trainer to the end of its run and closes it.
func finish(ctx context.Context, t *Trainer, o Options) (err error) {
	defer func() { err = errors.Join(err, t.Close()) }()
	r := &run{Trainer: t, options: o, store: checkpoints.Store{Dir: filepath.Join(o.Dir, checkpointsName)}}
	if err := t.writeEnvironment(o.Dir); err != nil {
		return err
	}
	var healed []string
	if r.journal, healed, err = openJournal(filepath.Join(o.Dir, metricsName), t.updates); err != nil {
		return err
	}
	for _, line := range healed {
		o.tell("%s", line)
	}
	defer func() { err = errors.Join(err, r.journal.close()) }()
	h, err := readHistory(filepath.Join(o.Dir, metricsName))
	if err != nil {
		return err
	}
	if r.events, err = openEvents(o.Dir, h); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.events.close()) }()
	if o.MetricsAddress != "" {
		registry := prometheus.NewRegistry()
		r.metrics = NewMetrics(registry)
		bound, stop, err := serveMetrics(o.MetricsAddress, registry)
		if err != nil {
			return err
		}
		defer stop()
		o.tell("metrics are at http://%s/metrics", bound)
	}
	if t.config.Evaluation.Exact {
		if r.equilibria, err = newEquilibria(ctx, t.game); err != nil {
			return err
		}
	}
	r.progress = newProgress(o.Progress, t.game.Spec(), t.updates, int64(t.config.Updates))
	defer r.progress.close()
	return r.loop(ctx)
}

// serveMetrics serves the registry at the bound address until stop is called,
// which returns when the server is down.
func serveMetrics(address string, registry *prometheus.Registry) (bound string, stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends with ErrServerClosed
	}()
	return listener.Addr().String(), func() {
		_ = server.Close()
		<-done
	}, nil
}

// loop makes updates until the run is done or ctx ends.
func (r *run) loop(ctx context.Context) error {
	if r.updates == 0 {
		if err := r.measure(ctx); err != nil {
			return r.stopped(err)
		}
	}
	for !r.Done() {
		if ctx.Err() != nil {
			return r.stopped(ctx.Err())
		}
		start := time.Now()
		m, err := r.Update()
		if err != nil {
			return err
		}
		m.Seconds, m.Time = time.Since(start).Seconds(), now()
		if err := r.record(m); err != nil {
			return err
		}
		decisions := r.config.Envs * r.config.Steps
		r.metrics.update(m, decisions)
		// Saved after the evaluation, so that a checkpoint's metrics are whole: a run
		// that is resumed there does not evaluate again.
		if every := r.config.Evaluation.Every; every > 0 && r.updates%int64(every) == 0 && !r.Done() {
			if err := r.measure(ctx); err != nil {
				return r.stopped(err)
			}
		}
		r.progress.update(m, decisions)
		if r.updates%int64(r.config.Checkpoints.Every) == 0 || r.Done() {
			if err := r.save(); err != nil {
				return err
			}
		}
	}
	return r.close(ctx)
}

// now is the time in seconds since 1970.
func now() float64 { return float64(time.Now().UnixMicro()) / 1e6 }

// measure is the evaluation between updates.
func (r *run) measure(ctx context.Context) error {
	if r.config.Evaluation.Every == 0 {
		return nil
	}
	if err := r.measureExactly(false); err != nil {
		return err
	}
	return r.evaluate(ctx, r.config.Evaluation.Games, false, func(m EvaluationMetrics, _ *eval.Result) error {
		r.progress.evaluation(m)
		r.metrics.evaluation(m)
		m.Time = now()
		return r.record(m)
	})
}

// measureExactly records the exact evaluation where the config asks for it.
func (r *run) measureExactly(closing bool) error {
	if r.equilibria == nil {
		return nil
	}
	return r.Trainer.measureExactly(r.equilibria, closing, func(m ExactMetrics) error {
		r.progress.exact(m)
		r.metrics.exact(m)
		m.Time = now()
		return r.record(m)
	})
}

// save writes a checkpoint, unless there is a sound one of this update, and clears
// away old ones.
func (r *run) save() error {
	c, err := r.Checkpoint()
	if err != nil {
		return err
	}
	path, err := r.store.Save(c)
	if errors.Is(err, fs.ErrExist) {
		if _, err = checkpoints.Read(os.DirFS(path)); err != nil {
			if _, err = r.store.SetAside(filepath.Base(path)); err == nil {
				_, err = r.store.Save(c)
			}
		}
	}
	if err != nil {
		return err
	}
	return r.store.Retain(r.config.Checkpoints.Keep, r.config.Checkpoints.Milestone)
}

// stopped saves a run that ctx has ended; any other error is returned as it is.
func (r *run) stopped(err error) error {
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	r.progress.close()
	if r.updates > 0 {
		if err := r.save(); err != nil {
			return err
		}
	}
	if err := r.plot(); err != nil {
		return err
	}
	return fmt.Errorf("%w after update %d of %d; go on with: powderkeg train --resume %s", ErrStopped, r.updates, r.config.Updates, r.options.Dir)
}

// plot draws the learning curves so far.
func (r *run) plot() error {
	h, err := readHistory(filepath.Join(r.options.Dir, metricsName))
	if err != nil {
		return err
	}
	return writePlots(filepath.Join(r.options.Dir, plotsName), r.config.Game, h)
}

// writeBots leaves the network that the run has come to, and where the pool has a
// gate the best one beside it, for playing only.
func (r *run) writeBots() error {
	c, err := r.Checkpoint()
	if err != nil {
		return err
	}
	replace := func(name string, bot *checkpoints.Checkpoint) error {
		path := filepath.Join(r.options.Dir, name)
		if err := os.RemoveAll(path); err != nil { // of a run that is closed again
			return err
		}
		return bot.Write(path)
	}
	if m := r.pool.Best(); m != nil {
		best := c.ForPlay()
		// The number of games stays that of the run: nobody has counted them at the gate.
		best.Manifest.Updates, best.Manifest.Decisions = m.Updates, m.Updates*int64(r.config.Envs*r.config.Steps)
		best.Weights = m.Network().Tensors()
		if err := replace(bestName, best); err != nil {
			return err
		}
	}
	return replace(botName, c.ForPlay())
}

// close makes the closing evaluation, the tournament, the plots, the report and the bots.
func (r *run) close(ctx context.Context) error {
	if err := r.measureExactly(true); err != nil {
		return err
	}
	var closing []*eval.Result
	err := r.evaluate(ctx, r.config.Evaluation.ClosingGames, true, func(m EvaluationMetrics, result *eval.Result) error {
		closing = append(closing, result)
		r.progress.evaluation(m)
		r.metrics.evaluation(m)
		m.Time = now()
		return r.record(m)
	})
	if err != nil {
		return r.stopped(err)
	}
	tournament, err := r.closeTournament(ctx)
	if err != nil {
		return r.stopped(err)
	}
	r.progress.close()
	if err := r.plot(); err != nil {
		return err
	}
	h, err := readHistory(filepath.Join(r.options.Dir, metricsName))
	if err != nil {
		return err
	}
	text, err := r.config.YAML()
	if err != nil {
		return err
	}
	report := &report{
		dir: r.options.Dir, config: text, identity: r.identity, network: r.net.Config(), seed: r.config.Seed,
		totals:  checkpoints.Manifest{Updates: r.updates, Decisions: r.decisions, Games: r.games},
		history: h, closing: closing, tournament: tournament, temperature: r.config.Evaluation.Temperature, members: r.pool.Members(), even: 1 / float64(r.game.Spec().Seats),
	}
	if err := report.write(); err != nil {
		return err
	}
	if err := r.writeBots(); err != nil {
		return err
	}
	r.progress.say("%s", closingTable(h.closing()))
	for _, m := range h.closingExact() {
		r.progress.say("exploitability of the %s policy: %.4g", m.Policy, m.distance())
	}
	r.progress.say("report:          %s", filepath.Join(r.options.Dir, pageName))
	r.progress.say("learning curves: %s", filepath.Join(r.options.Dir, plotsName))
	r.progress.say("play against it: powderkeg play '%s' --vs checkpoint:%s", r.config.Game, r.options.Dir)
	return nil
}

// closingTable sums the closing evaluation up.
func closingTable(closing []EvaluationMetrics) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nagainst\tgames\twin rate\t95% interval\tmean return\t95% interval")
	for _, m := range closing {
		fmt.Fprintf(w, "%s\t%d\t%.1f%%\t%.1f%% to %.1f%%\t%+.3f\t%+.3f to %+.3f\n", m.Opponent, m.Games, 100*m.WinRate, 100*m.CILow, 100*m.CIHigh, m.Return, m.ReturnLow, m.ReturnHigh)
	}
	w.Flush() // to memory, which never fails
	return b.String()
}
