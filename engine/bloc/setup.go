package bloc

import (
	"fmt"
	"math/bits"

	"powderkeg/engine"
)

// maxRedraws limits how often a city is drawn again, so that the length of a game has a bound.
// About 7 % of cities are unfit, so 32 in a row never occur in practice.
const maxRedraws = 32

// newPosition implements R2.1, R2.3, R2.4 and R2.8: it returns the position before anything is
// drawn.
func (g *game) newPosition() Position {
	b := g.box
	p := Position{
		Pile: b.pieces.barricades, CopsLeft: b.pieces.cops, VansLeft: b.pieces.vans, NightsLeft: g.setUp.Nights,
		FirstSeat: noSeat, Lockdown: NoFaction, Asked: NoFaction, Now: clearPending,
		Mat: [Factions]uint8{blocsEach, blocsEach, blocsEach, blocsEach},
	}
	for c := range p.Tile {
		p.Tile[c] = noTile
	}
	for f := range p.Place {
		for k := range p.Place[f] {
			p.Place[f][k] = NoCell
		}
		p.Agenda[f], p.Seats[f] = NoAgenda, NoFaction
	}
	for i := range b.loot {
		p.Deck[i] = b.loot[i].Copies
		p.DeckSize += b.loot[i].Copies
	}
	for i := range b.manifest {
		p.Manifest[i] = b.manifest[i].Copies
	}
	p.Ops = g.opsDeck()
	p.Step = layTile
	return p
}

// opsDeck implements R2.6 (Ops deck): 34 cards less those that the difficulty and the
// scenario take out.
func (g *game) opsDeck() (deck [OpsCards]uint8) {
	for i := range g.box.ops {
		deck[i] = g.box.ops[i].Copies - g.scenario.removedOps[i]
	}
	deck[g.box.paramilitary] -= g.box.removedOps[g.opsLevel]
	return deck
}

// promptTile implements R2.2 and C2: the next tile of the zigzag. If the city is not connected,
// or the scenario cannot use it (R10.2), all of it is drawn again.
func (b Board) promptTile() bool {
	k := b.Now.Laid
	if k == Cells {
		b.box.survey(b.Position)
		b.Now.Laid = 0
		switch {
		case b.checkTiles() == nil:
		case b.Redraws == maxRedraws-1:
			b.box.build(b.Position, &b.fallback)
			b.tell(cityReplaced, "R2.2")
		default:
			b.Redraws++
			b.tell(cityRedrawn, "R2.2", b.Redraws)
			for c := range b.Tile {
				b.Tile[c], b.Rotation[c] = noTile, 0
			}
			b.Survey = Survey{}
			return false
		}
		b.Redraws, b.Step = 0, placePolice
		return false
	}
	if left := b.tilesLeft(); left&(left-1) == 0 {
		b.chooseTile(left.First())
		return false
	}
	return b.wait()
}

// tileSet is a set of tiles.
type tileSet uint32

func tileAt(t TileID) tileSet { return 1 << t }

func (s tileSet) Has(t TileID) bool { return s>>t&1 != 0 }

func (s tileSet) First() TileID { return TileID(bits.TrailingZeros32(uint32(s))) }

// tilesLeft returns the tiles of the pile that is next in turn.
func (b Board) tilesLeft() tileSet {
	left := b.pileSets[b.Now.Laid%3]
	for _, t := range b.Tile {
		if t != noTile {
			left &^= tileAt(t)
		}
	}
	return left
}

func (b Board) chooseTile(t TileID) {
	c := b.box.zigzag[b.Now.Laid]
	b.Tile[c] = t
	b.tell(tileLaid, "R2.2", uint8(c), c)
	b.Step = turnTile
}

func (b Board) promptRotation() bool { return b.wait() }

func (b Board) rotationDrawn(a engine.Action) {
	r := uint8(a - outRotation)
	c := b.box.zigzag[b.Now.Laid]
	b.Rotation[c] = r
	b.tell(tileTurned, "R2.2", c, r)
	b.Now.Laid++
	b.Step = layTile
}

