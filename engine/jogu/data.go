package jogu

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The printed matter of the game. balance.json, the model behind the
// reconstructed numbers, is read by the tests only, and rules.json, the list of
// rule numbers, by the rule tracer.
//
//go:embed data/actions.json data/cards.json data/chance.json data/components.json
//go:embed data/decisions.json data/factions.json data/locations.json data/setup.json
var files embed.FS

// Sizes that the arrays of a position are made for. The loader checks the data
// against them.
const (
	numSeats  = 2
	numPlaces = 5  // Locations 2 to 6 (R1.4)
	maxTypes  = 10 // card types in one deck
	maxPile   = 40 // cards in one deck (R1.2)
	maxFrames = 9  // nested plays (R9.6)
	maxSlots  = 3  // face-down cards of one owner at a Location (R3.1)
	maxRounds = 10 // spaces of the round track (R1.6)
	maxLoc    = 10 // Location Cards of one player (R1.3)
	firstLoc  = 2  // number of the first Location
)

// box is what is in the game's box, compiled from the data files.
type box struct {
	decks     []deck
	baseDecks int // decks 0 to baseDecks-1 belong to the base game
	cards     []*card
	baseCards int // cards of the base decks come first
	actions   []string

	startMorale uint16
	maxMorale   uint16 // no game can reach more
	handSize    uint8
	endStart    uint8
	endMax      uint8
	capacity    uint16
	tokenSupply uint8
	locCopies   [numPlaces]uint8
}

// deck is one faction.
type deck struct {
	id, name  string
	expansion bool
	first     int    // global id of its first card type; the others follow
	cards     []card // by type, 0 to 9
	copies    [maxTypes]uint8

	// Bit sets of types.
	protected typeSet
	faceDown  typeSet
	traits    [numTraits]typeSet
	// Types with an effect in Resolution, so that it need not look at the others.
	resolving typeSet
	// watcher is the type that reacts to the opponent's plays (Scrambler), tokened
	// the one that can bear Stay tokens; none is noType. A deck has at most one of
	// each, so that a position can count them by Location alone.
	watcher uint8
	tokened uint8
}

const noType = 0xFF

// typeSet is a set of card types of one deck.
type typeSet uint16

func (s typeSet) has(t uint8) bool { return s>>t&1 != 0 }

// trait is a word that other cards' texts refer to.
type trait uint8

const (
	gang trait = iota
	engineer
	tower
	numTraits
)

var traitNames = [numTraits]string{"gang", "engineer", "tower"}

// card is one type of Faction Card.
type card struct {
	key, name, text string
	id              int // global id
	strength        uint8
	morale          uint8
	capacity        uint8 // capacity strength as it is played (R2.4)
	protected       bool  // R2.5
	faceDown        bool  // R13.21
	orderFree       bool  // R9.4.1
	timing          timing
	restriction     restriction
	effects         []effect
}

// timing is the class of a card's ability (R2.6, Q27); restrictions are apart.
type timing uint8

const (
	noAbility         timing = iota
	whenPlayed               // at the moment it is played
	opponentPlaysHere        // when the opponent plays a card to its Location
	atResolution             // in the Resolution phase
)

var timingNames = [...]string{"", "played", "opponent_plays_here", "resolution"}

// restriction says how a card may be played.
type restriction struct {
	places          placeSet // Locations that it may be played to at all
	emptyOnly       bool
	limit           uint16 // the total there after the play may not exceed this
	moreEngineers   bool
	anyCapacity     bool // the Capacity test is skipped
	opponentChooses bool
}

// placeSet is a set of Locations, bit 0 for Location 2 up to bit 4 for 6.
type placeSet uint8

const allPlaces placeSet = 1<<numPlaces - 1

func (s placeSet) has(place uint8) bool { return s>>place&1 != 0 }

// effect is one compiled primitive.
type effect struct {
	op           op
	n            uint8 // how many, or by how much
	max          uint8 // bound of a marker
	place        uint8 // a fixed Location, or noPlace for "here"
	trait        trait
	fromHand     bool // play_card: from the hand, not the discard
	ifPrevious   bool // only if the effect before it was carried out
	opponentSide bool // it works on the opponent's cards
}

// op is a primitive of the card texts; the names are those of cards.json.
type op uint8

const (
	placeStayToken op = iota
	peekLocationPile
	revealLocationCard
	loseMorale
	playCard
	drawCards
	moveCards
	bottomFromDiscard
	bottomFromPlay
	mill
	randomDiscard
	discardInPlay
	discardSelf
	peekDrawPile
	bottomFromPeek
	moveEndMarker
	moveSelf
	addBattleLocation
	removeBattleLocation
	gainMorale
	numOps
)

var opNames = [numOps]string{
	"place_stay_token", "peek_location_pile", "reveal_location_card", "lose_morale", "play_card", "draw",
	"move_cards", "bottom_from_discard", "bottom_from_play", "mill", "random_discard", "discard_in_play",
	"discard_self", "peek_draw_pile", "bottom_from_peek", "move_end_marker", "move_self",
	"add_battle_location", "remove_battle_location", "gain_morale",
}

