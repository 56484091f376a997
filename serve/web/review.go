package web

import (
	"context"
	"net/http"
	"time"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/teacher"
	"powderkeg/serve/thinking"
)

// Decision is a decision of a seat in a review.
type Decision struct {
	Step   int    `json:"step"` // of the replay, before the choice
	Played string `json:"played"`
	Best   string `json:"best"`
	// Value is what the seat could expect before, Cost how much less after what it chose
	// than after the best choice, both from 0 to 1; nil where that was not found out.
	Value *float32 `json:"value"`
	Cost  *float32 `json:"cost"`
	// Mistake reports whether that is too much for noise (teacher.Advice.Loss).
	Mistake bool `json:"mistake"`
}

// Review is what a teacher thinks of the decisions of a seat.
type Review struct {
	By        string     `json:"by"`
	Decisions []Decision `json:"decisions"`
	// Whole is false if there was no time for all of them.
	Whole bool `json:"whole"`
}

// Time for a hint, for each time that it is asked for again, for waiting and thinking together,
// for the review of a decision, and for that of a whole game. Before the first hint of a table its teacher
// is made, which takes up to 0.13 s more.
const (
	hintTime   = 250 * time.Millisecond
	deeperTime = time.Second
	waitTime   = 3 * time.Second
	oneTime    = time.Second
	reviewTime = 20 * time.Second
)

// errNoTeacher is the error of a hint in a game that nobody teaches.
var errNoTeacher = &problem{http.StatusNotFound, "no_teacher", "Nobody here can teach this game."}

