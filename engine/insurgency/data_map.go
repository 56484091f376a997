package insurgency

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// kind is what a space is (R4.1).
type kind uint8

const (
	city kind = iota
	suburb
	region
	numKinds
)

var kindNames = []string{"city", "suburb", "region"}

// space is one space of the map.
type space struct {
	id, name   string
	kind       kind
	population uint8
	terrain    string
	adjacent   spaceSet
	attack     int   // modifier of Attack rolls (R4.7)
	perEffect  uint8 // agents for one effect of a Hunt
	moveCost   uint8 // dollars to end a Move here
	other      uint8 // the suburb of a city, the city of a suburb; noSpace for regions
}

type mapFile struct {
	Note, Source string
	Counts       struct {
		City, Suburb, Region int
		ForeignRegion        int `json:"foreign_region"`
		source
	}
	AdjacencySource struct {
		Rulebook           []string
		Reconstructed, Why string
	} `json:"adjacency_source"`
	TerrainEffects struct {
		source
		Rows []terrainRow
	} `json:"terrain_effects"`
	Spaces []spaceRow
}

type terrainRow struct {
	Terrain string
	Attack  int   `json:"attack_roll_modifier"`
	Hunt    uint8 `json:"agents_per_hunt_effect"`
	Move    uint8 `json:"move_in_cost"`
}

type spaceRow struct {
	Index            int
	ID, Name, Kind   string
	Metro            *string
	Population       uint8
	Terrain          string
	InPlay           bool   `json:"in_play_at_start"`
	PopulationSource source `json:"population_source"`
	TerrainSource    source `json:"terrain_source"`
	source
	Adjacent []string
}

// readMap implements R4.1, R4.2 and R4.7: the spaces, their borders and terrain (Q16).
func readMap(b *box) error {
	var f mapFile
	if err := decodeFile("map", &f); err != nil {
		return err
	}
	if len(f.Spaces) != numSpaces {
		return fmt.Errorf("map.json: %d spaces, want %d", len(f.Spaces), numSpaces)
	}
	for _, r := range f.Spaces {
		b.ids = append(b.ids, r.ID)
	}
	if err := f.TerrainEffects.check("map.json: terrain_effects"); err != nil {
		return err
	}
	for i, r := range f.Spaces {
		if err := b.readSpace(uint8(i), r, &f); err != nil {
			return fmt.Errorf("map.json: %s: %w", r.ID, err)
		}
	}
	counts := [numKinds]int{f.Counts.City, f.Counts.Suburb, f.Counts.Region + f.Counts.ForeignRegion}
	for k, set := range b.kinds {
		if set.count() != counts[k] {
			return fmt.Errorf("map.json: %d spaces of kind %s, want %d", set.count(), kindNames[k], counts[k])
		}
	}
	return b.checkBorders()
}

func (b *box) readSpace(i uint8, r spaceRow, f *mapFile) error {
	for _, s := range []source{r.PopulationSource, r.TerrainSource, r.source} {
		if err := s.check("source"); err != nil {
			return err
		}
	}
	k := slices.Index(kindNames, r.Kind)
	row := slices.IndexFunc(f.TerrainEffects.Rows, func(t terrainRow) bool { return t.Terrain == r.Terrain })
	if k < 0 || row < 0 || r.Index != int(i) || slices.Index(b.ids, r.ID) != int(i) {
		return fmt.Errorf("kind %q, terrain %q, index %d or id is wrong", r.Kind, r.Terrain, r.Index)
	}
	if r.Population > 3 || (r.Population == 0) == r.InPlay || r.InPlay != (i < numUS) {
		return fmt.Errorf("population %d, in_play_at_start %v", r.Population, r.InPlay)
	}
	t := f.TerrainEffects.Rows[row]
	s := space{
		id: r.ID, name: r.Name, kind: kind(k), population: r.Population, terrain: r.Terrain,
		attack: t.Attack, perEffect: t.Hunt, moveCost: t.Move, other: noSpace,
	}
	if (s.kind == region) != (r.Metro == nil) || t.Hunt == 0 {
		return fmt.Errorf("metro %v, %d agents for a Hunt effect", r.Metro, t.Hunt)
	}
	if r.Metro != nil {
		pair := map[kind]string{city: "_suburb", suburb: "_city"}[s.kind]
		other := slices.Index(b.ids, *r.Metro+pair)
		if other < 0 || r.ID != *r.Metro+"_"+r.Kind {
			return fmt.Errorf("metro %q does not have both a city and a suburb", *r.Metro)
		}
		s.other = uint8(other)
	}
	for _, id := range r.Adjacent {
		n := slices.Index(b.ids, id)
		if n < 0 {
			return fmt.Errorf("unknown neighbour %q", id)
		}
		s.adjacent |= 1 << n
	}
	b.spaces[i] = s
	b.kinds[k] |= 1 << i
	if r.InPlay {
		b.us |= 1 << i
	}
	if r.Terrain == "mountain" {
		b.mountains |= 1 << i
	}
	if r.Terrain == "mountain" || r.Terrain == "forest" {
		b.blizzard |= 1 << i
	}
	return nil
}

