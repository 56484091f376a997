package bloc

import "powderkeg/engine"

// What encoders and agents read (R16.1). All methods work on views; what a view hides is said
// at each. Factions are 0 to 3 (workers, students, neighbors, prisoners), cells
// 5*row+column, kinds of occupations 0 to 4 in the order of data/factions.json. None of
// the methods allocates; results that are pointers point into the state and must not be
// changed.

// Sizes of what the methods return.
const (
	Cells          = numCells
	Side           = side
	Arms           = numArms
	Factions       = numFactions
	Occupations    = numOccs
	Types          = numTypes
	LootCards      = numLoot
	OpsCards       = numOps
	Manifestations = numManifest
	Agendas        = numAgendas
	Decisions      = int(numDecisions)
	Verbs          = int(numVerbs)
	Phases         = int(isOver) + 1
	Uses           = int(numUses)
	MoraleSteps    = 5
	Scenarios      = 13
	Offers         = offerNothing + 1
)

// First action of each kind; the others follow in order.
const (
	ActDone    engine.Action = actDone
	ActYes     engine.Action = actYes
	ActNo      engine.Action = actNo
	ActCell    engine.Action = actCell
	ActArm     engine.Action = actArm
	ActCount   engine.Action = actCount
	ActOcc     engine.Action = actOcc
	ActFaction engine.Action = actFaction
	ActCard    engine.Action = actCard
	ActAny     engine.Action = actAny
	ActNothing engine.Action = actNothing
	ActVerb    engine.Action = actVerb
)

// Scenario returns the number of the scenario in the order of the option's choices.
func (s *View) Scenario() int {
	for i := range s.G.box.scenarios {
		if &s.G.box.scenarios[i] == s.G.scenario {
			return i
		}
	}
	return 0
}

// SemiCooperative reports whether agendas are in the game.
func (s *View) SemiCooperative() bool { return s.G.mode == semiCooperative }

// Players returns the number of players.
func (s *View) Players() int { return int(s.G.players) }

// FactionAt returns the faction in a seat (0 to 3), -1 if there is none.
func (s *View) FactionAt(seat int) int { return faction0(s.P.Seats[seat]) }

// faction0 turns a faction or its sentinel into a number or -1.
func faction0(f uint8) int {
	if f == noFaction {
		return -1
	}
	return int(f)
}

// FactionSeats returns how many seats have factions, 3 or 4.
func (s *View) FactionSeats() int { return int(s.G.factions) }

// Owner returns the player who decides for a faction, -1 if it is not in the game.
func (s *View) Owner(f int) engine.Player {
	if !s.G.inPlay(&s.P, uint8(f)) {
		return -1
	}
	return engine.Player(s.G.owner(&s.P, uint8(f)))
}

// Asked returns the faction that decides, -1 at chance and at the end.
func (s *View) Asked() int { return faction0(s.P.Asked) }

// Active returns the faction whose turn it is, -1 outside a turn.
func (s *View) Active() int {
	if ph := s.P.phaseOf(); ph < inDice || ph > inOps {
		return -1
	}
	return int(s.G.order(&s.P, s.P.Turn))
}

// Decision returns the number of the decision that is asked, 0 for D1 to 32 for
// D33, -1 at chance and at the end.
func (s *View) Decision() int {
	return int(decisions[s.P.Ask])
}

// Phase returns the phase, 0 for the set-up to 9 for the end.
func (s *View) Phase() int { return int(s.P.phaseOf()) }

// PhaseName returns the name of a phase.
func PhaseName(i int) string { return phaseNames[i] }

// Night returns the number of the night, 0 in the set-up; NightsLeft how many are
// left, this one included; TurnsDone how many factions have had their turn.
func (s *View) Night() int { return int(s.P.Night) }

// NightsLeft is described at Night.
func (s *View) NightsLeft() int { return int(s.P.NightsLeft) }

// TurnsDone is described at Night.
func (s *View) TurnsDone() int { return int(s.P.Turn) }

// Order returns the faction whose turn is the i-th of the night, -1 before the first
// faction is drawn.
func (s *View) Order(i int) int {
	if s.P.FirstSeat == noSeat {
		return -1
	}
	return faction0(s.G.order(&s.P, uint8(i)))
}

