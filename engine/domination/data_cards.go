package domination

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// card is one card type.
type card struct {
	id, name, text   string
	build, reduction uint8
	cost             uint8 // squares of Logistical Support when it is bought (R7.3)
	extension        bool
	anyTime          bool // its text may be used in every window (R6.5)
	scoringOnly      bool // its text may be used in D15 only (R8.4)
	copies           int
	ways             [numWays][]effect // what each way does, empty for those that buy
}

// op is a primitive of the card texts; the names are those of cards.json.
type op uint8

const (
	points op = iota
	reductions
	chainLeft
	choosePlayer
	reduceAll
	removeAll
	removePerRegion
	replace
	storm
	upgradeAll
	vpPerArea
	vpPerRegion
	denyRegionMonopolyVP
	returnToStack
	numOps
)

var opNames = [numOps]string{
	"points", "reductions", "chain_left", "choose_player", "reduce_all", "remove_all", "remove_per_region",
	"replace", "storm", "upgrade_all", "vp_per_area", "vp_per_region", "deny_region_monopoly_vp", "return_to_stack",
}

// effect is one compiled primitive.
type effect struct {
	op op
	// n is the number of points, Reductions or picks; of vpPerArea and vpPerRegion
	// the VPs for each.
	n uint8
	// builds and reduces tell what a point may be.
	builds, reduces bool
	perOwnFull      bool     // n counts for each Full Force of the actor (R8.3)
	restrict        restrict // where points may go, beside areas (R8.2)
	areas           areaSet
	mandatory       bool // removePerRegion: without DECLINE (R8.6)
	ownFullRegions  bool // removePerRegion: Regions with an own Full Land Force only (R8.7)
	opponents       bool // removePerRegion: Forces of opponents only
	chosen          bool // reduceAll, removeAll: those of the chosen player
	struggling      bool // removeAll: Struggling Forces only
	isolated        bool // choosePlayer, removeAll: isolated Forces only
	fraction        [2]uint8
	resource        uint8
}

// restrict is a restriction that is tested anew before each point (R8.2).
type restrict uint8

const (
	unrestricted restrict = iota
	nearOwnSea            // adjacent to a Sea Area that the actor controls
	nearOwnLand           // adjacent to a Land Area that holds a Force of the actor
)

var restrictNames = map[string]restrict{
	"": unrestricted, "adjacent_to_own_sea_force": nearOwnSea, "adjacent_to_own_land_force": nearOwnLand,
}

var areaNames = map[string]areaSet{"land": landAreas, "sea": seaAreas, "all": allAreas}

type rawCard struct {
	source
	Index          int               `json:"index"`
	ID             string            `json:"id"`
	Name           string            `json:"name"`
	Group          string            `json:"group"`
	Build          int               `json:"build"`
	Reduction      int               `json:"reduction"`
	Copies         int               `json:"copies"`
	Cost           int               `json:"buy_cost_logistics"`
	AnyTime        bool              `json:"playable_any_time"`
	ScoringOnly    bool              `json:"text_only_in_scoring"`
	Text           string            `json:"text"`
	TextLegalWhen  string            `json:"text_legal_when"`
	Effect         []rawOp           `json:"effect"`
	SourcesByField map[string]string `json:"sources_by_field"`
	Note           string            `json:"note"`
}

// rawOp is an effect as cards.json writes it.
type rawOp struct {
	Op              string  `json:"op"`
	Builds          int     `json:"builds"`
	Reductions      int     `json:"reductions"`
	Combined        int     `json:"combined"`
	ReductionsPer   *rawPer `json:"reductions_per"`
	Areas           string  `json:"areas"`
	Restrict        string  `json:"restrict"`
	UpTo            bool    `json:"up_to"`
	Amount          int     `json:"amount"`
	Owner           string  `json:"owner"`
	Exact           bool    `json:"exact"`
	Each            *rawOp  `json:"each"`
	Until           string  `json:"until"`
	Among           string  `json:"among"`
	Having          string  `json:"having"`
	Strength        string  `json:"strength"`
	Filter          string  `json:"filter"`
	Simultaneous    bool    `json:"simultaneous"`
	Count           any     `json:"count"` // 1, or forces_before
	Mandatory       bool    `json:"mandatory"`
	RegionCondition string  `json:"region_condition"`
	Max             int     `json:"max"`
	Min             int     `json:"min"`
	WithOwner       string  `json:"with_owner"`
	WithStrength    string  `json:"with_strength"`
	Players         string  `json:"players"`
	Fraction        [2]int  `json:"fraction"`
	Round           string  `json:"round"`
	Chooser         string  `json:"chooser"`
	VP              int     `json:"vp"`
	Resource        string  `json:"resource"`
	Condition       string  `json:"condition"`
	Duration        string  `json:"duration"`
}

