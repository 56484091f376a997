package domination

import (
	"fmt"
	"slices"
)

type rawArea struct {
	source
	Index    int      `json:"index"`
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Region   string   `json:"region"`
	Resource string   `json:"resource"`
	Covers   string   `json:"covers"`
	Adjacent []string `json:"adjacent"`
}

type rawGroup struct {
	source
	ID          int      `json:"id"`
	Name        string   `json:"name"`
	Areas       []string `json:"areas"`
	AreasSource string   `json:"areas_source"`
}

type rawEdge struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Kind string `json:"kind"`
	Note string `json:"note"`
}

// readMap reads map.json (R1.1, R1.2, R2.4), which is reconstructed (Q10), and checks it against itself: 18 Land
// and 7 Sea Areas, Regions and Resources of three Land Areas each, and borders that
// are symmetric, listed once and connect all that should be connected.
func readMap(b *box) error {
	var m struct {
		source
		Regions   []rawGroup `json:"regions"`
		Resources []rawGroup `json:"resources"`
		Land      []rawArea  `json:"land_areas"`
		Sea       []rawArea  `json:"sea_areas"`
		Edges     []rawEdge  `json:"edges"`
	}
	if err := decodeFile("map", &m); err != nil {
		return err
	}
	if err := m.source.check("map.json"); err != nil {
		return err
	}
	raw := slices.Concat(m.Land, m.Sea)
	if len(m.Land) != numLand || len(raw) != numAreas {
		return fmt.Errorf("map.json: %d Land Areas of %d, expected %d of %d", len(m.Land), len(raw), numLand, numAreas)
	}
	if len(m.Regions) != numRegions || len(m.Resources) != numRegions {
		return fmt.Errorf("map.json: %d Regions and %d Resources, expected %d of each", len(m.Regions), len(m.Resources), numRegions)
	}
	for i, r := range raw {
		if err := b.readArea(i, r); err != nil {
			return fmt.Errorf("map.json: %s: %w", r.ID, err)
		}
	}
	for i, r := range raw {
		for _, id := range r.Adjacent {
			j, ok := b.areaByID(id)
			if !ok || int(j) == i || b.areas[i].adjacent.has(j) {
				return fmt.Errorf("map.json: %s: neighbour %q is unknown, itself or repeated", r.ID, id)
			}
			b.areas[i].adjacent |= 1 << j
		}
	}
	for i := range numRegions {
		if err := b.readGroup(&b.regions[i], i, m.Regions[i], raw, func(a *rawArea) string { return a.Region }); err != nil {
			return err
		}
		if err := b.readGroup(&b.resources[i], i, m.Resources[i], raw, func(a *rawArea) string { return a.Resource }); err != nil {
			return err
		}
	}
	for i := range uint8(numLand) {
		b.areas[i].region, b.areas[i].resource = groupOf(&b.regions, i), groupOf(&b.resources, i)
	}
	if err := b.checkGroups(); err != nil {
		return err
	}
	return b.checkBorders(m.Edges)
}

func (b *box) readArea(i int, r rawArea) error {
	if err := r.source.check("area"); err != nil {
		return err
	}
	land := i < numLand
	if r.Index != i || r.Name == "" || land != (r.Region != "") || land != (r.Resource != "") {
		return fmt.Errorf("its index, name, region or resource is wrong for Area %d", i)
	}
	for k := range i {
		if b.areas[k].id == r.ID || b.areas[k].name == r.Name {
			return fmt.Errorf("its id or its name is taken")
		}
	}
	b.areas[i] = area{id: r.ID, name: r.Name, region: noGroup, resource: noGroup}
	return nil
}

// areaByID returns the index of the Area with an id.
func (b *box) areaByID(id string) (uint8, bool) {
	for i := range b.areas {
		if b.areas[i].id == id {
			return uint8(i), true
		}
	}
	return 0, false
}

