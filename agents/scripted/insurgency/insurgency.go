// Package insurgency is the scripted player of 2040: An American Insurgency, for
// either side and every scenario.
//
// It values the situation in victory points (value.go): what counts now, and what
// stands to change hands, such as Unrest that has begun to gather, agents
// enough to secure a space, militia enough for a surge, pieces that could be
// attacked or hunted, dollars, the news. What an operation does to those is
// reckoned (operations.go, netops.go, move.go, social.go); what an event does is
// tried on a copy of the view, the unseen cards dealt at random (trial.go). A card
// is then played in the way that gains most, and the one first that gains most of
// all (cards.go): since every card of a hand must be played, the enemy's best
// events are put off.
//
// It reads nothing but the view of its seat and keeps nothing between decisions.
package insurgency

import (
	"math/rand/v2"

	"powderkeg/agents/scripted/weigh"
	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// Policy plays 2040: An American Insurgency. It implements agents.Policy.
type Policy struct {
	places [spaces]place
	dealt  *insurgency.State // the view, dealt anew
	levels [levels]thought
}

// levels is how deep events are tried: the decision at hand, and the ones that it
// leads to.
const levels = 2

// New returns a player of the game.
func New(g engine.Game) *Policy { return newPolicy(g, &tuned) }

// newPolicy returns a player with weights of its own, one set a side.
func newPolicy(g engine.Game, w *[2]weights) *Policy {
	s := engine.Look(g.New(), rebel).(*insurgency.View)
	p, r := &Policy{places: readPlaces(s), dealt: g.New().(*insurgency.State)}, readRules(s)
	for i := range p.levels {
		t := &p.levels[i]
		t.places = &p.places
		t.weights = w
		t.b.w, t.after.w = &w[rebel], &w[rebel]
		t.game, t.b.game, t.after.game = r, r, r
		t.trial = g.New().(*insurgency.State)
		t.seen = t.trial.NewView().(*insurgency.View)
		if i+1 < levels {
			t.below = &p.levels[i+1]
		}
	}
	return p
}

// Weights implements weigh.Player.
func (p *Policy) Weights(seat int) weigh.List {
	w := p.levels[0].weights
	if w == &tuned {
		own := tuned
		w = &own
		for i := range p.levels {
			p.levels[i].weights = w
		}
	}
	return weigh.Of(&w[seat])
}

// Choose implements agents.Policy.
func (p *Policy) Choose(view engine.View, seat engine.Player, legal []engine.Action, rng *rand.PCG) engine.Action {
	for i := range p.levels {
		p.levels[i].seat = seat
	}
	t := &p.levels[0]
	// The unseen cards are dealt at random, so that trials run on whole states. No
	// valuation looks at them; it does look at the own hand.
	p.dealt.Redeal(view, rng)
	return t.choose(p.dealt, view.(*insurgency.View), legal)
}

// thought is what the player makes of one decision, and the scratch memory for it.
type thought struct {
	game    *rules
	places  *[spaces]place
	weights *[2]weights
	below   *thought // thinks about what the actions lead to; nil at the last level
	trial   *insurgency.State
	seen    *insurgency.View // of the trial

	state  *insurgency.State // that trials begin in
	view   *insurgency.View  // of it
	me     engine.Player
	seat   engine.Player              // whose hand may be looked at
	hand   [insurgency.MaxOps + 1]int // own cards to come with so many Ops
	b      board
	worth  float64         // of the situation, in the player's favour
	after  board           // of the last trial
	values [spaces]float64 // of the spaces of b, once valued
	valued bool

	gains  [insurgency.Operations][insurgency.MaxOps + 1]float64 // of operations with so many Ops
	gained [insurgency.Operations][insurgency.MaxOps + 1]bool    // which of them have been reckoned
	picks  [spaces]float64
	idle   [spaces]int // own units that are in no group of the running Move
	plan   planTable
	leave  [spaces][maxGroup + 1]float64
	arrive [spaces][maxGroup + 1]float64

	legal    []engine.Action
	outcomes []engine.Outcome
	order    []int
}

// choose returns the best of the legal actions of a state, given the seat's view of it.
func (t *thought) choose(state *insurgency.State, s *insurgency.View, legal []engine.Action) engine.Action {
	if len(legal) == 1 {
		return legal[0]
	}
	t.state, t.view, t.me = state, s, s.ToAct()
	t.b.w, t.after.w = &t.weights[t.me], &t.weights[t.me]
	t.b.read(s)
	t.b.readHorizon(s)
	t.readHand()
	t.after.horizon = t.b.horizon
	t.valued = false
	t.forgetGains()
	d := s.Decision()
	switch d {
	case insurgency.AskCard, insurgency.AskMode, insurgency.AskOperation, insurgency.AskReserves:
		return t.chooseCard(d, legal)
	case insurgency.AskDeploy:
		if !s.DeployEach() {
			return t.chooseDeploy(legal)
		}
		t.weighPicks(s.Operation(), s.Ops(), t.free())
		return t.choosePick(legal, t.mostLeft())
	case insurgency.AskAttack, insurgency.AskTax, insurgency.AskHunt, insurgency.AskPacify:
		t.weighPicks(s.Operation(), s.Ops(), t.free())
		return t.choosePick(legal, t.mostLeft())
	case insurgency.AskSurge, insurgency.AskSecure:
		t.weighPicks(s.Operation(), s.Ops(), t.free())
	case insurgency.AskOrigin:
		t.readGroups()
		return t.chooseOrigin(legal)
	case insurgency.AskDestination, insurgency.AskUnits, insurgency.AskActive:
		t.readGroups()
		t.weighMoves()
	case insurgency.AskSpace:
		return t.chooseSpace(legal)
	}
	best, bestScore := legal[0], t.score(d, legal[0])
	for _, a := range legal[1:] {
		if v := t.score(d, a); v > bestScore {
			best, bestScore = a, v
		}
	}
	return best
}

// score says how good an action is in a decision that is made by comparing them one
// by one. Scores of different decisions cannot be compared.
func (t *thought) score(d int, a engine.Action) float64 {
	switch d {
	case insurgency.AskType:
		return t.netGain(t.view.Operation(), int(a-insurgency.ActType), t.view.Ops(), t.free())
	case insurgency.AskNetSpace:
		if a == insurgency.ActDone {
			return never
		}
		return t.selection(t.view.Operation(), int(a-insurgency.ActSpace))
	case insurgency.AskRecruit:
		return t.scoreRecruit(a)
	case insurgency.AskSurge, insurgency.AskSecure:
		return t.picks[a-insurgency.ActSpace]
	case insurgency.AskDestination:
		const low = never / 2 // some destination must be taken
		return t.bestUnits(t.view.Origin(), int(a-insurgency.ActSpace), low).gain
	case insurgency.AskUnits:
		return t.scoreUnits(int(a - insurgency.ActAmount))
	case insurgency.AskActive:
		return t.scoreActive(int(a - insurgency.ActAmount))
	case insurgency.AskAgents:
		return t.scoreAgents(int(a - insurgency.ActAmount))
	case insurgency.AskSwap:
		return t.scoreSwap(a)
	case insurgency.AskSocialAttack:
		return t.scoreSocial(a)
	case insurgency.AskKeep:
		return t.scoreKeep(a)
	case insurgency.AskCensor, insurgency.AskTrim, insurgency.AskTie, insurgency.AskSlot, insurgency.AskStory:
		return t.scoreStory(d, a)
	case insurgency.AskHack:
		if a == insurgency.ActDone {
			return 0
		}
		return t.hackWorth(int(a-insurgency.ActHack), &t.b, t.me, 1-t.me)
	}
	return t.try(a)
}

// scoreRecruit (D7).
func (t *thought) scoreRecruit(a engine.Action) float64 {
	i := t.view.Focus()
	old := t.b.at[i]
	switch a {
	case insurgency.ActUnits:
		return t.recruits(i, &old)
	case insurgency.ActBase:
		return t.recruitsBase(i, &old)
	}
	return 0
}

// scoreUnits (D11): the Rebel's active militia may follow (D12).
func (t *thought) scoreUnits(n int) float64 {
	from, to := t.view.Origin(), t.view.Focus()
	entries := t.view.Progress().Arrests
	v := never
	most := n
	if t.me == rebel {
		most += t.b.at[from].active // of those some may be in a group before
	}
	for k := n; k <= min(most, maxGroup); k++ {
		if k > n && n < t.b.at[from].sleepers {
			break // sleepers go before active militia
		}
		if k > 0 {
			v = max(v, t.group(from, to, k, entries))
		}
	}
	return v
}

// scoreActive (D12).
func (t *thought) scoreActive(n int) float64 {
	from, to := t.view.Origin(), t.view.Focus()
	pr := t.view.Progress()
	if n+pr.Sleepers == 0 || n+pr.Sleepers > maxGroup {
		return never
	}
	return t.group(from, to, n+pr.Sleepers, pr.Arrests)
}

// scoreAgents (D17). Agents that are short go where a base can be made of them.
func (t *thought) scoreAgents(n int) float64 {
	i := t.view.Focus()
	if !t.view.DeployEach() {
		return t.scoreDeployed(n)
	}
	if n > t.b.units[federal] {
		return never - float64(n) // they would have to be lifted from elsewhere
	}
	_, best := t.deployGain(i, t.view.Ops())
	if n > best {
		return -float64(n - best)
	}
	return float64(n - best)
}

// scoreSwap (D18): a base is not lifted from elsewhere.
func (t *thought) scoreSwap(a engine.Action) float64 {
	if a == insurgency.ActNo {
		return 0
	}
	if t.b.bases[federal] == 0 {
		return -1
	}
	if !t.view.DeployEach() {
		return t.scoreBase(a)
	}
	i := t.view.Focus()
	s := t.b.at[i]
	s.agents -= 2
	s.bases[federal]++
	return t.b.gain(federal, &t.places[i], &t.b.at[i], &s)
}
