package minuteman

import (
	"fmt"
	"slices"
)

// result is one cell of a table.
type result uint8

const (
	noResult result = iota
	rBuild          // build table: B
	rUnrest         // build and sedition tables: U
	rRiot           // R
	rAe             // attacker eliminated
	rhAe            // half of the attackers eliminated
	rAr             // attacker retreats
	rA1             // attacker loses a step
	rDr             // defender retreats
	rD1             // defender loses a step
	rDe             // defender eliminated
	rPin            // subversion: P
	rConvert        // subversion: M
	rStop           // Minuteman movement: St
	rLost           // Minuteman movement: Me
	numResults
)

var resultNames = [numResults]string{"none", "B", "U", "R", "Ae", "hAe", "Ar", "A1", "Dr", "D1", "De", "P", "M", "St", "Me"}

// Rows of a table are indexed by the die, 0 to 6; a table without modifier has no
// row 0. Columns count from 0.
type table[T any] [7]T

// tables are the charts of the rulebook, cell by cell.
type tables struct {
	build        table[[6]result]
	subversion   table[[7]result]
	sedition     table[[7]result]
	infiltration table[[6]result]
	military     table[[7]result]
	minutemen    table[[8]result]
	// Odds of the columns: positive n for n to 1, negative for 1 to n.
	infiltrationOdds [6]int8
	militaryOdds     [4][7]int8
	// militaryLine is the line of a terrain by the side of the defender (0 Rebel, 1
	// Government); index numTerrains stands for a Population I hex.
	militaryLine [2][numTerrains + 1]uint8
	success      [4]uint8 // highest die with which n markers or Agents succeed (R13, R10.7, R18)
	spread       [7]uint8 // Riots by die (R7.1)
	divisions    [7]uint8 // Government reinforcements of the Revolution by die (R20.3)
	// Reaction (R15): upper ends of the columns, and new units of a cell.
	riotColumns, buildColumns [9]uint16
	reaction                  table[[9]reaction]
	minutemanColumns          [8]uint16   // upper ends of the price columns (R8.3)
	prices                    [3][4]uint8 // basic, Partisan, Occupation: Army, CIG, Agent, other (R8.3, R25.9, R26.7)
	events                    [10][10]int16
	seasons                   [4]string
}

// reaction is what one cell of the reaction table gives.
type reaction struct{ cigs, agents uint8 }

const winter = 3

type tableFile struct {
	Build        tableEntry `json:"unit_build_table"`
	Subversion   tableEntry `json:"subversion"`
	Sedition     tableEntry `json:"sedition"`
	Infiltration tableEntry `json:"infiltration"`
	Military     struct {
		tableEntry
		Lines []struct {
			Rebel      []string `json:"rebel_defender_in"`
			Government []string `json:"government_defender_in"`
			Odds       []string `json:"odds"`
		} `json:"lines"`
	} `json:"military"`
	Success struct {
		source
		Dice map[string][]uint8 `json:"success_on_die"`
	} `json:"assassination_betrayal_pin"`
	Reaction struct {
		source
		Riots  [][2]*uint16        `json:"riot_columns"`
		Builds [][2]*uint16        `json:"build_columns"`
		Cells  map[string][]string `json:"cells"`
	} `json:"government_reaction"`
	Minutemen struct {
		source
		Columns    [][2]*uint16        `json:"columns"`
		Cells      map[string][]string `json:"cells"`
		Costs      priceEntry          `json:"costs"`
		Partisan   priceEntry          `json:"costs_partisan"`
		Occupation priceEntry          `json:"costs_occupation"`
	} `json:"minuteman_movement"`
	Spread struct {
		source
		Cells map[string]uint8 `json:"cells"`
	} `json:"riot_spread"`
	Reinforcements struct {
		source
		Divisions map[string]uint8 `json:"government_divisions_by_die"`
	} `json:"revolution_reinforcements"`
	Terrain struct {
		source
		Rows map[string]struct {
			MP       uint8 `json:"mp"`
			MPWinter uint8 `json:"mp_winter"`
		} `json:"rows"`
	} `json:"terrain_effects"`
	Events struct {
		source
		Rows [][]string `json:"rows"`
	} `json:"random_events"`
	Season struct {
		source
		Order []string `json:"order"`
	} `json:"season"`
}

type tableEntry struct {
	source
	Columns []any               `json:"columns"`
	Cells   map[string][]string `json:"cells"`
}

