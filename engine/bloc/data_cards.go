package bloc

import (
	"encoding/json"
	"fmt"
	"slices"

	"powderkeg/engine/ruledata"
)

// card is a loot, police ops or manifestation card.
type card struct {
	ruledata.Source
	Index        int
	Key          string
	Name         string
	Title        string // the name of an ops card
	Copies       uint8
	CopiesSource string `json:"copies_source"`
	NameSource   string `json:"name_source"`
	Window       window
	Priority     *string         // for readers: that of the effects
	MoraleDelta  int8            `json:"morale_delta"` // for readers: that of the effects
	Table        map[uint8]uint8 `json:"table_by_liberated_difficulty"`
	Effects      []effect
	Text         string

	number uint8 // of a loot card: what it adds or takes off, or how many it is about
}

// window is when a loot card may be played (R11.2).
type window uint8

const turnWindow window = 0

var windowNames = []string{"turn", "attack", "reaction", "repression", "liberation"}

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *window) UnmarshalText(text []byte) error { return named(w, text, windowNames) }

type deckFile struct {
	ruledata.Source
	Size    int `json:"deck_size"`
	InCity  int `json:"in_city"`
	Windows []string
	Cards   []card
}

// readDeck reads the cards of a deck.
func readDeck(b *box, name string, cards []card) error {
	var file deckFile
	if err := ruledata.Read(b.files, name, &file); err != nil {
		return err
	}
	for i := range file.Cards {
		file.Cards[i].Name += file.Cards[i].Title
	}
	return fill(cards, file.Cards)
}

// readLoot reads the loot cards.
func readLoot(b *box) error {
	err := readDeck(b, "loot_cards", b.loot[:])
	for i := range b.loot {
		c := &b.loot[i]
		if c.Window == turnWindow {
			b.turnCards |= 1 << i
		}
		for _, e := range c.Effects {
			c.number += uint8(e.N) + uint8(e.Max) + e.Add + e.Minus
		}
	}
	return err
}

// readOps reads the police ops cards, and finds the two that other rules name.
func readOps(b *box) error {
	err := readDeck(b, "police_ops_cards", b.ops[:])
	find := func(key string) OpsID {
		return OpsID(slices.IndexFunc(b.ops[:], func(c card) bool { return c.Key == key }))
	}
	b.lockdown, b.paramilitary = find("metro_lockdown"), find("paramilitary_operations")
	return err
}

// readManifestations reads the manifestation cards.
func readManifestations(b *box) error { return readDeck(b, "manifestation_cards", b.manifest[:]) }

// effect is one primitive of a card or an ability with its arguments, as the data
// write it. Police ops cards and standing abilities are carried out by it; of other cards and
// abilities the rules read the numbers alone (plays). primitives.json says which op has which of them.
type effect struct {
	Op          op
	N           amount  // how many
	NLiberated  *amount `json:"n_liberated"`
	Max         amount  // at most so many
	Min         uint8   // the least die; the fewest barricades
	Minus       uint8   // off the die
	Add         uint8   // to the attack
	StrengthAdd uint8   `json:"strength_add"` // to the card
	Draw, Keep  uint8   // cards drawn and kept
	KeepLib     *uint8  `json:"keep_liberated"`
	Value       uint8   // of the reaction roll
	Values      []uint8 // of the reaction rolls
	Barricades  uint8   // at most so many
	Delta       int8    // of the morale
	Below       uint8   `json:"if_vans_in_city_below"`
	Priority    idOrder
	Actions     verbSet  // that count as basic
	ActionsLib  *verbSet `json:"actions_liberated"`
	Scope       scope
	ScopeLib    *scope `json:"scope_liberated"`
	Then        []effect
	Target      struct {
		Type     *TileType
		Occupied bool `json:"has_occupation"` // towards occupations, not towards Type
	}
	// What the rules carry out in one way only, for readers; TestEffects knows that way.
	Who, Where                              string
	Filter                                  []string
	FromClash                               bool `json:"from_clash"`
	When, From, To, Not, Until, Arm, Action string
	ThisCard                                string `json:"this_card"`
	SumWithinSunrise                        bool   `json:"sum_within_sunrise"`
	Mandatory, Dismantle                    bool
	Needs, At, Cards                        []string
}

// onSide returns what holds on the side of a district that lies up: lib is 1 for the
// liberated one, which has the same as the other unless something else is printed.
func onSide[T any](repressed T, liberated *T, lib uint8) T {
	if lib == 1 && liberated != nil {
		return *liberated
	}
	return repressed
}

