package jogu

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// rawOp is a restriction or an effect as cards.json writes it.
type rawOp struct {
	Op                  string          `json:"op"`
	Location            json.RawMessage `json:"location"`
	Overrides           string          `json:"overrides"`
	Who                 string          `json:"who"`
	Owner               string          `json:"owner"`
	N                   int             `json:"n"`
	Max                 int             `json:"max"`
	By                  int             `json:"by"`
	CapacityStrength    int             `json:"capacity_strength"`
	Amount              string          `json:"amount"`
	From                string          `json:"from"`
	To                  string          `json:"to"`
	Select              string          `json:"select"`
	Trait               string          `json:"trait"`
	Filter              string          `json:"filter"`
	Target              string          `json:"target"`
	Protected           string          `json:"protected"`
	Chooser             string          `json:"chooser"`
	Optional            bool            `json:"optional"`
	Mandatory           bool            `json:"mandatory"`
	MandatoryIfPossible bool            `json:"mandatory_if_possible"`
	IgnoresCapacity     bool            `json:"ignores_capacity"`
	OnlyIfPreviousDone  bool            `json:"only_if_previous_done"`
	MayBeProtected      bool            `json:"may_be_protected"`
}

// cardRules are the numbers of the rules that describe the cards.
var cardRules = map[string]string{
	"guardian_angel": "R13.1", "dragoon": "R13.2", "explorer": "R13.3", "punisher": "R13.5", "patriot": "R13.6",
	"knight_2": "R13.4", "knight_3": "R13.4", "knight_4": "R13.4", "knight_5": "R13.4", "knight_6": "R13.4",
	"master_of_fire": "R13.7", "master_of_wind": "R13.8", "conjurer": "R13.9", "master_of_earth": "R13.10", "storm_prodigy": "R13.11",
	"good_for_something": "R13.12", "gangan_bit": "R13.13", "medic": "R13.14", "scrambler": "R13.15", "trojan_bit": "R13.16",
	"smoke_n_screen": "R13.17", "covert_junior_agent": "R13.18", "covert_senior_agent": "R13.19", "saboteur": "R13.20", "assassin": "R13.22",
	"engineer_unit_1": "R13.23", "engineer_unit_2": "R13.23", "engineer_unit_3": "R13.23",
	"heavy_tower": "R13.24", "bomb_tower": "R13.25", "support_tower": "R13.26",
	"chronicler": "R13.28", "echo": "R13.29", "lantern_bearer": "R13.30", "anchorite": "R13.31", "pathfinder": "R13.32", "veteran": "R13.32",
}

// compileCard checks one card and compiles its restrictions and effects.
func compileCard(r rawCard) (card, error) {
	c := card{
		key: r.Key, name: r.Name, text: r.Text, rule: cardRules[r.Key], id: r.ID,
		strength: uint8(r.Strength), morale: uint8(r.Morale), capacity: uint8(r.CapacityStrength),
		protected: r.Protected, faceDown: r.FaceDown, orderFree: r.OrderFree,
		restriction: restriction{places: allPlaces, limit: 0xFFFF},
	}
	if err := r.source.check("card"); err != nil {
		return c, err
	}
	for _, s := range []string{r.NameSource, r.AbilitySource, r.NumbersSource} {
		if s != "rulebook" && s != "public" && s != "reconstructed" {
			return c, fmt.Errorf("unknown source %q", s)
		}
	}
	if r.Copies < 1 || r.Strength < 0 || r.Strength > 10 || r.Morale < 0 || r.Morale > 10 || r.Text == "" {
		return c, fmt.Errorf("copies %d, Strength %d, Morale %d or the text are out of range", r.Copies, r.Strength, r.Morale)
	}
	for _, raw := range r.Restrictions {
		if err := c.restrict(raw); err != nil {
			return c, err
		}
	}
	want := r.Strength
	if r.FaceDown {
		want = 3
	}
	if r.CapacityStrength != want {
		return c, fmt.Errorf("capacity strength %d, expected %d", r.CapacityStrength, want)
	}
	for _, raw := range r.Effects {
		e, err := compileEffect(raw)
		if err != nil {
			return c, err
		}
		if e.op == bottomFromPlay && !r.Protected {
			return c, fmt.Errorf("op %s could take the card itself", raw.Op)
		}
		if e.op == bottomFromPeek {
			last := len(c.effects) - 1
			if last < 0 || c.effects[last].op != peekDrawPile || c.effects[last].n > maxSlots {
				return c, fmt.Errorf("op %s does not follow a look at up to %d cards", raw.Op, maxSlots)
			}
			e.n = c.effects[last].n
		}
		c.effects = append(c.effects, e)
	}
	return c, c.time(r.Timing)
}

// time enters the timing classes of a card.
func (c *card) time(classes []string) error {
	restricted := c.restriction != restriction{places: allPlaces, limit: 0xFFFF} || c.faceDown
	if slices.Contains(classes, "restriction") != restricted {
		return fmt.Errorf("timing and restrictions disagree")
	}
	for _, name := range classes {
		if name == "restriction" {
			continue
		}
		i := slices.Index(timingNames[:], name)
		if i < 1 || c.timing != noAbility {
			return fmt.Errorf("timing %q is unknown or a second one", name)
		}
		c.timing = timing(i)
	}
	if (c.timing == noAbility) != (len(c.effects) == 0) {
		return fmt.Errorf("timing and effects disagree")
	}
	if c.orderFree && c.timing != whenPlayed {
		return fmt.Errorf("order_free makes sense for played abilities only")
	}
	for _, e := range c.effects {
		var at timing
		switch e.op {
		case moveSelf:
			at = opponentPlaysHere
		case addBattleLocation, removeBattleLocation, gainMorale:
			at = atResolution
		default:
			at = whenPlayed
		}
		if at != c.timing {
			return fmt.Errorf("op %s at timing %q", opNames[e.op], timingNames[c.timing])
		}
	}
	return nil
}