type priceEntry struct {
	Army  uint8 `json:"army_division_zoc_or_hex"`
	CIG   uint8 `json:"cig_zoc_or_hex"`
	Agent uint8 `json:"agent_hex"`
	Other uint8 `json:"other"`
}

// readTables implements the charts: R7.4, R8.3, R9, R10.7 to R10.13, R13, R14 and
// R15.
// Ruling 1: the build table is a reconstruction.
func readTables(b *box) error {
	var f tableFile
	if err := decodeFile("tables", &f); err != nil {
		return err
	}
	t := &b.tables
	for _, e := range []struct {
		name  string
		s     source
		cells map[string][]string
		row   func(die int) []result
		first int
	}{
		{"unit_build_table", f.Build.source, f.Build.Cells, func(d int) []result { return t.build[d][:] }, 0},
		{"subversion", f.Subversion.source, f.Subversion.Cells, func(d int) []result { return t.subversion[d][:] }, 0},
		{"sedition", f.Sedition.source, f.Sedition.Cells, func(d int) []result { return t.sedition[d][:] }, 0},
		{"infiltration", f.Infiltration.source, f.Infiltration.Cells, func(d int) []result { return t.infiltration[d][:] }, 1},
		{"military", f.Military.source, f.Military.Cells, func(d int) []result { return t.military[d][:] }, 1},
		{"minuteman_movement", f.Minutemen.source, f.Minutemen.Cells, func(d int) []result { return t.minutemen[d][:] }, 1},
	} {
		if err := e.s.check("tables.json: " + e.name); err != nil {
			return err
		}
		for die := e.first; die <= 6; die++ {
			cells, row := e.cells[fmt.Sprint(die)], e.row(die)
			if len(cells) != len(row) {
				return fmt.Errorf("tables.json: %s: row %d has %d cells, want %d", e.name, die, len(cells), len(row))
			}
			for i, c := range cells {
				r := slices.Index(resultNames[:], c)
				if r < 0 {
					return fmt.Errorf("tables.json: %s: unknown result %q", e.name, c)
				}
				row[i] = result(r)
			}
		}
	}
	if err := readOdds(t, &f); err != nil {
		return err
	}
	if err := readNumbers(t, &f); err != nil {
		return err
	}
	for h := range b.hexes {
		x := &b.hexes[h]
		row := f.Terrain.Rows[terrainNames[x.terrain]]
		if row.MP == 0 || row.MPWinter == 0 || max(row.MP, row.MPWinter) > maxCost {
			return fmt.Errorf("tables.json: terrain_effects: %s must cost 1 to %d points", terrainNames[x.terrain], maxCost)
		}
		x.cost = [2]uint8{row.MP, row.MPWinter}
		for season, cost := range x.cost {
			b.costSet[season][cost].add(int16(h))
		}
		b.costSet[noTerrain][1].add(int16(h))
	}
	return readEvents(b, &f)
}

// readOdds reads the columns of the odds tables.
func readOdds(t *tables, f *tableFile) error {
	odds := func(s string) (int8, error) {
		var a, d int8
		if n, _ := fmt.Sscanf(s, "%d-%d", &a, &d); n != 2 || a != 1 && d != 1 {
			return 0, fmt.Errorf("tables.json: odds %q", s)
		}
		if a >= d {
			return a, nil
		}
		return -d, nil
	}
	var err error
	for i, c := range f.Infiltration.Columns {
		if t.infiltrationOdds[i], err = odds(fmt.Sprint(c)); err != nil {
			return err
		}
	}
	if len(f.Military.Lines) != len(t.militaryOdds) {
		return fmt.Errorf("tables.json: %d lines of military odds", len(f.Military.Lines))
	}
	places := append(slices.Clone(terrainNames[:]), "pop1")
	found := 0
	for i, l := range f.Military.Lines {
		if len(l.Odds) != 7 {
			return fmt.Errorf("tables.json: a line of %d military odds", len(l.Odds))
		}
		for k, s := range l.Odds {
			if t.militaryOdds[i][k], err = odds(s); err != nil {
				return err
			}
		}
		for side, names := range [2][]string{l.Rebel, l.Government} {
			for _, n := range names {
				p := slices.Index(places, n)
				if p < 0 {
					return fmt.Errorf("tables.json: unknown terrain %q", n)
				}
				t.militaryLine[side][p] = uint8(i)
				found++
			}
		}
	}
	if found != 2*len(places) {
		return fmt.Errorf("tables.json: military lines name %d terrains, want %d", found, 2*len(places))
	}
	return nil
}

