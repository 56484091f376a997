package minuteman

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

func onesCount(x uint8) int { return bits.OnesCount8(x) }

// tied is no seat: a tie die is to be cast first (C21).
const tied = SeatID(0xFE)

// inOrder implements R28.2: the i-th active Rebel in the order of movement, noSeat
// when there is none. With one Rebel there is nothing to order.
func (g *game) inOrder(p *position, i uint8) SeatID {
	if g.seats == 2 {
		if i == 0 && g.active(p, 1) {
			return 1
		}
		return noSeat
	}
	for _, s := range p.order {
		if s == noSeat || !g.active(p, s) {
			continue
		}
		if i == 0 {
			return s
		}
		i--
	}
	return noSeat
}

// orderOfMovement implements R28.2 (C20): each active Rebel rolls, in seat order;
// those who are equal roll again among themselves.
func (g *game) orderOfMovement(p *position, w *flow.Witness) bool {
	if s := g.nextRoller(p); s != noSeat {
		p.seat = s
		return p.chance(askOrderDie)
	}
	n := 0
	for r := range uint8(maxSeats) {
		for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
			if p.rank[s] == r && n < len(p.order) {
				p.order[n] = s
				n++
			}
		}
	}
	p.rank, p.roll = [maxSeats]uint8{}, [maxSeats]uint8{}
	if w != nil && n > 0 {
		seats := make([]int, n)
		for i := range seats {
			seats[i] = int(p.order[i])
		}
		w.All("order", "R28.2", flow.Arg("seats", seats))
	}
	if n == 0 {
		return g.enter(p, w, phaseA4)
	}
	return false
}

// nextRoller returns the next Rebel who must roll, noSeat if the order is clear.
// When all who are equal have rolled it ranks them.
func (g *game) nextRoller(p *position) SeatID {
	for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
		if p.roll[s] == 0 && g.equals(p, s) > 0 {
			return s
		}
	}
	rank, again := p.rank, false
	for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
		for o := g.nextRebel(p, 0); o != noSeat; o = g.nextRebel(p, o+1) {
			if p.rank[o] == p.rank[s] && p.roll[o] > p.roll[s] {
				rank[s]++
				again = true
			}
			if o != s && p.rank[o] == p.rank[s] && p.roll[o] == p.roll[s] {
				again = true
			}
		}
	}
	p.rank, p.roll = rank, [maxSeats]uint8{}
	if !again {
		return noSeat
	}
	return g.nextRoller(p)
}

// orderDie implements C20.
func (g *game) orderDie(p *position, _ *flow.Witness, die int) { p.roll[p.seat] = uint8(die) }

// tieWeight and lotFalls implement C21.
func tieWeight(_ *game, p *position, seat int) uint32 { return uint32(p.ties >> seat & 1) }

func (g *game) lotFalls(p *position, _ *flow.Witness, seat int) { p.lot = SeatID(seat) }

// equals returns how many other Rebels share a seat's rank.
func (g *game) equals(p *position, seat SeatID) int {
	n := 0
	for o := g.nextRebel(p, 0); o != noSeat; o = g.nextRebel(p, o+1) {
		if o != seat && p.rank[o] == p.rank[seat] {
			n++
		}
	}
	return n
}

// riotSeat implements R28.2: who decides in a Riot step. The owner of the Network;
// without one the Rebel with the nearest unit, by lot among equals (C21).
func (g *game) riotSeat(p *position, h HexID, net UnitID) SeatID {
	if g.seats == 2 {
		return 1
	}
	if net != noUnit {
		return g.owner(p, net)
	}
	if p.lot != noSeat {
		s := p.lot
		p.lot, p.ties = noSeat, 0
		return s
	}
	best := numHexes
	for u := p.onMap.next(0); u < agtFirst; u = p.onMap.next(u + 1) {
		if !g.isRebel(p, u) {
			continue
		}
		d := g.distance(p.units[u].hex, h)
		if d < best {
			best, p.ties = d, 0
		}
		if d == best {
			p.ties |= 1 << g.owner(p, u)
		}
	}
	if p.ties&(p.ties-1) != 0 {
		return tied
	}
	s := noSeat
	if p.ties != 0 {
		s = SeatID(bits.TrailingZeros8(uint8(p.ties)))
	}
	p.ties = 0
	return s
}

// setUpEvents implements R28.1 (C12): two chits for each starting unit, the Rebels
// in turn.
// one unit each in turn.
func (g *game) setUpEvents(p *position, s *setUpStep) bool {
	if int(p.count) == s.n {
		return p.nextSetUp()
	}
	p.seat = 1 + SeatID(p.count)%SeatID(g.seats-1)
	return p.chance(askChit)
}

