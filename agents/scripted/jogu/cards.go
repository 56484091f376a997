package jogu

import (
	"powderkeg/engine"
	"powderkeg/engine/jogu"
)

// places is the number of Locations. Place i stands for Location i+2, whose
// number weighs Strength in a rating.
const places = jogu.Places

// fullCapacity is the Capacity of every Location (R8.3).
const fullCapacity = 10

// weight returns the number of the Location at a place.
func weight(place int) float64 { return float64(place + jogu.FirstPlace) }

// ability tells cards apart by what they do.
type ability uint8

const (
	plain ability = iota
	guardianAngel
	dragoon
	punisher
	patriot
	masterOfFire
	masterOfWind
	conjurer
	masterOfEarth
	stormProdigy
	goodForSomething
	ganganBit
	medic
	scrambler
	trojanBit
	saboteur
	assassin
	bombTower
	echo
	lanternBearer
)

// knack is what the player knows about a card beyond its printed numbers.
type knack struct {
	ability ability
	// only is the place that a Knight may be played to, -1 for all others.
	only int
	// extra is what the ability is worth in points of Strength, wherever the card is
	// played and whatever the situation: what to keep in hand and what to put back
	// depends on it.
	extra float64
}

// knacks lists the cards by key. The extras follow from what each ability does
// to the numbers of a game of seven rounds with some five plays each.
var knacks = map[string]knack{
	"guardian_angel":      {guardianAngel, -1, 1.5}, // fights twice for one card
	"dragoon":             {dragoon, -1, 0.5},       // makes Location 2 certain
	"explorer":            {plain, -1, 0},           // a look at the next round, of which this player makes no use
	"knight_2":            {plain, 0, -0.5},         // one place only
	"knight_3":            {plain, 1, -0.5},
	"knight_4":            {plain, 2, -0.5},
	"knight_5":            {plain, 3, -0.5},
	"knight_6":            {plain, 4, -0.5},
	"punisher":            {punisher, -1, 1},         // undoes a whole Location of the other
	"patriot":             {patriot, -1, -0.5},       // gives the own Location away
	"master_of_fire":      {masterOfFire, -1, -1},    // costs two morale, win or lose
	"master_of_wind":      {masterOfWind, -1, -0.5},  // needs an empty Location
	"conjurer":            {conjurer, -1, 1.5},       // a second card in the same turn, for nothing
	"master_of_earth":     {masterOfEarth, -1, 1.2},  // some four morale
	"storm_prodigy":       {stormProdigy, -1, -2.5},  // lies where it helps least
	"good_for_something":  {goodForSomething, -1, 2}, // replaces itself and plays another
	"gangan_bit":          {ganganBit, -1, 1},        // gathers the gang where it counts
	"medic":               {medic, -1, 0.8},          // three cards for the last rounds
	"scrambler":           {scrambler, -1, 0.3},      // wanders when it is disturbed
	"trojan_bit":          {trojanBit, -1, 0.5},      // takes back a card that lies badly
	"smoke_n_screen":      {plain, -1, 1},            // blocks three for one
	"covert_junior_agent": {plain, -1, 0.5},          // unknown to the other
	"covert_senior_agent": {plain, -1, 1},            // four in the room of three
	"saboteur":            {saboteur, -1, 1},         // two cards off the other's pile
	"assassin":            {assassin, -1, 1.5},       // one card off the other's hand
	"engineer_unit_1":     {plain, -1, 0.3},          // carries a Tower
	"engineer_unit_2":     {plain, -1, 0.3},
	"engineer_unit_3":     {plain, -1, 0.3},
	"heavy_tower":         {plain, -1, 0.5},         // ignores Capacity
	"bomb_tower":          {bombTower, -1, 0.5},     // a card for a card
	"support_tower":       {plain, -1, 0.5},         // ignores Capacity, sorts the pile
	"chronicler":          {plain, -1, 0},           // longer for both
	"echo":                {echo, -1, 1.5},          // replaces itself
	"lantern_bearer":      {lanternBearer, -1, 1.5}, // chooses a Battle Location
	"anchorite":           {guardianAngel, -1, 1.5}, // as Guardian Angel
	"pathfinder":          {plain, -1, 0},           // as Explorer
	"veteran":             {plain, -1, 0},           // numbers only
}

// card is a card type as the player sees it.
type card struct {
	knack
	action           engine.Action
	strength, morale float64
	capacity         int
	copies           int
	protected        bool
	faceDown         bool
	gang             bool
	engineer, tower  bool
	// worth is what having the card is worth, in points of Strength: what it adds
	// and does, less half of its Morale, since about half of the rounds are lost.
	worth float64
}

// readDeck lists the card types of a seat's deck.
func readDeck(dst []card, s *jogu.View, p engine.Player) []card {
	for t := range s.NumTypes(p) {
		f := s.Facts(p, t)
		c := card{
			knack:    knacks[f.Key],
			action:   jogu.ActCard + engine.Action(f.ID),
			strength: float64(f.Strength), morale: float64(f.Morale),
			capacity: f.Capacity, copies: f.Copies,
			protected: f.Protected, faceDown: f.FaceDown,
			gang: f.Gang, engineer: f.Engineer, tower: f.Tower,
		}
		c.worth = c.strength + c.extra - c.morale/2
		dst = append(dst, c)
	}
	return dst
}
