package domination

import (
	"embed"
	"fmt"
	"sync"
)

// The printed matter of the game. components.json, decisions.json and balance.json, the
// measurements behind the reconstructed numbers, are read by the tests only.
//
//go:embed data/cards.json data/map.json data/scoring.json data/setup.json data/tracks.json
var files embed.FS

// What people read of the rules (engine.Family).
var (
	//go:embed data/rules.json
	ruleList []byte
	//go:embed RULINGS.md
	rulings string
)

// Sizes that the arrays of a position are made for. Tests compare the data with them.
const (
	maxSeats   = 6  // R1.5, Q6
	minSeats   = 2  // R1.5, Q6
	numLand    = 18 // Land Areas 0 to 17 (R1.1)
	numAreas   = 25 // and Sea Areas 18 to 24
	numRegions = 6
	numCards   = 27 // Domination, 24 Action types, 2 of the extension (R1.3)
	baseCards  = 25 // types of the base game: Domination and the 24 (Q2)
	poolSize   = 10 // Action types in a game (R5.4)
	domination = 0  // the starter card
)

// box is what is in the game's box, compiled from the data files.
type box struct {
	areas     [numAreas]area
	near      [numAreas / 5][32]AreaSet // by five Areas: the neighbours of each set of them
	regions   [numRegions]group
	resources [numRegions]group
	cards     [numCards]card
	anytime   CardSet // may be played for their text in every window (R6.5)
	scoring   CardSet // may be played for their text in D15 only (R8.4)
	paid      CardSet // cost Logistical Support when bought (R7.3)
	starters  uint8   // Domination cards of a player (R5.3)
	scores    scores

	minLogistics, startLogistics uint8 // R1.6
	turns, copies, maxLogistics  limit // options with a range (R12.2)
}

// limit is the default and the range of an option.
type limit struct{ standard, low, high int }

// area is one Area of the map.
type area struct {
	id, name string
	region   uint8   // noGroup for a Sea Area
	resource uint8   // noGroup for a Sea Area
	adjacent AreaSet // R2.4
}

// noGroup is the Region and the Resource of a Sea Area.
const noGroup uint8 = 0xFF

// group is a Region, or the Areas with a Resource: three Land Areas.
type group struct {
	name  string
	areas AreaSet
}

// scores holds the VPs of a scoring (R9.2, R9.3) and the squares that a Resource
// monopoly is worth (R9.5).
type scores struct {
	fullLand, strugglingLand, fullSea, strugglingSea, regionMonopoly uint16
	resourceMonopoly                                                 uint8
}

// loadBox reads the data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := readBox()
	if err != nil {
		return nil, fmt.Errorf("domination: data: %w", err)
	}
	return b, nil
})

// readBox reads and compiles the data files. What only confirms them is checked by tests.
func readBox() (*box, error) {
	b := &box{}
	for _, step := range []func(*box) error{readMap, readCards, readSetup, readTracks, readScoring} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
