package minuteman

import (
	"fmt"
	"slices"
)

// country of a hex.
type country uint8

const (
	us country = iota
	canada
	mexico
	numCountries
)

var countryNames = [numCountries]string{"US", "Canada", "Mexico"}

// terrain of a hex (R1.2).
type terrain uint8

const (
	clearTerrain terrain = iota
	southWinterCover
	northWinterCover
	roughBrushland
	numTerrains
)

var terrainNames = [numTerrains]string{"clear", "south_winter_cover", "north_winter_cover", "rough_brushland"}

// lastColumn is the easternmost column with land.
const lastColumn = 48

// Movement points for a hex (R9): the most, and the place in costSet of the units
// that pay one everywhere.
const (
	maxCost   = 3
	noTerrain = 2
)

// hex is what is printed on one hex.
type hex struct {
	id                      string
	name                    string
	col, row                uint8
	country                 country
	terrain                 terrain
	pop                     uint8 // class 1 or 2 of its centre, 0 for none
	city                    int8  // index among the Population I hexes, noCity elsewhere
	coast, eastSea, westSea bool
	front                   bool      // Front Line of the Partisan scenario
	cost                    [2]uint8  // movement points of Mil and Army, and in Winter (R9)
	near                    [6]int16  // over passable sides, clockwise from N, noHex where there is none
	beside                  [6]int16  // the same over any side, prohibited ones included
	around                  span      // the hex and near
	cells                   [3]uint64 // the same in a grid, from the column west of it
}

// board is the map, with what is computed from it once.
type board struct {
	hexes    [numHexes]hex
	facts    [numHexes]HexFacts // what encoders read of them
	cityHex  [numCities]int16
	country  [numCountries]hexSet
	pop1     hexSet
	column   [lastColumn + 2]int16 // first hex of a column, numHexes behind the last one
	coast    hexSet
	eastSea  hexSet
	westSea  hexSet
	frontSet hexSet
	enter    [6]grid                // hexes with a passable side, by direction
	costSet  [3][maxCost + 1]hexSet // hexes by what Mil and Army pay, in Winter, and by what others pay
	index    map[string]int16
	named    map[string]int16 // named cities
	partisan [8]int16         // the eight cities of the Partisan scenario, in order of number
}

// distance implements R3.2 (plain hex distance): columns are staggered, even ones
// half a hex lower.
func (b *board) distance(x, y int16) int {
	i, j := &b.hexes[x], &b.hexes[y]
	dc := abs(int(i.col) - int(j.col))
	dr := abs(2*int(i.row) - int(i.col)&1 - 2*int(j.row) + int(j.col)&1)
	return dc + max(0, (dr-dc)/2)
}

