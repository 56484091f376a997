package domination

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// maxNumber bounds the numbers of card texts; the largest that ships is the 14 of Military
// Base.
const maxNumber = 14

// data is what an edition may replace: most of what stands on the cards, and where the
// Regions and Resources lie (Q5, Q10).
var data = engine.Data{
	Files: files, Version: 2, Names: []string{"cards", "map", "scoring", "setup", "tracks"},
	Open: []ruledata.Open{
		{File: "cards", At: "cards[]", Mark: "sources_by_field.build", Fields: []ruledata.Field{{Name: "build", Low: 3, High: 6}}},
		{File: "cards", At: "cards[]", Mark: "sources_by_field.reduction", Fields: []ruledata.Field{{Name: "reduction", Low: 3, High: 6}}},
		{File: "cards", At: "cards[]", Mark: "sources_by_field.text", Fields: []ruledata.Field{{Name: "text"}, {Name: "effect", Free: true}}},
		{File: "map", At: "land_areas[]", Mark: "source", Fields: []ruledata.Field{{Name: "name"}, {Name: "covers"}}},
		{File: "map", At: "sea_areas[]", Mark: "source", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "map", At: "regions[]", Mark: "areas_source", Fields: []ruledata.Field{{Name: "areas", Free: true}}},
		{File: "map", At: "resources[]", Mark: "areas_source", Fields: []ruledata.Field{{Name: "areas", Free: true}}},
		{File: "map", At: "land_areas[]", Derived: true, Fields: []ruledata.Field{{Name: "region"}, {Name: "resource"}}},
	},
	Fixed: []ruledata.Fixed{
		{What: "cards.json, copies", Why: "the option copies_per_stack of the game string says how many there are"},
		{What: "map.json, which Areas border on each other, and their ids", Why: "the map is drawn for them, and actions are named by the ids"},
		{What: "tracks.json, the lengths of the tracks", Why: "they are the options turns and logistics_max, and what observations are made for"},
		{What: "setup.json, options and numbers of players", Why: "they are options of the game string"},
	},
	Load: func(files ruledata.Files) (engine.Compiled, error) { return newBox(files) },
}

// Faults implements engine.Compiled: every card is one that the interpreter carries out as it
// is written (R1.3, R7, R8), and the map holds together (R1.2, R2.4).
func (b *box) Faults() []string {
	var faults []string
	var c cardsFile
	var m mapFile
	for name, v := range map[string]any{"cards": &c, "map": &m} {
		if err := ruledata.Read(b.files, name, v); err != nil {
			return []string{err.Error()}
		}
	}
	seen, scores := map[string]bool{}, [Regions]int{}
	for i, r := range c.Cards {
		if err := cardFault(b, i, r); err != nil {
			faults = append(faults, fmt.Sprintf("card %s: %v", r.Name, err))
		}
		if seen[r.Name] || seen[r.ID] {
			faults = append(faults, fmt.Sprintf("card %s: its name or id is taken", r.Name))
		}
		seen[r.Name], seen[r.ID] = true, true
		for _, e := range b.Cards[i].ways[TextWay] {
			if e.n > maxNumber {
				faults = append(faults, fmt.Sprintf("card %s: the number %d, want at most %d", r.Name, e.n, maxNumber))
			}
			if e.op == vpPerArea {
				scores[e.resource]++
			}
		}
	}
	for i, n := range scores {
		if n != 1 {
			faults = append(faults, fmt.Sprintf("%d cards score %s, want one", n, b.Resources[i].Name))
		}
	}
	faults = append(faults, areaFaults(b, &m)...)
	for _, fault := range []string{groupFault(b), borderFault(b, m.Edges)} {
		if fault != "" {
			faults = append(faults, "map.json: "+fault)
		}
	}
	return faults
}

// areaFaults looks at R1.1 and R1.2: each Area has an index, an id and a name of its own, and
// a Land Area its Region and its Resource, which name it too, three Areas each.
func areaFaults(b *box, m *mapFile) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, "map.json: "+fmt.Sprintf(format, args...)) }
	seen := map[string]bool{}
	for i, r := range append(m.Land, m.Sea...) {
		land, a := i < LandAreas, &b.Areas[i]
		if r.Index != i || r.Name == "" || seen[r.ID] || seen[r.Name] || land != (r.Region != "") || land != (r.Resource != "") {
			fault("%s: its index, id or name is wrong or taken, or it has no Region or Resource", r.ID)
		}
		seen[r.ID], seen[r.Name] = true, true
		if land && (a.Region < 0 || a.Resource < 0 || b.Regions[a.Region].Name != r.Region || b.Resources[a.Resource].Name != r.Resource) {
			fault("%s says %s and %s; the lists of Regions and Resources have it elsewhere", r.ID, r.Region, r.Resource)
		}
	}
	for _, groups := range [][]rawGroup{m.Regions, m.Resources} {
		for i, g := range groups {
			if set, err := b.areaSet(g.Areas); err != nil || g.ID != i || len(g.Areas) != 3 || set.Size() != 3 || set&^landAreas != 0 {
				fault("%s has the Areas %v, want three of the Land", g.Name, g.Areas)
			}
		}
	}
	return faults
}

