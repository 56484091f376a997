package search

import (
	"fmt"
	"math"
	"math/rand/v2"

	"powderkeg/agents/random"
	"powderkeg/engine"
)

// node is a situation as the searcher observes it, at which a seat is to act.
type node struct {
	observation
	edges int32 // first edge, none if there are none; edges ascend by action
}

// observation identifies a node: the node before it and what the searcher sees
// then.
type observation struct {
	view   uint64 // hash of the searcher's view
	parent int32
	actor  engine.Player
}

// edge is an action at a node.
type edge struct {
	value  float64 // sum of the actor's scaled returns
	mean   float64 // of them, once there are any
	visits int32
	// available counts the simulations that passed the node with the action legal.
	available int32
	action    engine.Action
	prior     float32 // of the evaluator, if there is one
	next      int32
	child     int32 // the node that it leads to, known in a certain game alone
}

// none ends a list of edges and stands for no node.
const none = int32(-1)

// maxNodes limits the tree of a search by time, to some 100 MB in a game of ten
// choices per move. At the limit the tree stops growing, and simulations go on
// from its leaves.
const maxNodes = 1 << 18

// tree is a search tree with the scratch memory of its simulations. All of it is
// used again from move to move, so that a search does not allocate once its
// largest tree has been seen.
type tree struct {
	config Config
	rng    *rand.PCG

	// certain is true where nothing is hidden and nothing left to chance: a node is one
	// state, all its edges are always legal, and each leads to one node.
	certain bool
	uniform bool // rollouts are random

	nodes []node
	edges []edge
	index index
	logs  []float64 // of whole numbers from 0

	seat   engine.Player // the searcher
	root   engine.View   // the searcher's view at the root, the caller's
	state  engine.State  // the game of the current simulation
	hidden engine.Hidden // state, nil where nothing is hidden
	view   engine.View   // what a seat has seen of it last; state itself where nothing is hidden
	chance engine.Stochastic
	drawer engine.Drawer // state, nil where it is none

	path     []int32 // edges taken in the current simulation
	actors   []engine.Player
	legal    []engine.Action
	untried  []int32
	outcomes []engine.Outcome
	priors   []float32
	values   []float32

	low, scale float64 // a return r scales to (r - low) * scale, from 0 to 1
}

func (t *tree) init(g engine.Game, c Config, rng *rand.PCG) {
	spec := g.Spec()
	if c.Rollout == nil {
		c.Rollout = random.Policy{}
	}
	t.config, t.rng = c, rng
	_, t.uniform = c.Rollout.(random.Policy)
	t.state = engine.Unwritten(g)
	t.view = t.state
	if t.hidden, _ = t.state.(engine.Hidden); t.hidden != nil {
		t.view = t.hidden.NewView()
	}
	t.chance, _ = t.state.(engine.Stochastic)
	t.drawer, _ = t.state.(engine.Drawer)
	t.certain = t.hidden == nil && len(spec.Outcomes) == 0
	t.low = float64(spec.MinReturn)
	t.scale = 1
	if spec.MaxReturn > spec.MinReturn {
		t.scale = 1 / (float64(spec.MaxReturn) - t.low)
	}
}

// reset starts a new tree at the view, which the simulations then read.
func (t *tree) reset(view engine.View, seat engine.Player) {
	t.seat = seat
	t.root = view
	t.nodes = append(t.nodes[:0], node{observation: observation{parent: none, actor: seat}, edges: none})
	t.edges = t.edges[:0]
	t.index.reset()
}

// simulate fills the blanks of the root, descends to a new node or the end of
// the game, and backs up what each seat gains there.
func (t *tree) simulate() {
	if t.hidden != nil {
		t.hidden.Redeal(t.root, t.rng)
	} else {
		t.state.CopyFrom(t.root.(engine.State))
	}
	t.path, t.actors = t.path[:0], t.actors[:0]
	for at := int32(0); ; {
		e := t.selectEdge(at)
		t.path = append(t.path, e)
		t.actors = append(t.actors, t.nodes[at].actor)
		t.apply(t.edges[e].action)
		t.settle()
		actor := t.state.ToAct()
		if actor == engine.Terminal {
			t.values = t.state.Returns(t.values[:0])
			break
		}
		next, known := t.child(at, e, actor)
		if !known {
			t.judge(next, actor)
			break
		}
		at = next
	}
	t.backUp()
}

