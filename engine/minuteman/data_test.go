package minuteman

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// raw reads a data file as it is written, without the loader.
func raw[T any](t *testing.T, name string) (v T) {
	t.Helper()
	data, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
	return v
}

// TestMapIsWhole is about R1.2, R3.1 and R3.2: numbers follow the grid, a side is the same
// from both of its hexes, and what the file counts and lists is what its hexes say.
func TestMapIsWhole(t *testing.T) {
	f := raw[struct {
		Counts struct {
			Land       int `json:"total_land"`
			Prohibited int `json:"prohibited_hexsides"`
		}
		Prohibited [][2]string       `json:"prohibited_hexsides"`
		Named      map[string]string `json:"named_cities"`
		Partisan   map[string]string `json:"partisan_cities"`
		Front      []string          `json:"front_line"`
		CivilWar   []string          `json:"civil_war_setup"`
		Hexes      []struct {
			ID, Name      string
			Col, Row, Pop int
			Neighbours    []*string
			Passable      []bool
			Country       string
			Front         bool `json:"front_line"`
			InTable       bool `json:"in_random_events_table"`
		}
	}](t, "map")
	g := configured(t)
	index, blocked, front, cities, last := map[string]int{}, 0, 0, 0, ""
	for i, h := range f.Hexes {
		index[h.ID] = i
		if h.ID != fmt.Sprintf("%02d%02d", h.Col, h.Row) || h.ID <= last {
			t.Errorf("hex %s of column %d, row %d follows %s", h.ID, h.Col, h.Row, last)
		}
		if last = h.ID; h.Pop > 2 || (h.Pop > 0) != (h.Name != "") {
			t.Errorf("hex %s of Population %d is named %q", h.ID, h.Pop, h.Name)
		}
		if (h.Pop == 1 && h.Country == "US") != h.InTable {
			t.Errorf("hex %s: Population I of the US and the random events table do not agree", h.ID)
		}
		if slices.Contains(f.Front, h.ID) != h.Front {
			t.Errorf("hex %s: the list of the Front Line says otherwise", h.ID)
		}
		front, cities = front+int(b2u(h.Front)), cities+int(b2u(h.Pop == 1))
	}
	for i, h := range f.Hexes {
		if len(h.Neighbours) != 6 || len(h.Passable) != 6 {
			t.Fatalf("hex %s has %d neighbours, %d sides", h.ID, len(h.Neighbours), len(h.Passable))
		}
		near := 0
		for other := range f.Hexes {
			near += int(b2u(g.distance(HexID(i), HexID(other)) == 1))
		}
		for k, id := range h.Neighbours {
			if id == nil {
				continue
			}
			other := f.Hexes[index[*id]]
			back := other.Neighbours[(k+3)%6]
			if near--; back == nil || *back != h.ID {
				t.Errorf("the side of %s and %s is not the same from both hexes", h.ID, *id)
			}
			blocked += int(b2u(!h.Passable[k]))
		}
		if near != 0 {
			t.Errorf("hex %s lacks %d of its neighbours", h.ID, near)
		}
	}
	if len(f.Hexes) != numHexes || f.Counts.Land != numHexes || cities != numCities || front != 16 || len(f.Front) != 16 ||
		blocked != 2*f.Counts.Prohibited || len(f.Prohibited) != f.Counts.Prohibited {
		t.Errorf("%d hexes, %d cities, %d in the Front Line, %d prohibited sides", len(f.Hexes), cities, front, blocked/2)
	}
	for _, fault := range g.Faults() {
		t.Error(fault)
	}
	if len(f.Partisan) != 8 || !slices.Equal(f.CivilWar, g.scenarios["civil_war"].Government.Hexes) {
		t.Errorf("%d Partisan cities; the Civil War begins in %v", len(f.Partisan), f.CivilWar)
	}
}

