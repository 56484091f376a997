package insurgency

import (
	"fmt"
	"slices"
)

// Statuses of a space (R4.5). They are in the order in which Unrest shifts them.
const (
	order    uint8 = 0
	anger    uint8 = 1
	defiance uint8 = 2
	revolt   uint8 = 3
	unmarked uint8 = 4

	numStatuses = 5

	marked = 1<<order | 1<<anger | 1<<defiance | 1<<revolt // a set of statuses
)

var statusNames = []string{"order", "anger", "defiance", "revolt", "unmarked"}

// numSM is the number of spaces of the Social Media track, A to F.
const numSM = 6

var smNames = []string{"A", "B", "C", "D", "E", "F"}

// smSpace is one space of the Social Media track (R13.3.1).
type smSpace struct {
	edge  uint8   // side that holds the Edge there
	moves []uint8 // spaces that one step leads to
}

// Social Media attacks, in the order of the vocabulary.
const (
	feed uint8 = iota
	censor
	persuade
	distract
	enrage
	convert
	numAttacks
)

var attackNames = []string{"feed", "censor", "persuade", "distract", "enrage", "convert"}

// band is one row of a table that is read with a die or a number.
type band struct {
	Lo, Hi                int
	Status, Metro, Region string
	Cards                 uint8
}

// spread writes each row's value to all entries that it covers; the rows must
// cover first to last once and in order.
func spread(name string, rows []band, first, last int, value func(r band, n int) error) error {
	n := first
	for _, r := range rows {
		if r.Lo != n || r.Hi < r.Lo {
			return fmt.Errorf("tables.json: %s: a row covers %d to %d, want it to begin at %d", name, r.Lo, r.Hi, n)
		}
		for ; n <= r.Hi; n++ {
			if err := value(r, n); err != nil {
				return fmt.Errorf("tables.json: %s: %w", name, err)
			}
		}
	}
	if n != last+1 {
		return fmt.Errorf("tables.json: %s ends at %d, want %d", name, n-1, last)
	}
	return nil
}

type diceTable struct {
	source
	Facts []struct {
		Roll  int
		Metro string
	} `json:"rulebook_facts"`
	FactsCite string `json:"rulebook_cite"`
	Rows      []band
}

type tableFile struct {
	Status struct {
		source
		Rows []struct {
			ID         string
			Value      int
			CF         *uint8
			Colour, VP *string
		}
	}
	Test   diceTable `json:"test_d6"`
	Metros diceTable `json:"random_city_or_suburb_d20"`
	Areas  diceTable `json:"random_region_d20"`
	Hands  struct {
		source
		Rows        []band
		InitialHand uint8  `json:"initial_hand"`
		InitialCite string `json:"initial_cite"`
	} `json:"hand_size_by_resources"`
	Income struct {
		source
		Federal uint8 `json:"federal_per_base"`
		Rebel   uint8 `json:"rebel_per_base"`
	} `json:"base_income"`
	Desertion struct {
		source
		Per uint8 `json:"remove_one_militia_per"`
	}
	Victory struct {
		source
		VP     int `json:"domination_vp"`
		Margin int `json:"decisive_margin"`
	}
	RPF struct {
		source
		Facts     []struct{ Space, RPF int } `json:"rulebook_facts"`
		FactsCite string                     `json:"rulebook_cite"`
		Rows      []struct {
			Space int
			RPF   uint8
		}
	} `json:"rebellion_power_factor"`
	Track   trackTable `json:"social_media_track"`
	Attacks struct {
		source
		Rows []struct {
			ID  string
			Ops uint8
		}
	} `json:"social_media_attacks"`
	Hack struct {
		source
		Success int `json:"success_at_least"`
		Roll    string
		Effects []struct {
			ID, Name string
			Blocked  bool `json:"blocked_by_shield"`
		}
	}
	AttackHit formula `json:"attack_hit_rule"`
	Power     formula `json:"rebellion_power_formula"`
}

// formula says in words what the engine computes.
type formula struct {
	source
	Formula string
}

type trackTable struct {
	source
	Spaces    []struct{ ID, Edge string }
	SpacesWhy string `json:"spaces_why"`
	Moves     map[string][]string
	Forbidden [][]string
}

