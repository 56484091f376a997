package bloc

import (
	"fmt"
	"math/bits"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// maxRedraws bounds the cities that are drawn in vain, so that a game's length is
// bounded. A city is unfit with a chance of about 7 %, so 32 in a row are not to
// be met.
const maxRedraws = 32

// newPosition implements R2.1, R2.3, R2.4 and R2.8: what lies ready before
// anything is drawn.
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

// promptTile implements R2.2 and C2: the next tile of the zigzag. A city that is not
// connected, or that the scenario cannot use (R10.2), is drawn again whole.
func (g *game) promptTile(p *Position, w *flow.Witness) bool {
	k := p.Now.Laid
	if k == Cells {
		g.box.survey(p)
		p.Now.Laid = 0
		switch {
		case g.checkTiles(p) == nil:
		case p.Redraws == maxRedraws-1:
			g.box.build(p, &g.fallback)
			if w != nil {
				w.All("stand_in", "R2.2")
			}
		default:
			p.Redraws++
			if w != nil {
				w.All("redraw", "R2.2", number("redraws", p.Redraws))
			}
			for c := range p.Tile {
				p.Tile[c], p.Rotation[c] = noTile, 0
			}
			p.Survey = Survey{}
			return false
		}
		p.Redraws, p.Step = 0, placePolice
		return false
	}
	if left := g.tilesLeft(p); left&(left-1) == 0 {
		g.chooseTile(p, w, left.First())
		return false
	}
	return p.wait()
}

// tileSet is a set of tiles.
type tileSet uint32

func tileAt(t TileID) tileSet { return 1 << t }

func (s tileSet) Has(t TileID) bool { return s>>t&1 != 0 }

func (s tileSet) First() TileID { return TileID(bits.TrailingZeros32(uint32(s))) }

// tilesLeft returns the tiles of the pile that is next in turn.
func (g *game) tilesLeft(p *Position) tileSet {
	left := g.pileSets[p.Now.Laid%3]
	for _, t := range p.Tile {
		if t != noTile {
			left &^= tileAt(t)
		}
	}
	return left
}

func (g *game) chooseTile(p *Position, w *flow.Witness, t TileID) {
	c := g.box.zigzag[p.Now.Laid]
	p.Tile[c] = t
	if w != nil {
		w.All("tile", "R2.2", number("cell", c), g.cell(p, "tile", c))
	}
	p.Step = turnTile
}

func (g *game) promptRotation(p *Position, _ *flow.Witness) bool { return p.wait() }

func (g *game) rotationDrawn(p *Position, w *flow.Witness, a engine.Action) {
	r := uint8(a - outRotation)
	c := g.box.zigzag[p.Now.Laid]
	p.Rotation[c] = r
	if w != nil {
		w.All("rotation", "R2.2", g.cell(p, "tile", c), number("rotation", r))
	}
	p.Now.Laid++
	p.Step = layTile
}

// checkTiles implements the conditions of R2.2, R2.5, R2.10 and R10.2 on a city: it is
// connected, it has the tiles that the scenario names and, for each faction that
// may play, a district to start in; and its success condition asks for something.
func (g *game) checkTiles(p *Position) error {
	if err := g.box.checkCity(p); err != nil {
		return err
	}
	s := g.scenario
	have := tileSet(0)
	for _, t := range p.Tile {
		have |= tileAt(t)
	}
	for _, list := range [][]TileID{s.zones, g.setUp.vanTiles} {
		for _, t := range list {
			if !have.Has(t) {
				return fmt.Errorf("%s is missing, which scenario %s needs (R10.3)", g.box.tiles[t].Key, s.ID)
			}
		}
	}
	for f := range Factions {
		if p.OfType[f] == 0 {
			return fmt.Errorf("there is no %s district to start in (R2.10)", typeNames[f])
		}
	}
	vans := len(g.setUp.vanTiles)
	if g.setUp.eachState {
		vans += int(p.OfType[TypeState].Count())
	}
	if vans > int(g.box.pieces.vans) || vans*int(s.CopsPerVan) > int(g.box.pieces.cops) {
		return fmt.Errorf("%d riot vans with %d riot cops each are needed, there are %d and %d (R2.5)", vans, s.CopsPerVan, g.box.pieces.vans, g.box.pieces.cops)
	}
	return g.checkAim(p)
}

// checkAim refuses a city in which the scenario's success condition would hold for
// want of anything to do (R10.2).
func (g *game) checkAim(p *Position) error {
	lacks := ""
	switch g.scenario.Success.Op {
	case stateOccupied, stateLiberated:
		if p.OfType[TypeState] == 0 {
			lacks = "State district"
		}
	case commercialBurned:
		if p.OfType[TypeCommercial] == 0 {
			lacks = "Commercial district"
		}
	case entrancesBarricaded:
		if p.Highways == 0 {
			lacks = "highway connection"
		}
	case aroundZones:
		if g.aroundZones(p) == 0 {
			lacks = "district beside an Autonomous Zone that can be liberated"
		}
	}
	if lacks != "" {
		return fmt.Errorf("there is no %s, which scenario %s is about (R10.2)", lacks, g.scenario.ID)
	}
	return nil
}

// promptPolice implements R2.2 and R2.5 (Police): shopping centres unlooted, the
// Autonomous Zones liberated, a van and its cops in each place that the scenario names.
func (g *game) promptPolice(p *Position, w *flow.Witness) bool {
	for c, t := range p.Tile {
		p.Centers[0][c] = g.box.tiles[t].Centers
		if g.box.tiles[t].Free {
			p.Liberated |= at(CellID(c))
		}
	}
	places := CellSet(0)
	if g.setUp.eachState {
		places = p.OfType[TypeState]
	}
	for c, t := range p.Tile {
		for _, named := range g.setUp.vanTiles {
			if t == named {
				places |= at(CellID(c))
			}
		}
	}
	for ; places != 0; places &= places - 1 {
		c := places.First()
		g.deployVan(p, w, "R2.5", c)
		g.addCops(p, w, "R2.5", c, g.scenario.CopsPerVan)
	}
	p.Step = dealFactions
	return false
}

// promptFaction implements R2.7 (Factions) and C1: the factions are dealt to the seats;
// the last of four is certain.
func (g *game) promptFaction(p *Position, w *flow.Witness) bool {
	s := p.undealt()
	if s == g.factions {
		p.Step = dealLoot
		return false
	}
	if s == Factions-1 {
		for f := range FactionID(Factions) {
			if !g.inPlay(p, f) {
				g.dealFaction(p, w, f)
				break
			}
		}
		return false
	}
	return p.wait()
}

// dealFaction gives a faction to the next seat.
func (g *game) dealFaction(p *Position, w *flow.Witness, f FactionID) {
	seat := p.undealt()
	p.Seats[seat] = f
	if w != nil {
		w.All("faction", "R2.7", number("seat", seat), g.faction(f), number("player", seat%g.players))
	}
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
func (g *game) promptHand(p *Position, w *flow.Witness) bool {
	for p.Now.Seat < g.factions {
		p.Now.Who = p.Seats[p.Now.Seat]
		if p.HandSize[p.Now.Who] < g.scenario.LootDealt && p.DeckSize > 0 {
			if p.DeckSize > 1 {
				return p.wait()
			}
			t, _ := only(p.Deck[:])
			g.toHand(p, w, LootID(t))
			continue
		}
		p.Now.Seat++
	}
	p.Now.Seat, p.Now.Who, p.Step = 0, NoFaction, dealAgendas
	return false
}

// toHand deals a loot card to who.
func (g *game) toHand(p *Position, w *flow.Witness, t LootID) {
	if w != nil {
		g.tellCard(p, w, "draw", "R2.8", p.Now.Who, g.lootCard(t))
	}
	p.Deck[t]--
	p.DeckSize--
	p.Hand[p.Now.Who][t]++
	p.HandSize[p.Now.Who]++
}

// promptAgenda implements R2.9 (Agendas) and C6.
func (g *game) promptAgenda(p *Position, _ *flow.Witness) bool {
	if g.mode == semiCooperative {
		for s := range g.factions {
			if p.Agenda[p.Seats[s]] == NoAgenda {
				p.Now.Who = p.Seats[s]
				return p.wait()
			}
		}
	}
	p.Now.Who, p.Step = NoFaction, chooseStart
	return false
}

// agendaWeights implements R2.9 and R11.6: the weights of the cards that are not dealt, if
// those of the factions of seen have been. In the infighting deal as many of the
// other eight as there are factions lie together with Nihilist and Vanguardist.
func (g *game) agendaWeights(p *Position, seen uint8) (w [Agendas]uint32) {
	others, left := uint32(Agendas-2), uint32(g.factions)
	for i := range w {
		w[i] = 1
	}
	if g.scenario.Agenda == removeNihilist {
		w[AgendaNihilist] = 0
	}
	for f, a := range p.Agenda {
		if seen>>f&1 == 0 || a >= Agendas {
			continue
		}
		w[a] = 0
		if a != AgendaNihilist && a != AgendaVanguardist {
			others--
			left--
		}
	}
	if g.scenario.Agenda != infighting {
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
func (g *game) promptStart(p *Position, _ *flow.Witness) bool {
	if p.Now.Seat == g.factions {
		p.Now.Seat, p.Now.Who, p.Step = 0, NoFaction, drawFirst
		return false
	}
	p.Now.Who = p.Seats[p.Now.Seat]
	return g.decideCell(p, p.Now.Who, p.OfType[p.Now.Who])
}

func (g *game) actStart(p *Position, w *flow.Witness, a engine.Action) {
	c := CellID(a - ActCell)
	g.settle(p, w, "R2.10", p.Now.Who, OccFactionStart, c)
	g.form(p, w, "R2.10", p.Now.Who, c, g.setUp.Blocs)
	p.Now.Seat++
}

// promptFirst implements R2.11 and C7: the first faction, by lot.
func (g *game) promptFirst(p *Position, _ *flow.Witness) bool { return p.wait() }

func (g *game) firstDrawn(p *Position, w *flow.Witness, a engine.Action) {
	f := FactionID(a - outFaction)
	for s := range g.factions {
		if p.Seats[s] == f {
			p.FirstSeat = s
			if w != nil {
				w.All("first_faction", "R2.11", g.faction(f))
			}
		}
	}
	p.Night, p.Step = 1, beginTurn
}