type rawPer struct {
	Per    string `json:"per"`
	Amount int    `json:"amount"`
}

// readCards reads cards.json (R1.3, R7, R8), whose values are mostly our own (Q5) and
// whose names are spelled as they are meant (Q38). It takes the 14 Builds of Military
// Base as printed (Q39).
func readCards(b *box) error {
	var c struct {
		Cite        string                       `json:"cite"`
		WhyPoints   string                       `json:"why_points"`
		WhyCopies   string                       `json:"why_copies"`
		WhyCombined string                       `json:"why_combined_points"`
		WhyExtended string                       `json:"why_extended"`
		HowToRead   string                       `json:"how_to_read"`
		Ops         map[string]string            `json:"ops"`
		Terms       map[string]map[string]string `json:"terms"`
		Params      map[string][]string          `json:"params"`
		Cards       []rawCard                    `json:"cards"`
	}
	if err := decodeFile("cards", &c); err != nil {
		return err
	}
	// optional_reductions stands within chain_left only.
	names := slices.Sorted(slices.Values(append(opNames[:], "optional_reductions")))
	if !slices.Equal(slices.Sorted(maps.Keys(c.Ops)), names) || !slices.Equal(slices.Sorted(maps.Keys(c.Params)), names) {
		return fmt.Errorf("cards.json: the ops described are not those of the engine, %s", strings.Join(names, ", "))
	}
	if len(c.Cards) != numCards {
		return fmt.Errorf("cards.json: %d cards, expected %d", len(c.Cards), numCards)
	}
	for i, r := range c.Cards {
		var err error
		if b.cards[i], err = b.compileCard(i, r); err != nil {
			return fmt.Errorf("cards.json: %s: %w", r.Name, err)
		}
		for k := range i {
			if b.cards[k].name == r.Name || b.cards[k].id == r.ID {
				return fmt.Errorf("cards.json: %s: its name or its id is taken", r.Name)
			}
		}
		if r.AnyTime {
			b.anytime |= 1 << i
		}
		if r.ScoringOnly {
			b.scoring |= 1 << i
		}
		if r.Cost > 0 {
			b.paid |= 1 << i
		}
	}
	return b.checkControlCards()
}

// checkControlCards demands one card that scores each Resource.
func (b *box) checkControlCards() error {
	seen := [numRegions]int{}
	for i := range b.cards {
		for _, e := range b.cards[i].ways[wayText] {
			if e.op == vpPerArea {
				seen[e.resource]++
			}
		}
	}
	for i, n := range seen {
		if n != 1 {
			return fmt.Errorf("cards.json: %d cards score %s", n, b.resources[i].name)
		}
	}
	return nil
}

