package minuteman

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The charts once more, typed from the specification for comparison with what the
// loader makes of data/tables.json: a row for every face of the die from the first,
// columns from left to right, a dot for no result.
var charts = []struct {
	rule, name string
	first      int // die of the first row
	cell       func(g *game, die, column int) result
	rows       string
	worst      string // the results from worst to best for whom the table serves
	high       bool   // a high die is good for him
}{
	{"R7.4", "unit build", 0, func(g *game, d, c int) result { return g.Build.Cells[d][c] }, `
		R R R R U .
		R R R U U .
		R R U U . B
		U U . B B B
		U . B B B B
		. B B B B B
		B B B B B B`, "R U . B", true},
	{"R10.12", "subversion", 0, func(g *game, d, c int) result { return g.Subversion.Cells[d][c] }, `
		Ae Ae Ae Ae hAe hAe hAe
		Ae Ae Ae Ae hAe hAe hAe
		Ae Ae Ae Ae  .   P   P
		 .  .  .  .  P   P   P
		 .  .  .  P  P   P   M
		 .  .  P  P  P   P   M
		 P  P  P  P  P   M   M`, "Ae hAe . P M", true},
	{"R10.13", "sedition", 0, func(g *game, d, c int) result { return g.Sedition.Cells[d][c] }, `
		A1 A1 . . . . .
		A1  . . . . . U
		 .  . . . . U R
		 .  . . . U R R
		 .  . . U R R R
		 .  . U R R R R
		 U  R R R R R R`, "A1 . U R", true},
	{"R10.11", "infiltration", 1, func(g *game, d, c int) result { return g.Infiltration.Cells[d][c] }, `
		D1 D1 De De De De
		 . D1 D1 De De De
		 .  . D1 D1 De De
		A1  .  . D1 D1 De
		A1 A1  .  . D1 D1
		Ae A1 A1  .  . D1`, "Ae A1 . D1 De", false},
	{"R10.10", "military", 1, func(g *game, d, c int) result { return g.Military.Cells[d][c] }, `
		Ae Ae Ar Ar Dr Dr Dr
		Ae Ar Ar Ar Dr Dr Dr
		Ar Ar Dr Dr Dr Dr De
		Ar Dr Dr Dr Dr Dr De
		Dr Dr Dr Dr De De De
		Dr Dr Dr De De De De`, "Ae Ar Dr De", true},
	{"R8.3", "Minuteman movement", 1, func(g *game, d, c int) result { return g.Minutemen.Cells[d][7-c] }, `
		 .  .  .  .  .  .  .  .
		St  .  .  .  .  .  .  .
		St St  .  .  .  .  .  .
		Me St St St  .  .  .  .
		Me Me St St St  .  .  .
		Me Me Me Me Me Me Me  .`, "Me St .", false}, // from the dearest column on
}

func cells(rows string) [][]string {
	var table [][]string
	for _, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		table = append(table, strings.Fields(row))
	}
	return table
}

// TestEveryCellOfTheCharts is about R7.4, R8.3 and R10.10 to R10.13.
// Ruling 1.
// Ruling 19.
func TestEveryCellOfTheCharts(t *testing.T) {
	g := configured(t)
	for _, x := range charts {
		for i, row := range cells(x.rows) {
			for c, want := range row {
				die := x.first + i
				if got := strings.Replace(resultNames[x.cell(g, die, c)], "none", ".", 1); got != want {
					t.Errorf("%s (%s): die %d, column %d is %s, want %s", x.name, x.rule, die, c+1, got, want)
				}
			}
		}
	}
}

// TestChartsAreMonotone: a column further to the right, or a better die, is never
// worse (Ruling 4).
func TestChartsAreMonotone(t *testing.T) {
	g := configured(t)
	for _, x := range charts {
		order := strings.Fields(x.worst)
		value := func(die, c int) int {
			return slices.Index(order, strings.Replace(resultNames[x.cell(g, die, c)], "none", ".", 1))
		}
		width := len(cells(x.rows)[0])
		for die := x.first; die <= 6; die++ {
			for c := range width {
				if c > 0 && value(die, c) < value(die, c-1) {
					t.Errorf("%s (%s): die %d is worse in column %d than in the one before", x.name, x.rule, die, c+1)
				}
				if die > x.first && (value(die, c) != value(die-1, c)) && (value(die, c) > value(die-1, c)) != x.high {
					t.Errorf("%s (%s): column %d goes the wrong way from die %d to %d", x.name, x.rule, c+1, die-1, die)
				}
			}
		}
	}
}

// lineOdds are the columns of the military table by the place of the fight, as
// numbers to 1, negative for 1 to the number: the first, the others follow.
var lineOdds = map[string]map[string]int{
	"rebel":      {"clear": -3, "rough_brushland": -3, "south_winter_cover": 1, "north_winter_cover": 2, "population_i": 2},
	"government": {"clear": 1, "rough_brushland": 1, "south_winter_cover": -2, "north_winter_cover": -2, "population_i": -3},
}

// slowColumn is R10.9: the last column whose odds the attacker has, from the first
// one on in steps of one; 1 to 1 follows 1 to 2.
func slowColumn(first, width, attack, defence int) int {
	column, odds := 0, first
	for c := range width {
		if odds > 0 && attack >= odds*defence || odds < 0 && -odds*attack >= defence {
			column = c
		}
		if odds++; odds == -1 {
			odds = 1
		}
	}
	return column
}

// TestOddsColumns is about R10.9 and R10.10: every pair of strengths that can meet.
// Ruling 29.
func TestOddsColumns(t *testing.T) {
	g := configured(t)
	for side, places := range []string{"rebel", "government"} {
		for place, name := range append(append([]string{}, terrainNames[:]...), "population_i") {
			odds := g.Military.Lines[g.militaryLine[side][place]].Odds[:]
			for a := range 121 {
				for d := 1; d <= 60; d++ {
					if got, want := oddsColumn(odds, a, d), slowColumn(lineOdds[places][name], 7, a, d); got != want {
						t.Fatalf("%d to %d on a %s defender in %s: column %d, want %d", a, d, places, name, got+1, want+1)
					}
				}
			}
		}
	}
	for a := range 121 {
		for d := 1; d <= 60; d++ {
			if got, want := oddsColumn(g.Infiltration.Columns[:], a, d), slowColumn(-2, 6, a, d); got != want {
				t.Fatalf("Infiltration of %d against %d: column %d, want %d (R10.11)", a, d, got+1, want+1)
			}
		}
	}
}

// TestReactionTable is about R15 and R25.10.
func TestReactionTable(t *testing.T) {
	g := configured(t)
	want := cells(`
		1C 1C 1C 2C 2C 1A 2A 2A 3A
		 . 1C 1C 1C 1C 2C 2C 2C 3C
		 .  . 1C 1C 1C 1C 2C 2C 2C
		 .  .  . 1C 1C 1C 1C 1C 2C
		 .  .  .  .  .  . 1C 1C 2C
		 .  .  .  .  .  .  .  . 1C`)
	for die := 1; die <= 6; die++ {
		for c, text := range want[die-1] {
			var r reaction
			if n := text[0] - '0'; strings.HasSuffix(text, "C") {
				r.cigs = n
			} else if strings.HasSuffix(text, "A") {
				r.agents = n
			}
			if g.Reaction.Cells[die][c] != r {
				t.Errorf("die %d, column %d gives %+v, want %s", die, c+1, g.Reaction.Cells[die][c], text)
			}
		}
	}
	for what, x := range map[string]struct {
		ends  *[9]end
		first []int // number that each column begins with
	}{
		"riots":  {&g.Reaction.Riots, []int{0, 2, 3, 4, 5, 6, 8, 10, 15}},
		"builds": {&g.Reaction.Builds, []int{0, 3, 8, 21, 36, 51, 66, 81, 100}},
	} {
		for n := range 400 {
			want := 0
			for c, first := range x.first {
				if n >= first {
					want = c
				}
			}
			if got := column(x.ends[:], n); got != want {
				t.Fatalf("%d %s: column %d, want %d", n, what, got+1, want+1)
			}
		}
	}
	partisan := configured(t, argument("scenario", "partisan"))
	for track := range 120 {
		p := bare(partisan, phaseG1, 1)
		p.Track = uint16(track)
		if got, want := partisan.reactionColumn(&p, true), max(0, column(g.Reaction.Builds[:], track)-1); got != want {
			t.Errorf("Partisan, track %d: column %d, want %d (R25.10)", track, got+1, want+1)
		}
	}
}

// TestMinutemanPrices is about R8.3, R25.9 and R26.7.
func TestMinutemanPrices(t *testing.T) {
	g := configured(t)
	first := []int{0, 5, 10, 15, 20, 31, 41, 51}
	for n := range 300 {
		want := 0
		for c, low := range first {
			if n >= low {
				want = c
			}
		}
		if got := column(g.Minutemen.Columns[:], n); got != want {
			t.Fatalf("a price of %d: column %d, want %d", n, got+1, want+1)
		}
		for shown := range 7 {
			for die := 1; die <= 6; die++ {
				if got, free := g.minutemanResult(n, shown, die), g.minutemanResult(first[max(0, want-shown)], 0, die); got != free {
					t.Errorf("a price of %d with %d Passage markers, die %d: %s, want %s", n, shown, die, resultNames[got], resultNames[free])
				}
			}
		}
	}
	if want := [3][4]uint8{{5, 3, 2, 1}, {15, 10, 10, 0}, {10, 5, 5, 0}}; g.tables.prices != want {
		t.Errorf("Army, CIG, Agent and other hexes cost %v, want %v", g.tables.prices, want)
	}
}

// TestDiceTables is about R7.1, R10.7, R13, R18 and R20.3.
func TestDiceTables(t *testing.T) {
	g := configured(t)
	if want := [4]uint8{0, 2, 4, 6}; g.success != want {
		t.Errorf("one to three markers or Agents succeed on dice up to %v, want %v (R13)", g.success, want)
	}
	if want := [7]uint8{0, 0, 0, 0, 1, 1, 2}; g.Spread.Cells != want {
		t.Errorf("Riots spread to %v hexes by die, want %v (R7.1)", g.Spread.Cells, want)
	}
	if want := [7]uint8{0, 0, 0, 1, 2, 3, 4}; g.Reinforcements.Divisions != want {
		t.Errorf("the Revolution brings %v Divisions by die, want %v (R20.3)", g.Reinforcements.Divisions, want)
	}
}

// TestRandomEventsTable is about R14.1 and Ruling 7.
func TestRandomEventsTable(t *testing.T) {
	g := configured(t)
	rows := cells(`
		Pick 4309 4311 4212 3914 3812 3211 3314 3321 4024
		4310 Pick 4010 3811 3612 3817 2809 2519 3723 3925
		4211 4408 Pick 3816 4012 3723 3114 2822 3915 1914
		4113 4210 3913 Pick 3421 3412 4011 2722 0714 3310
		3910 4112 3411 3413 Pick 4015 3911 0906 3111 3312
		4013 4114 3917 3711 3213 Pick 0918 3419 0713 3916
		3414 3015 3924 3717 0715 1412 Pick 3912 0907 1820
		3212 3512 3513 3221 1319 3810 2922 Pick 3713 0917
		3122 2419 3013 0613 2622 3712 3922 3214 Pick 0713
		2422 3822 1016 2715 4111 3021 2520 1017 0905 Pick`)
	seen := map[string]int{}
	for b, row := range rows {
		for a, want := range row {
			got := "Pick"
			if h := g.events[b][a]; h != noHex {
				got = g.hexes[h].id
				seen[got]++
			}
			if got != want {
				t.Errorf("chits %d and %d: %s, want %s", a+1, b+1, got, want)
			}
		}
	}
	if len(seen) != 88 || seen["0713"] != 2 || seen["3723"] != 2 {
		t.Errorf("the table has %d hexes, want 88, of which 0713 and 3723 twice", len(seen))
	}
	for h := range HexID(numHexes) {
		if x := &g.hexes[h]; (x.pop == 1 && x.country == us) != (seen[x.id] > 0) {
			t.Errorf("%s: Population I of the US and in the table are not the same", x.id)
		}
	}
}

// TestTerrainCosts is about R9.
func TestTerrainCosts(t *testing.T) {
	g := configured(t)
	for h := range g.hexes {
		x := &g.hexes[h]
		want := map[terrain][2]uint8{clearTerrain: {1, 1}, southWinterCover: {2, 2}, northWinterCover: {2, 3}, roughBrushland: {2, 2}}[x.terrain]
		if x.cost != want {
			t.Errorf("%s (%s) costs %v, in Winter as the second number; want %v", x.id, terrainNames[x.terrain], x.cost, want)
		}
	}
	for turn := uint8(1); turn <= 24; turn++ {
		p := bare(g, phaseA3, turn)
		if got, want := p.isWinter(), turn == 4 || turn == 8 || turn == 12 || turn == 16 || turn == 20 || turn == 24; got != want {
			t.Errorf("Game-Turn %d is in Winter: %v, want %v", turn, got, want)
		}
	}
}

