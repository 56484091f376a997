package minuteman

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"powderkeg/engine/ruledata"
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

// lastColumn is the easternmost column with land, lastRow the southernmost row.
const (
	lastColumn = 48
	lastRow    = 33
)

// Movement points for a hex (R9): the most, and the place in costSet of the units
// that pay one everywhere.
const (
	maxCost   = 3
	noTerrain = 2
)

// hex is what is printed on one hex.
type hex struct {
	// What the rules read all the time comes first, so that it lies together.
	around                  span      // the hex and near
	cells                   [3]uint64 // the same in a grid, from the column west of it
	near                    [6]HexID  // over passable sides, clockwise from N, noHex where there is none
	col, row                uint8
	country                 country
	terrain                 terrain
	pop                     uint8  // class 1 or 2 of its centre, 0 for none
	city                    CityID // index among the Population I hexes, noCity elsewhere
	coast, eastSea, westSea bool
	front                   bool     // Front Line of the Partisan scenario
	cost                    [2]uint8 // movement points of Mil and Army, and in Winter (R9)
	beside                  [6]HexID // as near over any side, prohibited ones included
	id                      string
	name                    string
}

// board is the map, with what is computed from it once.
type board struct {
	hexes     [numHexes]hex
	facts     [numHexes]HexFacts // what encoders read of them
	cityHex   [numCities]HexID
	country   [numCountries]hexSet
	pop1      hexSet
	column    [lastColumn + 2]HexID // first hex of a column, numHexes behind the last one
	coast     hexSet
	eastSea   hexSet
	westSea   hexSet
	frontSet  hexSet
	enter     [6]grid                            // hexes with a passable side, by direction
	costSet   [3][maxCost + 1]grid               // hexes by what Mil and Army pay, in Winter, and by what others pay
	countries [numCountries]grid                 // the same as country
	land      grid                               // all hexes
	at        [lastColumn + 2][lastRow + 1]HexID // hexes by column and row
	index     map[string]HexID
	named     map[string]HexID // named cities
	partisan  [8]HexID         // the eight cities of the Partisan scenario, in order of number
}

// distance implements R3.2 (plain hex distance): columns are staggered, even ones
// half a hex lower.
func (b *board) distance(x, y HexID) int {
	i, j := &b.hexes[x], &b.hexes[y]
	dc := abs(int(i.col) - int(j.col))
	dr := abs(2*int(i.row) - int(i.col)&1 - 2*int(j.row) + int(j.col)&1)
	return dc + max(0, (dr-dc)/2)
}