// loadBox reads the data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := readBox()
	if err != nil {
		return nil, fmt.Errorf("jogu: data: %w", err)
	}
	return b, nil
})

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

// source marks where a fact comes from.
type source struct {
	Source string          `json:"source"`
	Cite   json.RawMessage `json:"cite"`
	Why    string          `json:"why"`
}

// check demands a reason with every mark.
func (s source) check(what string) error {
	switch s.Source {
	case "rulebook", "public":
		if len(s.Cite) > 0 {
			return nil
		}
	case "reconstructed":
		if s.Why != "" {
			return nil
		}
	}
	return fmt.Errorf("%s: source %q without its cite or why", what, s.Source)
}

type rawCard struct {
	ID               int      `json:"id"`
	Key              string   `json:"key"`
	Name             string   `json:"name"`
	Faction          string   `json:"faction"`
	Copies           int      `json:"copies"`
	Strength         int      `json:"strength"`
	Morale           int      `json:"morale"`
	Protected        bool     `json:"protected"`
	Traits           []string `json:"traits"`
	FaceDown         bool     `json:"face_down"`
	CapacityStrength int      `json:"capacity_strength"`
	Timing           []string `json:"timing"`
	OrderFree        bool     `json:"order_free"`
	Restrictions     []rawOp  `json:"restrictions"`
	Effects          []rawOp  `json:"effects"`
	Text             string   `json:"text"`
	NameSource       string   `json:"name_source"`
	AbilitySource    string   `json:"ability_source"`
	NumbersSource    string   `json:"numbers_source"`
	source
}

type rawFaction struct {
	Index         int      `json:"index"`
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	NameSource    string   `json:"name_source"`
	Edition       string   `json:"edition"`
	Theme         string   `json:"theme"`
	DeckSize      int      `json:"deck_size"`
	TotalStrength int      `json:"total_strength"`
	TotalMorale   int      `json:"total_morale"`
	CardKeys      []string `json:"card_keys"`
	source
}

// decodeFile reads one data file and refuses fields that nothing declares.
func decodeFile(name string, v any) error {
	data, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s.json: %w", name, err)
	}
	return nil
}

