package train

import (
	"powderkeg/train/lessons"
	"powderkeg/train/ppo"
)

// The kinds of metrics.
const (
	KindUpdate     = "update"
	KindEvaluation = "evaluation"
	KindExact      = "exact"
	KindLuck       = "luck"
)

// UpdateMetrics describes one update.
type UpdateMetrics struct {
	Kind string `json:"kind"` // update
	// Time is when the update was made, in seconds since 1970. Whoever records it sets it.
	Time float64 `json:"time"`
	// Update is its number from 1, Decisions and Games count from the run's start.
	Update    int64 `json:"update"`
	Decisions int64 `json:"decisions"`
	Games     int64 `json:"games"`
	// Seconds is what the update took, its play included; it is set like Time.
	Seconds float64 `json:"seconds"`
	// Spent says on what, but in a lesson; it is set like Time (Trainer.Spent).
	Spent *Spent `json:"spent,omitempty"`
	// The terms of the loss and the measures of nn.Stats.
	Loss         float64 `json:"loss"`
	PolicyLoss   float64 `json:"policy_loss"`
	ValueLoss    float64 `json:"value_loss"`
	Entropy      float64 `json:"entropy"`
	Proximal     float64 `json:"proximal_kl"`
	Magnet       float64 `json:"magnet_kl"`
	KL           float64 `json:"kl"`
	ClipFraction float64 `json:"clip_fraction"`
	GradNorm     float64 `json:"grad_norm"`
	// The rest of ppo.Stats.
	Samples      int     `json:"samples"`
	Epochs       int     `json:"epochs"`
	Explained    float64 `json:"explained_variance"`
	CriticLoss   float64 `json:"critic_loss,omitempty"`
	LearningRate float64 `json:"learning_rate"`
	EntropyCoef  float64 `json:"entropy_coef"`
	// Lag is by how many updates the weights that played were behind those that learned, at
	// the 95th percentile of the samples, absent where they were the same: a rollout is of one
	// version, so that it is that of all.
	Lag int64 `json:"staleness,omitempty"`
	// Rho is ppo.Stats.Rho, absent where nothing was corrected.
	Rho float64 `json:"mean_rho,omitempty"`
	// Of the games that ended in the update: how many, their mean length in decisions,
	// how many of them were truncated, and the mean return of each seat.
	GamesEnded int       `json:"games_ended"`
	Length     float64   `json:"length"`
	Truncated  int       `json:"truncated"`
	Returns    []float64 `json:"returns"`
	// Forced is how many decisions were played and not recorded (Config.SkipForced); they
	// count among Decisions.
	Forced int `json:"forced,omitempty"`
	// Pool is the rate at which the learner beats each member of the pool in their
	// latest games (league.Member.Rate).
	Pool map[string]float64 `json:"pool,omitempty"`
	// Lessons is there where the update was one.
	Lessons *LessonMetrics `json:"lessons,omitempty"`
	// Gate is there after an update whose network has come to the gate of the pool.
	Gate *GateMetrics `json:"gate,omitempty"`
}

// Spent is where the time of an update went, in seconds. Without a lag the four add up to about
// all of it. With one, play goes on beside learning: it is that of the rollout learned from.
type Spent struct {
	// Play and Network are what play took each of its goroutines, in the mean: environments,
	// opponents and choices, and the learner's networks. Of play elsewhere nothing is known.
	Play    float64 `json:"play"`
	Network float64 `json:"network"`
	// Learning is the update of the weights.
	Learning float64 `json:"learning"`
	// Waiting is for the last goroutine that plays; with a lag, or with play elsewhere, it is
	// that of the learner for its rollout.
	Waiting float64 `json:"waiting"`
}

// LessonMetrics describes a lesson, whose PolicyLoss is the cross-entropy.
type LessonMetrics struct {
	// Agreement is the share of the decisions learned from in which the network's most
	// probable action was the teacher's already.
	Agreement float64 `json:"agreement"`
	// Games, Decisions and Bytes are the size of the set, Passes how often it has been
	// gone through.
	Games     int64   `json:"set_games"`
	Decisions int64   `json:"set_decisions"`
	Bytes     int64   `json:"set_bytes"`
	Passes    float64 `json:"passes"`
	// HeldOut is what the network knows of games that it does not learn from, measured
	// now and then.
	HeldOut *lessons.Exam `json:"held_out,omitempty"`
}

// lessonMetrics describes the lesson that was just given.
func (t *Trainer) lessonMetrics(s lessons.Stats) UpdateMetrics {
	return UpdateMetrics{
		Kind: KindUpdate, Update: t.updates, Decisions: t.decisions, Games: t.games,
		Loss: s.Loss, PolicyLoss: s.Policy, ValueLoss: s.Value, Entropy: s.Entropy, GradNorm: s.GradNorm,
		Samples: s.Samples, Epochs: 1, LearningRate: s.Rate,
		GamesEnded: s.Played, Returns: make([]float64, t.game.Spec().Seats),
		Lessons: &LessonMetrics{
			Agreement: s.Agreement, Games: s.Games, Decisions: s.Decisions, Bytes: s.Bytes, Passes: s.Passes, HeldOut: s.Exam,
		},
	}
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

// EvaluationMetrics describes play against one opponent in one evaluation.
type EvaluationMetrics struct {
	Kind      string  `json:"kind"` // evaluation
	Time      float64 `json:"time"` // as in UpdateMetrics
	Update    int64   `json:"update"`
	Decisions int64   `json:"decisions"`
	Opponent  string  `json:"opponent"`
	Games     int     `json:"games"`
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

// metrics describes the update that was just made.
func (t *Trainer) metrics(e episodes, s ppo.Stats) UpdateMetrics {
	m := UpdateMetrics{
		Kind: KindUpdate, Update: t.updates, Decisions: t.decisions, Games: t.games,
		Loss: s.Loss, PolicyLoss: s.Policy, ValueLoss: s.Value, Entropy: s.Entropy, Proximal: s.Proximal, Magnet: s.Magnet,
		KL: s.KL, ClipFraction: s.ClipFraction, GradNorm: s.GradNorm,
		Samples: s.Samples, Epochs: s.Epochs, Explained: s.Explained, CriticLoss: s.Critic, Rho: s.Rho,
		LearningRate: s.LearningRate, EntropyCoef: s.EntropyCoef,
		GamesEnded: e.games, Truncated: e.truncated, Forced: e.forced, Returns: make([]float64, len(e.returns)),
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
