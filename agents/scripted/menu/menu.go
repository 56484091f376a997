// Package menu is what a scripted planner shows of its own mind: the candidates that it
// weighs for the decision at hand, so that another judge may choose among them (package
// agents/planner) where the player itself would take the best by its own reckoning.
package menu

import (
	"math"

	"powderkeg/engine"
)

// Player is a scripted player that shows its candidates.
type Player interface {
	// Features names the numbers of a candidate, in their order, the same in every game of
	// a family.
	Features() []string
	// Menu fills m with the candidates of the decision at hand, of which the first is what the
	// player itself would do. It reads what Choose reads.
	Menu(m *Menu, view engine.View, seat engine.Player, legal []engine.Action)
}

// Menu is the candidates of a decision. Several may begin with the same action. It belongs to
// one goroutine and keeps its memory from decision to decision.
type Menu struct {
	// Actions has the action by which each candidate is begun or gone on with.
	Actions []engine.Action
	// Worth has what the player makes of each, in nats: 0 for the first, which it would
	// take itself, and no more for any other.
	Worth []float32
	// Features has the numbers of each candidate, those of the first before those of the
	// second.
	Features []float32
}

// Reset empties the menu.
func (m *Menu) Reset() {
	m.Actions, m.Worth, m.Features = m.Actions[:0], m.Worth[:0], m.Features[:0]
}

// Only makes an action, which there is nothing to say about, the only candidate.
func (m *Menu) Only(a engine.Action) {
	m.Reset()
	m.Actions, m.Worth = append(m.Actions, a), append(m.Worth, 0)
}

// Add appends a candidate and returns its numbers, so many zeros to be filled in. A worth that
// is no number is that of the least.
func (m *Menu) Add(a engine.Action, worth float64, width int) []float32 {
	if !(worth > Least) {
		worth = Least
	}
	m.Actions, m.Worth = append(m.Actions, a), append(m.Worth, float32(min(worth, 0)))
	n := len(m.Features)
	for range width {
		m.Features = append(m.Features, 0)
	}
	return m.Features[n:]
}

// Least is the worth of a candidate that the player would all but never take.
const Least = -12

// Log returns the logarithm of a worth above 0 that is fit for a feature.
func Log(x float64) float32 {
	return float32(math.Log(max(x, 1e-3)))
}
