package minuteman

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

func onesCount(x uint8) int { return bits.OnesCount8(x) }

// tied is no seat: a tie die is to be cast first (C21).
const tied = SeatID(0xFE)

// inOrder implements R28.2: the first active Rebel in the order of movement from place i
// on and his place, noSeat when there is none. A seat keeps its place when one before it
// falls out (R28.8). With one Rebel there is nothing to order.
func (g *game) inOrder(p *Position, i uint8) (SeatID, uint8) {
	order := p.Order[:]
	if g.Seats == 2 {
		order = []SeatID{1}
	}
	for ; int(i) < len(order); i++ {
		if s := order[i]; s != noSeat && g.active(p, s) {
			return s, i
		}
	}
	return noSeat, i
}

// orderOfMovement implements R28.2 (C20): each active Rebel rolls, in seat order;
// those who are equal roll again among themselves.
func (g *game) orderOfMovement(p *Position, w *flow.Witness) bool {
	if s := g.nextRoller(p); s != noSeat {
		p.Seat = s
		return p.chance(askOrderDie)
	}
	n := 0
	for r := range uint8(maxSeats) {
		for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
			if p.Rank[s] == r && n < len(p.Order) {
				p.Order[n] = s
				n++
			}
		}
	}
	p.Rank, p.Roll = [maxSeats]uint8{}, [maxSeats]uint8{}
	if w != nil && n > 0 {
		seats := make([]int, n)
		for i := range seats {
			seats[i] = int(p.Order[i])
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
func (g *game) nextRoller(p *Position) SeatID {
	for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
		if p.Roll[s] == 0 && g.equals(p, s) > 0 {
			return s
		}
	}
	rank, again := p.Rank, false
	for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
		for o := g.nextRebel(p, 0); o != noSeat; o = g.nextRebel(p, o+1) {
			if p.Rank[o] == p.Rank[s] && p.Roll[o] > p.Roll[s] {
				rank[s]++
				again = true
			}
			if o != s && p.Rank[o] == p.Rank[s] && p.Roll[o] == p.Roll[s] {
				again = true
			}
		}
	}
	p.Rank, p.Roll = rank, [maxSeats]uint8{}
	if !again {
		return noSeat
	}
	return g.nextRoller(p)
}

// orderDie implements C20.
func (g *game) orderDie(p *Position, _ *flow.Witness, die int) { p.Roll[p.Seat] = uint8(die) }

// tieWeight and lotFalls implement C21.
func tieWeight(_ *game, p *Position, seat int) uint32 { return uint32(p.Ties >> seat & 1) }

func (g *game) lotFalls(p *Position, _ *flow.Witness, seat int) { p.Lot = SeatID(seat) }

// equals returns how many other Rebels share a seat's rank.
func (g *game) equals(p *Position, seat SeatID) int {
	n := 0
	for o := g.nextRebel(p, 0); o != noSeat; o = g.nextRebel(p, o+1) {
		if o != seat && p.Rank[o] == p.Rank[seat] {
			n++
		}
	}
	return n
}

// riotSeat implements R28.2: who decides in a Riot step. The owner of the Network;
// without one the Rebel with the nearest unit, by lot among equals (C21).
func (g *game) riotSeat(p *Position, h HexID, net UnitID) SeatID {
	if g.Seats == 2 {
		return 1
	}
	if net != noUnit {
		return g.owner(p, net)
	}
	if p.Lot != noSeat {
		s := p.Lot
		p.Lot, p.Ties = noSeat, 0
		return s
	}
	best := numHexes
	for u := p.OnMap.next(0); u < agtFirst; u = p.OnMap.next(u + 1) {
		if !g.isRebel(p, u) {
			continue
		}
		d := g.distance(p.Units[u].Hex, h)
		if d < best {
			best, p.Ties = d, 0
		}
		if d == best {
			p.Ties |= 1 << g.owner(p, u)
		}
	}
	if p.Ties&(p.Ties-1) != 0 {
		return tied
	}
	s := noSeat
	if p.Ties != 0 {
		s = SeatID(bits.TrailingZeros8(uint8(p.Ties)))
	}
	p.Ties = 0
	return s
}

// setUpEvents implements R28.1 (C12): two chits for each starting unit, the Rebels
// in turn.
// one unit each in turn.
func (g *game) setUpEvents(p *Position, s *setUpStep) bool {
	if int(p.SetUp.Done) == s.n {
		return p.nextSetUp()
	}
	p.Seat = 1 + SeatID(p.SetUp.Done)%SeatID(g.Seats-1)
	return p.chance(askChit)
}

