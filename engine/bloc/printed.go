package bloc

import "powderkeg/engine"

// What is printed, for people.

// Printed is the name of a thing and what it does, in our own words.
type Printed struct{ Key, Name, Text string }

// TileName returns the name of the tile in a cell, "" before it is laid.
func (b Board) TileName(c CellID) string {
	if b.Tile[c] == noTile {
		return ""
	}
	return b.box.tiles[b.Tile[c]].Name
}

// Open reports whether a street leaves the tile in a cell by an arm: a highway is open on
// all sides, and a cell without a tile on none.
func (b Board) Open(c CellID, arm Arm) bool {
	t := b.Tile[c]
	return t != noTile && (b.box.tiles[t].Type == TypeHighway || b.box.open(b.Position, c, arm))
}

// Through returns where the highway in a cell leads that is entered by an arm.
func (b Board) Through(c CellID, in Arm) Arm {
	return through(b.box.tiles[b.Tile[c]].Roads, b.Rotation[c], in)
}

// PrintedMorale returns the name of the police's morale.
func (b Board) PrintedMorale() string { return b.box.morale[b.MoraleStep].Name }

// ScenarioName returns the name of the scenario.
func (b Board) ScenarioName() string { return b.scenario.Name }

// Cards are all cards and occupations of the game.
type Cards struct {
	Loot        [LootCards]Printed
	Ops         [OpsCards]Printed
	Agendas     [Agendas]Printed // both options in the text
	Occupations [Factions][Occupations]Printed
}

// AllCards returns what is printed on the cards of a game, as its edition has them and in a
// copy that belongs to the caller, nil for another game.
func AllCards(g engine.Game) *Cards {
	own, ok := g.(*game)
	if !ok {
		return nil
	}
	b := own.box
	all := &Cards{}
	for i := range b.loot {
		all.Loot[i] = Printed{b.loot[i].Key, b.loot[i].Name, b.loot[i].Text}
	}
	for i := range b.ops {
		all.Ops[i] = Printed{b.ops[i].Key, b.opsName(OpsID(i)), b.ops[i].Text}
	}
	for i := range b.agendas {
		a := &b.agendas[i]
		all.Agendas[i] = Printed{a.Key, a.Name, a.Options[0].Text + " Or: " + a.Options[1].Text}
	}
	for f := range b.factions {
		for k := range b.factions[f].occs {
			o := &b.factions[f].occs[k]
			all.Occupations[f][k] = Printed{o.Key, o.Name, o.Text}
		}
	}
	return all
}