func (t *tree) apply(a engine.Action) {
	if err := t.state.Apply(a); err != nil {
		panic(fmt.Sprintf("search: a game refuses a move that it offered: %v", err))
	}
}

// settle samples chance events until a seat is to act or the game is over.
func (t *tree) settle() {
	for t.state.ToAct() == engine.Chance {
		if t.drawer != nil {
			_, t.outcomes = t.drawer.Draw(t.rng, t.outcomes)
			continue
		}
		t.outcomes = t.chance.Outcomes(t.outcomes[:0])
		t.apply(engine.Sample(t.outcomes, t.rng))
	}
}

// viewOf returns what seat p sees of the state.
func (t *tree) viewOf(p engine.Player) engine.View {
	if t.hidden != nil {
		t.hidden.See(p, t.view)
	}
	return t.view
}

// child returns the node after edge e of node n at which the state stands, and whether it was
// known before. If the tree is full, an unknown one is none.
func (t *tree) child(n, e int32, actor engine.Player) (next int32, known bool) {
	if t.certain && t.edges[e].child != none {
		return t.edges[e].child, true
	}
	key := observation{t.viewOf(t.seat).Hash(), n, actor}
	next, slot := t.index.find(key, t.nodes)
	known = next != none
	if !known {
		if len(t.nodes) == maxNodes {
			return none, false
		}
		next = int32(len(t.nodes))
		t.nodes = append(t.nodes, node{observation: key, edges: none})
		t.index.put(slot, t.nodes)
	}
	if t.certain {
		t.edges[e].child = next
	}
	return next, known
}

// selectEdge chooses among the actions that are legal at node n, at which the state stands,
// and counts them as available.
func (t *tree) selectEdge(n int32) int32 {
	if !t.certain || t.nodes[n].edges == none {
		t.legal = t.state.Legal(t.legal[:0])
		t.addEdges(n)
	}
	if t.config.Evaluator != nil {
		return t.selectByPriors(n)
	}
	t.untried = t.untried[:0]
	best, bestScore := none, math.Inf(-1)
	i := 0
	for e := t.nodes[n].edges; e != none; e = t.edges[e].next {
		x := &t.edges[e]
		if !t.legalNow(x, &i) {
			continue
		}
		x.available++
		if x.visits == 0 {
			t.untried = append(t.untried, e)
		}
		if len(t.untried) > 0 {
			continue
		}
		if score := t.score(x); score > bestScore {
			best, bestScore = e, score
		}
	}
	if len(t.untried) > 0 {
		return t.untried[engine.Uint32N(t.rng, uint32(len(t.untried)))]
	}
	return best
}

// selectByPriors is selectEdge with an evaluator.
func (t *tree) selectByPriors(n int32) int32 {
	visits := 0.0 // at this node, over the actions that are legal now
	i := 0
	for e := t.nodes[n].edges; e != none; e = t.edges[e].next {
		if x := &t.edges[e]; t.legalNow(x, &i) {
			x.available++
			visits += float64(x.visits)
		}
	}
	best, bestScore := none, math.Inf(-1)
	spread := math.Sqrt(visits + 1)
	i = 0
	for e := t.nodes[n].edges; e != none; e = t.edges[e].next {
		if x := &t.edges[e]; t.legalNow(x, &i) {
			if score := t.scoreByPrior(x, spread); score > bestScore {
				best, bestScore = e, score
			}
		}
	}
	return best
}

// legalNow reports whether an edge is of an action in t.legal, of which i have been passed.
func (t *tree) legalNow(e *edge, i *int) bool {
	if t.certain {
		return true
	}
	if *i == len(t.legal) || e.action != t.legal[*i] {
		return false
	}
	*i++
	return true
}

// addEdges makes edges for those actions in t.legal that node n does not have
// yet: at the first visit, and where another deal makes others legal. With an
// evaluator they take its priors in the present deal.
func (t *tree) addEdges(n int32) {
	at := &t.nodes[n].edges // the link that the next edge in order hangs on
	evaluated := false
	for i, a := range t.legal {
		for *at != none && t.edges[*at].action < a {
			at = &t.edges[*at].next
		}
		if *at != none && t.edges[*at].action == a {
			continue
		}
		e := edge{action: a, next: *at, child: none}
		if t.config.Evaluator != nil {
			if !evaluated {
				t.evaluate(t.nodes[n].actor)
				evaluated = true
			}
			e.prior = t.priors[i]
		}
		*at = int32(len(t.edges))
		// Growing may move the edges, and with them the link.
		t.edges = append(t.edges, e)
		at = &t.edges[len(t.edges)-1].next
	}
}

