package bloc

import (
	"slices"

	"powderkeg/engine"
)

// moment is a place in the course of a Sunrise where a faction may be asked in secret: what
// a player sees from there on until something happens that the player gets to know of.
// The pieces do not change meanwhile, so that these numbers of pending are enough. The
// zero value is none.
//
// a player sees the first place where, for all that is public, another's faction might be
// asked, rather than the first where one is: that would tell who holds a card. D12 and
// D15 need no moment, since only the active faction can be asked there.
type moment struct {
	step    stage              `pos:"step" word:"moment"` // askDoors, askMasks, rescue or askSound; 0 for none
	scan    uint8              `pos:"scan" max:"small"`
	order   uint8              `pos:"order" max:"small"`
	last    uint8              `pos:"last" max:"small"`
	lostTo  force              `pos:"keep" max:"1"`
	decider uint8              `pos:"decider" word:"faction"`
	lost    [numFactions]uint8 `pos:"lost" count:"faction" max:"blocs"`
}

// mayBeAsked implements R15.1: faction f is at a place where it is asked if it holds a
// certain card. Hands are hidden, their sizes public. Players who see no earlier moment
// see this one while others are asked.
func (g *game) mayBeAsked(p *position, f uint8) {
	if p.handSize[f] == 0 {
		return
	}
	owner, n := g.owner(p, f), &p.now
	for v := range g.players {
		if v != owner && p.shown[v].step == 0 {
			p.shown[v] = moment{p.step, n.scan, n.order, n.last, n.lostTo, n.decider, n.lost}
		}
	}
}

// seenBy ends what players see while others are asked: that a card was played is public,
// that none was is known to the player alone who was asked.
func (p *position) seenBy(answer engine.Action) {
	if answer == actDone {
		p.shown[p.Actor] = moment{}
	} else {
		p.seenByAll()
	}
}

// seenByAll notes that something public has happened.
func (p *position) seenByAll() { p.shown = [maxPlayers]moment{} }

// back puts the course of the game back to a moment; the pieces stand as they did.
func (p *position) back(m *moment) {
	p.step, p.now = m.step, clearPending
	n := &p.now
	n.cell, n.scan, n.order, n.last, n.lostTo, n.decider, n.lost = p.byID[m.scan], m.scan, m.order, m.last, m.lostTo, m.decider, m.lost
}

// forgetQuestion makes the view of a player who does not know of the question: the
// situation as it was, and nobody asked.
func (p *position) forgetQuestion(me uint8) {
	if m := p.shown[me]; m.step != 0 {
		p.back(&m)
	}
	p.rest(engine.Nobody)
	p.Ask = over
}

// momentSteps are the steps in which a moment can be.
var momentSteps = []stage{askDoors, askMasks, rescue, askSound}

// checkShown demands that what players see while others are asked is a situation that
// the game can be in.
func (g *game) checkShown(p *position, how engine.Strictness) error {
	for v := range p.shown {
		m := p.shown[v]
		if m == (moment{}) {
			continue
		}
		if !slices.Contains(momentSteps, p.step) {
			return g.demand(false, "shown: nobody is asked in secret in step %s (R15.1)", stages[p.step].name)
		}
		if m.scan >= p.districts.count() {
			return g.demand(false, "shown: there is no district %d (R9.2)", m.scan)
		}
		q := *p
		q.shown = [maxPlayers]moment{}
		q.back(&m)
		if err := g.checkPending(&q, how); err != nil {
			return g.demand(false, "shown: %w", err)
		}
	}
	return nil
}