// setUpEvent reads a chit of R28.1: the first, then the second, which places the
// unit or has both drawn again.
func (g *game) setUpEvent(p *position, w *flow.Witness, n int) {
	if !p.secondChit {
		p.firstChit, p.secondChit = uint8(n), true
		return
	}
	h := g.events[n][p.firstChit]
	p.firstChit, p.secondChit = 0, false
	k := g.plan[p.step].unit
	if h == noHex || g.roomFor(p, k, false, h) == 0 || g.dispersed && g.regions[g.hexes[h].city] != p.seat {
		return
	}
	g.add(p, w, "R28.1", k, p.seat, h)
	p.count++
}

// Federalization and joint attacks.

// attackerSeat returns who adds attackers next (D42): the seat that declared, then
// its partners (R28.3, R28.6, R28.7), noSeat when all have been asked.
func (g *game) attackerSeat(p *position) SeatID {
	c := &p.combat
	if c.partner == 0 {
		return c.seat
	}
	i := c.partner
	for s := range SeatID(g.seats) {
		if s == c.seat || !g.partners(p, s) {
			continue
		}
		if i--; i == 0 {
			return s
		}
	}
	return noSeat
}

// partners implements R28.3, R28.6 and R28.7: whether a seat may add units to the attack
// under way. After the Revolution every attack may be joined, Sedition too (Ruling 52).
// Ruling 40: against a federalized Rebel before the Revolution too.
func (g *game) partners(p *position, s SeatID) bool {
	c := &p.combat
	if g.seats == 2 || s == c.victim || s == p.gov || p.gone.has(s) {
		return false
	}
	if c.seat == p.gov {
		return s == p.pact || s == p.fed
	}
	if !g.active(p, s) || !g.active(p, c.seat) {
		return false
	}
	return p.team(c.victim) == 0 && (p.revTurn > 0 || c.victim == p.fed)
}

// federalizeBy implements R28.6: with the first unit that he adds to an attack of
// the Government a Rebel with a pact is federalized.
func (g *game) federalizeBy(p *position, w *flow.Witness, u UnitID) {
	if s := g.owner(p, u); p.combat.seat == p.gov && s == p.pact {
		if p.fed, p.fedTurn, p.pact = s, p.turn, noSeat; w != nil {
			w.All("federalized", "R28.6", seatArg(s))
		}
	}
}

func (g *game) fedBit(p *position) SeatSet {
	if p.fed == noSeat {
		return 0
	}
	return 1 << p.fed
}

// serving tells whether the federalized Rebel plays in the Government's phases: from
// the Game-Turn after his first attack on (R28.6).
// from the Game-Turn after.
func (p *position) serving() bool { return p.fed != noSeat && p.turn > p.fedTurn }

// negotiationPhase implements R28.5 and R28.6 (phase N): what was said in the last one is
// forgotten; one proposal each in seat order; then the federalized Rebel may leave.
func (g *game) negotiationPhase(p *position, w *flow.Witness) bool {
	if g.seats == 2 {
		g.endTurn(p, w)
		return false
	}
	if p.seat == 0 && p.count == 0 {
		p.count, p.pact = 1, noSeat // a pact not used lapses
		p.truces, p.named = 0, [maxSeats]SeatID{noSeat, noSeat, noSeat, noSeat}
	}
	for ; p.seat != noSeat; g.nextProposer(p) {
		if !p.gone.has(p.seat) && p.part == 0 && g.proposals(p, p.seat) {
			return p.decide(askNegotiate, p.seat)
		}
		if p.part > 0 {
			return p.decide(askNegotiate, p.seat)
		}
	}
	if p.fed != noSeat && p.count == 1 && int(p.turn) < g.sc.Turns {
		return p.decide(askUnfederalize, p.fed)
	}
	p.order, p.seat = [3]SeatID{noSeat, noSeat, noSeat}, noSeat
	g.endTurn(p, w)
	return false
}

// nextProposer goes on to the next seat, noSeat after the last one.
func (g *game) nextProposer(p *position) {
	if p.seat++; int(p.seat) >= g.seats {
		p.seat = noSeat
	}
}

// pairOf numbers the pairs of different seats: 0-1, 0-2, 0-3, 1-2, 1-3, 2-3.
func pairOf(a, b SeatID) uint8 {
	if a > b {
		a, b = b, a
	}
	return [maxSeats]uint8{0, 2, 3}[a] + uint8(b) - 1
}