// ends reads the upper ends of columns that leave no gap.
func ends(columns [][2]*uint16, into []uint16) error {
	if len(columns) != len(into) {
		return fmt.Errorf("tables.json: %d columns, want %d", len(columns), len(into))
	}
	next := uint16(0)
	for i, c := range columns {
		if c[0] == nil || *c[0] != next || (c[1] == nil) != (i == len(columns)-1) {
			return fmt.Errorf("tables.json: columns have gaps")
		}
		into[i] = 0xFFFF
		if c[1] != nil {
			into[i], next = *c[1], *c[1]+1
		}
	}
	return nil
}

// readNumbers reads the charts of numbers.
func readNumbers(t *tables, f *tableFile) error {
	for n := 1; n <= 3; n++ {
		dice := f.Success.Dice[fmt.Sprint(n)]
		for i, d := range dice {
			if int(d) != i+1 {
				return fmt.Errorf("tables.json: success of %d markers is not a run from 1", n)
			}
		}
		t.success[n] = uint8(len(dice))
	}
	if err := ends(f.Reaction.Riots, t.riotColumns[:]); err != nil {
		return err
	}
	if err := ends(f.Reaction.Builds, t.buildColumns[:]); err != nil {
		return err
	}
	if err := ends(f.Minutemen.Columns, t.minutemanColumns[:]); err != nil {
		return err
	}
	for i, p := range []priceEntry{f.Minutemen.Costs, f.Minutemen.Partisan, f.Minutemen.Occupation} {
		t.prices[i] = [4]uint8{p.Army, p.CIG, p.Agent, p.Other}
	}
	for die := 1; die <= 6; die++ {
		key := fmt.Sprint(die)
		var ok bool
		if t.spread[die], ok = f.Spread.Cells[key]; !ok {
			return fmt.Errorf("tables.json: riot_spread lacks %s", key)
		}
		if t.divisions[die], ok = f.Reinforcements.Divisions[key]; !ok {
			return fmt.Errorf("tables.json: revolution_reinforcements lack %s", key)
		}
		if len(f.Reaction.Cells[key]) != 9 {
			return fmt.Errorf("tables.json: government_reaction: row %d", die)
		}
		for i, c := range f.Reaction.Cells[key] {
			var n uint8
			var what rune
			if c == "none" {
				continue
			}
			if k, _ := fmt.Sscanf(c, "%d%c", &n, &what); k != 2 || what != 'C' && what != 'A' {
				return fmt.Errorf("tables.json: government_reaction: cell %q", c)
			}
			if what == 'C' {
				t.reaction[die][i].cigs = n
			} else {
				t.reaction[die][i].agents = n
			}
		}
	}
	if len(f.Season.Order) != 4 || f.Season.Order[winter] != "Winter" {
		return fmt.Errorf("tables.json: seasons %v", f.Season.Order)
	}
	copy(t.seasons[:], f.Season.Order)
	return nil
}

// readEvents implements R14.1 (the table of random events); a Pick is noHex.
func readEvents(b *box, f *tableFile) error {
	if len(f.Events.Rows) != 10 {
		return fmt.Errorf("tables.json: random_events has %d rows", len(f.Events.Rows))
	}
	for i, row := range f.Events.Rows {
		if len(row) != 10 {
			return fmt.Errorf("tables.json: random_events: row %d has %d cells", i+1, len(row))
		}
		for k, id := range row {
			h, ok := b.index[id]
			switch {
			case i == k && id == "Pick":
				h = noHex
			case i == k || !ok || b.hexes[h].pop != 1 || b.hexes[h].country != us:
				return fmt.Errorf("tables.json: random_events has %q in row %d", id, i+1)
			}
			b.events[i][k] = h
		}
	}
	return nil
}

// column returns the first column whose upper end is not below n.
func column(ends []uint16, n int) int {
	for i, e := range ends {
		if n <= int(e) {
			return i
		}
	}
	return len(ends) - 1
}

// ratio implements R10.9: attack to defence, rounded for the defender; n for n to
// 1 and -n for 1 to n.
// Ruling 29: odds below the table use its first column.
func ratio(attack, defence int) int {
	switch {
	case attack <= 0:
		return -1 << 10
	case attack >= defence:
		return attack / max(defence, 1)
	}
	return -(defence + attack - 1) / attack
}

// oddsColumn implements R10.9: the rightmost column that the odds reach.
// Ruling 4: the tables are completed so that they are monotone.
func oddsColumn(line []int8, attack, defence int) int {
	c, r := 0, ratio(attack, defence)
	for i, o := range line {
		if r >= int(o) {
			c = i
		}
	}
	return c
}
