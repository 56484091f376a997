package bloc

import (
	"math"

	"powderkeg/agents/scripted/menu"
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// shelf keeps what was weighed for the decision at hand: the plans of the last round of
// thinking or, if that came later, the actions that were scored one by one. A nil shelf keeps
// nothing.
type shelf struct {
	plans  []candidate
	scored []scored
}

// candidate is a plan with what it brings and what its dice weigh.
type candidate struct {
	plan
	value, cost float64
}

// scored is an action with its score.
type scored struct {
	action engine.Action
	score  float64
}

// mostPlans bounds the candidates of a decision: those of least worth are left out.
const mostPlans = 16

// steepness turns the logarithm of a plan's score into nats: of two plans, the one with a fifth
// less for its dice is taken once for every four times of the other, if one of them is drawn.
const steepness = 6

// scoreSteepness does so for scores of single actions, whose unit is a card or so.
const scoreSteepness = 2

func (s *shelf) clear() {
	if s != nil {
		s.plans, s.scored = s.plans[:0], s.scored[:0]
	}
}

// weigh notes the score of an action, the first of several or another one.
func (s *shelf) weigh(a engine.Action, score float64, first bool) {
	if s == nil {
		return
	}
	if first {
		s.clear()
	}
	s.scored = append(s.scored, scored{a, score})
}

// keep notes a plan; of several with the same step, the best is kept, and only the best of all.
func (s *shelf) keep(p *plan, value, cost float64) {
	if s == nil {
		return
	}
	c := candidate{*p, value, cost}
	least := 0
	for i := range s.plans {
		q := &s.plans[i]
		if q.same(p) {
			if p.score > q.score {
				*q = c
			}
			return
		}
		if q.score < s.plans[least].score {
			least = i
		}
	}
	switch {
	case len(s.plans) < mostPlans:
		s.plans = append(s.plans, c)
	case p.score > s.plans[least].score:
		s.plans[least] = c
	}
}

// same reports whether two plans begin with the same step.
func (p *plan) same(q *plan) bool {
	return p.verb == q.verb && p.card == q.card && p.cell == q.cell && p.count == q.count && p.to == q.to && p.occ == q.occ && p.arm == q.arm
}

// Features implements menu.Player.
func (p *Policy) Features() []string { return features }

// Menu implements menu.Player.
func (p *Policy) Menu(m *menu.Menu, view engine.View, seat engine.Player, legal []engine.Action) {
	if len(legal) == 1 {
		m.Only(legal[0])
		return
	}
	t := p.look(view, seat)
	t.shelf = &p.shelf
	t.shelf.clear()
	chosen := t.choose(legal)
	m.Reset()
	switch t.s.Decision() {
	case bloc.AskTradePartner, bloc.AskTradeGive, bloc.AskTradeWant, bloc.AskTradeResponse:
		t.shelf.clear() // trades follow from the plans that a card would make possible
	}
	switch s := t.shelf; {
	case chosen == bloc.ActVerb+engine.Action(bloc.VerbTrade):
	case len(s.scored) > 0:
		t.listScored(m, chosen)
	default:
		t.listPlans(m, legal, chosen)
	}
	if len(m.Actions) < 2 {
		m.Only(chosen)
		return
	}
	t.describe(m)
}

// listScored lists the actions that were scored, the chosen one first.
func (t *situation) listScored(m *menu.Menu, chosen engine.Action) {
	top := math.Inf(-1)
	for _, s := range t.shelf.scored {
		top = max(top, s.score)
	}
	for _, first := range [...]bool{true, false} {
		for _, s := range t.shelf.scored {
			if (s.action == chosen) != first {
				continue
			}
			x := m.Add(s.action, scoreSteepness*(s.score-top), len(features))
			t.describeScored(x[contextSize:], s, s.score-top)
		}
	}
}

// listPlans lists the plans that can be gone on with, the chosen one first, and what ends the
// turn, or the row of attacks, where that is possible.
func (t *situation) listPlans(m *menu.Menu, legal []engine.Action, chosen engine.Action) {
	stop := engine.Action(bloc.ActDone)
	if t.s.Decision() == bloc.AskTurnMenu {
		stop = bloc.ActVerb + engine.Action(bloc.VerbEndActions)
	}
	best := t.plan
	switch {
	case best.score <= 0 && chosen == stop:
		t.describeStop(m.Add(stop, 0, len(features))[contextSize:])
	case best.score <= 0 || t.stepOf(&best) != chosen:
		return // it makes do, without a plan
	}
	for _, first := range [...]bool{true, false} {
		for i := range t.shelf.plans {
			c := &t.shelf.plans[i]
			a := t.stepOf(&c.plan)
			if c.same(&best) != first || !has(legal, a) {
				continue
			}
			worth := 0.0
			if !first {
				worth = min(-1e-3, steepness*math.Log(c.score/best.score))
			}
			x := m.Add(a, worth, len(features))
			t.describePlan(x[contextSize:], c, worth)
		}
	}
	if chosen != stop && has(legal, stop) {
		worth := steepness / 2 * math.Log(min(0.7, stopScore/best.score))
		t.describeStop(m.Add(stop, worth, len(features))[contextSize:])
	}
}

// stopScore is the score of a plan that is about as good as none.
const stopScore = 0.3
