package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/jogu"
)

// places is the number of Locations. Place i stands for Location i+2, whose
// number weighs Strength in a rating.
const places = jogu.Places

// weight returns the number of the Location at a place.
func weight(place int) float64 { return float64(place + jogu.FirstPlace) }

// extras say what each card is worth in points of Strength beyond its printed numbers,
// wherever it is played and whatever the situation: what to keep in hand and what to put
// back depends on it. They follow from what each ability does to the numbers of a game of
// seven rounds with some five plays each.
var extras = map[string]float64{
	"guardian_angel":      1.5,  // fights twice for one card
	"dragoon":             0.5,  // makes Location 2 certain
	"explorer":            0,    // a look at the next round, of which this player makes no use
	"knight_2":            -0.5, // one place only
	"knight_3":            -0.5,
	"knight_4":            -0.5,
	"knight_5":            -0.5,
	"knight_6":            -0.5,
	"punisher":            1,    // undoes a whole Location of the other
	"patriot":             -0.5, // gives the own Location away
	"master_of_fire":      -1,   // costs two morale, win or lose
	"master_of_wind":      -0.5, // needs an empty Location
	"conjurer":            1.5,  // a second card in the same turn, for nothing
	"master_of_earth":     1.2,  // some four morale
	"storm_prodigy":       -2.5, // lies where it helps least
	"good_for_something":  2,    // replaces itself and plays another
	"gangan_bit":          1,    // gathers the gang where it counts
	"medic":               0.8,  // three cards for the last rounds
	"scrambler":           0.3,  // wanders when it is disturbed
	"trojan_bit":          0.5,  // takes back a card that lies badly
	"smoke_n_screen":      1,    // blocks three for one
	"covert_junior_agent": 0.5,  // unknown to the other
	"covert_senior_agent": 1,    // four in the room of three
	"saboteur":            1,    // two cards off the other's pile
	"assassin":            1.5,  // one card off the other's hand
	"engineer_unit_1":     0.3,  // carries a Tower
	"engineer_unit_2":     0.3,
	"engineer_unit_3":     0.3,
	"heavy_tower":         0.5, // ignores Capacity
	"bomb_tower":          0.5, // a card for a card
	"support_tower":       0.5, // ignores Capacity, sorts the pile
	"chronicler":          0,   // longer for both
	"echo":                1.5, // replaces itself
	"lantern_bearer":      1.5, // chooses a Battle Location
	"anchorite":           1.5, // as Guardian Angel
	"pathfinder":          0,   // as Explorer
	"veteran":             0,   // numbers only
}

// card is a card type as the player sees it.
type card struct {
	kind             int // type in its deck
	action           engine.Action
	effects          []jogu.Effect
	strength, morale float64
	capacity         int
	copies           int
	protected        bool
	faceDown         bool
	gang             bool
	engineer, tower  bool
	stormed          bool // the other side chooses where it lies
	// worth is what having the card is worth, in points of Strength: what it adds
	// and does, less half of its Morale, since about half of the rounds are lost.
	worth float64
}

// readDeck lists the card types of a seat's deck.
func readDeck(dst []card, s *jogu.View, p engine.Player) []card {
	for t := range s.NumTypes(p) {
		f := s.Facts(p, t)
		c := card{
			kind: t, action: jogu.ActCard + engine.Action(f.ID), effects: f.Effects,
			strength: float64(f.Strength), morale: float64(f.Morale),
			capacity: int(f.Capacity), copies: int(f.Copies),
			protected: f.Protected, faceDown: f.FaceDown,
			gang: f.Bears(jogu.Gang), engineer: f.Bears(jogu.Engineer), tower: f.Bears(jogu.Tower), stormed: f.OpponentChooses,
		}
		c.worth = c.strength + extras[f.Key] - c.morale/2
		dst = append(dst, c)
	}
	return dst
}

// does reports whether the card's ability has the primitive.
func (c *card) does(op jogu.Op) bool {
	for i := range c.effects {
		if c.effects[i].Op == op {
			return true
		}
	}
	return false
}

// plays reports whether the card brings another play with it, and where from.
func (c *card) plays() (from zone, ok bool) {
	for i := range c.effects {
		if e := &c.effects[i]; e.Op == jogu.PlayCard {
			if e.From == jogu.OwnHand {
				return inHand, true
			}
			return inDiscard, true
		}
	}
	return gone, false
}
