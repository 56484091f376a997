package reference

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// armNames are the arms clockwise; a number of quarter turns is added to an index.
var armNames = []string{"N", "E", "S", "W"}

func opposite(arm int) int { return (arm + 2) % 4 }

// step returns the cell next to one, -1 off the grid.
func step(cell, arm int) int {
	row, col := cell/5, cell%5
	switch armNames[arm] {
	case "N":
		row--
	case "E":
		col++
	case "S":
		row++
	case "W":
		col--
	}
	if row < 0 || row > 4 || col < 0 || col > 4 {
		return -1
	}
	return 5*row + col
}

// end is where a connection meets a district.
type end struct{ cell, arm int }

// connection joins two districts (R3.3). A street holds its barricades as one number, at
// the first end; a highway has its own at each end (R3.6).
type connection struct {
	ends    [2]end
	highway bool
	at      [2]int
}

func (c *connection) barricades() int { return c.at[0] + c.at[1] }

// other returns the index of the end that is not at a cell, and the cell there.
func (c *connection) other(cell int) int {
	if c.ends[0].cell == cell {
		return c.ends[1].cell
	}
	return c.ends[0].cell
}

// dead reports whether the arm of a district is a dead end (R3.1).
func (r *Rules) dead(l laid, arm int) bool {
	return r.tiles[l.Tile].Roads == "3way" && arm == l.Rotation // north at rotation 0, turned clockwise
}

// joined returns the arm to which a highway joins another (R3.2).
func (r *Rules) joined(l laid, arm int) int {
	if r.tiles[l.Tile].Roads == "highway_straight" {
		return opposite(arm)
	}
	pairs := [][2]string{{"W", "S"}, {"N", "E"}}
	if l.Rotation%2 == 1 {
		pairs = [][2]string{{"W", "N"}, {"S", "E"}}
	}
	for _, p := range pairs {
		if p[0] == armNames[arm] {
			return slices.Index(armNames, p[1])
		}
		if p[1] == armNames[arm] {
			return slices.Index(armNames, p[0])
		}
	}
	panic("arm")
}

func (r *Rules) district(tile string) bool { return r.tiles[tile].Type != "highway" }

// leads follows the road from an arm of a district (R3.3).
func (r *Rules) leads(city []laid, from end) (to end, highway, ok bool) {
	if r.dead(city[from.cell], from.arm) {
		return end{}, false, false
	}
	cell, arm := step(from.cell, from.arm), from.arm
	for cell >= 0 && !r.district(city[cell].Tile) {
		arm = r.joined(city[cell], opposite(arm))
		cell = step(cell, arm)
		highway = true
	}
	if cell < 0 || cell == from.cell || r.dead(city[cell], opposite(arm)) {
		return end{}, false, false
	}
	return end{cell, opposite(arm)}, highway, true
}

// connections lists all of a city (R3.3).
func (r *Rules) connections(city []laid) (list []*connection) {
	for cell := range city {
		if !r.district(city[cell].Tile) {
			continue
		}
		for arm := range 4 {
			to, highway, ok := r.leads(city, end{cell, arm})
			if ok && to.cell > cell {
				list = append(list, &connection{ends: [2]end{{cell, arm}, to}, highway: highway})
			}
		}
	}
	return list
}

// connected reports whether every district can be reached from every other (R2.2).
func (r *Rules) connected(city []laid, list []*connection) bool {
	var districts []int
	for cell, l := range city {
		if r.district(l.Tile) {
			districts = append(districts, cell)
		}
	}
	reached := map[int]bool{districts[0]: true}
	for range districts {
		for _, c := range list {
			if reached[c.ends[0].cell] || reached[c.ends[1].cell] {
				reached[c.ends[0].cell], reached[c.ends[1].cell] = true, true
			}
		}
	}
	return len(reached) == len(districts)
}

// fit reports whether a city can be played in a scenario (R2.2, R10.2).
func (g *Game) fit() bool {
	list := g.rules.connections(g.city)
	if !g.rules.connected(g.city, list) {
		g.mark("R2.2 not connected")
		return false
	}
	switch g.scenario.Success.Op {
	case "ALL_HIGHWAY_ENTRANCES_BARRICADED":
		return slices.ContainsFunc(list, func(c *connection) bool { return c.highway })
	case "ADJACENT_TO_ZONES_LIBERATED_AND_ZONES_CLEAR":
		return slices.ContainsFunc(list, func(c *connection) bool {
			a, b := g.city[c.ends[0].cell].Tile, g.city[c.ends[1].cell].Tile
			zones := g.scenario.Success.Tiles
			return slices.Contains(zones, a) && g.rules.tiles[b].CanBe || slices.Contains(zones, b) && g.rules.tiles[a].CanBe
		})
	}
	return true
}

// CustomCity writes a city of the setting's tiles in any arrangement, as the option city has it (R2.2).
func (r *Rules) CustomCity(o Options, rng *rand.Rand) (string, error) {
	s, err := r.scenario(o.Scenario, o.Players)
	if err != nil {
		return "", err
	}
	g := &Game{rules: r, options: o, scenario: s, marks: map[string]int{}}
	var tiles []string
	for _, pile := range g.piles() {
		tiles = append(tiles, pile...)
	}
	slices.Sort(tiles)
	for {
		g.city = nil
		for _, i := range rng.Perm(len(tiles)) {
			g.city = append(g.city, laid{tiles[i], rng.IntN(4)})
		}
		if g.fit() {
			break
		}
	}
	var text []string
	for _, l := range g.city {
		text = append(text, fmt.Sprintf("%s:%d", l.Tile, l.Rotation))
	}
	return strings.Join(text, "+"), nil
}
