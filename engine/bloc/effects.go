package bloc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// op is a primitive of the card texts and abilities; the names are those of
// primitives.json, the meanings those of the rules that section 12 of the
// specification refers to.
type op uint8

const (
	opNone op = iota
	opMorale
	opDrawLoot
	opDrawKeep
	opReplaceLootDraw
	opFormBloc
	opSpendDie
	opOnReaction
	opExtraDice
	opBonusDice
	opModifyCard
	opModifyAction
	opBasicActions
	opFreeMove
	opFreeBuild
	opAttackStrength
	opChooseCell
	opKickOut
	opReactionRoll
	opNextAdvanced
	opCancelReaction
	opPlaceBarricades
	opFewerOps
	opCancelCops
	opRescueBlocs
	opProtect
	opBoost
	opMoveGroups
	opVansDeploy
	opDeployVan
	opCapCops
	opReturnSolo
	opReposition
	opMetroLock
	opReshuffle
	opRevealOps
	opRemoveCops
	opDestroyVan
	numPrimitives // the number of primitives, with opNone
)

var opNames = [numPrimitives]string{
	"", "MORALE", "DRAW_LOOT", "DRAW_KEEP", "REPLACE_LOOT_DRAW", "FORM_BLOC", "SPEND_DIE", "ON_OWN_REACTION_ROLL",
	"EXTRA_ACTION_DICE", "BONUS_DICE_NEXT_TURN", "MODIFY_CARD", "MODIFY_ACTION", "BASIC_ACTIONS", "FREE_MOVE", "FREE_BUILD",
	"ATTACK_STRENGTH", "CHOOSE_CELL", "KICK_OUT", "REACTION_ROLL", "NEXT_ADVANCED_DIE", "CANCEL_REACTION", "PLACE_BARRICADES",
	"FEWER_OPS_CARDS", "CANCEL_COP_ATTACKS", "RESCUE_BLOCS", "PROTECT_OCCUPATION", "LIBERATION_BOOST", "MOVE_GROUPS",
	"VANS_DEPLOY", "DEPLOY_VAN", "CAP_COPS", "RETURN_SOLO_COPS", "REPOSITION_VANS", "METRO_LOCK", "RESHUFFLE_OPS", "REVEAL_OPS",
	"REMOVE_COPS", "DESTROY_VAN",
}

// stands reports whether an ability with this op changes other rules instead of
// being used.
func (o op) stands() bool {
	switch o {
	case opReplaceLootDraw, opOnReaction, opModifyCard, opModifyAction, opBasicActions:
		return true
	}
	return false
}

// effect is one compiled primitive.
type effect struct {
	op        op
	n         [2]uint8 // how many or how much; the second where the district is liberated
	draw      uint8    // cards drawn, of which n are kept
	sign      int8     // MORALE
	fromTable bool     // n is the manifestation card's value
	where     where
	filter    filter
	highest   bool // priority of police IDs
	occupied  bool // MOVE_GROUPS: towards occupations, not towards typ
	typ       tileType
	fromClash bool
	actions   [2]verbSet // BASIC_ACTIONS, by side
	scope     [2]scope   // by side
	values    uint8      // bit v: CANCEL_REACTION of a roll v
}

// takers says who carries out an effect, by op and place. The rules have one form of
// each; another would be ignored, so it is refused. Effects of the one who plays a card
// name nobody.
var takers = map[string]string{
	"DRAW_LOOT": "each_liberating", "FORM_BLOC liberated_district": "each_liberating", "FORM_BLOC own_start_occupation": "every_faction",
	"BONUS_DICE_NEXT_TURN": "each_liberating", "FREE_MOVE": "each_liberating", "FREE_BUILD adjacent_own_or_public_without_police": "each_liberating",
	"PLACE_BARRICADES liberated_district": "chooser", "REMOVE_COPS liberated_or_adjacent": "chooser",
	"REMOVE_COPS district_of_that_van": "auto", "DESTROY_VAN liberated_or_adjacent": "chooser",
}

// where an effect takes place.
type where uint8

const (
	nowhere where = iota
	thisDistrict
	chosenCell
	liberatedDistrict
	ownStart
	liberatedOrAdjacent
	districtOfVan
	adjacentOwnOrPublic
)

var whereNames = []string{"", "this_district", "chosen_cell", "liberated_district", "own_start_occupation",
	"liberated_or_adjacent", "district_of_that_van", "adjacent_own_or_public_without_police"}

// filter is a set of conditions on a district.
type filter uint8

const (
	hasOwnBloc filter = 1 << iota
	hasCop
	hasNoPolice
	hasFreeConnection
)

