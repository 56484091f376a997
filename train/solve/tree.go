package solve

import (
	"math"

	"powderkeg/engine"
)

// InfoState is what a seat knows at one of its decisions, as one of the states
// that it cannot tell apart.
type InfoState struct {
	Seat engine.Player
	// Key is what engine.Recaller calls the state.
	Key string
	// Legal holds the legal actions in ascending order.
	Legal []engine.Action
	// View is what the seat sees, ready for an encoder or an agent.
	View engine.View
}

// Tree is the whole tree of a game. It is immutable and safe for concurrent use,
// as far as the game's states are safe to read concurrently.
//
// A seat is taken to remember its own decisions: states with equal keys that
// follow different decisions of the seat are different information states. For
// keys with perfect recall this changes nothing; keys that forget (that of
// tic-tac-toe is the board, however it came about) get the recall that sequence
// form needs. Forgets tells which they are.
type Tree struct {
	game  engine.Game
	sides []side // of each seat

	// The nodes in preorder. Node n has the children edges[at[n]:at[n+1]].
	at    []int32
	edges []int32
	actor []engine.Player
	// info is at a decision the number of the actor's information state, at an end
	// that of the end among the ends, and at a chance node the place of its first
	// outcome in lots.
	info []int32
	// lots holds the probability of each outcome of each chance node.
	lots []float64
	// chance is at each end the product of the probabilities of the chance events
	// before.
	chance []float64

	decisions, chances int
}

// side is one seat's part of the tree: its information states, numbered such that
// those reached first by a seat come first, and its sequences. Sequence 0 is the
// empty one, in which the seat has not yet decided.
type side struct {
	states []InfoState
	// parent is the sequence that leads to an information state.
	parent []int32
	// first is the sequence of an information state's first action; those of its
	// others follow. The last entry is the number of sequences.
	first []int32
	// last is the last sequence of the seat at each end of the game, returns what it
	// gets there.
	last    []int32
	returns []float32
	// forgets is set if two information states share a key.
	forgets bool
}

// Counts are the sizes of a tree.
type Counts struct {
	Chance     int `json:"chance"`
	Decisions  int `json:"decisions"`
	Terminals  int `json:"terminals"`
	InfoStates int `json:"information_states"`
}

// Game returns the game whose tree it is.
func (t *Tree) Game() engine.Game { return t.game }

// Seats returns the number of seats.
func (t *Tree) Seats() int { return len(t.sides) }

// Nodes returns the number of nodes of all kinds.
func (t *Tree) Nodes() int { return len(t.actor) }

// Counts returns the number of nodes of each kind and of information states.
func (t *Tree) Counts() Counts {
	c := Counts{Chance: t.chances, Decisions: t.decisions, Terminals: len(t.chance)}
	for i := range t.sides {
		c.InfoStates += len(t.sides[i].states)
	}
	return c
}

// Sum returns what the returns of all seats add up to where that is the same at every end of the tree,
// within what single precision rounds, and false where it is not.
func (t *Tree) Sum() (float64, bool) {
	const rounded = 1e-5
	var sum float64
	for end := range t.chance {
		all := 0.0
		for i := range t.sides {
			all += float64(t.sides[i].returns[end])
		}
		if end == 0 {
			sum = all
		} else if math.Abs(all-sum) > rounded {
			return 0, false
		}
	}
	return sum, true
}

// InfoStates returns the information states of a seat. The order is that of their
// first appearance in the tree and the same in every run. The caller must not
// change them.
func (t *Tree) InfoStates(seat engine.Player) []InfoState { return t.sides[seat].states }

// Forgets reports whether information states of a seat share keys, so that a policy
// cannot be written down by key.
func (t *Tree) Forgets() bool {
	for i := range t.sides {
		if t.sides[i].forgets {
			return true
		}
	}
	return false
}

// sequences returns the number of sequences of the seat, the empty one included.
func (s *side) sequences() int { return int(s.first[len(s.states)]) }

// children returns the nodes that follow node n, in the order of its moves.
func (t *Tree) children(n int32) []int32 { return t.edges[t.at[n]:t.at[n+1]] }
