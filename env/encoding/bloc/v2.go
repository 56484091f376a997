package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// order maps factions to places as the observer counts them.
type order struct {
	faction [bloc.Factions]bloc.FactionID // at each place, NoFaction for none
	place   [bloc.Factions]int            // of each faction; one not in the game comes last
}

// lookAround finds the observer's order of the factions.
func lookAround(s *bloc.View, p engine.Player) order {
	seats, at := s.FactionSeats(), int(p)
	if f := s.P.Asked; f != bloc.NoFaction && s.P.Actor == p {
		for seat := range seats {
			if s.P.Seats[seat] == f {
				at = seat
			}
		}
	}
	o := order{place: [bloc.Factions]int{bloc.Factions - 1, bloc.Factions - 1, bloc.Factions - 1, bloc.Factions - 1}}
	for i := range o.faction {
		o.faction[i] = bloc.NoFaction
		if i < seats {
			o.faction[i] = s.P.Seats[at]
			if at++; at == seats {
				at = 0
			}
		}
		if f := o.faction[i]; f != bloc.NoFaction {
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

// mark sets entry i of a one-hot field, none where the field has no such entry: there is
// nothing to show, it is hidden, or the game has grown.
func mark(field []float32, i int) {
	if uint(i) < uint(len(field)) {
		field[i] = 1
	}
}

// one sets the entry of a faction, none for NoFaction.
func (o *order) one(dst []float32, f bloc.FactionID) {
	if f != bloc.NoFaction {
		dst[o.place[f]] = 1
	}
}

// encodeTypes writes what kind of district each tile is.
func encodeTypes(dst []float32, s *bloc.View, o *order) {
	for c := range bloc.Cells {
		t := s.Tile(bloc.CellID(c))
		if !t.Laid {
			continue
		}
		typ := int(t.Type)
		if typ < bloc.Factions {
			typ = o.place[typ]
		}
		dst[typeAt+typ*bloc.Cells+c] = 1
	}
}

// encodeTiles writes what else is printed on the tiles.
func encodeTiles(dst []float32, s *bloc.View) {
	for c := range bloc.Cells {
		t := s.Tile(bloc.CellID(c))
		if !t.Laid {
			continue
		}
		dst[idAt+c] = float32(t.PoliceID) * (1. / 26)
		dst[diffAt+c] = float32(t.Difficulty) * (1. / 6)
		dst[metroAt+c], dst[circleAt+c] = flag(t.Metro), flag(t.Circle)
		dst[liberableAt+c], dst[liberatedAt+c] = flag(t.Liberable), flag(t.Liberated)
	}
}

// encodeConnections writes where the arms lead and what bars them.
func encodeConnections(dst []float32, s *bloc.View) {
	if !s.Laid() {
		return
	}
	p := &s.P
	for e, far := range p.Links {
		if far == bloc.NoEnd {
			continue
		}
		c, arm, other := e/bloc.Arms, e%bloc.Arms, int(far)/bloc.Arms
		i := arm*bloc.Cells + c
		dst[armAt+i] = 1
		dst[armRowAt+i] = float32(other/bloc.Side-c/bloc.Side) * (1. / 4)
		dst[armColAt+i] = float32(other%bloc.Side-c%bloc.Side) * (1. / 4)
		over := p.Over[c] >> arm & 1
		dst[armOverAt+i] = float32(over)
		if all := p.Barricades[e] + p.Barricades[far]; all > 0 {
			here := all
			if over != 0 {
				here = p.Barricades[e]
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

// encodeBlocs writes where the blocs of each faction are.
func encodeBlocs(dst []float32, s *bloc.View, o *order) {
	for i, f := range o.faction {
		if f != bloc.NoFaction {
			blocs := &s.P.Blocs[f]
			for cells := s.P.With[f]; cells != 0; cells &= cells - 1 {
				c := int(cells.First())
				dst[presentAt+i*bloc.Cells+c], dst[blocsAt+i*bloc.Cells+c] = 1, float32(blocs[c])*(1./4)
			}
			if s.P.Attacked[f] != [bloc.Cells]uint8{} {
				counts(dst[attackedAt+i*bloc.Cells:], s.P.Attacked[f][:], 1./4)
			}
		}
	}
}

// encodePolice writes where the police is, and where it may come.
func encodePolice(dst []float32, s *bloc.View) {
	q := &s.P
	for cells := q.Police; cells != 0; cells &= cells - 1 {
		c := cells.First()
		dst[policeAt+int(c)], dst[copsAt+int(c)] = 1, float32(q.Cops[c])*(1./4)
		if n := s.UnderOrders(c); n > 0 {
			encodeComing(dst, s, c, int(n))
		}
		if v := q.Van[c]; v > 0 {
			dst[vanAt+int(c)], dst[hitsAt+int(c)] = 1, float32(v-1)*(1./3)
		}
	}
}

// encodeOccupations writes which occupations stand where.
func encodeOccupations(dst []float32, s *bloc.View, o *order) {
	for f := range s.P.Place {
		for kind, c := range &s.P.Place[f] {
			if c != bloc.NoCell {
				dst[occAt+(o.place[f]*bloc.Occupations+kind)*bloc.Cells+int(c)] = 1
			}
		}
	}
}

// encodeCenters writes what has become of the shopping centres.
func encodeCenters(dst []float32, s *bloc.View) {
	for kind := range 3 {
		counts(dst[centersAt+kind*bloc.Cells:], s.P.Centers[kind][:], 1./6)
	}
}

// encodeFlags writes what holds for a Sunrise or a turn.
func encodeFlags(dst []float32, s *bloc.View) {
	q := &s.P
	for kind := range 3 {
		for cells := q.Barred[kind]; cells != 0; cells &= cells - 1 {
			dst[barredAt+kind*bloc.Cells+int(cells.First())] = 1
		}
	}
	if !s.AtSunrise() {
		return
	}
	for c := range bloc.Cells {
		dst[sunriseAt+c] = flag(q.Protected.Has(bloc.CellID(c)))
		dst[sunriseAt+bloc.Cells+c], dst[sunriseAt+2*bloc.Cells+c] = float32(q.Cancelled[c])*(1./10), float32(q.Boost[c])*(1./6)
	}
}

// encodeComing writes how many of the n cops under orders of the group in a district get to
// each adjacent one: over the connection with the fewest barricades (R8.4).
func encodeComing(dst []float32, s *bloc.View, c bloc.CellID, n int) {
	for near := s.P.Near[c]; near != 0; near &= near - 1 {
		far := near.First()
		dst[comingAt+int(far)] = max(dst[comingAt+int(far)], float32(s.Arriving(c, far, n))*(1./4))
	}
}

// encodeReach writes where the blocs of the observer's first faction can move. Districts
// without police that reach each other reach the same ones, so one of them is asked.
func encodeReach(dst []float32, s *bloc.View, o *order, pending bloc.CellID) {
	own := o.faction[0]
	if own == bloc.NoFaction || !s.Laid() {
		return
	}
	all, asked := bloc.CellSet(0), bloc.CellSet(0)
	var reach [bloc.Cells]bloc.CellSet
	ask := func(c bloc.CellID) {
		reach[c] = s.Reach(c)
		all |= reach[c]
		asked |= 1 << c
	}
	if pending != bloc.NoCell {
		ask(pending)
	} else {
	blocs:
		for c, n := range &s.P.Blocs[own] {
			if n == 0 || dst[policeAt+c] != 0 {
				continue
			}
			for k := asked; k != 0; k &= k - 1 {
				if other := k.First(); reach[other]>>c&1 != 0 {
					all |= 1 << other
					continue blocs
				}
			}
			ask(bloc.CellID(c))
		}
	}
	for ; all != 0; all &= all - 1 {
		dst[reachAt+int(all.First())] = 1
	}
}

// encodeClock writes the game, the night and the question.
func encodeClock(dst []float32, s *bloc.View, o *order, p engine.Player) {
	mark(dst[scenarioAt:scenarioAt+scenarios], s.Scenario())
	dst[modeAt] = flag(s.SemiCooperative())
	dst[playersAt+s.Players()-2] = 1
	mark(dst[phaseAt:phaseAt+len(phases)], s.Phase())
	q := &s.P
	dst[nightAt], dst[nightAt+1] = float32(q.Night)*(1./8), float32(q.NightsLeft)*(1./8)
	dst[nightAt+2] = float32(q.Turn) * (1. / 4)
	o.one(dst[firstAt:], s.Order(0))
	o.one(dst[activeAt:], s.Active())
	o.one(dst[askedAt:], q.Asked)
	dst[toActAt] = flag(q.Actor == p)
	mark(dst[decisionAt:decisionAt+decisions], s.Decision())
	dst[moraleAt+int(q.MoraleStep)] = 1
	o.one(dst[lockdownAt:], q.Lockdown)
	dst[expiringAt] = flag(q.Expiring)
	dst[supplyAt], dst[supplyAt+1] = float32(q.CopsLeft)*(1./30), float32(q.VansLeft)*(1./6)
	dst[supplyAt+2], dst[supplyAt+3] = float32(q.Destroyed)*(1./6), float32(q.Pile)*(1./40)
}

// encodeFactions writes the mats and agendas, and what the city is worth.
func encodeFactions(dst []float32, s *bloc.View, o *order, p engine.Player) {
	q := &s.P
	for i, f := range o.faction {
		if f == bloc.NoFaction {
			continue
		}
		dst[inPlayAt+i], dst[mineAt+i] = 1, flag(s.Owner(f) == p)
		dst[matAt+i] = float32(q.Mat[f]) * (1. / 5)
		for kind, c := range &q.Place[f] {
			dst[matOccAt+i*bloc.Occupations+kind] = flag(c == bloc.NoCell)
		}
		dst[handSizeAt+i] = float32(q.HandSize[f]) * (1. / 4)
		dst[bonusAt+i] = float32(q.BonusDice[f]) * (1. / 4)
		dst[whichAt+i*bloc.Factions+int(f)] = 1
	}
	dst[gateAt] = flag(s.GateOpen())
	own := o.faction[0]
	if own == bloc.NoFaction {
		return
	}
	if a := q.Agenda[own]; a < bloc.Agendas {
		dst[agendaAt+int(a)] = 1
		dst[meetsAt], dst[meetsAt+1] = flag(s.Meets(own, 0)), flag(s.Meets(own, 1))
	}
	dst[meetsAt+2] = flag(s.Succeeds())
}

// encodeLoot writes the loot cards, and what is known of them.
func encodeLoot(dst []float32, s *bloc.View, o *order, p engine.Player) {
	q := &s.P
	for i, f := range o.faction {
		if f != bloc.NoFaction && q.Hand[f] != [bloc.LootCards]uint8{} {
			counts(dst[handAt+i*bloc.LootCards:], q.Hand[f][:], 1./2)
		}
	}
	unseen, discard := (*[bloc.LootCards]float32)(dst[unseenAt:]), (*[bloc.LootCards]float32)(dst[discardAt:])
	for t := range bloc.LootCards {
		share := inverse[s.LootCopies(bloc.LootID(t))]
		unseen[t], discard[t] = float32(q.Deck[t])*share, float32(q.Discard[t])*share
	}
	counts(dst[drawnAt:], q.Drawn[:], 1./2)
	dst[deckSizeAt] = float32(q.DeckSize) * (1. / 60)
	own := o.faction[0]
	if own == bloc.NoFaction {
		return
	}
	for v := range engine.Player(s.Players()) {
		known := &q.Known[v][own]
		if *known == [bloc.LootCards]uint8{} {
			continue
		}
		for t, n := range known {
			dst[toldAt+t] = max(dst[toldAt+t], float32(n)*(1./2))
		}
	}
	encodeTold(dst, s, o, p)
}

// encodeOrders writes the decks of the police.
func encodeOrders(dst []float32, s *bloc.View) {
	q := &s.P
	counts(dst[opsAt:], q.Ops[:], 1./3)
	counts(dst[opsDiscAt:], q.OpsDiscard[:], 1./3)
	for i, card := range q.Prefix[:min(q.PrefixSize, ahead)] {
		dst[opsAheadAt+i*bloc.OpsCards+int(card)] = 1
	}
	counts(dst[manifestAt:], q.Manifest[:], 1./4)
	encodeOps(dst, s)
}

// inverse is 1/n for each number of copies of a loot card, up to the 12 of an edition.
var inverse = [13]float32{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12}

// encodeTurn writes dice and counters.
func encodeTurn(dst []float32, s *bloc.View) {
	q := &s.P
	dice := &q.Dice
	counts(dst[diceAt:], dice[:], 1./2)
	for v, least := len(dice)-1, 0; v >= 0; v-- {
		least += int(dice[v])
		dst[leastAt+v] = float32(least) * (1. / 2)
	}
	dst[turnAt], dst[turnAt+1] = float32(q.ExtraDice)*(1./14), flag(q.Bolt > 0)
	dst[turnAt+2], dst[turnAt+3] = float32(q.Jammers)*(1./2), float32(q.Trades)*(1./3)
	counts(dst[usesAt:], q.Uses[:uses], 1./2)
	dst[boltAt] = float32(q.Bolt) * (1. / 2)
}

// encodeCells writes which districts the action under way is about.
func encodeCells(dst []float32, s *bloc.View, m *bloc.Pending) {
	if c := s.P.Now.Cell; c != bloc.NoCell {
		dst[cellAt+int(c)] = 1
	}
	if m.From != bloc.NoCell {
		dst[fromAt+int(m.From)] = 1
	}
}

// encodePending writes what is under way.
func encodePending(dst []float32, s *bloc.View, o *order, m *bloc.Pending) {
	n := &s.P.Now
	mark(dst[verbAt:verbAt+verbs], int(n.Verb))
	if card, ok := s.P.Card(); ok {
		dst[cardAt+int(card)] = 1
	}
	if card, ok := s.P.Manifestation(); ok {
		dst[manifAt+int(card)] = 1
	}
	dst[numbersAt], dst[numbersAt+1] = float32(m.Count)*(1./4), float32(m.Left)*(1./4)
	dst[numbersAt+2], dst[numbersAt+3] = float32(n.Bonus)*(1./4), flag(n.Basic)
	if n.Roll > 0 {
		dst[rollAt+int(n.Roll)-1] = 1
	}
	o.one(dst[partnerAt:], n.Partner)
	mark(dst[giveAt:giveAt+offers], int(n.Give))
	mark(dst[wantAt:wantAt+offers], int(n.Want))
	o.one(dst[chooserAt:], n.Chooser)
	for f, lost := range &n.Lost {
		i := o.place[f]
		if n.Liberating>>f&1 != 0 {
			dst[liberAt+i] = 1
		}
		if lost > 0 {
			dst[lostAt+i] = float32(lost) * (1. / 4)
		}
	}
	encodeRest(dst, s, m)
}