// setUpEvent reads a chit of R28.1: the first, then the second, which places the
// unit or has both drawn again.
func (g *game) setUpEvent(p *Position, w *flow.Witness, n int) {
	if p.SetUp.ChitsDrawn == 0 {
		p.FirstChit, p.SetUp.ChitsDrawn = uint8(n), 1
		return
	}
	h := g.events[n][p.FirstChit]
	p.FirstChit, p.SetUp.ChitsDrawn = 0, 0
	k := g.plan[p.SetUp.Step].unit
	if h == noHex || g.roomFor(p, k, false, h) == 0 || g.Dispersed && g.regions[g.hexes[h].city] != p.Seat {
		return
	}
	g.add(p, w, "R28.1", k, p.Seat, h)
	p.SetUp.Done++
}

// Federalization and joint attacks.

// attackerSeat returns who adds attackers next (D42): the seat that declared, then
// its partners (R28.3, R28.6, R28.7), noSeat when all have been asked.
func (g *game) attackerSeat(p *Position) SeatID {
	c := &p.Combat
	if c.Partner == 0 {
		return c.Seat
	}
	i := c.Partner
	for s := range SeatID(g.Seats) {
		if s == c.Seat || !g.partners(p, s) {
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
func (g *game) partners(p *Position, s SeatID) bool {
	c := &p.Combat
	if g.Seats == 2 || s == p.Gov || p.Gone.Has(s) {
		return false
	}
	if c.Seat == p.Gov {
		return (s == p.Pact || s == p.Fed) && g.onAnother(p, s)
	}
	if s == c.Victim || !g.active(p, s) || !g.active(p, c.Seat) {
		return false
	}
	return p.team(c.Victim) == governmentTeam && (p.RevTurn > 0 || c.Victim == p.Fed)
}

// onAnother implements R28.6: whether the Government's attack under way is on another
// Rebel than seat: would be one if seat had no units in the target.
// a Riot without Rebels is nobody's.
func (g *game) onAnother(p *Position, seat SeatID) bool {
	c := &p.Combat
	for s := range SeatID(g.Seats) {
		if s != seat && p.team(s) == rebelTeam && !p.Gone.Has(s) && g.hasTarget(p, s, c.Kind, c.Target) {
			return true
		}
	}
	return false
}

// federalizeBy implements R28.6: with the first unit that he adds to an attack of
// the Government a Rebel with a pact is federalized. From then on it is not on him.
func (g *game) federalizeBy(p *Position, w *flow.Witness, u UnitID) {
	c := &p.Combat
	if s := g.owner(p, u); c.Seat == p.Gov && s == p.Pact {
		if p.Fed, p.FedTurn, p.Pact = s, p.Turn, noSeat; w != nil {
			w.All("federalized", "R28.6", seatArg(s))
		}
		c.Victim = SeatID(trailing(uint64(g.victims(p, c.Seat, c.Kind, c.Target))))
	}
}

func (g *game) fedBit(p *Position) SeatSet {
	if p.Fed == noSeat {
		return 0
	}
	return 1 << p.Fed
}

// serving reports whether the federalized Rebel plays in the Government's phases: from
// the Game-Turn after his first attack on (R28.6).
// from the Game-Turn after.
func (p *Position) serving() bool { return p.Fed != noSeat && p.Turn > p.FedTurn }

// talkStep is how far phase N has come.
type talkStep uint8

const (
	talkBegins talkStep = iota // what was said in the last one is still on display
	talkOn
	talkOver // the federalized Rebel has been asked
)

// negotiationPhase implements R28.5 and R28.6 (phase N): what was said in the last one is
// forgotten; one proposal each in seat order; then the federalized Rebel may leave.
func (g *game) negotiationPhase(p *Position, w *flow.Witness) bool {
	if g.Seats == 2 {
		g.endTurn(p, w)
		return false
	}
	if p.Seat == 0 && p.Talks == talkBegins {
		p.Talks, p.Pact = talkOn, noSeat // a pact not used lapses
		p.Truces, p.Named = 0, [maxSeats]SeatID{noSeat, noSeat, noSeat, noSeat}
	}
	for ; p.Seat != noSeat; g.nextProposer(p) {
		if p.Part > 0 || !p.Gone.Has(p.Seat) && g.proposals(p, p.Seat) {
			return p.decide(askNegotiate, p.Seat)
		}
	}
	if p.Fed != noSeat && p.Talks == talkOn && int(p.Turn) < g.sc.Turns && !g.forfeits(p) {
		return p.decide(askUnfederalize, p.Fed)
	}
	p.Order, p.Seat = [3]SeatID{noSeat, noSeat, noSeat}, noSeat
	g.endTurn(p, w)
	return false
}

// nextProposer goes on to the next seat, noSeat after the last one.
func (g *game) nextProposer(p *Position) {
	if p.Seat++; int(p.Seat) >= g.Seats {
		p.Seat = noSeat
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
func (g *game) receivers(p *Position, seat SeatID, kind verb) SeatSet {
	var set SeatSet
	for s := range SeatID(g.Seats) {
		if s == seat || p.Gone.Has(s) {
			continue
		}
		fedTalk := (seat == p.Fed) != (s == p.Fed) && seat != p.Gov && s != p.Gov
		ok := !fedTalk
		switch kind {
		case actTarget:
			ok = ok && s != p.Gov
		case actJointRevolution:
			ok = ok && g.sc.Revolution && p.RevTurn == 0 && g.active(p, seat) && g.active(p, s) && (!p.Original || int(p.Turn) <= g.sc.Deadline)
		case actFederalize:
			ok = ok && g.Seats == 4 && p.Fed == noSeat && p.Pact == noSeat && (s == p.Gov || seat == p.Gov)
		}
		if ok {
			set |= 1 << s
		}
	}
	return set
}

// proposals reports whether a seat can propose anything.
func (g *game) proposals(p *Position, seat SeatID) bool {
	for kind := verb(actTruce); kind <= actFederalize; kind++ {
		if g.receivers(p, seat, kind) != 0 {
			return true
		}
	}
	return false
}

// offerProposal offers D81: what to propose, then to whom.
func (g *game) offerProposal(p *Position) {
	if p.Part > 0 {
		set := g.receivers(p, SeatID(p.Actor), p.Propose.Kind)
		for s := range g.Seats {
			p.allowIf(set>>s&1 != 0, actPlayer+s)
		}
		return
	}
	for kind := verb(actTruce); kind <= actFederalize; kind++ {
		p.allowIf(g.receivers(p, SeatID(p.Actor), kind) != 0, int(kind))
	}
	p.allow(actDone)
}

func (g *game) choosePropose(p *Position, w *flow.Witness, a engine.Action) {
	switch {
	case a == actDone:
		g.nextProposer(p)
		p.Propose = Proposal{}
	case p.Part == 0:
		p.Propose.Kind, p.Part = verb(a), 1
	case p.Propose.Kind == actTarget:
		if p.Named[p.Seat] = SeatID(a - actPlayer); w != nil {
			w.All("target", "R28.5", seatArg(p.Seat), flow.Arg("target_seat", int(a-actPlayer)))
		}
		g.nextProposer(p)
		p.Part, p.Propose = 0, Proposal{}
	default:
		p.Propose.To, p.Propose.Sent, p.Part = SeatID(a-actPlayer), true, 0
	}
}

// chooseAnswer implements D82, to a declaration that asks for consent or to a proposal.
func (g *game) chooseAnswer(p *Position, w *flow.Witness, a engine.Action) {
	switch {
	case p.Rising.Stage != risingAsk:
		g.answer(p, w, a == actAccept)
	case a == actAccept:
		g.rise(p, w, p.Rising.Seat)
	default:
		p.Rising.Answers = g.nextAsked(p, p.Rising.Seat, p.Rising.Answers+1)
	}
}

func (g *game) chooseUnfederalize(p *Position, w *flow.Witness, a engine.Action) {
	if p.Talks = talkOver; a == actDone {
		return
	}
	if w != nil {
		w.All("unfederalized", "R28.6", seatArg(p.Fed))
	}
	p.Fed, p.FedTurn = noSeat, 0
}

// answer implements R28.5 to R28.7 (D82) after a proposal of p.seat.
func (g *game) answer(p *Position, w *flow.Witness, accepted bool) {
	pr := p.Propose
	p.Propose = Proposal{}
	from := p.Seat
	g.nextProposer(p)
	if !accepted {
		if w != nil {
			w.All("refused", "R28.5", seatArg(from), flow.Arg("proposal", g.actions[pr.Kind]))
		}
		return
	}
	switch pr.Kind {
	case actTruce:
		if p.Truces |= 1 << pairOf(from, pr.To); w != nil {
			w.All("truce", "R28.5", flow.Arg("seats", []int{int(from), int(pr.To)}))
		}
	case actJointRevolution:
		g.rise(p, w, from)
	case actFederalize:
		p.Pact = pr.To
		if pr.To == p.Gov {
			p.Pact = from
		}
		if w != nil {
			w.All("pact", "R28.6", seatArg(p.Pact))
		}
	}
}