// checkBorders implements R4.2: borders are mutual, a city touches its suburb
// alone, a suburb its city and one to three regions, and the map hangs together,
// with and without Canada and Mexico.
func (b *box) checkBorders() error {
	for i := range b.spaces {
		s := &b.spaces[i]
		for set := s.adjacent; set != 0; set &= set - 1 {
			if !b.spaces[set.first()].adjacent.has(uint8(i)) {
				return fmt.Errorf("map.json: %s borders %s, but not the other way round", s.id, b.spaces[set.first()].id)
			}
		}
		regions := (s.adjacent & b.kinds[region]).count()
		switch s.kind {
		case city:
			if s.adjacent != 1<<s.other || s.terrain != "city" {
				return fmt.Errorf("map.json: %s must border its suburb alone and be city terrain", s.id)
			}
		case suburb:
			if s.adjacent&^b.kinds[region] != 1<<s.other || regions < 1 || regions > 3 || s.terrain != "none" {
				return fmt.Errorf("map.json: %s must border its city and one to three regions and have no terrain", s.id)
			}
		}
	}
	for _, all := range []spaceSet{b.us, everywhere} {
		seen := spaceSet(1)
		for grown := spaceSet(0); seen != grown; {
			grown = seen
			for set := grown; set != 0; set &= set - 1 {
				seen |= b.spaces[set.first()].adjacent & all
			}
		}
		if seen != all {
			return fmt.Errorf("map.json: %d of %d spaces can be reached", seen.count(), all.count())
		}
	}
	return nil
}

// spaceOf looks a space up by id.
func (b *box) spaceOf(id string) (uint8, error) {
	i := slices.Index(b.ids, id)
	if i < 0 {
		return noSpace, fmt.Errorf("unknown space %q; spaces: %s", id, strings.Join(b.ids, ", "))
	}
	return uint8(i), nil
}

// spacesOf looks up a list of ids.
func (b *box) spacesOf(ids []string) (spaceSet, error) {
	var set spaceSet
	for _, id := range ids {
		i, err := b.spaceOf(id)
		if err != nil {
			return 0, err
		}
		set |= 1 << i
	}
	return set, nil
}

type roadFile struct {
	Note, Source string
	NodesSource  string `json:"nodes_source"`
	NodesWhy     string `json:"nodes_why"`
	Nodes        []struct{ ID, Space, Note string }
	Edges        []struct {
		Route, A, B string
		source
	}
}

