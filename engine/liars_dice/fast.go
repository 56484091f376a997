package liarsdice

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// The shell of package flow plays any game by its table. In a game as short as this one, finding
// the row takes longer than what it does. The methods of State below do the same without the
// table, and leave to the shell what is rare: a listener, a refusal, and the checks under the
// build tag invariants. TestFastFormsAreThoseOfTheShell plays both.

// shell reports whether the shell has to act.
func (s *State) shell() bool { return s.W != nil || flow.Invariants }

// Legal implements engine.State, R2.2 and R2.3.
func (s *State) Legal(dst []engine.Action) []engine.Action {
	p, g := &s.P, s.G
	switch {
	case p.Ask != askBid:
		return dst
	case p.Made == 0: // there is nothing to call
		return append(dst, g.actions[:g.liar]...)
	}
	return append(dst, g.actions[p.last()+1:]...)
}

// Mask implements engine.Masker.
func (s *State) Mask(dst []uint8) { flow.Set(s.P.Words[:]).Mask(dst) }

// Apply implements engine.State.
func (s *State) Apply(a engine.Action) error {
	p, g := &s.P, s.G
	if s.shell() || p.Ask != askBid || !flow.Set(p.Words[:]).Has(a) {
		return s.State.Apply(a)
	}
	if a == g.liar {
		p.Called = true
		p.Put(askNothing, engine.Terminal)
		return nil
	}
	p.Bids[p.Made] = Bid(a)
	p.Made++
	p.Words = g.legal[a+1]
	if p.Actor++; int(p.Actor) == g.seats {
		p.Actor = 0
	}
	return nil
}

// Draw implements engine.Drawer: a die is rolled (R1.1).
func (s *State) Draw(rng *rand.PCG, room []engine.Outcome) (engine.Action, []engine.Outcome) {
	if s.shell() {
		return s.State.Draw(rng, room)
	}
	p, g := &s.P, s.G
	face := engine.Action(engine.Uint32N(rng, uint32(g.faces)))
	p.Dice[g.roller(p)][face]++
	if p.Rolled++; p.Rolled == g.total {
		p.Words = g.legal[0]
		p.Put(askBid, g.bidder(0))
	}
	return face, room
}
