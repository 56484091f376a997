package insurgency

import (
	"fmt"
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// data is what an edition may replace: most event cards and stories, and of the map, the
// tables and the set-ups what the rulebook does not print (Q48).
var data = engine.Data{
	Files: files, Version: 3,
	Names: []string{"components", "effects", "event_cards", "interstates", "map", "presets", "scenarios", "story_cards", "tables"},
	Open: []ruledata.Open{
		{File: "event_cards", At: "cards[]", Mark: "fields_source.name", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "event_cards", At: "cards[]", Mark: "fields_source.side", Fields: []ruledata.Field{
			{Name: "side", Words: []string{"federal", "rebel", "neutral"}},
		}},
		{File: "event_cards", At: "cards[]", Mark: "fields_source.ops", Fields: []ruledata.Field{{Name: "ops", Low: 1, High: maxOps}}},
		{File: "event_cards", At: "cards[]", Mark: "fields_source.scenario", Fields: []ruledata.Field{
			{Name: "scenario", Words: scenarioNames[:custom], Null: true},
		}},
		{File: "event_cards", At: "cards[]", Mark: "fields_source.effect", Fields: []ruledata.Field{
			{Name: "text"}, {Name: "effect", Free: true}, {Name: "momentum"},
		}},
		{File: "event_cards", Derived: true, Fields: []ruledata.Field{{Name: "counts", High: numEvents}}},
		{File: "effects", At: "momentum[]", Fields: []ruledata.Field{
			{Name: "card", Low: 1, High: numEvents}, {Name: "until", Words: []string{"round", "game"}},
		}},
		{File: "story_cards", At: "cards[]", Mark: "source", Fields: []ruledata.Field{
			{Name: "title"}, {Name: "rf", High: 4}, {Name: "colour", Words: []string{"red", "white", "blue"}},
		}},
		{File: "story_cards", At: "cards[]", Mark: "source", Fields: []ruledata.Field{{Name: "vf", Low: 1, High: 10}}},
		{File: "story_cards", At: "cards[]", Mark: "fields_source.vf", Fields: []ruledata.Field{{Name: "vf", Low: 1, High: 10}}},
		{File: "map", At: "spaces[]", Mark: "population_source.source", Fields: []ruledata.Field{{Name: "population", Low: 1, High: 3}}},
		{File: "map", At: "spaces[]", Mark: "terrain_source.source", Fields: []ruledata.Field{
			{Name: "terrain", Words: []string{"mountain", "forest", "desert", "open"}},
		}},
		{File: "map", At: "spaces[]", Fields: []ruledata.Field{{Name: "adjacent", Free: true}}},
		{File: "interstates", At: "edges[]", Mark: "source", Fields: []ruledata.Field{{Name: "route"}, {Name: "a"}, {Name: "b"}}},
		{File: "tables", At: "rebellion_power_factor.rows[]", Fields: []ruledata.Field{{Name: "rpf", High: 4}}},
		{File: "tables", At: "random_city_or_suburb_d20.rows[]", Fields: []ruledata.Field{
			{Name: "lo", Low: 1, High: d20Faces}, {Name: "hi", Low: 1, High: d20Faces}, {Name: "metro"},
		}},
		{File: "tables", At: "random_region_d20.rows[]", Fields: []ruledata.Field{
			{Name: "lo", Low: 1, High: d20Faces}, {Name: "hi", Low: 1, High: d20Faces}, {Name: "region"},
		}},
		{File: "components", At: "limits.hacked_per_hq_max", Mark: "source", Fields: []ruledata.Field{{Name: "value", Low: 1, High: 6}}},
		{File: "components", At: "limits.shields_per_hq_max", Mark: "source", Fields: []ruledata.Field{{Name: "value", Low: 1, High: 3}}},
		{File: "scenarios", At: "scenarios[resistance]", Mark: "fields_source.militia_sleepers.source", Fields: []ruledata.Field{
			{Name: "militia_sleepers", Free: true},
		}},
		{File: "scenarios", At: "scenarios[resistance]", Mark: "fields_source.rebel_bases.source", Fields: []ruledata.Field{
			{Name: "rebel_bases", Free: true},
		}},
		{File: "scenarios", At: "scenarios[custom]", Mark: "defaults_source", Fields: []ruledata.Field{
			{Name: "resources", High: maxMoney}, {Name: "reserves", High: 2},
		}},
	},
	Fixed: []ruledata.Fixed{
		{What: "event_cards.json, number", Why: "the actions name cards by it: copy each card to its own number"},
		{What: "effects.json, the keys of events that stay in play",
			Why: "what each does is a rule of the engine; which card starts it, and for how long, can be replaced"},
		{What: "interstates.json, the nodes and the number of edges; tables.json, the number of rows",
			Why: "observations and drawings are made for them"},
		{What: "components.json, story_pool_max", Why: "R9.2 is written for it"},
		{What: "presets.json", Why: "it is an example of ours"},
	},
	Load: func(files ruledata.Files) (engine.Compiled, error) { return newBox(files) },
}

// checker collects what is wrong with a box.
type checker struct {
	b      *Box
	faults []string
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// read reads a data file again, as far as the loader leaves it to people.
func (c *checker) read(name string, v any) {
	if err := ruledata.Read(c.b.files, name, v); err != nil {
		c.fault("%v", err)
	}
}

// Faults implements engine.Compiled.
func (b *Box) Faults() []string {
	c := &checker{b: b}
	c.events()
	c.stories()
	c.tables()
	c.borders()
	c.roads()
	c.setUps()
	return c.faults
}

// stories implements R9.1: numbers in order, factors in their ranges, and the colour that
// follows from the Rebellion Factor.
func (c *checker) stories() {
	var f storyFile
	c.read("story_cards", &f)
	rule, _ := f.ColourRule.(map[string]any)
	for i, s := range f.Cards {
		colour, _ := s.Colour.(string)
		colours, _ := rule[colour].([]any)
		if s.Number != float64(i+1) || s.VF < 1 || s.VF > 10 || s.RF > 4 || s.Title == "" {
			c.fault("story_cards.json, story %v: VF %d and RF %d, want 1 to 10 and 0 to 4", s.Number, s.VF, s.RF)
		}
		if !slices.Contains(colours, any(float64(s.RF))) {
			c.fault("story_cards.json, story %v: its colour %s does not go with RF %d", s.Number, colour, s.RF)
		}
	}
}

// tables implements R18: the rows of a table cover every number once and in order, and say
// what the rulebook does.
func (c *checker) tables() {
	var f tableFile
	c.read("tables", &f)
	for _, x := range []struct {
		name        string
		table       *dice
		first, last int
	}{
		{"test_d6", &f.Test, 1, d6Faces}, {"random_city_or_suburb_d20", &f.Metros, 1, d20Faces},
		{"random_region_d20", &f.Areas, 1, d20Faces}, {"hand_size_by_resources", &f.Hands, 0, maxMoney},
	} {
		want := x.first
		for _, r := range x.table.Rows {
			if r.Lo != want || r.Hi < r.Lo {
				c.fault("tables.json, %s: a row covers %d to %d, want it to begin at %d", x.name, r.Lo, r.Hi, want)
			}
			want = r.Hi + 1
		}
		if want != x.last+1 {
			c.fault("tables.json, %s: it ends at %d, want %d", x.name, want-1, x.last)
		}
	}
	b := c.b
	for n := 1; n <= d20Faces; n++ {
		if !(b.kinds[region] & b.us).Has(b.region[n]) {
			c.fault("tables.json, random_region_d20: a roll of %d is no region of the United States", n)
		}
	}
	for _, fact := range facts(f.Metros.Facts) {
		if n := int(fact["roll"].(float64)); b.ids[b.metroCity[n]] != fact["metro"].(string)+"_city" {
			c.fault("tables.json, random_city_or_suburb_d20: a roll of %d is %v by the rulebook", n, fact["metro"])
		}
	}
	for _, fact := range facts(f.RPF.Facts) {
		if n := int(fact["space"].(float64)); float64(b.rpf[n]) != fact["rpf"] {
			c.fault("tables.json, rebellion_power_factor: Rebellion Power %d has the factor %v by the rulebook", n, fact["rpf"])
		}
	}
}

// facts are what the rulebook says of a table that is reconstructed otherwise.
func facts(v notes) []map[string]any {
	var list []map[string]any
	records, _ := v.([]any)
	for _, r := range records {
		if m, ok := r.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// printedBorders are those that the rulebook names or that its roads cross.
var printedBorders = [][2]string{
	{"midwest", "plains"}, {"midwest", "chicago_suburb"}, {"midwest", "appalachia"}, {"san_francisco_suburb", "mesa"}, {"mesa", "big_sky"},
	{"big_sky", "denver_suburb"}, {"los_angeles_suburb", "mesa"}, {"mesa", "phoenix_suburb"}, {"mesa", "texas"}, {"texas", "dallas_suburb"},
	{"dallas_suburb", "south"}, {"south", "miami_suburb"},
}

// borders implements R4.2: they are mutual, a city touches its suburb alone, a suburb its
// city and one to three regions, and the map hangs together, with and without Canada and
// Mexico.
func (c *checker) borders() {
	b := c.b
	for i := range b.spaces {
		s := &b.spaces[i]
		for set := s.adjacent; set != 0; set &= set - 1 {
			if other := set.First(); !b.spaces[other].adjacent.Has(SpaceID(i)) || other == SpaceID(i) {
				c.fault("map.json: %s borders %s, but not the other way round", s.id, b.spaces[other].id)
			}
		}
		regions := (s.adjacent & b.kinds[region]).Count()
		switch s.kind {
		case city:
			if s.adjacent != 1<<s.other || s.terrain != "city" {
				c.fault("map.json: %s must border its suburb alone and be city terrain", s.id)
			}
		case suburb:
			if s.adjacent&^b.kinds[region] != 1<<s.other || regions < 1 || regions > 3 || s.terrain != "none" {
				c.fault("map.json: %s must border its city and one to three regions and have no terrain", s.id)
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
			c.fault("map.json: %d of %d spaces can be reached", seen.Count(), all.Count())
		}
	}
	for _, pair := range printedBorders {
		x, err := b.spaceOf(pair[0])
		y, err2 := b.spaceOf(pair[1])
		if err != nil || err2 != nil || !b.spaces[x].adjacent.Has(y) {
			c.fault("map.json: %s must border %s, by the rulebook", pair[0], pair[1])
		}
	}
}

// roads implements R4.8: every edge crosses a border of the map, every space of the United
// States has a road, all roads are connected, and a city lies behind the ring of its suburb.
func (c *checker) roads() {
	b := c.b
	var f roadFile
	c.read("interstates", &f)
	index, edges := map[string]int{}, map[[2]string]bool{}
	for i, n := range f.Nodes {
		if _, twice := index[n.ID]; twice || b.roads.space[i] >= numUS {
			c.fault("interstates.json: node %s stands there twice, or outside the United States", n.ID)
		}
		index[n.ID] = i
	}
	for _, e := range f.Edges {
		ends := []string{e.A, e.B}
		slices.Sort(ends)
		pair := [2]string(ends)
		if edges[pair] || !b.spaces[b.roads.space[index[e.A]]].adjacent.Has(b.roads.space[index[e.B]]) {
			c.fault("interstates.json: the edge from %s to %s is double or crosses no border", e.A, e.B)
		}
		edges[pair] = true
	}
	for i := range SpaceID(numUS) {
		if b.roads.nodes[i] == 0 {
			c.fault("interstates.json: %s has no road", b.ids[i])
			continue
		}
		if reach := b.roads.layers(i, 0)[0]; reach != b.us {
			c.fault("interstates.json: from %s the roads reach %d of %d spaces", b.ids[i], reach.Count(), numUS)
		}
		if s := &b.spaces[i]; s.kind == city && b.roads.next[b.roads.nodes[i].first()] != b.roads.nodes[s.other] {
			c.fault("interstates.json: %s must lie behind the ring of its suburb", s.id)
		}
	}
}

// setUps implements R16.1 and R16.2: the victory points are those that the rulebook states,
// the deck has its size, and the pieces are in the box.
func (c *checker) setUps() {
	b := c.b
	var f struct {
		Options   notes
		Scenarios []scenarioRow
	}
	c.read("scenarios", &f)
	for i := range min(len(f.Scenarios), int(custom)) {
		r, s := &f.Scenarios[i], &b.scenarios[i]
		stated, _ := r.VP.(map[string]any)
		for side, name := range sideNames {
			if got := points(b, s, Side(side)); float64(got) != stated[name] {
				c.fault("scenarios.json, %s: the %s has %d points of population and bases, the rulebook says %v", r.ID, name, got, stated[name])
			}
		}
		deck := 0
		for n := 1; n <= numEvents; n++ {
			if b.programs[n].tag != r.Tag {
				deck++
			}
		}
		if float64(deck) != r.Deck {
			c.fault("scenarios.json, %s: %d event cards stay by their scenario, the rulebook says %v", r.ID, deck, r.Deck)
		}
	}
	for k, s := range append(b.scenarios[:], b.preset) {
		name := "presets.json, preset"
		if k < len(scenarioNames) {
			name = "scenarios.json, " + scenarioNames[k]
		}
		var pieces [numPieces]int
		for i, at := range s.board {
			if at.FederalBases+at.RebelBases > b.maxBases || i >= numUS && at.Status != unmarked {
				c.fault("%s: %s has %d and %d bases, or a status outside the United States", name, b.ids[i], at.FederalBases, at.RebelBases)
			}
			for kind, n := range [numPieces]uint8{agent: at.Agents, militia: at.Sleepers, federalBase: at.FederalBases, rebelBase: at.RebelBases} {
				pieces[kind] += int(n)
			}
		}
		for kind, n := range pieces {
			if n > int(b.limits[kind]) {
				c.fault("%s: %d pieces of a kind of which there are %d", name, n, b.limits[kind])
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
