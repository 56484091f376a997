package search_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"powderkeg/agents/search"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

// plainTree is the search as the package comment describes it: a map of nodes, each with a
// sorted list of edges, and nothing kept that can be worked out.
type plainTree struct {
	game   engine.Game
	config search.Config
	rng    rand.PCG
	root   engine.View
	seat   engine.Player
	nodes  map[plainKey]*plainNode
}

type plainKey struct {
	parent *plainNode
	actor  engine.Player
	view   uint64
}

type plainNode struct {
	actor engine.Player
	edges []*plainEdge
}

type plainEdge struct {
	action            engine.Action
	visits, available int
	value             float64
	prior             float32
}

func (t *plainTree) apply(s engine.State, a engine.Action) {
	if err := s.Apply(a); err != nil {
		panic(err)
	}
	for s.ToAct() == engine.Chance {
		if err := s.Apply(engine.Sample(s.(engine.Stochastic).Outcomes(nil), &t.rng)); err != nil {
			panic(err)
		}
	}
}

// offer returns the edges of the legal actions, and what an evaluator says if it was asked.
func (n *plainNode) offer(t *plainTree, s engine.State) (list []*plainEdge, values []float32) {
	legal := s.Legal(nil)
	priors := make([]float32, len(legal))
	for i, a := range legal {
		at, ok := slices.BinarySearchFunc(n.edges, a, func(e *plainEdge, a engine.Action) int { return cmp.Compare(e.action, a) })
		if !ok {
			if t.config.Evaluator != nil && values == nil {
				values = slices.Clone(t.config.Evaluator.Evaluate(engine.Look(s, n.actor), n.actor, legal, priors))
			}
			n.edges = slices.Insert(n.edges, at, &plainEdge{action: a, prior: priors[i]})
		}
		list = append(list, n.edges[at])
	}
	return list, values
}

func (t *plainTree) choose(list []*plainEdge) *plainEdge {
	var untried []*plainEdge
	visits := 0
	for _, e := range list {
		e.available++
		if visits += e.visits; e.visits == 0 {
			untried = append(untried, e)
		}
	}
	if len(untried) > 0 && t.config.Evaluator == nil {
		return untried[engine.Uint32N(&t.rng, uint32(len(untried)))]
	}
	score := func(e *plainEdge) float64 {
		mean := 0.5
		if e.visits > 0 {
			mean = e.value / float64(e.visits)
		}
		if t.config.Evaluator != nil {
			return mean + t.config.Exploration*float64(e.prior)*math.Sqrt(float64(visits)+1)/float64(1+e.visits)
		}
		return mean + t.config.Exploration*math.Sqrt(math.Log(float64(e.available))/float64(e.visits))
	}
	return slices.MaxFunc(list, func(a, b *plainEdge) int { return cmp.Compare(score(a), score(b)) })
}

func (t *plainTree) simulate(root *plainNode) {
	s := t.game.New()
	if h, ok := s.(engine.Hidden); ok {
		h.Redeal(t.root, &t.rng)
	} else {
		s.CopyFrom(t.root.(engine.State))
	}
	spec := t.game.Spec()
	var values []float32
	var path []*plainEdge
	var actors []engine.Player
	for n := root; ; {
		list, _ := n.offer(t, s)
		e := t.choose(list)
		path, actors = append(path, e), append(actors, n.actor)
		t.apply(s, e.action)
		if s.ToAct() == engine.Terminal {
			values = s.Returns(nil)
			break
		}
		key := plainKey{n, s.ToAct(), engine.Look(s, t.seat).Hash()}
		next, ok := t.nodes[key]
		if !ok {
			next = &plainNode{actor: s.ToAct()}
			t.nodes[key] = next
			if t.config.Evaluator != nil {
				_, values = next.offer(t, s)
				break
			}
			for s.ToAct() != engine.Terminal {
				legal := s.Legal(nil)
				a := legal[0]
				if len(legal) > 1 {
					a = legal[engine.Uint32N(&t.rng, uint32(len(legal)))]
				}
				t.apply(s, a)
			}
			values = s.Returns(nil)
			break
		}
		n = next
	}
	for i, e := range path {
		e.visits++
		e.value += (float64(values[actors[i]]) - float64(spec.MinReturn)) * (1 / (float64(spec.MaxReturn) - float64(spec.MinReturn)))
	}
}

// leaning is an evaluator that says much the same of every situation.
type leaning struct{ seats int }

func (l leaning) Evaluate(view engine.View, seat engine.Player, legal []engine.Action, priors []float32) []float32 {
	sum := float32(0)
	for i, a := range legal {
		priors[i] = float32(1 + a%3)
		sum += priors[i]
	}
	for i := range priors {
		priors[i] /= sum
	}
	values := make([]float32, l.seats)
	values[seat] = float32(view.Hash()%8) / 8
	return values
}

// TestAgreesWithThePlainTree compares searches to the bit along games: where everything is
// known, with chance, with hidden information and with questions asked in secret. The longest
// fill an index several times over.
func TestAgreesWithThePlainTree(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "tictactoe", "connect4", "liars_dice", "goofspiel", "jogu", "domination(turns=2)"} {
		for _, guided := range []bool{false, true} {
			g := enginetest.Game(t, name)
			config := sims(2500)
			if name == "jogu" || name == "domination(turns=2)" || enginetest.Race {
				config.Simulations = 60
			}
			if guided {
				config.Evaluator = leaning{g.Spec().Seats}
			}
			fast, luck := agent(t, g, config), rand.NewPCG(1, 2)
			s := g.New()
			for decisions := 0; decisions < 6 && s.ToAct() != engine.Terminal; {
				if moves := engine.Moves(s); s.ToAct() == engine.Chance || len(moves) == 1 {
					if err := s.Apply(moves[engine.Uint32N(luck, uint32(len(moves)))]); err != nil {
						t.Fatal(err)
					}
					continue
				}
				decisions++
				seat := s.ToAct()
				view := engine.Look(s, seat)
				fast.Start(seat, uint64(decisions))
				move, err := fast.Act(context.Background(), view, s.Legal(nil))
				if err != nil {
					t.Fatal(err)
				}
				slow := plainTree{game: g, config: config, root: view, seat: seat, nodes: map[plainKey]*plainNode{}}
				fast.Seed(&slow.rng, uint64(decisions))
				root := &plainNode{actor: seat}
				for range config.Simulations {
					slow.simulate(root)
				}
				var want []search.Candidate
				spec := g.Spec()
				for _, e := range root.edges {
					if e.visits > 0 {
						scale := 1 / (float64(spec.MaxReturn) - float64(spec.MinReturn))
						want = append(want, search.Candidate{Action: e.action, Visits: e.visits,
							Value: float64(spec.MinReturn) + e.value/float64(e.visits)/scale})
					}
				}
				if got := fast.Candidates(nil); !slices.Equal(got, want) || *fast.Memory() != slow.rng {
					t.Fatalf("%s, guided %t, decision %d: the search found\n%v, the plain one\n%v", name, guided, decisions, got, want)
				}
				if err := s.Apply(move); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