// dropWithin takes the hexes at less than a distance, 1 or more, from a hex out of a set: of each
// column the rows at which distance is less.
func (b *board) dropWithin(set *hexSet, h HexID, distance int) {
	x := &b.hexes[h]
	middle := 2*int(x.row) - int(x.col)&1
	for c := max(1, int(x.col)-distance+1); c <= min(lastColumn, int(x.col)+distance-1); c++ {
		reach := 2*distance - abs(c-int(x.col)) - 2
		low, high := max(0, (middle+c&1-reach)/2), min(lastRow, (middle+c&1+reach)/2)
		if low > high {
			continue
		}
		if rows := b.land[c] & (1<<(high+1) - 1<<low); rows != 0 {
			first := int(b.column[c]) + bits.OnesCount64(b.land[c]&(1<<low-1))
			set.delBits(first, 1<<bits.OnesCount64(rows)-1)
		}
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// mapFile is data/map.json.
type mapFile struct {
	ruledata.Source
	Named    map[string]string `json:"named_cities"`
	Partisan map[string]string `json:"partisan_cities"`
	Hexes    []hexRecord

	Fit, Grid, Counts prose
	Misfit            prose `json:"pop1_misfit_in_hexes"`
	Prohibited        prose `json:"prohibited_hexsides"`
	CivilWar          prose `json:"civil_war_setup"`
	FrontLine         prose `json:"front_line"`
}

// hexRecord is one hex; its neighbours and whether their sides are passable stand
// clockwise from N.
type hexRecord struct {
	ruledata.Source
	ID, Country, Terrain, Name string
	Col, Row, Pop              uint8
	Coast                      []string
	EastCoast                  bool `json:"east_coast"`
	WestCoast                  bool `json:"west_coast"`
	Front                      bool `json:"front_line"`
	Neighbours                 [6]*string
	Passable                   [6]bool

	Lat, Lon, Border, Note prose
	LandFraction           prose `json:"land_fraction"`
	InTable                prose `json:"in_random_events_table"`
}

// readMap implements R1.2 and R3.2 (the map, its sides, and distances).
// Ruling 6: the map is a fit.
func readMap(b *box) error {
	var f mapFile
	if err := ruledata.Read(b.files, "map", &f); err != nil {
		return err
	}
	if len(f.Hexes) != numHexes {
		return fmt.Errorf("map.json has %d hexes, want %d", len(f.Hexes), numHexes)
	}
	b.index = map[string]HexID{}
	cities := CityID(0)
	for i := range f.Hexes {
		h, x := HexID(i), &b.hexes[i]
		if err := x.read(&f.Hexes[i]); err != nil {
			return fmt.Errorf("map.json: hex %s: %w", f.Hexes[i].ID, err)
		}
		b.index[x.id] = h
		for c := int(x.col) + 1; c < len(b.column); c++ {
			b.column[c] = h + 1
		}
		b.board.country[x.country].add(h)
		b.countries[x.country][x.col] |= 1 << x.row
		b.land[x.col] |= 1 << x.row
		b.at[x.col][x.row] = h
		b.coast.put(h, x.coast)
		b.eastSea.put(h, x.eastSea)
		b.westSea.put(h, x.westSea)
		b.frontSet.put(h, x.front)
		if x.pop == 1 && cities < numCities {
			x.city, b.cityHex[cities] = cities, h
			b.pop1.add(h)
			cities++
		}
	}
	b.named = map[string]HexID{}
	for name, id := range f.Named {
		b.named[name] = b.index[id]
	}
	if len(f.Partisan) != len(b.board.partisan) || cities != numCities {
		return fmt.Errorf("map.json has %d Partisan cities and %d Population I hexes, want %d and %d", len(f.Partisan), cities, len(b.board.partisan),
			numCities)
	}
	for i, id := range slices.Sorted(maps.Values(f.Partisan)) {
		b.board.partisan[i] = b.index[id]
	}
	return joinHexes(b, &f)
}

// read takes over what a record says of the hex itself.
func (x *hex) read(r *hexRecord) (err error) {
	*x = hex{id: r.ID, name: r.Name, col: r.Col, row: r.Row, pop: r.Pop, city: noCity,
		coast: len(r.Coast) > 0, eastSea: r.EastCoast, westSea: r.WestCoast, front: r.Front}
	if x.country, err = lookUp[country](countryNames[:], r.Country); err != nil {
		return err
	}
	if x.terrain, err = lookUp[terrain](terrainNames[:], r.Terrain); err != nil {
		return err
	}
	if r.Col < 1 || r.Col > lastColumn || r.Row > lastRow {
		return fmt.Errorf("it lies outside of the grid")
	}
	return nil
}

// joinHexes links the neighbours, and draws each neighbourhood as sets.
func joinHexes(b *box, f *mapFile) error {
	for i := range b.hexes {
		x, r := &b.hexes[i], &f.Hexes[i]
		hexes := []HexID{HexID(i)}
		x.cells[1] |= 1 << x.row
		for k, id := range r.Neighbours {
			x.near[k], x.beside[k] = noHex, noHex
			if id == nil {
				continue
			}
			n, ok := b.index[*id]
			if !ok || b.distance(HexID(i), n) != 1 {
				return fmt.Errorf("map.json: hex %s is no neighbour of %s", *id, x.id)
			}
			x.beside[k] = n
			if !r.Passable[k] {
				continue
			}
			x.near[k] = n
			hexes = append(hexes, n)
			b.enter[k][x.col] |= 1 << x.row
			x.cells[b.hexes[n].col+1-x.col] |= 1 << b.hexes[n].row
		}
		slices.Sort(hexes)
		var ok bool
		if x.around, ok = newSpan(hexes); !ok {
			return fmt.Errorf("map.json: the neighbours of hex %s are too far apart in the list", x.id)
		}
	}
	tellFacts(b)
	return nil
}
