package minuteman

import (
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// weak are the numbers of a counter's weak side, and of the steps of a CIG.
var weak = []ruledata.Field{{Name: "attack", Low: 1, High: 12}, {Name: "defense", Low: 1, High: 10}, {Name: "build", Low: 1, High: 6}}

// data is what an edition may replace: the build table, the sides of counters that the
// rulebook does not print, and of the map its terrain, sides and names (Rulings 1 and 6).
var data = engine.Data{
	Files: files, Version: 3, Names: []string{"decisions", "map", "scenarios", "tables", "units"},
	Open: []ruledata.Open{
		{File: "tables", At: "unit_build_table", Mark: "source", Fields: []ruledata.Field{{Name: "cells", Words: []string{"R", "U", "none", "B"}}}},
		{File: "units", At: "minuteman.weak", Mark: "source", Fields: weak},
		{File: "units", At: "network.weak", Mark: "source", Fields: weak},
		{File: "units", At: "agent.weak", Mark: "source", Fields: weak},
		{File: "units", At: "cig.steps[]", Mark: "source", Fields: weak},
		{File: "units", At: "informer.counters[]", Mark: "source", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "map", At: "hexes[]", Mark: "source", Fields: []ruledata.Field{{Name: "terrain", Words: terrainNames[:]}, {Name: "passable"}}},
		{File: "map", Derived: true, Fields: []ruledata.Field{{Name: "prohibited_hexsides", Free: true}}},
	},
	Fixed: []ruledata.Fixed{
		{What: "map.json, the hexes of land, their countries, coasts, borders and names, and which have Population",
			Why: "actions and observations are made for them, and the random events and the Front Line name them"},
		{What: "units.json, types of divisions and the colours of Networks", Why: "RULINGS.md says what they are taken for"},
		{What: "scenarios.json, the regions of the dispersed set-up", Why: "it is a division of ours"},
	},
	Load: func(files ruledata.Files) (engine.Compiled, error) { return newBox(files) },
}

// Faults implements engine.Compiled and R3.1: a side is the same from both of its hexes and
// in the list of those that are prohibited; named cities are where the file says; and the
// last column of the build table is as the rulebook says of it.
func (b *box) Faults() []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	var f mapFile
	var prohibited struct{ List [][2]string }
	if err := ruledata.Read(b.files, "map", &f); err != nil {
		return []string{err.Error()}
	}
	if err := ruledata.Decode(f.Prohibited, &prohibited.List); err != nil {
		return []string{"map.json: prohibited_hexsides: " + err.Error()}
	}
	sides := map[[2]string]bool{}
	for _, s := range prohibited.List {
		slices.Sort(s[:])
		if sides[s] {
			fault("map.json: prohibited_hexsides has the side of %s and %s twice", s[0], s[1])
		}
		sides[s] = true
	}
	for i := range f.Hexes {
		h := &f.Hexes[i]
		for k, id := range h.Neighbours {
			if id == nil || *id < h.ID {
				continue // seen from the other hex
			}
			side := [2]string{h.ID, *id}
			if f.Hexes[b.index[*id]].Passable[(k+3)%6] != h.Passable[k] {
				fault("map.json: the side of %s and %s is passable from one of them alone", h.ID, *id)
			}
			if sides[side] == h.Passable[k] {
				fault("map.json: the side of %s and %s is passable, and in prohibited_hexsides, or neither", h.ID, *id)
			}
			delete(sides, side)
		}
	}
	for s := range sides {
		fault("map.json: prohibited_hexsides: %s and %s have no common side", s[0], s[1])
	}
	for _, list := range []map[string]string{f.Named, f.Partisan} {
		for name, id := range list {
			if h := &b.hexes[b.index[id]]; h.id != id || h.pop != 1 || h.name != name {
				fault("map.json: %s is not at %s", name, id)
			}
		}
	}
	for _, die := range []int{5, 6} {
		if row := b.tables.Build.Cells[die]; row[5] != rBuild {
			fault("tables.json, unit_build_table: a %d in the column 6+ builds, by the rulebook (19.3)", die)
		}
	}
	slices.Sort(faults)
	return faults
}
