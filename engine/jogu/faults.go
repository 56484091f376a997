package jogu

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
)

// data is what an edition may replace: the numbers on the cards, of which the rulebook
// prints none, and the names that were not found.
var data = engine.Data{
	Files: files, Names: []string{"cards", "factions", "setup"}, Version: 2,
	Open: []ruledata.Open{
		{File: "cards", At: "cards[]", Mark: "numbers_source", Fields: []ruledata.Field{
			{Name: "copies", Low: 1, High: MaxCopies}, {Name: "strength", High: Capacity}, {Name: "morale", High: Capacity},
		}},
		{File: "cards", At: "cards[]", Derived: true, Fields: []ruledata.Field{{Name: "capacity_strength", High: Capacity}}},
		{File: "cards", At: "cards[]", Mark: "name_source", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "factions", At: "factions[]", Derived: true, Fields: []ruledata.Field{
			{Name: "total_strength", High: MaxStrength}, {Name: "total_morale", High: DeckSize * Capacity},
		}},
		{File: "factions", At: "factions[]", Mark: "name_source", Fields: []ruledata.Field{{Name: "name"}}},
		{File: "setup", At: "parameters[start_morale]", Mark: "source", Fields: []ruledata.Field{{Name: "value", Low: 1, High: 30}}},
	},
	Fixed: []ruledata.Fixed{
		{What: "cards.json, traits, timing, restrictions and effects of the expansion's cards",
			Why: "R13.28 to R13.33 are written and tested for them"},
		{What: "setup.json, start_hand and start_round", Why: "R4.5 and R5.1 are written for 0 and 1"},
		{What: "setup.json, start_player, expansion, auto_forced and the match-ups", Why: "they are options of the game string"},
	},
	Load: func(files ruledata.Files) (engine.Compiled, error) { return newBox(files) },
}

// Faults implements engine.Compiled: factions and cards come in one order, their numbers add
// up, and every deck can be represented by a position and an observation (R1.2).
func (b *box) Faults() []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	keys, ids, next := map[string]bool{}, map[string]bool{}, 0
	for i := range b.decks {
		d := &b.decks[i]
		if d.Index != i || ids[d.ID] || d.Edition != "base" && d.Edition != "expansion" || (d.Edition == "base") != (i < b.baseDecks) {
			fault("factions.json, faction %s: its index %d, id or edition %s is wrong", d.ID, d.Index, d.Edition)
		}
		ids[d.ID] = true
		var cards []string
		for j := range d.cards {
			c := &d.cards[j]
			if keys[c.Key] || c.ID != next || b.cards[next].Key != c.Key {
				fault("cards.json, card %s: its key is not unique or its id %d is out of order", c.Key, c.ID)
			}
			keys[c.Key] = true
			next++
			cards = append(cards, c.Key)
			if err := faultOf(c); err != nil {
				fault("cards.json, card %s: %v", c.Key, err)
			}
		}
		if !slices.Equal(cards, d.CardKeys) {
			fault("factions.json, faction %s: its cards are %v, card_keys says %v", d.ID, cards, d.CardKeys)
		}
		faults = append(faults, sumFaults(d)...)
		if t := mixFault(d); t != "" {
			fault("factions.json, faction %s: %s", d.ID, t)
		}
		if n := numSeats * d.count(func(c *Card) int { return c.sum(PlaceStayToken) }); n > int(b.tokenSupply) {
			fault("factions.json, faction %s: two decks could need %d Stay tokens, there are %d (Q22)", d.ID, n, b.tokenSupply)
		}
	}
	return faults
}

// count adds up over the copies of a deck's cards.
func (d *deck) count(of func(c *Card) int) int {
	n := 0
	for i := range d.cards {
		n += int(d.cards[i].Copies) * of(&d.cards[i])
	}
	return n
}

// sum adds up the numbers of a card's effects of some kinds.
func (c *Card) sum(ops ...Op) int {
	n := 0
	for _, e := range c.Effects {
		if slices.Contains(ops, e.Op) {
			n += max(int(e.N), 1)
		}
	}
	return n
}

// sumFaults compares a deck's sums with what is said of them, and with what positions,
// bounds and observations are made for.
func sumFaults(d *deck) []string {
	var faults []string
	for _, x := range []struct {
		what      string
		got, want int
	}{
		{"copies", d.count(func(*Card) int { return 1 }), DeckSize},
		{"Strength (total_strength in factions.json)", d.count(func(c *Card) int { return int(c.Strength) }), d.TotalStrength},
		{"morale (total_morale in factions.json)", d.count(func(c *Card) int { return int(c.Morale) }), d.TotalMorale},
		{"cards (deck_size in factions.json)", DeckSize, d.DeckSize},
	} {
		if x.got != x.want {
			faults = append(faults, fmt.Sprintf("cards.json, faction %s: its cards add up to %d %s, want %d", d.ID, x.got, x.what, x.want))
		}
	}
	has := func(op Op) func(c *Card) int { return func(c *Card) int { return min(c.sum(op), 1) } }
	for _, x := range []struct {
		what       string
		got, limit int
	}{
		{"cards that play another (R9.6)", d.count(has(PlayCard)), MaxDepth - 1},
		{"cards with Stay tokens", d.count(has(PlaceStayToken)), MaxStaying},
		{"cards that move when the opponent plays", d.count(has(MoveSelf)), MaxScramblers},
		{"cards that discard at random", d.count(has(RandomDiscard)), maxHits},
		{"cards that go under the pile by its abilities", d.count(func(c *Card) int { return c.sum(BottomFromDiscard, BottomFromPlay) }), MaxSunk},
		{"morale gained in one Resolution (R10.3)", int(d.spare), MaxSpare},
		{"Strength in all", d.count(func(c *Card) int { return int(c.Strength) }), MaxStrength},
	} {
		if x.got > x.limit {
			faults = append(faults, fmt.Sprintf("cards.json, faction %s: %d %s, the game is made for at most %d", d.ID, x.got, x.what, x.limit))
		}
	}
	return faults
}