// score is what makes an edge that was tried worth a visit: UCB1 with availability (Cowling
// and others, 2012).
func (t *tree) score(e *edge) float64 {
	return e.mean + t.config.Exploration*math.Sqrt(t.log(e.available)/float64(e.visits))
}

// scoreByPrior is the score of PUCT, where an action not yet tried counts as even.
func (t *tree) scoreByPrior(e *edge, spread float64) float64 {
	mean := 0.5
	if e.visits > 0 {
		mean = e.mean
	}
	return mean + t.config.Exploration*float64(e.prior)*spread/float64(1+e.visits)
}

// maxLogs is how many logarithms a tree keeps. They took two fifths of the time of a search in
// a small game.
const maxLogs = 1 << 14

// log returns the logarithm of n, which is 1 or more.
func (t *tree) log(n int32) float64 {
	if int(n) < len(t.logs) {
		return t.logs[n]
	}
	return t.newLog(n)
}

// newLog returns a logarithm that is not kept yet.
func (t *tree) newLog(n int32) float64 {
	if n >= maxLogs {
		return math.Log(float64(n))
	}
	for len(t.logs) <= int(n) {
		t.logs = append(t.logs, math.Log(float64(len(t.logs))))
	}
	return t.logs[n]
}

// evaluate asks the evaluator about the state, at which actor is to act among
// t.legal, and leaves the answer in t.priors and t.values.
func (t *tree) evaluate(actor engine.Player) {
	for len(t.priors) < len(t.legal) {
		t.priors = append(t.priors, 0)
	}
	values := t.config.Evaluator.Evaluate(t.viewOf(actor), actor, t.legal, t.priors[:len(t.legal)])
	t.values = append(t.values[:0], values...)
}

// judge leaves in t.values what each seat may expect from the state, at which
// actor is to act. n is its new node, none if the tree is full.
func (t *tree) judge(n int32, actor engine.Player) {
	switch {
	case t.config.Evaluator != nil && n != none:
		t.legal = t.state.Legal(t.legal[:0])
		t.addEdges(n) // evaluates, as the node has no edges yet
	case t.config.Evaluator != nil:
		t.legal = t.state.Legal(t.legal[:0])
		t.evaluate(actor)
	default:
		t.playOut(actor)
	}
}

// playOut plays on by the rollout policy and takes what each seat has gained.
func (t *tree) playOut(actor engine.Player) {
	for depth := 0; actor != engine.Terminal; depth++ {
		if t.config.RolloutDepth > 0 && depth == t.config.RolloutDepth {
			break
		}
		t.apply(t.rollout(actor))
		t.settle()
		actor = t.state.ToAct()
	}
	t.values = t.state.Returns(t.values[:0])
}

// rollout chooses a move of a rollout. Uniform play does not look at the view, so none
// is made for it.
func (t *tree) rollout(actor engine.Player) engine.Action {
	switch t.legal = t.state.Legal(t.legal[:0]); {
	case len(t.legal) == 1:
		return t.legal[0]
	case t.uniform:
		return t.legal[engine.Uint32N(t.rng, uint32(len(t.legal)))]
	}
	return t.config.Rollout.Choose(t.viewOf(actor), actor, t.legal, t.rng)
}

// backUp adds t.values to the edges of the path, each for the seat that acted.
func (t *tree) backUp() {
	for i, e := range t.path {
		x := &t.edges[e]
		x.visits++
		x.value += (float64(t.values[t.actors[i]]) - t.low) * t.scale
		x.mean = x.value / float64(x.visits)
	}
}

// best returns the action of the root visited most, of several the one with the
// higher value, and of those the smallest.
func (t *tree) best() engine.Action {
	best := t.nodes[0].edges
	for e := best; e != none; e = t.edges[e].next {
		x, y := &t.edges[e], &t.edges[best]
		if x.visits > y.visits || x.visits == y.visits && x.value > y.value {
			best = e
		}
	}
	return t.edges[best].action
}

func (t *tree) candidates(dst []Candidate) []Candidate {
	if len(t.nodes) == 0 {
		return dst
	}
	for e := t.nodes[0].edges; e != none; e = t.edges[e].next {
		x := &t.edges[e]
		if x.visits > 0 {
			dst = append(dst, Candidate{x.action, int(x.visits), t.low + x.value/float64(x.visits)/t.scale})
		}
	}
	return dst
}
