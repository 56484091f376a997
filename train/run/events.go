package run

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/tfevents"
)

// eventsName is the file for TensorBoard; the digits in its name are where one has
// the time that it was begun at, by which it sorts several.
const eventsName = "tensorboard/events.out.tfevents.0000000000.powderkeg"

// events is the file for TensorBoard. It holds what metrics.jsonl does: the same
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
	switch m := line.(type) {
	case train.UpdateMetrics:
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, scalarsOf(m))
	case train.EvaluationMetrics:
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, []tfevents.Scalar{
			{Tag: "evaluation/win_rate/" + m.Opponent, Value: float32(m.WinRate)},
			{Tag: "evaluation/return/" + m.Opponent, Value: float32(m.Return)},
			{Tag: "evaluation/rank/" + m.Opponent, Value: float32(m.Rank)},
		})
	case train.ExactMetrics:
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, []tfevents.Scalar{
			{Tag: "exact/distance/" + m.Policy, Value: float32(m.Distance())},
			{Tag: "exact/value/" + m.Policy, Value: float32(m.Values[0])},
		})
	case train.LuckMetrics:
		return tfevents.AppendScalars(nil, m.Time, m.Decisions, luckScalars(m))
	}
	panic("run: a line of the metrics of no kind")
}

// luckScalars names the numbers of a measurement of luck.
func luckScalars(m train.LuckMetrics) []tfevents.Scalar {
	list := []tfevents.Scalar{{Tag: "luck/explained", Value: float32(m.Explained)}}
	for i, x := range m.ByPhase {
		list = append(list, tfevents.Scalar{Tag: fmt.Sprintf("luck/explained_part_%d", i+1), Value: float32(x)})
	}
	if m.Factor != nil {
		list = append(list, tfevents.Scalar{Tag: "luck/factor", Value: float32(*m.Factor)})
	}
	return list
}

// scalarsOf names the numbers of an update.
func scalarsOf(m train.UpdateMetrics) []tfevents.Scalar {
	list := []tfevents.Scalar{
		{Tag: "loss/total", Value: float32(m.Loss)},
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
		{Tag: "games/ended", Value: float32(m.GamesEnded)},
	}
	if s := m.Spent; s != nil {
		list = append(list,
			tfevents.Scalar{Tag: "seconds/play", Value: float32(s.Play)},
			tfevents.Scalar{Tag: "seconds/network", Value: float32(s.Network)},
			tfevents.Scalar{Tag: "seconds/learning", Value: float32(s.Learning)},
			tfevents.Scalar{Tag: "seconds/waiting", Value: float32(s.Waiting)})
	}
	if m.Lag > 0 {
		list = append(list, tfevents.Scalar{Tag: "update/staleness", Value: float32(m.Lag)})
	}
	if m.Rho > 0 {
		list = append(list, tfevents.Scalar{Tag: "update/mean_rho", Value: float32(m.Rho)})
	}
	if m.GamesEnded > 0 {
		list = append(list, tfevents.Scalar{Tag: "games/length", Value: float32(m.Length)})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Pool)) {
		list = append(list, tfevents.Scalar{Tag: "pool/" + name, Value: float32(m.Pool[name])})
	}
	if m.Lessons != nil {
		list = append(list, tfevents.Scalar{Tag: "lessons/agreement", Value: float32(m.Lessons.Agreement)})
		if exam := m.Lessons.HeldOut; exam != nil {
			list = append(list,
				tfevents.Scalar{Tag: "lessons/held_out_agreement", Value: float32(exam.Agreement)},
				tfevents.Scalar{Tag: "lessons/held_out_cross_entropy", Value: float32(exam.CrossEntropy)})
		}
	}
	if m.Gate != nil {
		list = append(list, tfevents.Scalar{Tag: "gate/score", Value: float32(m.Gate.Score)})
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
