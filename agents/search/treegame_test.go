package search_test

import (
	"fmt"

	"powderkeg/engine"
)

// branch is a situation of a game that is written out as a tree.
type branch struct {
	actor   engine.Player // engine.Terminal at a leaf
	weights []uint32      // of the children, at a chance node
	gains   []float32     // what each seat has gained so far
	next    []*branch
}

// leaf ends the game.
func leaf(gains ...float32) *branch { return &branch{actor: engine.Terminal, gains: gains} }

// treeGame is a game of perfect information that is written out as a tree.
type treeGame struct {
	spec engine.Spec
	root *branch
}

func newTreeGame(seats int, low, high float32, root *branch) *treeGame {
	g := &treeGame{root: root, spec: engine.Spec{Name: "tree", Title: "Tree", Text: "tree", Seats: seats, MinReturn: low, MaxReturn: high, Payoff: engine.GeneralSum, MaxDecisions: 100, MaxMoves: 100}}
	for i := range 10 {
		g.spec.Actions = append(g.spec.Actions, fmt.Sprint("move_", i))
		g.spec.Outcomes = append(g.spec.Outcomes, fmt.Sprint("luck_", i))
	}
	return g
}

func (g *treeGame) Spec() *engine.Spec { return &g.spec }
func (g *treeGame) New() engine.State  { return &treeState{game: g, at: g.root} }
func (g *treeGame) Load([]byte, engine.Strictness) (engine.State, error) {
	return nil, engine.ErrPosition
}

type treeState struct {
	game *treeGame
	at   *branch
	path uint64 // moves made, one digit each
}

func (s *treeState) ToAct() engine.Player { return s.at.actor }
func (s *treeState) Legal(dst []engine.Action) []engine.Action {
	if s.at.actor >= 0 {
		for i := range s.at.next {
			dst = append(dst, engine.Action(i))
		}
	}
	return dst
}
func (s *treeState) Outcomes(dst []engine.Outcome) []engine.Outcome {
	if s.at.actor == engine.Chance {
		for i, w := range s.at.weights {
			dst = append(dst, engine.Outcome{Action: engine.Action(i), Weight: w})
		}
	}
	return dst
}
func (s *treeState) Apply(a engine.Action) error {
	if int(a) >= len(s.at.next) {
		return engine.ErrIllegal
	}
	s.at, s.path = s.at.next[a], 10*s.path+uint64(a)+1
	return nil
}
func (s *treeState) Returns(dst []float32) []float32 {
	if s.at.gains == nil {
		return append(dst, make([]float32, s.game.spec.Seats)...)
	}
	return append(dst, s.at.gains...)
}
func (s *treeState) CopyFrom(src engine.State)    { *s = *src.(*treeState) }
func (s *treeState) Hash() uint64                 { return uint64(engine.NewHash().Word(s.path)) }
func (s *treeState) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }
