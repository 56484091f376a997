package minuteman

import (
	"encoding/json"
	"fmt"
	"slices"

	"powderkeg/engine/ruledata"
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

// UnmarshalText reads a cell.
func (r *result) UnmarshalText(text []byte) (err error) {
	*r, err = lookUp[result](resultNames[:], string(text))
	return err
}

// table has its rows by the die, 0 to 6; without a modifier it has no row 0. Columns
// count from 0.
type table[T any] [7]T

// UnmarshalJSON reads an object of rows.
func (t *table[T]) UnmarshalJSON(data []byte) error {
	var rows map[uint8]T
	if err := json.Unmarshal(data, &rows); err != nil {
		return err
	}
	for die, row := range rows {
		if int(die) >= len(t) {
			return fmt.Errorf("a row for die %d", die)
		}
		t[die] = row
	}
	return nil
}

// odds of a column: positive n for n to 1, negative for 1 to n.
type odds int8

// UnmarshalText reads odds such as 3-1 or 1-2.
func (o *odds) UnmarshalText(text []byte) error {
	var a, d odds
	if n, _ := fmt.Sscanf(string(text), "%d-%d", &a, &d); n != 2 || a != 1 && d != 1 {
		return fmt.Errorf("odds %q", text)
	}
	if *o = a; a < d {
		*o = -d
	}
	return nil
}

// reaction is what one cell of the reaction table gives.
type reaction struct{ cigs, agents uint8 }

// UnmarshalText reads a cell such as 2C, 1A or none.
func (r *reaction) UnmarshalText(text []byte) error {
	var n uint8
	var what rune
	switch k, _ := fmt.Sscanf(string(text), "%d%c", &n, &what); {
	case k == 2 && what == 'C':
		r.cigs = n
	case k == 2 && what == 'A':
		r.agents = n
	case string(text) != "none":
		return fmt.Errorf("a reaction of %q", text)
	}
	return nil
}

// end is the upper end of a column, written as first and last number; the last column
// has none.
type end uint16

const noEnd = end(0xFFFF)

// UnmarshalJSON reads a column.
func (e *end) UnmarshalJSON(data []byte) error {
	var span [2]*uint16
	if err := json.Unmarshal(data, &span); err != nil {
		return err
	}
	if *e = noEnd; span[1] != nil {
		*e = end(*span[1])
	}
	return nil
}

// tables are the charts of the rulebook, and what is computed from them once.
type tables struct {
	tablesFile
	// militaryLine is the line of a terrain by the side of the defender (0 Rebel, 1
	// Government); index numTerrains stands for a Population I hex.
	militaryLine [2][numTerrains + 1]uint8
	success      [4]uint8        // highest die with which n markers or Agents succeed (R13, R10.7, R18)
	atOnce       [2]uint8        // Divisions and Militia that a side places in one Movement Phase (R20.5)
	prices       [3][4]uint8     // basic, Partisan, Occupation: Army, CIG, Agent, other (R8.3, R25.9, R26.7)
	allowance    [numKinds]uint8 // movement points; a Minuteman's after the Revolution (R8.4, R8.5, R17.2)
	events       [10][10]HexID
}

const winter = 3

// tablesFile is data/tables.json.
type tablesFile struct {
	record
	Build        chart[[6]result] `json:"unit_build_table"`
	Subversion   chart[[7]result]
	Sedition     chart[[7]result]
	Infiltration struct {
		chart[[6]result]
		Columns [6]odds
	}
	Military struct {
		chart[[7]result]
		Lines [4]struct {
			Rebel      []string `json:"rebel_defender_in"`
			Government []string `json:"government_defender_in"`
			Odds       [7]odds
		}
	}
	Success struct {
		record
		Dice map[int]dice `json:"success_on_die"`
	} `json:"assassination_betrayal_pin"`
	Reaction struct {
		chart[[9]reaction]
		Riots  [9]end `json:"riot_columns"` // upper ends of the columns
		Builds [9]end `json:"build_columns"`
	} `json:"government_reaction"`
	Minutemen struct {
		chart[[8]result]
		Columns    [8]end // upper ends of the price columns (R8.3)
		Costs      priceRecord
		Partisan   priceRecord `json:"costs_partisan"`
		Occupation priceRecord `json:"costs_occupation"`
	} `json:"minuteman_movement"`
	Spread         chart[uint8] `json:"riot_spread"` // Riots by die (R7.1)
	Reinforcements struct {
		record
		Divisions table[uint8] `json:"government_divisions_by_die"`
		AtOnce    uint8        `json:"government_rate_per_movement_phase"`
		Militia   uint8        `json:"rebel_rate_per_movement_phase"`
	} `json:"revolution_reinforcements"`
	Terrain struct {
		record
		Rows map[string]struct {
			MP     uint8
			Winter uint8 `json:"mp_winter"`
		}
	} `json:"terrain_effects"`
	Allowances struct {
		record
		Army, Agent, Militia, Network uint8
		Minuteman                     uint8 `json:"minuteman_after_revolution"`
	} `json:"movement_allowances"`
	Events struct {
		record
		Rows [10][10]string
	} `json:"random_events"`
	Season struct {
		record
		Order [4]string
	}
	Foreign record `json:"foreign_entry"`
}

// chart is a table by the die.
type chart[T any] struct {
	record
	Cells table[T]
}

type priceRecord struct {
	Army  uint8 `json:"army_division_zoc_or_hex"`
	CIG   uint8 `json:"cig_zoc_or_hex"`
	Agent uint8 `json:"agent_hex"`
	Other uint8
}

// readTables implements the charts: R7.4, R8.3, R9, R10.7 to R10.13, R13, R14 and
// R15.
// Ruling 1: the build table is a reconstruction.
func readTables(b *box) error {
	t := &b.tables
	f := &t.tablesFile
	if err := ruledata.Read(b.files, "tables", f); err != nil {
		return err
	}
	t.atOnce = [2]uint8{f.Reinforcements.AtOnce, f.Reinforcements.Militia}
	for n := range t.success {
		t.success[n] = uint8(len(f.Success.Dice[n]))
	}
	for i, p := range []priceRecord{f.Minutemen.Costs, f.Minutemen.Partisan, f.Minutemen.Occupation} {
		t.prices[i] = [4]uint8{p.Army, p.CIG, p.Agent, p.Other}
	}
	m := &f.Allowances
	t.allowance = [numKinds]uint8{network: m.Network, minuteman: m.Minuteman, militia: m.Militia, army: m.Army, agent: m.Agent}
	places := append(slices.Clone(terrainNames[:]), "pop1")
	for i, l := range f.Military.Lines {
		for side, names := range [2][]string{l.Rebel, l.Government} {
			for _, n := range names {
				p, err := lookUp[uint8](places, n)
				if err != nil {
					return fmt.Errorf("tables.json: military: %w", err)
				}
				t.militaryLine[side][p] = uint8(i)
			}
		}
	}
	for h := range b.hexes {
		x := &b.hexes[h]
		row := f.Terrain.Rows[terrainNames[x.terrain]]
		x.cost = [2]uint8{row.MP, row.Winter}
		for season, cost := range x.cost {
			if cost < 1 || cost > maxCost {
				return fmt.Errorf("tables.json: terrain_effects: %s must cost 1 to %d points", terrainNames[x.terrain], maxCost)
			}
			b.costSet[season][cost][x.col] |= 1 << x.row
		}
		b.costSet[noTerrain][1][x.col] |= 1 << x.row
	}
	for i, row := range f.Events.Rows { // R14.1
		for k, id := range row {
			h, ok := b.index[id]
			if !ok && id != "Pick" {
				return fmt.Errorf("tables.json: random_events has %q in row %d", id, i+1)
			}
			if b.events[i][k] = noHex; ok {
				b.events[i][k] = h
			}
		}
	}
	return nil
}

// column returns the first column whose upper end is not below n.
func column(ends []end, n int) int {
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
func oddsColumn(line []odds, attack, defence int) int {
	c, r := 0, ratio(attack, defence)
	for i, o := range line {
		if r >= int(o) {
			c = i
		}
	}
	return c
}
