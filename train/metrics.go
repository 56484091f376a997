package train

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"powderkeg/train/ppo"
)

// The kinds of lines in metrics.jsonl.
const (
	kindUpdate     = "update"
	kindEvaluation = "evaluation"
	kindExact      = "exact"
)

// UpdateMetrics is a line of metrics.jsonl about one update.
type UpdateMetrics struct {
	Kind string `json:"kind"` // update
	// Update is its number from 1, Decisions and Games count from the run's start.
	Update    int64 `json:"update"`
	Decisions int64 `json:"decisions"`
	Games     int64 `json:"games"`
	// Seconds is what the update took, its play included.
	Seconds float64 `json:"seconds"`
	// The terms of the loss and the measures of nn.Stats.
	Loss         float64 `json:"loss"`
	PolicyLoss   float64 `json:"policy_loss"`
	ValueLoss    float64 `json:"value_loss"`
	Entropy      float64 `json:"entropy"`
	KL           float64 `json:"kl"`
	ClipFraction float64 `json:"clip_fraction"`
	GradNorm     float64 `json:"grad_norm"`
	// The rest of ppo.Stats.
	Samples      int     `json:"samples"`
	Epochs       int     `json:"epochs"`
	Explained    float64 `json:"explained_variance"`
	LearningRate float64 `json:"learning_rate"`
	EntropyCoef  float64 `json:"entropy_coef"`
	// Of the games that ended in the update: how many, their mean length in decisions,
	// how many of them were truncated, and the mean return of each seat.
	GamesEnded int       `json:"games_ended"`
	Length     float64   `json:"length"`
	Truncated  int       `json:"truncated"`
	Returns    []float64 `json:"returns"`
	// Pool is the rate at which the learner beats each member of the pool in their
	// latest games (league.Member.Rate).
	Pool map[string]float64 `json:"pool,omitempty"`
	// Gate is there after an update whose network has come to the gate of the pool.
	Gate *GateMetrics `json:"gate,omitempty"`
}

// GateMetrics tells how a snapshot did at the gate of the pool.
type GateMetrics struct {
	// Best is the member that it played against, Games how often.
	Best  string `json:"best"`
	Games int    `json:"games"`
	// Score is the share of duels in which the snapshot came out ahead, draws as half,
	// with its 95% interval.
	Score    float64 `json:"score"`
	CILow    float64 `json:"ci_low"`
	CIHigh   float64 `json:"ci_high"`
	Admitted bool    `json:"admitted"`
}

// EvaluationMetrics is a line of metrics.jsonl about one opponent in one
// evaluation.
type EvaluationMetrics struct {
	Kind      string `json:"kind"` // evaluation
	Update    int64  `json:"update"`
	Decisions int64  `json:"decisions"`
	Opponent  string `json:"opponent"`
	Games     int    `json:"games"`
	// WinRate is the mean share of the win (eval.AgentResult) with its 95% interval.
	// Equal players have one over the number of seats.
	WinRate float64 `json:"win_rate"`
	CILow   float64 `json:"ci_low"`
	CIHigh  float64 `json:"ci_high"`
	// Return is the mean return in the game's unit with its 95% interval.
	Return     float64 `json:"return"`
	ReturnLow  float64 `json:"return_low"`
	ReturnHigh float64 `json:"return_high"`
	// Rank is the mean rank, 1 for always first.
	Rank    float64 `json:"rank"`
	Closing bool    `json:"closing,omitempty"`
}

// metrics describes the update that was just made; Seconds is the caller's.
func (t *Trainer) metrics(e episodes, s ppo.Stats) UpdateMetrics {
	m := UpdateMetrics{
		Kind: kindUpdate, Update: t.updates, Decisions: t.decisions, Games: t.games,
		Loss: s.Loss, PolicyLoss: s.Policy, ValueLoss: s.Value, Entropy: s.Entropy,
		KL: s.KL, ClipFraction: s.ClipFraction, GradNorm: s.GradNorm,
		Samples: s.Samples, Epochs: s.Epochs, Explained: s.Explained,
		LearningRate: s.LearningRate, EntropyCoef: s.EntropyCoef,
		GamesEnded: e.games, Truncated: e.truncated, Returns: make([]float64, len(e.returns)),
	}
	if e.games > 0 {
		m.Length = float64(e.decisions) / float64(e.games)
		for q, r := range e.returns {
			m.Returns[q] = r / float64(e.games)
		}
	}
	for _, member := range t.pool.Members() {
		if member.Games > 0 {
			if m.Pool == nil {
				m.Pool = map[string]float64{}
			}
			m.Pool[member.Name] = member.Rate()
		}
	}
	return m
}

// journal is metrics.jsonl.
type journal struct{ file *os.File }

// openJournal opens the file to append to, without the lines after the given
// update, which a run that was killed had written beyond its checkpoint.
func openJournal(path string, update int64) (*journal, error) {
	keep := int64(0)
	old, err := os.Open(path)
	if err == nil {
		lines := bufio.NewReader(old)
		for {
			line, err := lines.ReadBytes('\n')
			var at struct {
				Update  int64 `json:"update"`
				Closing bool  `json:"closing"`
			}
			if err != nil || json.Unmarshal(line, &at) != nil || at.Update > update || at.Closing {
				break
			}
			keep += int64(len(line))
		}
		if err := old.Close(); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	if err := file.Truncate(keep); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if _, err := file.Seek(keep, 0); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &journal{file}, nil
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

// history is metrics.jsonl read back.
type history struct {
	updates     []UpdateMetrics
	evaluations []EvaluationMetrics
	exact       []ExactMetrics
}

// closingExact returns the exact evaluations at the end of the run.
func (h *history) closingExact() []ExactMetrics {
	var list []ExactMetrics
	for _, m := range h.exact {
		if m.Closing {
			list = append(list, m)
		}
	}
	return list
}

// readHistory reads metrics.jsonl.
func readHistory(path string) (*history, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var h history
	for number, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line == "" {
			continue
		}
		var kind struct {
			Kind string `json:"kind"`
		}
		err := json.Unmarshal([]byte(line), &kind)
		switch {
		case err != nil:
		case kind.Kind == kindUpdate:
			var m UpdateMetrics
			if err = json.Unmarshal([]byte(line), &m); err == nil {
				h.updates = append(h.updates, m)
			}
		case kind.Kind == kindEvaluation:
			var m EvaluationMetrics
			if err = json.Unmarshal([]byte(line), &m); err == nil {
				h.evaluations = append(h.evaluations, m)
			}
		case kind.Kind == kindExact:
			var m ExactMetrics
			if err = json.Unmarshal([]byte(line), &m); err == nil {
				h.exact = append(h.exact, m)
			}
		default:
			err = fmt.Errorf("unknown kind %q", kind.Kind)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, number+1, err)
		}
	}
	return &h, nil
}
