package run

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"powderkeg/engine"
	"powderkeg/env/file"
	"powderkeg/train"
)

// watchEvery is the time between two looks at a run.
const watchEvery = 500 * time.Millisecond

// Watch tells how the run in the directory goes, as its own process would, until
// the run is done or ctx ends. It only reads, so that it may begin and end at any
// time, and the run may be of another process or long over.
func Watch(ctx context.Context, dir string, out io.Writer) error {
	return watch(ctx, dir, out, watchEvery)
}

func watch(ctx context.Context, dir string, out io.Writer, every time.Duration) error {
	c, err := ReadConfig(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no run: %w", dir, err)
	}
	if err != nil {
		return err
	}
	g, err := c.NewGame()
	if err != nil {
		return err
	}
	w := &watcher{dir: dir, config: c, out: out, spec: g.Spec()}
	w.begin()
	defer func() { w.progress.close() }()
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		// Asked before the file is read: what a run writes last is in it then.
		done, err := finished(dir, c)
		if err != nil {
			return err
		}
		if err := w.look(); err != nil {
			return err
		}
		if done {
			w.progress.close()
			if w.last == nil {
				return fmt.Errorf("%s is done, but its %s is empty or gone", dir, metricsName)
			}
			w.progress.say("update %d/%d  %s", w.last.Update, c.Updates, w.progress.describe(*w.last))
			w.progress.say("%s", closingTable(w.closing, w.progress.headline))
			w.progress.say("report:          %s", filepath.Join(dir, pageName))
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
	}
}

// watcher follows metrics.jsonl.
type watcher struct {
	dir      string
	config   train.Config
	spec     *engine.Spec
	out      io.Writer
	progress *progress
	read     int64 // bytes of whole lines
	last     *train.UpdateMetrics
	closing  []train.EvaluationMetrics
}

// begin starts from the file's first line.
func (w *watcher) begin() {
	if w.progress != nil {
		w.progress.close()
	}
	w.progress = newProgress(w.out, w.spec, 0, int64(w.config.Updates))
	w.read, w.last, w.closing = 0, nil, nil
}

// errGoneBack says that the file is not the one that was read so far.
var errGoneBack = errors.New("the run has gone back to its latest checkpoint")

// look tells of the lines that are new.
func (w *watcher) look() error {
	lines, err := w.lines()
	if errors.Is(err, errGoneBack) {
		w.progress.say("%v", err)
		w.begin()
		lines, err = w.lines()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the run has only just begun
	}
	if err != nil {
		return err
	}
	updated := false
	for _, line := range lines {
		switch m := line.(type) {
		case train.UpdateMetrics:
			w.last, updated = &m, true
			w.progress.count(m, w.config.Envs*w.config.Steps)
		case train.EvaluationMetrics:
			w.progress.evaluation(m)
			if m.Closing {
				w.closing = append(w.closing, m)
			}
		case train.ExactMetrics:
			w.progress.exact(m)
		case train.LuckMetrics:
			w.progress.lucky(m)
		}
	}
	if updated {
		w.progress.show(*w.last)
	}
	return nil
}

// lines reads the whole lines behind those that were read. A run that was killed
// drops the lines after its checkpoint when it goes on: the file is shorter then,
// or goes on with an update that was there before.
func (w *watcher) lines() ([]any, error) {
	f, err := file.Open(filepath.Join(w.dir, metricsName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < w.read {
		return nil, errGoneBack
	}
	if _, err := f.Seek(w.read, io.SeekStart); err != nil {
		return nil, err
	}
	var list []any
	for in := bufio.NewReader(f); ; {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return list, nil // half a line is read when it is whole
		}
		if err != nil {
			return nil, err
		}
		line, err := parseLine(text)
		if err != nil && w.read == 0 {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		m, isUpdate := line.(train.UpdateMetrics)
		if err != nil || isUpdate && w.last != nil && m.Update <= w.last.Update {
			return nil, errGoneBack
		}
		w.read += int64(len(text))
		list = append(list, line)
	}
}
