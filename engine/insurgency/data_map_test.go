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

// texts returns a list of words.
func texts(v any) []string {
	var list []string
	for _, e := range v.([]any) {
		list = append(list, e.(string))
	}
	return list
}