// cardFault says what is wrong with a card as cards.json writes it: its place and
// values, its windows, its sentence, and each effect with the words that describe it.
func cardFault(b *box, i int, c Card) error {
	if err := c.compile(b); err != nil {
		return err
	}
	group := "action"
	switch {
	case i == domination:
		group = "starter"
	case i >= baseCards:
		group = "action_extended"
	}
	denies := slices.ContainsFunc(c.ways[TextWay], func(e effect) bool { return e.op == denyRegionMonopolyVP })
	switch {
	case c.Index != i || c.Group != group:
		return fmt.Errorf("index %d and group %q, expected %d and %q", c.Index, c.Group, i, group)
	case c.Build < 3 || c.Build > 6 || c.Reduction < 3 || c.Reduction > 6:
		return fmt.Errorf("values %d and %d, expected 3 to 6", c.Build, c.Reduction)
	case c.Cost > 1 || c.AnyTime && c.ScoringOnly:
		return fmt.Errorf("its cost or its windows make no sense")
	case len(c.Text) <= 10 || c.TextLegalWhen == "":
		return fmt.Errorf("it has no sentence")
	case (len(c.Effect) == 0) != (i == domination):
		return fmt.Errorf("the starter card alone has no text")
	case denies != c.ScoringOnly:
		return fmt.Errorf("a text for the scoring step alone denies VPs, and no other does")
	}
	for _, field := range []string{"name", "copies", "build", "reduction", "text"} {
		if mark, _, _ := strings.Cut(c.SourcesByField[field], " "); mark != "rulebook" && mark != "public" && mark != "reconstructed" {
			return fmt.Errorf("source %q of its %s is unknown", mark, field)
		}
	}
	for k, e := range c.ways[TextWay] {
		if want := formOf(c.Effect[k], e); fmt.Sprint(plain(c.Effect[k])) != fmt.Sprint(plain(want)) {
			return fmt.Errorf("effect %d is %+v, the interpreter carries out %+v", k, c.Effect[k], want)
		}
		if err := effectFault(c.ways[TextWay][:k], &e); err != nil {
			return fmt.Errorf("effect %d: %w", k, err)
		}
	}
	return nil
}

// plain writes out what an effect points to.
func plain(r rawOp) string {
	text := fmt.Sprintf("%+v %+v", r.ReductionsPer, r.Each)
	r.ReductionsPer, r.Each = nil, nil
	return fmt.Sprintf("%s %+v", text, r)
}

// effectFault says what is wrong with an effect among those before it.
func effectFault(before []effect, e *effect) error {
	var last *effect
	if len(before) > 0 {
		last = &before[len(before)-1]
	}
	switch e.op {
	case points, reductions, chainLeft, replace, vpPerArea, vpPerRegion:
		if e.n == 0 {
			return fmt.Errorf("op %s without its number", opNames[e.op])
		}
	}
	switch e.op {
	case points, removePerRegion, replace:
		if e.areas == 0 {
			return fmt.Errorf("op %s without areas", opNames[e.op])
		}
	}
	switch {
	case e.op == storm && (e.fraction[0] < 1 || e.fraction[0] > e.fraction[1]):
		return fmt.Errorf("fraction %v is not above 0 and at most 1", e.fraction)
	case e.op == chainLeft && (last == nil || last.op != reductions):
		return fmt.Errorf("a chain follows Reductions")
	case e.chosen && (last == nil || last.op != choosePlayer || last.isolated != e.isolated):
		return fmt.Errorf("it does not follow the choice of the player that it hits")
	}
	return nil
}

