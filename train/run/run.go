package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/file"
	"powderkeg/train"
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
	environmentName = "environment.json"
)

// Options are what a run needs beside its config: nothing here but Updates changes what
// is learned.
type Options struct {
	// Dir is the directory of the run.
	Dir string
	// Named is what its report calls the directory, empty for Dir.
	Named string
	// Progress is told how the run goes, with a bar if it is a terminal. It may be
	// nil.
	Progress io.Writer
	// Updates lengthens a run that Resume, or Start in its directory, goes on with (see
	// train.Config.Lengthened); 0 leaves it as long as its config says.
	Updates int
	// MetricsAddress, if not empty, is where the Prometheus metrics are served over
	// HTTP at /metrics, such as localhost:9090.
	MetricsAddress string
	// Crew plays the rollouts, nil for the run itself. One that is a prometheus.Collector too
	// has its metrics served with the run's.
	Crew train.Crew
	// Waits lets a run that another process is making be waited for, as a spare learner does whom
	// the broker has chosen before the one that it follows has gone.
	Waits bool
	// Closed, if not nil, is told what a run that has come to its end was measured to be.
	Closed func(Closing)
	// Shards is into how many tasks a rollout is divided for the crew, 0 for the config's.
	Shards int

	held bool // the directory is this process's own already (Alone)
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

// Begin trains a network from the start in a new directory. It blocks until the
// run is done; when ctx ends it saves the run after the update under way and
// returns an error that wraps ErrStopped.
func Begin(ctx context.Context, c train.Config, o Options) error {
	if err := cmp.Or(c.Validate(), c.CheckMemory()); err != nil {
		return err
	}
	return o.alone(ctx, func() error { return begin(ctx, c, o) })
}

// Claim refuses a folder that is not empty and holds no run. Errors wrap option.ErrUsage.
func Claim(dir string) error {
	return durable.Claim(dir, "run", configName, BrokerName, WorkersLogName, QuarantineName, BansName)
}

// What others leave in a run's folder, perhaps before it has begun.
const (
	BrokerName     = "broker"
	WorkersLogName = "workers.log"
	QuarantineName = "quarantine"
	BansName       = "banned.json"
)

// Alone calls f while no other process writes into the directory of the run, for whoever has
// more to write there than Begin, Start and Resume do; it hands the options to them.
func Alone(ctx context.Context, o Options, f func(Options) error) error {
	return o.alone(ctx, func() error {
		o.held = true
		return f(o)
	})
}

// alone calls f while no other process writes into the directory of the run, which must be one
// of a run or empty. It waits for none, unless the options say so.
func (o Options) alone(ctx context.Context, f func() error) (err error) {
	if o.held {
		return f()
	}
	if err := Claim(o.Dir); err != nil {
		return err
	}
	release, err := durable.Lock(o.Dir, "run folder")
	for told := false; o.Waits && errors.Is(err, durable.ErrInUse); told = true {
		if !told {
			o.tell("%v; waiting for its end", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
		release, err = durable.Lock(o.Dir, "run folder")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return f()
}

// begin is Begin in a directory of this process's own.
func begin(ctx context.Context, c train.Config, o Options) error {
	path := filepath.Join(o.Dir, configName)
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%w: %s holds a run already; resume it, or choose another folder", option.ErrUsage, option.Shorten(o.Dir))
	}
	text, err := c.YAML()
	if err != nil {
		return err
	}
	if err := durable.WriteFile(path, []byte(text)); err != nil {
		return err
	}
	t, err := setUp(ctx, c, o, func() (*train.Trainer, error) { return train.NewTrainer(c) })
	if err != nil && !errors.Is(err, ErrStopped) { // there is no run to go on with
		return errors.Join(err, os.Remove(path))
	}
	if err != nil {
		return err
	}
	return finish(ctx, c, t, o)
}

// Refusal returns the error with which Start would refuse a run of the config in the directory,
// without touching it, for whoever has more to prepare first: there is another run, or none can
// begin with the weights that the config names.
func Refusal(c train.Config, o Options) error {
	old, err := ReadConfig(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return c.CheckFrom()
	}
	if err != nil {
		return err
	}
	return o.refuse(c, old)
}

// Start is Begin in a directory without a run, and Resume in one with a run of the
// same config.
func Start(ctx context.Context, c train.Config, o Options) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return o.alone(ctx, func() error { return start(ctx, c, o) })
}

// start is Start in a directory of this process's own.
func start(ctx context.Context, c train.Config, o Options) error {
	old, err := ReadConfig(o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return begin(ctx, c, o)
	}
	if err != nil {
		return err
	}
	if err := o.refuse(c, old); err != nil {
		return err
	}
	return resume(ctx, o)
}

// refuse returns an error unless a run of one config goes on with one of another.
func (o Options) refuse(c, old train.Config) error {
	same := c
	if o.Updates > 0 {
		same.Updates = old.Updates // resume lengthens it
	}
	line, err := same.Difference(old)
	if err != nil || line == "" {
		return err
	}
	o.Updates = 0
	if same.Updates = old.Updates; c.Updates > old.Updates {
		if only, err := same.Difference(old); err == nil && only == "" {
			o.Updates = c.Updates
		}
	}
	return train.Taken(o.Dir, "a run with another configuration", line, resuming(old, o))
}

// ReadConfig reads the config of the run in a directory.
func ReadConfig(dir string) (train.Config, error) {
	text, err := file.Read(filepath.Join(dir, configName), file.Text)
	if err != nil {
		return train.Config{}, err
	}
	return train.ParseConfig(text)
}

// running is a Trainer with its directory.
type running struct {
	*train.Trainer
	config   train.Config
	options  Options
	store    checkpoints.Store
	journal  *journal
	events   *events
	progress *progress
	metrics  *metrics
	// saved is how many updates the newest checkpoint has.
	saved int64
	// unmeasured is set when a run goes on after an update that it is measured after, and has not
	// been, as the last one of a run that is lengthened.
	unmeasured bool
	// left is set when the trainer is in an update that nobody waits for.
	left bool
	// resumed is set when an earlier process has made updates.
	resumed bool
	// equilibria is nil unless the config asks for exact evaluations.
	equilibria *train.Equilibria
}

// finish takes the trainer to the end of its run and closes it.
func finish(ctx context.Context, c train.Config, t *train.Trainer, o Options) (err error) {
	r := &running{Trainer: t, config: c, options: o, store: checkpoints.Store{Dir: filepath.Join(o.Dir, checkpointsName)}, saved: t.Updates(),
		resumed: t.Updates() > 0}
	defer func() {
		if !r.left {
			err = errors.Join(err, t.Close())
		}
	}()
	if o.Crew != nil {
		t.Employ(o.Crew, o.Shards)
	}
	if err := writeJSON(filepath.Join(o.Dir, environmentName), t.Environment()); err != nil {
		return err
	}
	var healed []string
	if r.journal, healed, err = openJournal(filepath.Join(o.Dir, metricsName), t.Updates()); err != nil {
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
		r.metrics = newMetrics(registry)
		if crew, ok := o.Crew.(prometheus.Collector); ok {
			if err := registry.Register(crew); err != nil {
				return err
			}
		}
		bound, stop, err := serveMetrics(o.MetricsAddress, registry)
		if err != nil {
			return err
		}
		defer stop()
		o.tell("metrics are at http://%s/metrics", bound)
	}
	if c.Evaluation.Exact {
		if r.equilibria, err = train.NewEquilibria(ctx, t.Game()); err != nil {
			return err
		}
	}
	r.unmeasured = t.Updates() == 0 || !t.Done() && r.toMeasure() && !h.measured(t.Updates())
	r.progress = newProgress(o.Progress, t.Game().Spec(), t.Updates(), int64(c.Updates))
	defer r.progress.close()
	return r.loop(ctx)
}

// loop makes updates until the run is done or ctx ends.
func (r *running) loop(ctx context.Context) error {
	if r.unmeasured {
		if err := r.measure(ctx); err != nil {
			return r.stopped(err)
		}
	}
	for !r.Done() {
		if ctx.Err() != nil {
			return r.stopped(ctx.Err())
		}
		start := time.Now()
		m, err := r.update(ctx)
		if err != nil {
			return r.stopped(err)
		}
		m.Seconds, m.Time = time.Since(start).Seconds(), now()
		if spent := r.Spent(); m.Lessons == nil {
			m.Spent = &spent
		}
		if err := r.record(m); err != nil {
			return err
		}
		decisions := r.config.Envs * r.config.Steps
		r.metrics.update(m, decisions)
		// Saved after the evaluation, so that a checkpoint's metrics are whole: a run
		// that is resumed there does not evaluate again.
		if r.toMeasure() && !r.Done() {
			if err := r.measure(ctx); err != nil {
				return r.stopped(err)
			}
		}
		if r.Done() { // so that the last checkpoint has it
			if err := r.measureLuck(ctx); err != nil {
				return r.stopped(err)
			}
		}
		r.progress.update(m, decisions)
		if r.Updates()%int64(r.config.Checkpoints.Every) == 0 || r.Done() {
			if err := r.save(); err != nil {
				return err
			}
		}
	}
	return r.close(ctx)
}

// toMeasure reports whether the run is measured after this update: as often as the config
// says, and where lessons end, so that it is known what they have taught.
func (r *running) toMeasure() bool {
	every := int64(r.config.Evaluation.Every)
	return every > 0 && (r.Updates()%every == 0 || r.Updates() == int64(r.config.Lessons.Updates))
}

// writeJSON replaces a file by the JSON of v, for people to read.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(text, '\n'))
}

// now is the time in seconds since 1970.
func now() float64 { return float64(time.Now().UnixMicro()) / 1e6 }

// measure is the evaluation between updates.
func (r *running) measure(ctx context.Context) error {
	if r.config.Evaluation.Every == 0 {
		return nil
	}
	if err := r.measureExactly(false); err != nil {
		return err
	}
	if l := r.Luck(); l == nil || l.Update != r.Updates() { // else it was the end of a shorter run
		if err := r.measureLuck(ctx); err != nil {
			return err
		}
	}
	return r.Evaluate(ctx, r.config.Evaluation.Games, false, func(m train.EvaluationMetrics, _ *eval.Result) error { return r.measured(m) })
}

// measured records play against an opponent.
func (r *running) measured(m train.EvaluationMetrics) error {
	r.progress.evaluation(m)
	r.metrics.evaluation(m)
	m.Time = now()
	return r.record(m)
}

// measureExactly records the exact evaluation where the config asks for it.
func (r *running) measureExactly(closing bool) error {
	if r.equilibria == nil {
		return nil
	}
	return r.MeasureExactly(r.equilibria, closing, func(m train.ExactMetrics) error {
		r.progress.exact(m)
		r.metrics.exact(m)
		m.Time = now()
		return r.record(m)
	})
}

// measureLuck records what the values know of luck, where the config asks for it.
func (r *running) measureLuck(ctx context.Context) error {
	start := time.Now()
	m, err := r.MeasureLuck(ctx)
	if err != nil || m == nil {
		return err
	}
	r.progress.lucky(*m)
	r.metrics.lucky(*m)
	m.Seconds, m.Time = time.Since(start).Seconds(), now()
	return r.record(*m)
}

// save writes a checkpoint, unless there is a sound one of this update, and clears
// away old ones.
func (r *running) save() error {
	c, err := r.Checkpoint()
	if err != nil {
		return err
	}
	path, err := r.store.Save(c)
	if errors.Is(err, fs.ErrExist) {
		if _, err = checkpoints.Read(file.FS(path)); err != nil {
			if _, err = r.store.SetAside(filepath.Base(path)); err == nil {
				_, err = r.store.Save(c)
			}
		}
	}
	if err != nil {
		return err
	}
	r.saved = r.Updates()
	return r.store.Retain(r.config.Checkpoints.Keep, r.config.Checkpoints.Milestone)
}

// stopped saves a run that ctx has ended; any other error is returned as it is.
func (r *running) stopped(err error) error {
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	r.progress.close()
	if r.Updates() > 0 {
		if err := r.save(); err != nil {
			return err
		}
	}
	if err := r.plot(); err != nil {
		return err
	}
	return fmt.Errorf("%w after update %d of %d; go on with: %s", ErrStopped, r.Updates(), r.config.Updates, resuming(r.config, r.options))
}