// TileFacts is what is printed on the tile in a cell and which side lies up.
type TileFacts struct {
	Laid       bool // false before the tile is drawn; the rest is zero then
	Type       int  // 0 to 3 districts of a faction, 4 State, 5 Public, 6 Commercial, 7 highway
	PoliceID   int  // 0 for a highway
	Difficulty int  // of the side that lies up
	Metro      bool
	Circle     bool // it can hold an occupation
	Liberable  bool // it has a liberated side
	Liberated  bool
	Zone       bool // an Autonomous Zone
}

// Tile returns the facts of a cell.
func (s *View) Tile(c int) TileFacts {
	p := &s.P
	if p.Tile[c] == noTile {
		return TileFacts{}
	}
	t := &s.G.box.tiles[p.Tile[c]]
	return TileFacts{true, int(t.Type), int(t.ID), int(s.G.difficulty(p, uint8(c))), t.Metro, t.Circle, t.Liberable, p.Liberated.has(uint8(c)), t.Free}
}

// TileName returns the name of the tile in a cell, "" before it is drawn.
func (s *View) TileName(c int) string {
	if s.P.Tile[c] == noTile {
		return ""
	}
	return s.G.box.tiles[s.P.Tile[c]].Name
}

// NoEnd stands for an arm without a connection.
const NoEnd = noLink

// Ends returns for each end 4*cell+arm the other end of its connection, NoEnd if there is
// none; Overs for each cell the arms whose connections run over a highway, a bit set;
// Built the barricades that stand at each end, for a street all at its lower end
// (R3.6).
func (s *View) Ends() (ends *[Cells * Arms]uint8, overs *[Cells]uint8, built *[Cells * Arms]uint8) {
	return &s.P.Links, &s.P.Over, &s.P.Barricades
}

// Laid reports whether the whole city is laid; before that there are no connections.
func (s *View) Laid() bool { return s.P.Districts != 0 }

// Connection returns the cell and arm at the other end of the connection that leaves a
// cell by an arm, whether it runs over a highway, and its barricades: in all, and those
// that stand at this end (R3.6; a street has them all at both ends). ok is false if
// there is no connection.
func (s *View) Connection(c, arm int) (far, farArm int, overHighway bool, barricades, here int, ok bool) {
	p, e := &s.P, uint8(4*c+arm)
	if p.Districts == 0 || p.Links[e] == noLink {
		return 0, 0, false, 0, 0, false
	}
	far, farArm = int(p.Links[e]/4), int(p.Links[e]%4)
	overHighway = p.Over[c]>>arm&1 != 0
	barricades = int(p.barricadesAt(e))
	here = barricades
	if overHighway {
		here = int(p.Barricades[e])
	}
	return far, farArm, overHighway, barricades, here, true
}

// Adjacent returns the districts adjacent to a cell, a bit set.
func (s *View) Adjacent(c int) uint32 { return uint32(s.P.Near[c]) }

// Reach returns the districts that blocs in a district can move to, a bit set.
func (s *View) Reach(c int) uint32 { return uint32(s.P.reach(uint8(c))) }

// Blocs returns the blocs of a faction by cell, Attacked how many of them have
// attacked in their clash.
func (s *View) Blocs(f int) *[Cells]uint8 { return &s.P.Blocs[f] }

// Attacked is described at Blocs.
func (s *View) Attacked(f int) *[Cells]uint8 { return &s.P.Attacked[f] }

// Mat returns the blocs on a faction's mat.
func (s *View) Mat(f int) int { return int(s.P.Mat[f]) }

// Cops returns the riot cops by cell.
func (s *View) Cops() *[Cells]uint8 { return &s.P.Cops }

// Vans returns by cell 0 for no van, else 1 plus its hits.
func (s *View) Vans() *[Cells]uint8 { return &s.P.Van }

// Occupation returns the faction and kind of the occupation in a cell, -1 for none.
func (s *View) Occupation(c int) (f, kind int) {
	h := int(s.P.Holder[c])
	if h == 0 {
		return -1, -1
	}
	return (h - 1) / numOccs, (h - 1) % numOccs
}

