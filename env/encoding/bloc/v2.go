package bloc

import (
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// encodeV2 writes the fields of version 2.
func encodeV2(dst []float32, s *bloc.View, o *order, p engine.Player) {
	encodeCity(dst, s, o)
	encodePieces(dst, s, o)
	encodeReach(dst, s, o)
	encodeClock(dst, s, o, p)
	encodeFactions(dst, s, o, p)
	encodeCards(dst, s, o)
	encodeTurn(dst, s)
	encodePending(dst, s, o)
}

// order maps factions to places as the observer counts them.
type order struct {
	faction [bloc.Factions]int // at each place, -1 for none
	place   [bloc.Factions]int // of each faction; one not in the game comes last
}

// lookAround finds the observer's order of the factions.
func lookAround(s *bloc.View, p engine.Player) order {
	seats, first := s.FactionSeats(), int(p)
	if f := s.Asked(); f >= 0 && s.ToAct() == p {
		for seat := range seats {
			if s.FactionAt(seat) == f {
				first = seat
			}
		}
	}
	o := order{place: [bloc.Factions]int{bloc.Factions - 1, bloc.Factions - 1, bloc.Factions - 1, bloc.Factions - 1}}
	for i := range o.faction {
		o.faction[i] = -1
		if i < seats {
			o.faction[i] = s.FactionAt((first + i) % seats)
		}
		if f := o.faction[i]; f >= 0 {
			o.place[f] = i
		}
	}
	return o
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// one sets the entry of a faction, none for -1.
func (o *order) one(dst []float32, f int) {
	if f >= 0 {
		dst[o.place[f]] = 1
	}
}

// encodeCity writes the tiles and connections.
func encodeCity(dst []float32, s *bloc.View, o *order) {
	for c := range bloc.Cells {
		t := s.Tile(c)
		if !t.Laid {
			continue
		}
		typ := t.Type
		if typ < bloc.Factions {
			typ = o.place[typ]
		}
		dst[typeAt+typ*bloc.Cells+c] = 1
		dst[idAt+c] = float32(t.PoliceID) * (1. / 26)
		dst[diffAt+c] = float32(t.Difficulty) * (1. / 6)
		dst[metroAt+c], dst[circleAt+c] = flag(t.Metro), flag(t.Circle)
		dst[liberableAt+c], dst[liberatedAt+c] = flag(t.Liberable), flag(t.Liberated)
	}
	if s.Laid() {
		encodeConnections(dst, s)
	}
}

// encodeConnections writes where the arms lead and what bars them.
func encodeConnections(dst []float32, s *bloc.View) {
	ends, overs, built := s.Ends()
	for e, far := range ends {
		if far == bloc.NoEnd {
			continue
		}
		c, arm, other := e/bloc.Arms, e%bloc.Arms, int(far)/bloc.Arms
		i := arm*bloc.Cells + c
		dst[armAt+i] = 1
		dst[armRowAt+i] = float32(other/bloc.Side-c/bloc.Side) * (1. / 4)
		dst[armColAt+i] = float32(other%bloc.Side-c%bloc.Side) * (1. / 4)
		over := overs[c] >> arm & 1
		dst[armOverAt+i] = float32(over)
		if all := built[e] + built[far]; all > 0 {
			here := all
			if over != 0 {
				here = built[e]
			}
			dst[armBarrAt+i], dst[armHereAt+i] = float32(all)*(1./3), float32(here)*(1./3)
		}
	}
}

// counts writes the counts that are not zero, times a factor.
func counts(dst []float32, n []uint8, factor float32) {
	for i, x := range n {
		if x != 0 {
			dst[i] = float32(x) * factor
		}
	}
}

// encodePieces writes what stands in the city.
func encodePieces(dst []float32, s *bloc.View, o *order) {
	for i, f := range o.faction {
		if f >= 0 {
			blocs := s.Blocs(f)
			for c, n := range blocs {
				if n > 0 {
					dst[presentAt+i*bloc.Cells+c] = 1
				}
			}
			counts(dst[blocsAt+i*bloc.Cells:], blocs[:], 1./4)
			counts(dst[attackedAt+i*bloc.Cells:], s.Attacked(f)[:], 1./4)
		}
	}
	cops := s.Cops()
	counts(dst[copsAt:], cops[:], 1./4)
	for c, n := range cops {
		if n > 0 {
			dst[policeAt+c] = 1
		}
		if n := s.UnderOrders(c); n > 0 {
			encodeComing(dst, s, c, n)
		}
	}
	for kind := range 3 {
		counts(dst[centersAt+kind*bloc.Cells:], s.Centers(kind)[:], 1./6)
	}
	for c, v := range s.Vans() {
		if v > 0 {
			dst[vanAt+c], dst[policeAt+c], dst[hitsAt+c] = 1, 1, float32(v-1)*(1./3)
		}
	}
	for f := range bloc.Factions {
		for kind := range bloc.Occupations {
			if c := s.Place(f, kind); c >= 0 {
				dst[occAt+(o.place[f]*bloc.Occupations+kind)*bloc.Cells+c] = 1
			}
		}
	}
	for kind := range 3 {
		for cells := s.Barred(kind); cells != 0; cells &= cells - 1 {
			dst[barredAt+kind*bloc.Cells+bits.TrailingZeros32(cells)] = 1
		}
	}
	if !s.AtSunrise() {
		return
	}
	for c := range bloc.Cells {
		protected, cancelled, boost := s.Sunrise(c)
		dst[sunriseAt+c] = flag(protected)
		dst[sunriseAt+bloc.Cells+c], dst[sunriseAt+2*bloc.Cells+c] = float32(cancelled)*(1./10), float32(boost)*(1./6)
	}
}

// encodeComing writes how many of the n cops under orders of the group in a district get to
// each adjacent one: over the connection with the fewest barricades (R8.4).
func encodeComing(dst []float32, s *bloc.View, c, n int) {
	for near := s.Adjacent(c); near != 0; near &= near - 1 {
		far := bits.TrailingZeros32(near)
		dst[comingAt+far] = max(dst[comingAt+far], float32(s.Arriving(c, far, n))*(1./4))
	}
}

// encodeReach writes where the blocs of the observer's first faction can move. Districts
// without police that reach each other reach the same ones, so one of them is asked.
func encodeReach(dst []float32, s *bloc.View, o *order) {
	own, pending := o.faction[0], s.Pending().From
	if own < 0 || !s.Laid() {
		return
	}
	all, asked := uint32(0), uint32(0)
	var reach [bloc.Cells]uint32
	ask := func(c int) {
		reach[c] = s.Reach(c)
		all |= reach[c]
		asked |= 1 << c
	}
	if pending >= 0 {
		ask(pending)
	} else {
	blocs:
		for c, n := range s.Blocs(own) {
			if n == 0 || dst[policeAt+c] != 0 {
				continue
			}
			for k := asked; k != 0; k &= k - 1 {
				if other := bits.TrailingZeros32(k); reach[other]>>c&1 != 0 {
					all |= 1 << other
					continue blocs
				}
			}
			ask(c)
		}
	}
	for ; all != 0; all &= all - 1 {
		dst[reachAt+bits.TrailingZeros32(all)] = 1
	}
}

// encodeClock writes the game, the night and the question.
func encodeClock(dst []float32, s *bloc.View, o *order, p engine.Player) {
	dst[scenarioAt+s.Scenario()] = 1
	dst[modeAt] = flag(s.SemiCooperative())
	dst[playersAt+s.Players()-2] = 1
	dst[phaseAt+s.Phase()] = 1
	dst[nightAt], dst[nightAt+1] = float32(s.Night())*(1./8), float32(s.NightsLeft())*(1./8)
	dst[nightAt+2] = float32(s.TurnsDone()) * (1. / 4)
	o.one(dst[firstAt:], s.Order(0))
	o.one(dst[activeAt:], s.Active())
	o.one(dst[askedAt:], s.Asked())
	dst[toActAt] = flag(s.ToAct() == p)
	if d := s.Decision(); d >= 0 {
		dst[decisionAt+d] = 1
	}
	dst[moraleAt+s.Morale()] = 1
	o.one(dst[lockdownAt:], s.Lockdown())
	cops, vans, destroyed, barricades := s.Supply()
	dst[supplyAt], dst[supplyAt+1] = float32(cops)*(1./30), float32(vans)*(1./6)
	dst[supplyAt+2], dst[supplyAt+3] = float32(destroyed)*(1./6), float32(barricades)*(1./40)
}

// encodeFactions writes the mats, hands and agendas.
func encodeFactions(dst []float32, s *bloc.View, o *order, p engine.Player) {
	for i, f := range o.faction {
		if f < 0 {
			continue
		}
		dst[inPlayAt+i], dst[mineAt+i] = 1, flag(s.Owner(f) == p)
		dst[matAt+i] = float32(s.Mat(f)) * (1. / 5)
		for kind := range bloc.Occupations {
			dst[matOccAt+i*bloc.Occupations+kind] = flag(s.Place(f, kind) < 0)
		}
		dst[handSizeAt+i] = float32(s.HandSize(f)) * (1. / 4)
		counts(dst[handAt+i*bloc.LootCards:], s.Hand(f)[:], 1./2)
		dst[bonusAt+i] = float32(s.BonusDice(f)) * (1. / 4)
	}
	own := o.faction[0]
	if own < 0 {
		return
	}
	for v := range engine.Player(s.Players()) {
		known := s.Known(v, own)
		if *known == [bloc.LootCards]uint8{} {
			continue
		}
		for t, n := range known {
			dst[toldAt+t] = max(dst[toldAt+t], float32(n)*(1./2))
		}
	}
	if a := s.Agenda(own); a >= 0 {
		dst[agendaAt+a] = 1
		dst[meetsAt], dst[meetsAt+1] = flag(s.Meets(own, 0)), flag(s.Meets(own, 1))
	}
	dst[meetsAt+2] = flag(s.Succeeds())
}

// encodeCards writes the decks.
func encodeCards(dst []float32, s *bloc.View, _ *order) {
	deck, discard := s.LootDeck(), s.LootDiscard()
	for t := range bloc.LootCards {
		share := inverse[s.LootCopies(t)]
		dst[unseenAt+t], dst[discardAt+t] = float32(deck[t])*share, float32(discard[t])*share
	}
	counts(dst[drawnAt:], s.Drawn()[:], 1./2)
	dst[deckSizeAt] = float32(s.LootDeckSize()) * (1. / 60)
	counts(dst[opsAt:], s.OpsDeck()[:], 1./3)
	counts(dst[opsDiscAt:], s.OpsDiscard()[:], 1./3)
	for i := range ahead {
		if card := s.OpsAhead(i); card >= 0 {
			dst[opsAheadAt+i*bloc.OpsCards+card] = 1
		}
	}
	counts(dst[manifestAt:], s.ManifestationsLeft()[:], 1./4)
}

// inverse is 1/n for each number of copies of a loot card.
var inverse = [8]float32{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7}

// encodeTurn writes dice and counters.
func encodeTurn(dst []float32, s *bloc.View) {
	dice := s.Dice()
	counts(dst[diceAt:], dice[:], 1./2)
	for v, least := len(dice)-1, 0; v >= 0; v-- {
		least += int(dice[v])
		dst[leastAt+v] = float32(least) * (1. / 2)
	}
	extra, bolt, jammers, trades := s.Turn()
	dst[turnAt], dst[turnAt+1] = float32(extra)*(1./14), flag(bolt > 0)
	dst[turnAt+2], dst[turnAt+3] = float32(jammers)*(1./2), float32(trades)*(1./3)
	counts(dst[usesAt:], s.Used()[:], 1./2)
}

// set sets an entry, none for -1.
func set(dst []float32, i int) {
	if i >= 0 {
		dst[i] = 1
	}
}

// encodePending writes what is under way.
func encodePending(dst []float32, s *bloc.View, o *order) {
	n := s.Pending()
	set(dst[cellAt:], n.Cell)
	set(dst[fromAt:], n.From)
	set(dst[verbAt:], n.Verb)
	set(dst[cardAt:], n.Card)
	set(dst[manifAt:], n.Manifestation)
	dst[numbersAt], dst[numbersAt+1] = float32(n.Count)*(1./4), float32(n.Left)*(1./4)
	dst[numbersAt+2], dst[numbersAt+3] = float32(n.Bonus)*(1./4), flag(n.Basic)
	set(dst[rollAt:], n.Roll-1)
	o.one(dst[partnerAt:], n.Partner)
	set(dst[giveAt:], n.Give)
	set(dst[wantAt:], n.Want)
	o.one(dst[chooserAt:], n.Chooser)
	for f, lost := range n.Lost {
		i := o.place[f]
		if n.Liberating>>f&1 != 0 {
			dst[liberAt+i] = 1
		}
		if lost > 0 {
			dst[lostAt+i] = float32(lost) * (1. / 4)
		}
	}
}
