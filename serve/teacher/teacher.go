// Package teacher says what it would do at a decision, and what that is worth: hints and
// reviews for people and language models.
package teacher

import (
	"cmp"
	"context"
	"slices"

	"powderkeg/agents/roster"
	"powderkeg/agents/search"
	"powderkeg/engine"
)

// Teacher says what it would do and what that is worth, both by one search (search.Study) of the
// player that fits the game with its options: a network of the zoo, else the scripted player. It
// knows what the seat knows: what is hidden it deals at random. It belongs to one goroutine.
type Teacher struct {
	// Trials bounds the simulations of an Advise, so that what it says does not depend on the
	// clock; New sets it as high as the memory allows. Seed makes another teacher of the same kind.
	Trials int
	Seed   uint64

	game  engine.Game
	name  string
	curve *Curve // of its values, nil for none
	study *search.Study
	at    question // that the study is about
	known *search.Study
	said  map[question]*Advice // of what has been asked, the latest advice
	order []question           // in which it was asked first
}

// question is a decision of a seat by what it sees.
type question struct {
	view uint64
	seat engine.Player
}

const (
	// considered is how many actions are tried out at most.
	considered = 16
	// depth is after how many choices a network says what a simulation is worth; where the game
	// is likely to be over within rest of them, its result counts. Report 0037 has the figures.
	depth, rest = 4, 40
	// lines is how many choices of what is to be expected are told.
	lines = 6
	// remembered is how many decisions are remembered.
	remembered = 400
	// fewWorlds is from how many worlds on a value is told.
	fewWorlds = 3
)

// Mistake is what a mistake costs at least: two hundredths of what can be won.
const Mistake = 0.02

// sure is how many of its standard errors a loss must be for a mistake.
const sure = 3

// New returns a teacher of a game, nil if there is nobody to learn from.
func New(g engine.Game) *Teacher {
	player, critic := chosen(g)
	playouts := player
	if player == scriptedPlayer && g.Spec().Name == "connect4" {
		playouts = "random" // the scripted player looks ahead itself, which takes too long
	}
	config := search.StudyConfig{Considered: considered, Lines: lines}
	judges := map[string]search.Judge{}
	for _, x := range []struct {
		agent string
		judge *search.Judge
	}{{player, &config.Prior}, {playouts, &config.Judge}, {cmp.Or(critic, player), &config.Critic}} {
		if judges[x.agent] == nil {
			judge, values, err := roster.Judge(g, x.agent)
			if err != nil {
				return nil
			}
			if judges[x.agent] = judge; values {
				config.Depth, config.Rest = depth, rest
			}
		}
		*x.judge = judges[x.agent]
	}
	var err error
	if config.Beliefs, err = search.NewBeliefs(g, config.Prior); err != nil {
		return nil
	}
	return &Teacher{
		Trials: search.MostTrials, game: g, name: player, curve: curveOf(g, player),
		study: search.NewStudy(g, config), known: search.NewStudy(g, config), said: map[question]*Advice{},
	}
}

// scriptedPlayer is the agent that teaches where no network does.
const scriptedPlayer = "scripted"

// chosen returns who teaches a game, and the network by whose values if it is another. A planner knows no values,
// and chooses better than the network beside it.
func chosen(g engine.Game) (player, critic string) {
	for _, name := range roster.Networks(g) {
		agent := "zoo:" + name
		if _, plans := roster.Planner(agent); plans {
			player = agent
		} else if critic == "" {
			critic = agent
		}
	}
	switch {
	case player == "" && critic == "":
		return scriptedPlayer, ""
	case player == "":
		return critic, ""
	}
	return player, critic
}

// Who returns the agent string of who teaches a game.
func Who(g engine.Game) string {
	player, _ := chosen(g)
	return player
}

// Name returns who teaches, as an agent string.
func (t *Teacher) Name() string { return t.name }

// Opinion is what a teacher thinks of a legal action.
type Opinion struct {
	Action int `json:"action"`
	// Share is with which probability the teacher would take it.
	Share float32 `json:"share"`
	// Value is what the seat may expect after it, from 0 (the least return) to 1 (the
	// largest), as far as that was found out; Error is its standard error beside other actions.
	Value *float32 `json:"value"`
	Error float32  `json:"error"`
}

// Advice is what a teacher thinks of a decision.
type Advice struct {
	By       string    `json:"by"`
	Opinions []Opinion `json:"opinions"` // in the order of the legal actions
	// Best is the index of the opinion with the largest share.
	Best int `json:"best"`
	// Value is what the seat may expect, from 0 to 1: the mean of the actions' values by their
	// shares. Error is its standard error.
	Value *float32 `json:"value"`
	Error float32  `json:"error"`
	// Worlds and Trials count the worlds that were dealt and the simulations in them, Depth is how
	// many choices each goes on before it is judged, 0 for to the end of the game.
	Worlds int `json:"worlds"`
	Trials int `json:"trials"`
	Depth  int `json:"depth"`
	// Line is what is to be expected if the best action is taken.
	Line []Step `json:"line"`
}