// formOf writes the words with which cards.json describes what the interpreter does for
// an effect. raw gives what differs from card to card.
func formOf(raw rawOp, e effect) rawOp {
	f := rawOp{Op: raw.Op, Areas: raw.Areas}
	switch e.op {
	case points:
		f.UpTo, f.Restrict = true, raw.Restrict
		switch {
		case e.perOwnFull:
			f.ReductionsPer = &rawPer{Per: "own_full_force", Amount: int(e.n)}
		case e.builds && e.reduces:
			f.Combined = int(e.n)
		case e.builds:
			f.Builds = int(e.n)
		default:
			f.Reductions = int(e.n)
		}
	case reductions:
		f.Amount, f.Owner = int(e.n), "opponents_of_actor"
	case chainLeft:
		f.Each, f.Until = &rawOp{Op: "optional_reductions", Amount: int(e.n), Exact: true}, "declined_or_impossible"
	case choosePlayer:
		f.Among, f.Having = "opponents", map[bool]string{true: "isolated_force", false: "full_force"}[e.isolated]
	case reduceAll, removeAll:
		f.Areas, f.Owner, f.Strength = "all", map[bool]string{true: "chosen", false: "all"}[e.chosen], "any"
		switch {
		case e.op == reduceAll:
			f.Strength = "full"
		case e.struggling:
			f.Strength = "struggling"
		}
		if e.isolated {
			f.Filter, f.Simultaneous = "isolated", true
		}
	case removePerRegion:
		f.Count, f.Mandatory, f.Owner = 1.0, e.mandatory, map[bool]string{true: "opponent", false: "any"}[e.opponents]
		if e.ownFullRegions {
			f.RegionCondition = "own_full_land_force_at_start"
		}
	case replace:
		f.Max, f.Min, f.Strength, f.Owner, f.WithOwner, f.WithStrength = int(e.n), 1, "struggling", "any", "self", "full"
	case storm:
		f.Players, f.Fraction, f.Round, f.Count, f.Chooser = "all", raw.Fraction, "down", "forces_before", "self"
	case upgradeAll:
		f.Areas, f.Owner = "all", "self"
	case vpPerArea:
		f.VP, f.Resource, f.Owner = int(e.n), raw.Resource, "self"
	case vpPerRegion:
		f.VP, f.Condition = int(e.n), "own_full_land_force"
	case denyRegionMonopolyVP:
		f.Players, f.Duration = "others", "this_scoring"
	}
	return f
}

// groupFault says what is wrong with the Regions and Resources: both cover the Land
// Areas, a Region holds three Resources and is connected, and two Resources meet in one
// or two Regions, so that no Region is worth more than another towards Resource
// monopolies.
func groupFault(b *box) string {
	meet := map[[2]int]int{}
	for i := range b.Regions {
		seen := map[int]bool{}
		for x := range b.Regions[i].Areas.Each() {
			for y := range b.Regions[i].Areas.Each() {
				meet[[2]int{b.Areas[x].Resource, b.Areas[y].Resource}]++
			}
			seen[b.Areas[x].Resource] = true
		}
		if len(seen) != 3 || !connected(b, b.Regions[i].Areas) {
			return b.Regions[i].Name + " repeats a Resource or is not connected"
		}
	}
	for i := range b.Areas[:LandAreas] {
		if b.Areas[i].Region < 0 || b.Areas[i].Resource < 0 {
			return b.Areas[i].ID + " has no Region or no Resource"
		}
	}
	for x := range Regions {
		for y := range x {
			if n := meet[[2]int{x, y}]; n != 1 && n != 2 {
				return fmt.Sprintf("%s and %s meet in %d Regions", b.Resources[x].Name, b.Resources[y].Name, n)
			}
		}
	}
	return ""
}

// borderFault says what is wrong with the borders: they are symmetric, agree with the
// list of them, and connect the map, its Land and its Sea; a Land Area borders on one
// to three Sea Areas, a Sea Area on three to eight of the Land.
func borderFault(b *box, edges []rawEdge) string {
	var listed [Areas]AreaSet
	for _, e := range edges {
		x, okX := b.areaByID(e.A)
		y, okY := b.areaByID(e.B)
		if !okX || !okY || listed[x].Has(y) || e.Kind != [3]string{"sea-sea", "land-sea", "land-land"}[bit(x < LandAreas)+bit(y < LandAreas)] {
			return fmt.Sprintf("border %s-%s is unknown, listed twice or of another kind", e.A, e.B)
		}
		listed[x] |= 1 << y
		listed[y] |= 1 << x
	}
	for i := range b.Areas {
		a := &b.Areas[i]
		sea, land := (a.Adjacent & seaAreas).Size(), (a.Adjacent & landAreas).Size()
		if listed[i] != a.Adjacent || a.Adjacent.Has(AreaID(i)) || i < LandAreas && (sea < 1 || sea > 3) || i >= LandAreas && (land < 3 || land > 8) {
			return "borders of " + a.ID
		}
	}
	if !connected(b, allAreas) || !connected(b, landAreas) || !connected(b, seaAreas) {
		return "the map, its Land or its Sea is not connected"
	}
	return ""
}

// connected reports whether every Area of the set can be reached from any other
// within it.
func connected(b *box, set AreaSet) bool {
	reached := set & -set
	for before := AreaSet(0); before != reached; {
		before = reached
		reached |= b.Neighbours(reached) & set
	}
	return reached == set
}
