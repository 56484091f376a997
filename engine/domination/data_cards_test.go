package domination

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

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

// R1.3, R7, R8: every card is one that the interpreter carries out as it is written.
func TestR7_8_CardsAreCarriedOutAsWritten(t *testing.T) {
	var c cardsFile
	readData(t, "cards", &c)
	b, seen, scores := testBox(t), map[string]bool{}, [Regions]int{}
	for i, r := range c.Cards {
		if err := cardFault(b, i, r); err != nil || seen[r.Name] || seen[r.ID] {
			t.Errorf("%s: %v, or its name or id is taken", r.Name, err)
		}
		seen[r.Name], seen[r.ID] = true, true
		for _, e := range b.Cards[i].ways[TextWay] {
			if e.op == vpPerArea {
				scores[e.resource]++
			}
		}
	}
	for i, n := range scores {
		if n != 1 {
			t.Errorf("%d cards score %s", n, b.Resources[i].Name)
		}
	}
	// optional_reductions stands within chain_left only.
	names := slices.Sorted(slices.Values(append(opNames[:], "optional_reductions")))
	if !slices.Equal(slices.Sorted(maps.Keys(c.Ops)), names) || !slices.Equal(slices.Sorted(maps.Keys(c.Params)), names) {
		t.Errorf("the ops described are not those of the engine, %v", names)
	}
}

// A card that the interpreter could not carry out as it is written would be noticed.
func TestR7_8_BadCardsAreNoticed(t *testing.T) {
	good := `{"index":1,"id":"x","name":"X","group":"action","build":4,"reduction":4,"copies":6,"buy_cost_logistics":0,
		"playable_any_time":false,"text_only_in_scoring":false,"text":"a sentence of some length","text_legal_when":"always",
		"effect":[{"op":"points","combined":6,"areas":"land","restrict":null,"up_to":true}],"source":"rulebook",
		"sources_by_field":{"name":"rulebook","copies":"reconstructed","build":"reconstructed","reduction":"reconstructed","text":"rulebook"}}`
	b := testBox(t)
	check := func(change map[string]any) error {
		var m map[string]any
		if err := json.Unmarshal([]byte(good), &m); err != nil {
			t.Fatal(err)
		}
		maps.Copy(m, change)
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var c Card
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		return cardFault(b, 1, c)
	}
	if err := check(nil); err != nil {
		t.Fatalf("the card itself is refused: %v", err)
	}
	op := func(fields map[string]any) map[string]any { return map[string]any{"effect": []any{fields}} }
	for name, change := range map[string]map[string]any{
		"another index":              {"index": 2},
		"another group":              {"group": "starter"},
		"a value out of range":       {"build": 7},
		"no effect":                  {"effect": []any{}},
		"both kinds of windows":      {"playable_any_time": true, "text_only_in_scoring": true},
		"an unknown op":              op(map[string]any{"op": "conquer"}),
		"an unknown restriction":     op(map[string]any{"op": "points", "combined": 6, "areas": "land", "restrict": "on_sundays", "up_to": true}),
		"unknown areas":              op(map[string]any{"op": "points", "combined": 6, "areas": "moon", "up_to": true}),
		"no areas":                   op(map[string]any{"op": "points", "combined": 6, "up_to": true}),
		"an upgrade on land alone":   op(map[string]any{"op": "upgrade_all", "owner": "self", "areas": "land"}),
		"two numbers of points":      op(map[string]any{"op": "points", "builds": 2, "combined": 6, "areas": "land", "up_to": true}),
		"points without a number":    op(map[string]any{"op": "points", "areas": "land", "up_to": true}),
		"points that must be spent":  op(map[string]any{"op": "points", "combined": 6, "areas": "land"}),
		"a chain of its own":         op(map[string]any{"op": "chain_left", "each": map[string]any{"op": "optional_reductions", "amount": 2, "exact": true}, "until": "declined_or_impossible"}),
		"a hit without a choice":     op(map[string]any{"op": "reduce_all", "owner": "chosen", "strength": "full", "areas": "all"}),
		"an unknown resource":        op(map[string]any{"op": "vp_per_area", "vp": 1, "resource": "Gold", "owner": "self"}),
		"a parameter of another op":  op(map[string]any{"op": "upgrade_all", "owner": "self", "areas": "all", "max": 3}),
		"a fraction above one":       op(map[string]any{"op": "storm", "players": "all", "fraction": []int{3, 2}, "round": "down", "count": "forces_before", "chooser": "self"}),
		"Fog of War outside scoring": op(map[string]any{"op": "deny_region_monopoly_vp", "players": "others", "duration": "this_scoring"}),
	} {
		if check(change) == nil {
			t.Errorf("a card with %s is accepted", name)
		}
	}
}
