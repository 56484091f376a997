package run

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/league"
	"powderkeg/train/tfevents"
)

// eventsName is the file for TensorBoard; the digits in its name are where one has
// the time that it was begun at, by which it sorts several.
const eventsName = "tensorboard/events.out.tfevents.0000000000.powderkeg"

// events is the file for TensorBoard. It follows from metrics.jsonl: the same
// lines always give the same bytes.
type events struct{ file *os.File }

// openEvents begins the file anew with what has been measured so far, so that a run
// that goes on from a checkpoint leaves nothing behind of what came after it.
func openEvents(dir string, h *history) (*events, error) {
	path := filepath.Join(dir, eventsName)
	if err := file.MakeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	begun := 0.0
	if len(h.lines) > 0 {
		begun = timeOf(h.lines[0])
	}
	b.Write(tfevents.AppendHeader(nil, begun))
	for _, line := range h.lines {
		b.Write(eventOf(line))
	}
	if err := durable.WriteFile(path, b.Bytes()); err != nil {
		return nil, err
	}
	f, err := file.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	return &events{f}, err
}

func (e *events) add(line any) error {
	_, err := e.file.Write(eventOf(line))
	return err
}

func (e *events) close() error { return e.file.Close() }

func timeOf(line any) float64 {
	switch m := line.(type) {
	case train.UpdateMetrics:
		return m.Time
	case train.EvaluationMetrics:
		return m.Time
	case train.ExactMetrics:
		return m.Time
	case train.LuckMetrics:
		return m.Time
	}
	return 0
}

// eventOf is a line of metrics.jsonl for TensorBoard. Its steps are decisions.
func eventOf(line any) []byte {
	var list []tfevents.Scalar
	add := func(tag string, x float64) { list = append(list, tfevents.Scalar{Tag: tag, Value: float32(x)}) }
	switch m := line.(type) {
	case train.UpdateMetrics:
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, scalarsOf(m))
	case train.EvaluationMetrics:
		add("evaluation/win_rate/"+m.Opponent, m.WinRate)
		add("evaluation/return/"+m.Opponent, m.Return)
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, list)
	case train.ExactMetrics:
		add("exact/distance/"+m.Policy, m.Distance())
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, list)
	case train.LuckMetrics:
		add("luck/explained", m.Explained)
		if m.Factor != nil {
			add("luck/factor", *m.Factor)
		}
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, list)
	}
	panic("run: a line of the metrics of no kind")
}

// scalarsOf names the numbers of an update that say how learning goes: some, so that they can be
// looked at together. metrics.jsonl has all.
func scalarsOf(m train.UpdateMetrics) []tfevents.Scalar {
	list := []tfevents.Scalar{
		{Tag: "loss/policy", Value: float32(m.PolicyLoss)},
		{Tag: "loss/value", Value: float32(m.ValueLoss)},
		{Tag: "update/entropy", Value: float32(m.Entropy)},
		{Tag: "update/kl", Value: float32(m.KL)},
		{Tag: "update/clip_fraction", Value: float32(m.ClipFraction)},
		{Tag: "update/grad_norm", Value: float32(m.GradNorm)},
		{Tag: "update/explained_variance", Value: float32(m.Explained)},
		{Tag: "update/learning_rate", Value: float32(m.LearningRate)},
		{Tag: "update/entropy_coef", Value: float32(m.EntropyCoef)},
		{Tag: "update/seconds", Value: float32(m.Seconds)},
	}
	add := func(tag string, x float64) { list = append(list, tfevents.Scalar{Tag: tag, Value: float32(x)}) }
	if m.Rho > 0 {
		add("update/mean_rho", m.Rho)
	}
	if m.GamesEnded > 0 {
		add("games/length", m.Length)
	}
	snapshots, sum := 0, 0.0
	for _, name := range slices.Sorted(maps.Keys(m.Pool)) {
		if league.IsSnapshot(name) { // as many as the pool holds, and others later
			snapshots, sum = snapshots+1, sum+m.Pool[name]
			continue
		}
		add("pool/"+name, m.Pool[name])
	}
	if snapshots > 0 {
		add("pool/snapshots", sum/float64(snapshots))
	}
	if m.Lessons != nil {
		add("lessons/agreement", m.Lessons.Agreement)
		if exam := m.Lessons.HeldOut; exam != nil {
			add("lessons/held_out_agreement", exam.Agreement)
		}
	}
	if m.Gate != nil {
		add("gate/score", m.Gate.Score)
	}
	return list
}

// record adds a line to metrics.jsonl and to the file for TensorBoard.
func (r *running) record(line any) error {
	if err := r.journal.add(line); err != nil {
		return err
	}
	return r.events.add(line)
}