// receivers is the bit set of seats that a proposal of the kind can go to (R28.5).
func (g *game) receivers(p *position, seat SeatID, kind int) SeatSet {
	var set SeatSet
	for s := range SeatID(g.seats) {
		if s == seat || p.gone.has(s) {
			continue
		}
		fedTalk := (seat == p.fed) != (s == p.fed) && seat != p.gov && s != p.gov
		ok := !fedTalk
		switch kind {
		case actTarget:
			ok = ok && s != p.gov
		case actJointRevolution:
			ok = ok && g.sc.Revolution && p.revTurn == 0 && g.active(p, seat) && g.active(p, s) && (!p.original || int(p.turn) <= g.sc.Deadline)
		case actFederalize:
			ok = ok && g.seats == 4 && p.fed == noSeat && p.pact == noSeat && (s == p.gov || seat == p.gov)
		}
		if ok {
			set |= 1 << s
		}
	}
	return set
}

// proposals tells whether a seat can propose anything.
func (g *game) proposals(p *position, seat SeatID) bool {
	for kind := actTruce; kind <= actFederalize; kind++ {
		if g.receivers(p, seat, kind) != 0 {
			return true
		}
	}
	return false
}

// offerProposal offers D81: what to propose, then to whom.
func (g *game) offerProposal(p *position) {
	if p.part > 0 {
		set := g.receivers(p, SeatID(p.Actor), int(p.propose.kind))
		for s := range g.seats {
			p.allowIf(set>>s&1 != 0, actPlayer+s)
		}
		return
	}
	for kind := actTruce; kind <= actFederalize; kind++ {
		p.allowIf(g.receivers(p, SeatID(p.Actor), kind) != 0, kind)
	}
	p.allow(actDone)
}

func (g *game) choosePropose(p *position, w *flow.Witness, a engine.Action) {
	switch {
	case a == actDone:
		g.nextProposer(p)
		p.propose = propose{}
	case p.part == 0:
		p.propose.kind, p.part = uint8(a), 1
	case p.propose.kind == actTarget:
		if p.named[p.seat] = SeatID(a - actPlayer); w != nil {
			w.All("target", "R28.5", seatArg(p.seat), flow.Arg("target_seat", int(a-actPlayer)))
		}
		g.nextProposer(p)
		p.part, p.propose = 0, propose{}
	default:
		p.propose.to, p.propose.sent, p.part = SeatID(a-actPlayer), true, 0
	}
}

func offerAnswer(_ *game, p *position) {
	p.allow(actAccept)
	p.allow(actReject)
}

// chooseAnswer implements D82, to a declaration that asks for consent or to a proposal.
func (g *game) chooseAnswer(p *position, w *flow.Witness, a engine.Action) {
	switch {
	case p.rising.stage != risingAsk:
		g.answer(p, w, a == actAccept)
	case a == actAccept:
		g.rise(p, w, p.rising.seat)
	default:
		p.rising.answers = g.nextAsked(p, p.rising.seat, p.rising.answers+1)
	}
}

func offerUnfederalize(_ *game, p *position) {
	p.allow(actUnfederalize)
	p.allow(actDone)
}

func (g *game) chooseUnfederalize(p *position, w *flow.Witness, a engine.Action) {
	if p.count = 2; a == actDone {
		return
	}
	if w != nil {
		w.All("unfederalized", "R28.6", seatArg(p.fed))
	}
	p.fed, p.fedTurn = noSeat, 0
}

// answer implements R28.5 to R28.7 (D82) after a proposal of p.seat.
func (g *game) answer(p *position, w *flow.Witness, accepted bool) {
	pr := p.propose
	p.propose = propose{}
	from := p.seat
	g.nextProposer(p)
	if !accepted {
		if w != nil {
			w.All("refused", "R28.5", seatArg(from), flow.Arg("proposal", g.actions[pr.kind]))
		}
		return
	}
	switch int(pr.kind) {
	case actTruce:
		if p.truces |= 1 << pairOf(from, pr.to); w != nil {
			w.All("truce", "R28.5", flow.Arg("seats", []int{int(from), int(pr.to)}))
		}
	case actJointRevolution:
		g.rise(p, w, from)
	case actFederalize:
		p.pact = pr.to
		if pr.to == p.gov {
			p.pact = from
		}
		if w != nil {
			w.All("pact", "R28.6", seatArg(p.pact))
		}
	}
}