// compileCard checks one card and compiles its ways (R7.1, R7.2, R7.8).
func (b *box) compileCard(i int, r rawCard) (card, error) {
	c := card{
		id: r.ID, name: r.Name, text: r.Text, build: uint8(r.Build), reduction: uint8(r.Reduction),
		cost: uint8(r.Cost), copies: r.Copies, anyTime: r.AnyTime, scoringOnly: r.ScoringOnly,
	}
	if err := r.source.check("card"); err != nil {
		return c, err
	}
	group := "action"
	switch {
	case i == domination:
		group = "starter"
	case i >= baseCards:
		group, c.extension = "action_extended", true
	}
	switch {
	case r.Index != i || r.Group != group:
		return c, fmt.Errorf("index %d and group %q, expected %d and %q", r.Index, r.Group, i, group)
	case r.Build < 3 || r.Build > 6 || r.Reduction < 3 || r.Reduction > 6:
		return c, fmt.Errorf("values %d and %d, expected 3 to 6", r.Build, r.Reduction)
	case r.Cost < 0 || r.Cost > 1 || r.AnyTime && r.ScoringOnly:
		return c, fmt.Errorf("its cost or its windows make no sense")
	case len(r.Text) <= 10 || r.TextLegalWhen == "":
		return c, fmt.Errorf("it has no sentence")
	case (len(r.Effect) == 0) != (i == domination):
		return c, fmt.Errorf("the starter card alone has no text")
	}
	for _, field := range []string{"name", "copies", "build", "reduction", "text"} {
		mark, _, _ := strings.Cut(r.SourcesByField[field], " ")
		if !slices.Contains(sourceNames, mark) {
			return c, fmt.Errorf("source %q of its %s is unknown", mark, field)
		}
	}
	c.ways[wayBuild] = []effect{{op: points, n: c.build, builds: true, areas: allAreas}}
	c.ways[wayAttack] = []effect{{op: points, n: c.reduction, reduces: true, areas: allAreas}}
	for k, raw := range r.Effect {
		e, err := b.compileEffect(raw)
		if err != nil {
			return c, fmt.Errorf("effect %d: %w", k, err)
		}
		if err := follows(c.ways[wayText], &e); err != nil {
			return c, fmt.Errorf("effect %d: %w", k, err)
		}
		c.ways[wayText] = append(c.ways[wayText], e)
	}
	if denies := slices.ContainsFunc(c.ways[wayText], func(e effect) bool { return e.op == denyRegionMonopolyVP }); denies != c.scoringOnly {
		return c, fmt.Errorf("a text for the scoring step alone denies VPs, and no other does")
	}
	return c, nil
}

// follows demands that an effect which builds on one before it comes after that
// one.
func follows(before []effect, e *effect) error {
	var last *effect
	if len(before) > 0 {
		last = &before[len(before)-1]
	}
	switch {
	case e.op == chainLeft && (last == nil || last.op != reductions):
		return fmt.Errorf("a chain follows Reductions")
	case e.chosen && (last == nil || last.op != choosePlayer || last.isolated != e.isolated):
		return fmt.Errorf("it does not follow the choice of the player that it hits")
	}
	return nil
}

// compileEffect compiles one effect. Each op comes in one form, apart from its
// numbers and the choices that effect has fields for; another form would need
// another interpreter, so the whole form is compared.
func (b *box) compileEffect(raw rawOp) (effect, error) {
	i := slices.Index(opNames[:], raw.Op)
	if i < 0 {
		return effect{}, fmt.Errorf("unknown op %q", raw.Op)
	}
	e, want := effect{op: op(i)}, rawOp{Op: raw.Op}
	if raw.Areas != "" {
		var ok bool
		if e.areas, ok = areaNames[raw.Areas]; !ok {
			return e, fmt.Errorf("areas %q is unknown", raw.Areas)
		}
		want.Areas = raw.Areas
	}
	if err := b.fill(&e, raw, &want); err != nil {
		return e, err
	}
	switch e.op {
	case points, removePerRegion, replace:
		if e.areas == 0 {
			return e, fmt.Errorf("op %s without areas", raw.Op)
		}
	case reduceAll, removeAll, upgradeAll:
		want.Areas = "all" // the interpreter goes through no others
	}
	if raw != want {
		return e, fmt.Errorf("op %s in a form that the engine does not know", raw.Op)
	}
	if e.needsNumber() && e.n == 0 {
		return e, fmt.Errorf("op %s without its number", raw.Op)
	}
	return e, nil
}