// lesson has the teacher of a game do something with a copy of what it needs, while the
// game goes on. do gets it in its turn; one lesson a game is given at a time.
func (s *Server) lesson(
	r *http.Request, limit time.Duration,
	prepare func(t *session, a *audience, p engine.Player) error,
	do func(thought *thinking.Thought, t *teacher.Teacher) error,
) (err error) {
	var own *teacher.Teacher
	var game engine.Game
	var thinker *thinking.Owner
	err = s.seated(r, func(t *session, a *audience, p engine.Player) error {
		if err := t.taught(p); err != nil {
			return err
		}
		if err := prepare(t, a, p); err != nil {
			return err
		}
		game, thinker = t.game, &t.thinker
		if own, t.teacher = t.teacher, nil; own == nil {
			own = teacher.New(game)
		}
		if own == nil {
			return errNoTeacher
		}
		if s.trials > 0 {
			own.Trials = s.trials
		}
		return nil
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.lessonTime(limit))
	defer cancel()
	select {
	case s.lessons <- struct{}{}:
	case <-ctx.Done():
		return errBusy
	}
	func() {
		defer func() { <-s.lessons }()
		defer env.Recover(game, &err)
		thought, waited := s.thinks.Begin(ctx, thinker, 0)
		if waited != nil {
			err = errBusy
			return
		}
		defer thought.End()
		err = do(thought, own)
	}()
	if err != nil {
		return err // a teacher that broke down is not used again
	}
	return s.with(r.PathValue("id"), func(t *session) error {
		t.teacher = own
		return nil
	})
}

// lessonTime is how long a lesson may take, or a part of it: as long as it wants where the number of
// simulations is what ends it, so that what is said does not depend on the machine.
func (s *Server) lessonTime(usual time.Duration) time.Duration {
	if s.trials > 0 {
		return 5 * time.Minute
	}
	return usual
}

// taught is the error of a lesson in a game in which none is given.
func (t *session) taught(p engine.Player) error {
	if t.practice() || t.ended(p) {
		return nil
	}
	return &problem{http.StatusForbidden, "no_hints", "Hints are given in games for practice, and a review when the game is over."}
}

// Hint is what a teacher thinks of a decision of the seat, now or before.
type Hint struct {
	*teacher.Advice
	// Words say what the actions do, in the order of the opinions, at a moment that is past.
	Words []string `json:"words,omitempty"`
	// Played is the action that was chosen then, and Cost and Mistake are those of a Decision.
	Played  *int     `json:"played,omitempty"`
	Cost    *float32 `json:"cost,omitempty"`
	Mistake bool     `json:"mistake,omitempty"`
}

// hint says what a teacher would do where the seat is to act, or was at a step. Whoever asks
// again about the same decision has it think on.
func (s *Server) hint(w http.ResponseWriter, r *http.Request) error {
	step, err := number(r, "step", -1)
	if err != nil {
		return err
	}
	var m *moment
	var h Hint
	err = s.lesson(r, waitTime, func(t *session, a *audience, p engine.Player) (err error) {
		m, err = t.moment(a, p, step)
		return err
	}, func(thought *thinking.Thought, t *teacher.Teacher) (err error) {
		limit, also := hintTime, engine.Action(-1)
		if m.played != nil {
			also = *m.played
		}
		if t.Recall(m.view, m.seat, also) != nil {
			limit = deeperTime
		}
		part, cancel := thought.For(s.lessonTime(limit))
		defer cancel()
		h.Advice, err = t.Advise(part, m.view, m.seat, m.view.Legal(nil), also)
		return err
	})
	if err != nil {
		return err
	}
	if m.played != nil {
		played := int(*m.played)
		h.Played, h.Words = &played, m.words(h.Opinions)
		h.Cost, h.Mistake = h.Loss(*m.played)
	}
	return answer(w, r, h)
}

// question is a decision that is still to be reviewed.
type question struct {
	view   engine.View
	legal  []engine.Action
	played engine.Action
	made   Decision
}

// reviewed is how many decisions of a game are reviewed at most, spread over it.
const reviewed = 150

// review says which decisions of the seat were costly.
func (s *Server) review(w http.ResponseWriter, r *http.Request) error {
	var asked []question
	var game engine.Game
	var seat engine.Player
	result := Review{Decisions: []Decision{}, Whole: true}
	err := s.lesson(r, reviewTime, func(t *session, a *audience, p engine.Player) (err error) {
		seat, game = p, t.game
		asked, err = t.questions(a, p)
		return err
	}, func(thought *thinking.Thought, t *teacher.Teacher) error {
		result.By = t.Name()
		for i := range asked {
			part, cancel := thought.For(s.lessonTime(min(oneTime, reviewTime/time.Duration(len(asked)))))
			err := asked[i].answer(part, game, t, seat)
			cancel()
			if err != nil {
				return err
			}
			result.Decisions = append(result.Decisions, asked[i].made)
		}
		result.Whole = thought.Err() == nil
		return nil
	})
	if err != nil {
		return err
	}
	return answer(w, r, result)
}

// questions returns the decisions of a seat in which it had a choice, in their order.
func (t *session) questions(a *audience, p engine.Player) ([]question, error) {
	own := 0
	for _, m := range t.moves {
		if m.Actor == p {
			own++
		}
	}
	every := own/reviewed + 1 // of a long game, every so manieth
	var list []question
	s, nth := engine.Clone(t.game, t.anchors[0]), 0
	step := 0
	for i, m := range t.moves {
		for step+1 < len(a.marks) && a.marks[step+1].moves <= i {
			step++
		}
		if m.Actor == p {
			if legal := s.Legal(nil); len(legal) > 1 && nth%every == 0 {
				q := question{view: t.see(s, p), legal: legal, played: m.Action, made: Decision{Step: step}}
				q.made.Played = teacher.Words(t.game, q.view, m.Action)
				list = append(list, q)
			}
			nth++
		}
		if err := s.Apply(m.Action); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// answer finds out what the decision has cost. What was said of it when it was made stands.
func (q *question) answer(ctx context.Context, g engine.Game, t *teacher.Teacher, p engine.Player) (err error) {
	advice := t.Recall(q.view, p, q.played)
	if advice == nil {
		if advice, err = t.Advise(ctx, q.view, p, q.legal, q.played); err != nil {
			return err
		}
	}
	q.made.Value = advice.Value
	if q.made.Cost, q.made.Mistake = advice.Loss(q.played); q.made.Cost != nil {
		q.made.Best = teacher.Words(g, q.view, engine.Action(advice.Opinions[advice.Best].Action))
	}
	return nil
}