// readBox reads, checks and compiles all data files.
func readBox() (*box, error) {
	b := &box{}
	for _, step := range []func(*box) error{readSetup, readLocations, readComponents, readCards, readActions, readDecisions, readChance} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// readCards reads cards.json and factions.json.
func readCards(b *box) error {
	var cards struct {
		source
		FieldNotes   map[string]string `json:"field_notes"`
		PrimitiveOps map[string]string `json:"primitive_ops"`
		Cards        []rawCard         `json:"cards"`
	}
	var factions struct {
		Game           json.RawMessage `json:"game"`
		MembershipNote string          `json:"membership_note"`
		Factions       []rawFaction    `json:"factions"`
	}
	if err := decodeFile("cards", &cards); err != nil {
		return err
	}
	if err := decodeFile("factions", &factions); err != nil {
		return err
	}
	for _, name := range opNames {
		if cards.PrimitiveOps[name] == "" {
			return fmt.Errorf("cards.json does not explain the op %s", name)
		}
	}
	next := 0
	seen := map[string]bool{}
	for i, f := range factions.Factions {
		if f.Index != i || seen[f.ID] {
			return fmt.Errorf("faction %s: index %d is out of order, or its id is not unique", f.ID, f.Index)
		}
		seen[f.ID] = true
		if next+len(f.CardKeys) > len(cards.Cards) {
			return fmt.Errorf("faction %s names more cards than there are", f.ID)
		}
		d, err := compileDeck(f, cards.Cards[next:next+len(f.CardKeys)], next)
		if err != nil {
			return fmt.Errorf("faction %s: %w", f.ID, err)
		}
		next += len(f.CardKeys)
		if !d.expansion {
			if b.baseDecks != i {
				return fmt.Errorf("faction %s: base decks come before those of the expansion", f.ID)
			}
			b.baseDecks, b.baseCards = i+1, next
		}
		b.decks = append(b.decks, d)
	}
	if next != len(cards.Cards) {
		return fmt.Errorf("%d cards belong to no faction", len(cards.Cards)-next)
	}
	return b.finishCards()
}

// finishCards fills what depends on all decks.
func (b *box) finishCards() error {
	keys := map[string]bool{}
	for i := range b.decks {
		d := &b.decks[i]
		tokens := uint8(0)
		spare := uint16(0)
		for t := range d.cards {
			c := &d.cards[t]
			if keys[c.key] || c.id != len(b.cards) {
				return fmt.Errorf("card %s: its key is not unique or its id %d is out of order", c.key, c.id)
			}
			keys[c.key] = true
			b.cards = append(b.cards, c)
			for _, e := range c.effects {
				switch e.op {
				case placeStayToken:
					tokens += d.copies[t] * e.n
				case gainMorale:
					spare += uint16(d.copies[t]) * (b.capacity - uint16(c.strength))
				}
			}
		}
		if numSeats*tokens > b.tokenSupply {
			return fmt.Errorf("two decks %s could need more than the %d Stay tokens (Q22)", d.id, b.tokenSupply)
		}
		b.maxMorale = max(b.maxMorale, b.startMorale+maxRounds*spare)
	}
	return nil
}

// compileDeck checks a faction's totals and compiles its cards.
func compileDeck(f rawFaction, raw []rawCard, first int) (deck, error) {
	d := deck{id: f.ID, name: f.Name, expansion: f.Edition == "expansion", first: first, watcher: noType, tokened: noType}
	if err := f.source.check("deck"); err != nil {
		return d, err
	}
	if f.Edition != "base" && f.Edition != "expansion" {
		return d, fmt.Errorf("edition %q is not base or expansion", f.Edition)
	}
	if len(raw) > maxTypes {
		return d, fmt.Errorf("%d card types, at most %d fit", len(raw), maxTypes)
	}
	copies, strength, morale := 0, 0, 0
	for t, r := range raw {
		if r.Key != f.CardKeys[t] || r.Faction != f.ID {
			return d, fmt.Errorf("card_keys has %s where the cards have %s of %s", f.CardKeys[t], r.Key, r.Faction)
		}
		c, err := compileCard(r)
		if err != nil {
			return d, fmt.Errorf("card %s: %w", r.Key, err)
		}
		d.cards = append(d.cards, c)
		d.copies[t] = uint8(r.Copies)
		copies += r.Copies
		strength += r.Copies * r.Strength
		morale += r.Copies * r.Morale
		if err := d.index(uint8(t), r.Traits); err != nil {
			return d, fmt.Errorf("card %s: %w", r.Key, err)
		}
	}
	if copies != f.DeckSize || copies != maxPile || strength != f.TotalStrength || morale != f.TotalMorale {
		return d, fmt.Errorf("the cards add up to %d copies, Strength %d, Morale %d; the faction says %d, %d, %d",
			copies, strength, morale, f.DeckSize, f.TotalStrength, f.TotalMorale)
	}
	return d, d.checkMix()
}

// index enters card type t into the deck's sets.
func (d *deck) index(t uint8, traits []string) error {
	c := &d.cards[t]
	bit := typeSet(1) << t
	if c.protected {
		d.protected |= bit
	}
	if c.faceDown {
		d.faceDown |= bit
	}
	for _, name := range traits {
		i := slices.Index(traitNames[:], name)
		if i < 0 {
			return fmt.Errorf("unknown trait %q", name)
		}
		d.traits[i] |= bit
	}
	if c.timing == atResolution {
		d.resolving |= bit
	}
	if c.timing == opponentPlaysHere {
		if d.watcher != noType {
			return fmt.Errorf("a second type that reacts to plays")
		}
		d.watcher = t
	}
	for _, e := range c.effects {
		if e.op == placeStayToken {
			if d.tokened != noType {
				return fmt.Errorf("a second type with Stay tokens")
			}
			d.tokened = t
		}
	}
	return nil
}

// checkMix refuses combinations that a position could not represent: face-down
// cards are told apart by their slots only, and nothing else in their deck may
// play, move or take up cards by type.
func (d *deck) checkMix() error {
	for _, c := range d.cards {
		for _, e := range c.effects {
			if e.op == bottomFromPlay && d.tokened != noType {
				return fmt.Errorf("card %s: op %s cannot stand beside Stay tokens", c.key, opNames[e.op])
			}
		}
	}
	if d.faceDown == 0 {
		return nil
	}
	if d.faceDown&(d.protected|d.resolving|d.traits[gang]|d.traits[engineer]|d.traits[tower]) != 0 || d.tokened != noType || d.watcher != noType {
		return fmt.Errorf("face-down cards stand beside Protected ones, traits, Stay tokens or other abilities")
	}
	for _, c := range d.cards {
		for _, e := range c.effects {
			if e.op == playCard || e.op == bottomFromPlay {
				return fmt.Errorf("card %s: op %s cannot stand beside face-down cards", c.key, opNames[e.op])
			}
		}
	}
	return nil
}

// compileCard checks one card and compiles its restrictions and effects.
func compileCard(r rawCard) (card, error) {
	c := card{
		key: r.Key, name: r.Name, text: r.Text, id: r.ID,
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

// typeOf returns the type of a card key in the deck; the error lists the keys.
func (d *deck) typeOf(key string) (uint8, error) {
	keys := make([]string, len(d.cards))
	for t := range d.cards {
		keys[t] = d.cards[t].key
		if keys[t] == key {
			return uint8(t), nil
		}
	}
	return 0, fmt.Errorf("%q is no card of %s; cards: %s", key, d.id, strings.Join(keys, ", "))
}
