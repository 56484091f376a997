package insurgency

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
func (b Board) administer() bool {
	step := b.AdminDue
	b.AdminDue++
	switch step {
	case adminDomination:
		if b.w != nil {
			b.tell(administrationBegun, "R6.1", b.Round)
			b.tellPoints("R5.3", [numSeats]int{-1, -1})
		}
		b.checkDomination()
	case adminIncome:
		b.gain("R15", federal, b.box.income[federal]*b.OnMap[federalBase])
		b.gain("R15", rebel, b.box.income[rebel]*b.OnMap[rebelBase])
	case adminDesertion:
		for i := range SpaceID(numSpaces) {
			before := b.piecesAt(i)
			b.removeMilitia(i, b.militiaAt(i)/b.box.desertion, rebel)
			b.tellPieces("R15", i, before)
		}
	case adminSleep:
		for i := range b.Spaces {
			b.Spaces[i].Sleepers += b.Spaces[i].Active
			b.Spaces[i].Active = 0
		}
		b.tell(militiaAsleep, "R15")
	case adminReset:
		b.resetRound()
	case adminNews:
		b.startNews(newsCycle, b.edge(), 0, false)
	case adminDeal:
		b.dealRound()
	}
	return false
}

// resetRound implements R15 step 5: reserves, Social Media rights and the events of the
// round.
func (b Board) resetRound() {
	b.Reserves = [numSeats]uint8{}
	b.SocialUsed = [numSeats]bool{}
	b.tell(sidesReset, "R15")
	for k := range numMomentum {
		if b.box.momentum[k].round {
			b.endMomentum(k)
		}
	}
}

// dealRound implements R15 step 7 and R5.4 (Endurance, Q2): hands by resources; if
// the deck cannot supply both, the game ends.
func (b Board) dealRound() {
	b.ToDeal = [numSeats]uint8{b.box.handSize[b.Resources[rebel]], b.box.handSize[b.Resources[federal]]}
	if b.deckSize() < int(b.ToDeal[rebel])+int(b.ToDeal[federal]) {
		b.ToDeal = [numSeats]uint8{}
		b.finish("R5.4", b.leader(), endurance, false)
		return
	}
	b.AdminDue = 0
	b.Round++
	b.Phase = dealing
	b.tell(handsCounted, "R15", b.Round, b.ToDeal[rebel], b.ToDeal[federal])
}

// owner returns who put an event into play.
func (p *Position) owner(key MomentumKey) Side { return Side(p.Owners >> key & 1) }

// startMomentum puts an event into play for a side (R8.7).
func (p *Position) startMomentum(key MomentumKey, owner Side) {
	p.Momentum |= 1 << key
	p.Owners = p.Owners&^(1<<key) | MomentumSet(owner)<<key
}

// endMomentum takes an event out of play; the Plague marker goes with its event.
func (b Board) endMomentum(key MomentumKey) {
	if b.has(key) {
		b.tell(momentumEnded, "R8.7", key)
	}
	before := b.power()
	b.Momentum &^= 1 << key
	b.Owners &^= 1 << key
	if key == Plague && b.Plague != noSpace {
		b.Spaces[b.Plague].Plague = false
		b.Plague = noSpace
	}
	b.tellPower(before)
}