// readGroup reads a Region or a Resource and compares it with what its Areas say.
func (b *box) readGroup(g *group, i int, r rawGroup, raw []rawArea, label func(*rawArea) string) error {
	if err := r.source.check(r.Name); err != nil {
		return err
	}
	if r.ID != i || len(r.Areas) != 3 {
		return fmt.Errorf("map.json: %s: id %d with %d Areas, expected id %d with 3", r.Name, r.ID, len(r.Areas), i)
	}
	g.name = r.Name
	for _, id := range r.Areas {
		a, ok := b.areaByID(id)
		if !ok || a >= numLand || g.areas.has(a) || label(&raw[a]) != r.Name {
			return fmt.Errorf("map.json: %s and its Area %q disagree", r.Name, id)
		}
		g.areas |= 1 << a
	}
	return nil
}

func groupOf(groups *[numRegions]group, a uint8) uint8 {
	for i := range groups {
		if groups[i].areas.has(a) {
			return uint8(i)
		}
	}
	return noGroup
}

// checkGroups demands that Regions and Resources both cover the Land Areas, that a
// Region holds three Resources and a Resource lies in three Regions, and that two
// Resources meet in one or two Regions, so that no Region is worth more than
// another towards Resource monopolies.
func (b *box) checkGroups() error {
	meet := map[[2]uint8]int{}
	for i := range b.regions {
		r := &b.regions[i]
		seen := map[uint8]bool{}
		for x := range r.areas.each() {
			for y := range r.areas.each() {
				meet[[2]uint8{b.areas[x].resource, b.areas[y].resource}]++
			}
			seen[b.areas[x].resource] = true
		}
		if len(seen) != 3 {
			return fmt.Errorf("map.json: %s repeats a Resource", r.name)
		}
		if !b.connected(r.areas) {
			return fmt.Errorf("map.json: %s is not connected", r.name)
		}
	}
	for i := range uint8(numLand) {
		if b.areas[i].region == noGroup || b.areas[i].resource == noGroup {
			return fmt.Errorf("map.json: %s has no Region or no Resource", b.areas[i].id)
		}
	}
	for x := range uint8(numRegions) {
		for y := range x {
			if n := meet[[2]uint8{x, y}]; n != 1 && n != 2 {
				return fmt.Errorf("map.json: %s and %s meet in %d Regions", b.resources[x].name, b.resources[y].name, n)
			}
		}
	}
	return nil
}

// checkBorders compares the list of borders with the neighbours of the Areas.
func (b *box) checkBorders(edges []rawEdge) error {
	var listed [numAreas]areaSet
	for _, e := range edges {
		x, okX := b.areaByID(e.A)
		y, okY := b.areaByID(e.B)
		if !okX || !okY || listed[x].has(y) {
			return fmt.Errorf("map.json: border %s-%s is unknown or listed twice", e.A, e.B)
		}
		kind := [3]string{"sea-sea", "land-sea", "land-land"}[bit(x < numLand)+bit(y < numLand)]
		if e.Kind != kind {
			return fmt.Errorf("map.json: border %s-%s is called %s, it is %s", e.A, e.B, e.Kind, kind)
		}
		listed[x] |= 1 << y
		listed[y] |= 1 << x
	}
	for i := range b.areas {
		a := &b.areas[i]
		if listed[i] != a.adjacent {
			return fmt.Errorf("map.json: borders and neighbours of %s differ", a.id)
		}
		sea, land := (a.adjacent & seaAreas).size(), (a.adjacent & landAreas).size()
		if i < numLand && (sea < 1 || sea > 3) || i >= numLand && (land < 3 || land > 8) {
			return fmt.Errorf("map.json: %s borders on %d Sea and %d Land Areas", a.id, sea, land)
		}
	}
	if !b.connected(allAreas) || !b.connected(landAreas) || !b.connected(seaAreas) {
		return fmt.Errorf("map.json: the map, its Land or its Sea is not connected")
	}
	return nil
}

// connected reports whether every Area of the set can be reached from any other
// within it.
func (b *box) connected(set areaSet) bool {
	reached := set & -set
	for before := areaSet(0); before != reached; {
		before = reached
		reached |= b.neighbours(reached) & set
	}
	return reached == set
}

// neighbours returns the Areas that are adjacent to one of the set.
func (b *box) neighbours(set areaSet) areaSet {
	n := areaSet(0)
	for ; set != 0; set &= set - 1 {
		n |= b.areas[set.first()].adjacent
	}
	return n
}
