package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// A Deploy places up to Ops agents in all its spaces together and makes one base (R12.2,
// option deploy=total), so its spaces are planned together. With deploy=each every space
// stands for itself (deployGain).

// maxDeployed bounds the spaces of a plan: one for each agent and one for the base.
const maxDeployed = insurgency.MaxOps + 1

// deployment is the best that a Deploy can do in all its spaces.
type deployment struct {
	gain   float64
	agents [spaces]int
	base   int // space of the base, -1 for none
}

// uses reports whether the plan does anything in a space.
func (d *deployment) uses(i int) bool { return d.agents[i] > 0 || d.base == i }

// planState is how much of a Deploy the spaces up to one use.
type planState struct {
	agents, base, bought int
}

// cell is the best way to a planState: what it gains, and what is done in the last space.
type cell struct {
	gain   float64
	agents int8
	base   bool
	bought bool
}

// planTable holds a cell for every planState after each space.
type planTable [spaces + 1][insurgency.MaxOps + 1][2][maxDeployed + 1]cell

// deployRoom says what a plan may use: spaces that are selected, spaces that may be
// bought for a dollar, agents, and whether the base is still open.
type deployRoom struct {
	selected, open, fresh insurgency.SpaceSet // fresh: spaces that may still get agents
	agents                int
	base                  bool
}

// planDeploy finds the best plan: space by space, the best way to have used so many
// agents, the base or not, and so many dollars.
func (t *thought) planDeploy(room deployRoom) (plan deployment) {
	most := min(room.agents, t.b.units[federal])
	dollars := min(maxDeployed, t.b.money[t.me])
	for a := range t.plan[0] {
		for k := range t.plan[0][a] {
			for c := range t.plan[0][a][k] {
				t.plan[0][a][k][c] = cell{gain: never}
			}
		}
	}
	t.plan[0][0][0][0].gain = 0
	for i := range spaces {
		t.plan[i+1] = t.plan[i]
		for a := range t.plan[i+1] {
			for k := range t.plan[i+1][a] {
				for c := range t.plan[i+1][a][k] {
					next := &t.plan[i+1][a][k][c]
					next.agents, next.base, next.bought = 0, false, false
				}
			}
		}
		selected := room.selected.Has(insurgency.SpaceID(i))
		if !selected && !room.open.Has(insurgency.SpaceID(i)) {
			continue
		}
		n := 0
		if room.fresh.Has(insurgency.SpaceID(i)) {
			n = most
		}
		t.planSpace(i, n, most, dollars, room.base, !selected)
	}
	return t.readPlan(most)
}

// planSpace adds what up to n agents and the base do in a space.
func (t *thought) planSpace(i, n, most, dollars int, base, buy bool) {
	b, p, old := &t.b, &t.places[i], &t.b.at[i]
	price := 0.0
	if buy {
		price = t.price(1, false)
	}
	for placed := 0; placed <= n; placed++ {
		s := *old
		s.agents += placed
		if placed > 0 {
			t.planStep(i, placed, false, buy, b.gain(federal, p, old, &s)-price, most, dollars)
		}
		if base && s.agents >= 2 && t.game.room(&s) && b.bases[federal] > 0 {
			s.agents -= 2
			s.bases[federal]++
			t.planStep(i, placed, true, buy, b.gain(federal, p, old, &s)-price, most, dollars)
		}
	}
}

// planStep takes one way to use space i on from every state before it.
func (t *thought) planStep(i, placed int, base, buy bool, gain float64, most, dollars int) {
	from, to := &t.plan[i], &t.plan[i+1]
	k, c := 0, 0
	if base {
		k = 1
	}
	if buy {
		c = 1
	}
	for a := 0; a+placed <= most; a++ {
		for was := 0; was+k <= 1; was++ {
			for spent := 0; spent+c <= dollars; spent++ {
				v := from[a][was][spent].gain + gain
				if next := &to[a+placed][was+k][spent+c]; v > next.gain {
					*next = cell{v, int8(placed), base, buy}
				}
			}
		}
	}
}

// readPlan follows the best way back from the last space.
func (t *thought) readPlan(most int) (plan deployment) {
	plan.base = -1
	var at planState
	for a := 0; a <= most; a++ {
		for k := range t.plan[spaces][a] {
			for c := range t.plan[spaces][a][k] {
				if v := t.plan[spaces][a][k][c].gain; v > plan.gain {
					plan.gain, at = v, planState{a, k, c}
				}
			}
		}
	}
	for i := spaces - 1; i >= 0 && plan.gain > 0; i-- {
		c := t.plan[i+1][at.agents][at.base][at.bought]
		plan.agents[i] = int(c.agents)
		at.agents -= int(c.agents)
		if c.base {
			plan.base = i
			at.base--
		}
		if c.bought {
			at.bought--
		}
	}
	return plan
}

// deployable returns the spaces that a Deploy may select (R12.2.1).
func (t *thought) deployable() (set insurgency.SpaceSet) {
	for i := range t.b.at {
		if t.admits(insurgency.Deploy, i, insurgency.MaxOps) {
			set |= 1 << i
		}
	}
	return set
}

// deploysGain returns what a Deploy with so many Ops gains.
func (t *thought) deploysGain(ops int) float64 {
	open := t.deployable()
	if open == 0 || t.b.money[t.me] == 0 {
		return never
	}
	return t.planDeploy(deployRoom{open: open, fresh: open, agents: ops, base: true}).gain
}

// chooseDeploy (D16): the lowest space of the plan that is not selected yet.
func (t *thought) chooseDeploy(legal []engine.Action) engine.Action {
	var open insurgency.SpaceSet
	done := false
	for _, a := range legal {
		if a == insurgency.ActDone {
			done = true
		} else {
			open |= 1 << (a - insurgency.ActSpace)
		}
	}
	selected := t.view.Picks()
	t.b.money[t.me] -= t.view.Progress().Cost
	plan := t.planDeploy(deployRoom{selected: selected, open: open, fresh: selected | open, agents: t.view.Ops(), base: true})
	t.b.money[t.me] += t.view.Progress().Cost
	for i := range spaces {
		if open.Has(insurgency.SpaceID(i)) && plan.uses(i) {
			return insurgency.ActSpace + engine.Action(i)
		}
	}
	if done {
		return insurgency.ActDone
	}
	return legal[0]
}

// deployPlan plans the rest of a Deploy whose spaces are selected (D17, D18): todo is the
// spaces still to be asked for.
func (t *thought) deployPlan(agents int, todo insurgency.SpaceSet) deployment {
	return t.planDeploy(deployRoom{selected: t.view.Picks(), fresh: todo, agents: agents, base: true})
}

// scoreDeployed (D17): as many agents as planned, no more than there are.
func (t *thought) scoreDeployed(n int) float64 {
	pr := t.view.Progress()
	want := t.deployPlan(pr.AgentsLeft, t.view.P.Op.Pick.Todo).agents[t.view.Focus()]
	if n > want {
		return 2 * float64(want-n)
	}
	return float64(n - want)
}

// scoreBase (D18): the one base is made here if no later space gains more by it.
func (t *thought) scoreBase(a engine.Action) float64 {
	if a == insurgency.ActNo {
		return 0
	}
	todo := t.view.P.Op.Pick.Todo
	plan := t.planDeploy(deployRoom{selected: todo, base: true})
	if plan.base == t.view.Focus() {
		return 1
	}
	return -1
}