// TestCounterSheet is about R1.3, R1.4 and R6.2: every strength on it.
// Ruling 2.
// Ruling 21.
func TestCounterSheet(t *testing.T) {
	g := configured(t)
	sheet := map[group]string{
		militia1:        "2-2 3-4 3-5 4-2 4-4 5-5 6-5 7-6",
		militia2:        "2-2 2-4 3-3 3-4 5-3 6-4 6-6 7-5",
		militia3:        "2-3 2-4 3-6 4-4 5-4 6-4 8-7 8-6",
		canadianMilitia: "1-1 2-3 3-2 3-3 3-4 3-5 4-3 5-3",
		mexicanMilitia:  "1-1 2-3 3-2 3-3 3-4 3-5 4-3 5-3",
		armored:         "11-9 10-9 11-8 12-10 8-7",
		infantry:        "10-10 9-10 9-9 9-9 11-11 11-11 8-8 8-9 11-12 11-10 11-10",
		airborne:        "11-9 12-12",
		marine:          "13-12 11-10 12-12 10-10 14-12 14-12",
		security:        "4-8 5-8 6-8 7-8",
		foreign:         "12-10 11-9 10-8 9-7 11-11 10-10",
		canadianBrigade: "2-3 4-3 3-3 3-3 5-3 2-2 4-4 5-4",
		mexicanBrigade:  "2-2 2-2 2-1 2-1 1-1 1-1 3-2 3-3 4-2 2-4",
	}
	for gr := range numGroups {
		var got []string
		for c := range g.masked {
			if m := &g.masked[c]; m.group == gr {
				got = append(got, fmt.Sprintf("%d-%d", m.attack, m.defence))
			}
		}
		if text := strings.Join(got, " "); text != sheet[gr] {
			t.Errorf("%s: %s, want %s", groupNames[gr], text, sheet[gr])
		}
	}
	for k, want := range map[kind][2]face{network: {{2, 3, 1}, {4, 6, 3}}, minuteman: {{1, 4, 1}, {1, 8, 2}}, agent: {{3, 2, 1}, {6, 5, 3}}} {
		if g.faces[k] != want {
			t.Errorf("%s: weak and strong sides %v, want %v", kindNames[k], g.faces[k], want)
		}
	}
	if want := [7]face{{}, {1, 10, 1}, {2, 8, 2}, {3, 7, 3}, {5, 5, 4}, {7, 3, 5}, {9, 1, 6}}; g.cigFace != want {
		t.Errorf("steps of a CIG: %v, want %v", g.cigFace, want)
	}
	if want := [numMarkers]uint8{16, 10, 8, 6}; g.markers != want {
		t.Errorf("special markers: %v, want %v", g.markers, want)
	}
	var colours [numKinds][4]int
	for u, k := range g.kind {
		colours[k][g.colour[u]]++
	}
	if colours[network] != [4]int{0, 14, 13, 13} || colours[minuteman] != [4]int{0, 12, 12, 12} || colours[militia] != [4]int{16, 8, 8, 8} ||
		colours[army][0] != 52 || colours[agent][0] != 20 || colours[cig][0] != 10 {
		t.Errorf("counters by kind and colour: %v", colours)
	}
}

// TestScenarioNumbers is about R22.2, R25 to R28 (what sets the scenarios apart).
// Ruling 31.
func TestScenarioNumbers(t *testing.T) {
	g := configured(t)
	b := func(x bool) string { return strconv.FormatBool(x) }
	for name, want := range map[string]string{
		// turns, deadline, Air/Rail; shifts of build, Sedition, reaction; Riot, Informer defence; Militia limit; ruthless, Unrest is Riot, quiet builds,
		// Ae stays; CIGs rise on
		"basic":       "24 19 2; 0 0 0; 2 10 1; false false false false; []",
		"partisan":    "6 0 0; 1 1 1; 6 1 3; true true true true; [1 2 3]",
		"occupation":  "24 19 2; 1 1 1; 5 1 1; true true true true; [1 2 3]",
		"civil_war":   "16 12 2; 0 0 0; 2 10 1; false false false false; [1 2 3]",
		"multiplayer": "24 19 2; 0 0 0; 2 10 1; false false false false; []",
	} {
		s := g.scenarios[name]
		got := fmt.Sprintf("%d %d %d; %d %d %d; %d %d %d; %s %s %s %s; %v", s.Turns, s.Deadline, s.AirRail, s.BuildShift, s.SeditionShift, s.ReactionShift,
			s.RiotDefence, s.InformerDefence, s.MilitiaStack, b(s.Ruthless), b(s.UnrestIsRiot), b(s.QuietBuilds), b(s.AeStays), s.CIGAugment)
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if m := g.scenarios["multiplayer"]; [4]int{m.Three.Networks, m.Three.Minutemen, m.Four.Networks, m.Four.Minutemen} != [4]int{12, 6, 8, 4} {
		t.Errorf("each of two Rebels has %+v, of three %+v (R28.1)", m.Three, m.Four)
	}
}