var filterNames = []string{"own_bloc", "cop", "no_police", "free_connection"}

// scope is where a standing ability holds.
type scope uint8

const (
	inDistrict scope = iota
	inDistrictAndAdjacent
	inDistrictAndType
	inDistrictAdjacentAndType
	inCity
)

var scopeNames = []string{"this_district", "this_and_adjacent", "this_and_same_type", "this_adjacent_and_same_type", "city"}

// rawEffect is an effect as the data write it.
type rawEffect struct {
	Op               string          `json:"op"`
	Delta            int8            `json:"delta"`
	N                json.RawMessage `json:"n"`
	NLiberated       *uint8          `json:"n_liberated"`
	Max              json.RawMessage `json:"max"`
	Min              *uint8          `json:"min"`
	Minus            uint8           `json:"minus"`
	Add              uint8           `json:"add"`
	StrengthAdd      uint8           `json:"strength_add"`
	Draw             uint8           `json:"draw"`
	Keep             uint8           `json:"keep"`
	KeepLiberated    *uint8          `json:"keep_liberated"`
	Value            uint8           `json:"value"`
	Values           []uint8         `json:"values"`
	Barricades       uint8           `json:"barricades"`
	Who              string          `json:"who"`
	Where            string          `json:"where"`
	When             string          `json:"when"`
	Mandatory        bool            `json:"mandatory"`
	Filter           []string        `json:"filter"`
	Needs            []string        `json:"needs"`
	At               []string        `json:"at"`
	To               string          `json:"to"`
	Not              string          `json:"not"`
	From             string          `json:"from"`
	Arm              string          `json:"arm"`
	Dismantle        bool            `json:"dismantle"`
	Until            string          `json:"until"`
	Priority         string          `json:"priority"`
	Below            *uint8          `json:"if_vans_in_city_below"`
	ThisCard         string          `json:"this_card"`
	SumWithinSunrise bool            `json:"sum_within_sunrise"`
	FromClash        bool            `json:"from_clash"`
	Action           string          `json:"action"`
	Actions          []string        `json:"actions"`
	ActionsLiberated []string        `json:"actions_liberated"`
	Scope            string          `json:"scope"`
	ScopeLiberated   string          `json:"scope_liberated"`
	Cards            []string        `json:"cards"`
	Then             []rawEffect     `json:"then"`
	Target           struct {
		Type          string `json:"type"`
		HasOccupation bool   `json:"has_occupation"`
	} `json:"target"`
}

// compile turns a list of effects into a program. With a table, "table" stands
// for a number.
func compile(list []rawEffect, table map[string]uint8) ([]effect, error) {
	var program []effect
	for _, r := range list {
		e, err := compileEffect(r, table != nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Op, err)
		}
		program = append(program, e)
	}
	return program, nil
}

func compileEffect(r rawEffect, table bool) (effect, error) {
	var e effect
	var err error
	fail := func(e2 error) {
		if err == nil {
			err = e2
		}
	}
	var e2 error
	e.op, e2 = index[op]("op", r.Op, opNames[:])
	fail(e2)
	if want := takers[strings.TrimSpace(r.Op+" "+r.Where)]; r.Who != "" && r.Who != want {
		fail(fmt.Errorf("who %q, the engine knows %q", r.Who, want))
	}
	if r.Where != "" {
		e.where, e2 = index[where]("where", r.Where, whereNames)
		fail(e2)
	}
	for _, name := range slices.Concat(r.Filter) {
		i, e2 := index[uint8]("filter", name, filterNames)
		fail(e2)
		e.filter |= 1 << i
	}
	e.highest = r.Priority == "highest"
	e.fromClash, e.sign = r.FromClash, r.Delta
	for _, v := range r.Values {
		e.values |= 1 << v
	}
	if r.Op == "MOVE_GROUPS" {
		e.occupied = r.Target.HasOccupation
		if !e.occupied {
			e.typ, e2 = index[tileType]("target type", r.Target.Type, typeNames[:])
			fail(e2)
		}
	}
	fail(e.number(r, table))
	fail(e.scopes(r))
	fail(checkForm(r))
	return e, err
}