// dropWithin takes the hexes at less than a distance from a hex out of a set.
func (b *board) dropWithin(set *hexSet, h int16, distance int) {
	col := int(b.hexes[h].col)
	first, end := b.column[max(0, col-distance+1)], b.column[min(lastColumn, col+distance-1)+1]
	for x := set.next(first); x != noHex && x < end; x = set.next(x + 1) {
		if b.distance(h, x) < distance {
			set.del(x)
		}
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

type mapFile struct {
	source
	Counts struct {
		Land       int `json:"total_land"`
		Prohibited int `json:"prohibited_hexsides"`
	} `json:"counts"`
	Prohibited [][2]string       `json:"prohibited_hexsides"`
	Named      map[string]string `json:"named_cities"`
	Partisan   map[string]string `json:"partisan_cities"`
	CivilWar   []string          `json:"civil_war_setup"`
	Front      []string          `json:"front_line"`
	Hexes      []struct {
		ID         string    `json:"id"`
		Col        uint8     `json:"col"`
		Row        uint8     `json:"row"`
		Country    string    `json:"country"`
		Terrain    string    `json:"terrain"`
		Pop        uint8     `json:"pop"`
		Name       string    `json:"name"`
		Source     string    `json:"source"`
		Coast      []string  `json:"coast"`
		EastCoast  bool      `json:"east_coast"`
		WestCoast  bool      `json:"west_coast"`
		Neighbours []*string `json:"neighbours"`
		Passable   []bool    `json:"passable"`
		InTable    bool      `json:"in_random_events_table"`
		Front      bool      `json:"front_line"`
	} `json:"hexes"`
}

// readMap implements R1.2 and R3.2 (the map, its sides, and distances).
// Ruling 6: the map is a fit.
func readMap(b *box) error {
	var f mapFile
	if err := decodeFile("map", &f); err != nil {
		return err
	}
	if err := f.check("map.json"); err != nil {
		return err
	}
	if len(f.Hexes) != numHexes || f.Counts.Land != numHexes {
		return fmt.Errorf("map.json has %d hexes, want %d", len(f.Hexes), numHexes)
	}
	b.index = map[string]int16{}
	cities := int8(0)
	for i, h := range f.Hexes {
		c := slices.Index(countryNames[:], h.Country)
		t := slices.Index(terrainNames[:], h.Terrain)
		if c < 0 || t < 0 || h.Pop > 2 || h.Col > lastColumn || len(h.Neighbours) != 6 || len(h.Passable) != 6 || (h.Pop > 0) != (h.Name != "") {
			return fmt.Errorf("map.json: hex %s has bad fields", h.ID)
		}
		if h.ID != fmt.Sprintf("%02d%02d", h.Col, h.Row) || i > 0 && h.ID <= f.Hexes[i-1].ID {
			return fmt.Errorf("map.json: hex %s is out of order", h.ID)
		}
		x := &b.hexes[i]
		*x = hex{id: h.ID, name: h.Name, col: h.Col, row: h.Row, country: country(c), terrain: terrain(t), pop: h.Pop, city: noCity,
			coast: len(h.Coast) > 0, eastSea: h.EastCoast, westSea: h.WestCoast, front: h.Front}
		b.index[h.ID] = int16(i)
		for c := int(h.Col) + 1; c < len(b.column); c++ {
			b.column[c] = int16(i + 1)
		}
		b.board.country[c].add(int16(i))
		b.coast.put(int16(i), x.coast)
		b.eastSea.put(int16(i), x.eastSea)
		b.westSea.put(int16(i), x.westSea)
		b.frontSet.put(int16(i), x.front)
		if h.Pop == 1 {
			if cities == numCities {
				return fmt.Errorf("map.json has more than %d Population I hexes", numCities)
			}
			x.city = cities
			b.cityHex[cities] = int16(i)
			b.pop1.add(int16(i))
			cities++
		}
		if h.Pop == 1 && h.Country == "US" != h.InTable {
			return fmt.Errorf("map.json: hex %s: Population I of the US and the random events table do not agree", h.ID)
		}
	}
	if cities != numCities {
		return fmt.Errorf("map.json has %d Population I hexes, want %d", cities, numCities)
	}
	return joinHexes(b, &f)
}

// joinHexes links the neighbours and reads the lists of named hexes.
func joinHexes(b *box, f *mapFile) error {
	blocked := 0
	for i, h := range f.Hexes {
		for k, id := range h.Neighbours {
			b.hexes[i].near[k], b.hexes[i].beside[k] = noHex, noHex
			if id == nil {
				continue
			}
			n, ok := b.index[*id]
			if !ok {
				return fmt.Errorf("map.json: hex %s has the unknown neighbour %s", h.ID, *id)
			}
			other := f.Hexes[n]
			back := other.Neighbours[(k+3)%6]
			if back == nil || *back != h.ID || other.Passable[(k+3)%6] != h.Passable[k] || b.distance(int16(i), n) != 1 {
				return fmt.Errorf("map.json: the side of %s and %s is not the same from both hexes", h.ID, *id)
			}
			b.hexes[i].beside[k] = n
			if h.Passable[k] {
				b.hexes[i].near[k] = n
			} else {
				blocked++
			}
		}
	}
	if blocked != 2*f.Counts.Prohibited || len(f.Prohibited) != f.Counts.Prohibited {
		return fmt.Errorf("map.json has %d prohibited sides, want %d", blocked/2, f.Counts.Prohibited)
	}
	b.named = map[string]int16{}
	for name, id := range f.Named {
		h, ok := b.index[id]
		if !ok || b.hexes[h].pop != 1 || b.hexes[h].name != name {
			return fmt.Errorf("map.json: named city %s is not at %s", name, id)
		}
		b.named[name] = h
	}
	ids := make([]string, 0, len(f.Partisan))
	for _, id := range f.Partisan {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if len(ids) != len(b.partisan) {
		return fmt.Errorf("map.json has %d Partisan cities, want %d", len(ids), len(b.partisan))
	}
	for i, id := range ids {
		b.partisan[i] = b.index[id]
	}
	if b.frontSet.count() != 16 || len(f.Front) != 16 {
		return fmt.Errorf("map.json: the Front Line has %d hexes, want 16", b.frontSet.count())
	}
	tellFacts(b)
	return drawAround(b)
}

// drawAround writes the neighbourhoods as sets.
func drawAround(b *box) error {
	for i := range b.hexes {
		x := &b.hexes[i]
		hexes := []int16{int16(i)}
		x.cells[1] |= 1 << x.row
		for k, n := range x.near {
			if n != noHex {
				hexes = append(hexes, n)
				b.enter[k][x.col] |= 1 << x.row
				x.cells[b.hexes[n].col+1-x.col] |= 1 << b.hexes[n].row
			}
		}
		slices.Sort(hexes)
		var ok bool
		if x.around, ok = newSpan(hexes); !ok {
			return fmt.Errorf("map.json: the neighbours of hex %s are too far apart in the list", x.id)
		}
	}
	return nil
}
