// Package minuteman is the scripted player of Minuteman: The Second American
// Revolution, for the Government and for every Rebel of all scenarios.
//
// Units have a worth (worth.go), and an attack is worth what it may be expected to
// destroy less what it may cost (attack.go, prey.go). A unit goes where it adds most
// to the attacks that are possible from there, to a build, or to the cities that
// decide (posts.go, stand.go), as far as its ways lead (reach.go), and marches towards
// what is beyond them (march.go). A Rebel builds in secret and takes up arms by one of
// two plans (rebel.go); the Government clears the lines to the cities (lines.go),
// strikes every Riot, makes Minutemen pay with the Zones of CIGs, and has its Agents
// hunt what is left (government.go). All that it weighs with stands in weights.go; the weights
// of a seat of its own may change from the first turn to the last.
//
// It shows its candidates to another judge (menu.go): what each action is worth by the same
// reckoning, where the choice itself may ask for no more than the best of them (candidates.go),
// and what it is about (features.go).
//
// A move is a chain of small choices; the player keeps nothing in mind between them
// and comes to the same plan at each. It reads nothing but the view of its seat.
package minuteman

import (
	"math/rand/v2"

	"powderkeg/agents"
	"powderkeg/agents/scripted/weigh"
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// Plan is what a Rebel is after.
type Plan uint8

// The plans. Passive builds Networks and Minutemen in secret, arms late, keeps its
// Militia by its Networks, and rises when the heads that count are on its side or it
// must. Violent builds Militia as soon as there are Minutemen to go with them, rises
// once it is stronger than the Army, and masses to destroy it. Auto is violent until
// a war is lost, and then passive.
const (
	Auto Plan = iota
	Passive
	Violent
)

// Policy plays Minuteman with any options. It implements agents.Policy.
type Policy struct {
	t       situation
	shelf   shelf
	actions []string                  // names, by action
	own     [4]*weigh.Course[weights] // by seat, nil for the tuned weights
}

// New returns a player of a game of Minuteman that follows a plan where it is a Rebel.
func New(g engine.Game, plan Plan) *Policy {
	p := &Policy{actions: g.Spec().Actions}
	p.t.learn(engine.Look(g.New(), 0).(*minuteman.View))
	p.t.plan = plan
	return p
}

// Weights implements weigh.Player.
func (p *Policy) Weights(seat int) weigh.List {
	return weigh.Own(&p.own[seat], tuned, ways...)
}

// ways are those along which the weights of a seat of its own may change: to the last turn.
var ways = []string{"late"}

// place is where a view is along the ways: from -1 in the first turn to 1 in the last.
func place(s *minuteman.View) (late float64) {
	turns, _ := s.Turns()
	return 2*float64(max(int(s.P.Turn), 1)-1)/float64(max(turns-1, 1)) - 1
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	t := p.look(view, seat)
	t.prepare(legal)
	return agents.Best(legal, rng, t.score)
}

// look works out the situation of a seat.
func (p *Policy) look(view engine.View, seat engine.Player) *situation {
	t := &p.t
	v := view.(*minuteman.View)
	if t.w = &tuned; p.own[seat] != nil {
		t.w = p.own[seat].At(place(v))
	}
	t.errands = nil
	t.read(v, seat)
	return t
}

// prepare makes the plan that the scores of some decisions follow.
func (t *situation) prepare(legal []engine.Action) {
	switch t.state.Decision() {
	case minuteman.DecidesAttack:
		t.planAttack()
	case minuteman.DecidesAttackers:
		t.planAttackers(legal)
	case minuteman.DecidesMove, minuteman.DecidesGovMove:
		t.planMove(legal)
	case minuteman.DecidesMode, minuteman.DecidesDestination, minuteman.DecidesGovDestination:
		u := t.chain.Moving
		t.hunted(u)
		t.weighPosts(u)
		t.explore(u)
		t.findGoal(u)
	}
}

// score says how good an action is in the decision at hand. Scores of different
// decisions cannot be compared.
func (t *situation) score(a engine.Action) float32 {
	if t.state.Decision() == minuteman.DecidesToggle {
		return t.scoreToggle(a)
	}
	if a >= minuteman.FirstHex {
		return t.scoreHex(int(a - minuteman.FirstHex))
	}
	switch t.state.Decision() {
	case minuteman.DecidesResult:
		return t.scoreResult(a)
	case minuteman.DecidesGovResult:
		return t.scoreGovResult(a)
	case minuteman.DecidesBuild, minuteman.DecidesGovBuild:
		return t.scoreBuild(a)
	case minuteman.DecidesCompose:
		return t.scoreCompose(a)
	case minuteman.DecidesMove, minuteman.DecidesGovMove:
		return t.scoreMove(a)
	case minuteman.DecidesMode:
		return t.scoreMode(a)
	case minuteman.DecidesPassage:
		return t.scorePassage(int(a - minuteman.FirstAmount))
	case minuteman.DecidesWindow:
		return t.scoreWindow(a)
	case minuteman.DecidesAssassination:
		return t.scoreAssassination(a)
	case minuteman.DecidesAttack:
		return t.scoreAttack(a)
	case minuteman.DecidesAttackers:
		return t.scoreAttackers(a)
	case minuteman.DecidesBetrayal:
		return t.scoreBetrayal(int(a - minuteman.FirstAmount))
	case minuteman.DecidesDefender:
		return float32(a - minuteman.FirstClass) // the stronger class comes later
	case minuteman.DecidesLoss, minuteman.DecidesHalf:
		return -t.classWorth(int(a - minuteman.FirstClass))
	case minuteman.DecidesReact:
		return t.scoreReact(a)
	case minuteman.DecidesNegotiation, minuteman.DecidesAnswer:
		return t.scoreTalk(a)
	}
	return t.plainChoice(a)
}

// plainChoice decides what needs no thought: Unrest is removed and a Riot kept, a
// ruthless attack is worth the Network that its failure gives away, and nothing is
// risked without a reason.
func (t *situation) plainChoice(a engine.Action) float32 {
	switch a {
	case minuteman.Yes:
		return pick(t.state.Decision() == minuteman.DecidesRemoveRiot, 0, 1)
	case minuteman.No:
		return pick(t.state.Decision() == minuteman.DecidesRemoveRiot, 1, 0)
	case minuteman.Done:
		return 1
	}
	return 0
}