// Place returns the cell where an occupation stands, -1 if it is on the mat.
func (s *View) Place(f, kind int) int {
	if c := s.P.Place[f][kind]; c != noCell {
		return int(c)
	}
	return -1
}

// Centers returns the shopping centres by cell: 0 unlooted, 1 graffitied, 2 burned.
func (s *View) Centers(kind int) *[Cells]uint8 { return &s.P.Centers[kind] }

// AtSunrise reports whether the flags of Sunrise can be set.
func (s *View) AtSunrise() bool { return s.P.Turn == s.G.factions }

// Sunrise returns the flags of a district that hold till the end of Sunrise: its
// occupation is protected, attacks of so many cops are void, it counts as so many blocs
// more.
func (s *View) Sunrise(c int) (protected bool, cancelled, boost int) {
	return s.P.Protected.has(uint8(c)), int(s.P.Cancelled[c]), int(s.P.Boost[c])
}

// Barred returns the districts where a stopped kind of action (0 loot, 1 build, 2
// swap) is barred this turn, a bit set.
func (s *View) Barred(kind int) uint32 { return uint32(s.P.Barred[kind]) }

// Hand returns the loot cards in a faction's hand; in a view of another player, those
// that it is certain of.
func (s *View) Hand(f int) *[LootCards]uint8 { return &s.P.Hand[f] }

// HandSize returns the number of cards in a faction's hand.
func (s *View) HandSize(f int) int { return int(s.P.HandSize[f]) }

// Known returns the cards of faction f's hand that player v is certain of; zeroes in
// the view of a player who takes no part in it.
func (s *View) Known(v engine.Player, f int) *[LootCards]uint8 { return &s.P.Known[v][f] }

// LootDeck returns the cards of the loot deck; in a view, all that it hides. LootDeckSize is
// the deck's number of cards.
func (s *View) LootDeck() *[LootCards]uint8 { return &s.P.Deck }

// LootDeckSize is described at LootDeck.
func (s *View) LootDeckSize() int { return int(s.P.DeckSize) }

// LootDiscard returns the loot discard pile.
func (s *View) LootDiscard() *[LootCards]uint8 { return &s.P.Discard }

// Drawn returns the cards that are being drawn, zeroes where a view hides them.
func (s *View) Drawn() *[LootCards]uint8 { return &s.P.Drawn }

// LootCopies returns how many copies of a loot card there are.
func (s *View) LootCopies(t int) int { return int(s.G.box.loot[t].Copies) }

// OpsDeck returns the police ops cards of unknown place in the deck, OpsDiscard the
// discard pile.
func (s *View) OpsDeck() *[OpsCards]uint8 { return &s.P.Ops }

// OpsDiscard is described at OpsDeck.
func (s *View) OpsDiscard() *[OpsCards]uint8 { return &s.P.OpsDiscard }

// OpsAhead returns the i-th card of the ops deck from the top, -1 if it is not known.
func (s *View) OpsAhead(i int) int {
	if i >= int(s.P.PrefixSize) {
		return -1
	}
	return int(s.P.Prefix[i])
}

// OpsKnown returns how many cards on top of the ops deck are known, OpsDeckSize how many
// the deck has with them, and Revealed how many ops cards manifestations have shown this
// Sunrise.
func (s *View) OpsKnown() int { return int(s.P.PrefixSize) }

// OpsDeckSize is described at OpsKnown.
func (s *View) OpsDeckSize() int { return int(s.P.PrefixSize) + int(sum(s.P.Ops[:])) }

// Revealed is described at OpsKnown.
func (s *View) Revealed() int { return int(s.P.Revealed) }

// ManifestationsLeft returns the manifestation cards not turned up.
func (s *View) ManifestationsLeft() *[Manifestations]uint8 { return &s.P.Manifest }

// Agenda returns the agenda card of a faction, -1 if it has none or the view hides
// it.
func (s *View) Agenda(f int) int {
	if a := s.P.Agenda[f]; a < numAgendas {
		return int(a)
	}
	return -1
}

