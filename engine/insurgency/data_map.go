package insurgency

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine/ruledata"
)

// kind is what a space is (R4.1).
type kind uint8

const (
	city kind = iota
	suburb
	region
	numKinds

	noKind = numKinds
)

var kindNames = []string{"city", "suburb", "region"}

// UnmarshalText reads a kind in the data.
func (k *kind) UnmarshalText(text []byte) error { return readWord(k, text, kindNames) }

// space is one space of the map.
type space struct {
	id, name   string
	kind       kind
	population uint8
	terrain    string
	adjacent   SpaceSet
	attack     int     // modifier of Attack rolls (R4.7)
	perEffect  uint8   // agents for one effect of a Hunt
	moveCost   uint8   // dollars to end a Move here
	other      SpaceID // the suburb of a city, the city of a suburb; noSpace for regions
}

type mapFile struct {
	ruledata.Source
	Note, Counts notes
	Borders      notes `json:"adjacency_source"`
	Terrain      struct {
		ruledata.Source
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
	ruledata.Source
	Index             int
	ID, Name, Terrain string
	Kind              kind
	Metro             string
	Population        uint8
	InPlay            bool  `json:"in_play_at_start"`
	PopulationSource  notes `json:"population_source"`
	TerrainSource     notes `json:"terrain_source"`
	Adjacent          []string
}

// readMap implements R4.1, R4.2 and R4.7: the spaces, their borders and terrain (Q16).
func readMap(b *Box) error {
	var f mapFile
	if err := ruledata.Read(b.files, "map", &f); err != nil {
		return err
	}
	terrain := map[string]terrainRow{}
	for _, t := range f.Terrain.Rows {
		terrain[t.Terrain] = t
	}
	for _, r := range f.Spaces {
		b.ids = append(b.ids, r.ID)
	}
	if len(b.ids) != numSpaces {
		return fmt.Errorf("map.json: %d spaces, want %d", len(b.ids), numSpaces)
	}
	for i, r := range f.Spaces {
		t := terrain[r.Terrain]
		b.spaces[i] = space{
			id: r.ID, name: r.Name, kind: r.Kind, population: r.Population, terrain: r.Terrain,
			attack: t.Attack, perEffect: t.Hunt, moveCost: t.Move, other: noSpace,
		}
		if err := b.connect(&b.spaces[i], &r); err != nil {
			return fmt.Errorf("map.json: %s: %w", r.ID, err)
		}
		b.mark(SpaceSet(1)<<i, &r)
	}
	return nil
}

// connect gives a space its neighbours, and a city and its suburb each other.
func (b *Box) connect(s *space, r *spaceRow) (err error) {
	if s.adjacent, err = b.spacesOf(r.Adjacent); err == nil && r.Metro != "" {
		s.other, err = b.spaceOf(r.Metro + [numKinds]string{city: "_suburb", suburb: "_city"}[r.Kind])
	}
	return err
}

// mark puts a space into the sets that it belongs to.
func (b *Box) mark(i SpaceSet, r *spaceRow) {
	b.kinds[r.Kind] |= i
	if r.InPlay {
		b.us |= i
	}
	switch r.Terrain {
	case "mountain":
		b.mountains |= i
		b.blizzard |= i
	case "forest":
		b.blizzard |= i
	}
}

// spaceOf looks a space up by id.
func (b *Box) spaceOf(id string) (SpaceID, error) {
	i := slices.Index(b.ids, id)
	if i < 0 {
		return noSpace, fmt.Errorf("unknown space %q; spaces: %s", id, strings.Join(b.ids, ", "))
	}
	return SpaceID(i), nil
}

// spacesOf looks up a list of ids.
func (b *Box) spacesOf(ids []string) (SpaceSet, error) {
	var set SpaceSet
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
	ruledata.Source
	Note        notes
	NodesSource notes `json:"nodes_source"`
	NodesWhy    notes `json:"nodes_why"`
	Nodes       []struct {
		ID, Space string
		Note      notes
	}
	Edges []struct {
		ruledata.Source
		Route, A, B string
	}
}

// readRoads implements R4.8: the road graph.
func readRoads(b *Box) error {
	var f roadFile
	if err := ruledata.Read(b.files, "interstates", &f); err != nil {
		return err
	}
	if len(f.Nodes) != numNodes {
		return fmt.Errorf("interstates.json: %d nodes, want %d", len(f.Nodes), numNodes)
	}
	r := &b.roads
	index := map[string]int{}
	for i, n := range f.Nodes {
		at, err := b.spaceOf(n.Space)
		if err != nil {
			return fmt.Errorf("interstates.json: %s: %w", n.ID, err)
		}
		index[n.ID], r.space[i] = i, at
		r.nodes[at] |= 1 << i
	}
	for _, e := range f.Edges {
		x, okA := index[e.A]
		y, okB := index[e.B]
		if !okA || !okB {
			return fmt.Errorf("interstates.json: the edge from %s to %s leads to no node", e.A, e.B)
		}
		r.next[x] |= 1 << y
		r.next[y] |= 1 << x
	}
	return nil
}
