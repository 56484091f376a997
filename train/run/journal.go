package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
	"powderkeg/train"
)

// journal is metrics.jsonl.
type journal struct{ file *os.File }

// openJournal opens the file to append to, without the lines after the given
// update, which a run that was killed had written beyond its checkpoint, and
// without damaged lines. It returns what the user should know of what was lost.
func openJournal(path string, update int64) (*journal, []string, error) {
	text, err := file.Read(path, file.Record)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	kept, healed := sound(filepath.Base(path), text, update)
	if !bytes.HasPrefix(text, kept) { // lines in the middle are gone
		if err := durable.WriteFile(path, kept); err != nil {
			return nil, nil, err
		}
	}
	f, err := file.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, nil, err
	}
	if err := f.Truncate(int64(len(kept))); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(int64(len(kept)), 0); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return &journal{f}, healed, nil
}

// sound returns the whole lines up to the update, and in words what is missing
// among them.
func sound(name string, text []byte, update int64) (kept []byte, healed []string) {
	if update == 0 {
		return nil, nil // what was measured before the first update is measured again
	}
	number, last := 0, int64(0)
	for {
		line, rest, whole := bytes.Cut(text, []byte{'\n'})
		if !whole {
			break // what a kill has left of a line
		}
		text = rest
		number++
		parsed, err := parseLine(line)
		if err != nil {
			healed = append(healed, fmt.Sprintf("%s: line %d is damaged and left out: %v", name, number, err))
			continue
		}
		switch m := parsed.(type) {
		case train.UpdateMetrics:
			if m.Update > update {
				continue
			}
			if m.Update != last+1 {
				healed = append(healed, fmt.Sprintf("%s: line %d: update %d follows on %d", name, number, m.Update, last))
			}
			last = m.Update
		case train.EvaluationMetrics:
			if m.Update > update || m.Closing {
				continue
			}
		case train.ExactMetrics:
			if m.Update > update || m.Closing {
				continue
			}
		case train.LuckMetrics: // also at the end, where it is measured before the checkpoint
			if m.Update > update {
				continue
			}
		}
		kept = append(append(kept, line...), '\n')
	}
	if last < update {
		healed = append(healed, fmt.Sprintf("%s: it ends with update %d, the checkpoint is of %d; the lines between are lost", name, last, update))
	}
	return kept, healed
}

// add writes a line, whole or not at all as far as a reader sees it: one write.
func (j *journal) add(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(text, '\n'))
	return err
}

func (j *journal) close() error { return j.file.Close() }

// parseLine reads a line of metrics.jsonl: UpdateMetrics, EvaluationMetrics,
// ExactMetrics or LuckMetrics.
func parseLine(line []byte) (any, error) {
	var kind struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return nil, err
	}
	switch kind.Kind {
	case train.KindUpdate:
		var m train.UpdateMetrics
		err := json.Unmarshal(line, &m)
		return m, err
	case train.KindEvaluation:
		var m train.EvaluationMetrics
		err := json.Unmarshal(line, &m)
		return m, err
	case train.KindExact:
		var m train.ExactMetrics
		err := json.Unmarshal(line, &m)
		return m, err
	case train.KindLuck:
		var m train.LuckMetrics
		err := json.Unmarshal(line, &m)
		return m, err
	}
	return nil, fmt.Errorf("unknown kind %q", kind.Kind)
}

// history is metrics.jsonl read back.
type history struct {
	updates     []train.UpdateMetrics
	evaluations []train.EvaluationMetrics
	exact       []train.ExactMetrics
	luck        []train.LuckMetrics
	lines       []any // all of them, in their order
}

// measured reports whether there was play, or an exact evaluation, after an update.
func (h *history) measured(update int64) bool {
	return slices.ContainsFunc(h.evaluations, func(m train.EvaluationMetrics) bool { return m.Update == update }) ||
		slices.ContainsFunc(h.exact, func(m train.ExactMetrics) bool { return m.Update == update })
}

// readHistory reads metrics.jsonl.
func readHistory(path string) (*history, error) {
	text, err := file.Read(path, file.Record)
	if err != nil {
		return nil, err
	}
	var h history
	for number, line := range bytes.Split(bytes.TrimSpace(text), []byte{'\n'}) {
		if len(line) == 0 {
			continue
		}
		parsed, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, number+1, err)
		}
		h.lines = append(h.lines, parsed)
		switch m := parsed.(type) {
		case train.UpdateMetrics:
			h.updates = append(h.updates, m)
		case train.EvaluationMetrics:
			h.evaluations = append(h.evaluations, m)
		case train.ExactMetrics:
			h.exact = append(h.exact, m)
		case train.LuckMetrics:
			h.luck = append(h.luck, m)
		}
	}
	return &h, nil
}

// closingExact returns the exact evaluations at the end of the run.
func (h *history) closingExact() []train.ExactMetrics {
	var list []train.ExactMetrics
	for _, m := range h.exact {
		if m.Closing {
			list = append(list, m)
		}
	}
	return list
}

// closing returns the results of the closing evaluation.
func (h *history) closing() []train.EvaluationMetrics {
	var list []train.EvaluationMetrics
	for _, e := range h.evaluations {
		if e.Closing {
			list = append(list, e)
		}
	}
	return list
}
