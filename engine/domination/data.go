package domination

import (
	"embed"
	"fmt"
	"sync"

	"powderkeg/engine"
	"powderkeg/engine/ruledata"
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

// Sizes that the arrays of a position are made for, and that encoders and players need.
// Tests compare the data with them.
const (
	MaxSeats   = 6  // R1.5, Q6
	minSeats   = 2  // R1.5, Q6
	LandAreas  = 18 // Land Areas 0 to 17 (R1.1)
	Areas      = 25 // and Sea Areas 18 to 24
	Regions    = 6
	Cards      = 27 // Domination, 24 Action types, 2 of the extension (R1.3)
	baseCards  = 25 // types of the base game: Domination and the 24 (Q2)
	PoolSize   = 10 // Action types in a game (R5.4)
	MaxTurns   = 20 // the largest value of the option turns
	domination = 0  // the starter card
)

// Facts is what is printed on the board and the cards.
type Facts struct {
	Areas     [Areas]Area
	Regions   [Regions]Group
	Resources [Regions]Group
	Cards     [Cards]Card
	Scores    Scores

	near [Areas / 5][32]AreaSet // by five Areas: the neighbours of each set of them
}

// Facts returns what is printed on the board and the cards of the game. They are shared and
// not to be changed.
func (s *View) Facts() *Facts { return &s.G.box.Facts }

// Shipped reports whether the game is played by the data that ship, not by an edition.
func (s *View) Shipped() bool { return s.G.box.shipped }

// FactsOf returns what is printed on the board and the cards of a game, nil for another game.
// They are shared and not to be changed.
func FactsOf(g engine.Game) *Facts {
	if own, ok := g.(*game); ok {
		return &own.box.Facts
	}
	return nil
}

// NewFacts returns the facts that ship, in a copy that belongs to the caller.
func NewFacts() (*Facts, error) {
	b, err := loadBox()
	if err != nil {
		return nil, err
	}
	f := b.Facts
	return &f, nil
}

// box is what is in the game's box, compiled from the data files.
type box struct {
	Facts
	files    ruledata.Files
	shipped  bool    // of the data that ship, not of an edition
	anytime  CardSet // may be played for their text in every window (R6.5)
	scoring  CardSet // may be played for their text in D15 only (R8.4)
	paid     CardSet // cost Logistical Support when bought (R7.3)
	starters uint8   // Domination cards of a player (R5.3)

	minLogistics, startLogistics uint8 // R1.6
	turns, copies, maxLogistics  limit // options with a range (R12.2)
}

// limit is the default and the range of an option.
type limit struct{ standard, low, high int }

// Area is one Area of the map.
type Area struct {
	ID, Name string
	Region   int     // -1 for a Sea Area
	Resource int     // -1 for a Sea Area
	Adjacent AreaSet // R2.4
}

// Group is a Region, or the Areas with a Resource: three Land Areas.
type Group struct {
	Name  string
	Areas AreaSet
}

// Scores holds the VPs of a scoring (R9.2, R9.3), for each Force in an Area and each Region
// controlled whole, and the squares that a Resource monopoly is worth (R9.5).
type Scores struct {
	FullLand         uint16 `json:"full_land"`
	StrugglingLand   uint16 `json:"struggling_land"`
	FullSea          uint16 `json:"full_sea"`
	StrugglingSea    uint16 `json:"struggling_sea"`
	RegionMonopoly   uint16 `json:"region_monopoly"`
	ResourceMonopoly uint8  `json:"-"`
}

// loadBox reads the shipped data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*box, error) {
	b, err := newBox(files)
	if err != nil {
		return nil, fmt.Errorf("domination: data: %w", err)
	}
	b.shipped = true
	return b, nil
})

// newBox reads and compiles data files. What the rules rely on beyond that, Faults looks at.
func newBox(files ruledata.Files) (*box, error) {
	b := &box{files: files}
	for _, step := range []func(*box) error{readMap, readCards, readSetup, readTracks, readScoring} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}
