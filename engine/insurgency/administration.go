package insurgency

// adminStep is a step of the Administration Phase (R15, A1 to A7).
type adminStep uint8

const (
	adminDomination adminStep = iota
	adminIncome
	adminDesertion
	adminSleep
	adminReset
	adminNews
	adminDeal
)

var adminNames = []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7"}

// administer carries out the next step of R15.
func (g *game) administer(p *position) bool {
	step := p.adminDue
	p.adminDue++
	switch step {
	case adminDomination:
		g.checkDomination(p)
	case adminIncome:
		p.gain(federal, g.box.income[federal]*p.onMap[federalBase])
		p.gain(rebel, g.box.income[rebel]*p.onMap[rebelBase])
	case adminDesertion:
		for i := range uint8(numSpaces) {
			p.removeMilitia(i, p.militiaAt(i)/g.box.desertion, rebel)
		}
	case adminSleep:
		for i := range p.active {
			p.sleepers[i] += p.active[i]
			p.active[i] = 0
		}
	case adminReset:
		p.reserves = [numSeats]uint8{}
		p.smUsed = [numSeats]bool{}
		for k := range numMomentum {
			if g.box.momentum[k].round {
				p.endMomentum(k)
			}
		}
	case adminNews:
		p.startNews(newsCycle, g.edge(p), 0, false)
	case adminDeal:
		g.dealRound(p)
	}
	return false
}

// dealRound implements R15 step 7 and R5.4 (Endurance, Q2): hands by resources; if
// the deck cannot supply both, the game ends.
func (g *game) dealRound(p *position) {
	p.toDeal = [numSeats]uint8{g.box.handSize[p.resources[rebel]], g.box.handSize[p.resources[federal]]}
	if p.deckSize() < int(p.toDeal[rebel])+int(p.toDeal[federal]) {
		p.toDeal = [numSeats]uint8{}
		p.finish(g.leader(p), endurance, false)
		return
	}
	p.adminDue = 0
	p.round++
	p.phase = dealing
}

// startMomentum puts an event into play for a side (R8.7).
func (p *position) startMomentum(key momentumKey, owner uint8) {
	p.momentum |= 1 << key
	p.owners = p.owners&^(1<<key) | uint32(owner)<<key
}

// endMomentum takes an event out of play; the Plague marker goes with its event.
func (p *position) endMomentum(key momentumKey) {
	p.momentum &^= 1 << key
	p.owners &^= 1 << key
	if key == plague {
		p.plague = noSpace
	}
}
