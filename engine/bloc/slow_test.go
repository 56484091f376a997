package bloc_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

// A slow reference in rulebook order, with maps and loops. It reads the JSON position and
// the data files alone and shares no code with the engine.

// table is the JSON position as the reference reads it.
type table struct {
	Step string
	City []struct {
		Tile     string
		Rotation int
	}
	Seats     []string
	Active    string
	Districts map[string]struct {
		Blocs      map[string]int
		Attacked   map[string]int
		Cops       int
		Van        *int
		Occupation []string
		Liberated  bool
		Centers    []int `json:"shopping_centers"`
	}
	Barricades []struct {
		Cell  int
		Arm   string
		Count int
	}
	Pile     int            `json:"barricade_pile"`
	Lockdown *string        `json:"metro_lockdown"`
	LootDeck map[string]int `json:"loot_deck"`
	Discard  map[string]int `json:"loot_discard"`
	Hands    map[string][]string
	Dice     []int
	Extra    int `json:"extra_dice"`
	Uses     map[string]int
	Bolt     int `json:"bolt_cutters"`
	Jammers  int
	Trades   int
	Morale   int `json:"morale_step"`
	Barred   map[string][]int
}

func readTable(t *testing.T, s engine.State) *table {
	t.Helper()
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var x table
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	return &x
}

// printed is what is printed on a tile.
type printed struct {
	Key, Type, Roads string
	ID               int  `json:"police_id"`
	Repressed        int  `json:"difficulty_repressed"`
	Liberated        int  `json:"difficulty_liberated"`
	Metro            bool `json:"metro"`
	Circle           bool `json:"occupation_circle"`
}

var tiles = func() map[string]printed {
	data, err := os.ReadFile("data/tiles.json")
	if err != nil {
		panic(err)
	}
	var file struct{ Tiles []printed }
	if err := json.Unmarshal(data, &file); err != nil {
		panic(err)
	}
	m := map[string]printed{}
	for _, x := range file.Tiles {
		m[x.Key] = x
	}
	return m
}()

type place struct {
	cell int
	arm  string
}

var (
	offset   = map[string][2]int{"N": {-1, 0}, "E": {0, 1}, "S": {1, 0}, "W": {0, -1}}
	opposite = map[string]string{"N": "S", "S": "N", "E": "W", "W": "E"}
	joined   = map[string]map[string]string{
		"even": {"W": "S", "S": "W", "N": "E", "E": "N"}, "odd": {"W": "N", "N": "W", "S": "E", "E": "S"}, "any": {"N": "S", "S": "N", "W": "E", "E": "W"},
	}
)

func (x *table) tile(c int) printed { return tiles[x.City[c].Tile] }

// opens reports whether a road leaves the tile in cell c by an arm (R3.1).
func (x *table) opens(c int, arm string) bool {
	return x.tile(c).Roads != "3way" || []string{"N", "E", "S", "W"}[x.City[c].Rotation] != arm
}

// follow implements R3.3 literally: from tile to tile until a district or a dead end.
func (x *table) follow(c int, arm string) (far place, highways int, ok bool) {
	if x.tile(c).Type == "highway" || !x.opens(c, arm) {
		return far, 0, false
	}
	at := c
	for {
		row, col := at/5+offset[arm][0], at%5+offset[arm][1]
		if row < 0 || row > 4 || col < 0 || col > 4 {
			return far, 0, false
		}
		at = 5*row + col
		in := opposite[arm]
		switch road := x.tile(at).Roads; {
		case road == "highway_curves":
			arm = joined[[]string{"even", "odd"}[x.City[at].Rotation%2]][in]
			highways++
		case road == "highway_straight":
			arm = joined["any"][in]
			highways++
		case at == c || !x.opens(at, in):
			return far, 0, false
		default:
			return place{at, in}, highways, true
		}
	}
}

// barricades implements R3.6: the sum over both ends, wherever the position lists
// them.
func (x *table) barricades(c int, arm string) int {
	far, _, _ := x.follow(c, arm)
	n := 0
	for _, b := range x.Barricades {
		if here := (place{b.Cell, b.Arm}); here == (place{c, arm}) || here == far {
			n += b.Count
		}
	}
	return n
}

func (x *table) police(c int) bool {
	d := x.Districts[x.City[c].Tile]
	return d.Cops > 0 || d.Van != nil
}

// walk implements R5.3: breadth first, a district with police ends the way.
func (x *table) walk(from int) []int {
	seen, todo := map[int]bool{from: true}, []int{from}
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		if c != from && x.police(c) {
			continue
		}
		for _, arm := range []string{"N", "E", "S", "W"} {
			if far, _, ok := x.follow(c, arm); ok && !seen[far.cell] {
				seen[far.cell] = true
				todo = append(todo, far.cell)
			}
		}
		if x.tile(c).Metro && x.Lockdown == nil {
			for other := range x.City {
				if x.tile(other).Metro && !seen[other] {
					seen[other] = true
					todo = append(todo, other)
				}
			}
		}
	}
	var cells []int
	for c := range x.City {
		if seen[c] && c != from {
			cells = append(cells, c)
		}
	}
	return cells
}