// TestChartsAreWhole is about R7.4, R8.3, R9 to R15: each chart has every row and cell
// once, and its columns have no gaps.
func TestChartsAreWhole(t *testing.T) {
	type chart struct {
		Cells map[string]any
	}
	charts := raw[map[string]chart](t, "tables")
	for name, x := range map[string]struct{ first, columns int }{
		"unit_build_table": {0, 6}, "subversion": {0, 7}, "sedition": {0, 7}, "infiltration": {1, 6}, "military": {1, 7},
		"minuteman_movement": {1, 8}, "government_reaction": {1, 9}, "riot_spread": {1, 0},
	} {
		cells := charts[name].Cells
		for die := x.first; die <= 6; die++ {
			if row, ok := cells[fmt.Sprint(die)]; !ok || x.columns > 0 && len(row.([]any)) != x.columns {
				t.Errorf("%s: row %d is %v, want %d cells", name, die, row, x.columns)
			}
		}
		if len(cells) != 7-x.first {
			t.Errorf("%s has %d rows", name, len(cells))
		}
	}
	f := raw[struct {
		Military struct {
			Lines []struct {
				Rebel      []string `json:"rebel_defender_in"`
				Government []string `json:"government_defender_in"`
				Odds       []string
			}
		}
		Infiltration struct{ Columns []string }
		Success      struct {
			Dice map[string][]int `json:"success_on_die"`
		} `json:"assassination_betrayal_pin"`
		Reaction struct {
			Riots  [][2]*int `json:"riot_columns"`
			Builds [][2]*int `json:"build_columns"`
		} `json:"government_reaction"`
		Minutemen      struct{ Columns [][2]*int } `json:"minuteman_movement"`
		Reinforcements struct {
			Divisions map[string]int `json:"government_divisions_by_die"`
		} `json:"revolution_reinforcements"`
		Events struct{ Rows [][]string } `json:"random_events"`
		Season struct{ Order []string }
	}](t, "tables")
	var sides [2][]string
	for _, l := range f.Military.Lines {
		if sides[0], sides[1] = append(sides[0], l.Rebel...), append(sides[1], l.Government...); len(l.Odds) != 7 {
			t.Errorf("a line of %d odds", len(l.Odds))
		}
	}
	for _, names := range sides {
		slices.Sort(names)
		if want := []string{"clear", "north_winter_cover", "pop1", "rough_brushland", "south_winter_cover"}; !slices.Equal(names, want) {
			t.Errorf("the lines of the military table are for %v, want each of %v once", names, want)
		}
	}
	if len(f.Military.Lines) != 4 || len(f.Infiltration.Columns) != 6 || len(f.Success.Dice) != 3 || len(f.Reinforcements.Divisions) != 6 {
		t.Error("odds, successes or reinforcements are missing")
	}
	for n, dice := range f.Success.Dice {
		for i, d := range dice {
			if d != i+1 {
				t.Errorf("%s markers succeed with %v, no run from 1", n, dice)
			}
		}
	}
	for _, columns := range [][][2]*int{f.Reaction.Riots, f.Reaction.Builds, f.Minutemen.Columns} {
		next := 0
		for i, c := range columns {
			if c[0] == nil || *c[0] != next || (c[1] == nil) != (i == len(columns)-1) {
				t.Fatalf("column %d does not follow the one before", i+1)
			}
			if c[1] != nil {
				next = *c[1] + 1
			}
		}
	}
	if len(f.Reaction.Riots) != 9 || len(f.Reaction.Builds) != 9 || len(f.Minutemen.Columns) != 8 {
		t.Error("a chart has too few or too many columns")
	}
	for i, row := range f.Events.Rows {
		for k, id := range row {
			if (id == "Pick") != (i == k) {
				t.Errorf("random events: %s in row %d, column %d", id, i+1, k+1)
			}
		}
		if len(row) != 10 || len(f.Events.Rows) != 10 {
			t.Errorf("random events: a row of %d in a table of %d", len(row), len(f.Events.Rows))
		}
	}
	if want := []string{"Spring", "Summer", "Fall", "Winter"}; !slices.Equal(f.Season.Order, want) || want[winter] != "Winter" {
		t.Errorf("seasons %v", f.Season.Order)
	}
}

// TestCountersAreCounted is about R1.3 and R1.6: as many counters as the sheet has, each
// with a name of its own, those of a group behind each other.
// Ruling 22.
func TestCountersAreCounted(t *testing.T) {
	f := raw[map[string]json.RawMessage](t, "units")
	names := map[string]bool{}
	for key, want := range map[string]int{"network": 40, "minuteman": 36, "agent": 20, "cig": 10, "informer": numInf, "militia": 24,
		"canadian_militia": 8, "mexican_militia": 8, "us_division": 24, "security_division": 4, "foreign_division": 6, "canadian_brigade": 8,
		"mexican_brigade": 10} {
		var x struct {
			Counters []struct{ ID string }
			Notes    struct{ Count int }
			Steps    []struct{ Step int }
		}
		if err := json.Unmarshal(f[key], &x); err != nil {
			t.Fatal(err)
		}
		for _, c := range x.Counters {
			names[c.ID] = true
		}
		for i, s := range x.Steps {
			if s.Step != i+1 || len(x.Steps) != 6 {
				t.Errorf("step %d of a %s is number %d of %d", s.Step, key, i+1, len(x.Steps))
			}
		}
		if len(x.Counters) != want || x.Notes.Count != want {
			t.Errorf("%s: %d counters, the sheet has %d, want %d", key, len(x.Counters), x.Notes.Count, want)
		}
	}
	if len(names) != numUnits+numInf {
		t.Errorf("%d counters with a name of their own, want %d", len(names), numUnits+numInf)
	}
	g := configured(t)
	for c := range g.masked {
		if gr := g.masked[c].group; c < int(g.groupFirst[gr]) || c >= int(g.groupFirst[gr])+int(g.groupSize[gr]) {
			t.Errorf("counter %s stands apart from the others of %s", g.masked[c].id, groupNames[gr])
		}
	}
	next := milFirst
	for _, b := range blocks {
		if int(b.first) != next || g.masked[next-milFirst].group != b.group {
			t.Errorf("the block %s begins with slot %d, want %d", b.key, b.first, next)
		}
		next += int(b.size)
	}
}

