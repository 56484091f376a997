package insurgency

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"powderkeg/engine/flow"
	"powderkeg/engine/ruledata"
)

// The printed matter of the game. Each record says where its facts come from: the
// rulebook, whose wrong cross references are read as what they mean (Q34), or ourselves,
// where it is lost (Q48). data/actions.json and data/operations.json are for people and
// tests.
//
//go:embed data/components.json data/effects.json data/event_cards.json data/interstates.json
//go:embed data/map.json data/presets.json data/scenarios.json data/story_cards.json data/tables.json
var files embed.FS

// What people read about the rules.
//
//go:embed data/rules.json
var rules []byte

//go:embed RULINGS.md
var rulings string

// Sizes that the arrays of a position are made for.
const (
	numSeats    = 2
	numSpaces   = 33 // R4.1
	numUS       = 31 // spaces of the United States; they come first
	numEvents   = 92 // R1.2
	numStories  = 20 // R1.2
	numNodes    = 45 // road nodes (R4.8)
	numSlots    = 3  // active stories (R9.1)
	maxGroups   = 3  // groups of one Move: at most 3 Ops
	maxSelected = 8  // Net Ops selections: 3 Ops, Rebellion Power Factor 4, broadband 1
	d6Faces     = 6  // R1.3: one d6, one d20
	d20Faces    = 20
)

// Ranges that the rules fix.
const (
	maxMoney = 30 // R1.5
	maxPower = 11 // R9.2
	maxOps   = 3  // R8.5
)

// SpaceID numbers the spaces of the map in the order of data/map.json, Canada and Mexico last.
type SpaceID uint8

// CardID is the number of an event card, 1 to 92; 0 is none.
type CardID uint8

// StoryID is the number of a story, 1 to 20; 0 is none.
type StoryID uint8

// Side is the Rebel (0) or the Federal (1), or 0xFF for neither.
type Side uint8

// The sides are the seats. The Rebel plays first (R6.2).
const (
	rebel   Side = 0
	federal Side = 1
	nobody  Side = 0xFF
)

var sideNames = [numSeats]string{"rebel", "federal"}

// UnmarshalText reads a side in the data, of which an event card may have neither.
func (s *Side) UnmarshalText(text []byte) error {
	if string(text) == "neutral" {
		*s = nobody
		return nil
	}
	return readWord(s, text, sideNames[:])
}

// bySide is a number of each side in the data.
type bySide struct{ Rebel, Federal uint8 }

func (n bySide) seats() [numSeats]uint8 { return [numSeats]uint8{n.Rebel, n.Federal} }

// noSpace stands for no space.
const noSpace SpaceID = 0xFF

// pieceKind is a kind of piece, as the limits of R1.1 count them.
type pieceKind uint8

const (
	agent pieceKind = iota
	militia
	federalBase
	rebelBase
	numPieces
)

// Box is what is in the game's box, compiled from the data files, and what the rules make of it:
// its methods answer for any pieces and any events in play, and so for situations that
// are only thought of.
type Box struct {
	files     ruledata.Files
	shipped   bool // of the data that ship, not of an edition
	spaces    [numSpaces]space
	ids       []string // of the spaces
	us        SpaceSet // the spaces that are in play from the start (R4.3)
	mountains SpaceSet
	blizzard  SpaceSet              // no Move may end there in a blizzard
	kinds     [numKinds]SpaceSet    // Canada and Mexico are regions
	metroCity [d20Faces + 1]SpaceID // city of a metro area, by the face of C4
	metroRing [d20Faces + 1]SpaceID // suburb, by the face of C4
	region    [d20Faces + 1]SpaceID // by the face of C5
	test      [d6Faces + 1]Status   // status by the face of C2
	cf        [numStatuses]uint8    // Control Factors
	rpf       [maxPower + 1]uint8   // by Rebellion Power
	handSize  [maxMoney + 1]uint8   // by resources
	sm        [numSM]smSpace        // Social Media track
	attacks   [numAttacks]uint8     // Ops that Social Media attacks cost
	limits    [numPieces]uint8      // R1.1
	programs  [numEvents + 1]event  // by card number; 0 is empty
	stories   [numStories + 1]story
	momentum  [numMomentum]momentum
	roads     roads
	scenarios [numScenarios]scenario
	preset    scenario // the example of a preset custom set-up
	told      *flow.Kinds

	maxUnrest, maxReserves, maxBases uint8
	maxHacked, maxShields            uint8
	openingHand                      uint8
	dominationVP, decisiveLead       int
	income                           [numSeats]uint8 // dollars per base
	desertion                        uint8
	hackSuccess                      int
}

// notes are parts of the data that only people and tests read.
type notes = any

// loadBox reads the shipped data once. Its error is a fault of the program, which
// TestData rules out; it is passed on so that nothing panics.
var loadBox = sync.OnceValues(func() (*Box, error) {
	b, err := newBox(files)
	if err != nil {
		return nil, fmt.Errorf("insurgency: data: %w", err)
	}
	b.shipped = true
	return b, nil
})

// newBox reads and compiles data files: map and roads first, then stories and cards, as the
// chapters build on each other (R21.5).
func newBox(files ruledata.Files) (*Box, error) {
	b := &Box{files: files}
	for _, step := range []func(*Box) error{
		readComponents, readMap, readTables, readRoads, readStories, readMomentum, readEvents, readScenarios,
	} {
		if err := step(b); err != nil {
			return nil, err
		}
	}
	b.told = flow.NewKinds(b.eventWord(), nil)
	return b, nil
}

// word looks up one of the words of a list.
func word(text string, words []string) (uint8, error) {
	i := slices.Index(words, text)
	if i < 0 || text == "" {
		return 0, fmt.Errorf("unknown word %q; words: %s", text, strings.Join(words, ", "))
	}
	return uint8(i), nil
}

// readWord is UnmarshalText for the types whose values are the words of a list.
func readWord[T ~uint8](v *T, text []byte, words []string) error {
	i, err := word(string(text), words)
	*v = T(i)
	return err
}

// readComponents implements R1.1, R1.2 and R1.4-R1.6: the limits of pieces and
// markers (Q27).
func readComponents(b *Box) error {
	var f struct {
		ruledata.Source
		Title, Publisher, Designer, Year, Players, Sides, Cards, Dice, Boards, Markers notes

		Pieces []struct {
			ruledata.Source
			Side, Piece string
			Count       uint8
			States      notes
			Hard        notes `json:"hard_limit"`
		}
		Limits map[string]struct {
			ruledata.Source
			Value uint8
			Note  notes
		}
	}
	if err := ruledata.Read(b.files, "components", &f); err != nil {
		return err
	}
	for _, p := range f.Pieces {
		k, err := word(p.Side+" "+p.Piece, []string{agent: "federal agent", militia: "rebel militia", federalBase: "federal base", rebelBase: "rebel base"})
		if err != nil {
			return fmt.Errorf("components.json: pieces: %w", err)
		}
		b.limits[k] = p.Count
	}
	b.maxBases, b.maxUnrest, b.maxReserves = f.Limits["bases_per_space"].Value, f.Limits["unrest_per_space"].Value, f.Limits["reserves_max"].Value
	b.maxHacked, b.maxShields = f.Limits["hacked_per_hq_max"].Value, f.Limits["shields_per_hq_max"].Value
	return nil
}
