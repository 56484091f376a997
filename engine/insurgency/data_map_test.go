package insurgency

import (
	"slices"
	"testing"

	"powderkeg/engine/ruledata"
)

// compiled returns the data as the game uses it.
func compiled(t *testing.T) *Box {
	t.Helper()
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// file reads a data file in the form that the loader does.
func file[T any](t *testing.T, name string) T {
	t.Helper()
	var f T
	if err := ruledata.Read(files, name, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// raw reads what the loader leaves to people.
func raw(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// R4.1, R4.3: the index of a space is its place, cities and suburbs come in pairs, and
// only Canada and Mexico have no population and are closed.
func TestMapRecords(t *testing.T) {
	f := file[mapFile](t, "map")
	terrain := map[string]int{}
	for _, r := range f.Terrain.Rows {
		if r.Hunt == 0 {
			t.Errorf("%s: no agents for an effect of a Hunt", r.Terrain)
		}
		terrain[r.Terrain]++
	}
	ids, kinds := map[string]int{}, [numKinds]float64{}
	for i, r := range f.Spaces {
		ids[r.ID]++
		kinds[r.Kind]++
		switch {
		case r.Index != i || ids[r.ID] > 1 || terrain[r.Terrain] != 1:
			t.Errorf("%s: index %d or terrain %q is wrong, or it stands there twice", r.ID, r.Index, r.Terrain)
		case r.Population > 3 || (r.Population == 0) == r.InPlay || r.InPlay != (i < numUS):
			t.Errorf("%s: population %d, in_play_at_start %v", r.ID, r.Population, r.InPlay)
		case (r.Kind == region) != (r.Metro == ""), r.Metro != "" && r.ID != r.Metro+"_"+kindNames[r.Kind]:
			t.Errorf("%s belongs to the metro area %q", r.ID, r.Metro)
		}
	}
	for k, name := range kindNames {
		want := raw(f.Counts, name).(float64)
		if kind(k) == region {
			want += raw(f.Counts, "foreign_region").(float64)
		}
		if kinds[k] != want {
			t.Errorf("%g spaces of kind %s, want %g", kinds[k], name, want)
		}
	}
}

// R4.2: borders are mutual, a city touches its suburb alone, a suburb its city and one to
// three regions, and the map hangs together, with and without Canada and Mexico.
func TestBorders(t *testing.T) {
	b := compiled(t)
	for i := range b.spaces {
		s := &b.spaces[i]
		for set := s.adjacent; set != 0; set &= set - 1 {
			if !b.spaces[set.First()].adjacent.Has(SpaceID(i)) {
				t.Errorf("%s borders %s, but not the other way round", s.id, b.spaces[set.First()].id)
			}
		}
		regions := (s.adjacent & b.kinds[region]).Count()
		switch s.kind {
		case city:
			if s.adjacent != 1<<s.other || s.terrain != "city" {
				t.Errorf("%s must border its suburb alone and be city terrain", s.id)
			}
		case suburb:
			if s.adjacent&^b.kinds[region] != 1<<s.other || regions < 1 || regions > 3 || s.terrain != "none" {
				t.Errorf("%s must border its city and one to three regions and have no terrain", s.id)
			}
		}
	}
	for _, all := range []SpaceSet{b.us, everywhere} {
		seen := SpaceSet(1)
		for grown := SpaceSet(0); seen != grown; {
			grown = seen
			for set := grown; set != 0; set &= set - 1 {
				seen |= b.spaces[set.First()].adjacent & all
			}
		}
		if seen != all {
			t.Errorf("%d of %d spaces can be reached", seen.Count(), all.Count())
		}
	}
}

// R4.8: every edge crosses a border of the map, every space of the United States has a
// road, all roads are connected, and a city lies behind the ring of its suburb.
func TestRoadGraph(t *testing.T) {
	b, f := compiled(t), file[roadFile](t, "interstates")
	ids, edges := map[string]int{}, map[[2]string]int{}
	for i, n := range f.Nodes {
		if ids[n.ID]++; ids[n.ID] > 1 || b.roads.space[i] >= numUS {
			t.Errorf("node %s stands there twice, or outside the United States", n.ID)
		}
	}
	place := func(id string) SpaceID {
		for i, n := range f.Nodes {
			if n.ID == id {
				return b.roads.space[i]
			}
		}
		t.Errorf("no node %s", id)
		return 0
	}
	for _, e := range f.Edges {
		ends := []string{e.A, e.B}
		slices.Sort(ends)
		pair := [2]string(ends)
		if edges[pair]++; edges[pair] > 1 || !b.spaces[place(e.A)].adjacent.Has(place(e.B)) {
			t.Errorf("the edge from %s to %s is double or crosses no border", e.A, e.B)
		}
	}
	for i := range SpaceID(numUS) {
		if b.roads.nodes[i] == 0 {
			t.Errorf("%s has no road", b.ids[i])
		}
		if reach := b.roads.layers(i, 0)[0]; reach != b.us {
			t.Errorf("from %s the roads reach %d of %d spaces", b.ids[i], reach.Count(), numUS)
		}
		if s := &b.spaces[i]; s.kind == city && b.roads.next[b.roads.nodes[i].first()] != b.roads.nodes[s.other] {
			t.Errorf("%s must lie behind the ring of its suburb", s.id)
		}
	}
}

// R16.1, R16.2: every space has exactly one status, the victory points are those that the
// rulebook states, and the deck has its size.
func TestScenarioRecords(t *testing.T) {
	b := compiled(t)
	f := file[struct {
		Options   any
		Scenarios []scenarioRow
	}](t, "scenarios")
	if o := f.Options.([]any); len(o) != 1 || raw(o[0], "name") != "deploy" || raw(o[0], "default") != deployReadings[0] ||
		!slices.Equal(texts(raw(o[0], "values")), deployReadings) {
		t.Errorf("options %v, want deploy with %v", o, deployReadings)
	}
	for i := range f.Scenarios {
		r := &f.Scenarios[i]
		if r.ID != scenarioNames[i] || r.Hand != float64(b.openingHand) {
			t.Errorf("scenario %d is %s with first hands of %v cards", i, r.ID, r.Hand)
		}
	}
	if len(f.Scenarios) != int(numScenarios) || f.Scenarios[custom].First != "federal" || b.scenarios[custom].limits[rebel].VP == 0 ||
		b.scenarios[custom].limits[federal].VP == 0 {
		t.Error("three scenarios, and the limits of a custom one for both sides, the Federal to choose first")
	}
	for i := range f.Scenarios[:custom] {
		r, s := &f.Scenarios[i], &b.scenarios[i]
		listed := texts(r.Unmarked)
		for _, ids := range r.Status {
			listed = append(listed, ids...)
		}
		slices.Sort(listed)
		if !slices.Equal(listed, slices.Sorted(slices.Values(b.ids))) {
			t.Errorf("%s: not every space has exactly one status", r.ID)
		}
		for side, want := range [numSeats]any{raw(r.VP, "rebel"), raw(r.VP, "federal")} {
			if got := points(b, s, Side(side)); float64(got) != want {
				t.Errorf("%s: the %s has %d points, the rulebook says %v", r.ID, sideNames[side], got, want)
			}
		}
		deck := 0
		for n := 1; n <= numEvents; n++ {
			if b.programs[n].tag != r.Tag {
				deck++
			}
		}
		if float64(deck) != r.Deck {
			t.Errorf("%s: %d event cards stay, want %v", r.ID, deck, r.Deck)
		}
	}
	for _, s := range append(b.scenarios[:], b.preset) {
		for i, at := range s.board {
			if at.FederalBases+at.RebelBases > b.maxBases || i >= numUS && at.Status != unmarked {
				t.Errorf("%s has %d and %d bases, or a status outside the United States", b.ids[i], at.FederalBases, at.RebelBases)
			}
		}
	}
}

// points counts the victory points of a set-up.
func points(b *Box, s *scenario, side Side) int {
	n := 0
	for i, at := range s.board {
		own, bases := order, at.FederalBases
		if side == rebel {
			own, bases = revolt, at.RebelBases
		}
		if n += int(bases); at.Status == own {
			n += int(b.spaces[i].population)
		}
	}
	return n
}

// texts returns a list of words.
func texts(v any) []string {
	var list []string
	for _, e := range v.([]any) {
		list = append(list, e.(string))
	}
	return list
}
