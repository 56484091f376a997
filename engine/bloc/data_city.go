package bloc

import (
	"encoding/json"
	"fmt"

	"powderkeg/engine/ruledata"
)

var typeNames = [Types]string{"workers", "students", "neighbors", "prisoners", "state", "public", "commercial", "highway"}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *TileType) UnmarshalText(text []byte) error { return named(t, text, typeNames[:]) }

// roads is how the arms of a tile are joined (R3.1, R3.2).
type roads uint8

const (
	fourWay roads = iota
	threeWay
	curves
	straight
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *roads) UnmarshalText(text []byte) error {
	return named(r, text, []string{"4way", "3way", "highway_curves", "highway_straight"})
}

// pile is where a tile of the random city is drawn from (R2.2): 0, 1, 2 for the letters A,
// B, C.
type pile uint8

const noPile pile = 3 // and up: tiles that scenarios bring in

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *pile) UnmarshalText(text []byte) error {
	return named(p, text, []string{"A", "B", "C", "3", "D"})
}

// tile is one of the thirty tiles.
type tile struct {
	ruledata.Source
	Cite      []string `json:"cite"`
	Key, Name string
	Type      TileType
	Pile      pile  `json:"letter"`
	ID        uint8 `json:"police_id"`            // 0 for a highway
	Repressed uint8 `json:"difficulty_repressed"` // 0 for a side that it lacks
	Liberated uint8 `json:"difficulty_liberated"`
	Roads     roads
	Metro     bool
	Centers   uint8             `json:"shopping_centers"`
	Circle    bool              `json:"occupation_circle"`
	Liberable bool              `json:"can_be_liberated"` // it has a liberated side that it does not start with
	Free      bool              `json:"starts_liberated"` // an Autonomous Zone
	Marks     map[string]string `json:"field_sources"`
}

// difficulty returns that of a side (R5.2).
func (t *tile) difficulty(liberated bool) uint8 {
	if liberated {
		return t.Liberated
	}
	return t.Repressed
}

// readTiles reads the thirty tiles.
func readTiles(b *box) error {
	var file struct {
		Note  string
		Types []string
		Tiles []tile
	}
	if err := ruledata.Read(b.files, "tiles", &file); err != nil {
		return err
	}
	if err := fill(b.tiles[:], file.Tiles); err != nil {
		return err
	}
	for i := range b.tiles {
		b.facts[i] = [2]TileFacts{b.tiles[i].facts(false), b.tiles[i].facts(true)}
	}
	return nil
}

// tileOf returns the number of a tile key.
func (b *box) tileOf(key string) (TileID, error) {
	for i := range b.tiles {
		if b.tiles[i].Key == key {
			return TileID(i), nil
		}
	}
	return 0, fmt.Errorf("%q is no tile", key)
}

// tilesNamed returns the numbers of tile keys.
func (b *box) tilesNamed(keys []string) ([]TileID, error) {
	var list []TileID
	for _, key := range keys {
		t, err := b.tileOf(key)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// placed is a tile in a cell.
type placed struct {
	tile     TileID
	rotation uint8
}

// cityFile is city.json. What city.go carries out of it stands there for readers;
// TestCity compares the two.
type cityFile struct {
	Size         json.RawMessage
	Arms         json.RawMessage
	Rotation     json.RawMessage
	Connectivity json.RawMessage
	Rules        []string `json:"connection_rules"`
	Zigzag       struct {
		ruledata.Source
		Pattern []string
		Order   []CellID       `json:"placement_order"`
		Pile    string         `json:"pile_of_placement_k"`
		Sizes   map[string]int `json:"pile_sizes"`
	}
	Beginner struct {
		ruledata.Source
		Unused []string `json:"unused_tiles"`
		Cells  []struct {
			Cell, Row, Col int
			Tile           string
			Rotation       uint8
		}
	} `json:"beginner_city"`
}

// readCity reads the zigzag and the beginner city, whose figure is lost and was
// reconstructed (Ruling 26).
func readCity(b *box) error {
	var file cityFile
	if err := ruledata.Read(b.files, "city", &file); err != nil {
		return err
	}
	if err := fill(b.zigzag[:], file.Zigzag.Order); err != nil {
		return err
	}
	city := make([]placed, len(file.Beginner.Cells))
	for i, c := range file.Beginner.Cells {
		t, err := b.tileOf(c.Tile)
		if err != nil {
			return fmt.Errorf("beginner city: %w", err)
		}
		city[i] = placed{t, c.Rotation}
	}
	return fill(b.beginner[:], city)
}
