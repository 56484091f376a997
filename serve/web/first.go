package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"

	"powderkeg/engine"
	"powderkeg/env"
)

// First games teach a title by playing it: first/README.md says how one is written.
//
//go:embed first/*.json
var firstGames embed.FS

// first is a guided first game: a script with words between its moves.
type first struct {
	// Game is the game string, Position where the game begins if not at its start.
	Game     string          `json:"game"`
	Position json.RawMessage `json:"position,omitempty"`
	Seat     engine.Player   `json:"seat"` // of whoever learns
	Steps    []firstStep     `json:"steps"`
	// End is said when all steps are done and the game is the learner's own.
	End string `json:"end"`
}

// firstStep is one idea, and the learner's move that goes with it, or moves that are made unasked.
type firstStep struct {
	// Do names moves of anybody and outcomes of chance, in order. Forced ones may be left out.
	Do []string `json:"do,omitempty"`

	// Say is the idea, Rule the number of the rule behind it, Move what the learner is to choose.
	Say  string `json:"say,omitempty"`
	Rule string `json:"rule,omitempty"`
	Move string `json:"move,omitempty"`
	// Free, if it is there, is said after any other choice, which is carried out. It can be looked at, and
	// then the game goes on with Move.
	Free string `json:"free,omitempty"`
	// Not is said of another choice where it is not free; the rule is shown with it.
	Not string `json:"not,omitempty"`
}

// course is a first game with every move that it consists of.
type course struct {
	first
	moves []lessonMove
	asks  int // steps at which the learner chooses
}

type lessonMove struct {
	action engine.Action
	step   *firstStep // of a choice of the learner, nil for a move that is made unasked
	number int        // of the step among those of the learner, from 1
}

// hasFirst reports whether a family of games has a first game.
func hasFirst(family string) bool {
	_, err := fs.Stat(firstGames, "first/"+family+".json")
	return err == nil
}

// readFirst reads the first game of a family.
func readFirst(family string) (*first, error) {
	data, err := firstGames.ReadFile("first/" + family + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no guided first game", family)
	}
	if err != nil {
		return nil, err
	}
	f := new(first)
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("web: first/%s.json: %w", family, err)
	}
	return f, nil
}

// courseOf plays the first game of a game's family and returns all its moves. g begins where the first
// game does.
func courseOf(g engine.Game) (*course, error) {
	f, err := readFirst(g.Spec().Name)
	if err != nil {
		return nil, err
	}
	c, s := &course{first: *f}, g.New()
	make := func(name string, step *firstStep) error {
		for {
			possible := engine.Moves(s)
			a, err := engine.FindMove(g, s, name)
			if found := err == nil; !found && len(possible) != 1 {
				return err
			} else if step != nil && found && s.ToAct() != c.Seat {
				return fmt.Errorf("seat %d is to choose %s", s.ToAct(), name)
			} else if found {
				c.moves = append(c.moves, lessonMove{a, step, c.asks})
				return s.Apply(a)
			}
			c.moves = append(c.moves, lessonMove{possible[0], nil, c.asks})
			if err := s.Apply(possible[0]); err != nil {
				return err
			}
		}
	}
	for i := range c.Steps {
		step := &c.Steps[i]
		for _, name := range step.Do {
			if err := make(name, nil); err != nil {
				return nil, fmt.Errorf("web: first game of %s, step %d: %w", g.Spec().Name, i+1, err)
			}
		}
		if step.Move == "" {
			continue
		}
		c.asks++
		if err := make(step.Move, step); err != nil {
			return nil, fmt.Errorf("web: first game of %s, step %d: %w", g.Spec().Name, i+1, err)
		}
	}
	return c, nil
}

// firstBot goes on with the game when the lesson is over.
const firstBot = "level:beginner"