// Meets reports whether a faction meets an option (0 or 1) of its agenda now; false if
// the view hides the agenda.
func (s *View) Meets(f, option int) bool {
	a := s.P.Agenda[f]
	return a < numAgendas && s.P.Districts != 0 && s.G.meets(&s.P, uint8(f), s.G.box.agendas[a].Options[option].All)
}

// Succeeds reports whether the scenario's success condition holds now.
func (s *View) Succeeds() bool {
	return s.P.Districts != 0 && s.P.undealt() >= s.G.factions && s.G.succeeds(&s.P)
}

// GateOpen reports whether the scenario lets anybody win now (R10.1).
func (s *View) GateOpen() bool { return s.P.Districts != 0 && s.G.gateOpen(&s.P) }

// Dice returns the unspent action dice by value - 1.
func (s *View) Dice() *[6]uint8 { return &s.P.Dice }

// BonusDice returns the bonus dice of a faction's next turn.
func (s *View) BonusDice(f int) int { return int(s.P.BonusDice[f]) }

// Turn returns the counters of the turn: extra dice rolled, what Bolt Cutters take off,
// Signal Jammers played and proposals made.
func (s *View) Turn() (extra, bolt, jammers, trades int) {
	return int(s.P.ExtraDice), int(s.P.Bolt), int(s.P.Jammers), int(s.P.Trades)
}

// Used returns how often abilities were used this turn: Assembly Hall, Hacker Space,
// Propaganda Workshop, Social Center, Molotov Factory.
func (s *View) Used() *[Uses]uint8 { return &s.P.Uses }

// Morale returns the police morale step, 0 to 4.
func (s *View) Morale() int { return int(s.P.MoraleStep) }

// Lockdown returns the faction with the Metro Lockdown before it, -1 for none.
func (s *View) Lockdown() int { return faction0(s.P.Lockdown) }

// Supply returns cops and vans in staging, vans destroyed, and barricades in the pile.
func (s *View) Supply() (cops, vans, destroyed, barricades int) {
	return int(s.P.CopsLeft), int(s.P.VansLeft), int(s.P.Destroyed), int(s.P.Pile)
}

// Pending is what has been chosen of something that is not over. Numbers are -1 where
// there is nothing.
type Pending struct {
	Verb          int // the action under way
	Card          int // the loot card that is carried out
	Manifestation int // the manifestation card that is carried out
	Cell, From    int
	Count, Left   int
	Bonus, Roll   int
	Basic         bool
	Partner       int // faction
	Give, Want    int // 0 nothing yet, 1 to 15 a card, 16 any, 17 nothing; -1 hidden
	Liberating    int // bit set of factions
	Chooser       int // faction
	Lost          [Factions]uint8
	Occupation    int  // the kind that is to be built or swapped in
	Keep          int  // cards to keep of those drawn
	Last          int  // the least arm, faction, cell or Molotovs that the next choice may be (R13.4)
	Enough        bool // DONE is legal
}

// Pending returns what is under way.
func (s *View) Pending() Pending {
	n := &s.P.Now
	d := Pending{
		Verb: -1, Card: -1, Manifestation: -1, Cell: cell0(n.Cell), From: cell0(n.From), Count: int(n.Count), Left: int(n.Left),
		Bonus: int(n.Bonus), Roll: int(n.Roll), Basic: n.Basic, Partner: faction0(n.Partner), Give: offer0(n.Give), Want: offer0(n.Want),
		Liberating: int(n.Liberating), Chooser: faction0(n.Chooser), Lost: n.Lost,
		Occupation: kind0(n.Occ), Keep: int(n.Keep) + int(n.LostTo), Last: int(n.Last), Enough: n.Enough,
	}
	if n.Verb != noVerb {
		d.Verb = int(n.Verb)
	}
	switch {
	case n.Program == noProgram:
	case n.Program < firstAbility:
		d.Card = int(n.Program)
	case n.Program >= firstManifest:
		d.Manifestation = int(n.Program - firstManifest)
	}
	return d
}

func cell0(c uint8) int {
	if c == noCell {
		return -1
	}
	return int(c)
}

func kind0(k uint8) int {
	if k == noOcc {
		return -1
	}
	return int(k)
}

func offer0(o uint8) int {
	if o == hiddenOffer {
		return -1
	}
	return int(o)
}