// checkTiles implements the conditions of R2.2, R2.5, R2.10 and R10.2 on a city: it is
// connected, it has the tiles that the scenario names and, for each faction that
// may play, a district to start in; and its success condition asks for something.
func (b Board) checkTiles() error {
	if err := b.box.checkCity(b.Position); err != nil {
		return err
	}
	s := b.scenario
	have := tileSet(0)
	for _, t := range b.Tile {
		have |= tileAt(t)
	}
	for _, list := range [][]TileID{s.zones, b.setUp.vanTiles} {
		for _, t := range list {
			if !have.Has(t) {
				return fmt.Errorf("%s is missing, which scenario %s needs (R10.3)", b.box.tiles[t].Key, s.ID)
			}
		}
	}
	for f := range Factions {
		if b.OfType[f] == 0 {
			return fmt.Errorf("there is no %s district to start in (R2.10)", typeNames[f])
		}
	}
	vans := len(b.setUp.vanTiles)
	if b.setUp.eachState {
		vans += int(b.OfType[TypeState].Count())
	}
	if vans > int(b.box.pieces.vans) || vans*int(s.CopsPerVan) > int(b.box.pieces.cops) {
		return fmt.Errorf("%d riot vans with %d riot cops each are needed, there are %d and %d (R2.5)",
			vans, s.CopsPerVan, b.box.pieces.vans, b.box.pieces.cops)
	}
	return b.checkAim()
}

// checkAim refuses a city in which the scenario's success condition would hold because there
// is nothing to do (R10.2).
func (b Board) checkAim() error {
	lacks := ""
	switch b.scenario.Success.Op {
	case stateOccupied, stateLiberated:
		if b.OfType[TypeState] == 0 {
			lacks = "State district"
		}
	case commercialBurned:
		if b.OfType[TypeCommercial] == 0 {
			lacks = "Commercial district"
		}
	case entrancesBarricaded:
		if b.Highways == 0 {
			lacks = "highway connection"
		}
	case aroundZones:
		if b.aroundZones() == 0 {
			lacks = "district beside an Autonomous Zone that can be liberated"
		}
	}
	if lacks != "" {
		return fmt.Errorf("there is no %s, which scenario %s is about (R10.2)", lacks, b.scenario.ID)
	}
	return nil
}

// promptPolice implements R2.2 and R2.5 (Police): shopping centres unlooted, the
// Autonomous Zones liberated, a van and its cops in each place that the scenario names.
func (b Board) promptPolice() bool {
	for c, t := range b.Tile {
		b.Centers[0][c] = b.box.tiles[t].Centers
		if b.box.tiles[t].Free {
			b.Liberated |= at(CellID(c))
		}
	}
	places := CellSet(0)
	if b.setUp.eachState {
		places = b.OfType[TypeState]
	}
	for c, t := range b.Tile {
		for _, named := range b.setUp.vanTiles {
			if t == named {
				places |= at(CellID(c))
			}
		}
	}
	for ; places != 0; places &= places - 1 {
		c := places.First()
		b.deployVan("R2.5", c)
		b.addCops("R2.5", c, b.scenario.CopsPerVan)
	}
	b.Step = dealFactions
	return false
}

// promptFaction implements R2.7 (Factions) and C1: the factions are dealt to the seats;
// the last of four is certain.
func (b Board) promptFaction() bool {
	s := b.undealt()
	if s == b.factions {
		b.Step = dealLoot
		return false
	}
	if s == Factions-1 {
		for f := range FactionID(Factions) {
			if !b.inPlay(f) {
				b.dealFaction(f)
				break
			}
		}
		return false
	}
	return b.wait()
}

// dealFaction gives a faction to the next seat.
func (b Board) dealFaction(f FactionID) {
	seat := b.undealt()
	b.Seats[seat] = f
	b.tell(factionDealt, "R2.7", seat, f, seat%b.players)
}

