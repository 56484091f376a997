package insurgency

import "powderkeg/engine/flow"

// adminStep is a step of the Administration Phase (R15, A1 to A7).
type adminStep uint8

const (
	adminDomination adminStep = iota + 1
	adminIncome
	adminDesertion
	adminSleep
	adminReset
	adminNews
	adminDeal
)

var adminNames = []string{"", "A1", "A2", "A3", "A4", "A5", "A6", "A7"}

// administer carries out the next step of R15.
func (g *game) administer(p *Position, w *flow.Witness) bool {
	step := p.AdminDue
	p.AdminDue++
	switch step {
	case adminDomination:
		if w != nil {
			w.All("administration", "R6.1", flow.Arg("round", int(p.Round)))
			g.tellPoints(p, w, "R5.3", [numSeats]int{-1, -1})
		}
		g.checkDomination(p, w)
	case adminIncome:
		g.gain(p, w, "R15", federal, g.box.income[federal]*p.OnMap[federalBase])
		g.gain(p, w, "R15", rebel, g.box.income[rebel]*p.OnMap[rebelBase])
	case adminDesertion:
		for i := range SpaceID(numSpaces) {
			before := p.piecesAt(i)
			p.removeMilitia(i, p.militiaAt(i)/g.box.desertion, rebel)
			g.tellPieces(p, w, "R15", i, before)
		}
	case adminSleep:
		for i := range p.Spaces {
			p.Spaces[i].Sleepers += p.Spaces[i].Active
			p.Spaces[i].Active = 0
		}
		if w != nil {
			w.All("asleep", "R15")
		}
	case adminReset:
		g.resetRound(p, w)
	case adminNews:
		p.startNews(newsCycle, g.edge(p), 0, false)
	case adminDeal:
		g.dealRound(p, w)
	}
	return false
}

// resetRound implements R15 step 5: reserves, Social Media rights and the events of the
// round.
func (g *game) resetRound(p *Position, w *flow.Witness) {
	p.Reserves = [numSeats]uint8{}
	p.SocialUsed = [numSeats]bool{}
	if w != nil {
		w.All("reset", "R15")
	}
	for k := range numMomentum {
		if g.box.momentum[k].round {
			g.endMomentum(p, w, k)
		}
	}
}

// dealRound implements R15 step 7 and R5.4 (Endurance, Q2): hands by resources; if
// the deck cannot supply both, the game ends.
func (g *game) dealRound(p *Position, w *flow.Witness) {
	p.ToDeal = [numSeats]uint8{g.box.handSize[p.Resources[rebel]], g.box.handSize[p.Resources[federal]]}
	if p.deckSize() < int(p.ToDeal[rebel])+int(p.ToDeal[federal]) {
		p.ToDeal = [numSeats]uint8{}
		g.finish(p, w, "R5.4", g.leader(p), endurance, false)
		return
	}
	p.AdminDue = 0
	p.Round++
	p.Phase = dealing
	if w != nil {
		w.All("hands", "R15", flow.Arg("round", int(p.Round)), flow.Arg("rebel", int(p.ToDeal[rebel])), flow.Arg("federal", int(p.ToDeal[federal])))
	}
}

// owner returns who put an event into play.
func (p *Position) owner(key MomentumKey) Side { return Side(p.Owners >> key & 1) }

// startMomentum puts an event into play for a side (R8.7).
func (p *Position) startMomentum(key MomentumKey, owner Side) {
	p.Momentum |= 1 << key
	p.Owners = p.Owners&^(1<<key) | MomentumSet(owner)<<key
}

// endMomentum takes an event out of play; the Plague marker goes with its event.
func (g *game) endMomentum(p *Position, w *flow.Witness, key MomentumKey) {
	if w != nil && p.has(key) {
		w.All("momentum_ends", "R8.7", flow.Arg("key", momentumNames[key]))
	}
	before := g.power(p)
	p.Momentum &^= 1 << key
	p.Owners &^= 1 << key
	if key == Plague && p.Plague != noSpace {
		p.Spaces[p.Plague].Plague = false
		p.Plague = noSpace
	}
	g.tellPower(p, w, before)
}