// number reads how many an effect is about, under whichever name the data have
// for it.
func (e *effect) number(r rawEffect, table bool) error {
	set := func(n uint8) { e.n = [2]uint8{n, n} }
	for _, raw := range []json.RawMessage{r.N, r.Max} {
		if raw == nil {
			continue
		}
		if string(raw) == `"table"` {
			if !table {
				return fmt.Errorf("a number from a table that the card lacks")
			}
			e.fromTable = true
			continue
		}
		var n uint8
		if err := json.Unmarshal(raw, &n); err != nil {
			return err
		}
		set(n)
	}
	if r.NLiberated != nil {
		e.n[1] = *r.NLiberated
	}
	switch e.op {
	case opDrawKeep, opReplaceLootDraw:
		set(r.Keep)
		e.draw = r.Draw
		if r.KeepLiberated != nil {
			e.n[1] = *r.KeepLiberated
		}
	case opAttackStrength:
		set(r.Add)
	case opModifyCard:
		set(r.StrengthAdd)
	case opModifyAction:
		set(r.Barricades)
	case opNextAdvanced:
		set(r.Minus)
	case opSpendDie:
		set(*r.Min)
	case opDeployVan:
		set(*r.Below)
	case opOnReaction:
		if len(r.Then) != 1 || r.Then[0].Op != "EXTRA_ACTION_DICE" || r.Value != sides {
			return fmt.Errorf("the engine knows extra dice on a %d alone", sides)
		}
		then, err := compileEffect(r.Then[0], false)
		e.n = then.n
		return err
	}
	return nil
}

// scopes reads where and for which verbs a standing ability holds.
func (e *effect) scopes(r rawEffect) error {
	if r.Scope == "" {
		return nil
	}
	names := [2]string{r.Scope, r.Scope}
	if r.ScopeLiberated != "" {
		names[1] = r.ScopeLiberated
	}
	actions := [2][]string{r.Actions, r.Actions}
	if r.ActionsLiberated != nil {
		actions[1] = r.ActionsLiberated
	}
	for i := range names {
		var err error
		if e.scope[i], err = index[scope]("scope", names[i], scopeNames); err != nil {
			return err
		}
		for _, name := range actions[i] {
			v, ok := map[string]verb{"build": build, "swap": swap, "loot_graffiti": lootGraffiti, "loot_burn": lootBurn}[name]
			if !ok {
				return fmt.Errorf("action %q is unknown", name)
			}
			e.actions[i] |= 1 << v
		}
	}
	if e.op == opModifyAction && r.Action != "barricade" {
		return fmt.Errorf("action %q is unknown", r.Action)
	}
	return nil
}

// forms are the arguments of effects that the rules carry out in one way only.
// Other values would be ignored, so they are refused.
var forms = map[string]func(r rawEffect) bool{
	"KICK_OUT":           func(r rawEffect) bool { return r.Arm == "choose" && r.Dismantle && r.From == "chosen_cell" },
	"REACTION_ROLL":      func(r rawEffect) bool { return r.Where == "chosen_cell" },
	"NEXT_ADVANCED_DIE":  func(r rawEffect) bool { return *r.Min == 1 && r.Until == "end_of_turn" },
	"CANCEL_COP_ATTACKS": func(r rawEffect) bool { return slices.Equal(r.Needs, []string{"own_bloc", "no_van"}) },
	"RESCUE_BLOCS":       func(r rawEffect) bool { return r.To == "own_occupation" && r.Not == "this_district" },
	"PROTECT_OCCUPATION": func(r rawEffect) bool { return slices.Equal(r.Needs, []string{"own_occupation", "police"}) },
	"LIBERATION_BOOST": func(r rawEffect) bool {
		return slices.Equal(r.Needs, []string{"own_bloc", "unliberated", "occupation"})
	},
	"DEPLOY_VAN":      func(r rawEffect) bool { return slices.Equal(r.At, []string{"cop", "no_van"}) },
	"METRO_LOCK":      func(r rawEffect) bool { return r.Until == "end_of_next_turn_of_left_faction" },
	"RESHUFFLE_OPS":   func(r rawEffect) bool { return r.ThisCard == "first_in_new_discard" },
	"REVEAL_OPS":      func(r rawEffect) bool { return r.SumWithinSunrise },
	"REPOSITION_VANS": func(r rawEffect) bool { return r.Priority == "highest" },
	"MODIFY_CARD":     func(r rawEffect) bool { return slices.Equal(r.Cards, []string{"molotovs_1", "molotovs_2"}) },
	"PLACE_BARRICADES": func(r rawEffect) bool {
		return r.Min != nil && *r.Min == map[bool]uint8{true: 0, false: 1}[r.Who == "chooser"]
	},
}

func checkForm(r rawEffect) error {
	if ok := forms[r.Op]; ok != nil && !ok(r) {
		return fmt.Errorf("arguments that the engine does not know: %+v", r)
	}
	return nil
}