// undealt returns the first seat without a faction.
func (p *Position) undealt() uint8 {
	s := uint8(0)
	for s < Factions && p.Seats[s] != NoFaction {
		s++
	}
	return s
}

// promptHand implements R2.8 and C14: each faction is dealt its loot cards in seat
// order.
func (b Board) promptHand() bool {
	for b.Now.Seat < b.factions {
		b.Now.Who = b.Seats[b.Now.Seat]
		if b.HandSize[b.Now.Who] < b.scenario.LootDealt && b.DeckSize > 0 {
			if b.DeckSize > 1 {
				return b.wait()
			}
			t, _ := only(b.Deck[:])
			b.toHand(LootID(t))
			continue
		}
		b.Now.Seat++
	}
	b.Now.Seat, b.Now.Who, b.Step = 0, NoFaction, dealAgendas
	return false
}

// toHand deals a loot card to who.
func (b Board) toHand(t LootID) {
	b.tellTo(b.seatOf(b.Now.Who), cardDrawn, "R2.8", b.Now.Who, t)
	b.Deck[t]--
	b.DeckSize--
	b.Hand[b.Now.Who][t]++
	b.HandSize[b.Now.Who]++
}

// promptAgenda implements R2.9 (Agendas) and C6.
func (b Board) promptAgenda() bool {
	if b.mode == semiCooperative {
		for s := range b.factions {
			if b.Agenda[b.Seats[s]] == NoAgenda {
				b.Now.Who = b.Seats[s]
				return b.wait()
			}
		}
	}
	b.Now.Who, b.Step = NoFaction, chooseStart
	return false
}

// agendaWeights implements R2.9 and R11.6: the weights of the cards that are not dealt, if
// those of the factions of seen have been. In the infighting deal as many of the
// other eight as there are factions lie together with Nihilist and Vanguardist.
func (b Board) agendaWeights(seen uint8) (w [Agendas]uint32) {
	others, left := uint32(Agendas-2), uint32(b.factions)
	for i := range w {
		w[i] = 1
	}
	if b.scenario.Agenda == removeNihilist {
		w[AgendaNihilist] = 0
	}
	for f, a := range b.Agenda {
		if seen>>f&1 == 0 || a >= Agendas {
			continue
		}
		w[a] = 0
		if a != AgendaNihilist && a != AgendaVanguardist {
			others--
			left--
		}
	}
	if b.scenario.Agenda != infighting {
		return w
	}
	for i := range w {
		if special := AgendaID(i) == AgendaNihilist || AgendaID(i) == AgendaVanguardist; special {
			w[i] *= others
		} else {
			w[i] *= left
		}
	}
	return w
}

// promptStart implements R2.10 and D1 (Ruling 3): each faction chooses a district of its
// type.
func (b Board) promptStart() bool {
	if b.Now.Seat == b.factions {
		b.Now.Seat, b.Now.Who, b.Step = 0, NoFaction, drawFirst
		return false
	}
	b.Now.Who = b.Seats[b.Now.Seat]
	return b.decideCell(b.Now.Who, b.OfType[b.Now.Who])
}

func (b Board) actStart(a engine.Action) {
	c := CellID(a - ActCell)
	b.settle("R2.10", b.Now.Who, OccFactionStart, c)
	b.form("R2.10", b.Now.Who, c, b.setUp.Blocs)
	b.Now.Seat++
}

// promptFirst implements R2.11 and C7: the first faction, by lot.
func (b Board) promptFirst() bool { return b.wait() }

func (b Board) firstDrawn(a engine.Action) {
	f := FactionID(a - outFaction)
	for s := range b.factions {
		if b.Seats[s] == f {
			b.FirstSeat = s
			b.tell(firstChosen, "R2.11", f)
		}
	}
	b.Night, b.Step = 1, beginTurn
}