// mixFault finds combinations that a position could not represent: Locations count the
// cards that react or bear tokens, and face-down cards are told apart by their slots
// only, so nothing else in their deck may play, move or take up cards by type.
func mixFault(d *deck) string {
	watchers, tokened := 0, 0
	for _, c := range d.cards {
		if c.has(opponentPlaysHere) {
			watchers++
		}
		for _, e := range c.Effects {
			switch {
			case e.Op == PlaceStayToken:
				tokened++
			case e.Op == BottomFromPlay && d.tokened != noType:
				return opNames[e.Op] + " cannot stand beside Stay tokens"
			case d.faceDown != 0 && (e.Op == PlayCard || e.Op == BottomFromPlay):
				return opNames[e.Op] + " cannot stand beside face-down cards"
			}
		}
	}
	switch {
	case len(d.cards) > Types:
		return "too many types"
	case watchers > 1 || tokened > 1:
		return "two types react to plays or bear Stay tokens"
	case d.faceDown == 0:
		return ""
	case d.faceDown&(d.protected|d.resolving|d.traits[Gang]|d.traits[Engineer]|d.traits[Tower]) != 0, tokened > 0, watchers > 0:
		return "face-down cards stand beside Protected ones, traits, Stay tokens or other abilities"
	}
	return ""
}

// What each op leaves open, and when it acts where that is not when it is played.
var (
	effectKeys = map[Op]string{
		PlaceStayToken: "n", LoseMorale: "n", PlayCard: "from", DrawCards: "n only_if_previous_done", MoveCards: "trait", BottomFromDiscard: "n",
		Mill: "n", PeekDrawPile: "n", MoveEndMarker: "n", AddBattleLocation: "location", RemoveBattleLocation: "location",
	}
	effectTimes = map[Op]timing{
		MoveSelf: opponentPlaysHere, AddBattleLocation: atResolution, RemoveBattleLocation: atResolution, GainMorale: atResolution,
	}
)

// faultOf says what is wrong with a card that could be read.
func faultOf(c *Card) error {
	if len(c.Traits) > 1 || c.Rule == "" || c.Text == "" || c.Copies < 1 || c.Strength > 10 || c.Morale > 10 || c.spare < 0 {
		return fmt.Errorf("copies %d, Strength %d, Morale %d, traits, rule or text are out of range", c.Copies, c.Strength, c.Morale)
	}
	want := c.Strength
	if c.FaceDown {
		want = 3
	}
	if c.Capacity != want {
		return fmt.Errorf("capacity_strength is %d, want %d", c.Capacity, want)
	}
	for _, s := range []string{c.NameSource, c.AbilitySource, c.NumbersSource} {
		if s != "rulebook" && s != "public" && s != "reconstructed" {
			return fmt.Errorf("unknown source %q", s)
		}
	}
	if slices.Contains(c.Timing, restricted) != (c.FaceDown || len(c.Restrictions) > 0) || c.places&^allPlaces != 0 {
		return fmt.Errorf("timing and restrictions disagree")
	}
	abilities := slices.DeleteFunc(slices.Clone(c.Timing), func(at timing) bool { return at == restricted })
	if len(abilities) > 1 || (len(abilities) == 0) != (len(c.Effects) == 0) {
		return fmt.Errorf("timing %v and effects disagree", c.Timing)
	}
	if c.OrderFree && !c.has(whenPlayed) {
		return fmt.Errorf("order_free makes sense for played abilities only")
	}
	for i, e := range c.Effects {
		at, ok := effectTimes[e.Op]
		if !ok {
			at = whenPlayed
		}
		if abilities[0] != at || (at == whenPlayed) != (int(e.Op) < len(played)) {
			return fmt.Errorf("op %s at timing %q", opNames[e.Op], timingNames[abilities[0]])
		}
		switch {
		case e.Op == BottomFromPlay && !c.Protected:
			return fmt.Errorf("op %s could take the card itself", opNames[e.Op])
		case e.Op == BottomFromPeek && (i == 0 || c.Effects[i-1].Op != PeekDrawPile || c.Effects[i-1].N > Slots):
			return fmt.Errorf("op %s does not follow a look at up to %d cards", opNames[e.Op], Slots)
		case e.Op == PlaceStayToken && e.N != 1:
			return fmt.Errorf("a card bears one Stay token")
		case e.Op == RemoveBattleLocation && e.At != Here:
			return fmt.Errorf("op %s is known for the card's own Location only", opNames[e.Op])
		case strings.HasPrefix(effectKeys[e.Op], "n") && e.N == 0:
			return fmt.Errorf("op %s does nothing", opNames[e.Op])
		}
	}
	return nil
}
