package insurgency

import (
	"fmt"
	"iter"

	"powderkeg/engine/ruledata"
)

// Status is what a space is at (R4.5), from Order to Revolt, or unmarked.
type Status uint8

// Marker is a space of the Social Media track, 0 (A) to 5 (F).
type Marker uint8

// Statuses of a space (R4.5). They are in the order in which Unrest shifts them.
const (
	order Status = iota
	anger
	defiance
	revolt
	unmarked

	numStatuses = 5

	marked = 1<<order | 1<<anger | 1<<defiance | 1<<revolt // a set of statuses
)

var statusNames = []string{"order", "anger", "defiance", "revolt", "unmarked"}

// numSM is the number of spaces of the Social Media track, A to F.
const numSM = 6

// UnmarshalText reads a status in the data.
func (s *Status) UnmarshalText(text []byte) error { return readWord(s, text, statusNames) }

// UnmarshalText reads a space of the track in the data.
func (m *Marker) UnmarshalText(text []byte) error { return readWord(m, text, smNames) }

var smNames = []string{"A", "B", "C", "D", "E", "F"}

// smSpace is one space of the Social Media track (R13.3.1).
type smSpace struct {
	edge  Side     // side that holds the Edge there
	moves []Marker // spaces that one step leads to
}

// socialAttack is an attack of Social Media.
type socialAttack uint8

// Social Media attacks, in the order of the vocabulary.
const (
	feed socialAttack = iota
	censor
	persuade
	distract
	enrage
	convert
	numAttacks
)

var attackNames = []string{"feed", "censor", "persuade", "distract", "enrage", "convert"}

// band is one row of a table that is read with a die or a number, from Lo to Hi.
type band struct {
	Lo, Hi        int
	Status        Status
	Metro, Region string
	Cards         uint8
}

// dice is a table that is read with a die or a number.
type dice struct {
	ruledata.Source
	Rows     []band
	Facts    notes `json:"rulebook_facts"`
	FactCite notes `json:"rulebook_cite"`
	Hand     uint8 `json:"initial_hand"`
	HandCite notes `json:"initial_cite"`
}

// all goes through the numbers of the table and their rows.
func (t *dice) all() iter.Seq2[int, *band] {
	return func(yield func(int, *band) bool) {
		for i := range t.Rows {
			for n := t.Rows[i].Lo; n <= t.Rows[i].Hi; n++ {
				if !yield(n, &t.Rows[i]) {
					return
				}
			}
		}
	}
}

type tableFile struct {
	Status struct {
		ruledata.Source
		Rows []struct {
			ID                Status
			CF                uint8
			Value, Colour, VP notes
		}
	}
	Test   dice `json:"test_d6"`
	Metros dice `json:"random_city_or_suburb_d20"`
	Areas  dice `json:"random_region_d20"`
	Hands  dice `json:"hand_size_by_resources"`
	Income struct {
		ruledata.Source
		Federal uint8 `json:"federal_per_base"`
		Rebel   uint8 `json:"rebel_per_base"`
	} `json:"base_income"`
	Desertion struct {
		ruledata.Source
		Per uint8 `json:"remove_one_militia_per"`
	}
	Victory struct {
		ruledata.Source
		VP     int `json:"domination_vp"`
		Margin int `json:"decisive_margin"`
	}
	RPF struct {
		ruledata.Source
		Facts    notes `json:"rulebook_facts"`
		FactCite notes `json:"rulebook_cite"`
		Rows     [maxPower + 1]struct {
			Space notes
			RPF   uint8
		}
	} `json:"rebellion_power_factor"`
	Track   trackTable `json:"social_media_track"`
	Attacks struct {
		ruledata.Source
		Rows [numAttacks]struct {
			ID  notes
			Ops uint8
		}
	} `json:"social_media_attacks"`
	Hack struct {
		ruledata.Source
		Success       int `json:"success_at_least"`
		Roll, Effects notes
	}
	AttackHit notes `json:"attack_hit_rule"`
	Power     notes `json:"rebellion_power_formula"`
}

type trackTable struct {
	ruledata.Source
	Spaces [numSM]struct {
		ID   Marker
		Edge Side
	}
	SpacesWhy notes `json:"spaces_why"`
	Moves     map[Marker][]Marker
	Forbidden notes
}

// readTables implements R4.5, R9.4, R13.3.1, R13.3.3 and the tables of R18.
func readTables(b *Box) error {
	var f tableFile
	if err := ruledata.Read(b.files, "tables", &f); err != nil {
		return err
	}
	for _, r := range f.Status.Rows {
		b.cf[r.ID] = r.CF
	}
	for i, r := range f.RPF.Rows {
		b.rpf[i] = r.RPF
	}
	for i, r := range f.Attacks.Rows {
		b.attacks[i] = r.Ops
	}
	b.hackSuccess = f.Hack.Success
	b.income = [numSeats]uint8{f.Income.Rebel, f.Income.Federal}
	b.desertion = f.Desertion.Per
	b.dominationVP, b.decisiveLead = f.Victory.VP, f.Victory.Margin
	if err := b.readDice(&f); err != nil {
		return fmt.Errorf("tables.json: %w", err)
	}
	for i, s := range f.Track.Spaces { // R13.3.1
		b.sm[i] = smSpace{s.Edge, f.Track.Moves[s.ID]}
	}
	return nil
}

// readDice implements R4.4, R10.4, R15 and R18: the tables that are read with a number.
func (b *Box) readDice(f *tableFile) (err error) {
	b.openingHand = f.Hands.Hand
	for n, r := range f.Hands.all() {
		b.handSize[n] = r.Cards
	}
	for n, r := range f.Test.all() {
		b.test[n] = r.Status
	}
	for n, r := range f.Areas.all() {
		if b.region[n], err = b.spaceOf(r.Region); err != nil {
			return err
		}
	}
	for n, r := range f.Metros.all() {
		if b.metroCity[n], err = b.spaceOf(r.Metro + "_city"); err != nil {
			return err
		}
		b.metroRing[n] = b.spaces[b.metroCity[n]].other
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
	ruledata.Source
	Note, Count notes
	CountSource notes `json:"count_source"`
	ColourRule  notes `json:"colour_rule"`
	Cards       [numStories]struct {
		ruledata.Source
		Number, Colour notes
		Title          string
		VF, RF         uint8
		FieldsSource   notes `json:"fields_source"`
	}
}

// readStories implements R9.1: twenty stories.
func readStories(b *Box) error {
	var f storyFile
	if err := ruledata.Read(b.files, "story_cards", &f); err != nil {
		return err
	}
	for i, c := range f.Cards {
		b.stories[i+1] = story{c.Title, c.VF, c.RF}
	}
	return nil
}