// fill compiles the fields of an effect whose op is known, and writes to want the
// form in which it must stand in cards.json.
func (b *box) fill(e *effect, raw rawOp, want *rawOp) error {
	switch e.op {
	case points:
		return e.compilePoints(raw, want)
	case reductions:
		e.n, want.Amount, want.Owner = uint8(raw.Amount), raw.Amount, "opponents_of_actor"
	case chainLeft:
		if raw.Each == nil || *raw.Each != (rawOp{Op: "optional_reductions", Amount: raw.Each.Amount, Exact: true}) {
			return fmt.Errorf("a chain offers exact Reductions")
		}
		e.n, want.Each, want.Until = uint8(raw.Each.Amount), raw.Each, "declined_or_impossible"
	case choosePlayer:
		e.isolated = raw.Having == "isolated_force"
		want.Among, want.Having = "opponents", "full_force"
		if e.isolated {
			want.Having = raw.Having
		}
	case reduceAll, removeAll:
		e.compileAll(raw, want)
	case removePerRegion:
		e.compilePerRegion(raw, want)
	case replace:
		e.n, want.Max, want.Min, want.Strength, want.Owner = uint8(raw.Max), raw.Max, 1, "struggling", "any"
		want.WithOwner, want.WithStrength = "self", "full"
	case storm:
		e.fraction = [2]uint8{uint8(raw.Fraction[0]), uint8(raw.Fraction[1])}
		want.Players, want.Fraction, want.Round, want.Count, want.Chooser = "all", raw.Fraction, "down", "forces_before", "self"
		if raw.Fraction[0] < 1 || raw.Fraction[0] > raw.Fraction[1] {
			return fmt.Errorf("fraction %v is not above 0 and at most 1", raw.Fraction)
		}
	case upgradeAll:
		want.Owner = "self"
	case vpPerArea:
		e.n, want.VP, want.Resource, want.Owner = uint8(raw.VP), raw.VP, raw.Resource, "self"
		k := slices.IndexFunc(b.resources[:], func(g group) bool { return g.name == raw.Resource })
		if k < 0 {
			return fmt.Errorf("resource %q is unknown", raw.Resource)
		}
		e.resource = uint8(k)
	case vpPerRegion:
		e.n, want.VP, want.Condition = uint8(raw.VP), raw.VP, "own_full_land_force"
	case denyRegionMonopolyVP:
		want.Players, want.Duration = "others", "this_scoring"
	}
	return nil
}

func (e *effect) needsNumber() bool {
	switch e.op {
	case points, reductions, chainLeft, replace, vpPerArea, vpPerRegion:
		return true
	}
	return false
}

func (e *effect) compilePoints(raw rawOp, want *rawOp) error {
	want.UpTo, want.Restrict = true, raw.Restrict
	var ok bool
	if e.restrict, ok = restrictNames[raw.Restrict]; !ok {
		return fmt.Errorf("restrict %q is unknown", raw.Restrict)
	}
	switch {
	case raw.Builds > 0:
		e.n, e.builds, want.Builds = uint8(raw.Builds), true, raw.Builds
	case raw.Reductions > 0:
		e.n, e.reduces, want.Reductions = uint8(raw.Reductions), true, raw.Reductions
	case raw.Combined > 0:
		e.n, e.builds, e.reduces, want.Combined = uint8(raw.Combined), true, true, raw.Combined
	case raw.ReductionsPer != nil:
		if raw.ReductionsPer.Per != "own_full_force" {
			return fmt.Errorf("per %q is unknown", raw.ReductionsPer.Per)
		}
		e.n, e.reduces, e.perOwnFull, want.ReductionsPer = uint8(raw.ReductionsPer.Amount), true, true, raw.ReductionsPer
	}
	return nil
}

func (e *effect) compileAll(raw rawOp, want *rawOp) {
	e.chosen, e.struggling, e.isolated = raw.Owner == "chosen", raw.Strength == "struggling", raw.Filter == "isolated"
	want.Owner, want.Filter, want.Simultaneous = "all", raw.Filter, e.isolated
	if e.chosen {
		want.Owner = "chosen"
	}
	switch {
	case e.op == reduceAll:
		want.Strength, want.Filter, want.Simultaneous = "full", "", false
	case e.struggling:
		want.Strength = "struggling"
	default:
		want.Strength = "any"
	}
	if raw.Filter != "" && !e.isolated {
		want.Filter = "isolated"
	}
}

func (e *effect) compilePerRegion(raw rawOp, want *rawOp) {
	e.mandatory, e.opponents, e.ownFullRegions = raw.Mandatory, raw.Owner == "opponent", raw.RegionCondition != ""
	want.Count, want.Mandatory, want.Owner = 1.0, raw.Mandatory, "any"
	if e.opponents {
		want.Owner = "opponent"
	}
	if e.ownFullRegions {
		want.RegionCondition = "own_full_land_force_at_start"
	}
}
