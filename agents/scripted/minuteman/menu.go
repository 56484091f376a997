package minuteman

import (
	"powderkeg/agents/scripted/menu"
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// Features implements menu.Player.
func (p *Policy) Features() []string {
	return append(contextNames(), candidateNames(p.actions)...)
}

// Menu implements menu.Player. Among actions that are alike, of which Choose draws one, the
// first is drawn by what the seat sees.
func (p *Policy) Menu(m *menu.Menu, view engine.View, seat engine.Player, legal []engine.Action) {
	if len(legal) == 1 {
		m.Only(legal[0])
		return
	}
	t, s := p.look(view, seat), &p.shelf
	t.errands = &s.errands
	t.errands.noted, t.errands.left = [minuteman.Units]bool{}, 0
	t.prepare(legal)
	s.weigh(t, legal)
	m.Reset()
	k := t.steepness()
	for i := range s.list {
		c := &s.list[i]
		worth := 0.0
		if c.score < s.list[0].score {
			worth = min(-leastDifference, float64(k*(c.merit-s.list[0].merit)))
		}
		x := m.Add(c.action, worth, contextSize+candidateSize)
		if i > 0 {
			copy(x, m.Features[:contextSize])
		} else {
			t.describe(x)
		}
		t.describeCandidate(x[contextSize:], c, worth, c.merit-s.list[0].merit)
	}
}

// leastDifference is what an action is worth less than a better one at least.
const leastDifference = 1e-3

// steepness turns a difference in merit into nats, for the decision at hand: the merits of
// different decisions cannot be compared. They were set by games from the weights of the bots,
// drawn at a temperature of 0.6: some 11 to 15% of the choices are worse than the best one by
// the player's reckoning, and 5% are others as good.
func (t *situation) steepness() float32 {
	switch t.state.Decision() {
	case minuteman.DecidesMove:
		return pick(t.p.Part == 0, 4, 15)
	case minuteman.DecidesGovMove:
		return pick(t.p.Part == 0, 6, 40)
	case minuteman.DecidesGovDestination:
		return 35
	case minuteman.DecidesDestination:
		return 10
	case minuteman.DecidesTarget, minuteman.DecidesBetrayal:
		return 6
	case minuteman.DecidesAttack, minuteman.DecidesReactPlace:
		return 5
	case minuteman.DecidesAttackers, minuteman.DecidesWindow:
		return 4
	case minuteman.DecidesBuild, minuteman.DecidesGovBuild:
		return pick(t.p.Part == 0, 3, 5)
	case minuteman.DecidesToggle, minuteman.DecidesExtraRiot, minuteman.DecidesMode, minuteman.DecidesPassage:
		return 3
	case minuteman.DecidesArrival, minuteman.DecidesConsolation, minuteman.DecidesGovResult, minuteman.DecidesRetreat, minuteman.DecidesRetreatZone,
		minuteman.DecidesReinforce, minuteman.DecidesLeave, minuteman.DecidesExtra:
		return 1
	case minuteman.DecidesReact:
		return 0.5
	}
	return 2
}