// restrict adds one restriction.
func (c *card) restrict(raw rawOp) error {
	switch raw.Op {
	case "only_location":
		place, err := rawPlace(raw.Location)
		if err != nil || place == noPlace {
			return fmt.Errorf("only_location without a Location")
		}
		c.restriction.places = 1 << place
	case "only_empty_location":
		c.restriction.emptyOnly = true
	case "opponent_chooses_location":
		c.restriction.opponentChooses = true
	case "face_down":
		if !c.faceDown || raw.CapacityStrength != int(c.capacity) {
			return fmt.Errorf("face_down disagrees with the card")
		}
	case "capacity_limit":
		if int(c.strength) > raw.Max {
			return fmt.Errorf("it could never be played")
		}
		c.restriction.limit = uint16(raw.Max)
	case "more_engineers_than_towers":
		c.restriction.moreEngineers = true
	case "may_exceed_capacity":
		c.restriction.anyCapacity = true
	default:
		return fmt.Errorf("unknown restriction %q", raw.Op)
	}
	return nil
}

// noPlace is the Location "here" of an effect, and the place of a card that has
// none yet.
const noPlace uint8 = numPlaces

// rawPlace reads a Location number, or "here".
func rawPlace(raw json.RawMessage) (uint8, error) {
	if len(raw) == 0 || string(raw) == `"here"` {
		return noPlace, nil
	}
	var n int
	if err := json.Unmarshal(raw, &n); err != nil || n < firstLoc || n >= firstLoc+numPlaces {
		return 0, fmt.Errorf("location %s is not here or 2 to 6", raw)
	}
	return uint8(n - firstLoc), nil
}

// compileEffect compiles one effect. Each op comes in exactly one form; another
// would need another interpreter, so the whole form is compared.
func compileEffect(raw rawOp) (effect, error) {
	place, err := rawPlace(raw.Location)
	if err != nil {
		return effect{}, err
	}
	e := effect{n: uint8(raw.N), max: uint8(raw.Max), place: place, ifPrevious: raw.OnlyIfPreviousDone}
	here := json.RawMessage(`"here"`)
	want := rawOp{Op: raw.Op, N: raw.N, Max: raw.Max}
	switch raw.Op {
	case "place_stay_token":
		want.Target, want.N = "self", 1
	case "peek_location_pile":
		want.Who, want.N = "self", 1
	case "reveal_location_card":
		want.Who = "self"
	case "lose_morale", "peek_draw_pile":
		want.Who = "self"
	case "draw":
		want.Who, want.OnlyIfPreviousDone = "self", raw.OnlyIfPreviousDone
	case "play_card":
		e.fromHand = raw.From == "own_hand"
		want.From, want.N, want.MandatoryIfPossible = "own_discard", 1, true
		if e.fromHand {
			want.From = "own_hand"
		}
	case "move_cards":
		want.Select, want.Owner, want.From, want.To, want.IgnoresCapacity = "all", "both", "other_locations", "here", true
		want.Trait = raw.Trait
		i := slices.Index(traitNames[:], raw.Trait)
		if i < 0 {
			return e, fmt.Errorf("unknown trait %q", raw.Trait)
		}
		e.trait = trait(i)
	case "bottom_from_discard":
		want.Who, want.Filter, want.Optional = "self", "not_protected", true
		e.n = uint8(raw.Max)
	case "bottom_from_play":
		want.Who, want.Filter, want.N, want.MandatoryIfPossible = "self", "not_protected", 1, true
	case "mill":
		want.Who, want.Protected = "opponent", "return_to_top"
		e.opponentSide = true
	case "random_discard":
		want.Who, want.From, want.N, want.Protected = "opponent", "hand", 1, "returns_to_hand_revealed"
		e.opponentSide = true
	case "discard_in_play":
		want.Who, want.Location, want.N, want.Filter = "opponent", here, 1, "not_protected"
		want.Chooser, want.MandatoryIfPossible = "self", true
		e.opponentSide = true
	case "discard_self":
	case "bottom_from_peek":
		want.Max, want.Optional, want.MayBeProtected = 1, true, true
	case "move_end_marker":
		want.By = raw.By
		e.n = uint8(raw.By)
	case "move_self":
		want.To, want.Chooser, want.IgnoresCapacity, want.Mandatory = "another_location", "owner", true, true
	case "add_battle_location":
		want.Location = raw.Location
	case "remove_battle_location":
		want.Location, want.Overrides = here, "all"
	case "gain_morale":
		want.Who, want.Amount = "owner", "spare_capacity_here"
	default:
		return e, fmt.Errorf("unknown op %q", raw.Op)
	}
	e.op = op(slices.Index(opNames[:], raw.Op))
	got, _ := json.Marshal(raw)
	expected, _ := json.Marshal(want)
	if !bytes.Equal(got, expected) {
		return e, fmt.Errorf("op %s is %s, the one form known is %s", raw.Op, got, expected)
	}
	return e, nil
}