// readRoads implements R4.8: the road graph. Every edge crosses a border of the
// map, every space of the United States has a road, and all roads are connected.
func readRoads(b *box) error {
	var f roadFile
	if err := decodeFile("interstates", &f); err != nil {
		return err
	}
	if len(f.Nodes) != numNodes {
		return fmt.Errorf("interstates.json: %d nodes, want %d", len(f.Nodes), numNodes)
	}
	r := &b.roads
	index := map[string]uint8{}
	for i, n := range f.Nodes {
		at, err := b.spaceOf(n.Space)
		if _, twice := index[n.ID]; err != nil || twice || at >= numUS {
			return fmt.Errorf("interstates.json: node %s in space %s: %v", n.ID, n.Space, err)
		}
		index[n.ID] = uint8(i)
		r.space[i] = at
		r.nodes[at] |= 1 << i
	}
	for _, e := range f.Edges {
		if err := e.check("interstates.json: " + e.A + " to " + e.B); err != nil {
			return err
		}
		x, okA := index[e.A]
		y, okB := index[e.B]
		if !okA || !okB || r.next[x].has(y) || !b.spaces[r.space[x]].adjacent.has(r.space[y]) {
			return fmt.Errorf("interstates.json: the edge from %s to %s is unknown, double or crosses no border", e.A, e.B)
		}
		r.next[x] |= 1 << y
		r.next[y] |= 1 << x
	}
	for i := range uint8(numUS) {
		if r.nodes[i] == 0 {
			return fmt.Errorf("interstates.json: %s has no road", b.ids[i])
		}
		if reach := r.layers(i, 0)[0]; reach != b.us {
			return fmt.Errorf("interstates.json: from %s the roads reach %d of %d spaces", b.ids[i], reach.count(), numUS)
		}
		if s := &b.spaces[i]; s.kind == city && r.next[r.nodes[i].first()] != r.nodes[s.other] {
			return fmt.Errorf("interstates.json: %s must lie behind the ring of its suburb", s.id)
		}
	}
	return nil
}

// operationFile is the list of operations; the engine needs their names, sides and
// order alone (R7.1 is code).
type operationFile struct {
	source
	Note       string
	Operations []struct {
		ID, Side, Target, Cost, Summary string
		MinOps                          int `json:"min_ops"`
		source
	}
}

// readOperations checks that the operations of the code are those of the data.
func readOperations(*box) error {
	var f operationFile
	if err := decodeFile("operations", &f); err != nil {
		return err
	}
	if len(f.Operations) != int(numOps) {
		return fmt.Errorf("operations.json: %d operations, want %d", len(f.Operations), numOps)
	}
	for _, o := range f.Operations {
		k := slices.Index(opNames[:], o.ID)
		if k < 0 || opSides[k].String() != o.Side || opMinOps(opKind(k)) != o.MinOps {
			return fmt.Errorf("operations.json: %s of side %s with %d Ops is not what the engine plays", o.ID, o.Side, o.MinOps)
		}
		if err := o.check("operations.json: " + o.ID); err != nil {
			return err
		}
	}
	return nil
}

type actionFile struct {
	Source, Why string
	Total       int
	Groups      []struct {
		Group  string
		Offset int
		Size   int
		Values []json.RawMessage
		Note   string
	}
}

// readActions builds the vocabulary and checks it against the offsets of the code.
func readActions(b *box) error {
	var f actionFile
	if err := decodeFile("actions", &f); err != nil {
		return err
	}
	for i, g := range f.Groups {
		if i >= len(actionGroups) || g.Group != actionGroups[i].name || g.Offset != int(actionGroups[i].first) ||
			g.Offset != len(b.actions) || g.Size != len(g.Values) {
			return fmt.Errorf("actions.json: group %s at %d does not match the engine's", g.Group, g.Offset)
		}
		for k, raw := range g.Values {
			value := strings.Trim(string(raw), `"`)
			switch g.Group {
			case "DONE", "YESNO": // a word that says all by itself
				b.actions = append(b.actions, strings.ToUpper(value))
			default:
				b.actions = append(b.actions, g.Group+"_"+value)
			}
			if g.Group == "SPACE" && value != b.ids[k] || g.Group == "OP" && value != opNames[k] ||
				g.Group == "MODE" && value != modeNames[k+1] || g.Group == "ATTACK" && value != attackNames[k] {
				return fmt.Errorf("actions.json: value %d of group %s is %s", k, g.Group, value)
			}
		}
	}
	if len(b.actions) != f.Total || f.Total != numActions {
		return fmt.Errorf("actions.json: %d actions, total %d, want %d", len(b.actions), f.Total, numActions)
	}
	return nil
}