// TestScenariosFit is about R22 to R28: lengths, deadlines, and hexes that are on the map.
func TestScenariosFit(t *testing.T) {
	g := configured(t)
	for name, s := range g.scenarios {
		if s.Turns < 1 || s.Turns > 24 || s.Revolution != (s.Deadline > 0) || s.Deadline > s.Turns {
			t.Errorf("%s: %d turns, Revolution %v, deadline %d", name, s.Turns, s.Revolution, s.Deadline)
		}
		hexes := slices.Clone(s.Government.Hexes)
		for _, regions := range []map[string]region{s.Dispersed.Two, s.Dispersed.Three} {
			n := 0
			for _, r := range regions {
				hexes = append(hexes, r.Hexes...)
				n += len(r.Hexes)
			}
			if n != 88 && regions != nil {
				t.Errorf("%s: the regions have %d cities, want 88", name, n)
			}
		}
		for _, id := range hexes {
			if _, ok := g.index[id]; !ok {
				t.Errorf("%s: unknown hex %s", name, id)
			}
		}
	}
	v := &g.variants.Government
	if len(v.Unprepared.Reinforce.Turns) != len(v.Unprepared.Reinforce.Coast) {
		t.Errorf("reinforcements of turns %v at the coasts %v", v.Unprepared.Reinforce.Turns, v.Unprepared.Reinforce.Coast)
	}
	for _, name := range append(v.Unprepared.Fixed, v.Prepared.CIG, "New York", "Boston", "Norfolk", "Mobile") {
		if _, ok := g.named[name]; !ok {
			t.Errorf("unknown city %s", name)
		}
	}
}

// TestVocabulary is about the constants that name tokens and questions: they stand in the
// order of data/decisions.json.
func TestVocabulary(t *testing.T) {
	f := raw[struct {
		Vocabulary struct {
			Verbs   []string
			Classes []string `json:"unit_classes"`
			Amounts [2]int
			Players []string
			Size    int
		}
		Decisions, Chance []struct{ ID, Rule string }
	}](t, "decisions")
	v := &f.Vocabulary
	if len(v.Verbs) != numVerbs || len(v.Classes) != numClasses || v.Amounts != [2]int{0, maxAmount} || len(v.Players) != maxSeats ||
		v.Size != numActions {
		t.Errorf("%d verbs, %d classes, amounts %v, %d players, %d in all", len(v.Verbs), len(v.Classes), v.Amounts, len(v.Players), v.Size)
	}
	for a, want := range map[int]string{actDone: "DONE", actRoll: "ROLL", actDecline: "OPT_DECLINE", actShowPassage: "SHOW_PASSAGE",
		actMilitary: "ATTACK_MILITARY",
		actSedition: "ATTACK_SEDITION", actReactRiots: "REACT_RIOTS", actPileMexico: "PILE_MEXICO", actClass +
			int(anArmy): "ARMY", actPlayer: "P0_GOVERNMENT"} {
		if got := configured(t).actions[a]; got != want {
			t.Errorf("token %d is %s, want %s", a, got, want)
		}
	}
	questions := append(f.Decisions, f.Chance...)
	table := configured(t).table
	if len(questions) != int(askNothing) || len(table) != len(questions)+1 {
		t.Fatalf("%d questions, the table has %d rows", len(questions), len(table))
	}
	for i, q := range questions {
		if row := table[i]; row.Name != q.ID || !slices.Contains(strings.Split(q.Rule, ", "), row.Rule) {
			t.Errorf("row %d is %s by %s, the data have %s by %s", i, row.Name, row.Rule, q.ID, q.Rule)
		}
	}
}