// toFirst makes an order that of the first game of its family.
func (o *Order) toFirst() error {
	g, err := env.NewGame(o.Game)
	if err != nil {
		return err
	}
	f, err := readFirst(g.Spec().Name)
	if err != nil {
		return err
	}
	if g, err = env.NewGame(f.Game); err != nil {
		return err
	}
	name := ""
	for _, seat := range o.Seats {
		if seat.Kind == Person {
			name = seat.Name
			break
		}
	}
	o.Game, o.Position, o.Practice, o.Seed = f.Game, f.Position, true, 1
	o.Seats = make([]Seat, g.Spec().Seats)
	for p := range o.Seats {
		o.Seats[p] = Seat{Bot, firstBot}
	}
	o.Seats[f.Seat] = Seat{Person, name}
	return nil
}

// Guide is what a first game says to its learner at the moment.
type Guide struct {
	// Step counts the learner's choices from 1, of Steps.
	Step  int    `json:"step"`
	Steps int    `json:"steps"`
	Text  string `json:"text"`
	// Rule is the number of the rule behind it, "" for none.
	Rule string `json:"rule"`
	// Off is true after a choice of the learner's own. To go on takes it back.
	Off bool `json:"off"`
	// Free is true where any choice may be tried.
	Free bool `json:"free"`
	// Done is true when the lesson is over.
	Done bool `json:"done"`
}

// lesson returns the next move of the lesson: how many of its moves have been made, and whether the
// game has left it. There is no next one when all are made or the game is no lesson.
func (t *session) lesson() (next *lessonMove, made int, off bool) {
	if t.course == nil {
		return nil, 0, false
	}
	for made = range t.course.moves {
		if made == len(t.moves) {
			return &t.course.moves[made], made, false
		}
		if t.moves[made].Action != t.course.moves[made].action {
			return &t.course.moves[made], made, true
		}
	}
	return nil, len(t.course.moves), false
}

// learning reports whether the moves of a first game are still to be made: no bot chooses until then.
func (t *session) learning() bool {
	next, _, _ := t.lesson()
	return next != nil
}

// unasked returns the move that the lesson makes by itself now.
func (t *session) unasked() (engine.Action, bool) {
	if next, _, off := t.lesson(); next != nil && !off && next.step == nil {
		return next.action, true
	}
	return 0, false
}

// allows returns why the lesson does not take a choice, nil if it does.
func (t *session) allows(a engine.Action) error {
	next, _, off := t.lesson()
	if next == nil || off || a == next.action || next.step == nil || next.step.Free != "" || !legal(t.state, a) {
		return nil
	}
	why := next.step.Not
	if r := t.reader.Rule(next.step.Rule); why == "" {
		why = fmt.Sprintf("%s: %s", next.step.Rule, r.Text)
	}
	return &problem{http.StatusConflict, "lesson", why}
}

// guide returns what the lesson says to seat p, nil for nothing.
func (t *session) guide(p engine.Player) *Guide {
	if t.course == nil || p != t.course.Seat {
		return nil
	}
	next, _, off := t.lesson()
	switch {
	case next == nil:
		return &Guide{Step: t.course.asks, Steps: t.course.asks, Text: t.course.End, Done: true}
	case next.step == nil:
		return nil // it is on its way to the next one
	}
	g := &Guide{Step: next.number, Steps: t.course.asks, Text: next.step.Say, Rule: next.step.Rule, Off: off, Free: next.step.Free != ""}
	if off {
		g.Text = next.step.Free
	}
	return g
}

// guideOn has the lesson go on: what the learner has tried is taken back, and the lesson's move is made.
func (s *Server) guideOn(w http.ResponseWriter, r *http.Request) error {
	err := s.seated(r, func(t *session, _ *audience, p engine.Player) error {
		next, made, off := t.lesson()
		if next == nil || p != t.course.Seat {
			return &problem{http.StatusConflict, "no_lesson", "There is no lesson to go on with."}
		}
		if off {
			if err := t.rewind(made); err != nil {
				return err
			}
			if err := t.journal.write(entry{Undo: &made}); err != nil {
				return err
			}
		}
		if err := t.make(next.action, false); err != nil {
			return err
		}
		t.think()
		return nil
	})
	if err != nil {
		return err
	}
	return answer(w, r, struct{}{})
}