// Step is a choice that is expected.
type Step struct {
	Seat  int    `json:"seat"`
	Words string `json:"words"`
}

// Advise thinks about a decision of seat p, whose view it is, until ctx ends or it has
// seen enough. also is an action that is tried out in any case, or -1. Asked again about the
// decision of which it was asked last it goes on where it was.
func (t *Teacher) Advise(ctx context.Context, v engine.View, p engine.Player, legal []engine.Action, also engine.Action) (*Advice, error) {
	q := question{v.Hash(), p}
	if q != t.at || !t.judged(q, also) {
		var always []engine.Action
		if also >= 0 {
			always = append(always, also)
		}
		t.at = question{seat: engine.Nobody}
		if err := t.study.Begin(v, p, legal, always, t.Seed); err != nil {
			return nil, err
		}
	}
	if err := t.study.Think(ctx, v, t.Trials); err != nil {
		return nil, err
	}
	t.at = q
	a := t.advice(t.study)
	t.study.Line(a.Best, func(s engine.State, action engine.Action) {
		if seat := s.ToAct(); seat >= 0 && len(s.Legal(nil)) > 1 {
			a.Line = append(a.Line, Step{int(seat), Words(t.game, engine.Look(s, seat), action)})
		}
	})
	t.remember(q, a)
	return a, nil
}

// judged reports whether what was said of a question has a value of an action, or no action is asked about.
func (t *Teacher) judged(q question, action engine.Action) bool {
	a := t.said[q]
	return a != nil && (action < 0 || slices.ContainsFunc(a.Opinions, func(o Opinion) bool { return o.Action == int(action) && o.Value != nil }))
}

// remember keeps what was said, for a review that says the same.
func (t *Teacher) remember(q question, a *Advice) {
	if _, ok := t.said[q]; !ok {
		if len(t.order) == remembered {
			delete(t.said, t.order[0])
			t.order = t.order[1:]
		}
		t.order = append(t.order, q)
	}
	t.said[q] = a
}

// Recall returns what was said of a decision when it was asked about, nil if nothing was, or nothing about
// the action played.
func (t *Teacher) Recall(v engine.View, p engine.Player, played engine.Action) *Advice {
	if q := (question{v.Hash(), p}); t.judged(q, played) {
		return t.said[q]
	}
	return nil
}

// Against is Advise where what the others hold is no secret: what an action is worth is
// found out in one world, which must be a possible one of the view and is kept. The shares stay those
// of somebody who does not know it, and the value is that of playing by them.
func (t *Teacher) Against(ctx, unknowing context.Context, v engine.View, p engine.Player, legal []engine.Action, world engine.State) (*Advice, error) {
	shares, err := t.Advise(unknowing, v, p, legal, -1)
	if err != nil {
		return nil, err
	}
	if err := t.known.BeginIn(world, v, p, legal, t.Seed); err != nil {
		return nil, err
	}
	if err := t.known.Think(ctx, v, t.Trials); err != nil {
		return nil, err
	}
	a := t.advice(t.known)
	a.Best = shares.Best
	value := float32(0)
	for i := range a.Opinions {
		o := &a.Opinions[i]
		if o.Share = shares.Opinions[i].Share; o.Value != nil {
			value += o.Share * *o.Value
		}
	}
	if a.Value != nil {
		a.Value = &value
	}
	return a, nil
}

// advice tells of what a study has found.
func (t *Teacher) advice(s *search.Study) *Advice {
	f := s.Found()
	a := &Advice{
		By: t.name, Opinions: make([]Opinion, len(f.Actions)), Best: f.Best,
		Worlds: f.Worlds, Trials: f.Trials, Depth: s.Depth(), Line: []Step{},
	}
	told, value := f.Worlds >= fewWorlds, float32(0)
	for i, x := range f.Actions {
		o := &a.Opinions[i]
		*o = Opinion{Action: int(x.Action), Share: float32(x.Share)}
		if told && x.Trials > 0 {
			worth, err := t.curve.around(x.Value, x.Error)
			own := float32(worth)
			o.Value, o.Error = &own, float32(err)
			value += o.Share * own
		}
	}
	if told {
		a.Value = &value
		_, err := t.curve.around(f.Value, f.Error)
		a.Error = float32(err)
	}
	return a
}

// Loss returns how much less than the best action one is worth, nil where that was not found
// out, and whether it is a mistake: by more than Mistake, and more than noise.
func (a *Advice) Loss(played engine.Action) (loss *float32, mistake bool) {
	i := slices.IndexFunc(a.Opinions, func(o Opinion) bool { return o.Action == int(played) })
	if i < 0 || a.Opinions[i].Value == nil || a.Opinions[a.Best].Value == nil {
		return nil, false
	}
	best, own := a.Opinions[a.Best], a.Opinions[i]
	d := max(0, *best.Value-*own.Value)
	return &d, d > Mistake && d*d > sure*sure*(best.Error*best.Error+own.Error*own.Error)
}