// citySettings draw cities of all kinds.
var citySettings = []string{
	"bloc", "bloc(use_overpass=true)", "bloc(scenario=routine_traffic_stop)", "bloc(scenario=autonomous_zone_2,use_overpass=true)", "bloc(players=3)",
}

// drawCity plays a game up to the first choice of a district.
func drawCity(t *testing.T, g engine.Game, rng *rand.PCG) *bloc.State {
	t.Helper()
	s := g.New().(*bloc.State)
	for open(s).Decision() < 0 {
		if err := s.Apply(engine.Sample(s.Outcomes(nil), rng)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// R2.2, R3.1, R3.2, R3.3, R3.4, R3.5, Ruling 1 and Ruling 2: connections of random
// cities.
func TestR3_3_ConnectionsAgreeWithTheSlowReference(t *testing.T) {
	rng, parallel, highways := rand.NewPCG(3, 3), 0, 0
	for i := range enginetest.Times(1500) {
		s := drawCity(t, enginetest.Game(t, citySettings[i%len(citySettings)]), rng)
		x := readTable(t, s)
		near := map[int]map[int]int{}
		for c := range x.City {
			near[c] = map[int]int{}
			for a, arm := range []string{"N", "E", "S", "W"} {
				want, over, ok := x.follow(c, arm)
				x, got := open(s).Connection(bloc.CellID(c), bloc.Arm(a))
				if ok != got || ok && (want != place{int(x.Far.Cell()), []string{"N", "E", "S", "W"}[x.Far.Arm()]} || x.OverHighway != (over > 0)) {
					t.Fatalf("cell %d, arm %s: got %v to %d, want %v to %v\n%s", c, arm, got, x.Far, ok, want, open(s).Text(0))
				}
				if ok {
					near[c][want.cell]++
					if over > 0 {
						highways++
					}
				}
			}
			adjacent := bloc.CellSet(0)
			for far, n := range near[c] {
				adjacent |= 1 << far
				if n > 1 {
					parallel++
				}
			}
			if open(s).P.Near[c] != adjacent {
				t.Fatalf("cell %d is adjacent to %025b, want %025b", c, open(s).P.Near[c], adjacent)
			}
		}
		// With no police and no metro every district is reached from every other.
		x.Lockdown = new("workers")
		for tile := range x.Districts {
			delete(x.Districts, tile)
		}
		for c := range x.City {
			if x.tile(c).Type == "highway" {
				continue
			}
			want := 24
			for other := range x.City {
				if x.tile(other).Type == "highway" {
					want--
				}
			}
			if got := len(x.walk(c)); got != want {
				t.Fatalf("R2.2: %d districts are reached from cell %d, want %d", got, c, want)
			}
			break
		}
	}
	if parallel == 0 || highways == 0 {
		t.Errorf("%d parallel connections and %d highway ends: the cities are too plain", parallel, highways)
	}
}

// scene makes a random position in a random city, as JSON: police, blocs, barricades.
func scene(s *bloc.State, x *table, rng *rand.PCG) string {
	n := func(n int) int { return int(engine.Uint32N(rng, uint32(n))) }
	districts, cops, vans := map[string]any{}, 30, 6
	blocs := map[string]int{"workers": 10, "students": 10, "neighbors": 10, "prisoners": 10}
	for c := range x.City {
		if x.tile(c).Type == "highway" {
			continue
		}
		d := map[string]any{}
		if k := min(cops, []int{0, 0, 1, 2, 3, 5, 8}[n(7)]); k > 0 {
			d["cops"], cops = k, cops-k
		}
		if vans > 0 && n(6) == 0 {
			d["van"], vans = n(3), vans-1
		}
		if f := x.Seats[n(len(x.Seats))]; n(3) == 0 && blocs[f] > 1 {
			d["blocs"] = map[string]int{f: 1 + n(2)}
			blocs[f] -= 2
		}
		districts[x.City[c].Tile] = d
	}
	var barricades []map[string]any
	for range n(12) {
		c, arm := n(25), []string{"N", "E", "S", "W"}[n(4)]
		taken := false
		far, _, ok := x.follow(c, arm)
		for _, b := range barricades {
			here := place{b["cell"].(int), b["arm"].(string)}
			taken = taken || here == place{c, arm} || here == far
		}
		if ok && !taken {
			barricades = append(barricades, map[string]any{"cell": c, "arm": arm, "count": 1 + n(3)})
		}
	}
	var whole map[string]any
	data, _ := s.MarshalJSON()
	_ = json.Unmarshal(data, &whole)
	p := map[string]any{"city": whole["city"], "seats": whole["seats"], "active": x.Seats[n(len(x.Seats))], "districts": districts,
		"barricades": barricades}
	if n(3) == 0 {
		p["metro_lockdown"] = x.Seats[0]
	}
	text, _ := json.Marshal(p)
	return string(text)
}

// R5.3, R5.4 and R8.9: where blocs can go from every district of random positions.
func TestR5_3_ReachAgreesWithTheSlowReference(t *testing.T) {
	rng := rand.NewPCG(5, 3)
	for i := range enginetest.Times(1000) {
		text := citySettings[i%len(citySettings)]
		city := drawCity(t, enginetest.Game(t, text), rng)
		s := load(t, text, scene(city, readTable(t, city), rng))
		x := readTable(t, s)
		for c := range x.City {
			if x.tile(c).Type == "highway" {
				continue
			}
			want := bloc.CellSet(0)
			for _, far := range x.walk(c) {
				want |= 1 << far
			}
			if got := open(s).Reach(bloc.CellID(c)); got != want {
				t.Fatalf("from cell %d: reach %025b, want %025b\n%s", c, got, want, open(s).Text(0))
			}
		}
	}
}

// movePolice implements R8.4 literally.
func (x *table) movePolice(typ string, highest bool) map[string]int {
	cops := map[string]int{}
	type group struct{ from, size, to int }
	var groups []group
	better := func(a, b int) bool { return (x.tile(a).ID > x.tile(b).ID) == highest }
	for c := range x.City {
		if x.tile(c).Type == "highway" {
			continue
		}
		d := x.Districts[x.City[c].Tile]
		cops[x.City[c].Tile] = d.Cops
		total := 0
		for _, n := range d.Blocs {
			total += n
		}
		if d.Cops < 2 || total > 0 {
			continue
		}
		to := -1
		for _, arm := range []string{"N", "E", "S", "W"} {
			far, _, ok := x.follow(c, arm)
			if ok && (x.tile(far.cell).Type == typ || typ == "" && x.Districts[x.City[far.cell].Tile].Occupation != nil) && (to < 0 || better(far.cell, to)) {
				to = far.cell
			}
		}
		if to >= 0 {
			groups = append(groups, group{c, d.Cops, to})
		}
	}
	slices.SortFunc(groups, func(a, b group) int {
		if better(a.from, b.from) {
			return -1
		}
		return 1
	})
	for _, g := range groups {
		way := ""
		for _, arm := range []string{"N", "E", "S", "W"} {
			far, _, ok := x.follow(g.from, arm)
			if ok && far.cell == g.to && (way == "" || x.barricades(g.from, arm) < x.barricades(g.from, way)) {
				way = arm
			}
		}
		m := g.size - 1
		stopped := map[int]int{0: 0, 1: min(1, m), 2: m / 2, 3: m}[x.barricades(g.from, way)]
		if stopped > 0 {
			far, _, _ := x.follow(g.from, way)
			for i, b := range x.Barricades {
				if here := (place{b.Cell, b.Arm}); here == (place{g.from, way}) || here == far {
					x.Barricades[i].Count = 0
				}
			}
		}
		cops[x.City[g.from].Tile] -= m - stopped
		cops[x.City[g.to].Tile] += m - stopped
	}
	return cops
}

// R8.4 and Ruling 5: movement cards on random positions.
func TestR8_4_MovementAgreesWithTheSlowReference(t *testing.T) {
	rng, moved := rand.NewPCG(8, 4), 0
	types := []string{"state", "public", "commercial", "workers", "students", "neighbors", "prisoners"}
	for i := range enginetest.Times(2000) {
		text := citySettings[i%len(citySettings)]
		city := drawCity(t, enginetest.Game(t, text), rng)
		s := load(t, text, scene(city, readTable(t, city), rng))
		x := readTable(t, s)
		typ, highest := types[engine.Uint32N(rng, 7)], engine.Uint32N(rng, 2) == 0
		want := x.movePolice(typ, highest)
		do(t, text, s, "END_ACTIONS", fmt.Sprintf("OPS_MOVE_%s_%s", upper(typ), map[bool]string{true: "HIGHEST", false: "LOWEST"}[highest]))
		after := readTable(t, s)
		for tile, n := range want {
			if got := after.Districts[tile].Cops; got != n {
				t.Fatalf("%s %v: %d cops in %s, want %d\n%s", typ, highest, got, tile, n, open(s).Text(0))
			}
			if n != x.Districts[tile].Cops {
				moved++
			}
		}
		left := 0
		for _, b := range x.Barricades {
			left += b.Count
		}
		if after.Pile != 40-left {
			t.Fatalf("%s %v: %d barricades in the pile, want %d\n%s", typ, highest, after.Pile, 40-left, open(s).Text(0))
		}
	}
	if moved < 1000 {
		t.Errorf("cops moved in %d districts only", moved)
	}
}