// readTables implements R4.5, R9.4, R13.3.1, R13.3.3 and the tables of R18: every
// chart, each complete.
func readTables(b *box) error {
	var f tableFile
	if err := decodeFile("tables", &f); err != nil {
		return err
	}
	for i, s := range []source{
		f.Status.source, f.Test.source, f.Metros.source, f.Areas.source, f.Hands.source, f.Income.source, f.Desertion.source,
		f.Victory.source, f.RPF.source, f.Track.source, f.Attacks.source, f.Hack.source, f.AttackHit.source, f.Power.source,
	} {
		if err := s.check(fmt.Sprintf("tables.json: table %d", i)); err != nil {
			return err
		}
	}
	if err := b.readStatuses(&f); err != nil {
		return err
	}
	if err := b.readDice(&f); err != nil {
		return err
	}
	if err := b.readFactors(&f); err != nil {
		return err
	}
	if err := b.readTrack(&f.Track); err != nil {
		return err
	}
	for i, r := range f.Attacks.Rows {
		if i >= int(numAttacks) || r.ID != attackNames[i] || r.Ops < 1 || r.Ops > maxOps {
			return fmt.Errorf("tables.json: attack %s costs %d", r.ID, r.Ops)
		}
		b.attacks[i] = r.Ops
	}
	for i, e := range f.Hack.Effects {
		if i >= len(hackNames) || e.ID != hackNames[i] || e.Blocked != (uint8(i) <= hackDenial) {
			return fmt.Errorf("tables.json: hack %s is not what the engine plays", e.ID)
		}
	}
	b.hackSuccess = f.Hack.Success
	b.income = [numSeats]uint8{f.Income.Rebel, f.Income.Federal}
	b.desertion = f.Desertion.Per
	b.dominationVP, b.decisiveLead = f.Victory.VP, f.Victory.Margin
	if b.desertion == 0 || len(f.Attacks.Rows) != int(numAttacks) || len(f.Hack.Effects) != len(hackNames) {
		return fmt.Errorf("tables.json: a table has too few rows")
	}
	return nil
}

func (b *box) readStatuses(f *tableFile) error {
	for _, r := range f.Status.Rows {
		i := slices.Index(statusNames, r.ID)
		if i < 0 || (r.ID == "unmarked") != (r.CF == nil) {
			return fmt.Errorf("tables.json: status %s", r.ID)
		}
		if r.CF != nil {
			b.cf[i] = *r.CF
		}
	}
	if len(f.Status.Rows) != numStatuses || b.cf != [numStatuses]uint8{0, 1, 2, 3, 0} {
		return fmt.Errorf("tables.json: Control Factors %v", b.cf)
	}
	return nil
}