// n returns how many an effect is about on a side.
func (e *effect) n(lib uint8) uint8 { return uint8(onSide(e.N, e.NLiberated, lib)) }

// amount is a number of an effect.
type amount uint8

// fromTable stands for the number in the manifestation card's table.
const fromTable amount = 0xFF

// UnmarshalJSON implements json.Unmarshaler.
func (a *amount) UnmarshalJSON(data []byte) error {
	if string(data) == `"table"` {
		*a = fromTable
		return nil
	}
	return json.Unmarshal(data, (*uint8)(a))
}

// idOrder is the order of police IDs in which districts come.
type idOrder uint8

const (
	lowestFirst idOrder = iota
	highestFirst
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *idOrder) UnmarshalText(text []byte) error {
	return named(o, text, []string{"lowest", "highest"})
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *verbSet) UnmarshalJSON(data []byte) error {
	return wordSet(s, data, []string{"loot_graffiti", "loot_burn", "build", "swap"}, uint8(VerbLootGraffiti))
}

// wordSet reads a list of words as a set of their places behind first.
func wordSet[T ~uint8 | ~uint16](dst *T, data []byte, words []string, first uint8) error {
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*dst = 0
	for _, name := range list {
		var i uint8
		if err := named(&i, []byte(name), words); err != nil {
			return err
		}
		*dst |= 1 << (first + i)
	}
	return nil
}

// scope is where a standing ability holds.
type scope uint8

const (
	inDistrict scope = iota
	inDistrictAndAdjacent
	inDistrictAndType
	inDistrictAdjacentAndType
	inCity
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *scope) UnmarshalText(text []byte) error {
	return named(s, text, []string{"this_district", "this_and_adjacent", "this_and_same_type", "this_adjacent_and_same_type", "city"})
}

// occupation is one kind of occupation.
type occupation struct {
	ruledata.Source
	Key, Name, Faction string
	Common             bool
	Ability            []effect // a program that a verb starts, or one standing effect that the rules look up
	Changes            *string  `json:"liberated"` // for readers: what a liberated district changes
	Text               string
	Uses               uint8 `json:"uses_per_turn"` // 0 where nothing limits it
	UsesLib            uint8 `json:"uses_per_turn_liberated"`
}

// uses returns how often a turn the ability can be used on a side.
func (o *occupation) uses(lib uint8) uint8 { return onSide(o.Uses, &o.UsesLib, lib) }

// faction is one of the four sides.
type faction struct {
	occs [Occupations]occupation
	// Where its standing abilities are, by op; NoOcc for one that it lacks.
	standing [numPrimitives]OccID
}

// ability says whose occupation a verb uses.
type ability struct {
	key  string          // of the occupation, "" for a verb of none
	kind [Factions]OccID // its place in the list of each faction, NoOcc where it has none
}

// abilityKeys names the occupation that each verb of an ability uses.
var abilityKeys = [Verbs]string{
	VerbMoveFree: "social_center", VerbUseHall: "assembly_hall", VerbUseHacker: "hacker_space", VerbUseWorkshop: "propaganda_workshop",
}

type factionsFile struct {
	ruledata.Source
	Factions []struct {
		Key, Color             string
		Blocs                  uint8
		Districts, Occupations []string
	}
	Occupations []occupation
}

// readFactions reads the four factions and their occupations.
func readFactions(b *box) error {
	var file factionsFile
	if err := ruledata.Read(b.files, "factions", &file); err != nil {
		return err
	}
	kinds := map[string]occupation{}
	for _, o := range file.Occupations {
		kinds[o.Key] = o
	}
	for v, key := range abilityKeys {
		b.abilities[v] = ability{key, [Factions]OccID{NoOcc, NoOcc, NoOcc, NoOcc}}
	}
	var factions []faction
	for i, r := range file.Factions {
		var f faction
		for o := range f.standing {
			f.standing[o] = NoOcc
		}
		var occs []occupation
		for k, key := range r.Occupations {
			o, ok := kinds[key]
			if !ok || len(o.Ability) == 0 {
				return fmt.Errorf("faction %s: occupation %q is unknown or does nothing", r.Key, key)
			}
			occs = append(occs, o)
			if o := o.Ability[0].Op; stands[o] {
				f.standing[o] = OccID(k)
			}
			for v := range abilityKeys {
				if abilityKeys[v] == key {
					b.abilities[v].kind[i] = OccID(k)
				}
			}
		}
		if err := fill(f.occs[:], occs); err != nil {
			return err
		}
		factions = append(factions, f)
	}
	return fill(b.factions[:], factions)
}
