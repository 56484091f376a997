package domination

import (
	"cmp"
	"fmt"
	"slices"

	"powderkeg/engine/ruledata"
)

// Card is a card type, as cards.json has it.
type Card struct {
	ruledata.Source
	Index          int               `json:"index"`
	ID             string            `json:"id"`
	Name           string            `json:"name"`
	Group          string            `json:"group"`
	Build          uint8             `json:"build"`
	Reduction      uint8             `json:"reduction"`
	Copies         int               `json:"copies"`
	Cost           uint8             `json:"buy_cost_logistics"`   // squares of Logistical Support when it is bought (R7.3)
	AnyTime        bool              `json:"playable_any_time"`    // its text may be used in every window (R6.5)
	ScoringOnly    bool              `json:"text_only_in_scoring"` // its text may be used in D15 only (R8.4)
	Text           string            `json:"text"`
	TextLegalWhen  string            `json:"text_legal_when"`
	Effect         []rawOp           `json:"effect"`
	SourcesByField map[string]string `json:"sources_by_field"` // the mark of the text names what was ruled (Q47)
	Note           string            `json:"note"`

	ways [numWays][]effect // what each way does, empty for those that buy
}

// Points returns the number of points, Reductions or picks of the first effect of the
// text, or the VPs for each Area or Region, and the Resource whose Areas it scores, if it scores any.
func (c *Card) Points() (n, resource int) {
	if text := c.ways[TextWay]; len(text) > 0 {
		return int(text[0].n), int(text[0].resource)
	}
	return 0, 0
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

// effect is one primitive as it is interpreted: what texts.go needs of cards.json.
type effect struct {
	op op
	// n is the number of points, Reductions or picks; of vpPerArea and vpPerRegion
	// the VPs for each.
	n uint8
	// builds and reduces tell what a point may be.
	builds, reduces bool
	perOwnFull      bool     // n counts for each Full Force of the actor (R8.3)
	restrict        restrict // where points may go, beside areas (R8.2)
	areas           AreaSet
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

var areaNames = map[string]AreaSet{"land": landAreas, "sea": seaAreas, "all": allAreas}

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

// cardsFile is cards.json (R1.3, R7, R8), whose values are mostly our own (Q5) and whose
// names are spelled as they are meant (Q38). It takes the 14 Builds of Military Base as
// printed (Q39).
type cardsFile struct {
	Cite        string                       `json:"cite"`
	WhyPoints   string                       `json:"why_points"`
	WhyCopies   string                       `json:"why_copies"`
	WhyCombined string                       `json:"why_combined_points"`
	WhyExtended string                       `json:"why_extended"`
	HowToRead   string                       `json:"how_to_read"`
	Ops         map[string]string            `json:"ops"`
	Terms       map[string]map[string]string `json:"terms"`
	Params      map[string][]string          `json:"params"`
	Cards       []Card                       `json:"cards"`
}

// readCards compiles cards.json.
func readCards(b *box) error {
	var c cardsFile
	if err := ruledata.Read(b.files, "cards", &c); err != nil {
		return err
	}
	if len(c.Cards) != Cards {
		return fmt.Errorf("cards.json: %d cards, expected %d", len(c.Cards), Cards)
	}
	for i, card := range c.Cards {
		if err := card.compile(b); err != nil {
			return fmt.Errorf("cards.json: %s: %w", card.Name, err)
		}
		if b.Cards[i] = card; card.AnyTime {
			b.anytime |= 1 << i
		}
		if card.ScoringOnly {
			b.scoring |= 1 << i
		}
		if card.Cost > 0 {
			b.paid |= 1 << i
		}
	}
	return nil
}

// compile compiles the ways to use the card (R7.1, R7.2, R7.8).
func (c *Card) compile(b *box) error {
	c.ways[BuildWay] = []effect{{op: points, n: c.Build, builds: true, areas: allAreas}}
	c.ways[AttackWay] = []effect{{op: points, n: c.Reduction, reduces: true, areas: allAreas}}
	for k, raw := range c.Effect {
		e, err := b.compileEffect(raw)
		if err != nil {
			return fmt.Errorf("effect %d: %w", k, err)
		}
		c.ways[TextWay] = append(c.ways[TextWay], e)
	}
	return nil
}

// compileEffect compiles one effect. Words of cards.json that only describe it stand in
// the same form with every effect of an op, as a test makes sure.
func (b *box) compileEffect(raw rawOp) (effect, error) {
	per, each := cmp.Or(raw.ReductionsPer, &rawPer{}), cmp.Or(raw.Each, &rawOp{})
	i := slices.Index(opNames[:], raw.Op)
	k := slices.IndexFunc(b.Resources[:], func(g Group) bool { return g.Name == raw.Resource })
	areas, known := areaNames[raw.Areas]
	restrict, ok := restrictNames[raw.Restrict]
	switch {
	case i < 0:
		return effect{}, fmt.Errorf("unknown op %q", raw.Op)
	case k < 0 && raw.Resource != "":
		return effect{}, fmt.Errorf("unknown resource %q", raw.Resource)
	case !known && raw.Areas != "":
		return effect{}, fmt.Errorf("unknown areas %q", raw.Areas)
	case !ok:
		return effect{}, fmt.Errorf("unknown restriction %q", raw.Restrict)
	}
	return effect{
		op: op(i), n: uint8(cmp.Or(raw.Builds, raw.Reductions, raw.Combined, raw.Amount, raw.Max, raw.VP, per.Amount, each.Amount)),
		builds: raw.Builds+raw.Combined > 0, reduces: raw.Reductions+raw.Combined+per.Amount > 0, perOwnFull: per.Amount > 0,
		restrict: restrict, areas: areas, mandatory: raw.Mandatory, ownFullRegions: raw.RegionCondition != "",
		opponents: raw.Owner == "opponent", chosen: raw.Owner == "chosen", struggling: raw.Strength == "struggling",
		isolated: raw.Filter == "isolated" || raw.Having == "isolated_force",
		fraction: [2]uint8{uint8(raw.Fraction[0]), uint8(raw.Fraction[1])}, resource: uint8(max(k, 0)),
	}, nil
}
