package bloc

import "powderkeg/engine"

// Queries for encoders and agents (R16.1), beside the fields of the position. They work on
// views too, and none allocates.

// Scenario returns the number of the scenario in the order of the option's choices.
func (b Board) Scenario() int { return b.scenarioID }

// SemiCooperative reports whether agendas are in the game.
func (b Board) SemiCooperative() bool { return b.mode == semiCooperative }

// Players returns the number of players.
func (b Board) Players() int { return int(b.players) }

// FactionSeats returns how many seats have factions, 3 or 4.
func (b Board) FactionSeats() int { return int(b.factions) }

// Owner returns the player who decides for a faction, -1 if it is not in the game.
func (b Board) Owner(f FactionID) engine.Player {
	if !b.inPlay(f) {
		return -1
	}
	return b.owner(f)
}

// Active returns the faction whose turn it is, NoFaction outside a turn.
func (b Board) Active() FactionID {
	if ph := b.phaseOf(); ph < inDice || ph > inOps {
		return NoFaction
	}
	return b.order(b.Turn)
}

// Decision returns the number of the decision that is asked, 0 for D1 to 32 for
// D33, -1 at chance and at the end.
func (b Board) Decision() int { return int(decisions[b.Ask]) }

// Phase returns the phase, 0 for the set-up to 9 for the end.
func (b Board) Phase() int { return int(b.phaseOf()) }

// PhaseName returns the name of a phase.
func PhaseName(i int) string { return phaseNames[i] }

// Order returns the faction whose turn is the i-th of the night, NoFaction before the first
// faction is drawn.
func (b Board) Order(i int) FactionID {
	if b.FirstSeat == noSeat {
		return NoFaction
	}
	return b.order(uint8(i))
}

// TileFacts is what is printed on the tile in a cell and which side lies up.
type TileFacts struct {
	Laid       bool // false before the tile is drawn; the rest is zero then
	Type       TileType
	PoliceID   int // 0 for a highway
	Difficulty int // of the side that lies up
	Metro      bool
	Circle     bool // it can hold an occupation
	Liberable  bool // it has a liberated side
	Liberated  bool
	Zone       bool // an Autonomous Zone
}

// facts returns what is printed on a tile, with one side up.
func (t *tile) facts(liberated bool) TileFacts {
	return TileFacts{true, t.Type, int(t.ID), int(t.difficulty(liberated)), t.Metro, t.Circle, t.Liberable, liberated, t.Free}
}

// Tile returns the facts of a cell, which are not to be changed.
func (v *View) Tile(c CellID) *TileFacts {
	t := v.Board.Tile[c]
	if t == noTile {
		return &v.box.notLaid
	}
	return &v.box.facts[t][v.lib(c)]
}

// Laid reports whether the whole city is laid; before that there are no connections.
func (b Board) Laid() bool { return b.Districts != 0 }

// Connection is a connection as it leaves a cell.
type Connection struct {
	Far         End // the other end
	OverHighway bool
	Barricades  int // in all
	Here        int // of these at this end (R3.6); a street has them all at both
}

// Connection returns the connection that leaves a cell by an arm; ok is false if there is
// none.
func (b Board) Connection(c CellID, arm Arm) (x Connection, ok bool) {
	e := EndOf(c, arm)
	if b.Districts == 0 || b.Links[e] == NoEnd {
		return x, false
	}
	x = Connection{Far: b.Links[e], OverHighway: b.overHighway(e), Barricades: int(b.barricadesAt(e))}
	if x.Here = x.Barricades; x.OverHighway {
		x.Here = int(b.Barricades[e])
	}
	return x, true
}

// AtSunrise reports whether the flags of Sunrise can be set.
func (b Board) AtSunrise() bool { return b.Turn == b.factions }

// LootCopies returns how many copies of a loot card there are.
func (b Board) LootCopies(card LootID) int { return int(b.box.loot[card].Copies) }

// OpsDeckSize returns how many cards the ops deck has, those on top that are known included.
func (b Board) OpsDeckSize() int { return int(b.PrefixSize) + int(sum(b.Ops[:])) }

// Meets reports whether a faction meets an option (0 or 1) of its agenda now; false if
// the view hides the agenda.
func (b Board) Meets(f FactionID, option int) bool {
	a := b.Agenda[f]
	return a < Agendas && b.Districts != 0 && b.meets(f, b.box.agendas[a].Options[option].All)
}

// Succeeds reports whether the scenario's success condition holds now.
func (b Board) Succeeds() bool {
	return b.Districts != 0 && b.undealt() >= b.factions && b.succeeds()
}

// GateOpen reports whether the scenario lets anybody win now (R10.1).
func (b Board) GateOpen() bool { return b.Districts != 0 && b.gateOpen() }

// Card returns the loot card that is carried out; ok is false if there is none.
func (p *Position) Card() (card LootID, ok bool) {
	return LootID(p.Now.Program), p.Now.Program < firstAbility
}

// Manifestation returns the manifestation card that is carried out; ok is false if there is
// none.
func (p *Position) Manifestation() (card ManifestID, ok bool) {
	return ManifestID(p.Now.Program - firstManifest), p.manifesting()
}

// Pending sums up the procedure at hand: each number has the meaning that it has in the step.
type Pending struct {
	From  CellID // of a move, or where D33 builds; NoCell
	Count uint8  // blocs or cops that move
	Left  uint8  // choices, draws, dice, victims that are still to come
	Keep  uint8  // cards to keep of those drawn; 1 for blocs lost to a van
	Last  uint8  // the least arm, faction, cell or Molotovs that the next choice may be (R13.4)
}

// Pending returns the numbers of what is under way.
func (b Board) Pending() Pending {
	n, from := &b.Now, CellID(NoCell)
	switch b.Step {
	case moveSource, moveCount, moveDestination:
		m := Pending{From: n.From, Count: n.Blocs}
		if b.manifesting() {
			m.Left = n.Times
		}
		return m
	case occupyCell:
		return Pending{From: n.Site, Left: n.Times, Last: uint8(n.Least)}
	case chooseOccupation:
		m := Pending{From: n.Site, Last: uint8(n.Least)}
		if b.manifesting() {
			m.Left = n.Times
		}
		return m
	case kickArm:
		return Pending{From: from, Count: n.Kicks}
	case rollDice, rollExtra:
		return Pending{From: from, Left: n.Rolls}
	case drawOps:
		return Pending{From: from, Left: n.Ops}
	case barricadeArm, manifestArm:
		return Pending{From: from, Left: n.Barricades, Last: uint8(n.LeastArm)}
	case drawLoot, discardDrawn:
		return Pending{From: from, Left: n.Cards, Keep: n.Keep}
	case nameVictims:
		return Pending{From: from, Left: n.Victims, Last: uint8(n.Victim)}
	case marchOrNot:
		return Pending{From: from, Left: n.Times}
	case mutiny:
		return Pending{From: from, Left: n.Times, Last: uint8(n.Least)}
	case rescue, rescueTo:
		return Pending{From: from, Keep: uint8(n.LostTo)}
	case attackBoost:
		return Pending{From: from, Last: n.Rank}
	case askMasks:
		return Pending{From: from, Last: n.Doors}
	}
	return Pending{From: from}
}