func (b *box) readDice(f *tableFile) error {
	err := spread("test_d6", f.Test.Rows, 1, d6Faces, func(r band, n int) error {
		s := slices.Index(statusNames, r.Status)
		if s != int(anger) && s != int(defiance) {
			return fmt.Errorf("status %q", r.Status)
		}
		b.test[n] = uint8(s)
		return nil
	})
	if err != nil {
		return err
	}
	err = spread("random_city_or_suburb_d20", f.Metros.Rows, 1, d20Faces, func(r band, n int) error {
		i, err := b.spaceOf(r.Metro + "_city")
		if err == nil {
			b.metroCity[n], b.metroRing[n] = i, b.spaces[i].other
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, fact := range f.Metros.Facts {
		if b.ids[b.metroCity[fact.Roll]] != fact.Metro+"_city" {
			return fmt.Errorf("tables.json: a roll of %d is %s by the rulebook", fact.Roll, fact.Metro)
		}
	}
	err = spread("random_region_d20", f.Areas.Rows, 1, d20Faces, func(r band, n int) error {
		i, err := b.spaceOf(r.Region)
		if err == nil && !(b.kinds[region] & b.us).has(i) {
			err = fmt.Errorf("%s is no region of the United States", r.Region)
		}
		b.region[n] = i
		return err
	})
	if err != nil {
		return err
	}
	b.openingHand = f.Hands.InitialHand
	return spread("hand_size_by_resources", f.Hands.Rows, 0, maxMoney, func(r band, n int) error {
		b.handSize[n] = r.Cards
		return nil
	})
}

// readFactors implements R9.4: a factor for every Rebellion Power.
func (b *box) readFactors(f *tableFile) error {
	if len(f.RPF.Rows) != len(b.rpf) {
		return fmt.Errorf("tables.json: %d spaces of Rebellion Power, want %d", len(f.RPF.Rows), len(b.rpf))
	}
	for i, r := range f.RPF.Rows {
		if r.Space != i || r.RPF > 4 {
			return fmt.Errorf("tables.json: Rebellion Power %d has factor %d", r.Space, r.RPF)
		}
		b.rpf[i] = r.RPF
	}
	for _, fact := range f.RPF.Facts {
		if int(b.rpf[fact.Space]) != fact.RPF {
			return fmt.Errorf("tables.json: Rebellion Power %d has factor %d by the rulebook", fact.Space, fact.RPF)
		}
	}
	return nil
}

// readTrack implements R13.3.1: the track is a ring in which two steps are
// forbidden.
func (b *box) readTrack(t *trackTable) error {
	if len(t.Spaces) != numSM || len(t.Moves) != numSM {
		return fmt.Errorf("tables.json: the Social Media track has %d spaces, want %d", len(t.Spaces), numSM)
	}
	for i, s := range t.Spaces {
		edge := slices.Index(sideNames[:], s.Edge)
		if s.ID != smNames[i] || edge < 0 {
			return fmt.Errorf("tables.json: Social Media space %s with the Edge of %q", s.ID, s.Edge)
		}
		b.sm[i].edge = uint8(edge)
		for _, to := range t.Moves[s.ID] {
			n := slices.Index(smNames, to)
			if n < 0 || n != (i+1)%numSM && i != (n+1)%numSM {
				return fmt.Errorf("tables.json: a Social Media step from %s to %q", s.ID, to)
			}
			b.sm[i].moves = append(b.sm[i].moves, uint8(n))
		}
		slices.Sort(b.sm[i].moves)
	}
	for _, pair := range t.Forbidden {
		if slices.Contains(t.Moves[pair[0]], pair[1]) {
			return fmt.Errorf("tables.json: the Social Media step %v is allowed and forbidden", pair)
		}
	}
	return nil
}

type componentFile struct {
	Title, Publisher, Designer, Source, Cite string
	Year, Players                            int
	Sides                                    []struct {
		ID, Colour string
		PlaysFirst bool `json:"plays_first"`
		Cite       string
	}
	Pieces []struct {
		Side, Piece string
		Count       uint8
		HardLimit   bool `json:"hard_limit"`
		States      []string
		source
	}
	Cards []struct {
		Deck  string
		Count int
		source
	}
	Dice []struct {
		Die   string
		Count int
		source
	}
	Boards []struct {
		Name  string
		Count int
	}
	Limits map[string]struct {
		Value int
		source
		Note string
	}
	Markers []struct {
		Name          string
		Denominations []int
		Limit         string
		source
	}
}

// readComponents implements R1.1, R1.2 and R1.4-R1.6: the limits of pieces and
// markers (Q27).
func readComponents(b *box) error {
	var f componentFile
	if err := decodeFile("components", &f); err != nil {
		return err
	}
	if len(f.Sides) != numSeats || f.Sides[rebel].ID != "rebel" || !f.Sides[rebel].PlaysFirst || f.Sides[federal].ID != "federal" {
		return fmt.Errorf("components.json: the sides are the Rebel, who plays first, and the Federal")
	}
	names := map[string]pieceKind{"federal agent": agent, "federal base": federalBase, "rebel militia": militia, "rebel base": rebelBase}
	for _, p := range f.Pieces {
		k, ok := names[p.Side+" "+p.Piece]
		if err := p.check("components.json: " + p.Piece); err != nil || !ok {
			return fmt.Errorf("components.json: piece %s %s: %v", p.Side, p.Piece, err)
		}
		b.limits[k] = p.Count
	}
	if b.limits != [numPieces]uint8{30, 30, 9, 9} {
		return fmt.Errorf("components.json: limits of pieces %v", b.limits)
	}
	for _, c := range f.Cards {
		if want := map[string]int{"event": numEvents, "story": numStories}[c.Deck]; c.Count != want {
			return fmt.Errorf("components.json: %d %s cards, want %d", c.Count, c.Deck, want)
		}
	}
	fixed := map[string]int{"resources_min": 0, "resources_max": maxMoney, "ops_per_card_max": maxOps, "rebellion_power_min": 0, "rebellion_power_max": maxPower}
	into := map[string]*uint8{
		"bases_per_space": &b.maxBases, "unrest_per_space": &b.maxUnrest, "reserves_max": &b.maxReserves,
		"hacked_per_hq_max": &b.maxHacked, "shields_per_hq_max": &b.maxShields,
	}
	for name, l := range f.Limits {
		if err := l.check("components.json: " + name); err != nil {
			return err
		}
		if want, ok := fixed[name]; ok && l.Value != want {
			return fmt.Errorf("components.json: %s is %d, the engine is made for %d", name, l.Value, want)
		}
		if v := into[name]; v != nil {
			*v = uint8(l.Value)
		}
	}
	for name, v := range into {
		if *v == 0 {
			return fmt.Errorf("components.json: %s is missing", name)
		}
	}
	return nil
}

// story is one story card (R9.1).
type story struct {
	title    string
	virality uint8 // VF, 1 to 10
	factor   uint8 // RF, 0 to 4
}

type storyFile struct {
	Note, Source, Cite string
	Count              int
	CountSource        string `json:"count_source"`
	ColourRule         struct {
		Red, White, Blue []uint8
		source
	} `json:"colour_rule"`
	Cards []struct {
		Number int
		Title  string
		VF, RF uint8
		Colour string
		source
		FieldsSource map[string]string `json:"fields_source"`
	}
}

// readStories implements R9.1: twenty stories, whose colour follows from their
// Rebellion Factor.
func readStories(b *box) error {
	var f storyFile
	if err := decodeFile("story_cards", &f); err != nil {
		return err
	}
	if len(f.Cards) != numStories {
		return fmt.Errorf("story_cards.json: %d stories, want %d", len(f.Cards), numStories)
	}
	colours := map[string][]uint8{"red": f.ColourRule.Red, "white": f.ColourRule.White, "blue": f.ColourRule.Blue}
	for i, c := range f.Cards {
		if err := c.check("story_cards.json: " + c.Title); err != nil {
			return err
		}
		if c.Number != i+1 || c.VF < 1 || c.VF > 10 || c.RF > 4 || c.Title == "" || !slices.Contains(colours[c.Colour], c.RF) {
			return fmt.Errorf("story_cards.json: story %d: VF %d, RF %d, colour %s", c.Number, c.VF, c.RF, c.Colour)
		}
		b.stories[c.Number] = story{c.Title, c.VF, c.RF}
	}
	return nil
}
