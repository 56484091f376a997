package domination

import (
	"fmt"

	"powderkeg/engine/ruledata"
)

// mapFile is map.json (R1.1, R1.2, R2.4), which is reconstructed (Q10).
type mapFile struct {
	ruledata.Source
	Regions   []rawGroup `json:"regions"`
	Resources []rawGroup `json:"resources"`
	Land      []rawArea  `json:"land_areas"`
	Sea       []rawArea  `json:"sea_areas"`
	Edges     []rawEdge  `json:"edges"`
}

type rawArea struct {
	ruledata.Source
	Index    int      `json:"index"`
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Region   string   `json:"region"`
	Resource string   `json:"resource"`
	Covers   string   `json:"covers"`
	Adjacent []string `json:"adjacent"`
}

type rawGroup struct {
	ruledata.Source
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

// readMap compiles map.json.
func readMap(b *box) error {
	var m mapFile
	if err := ruledata.Read(b.files, "map", &m); err != nil {
		return err
	}
	raw := append(m.Land, m.Sea...)
	if len(m.Land) != LandAreas || len(raw) != Areas || len(m.Regions) != Regions || len(m.Resources) != Regions {
		return fmt.Errorf("map.json: %d Land Areas of %d, %d Regions and %d Resources", len(m.Land), len(raw), len(m.Regions), len(m.Resources))
	}
	for i, r := range raw {
		b.Areas[i] = Area{ID: r.ID, Name: r.Name, Region: -1, Resource: -1}
	}
	for i, r := range raw {
		var err error
		if b.Areas[i].Adjacent, err = b.areaSet(r.Adjacent); err != nil {
			return fmt.Errorf("map.json: neighbours of %s: %w", r.ID, err)
		}
	}
	b.joinNeighbours()
	for i := range Regions {
		region, resource := &b.Regions[i], &b.Resources[i]
		for g, r := range map[*Group]rawGroup{region: m.Regions[i], resource: m.Resources[i]} {
			areas, err := b.areaSet(r.Areas)
			if err != nil {
				return fmt.Errorf("map.json: %s: %w", r.Name, err)
			}
			*g = Group{r.Name, areas & landAreas}
		}
		for a := range region.Areas.Each() {
			b.Areas[a].Region = i
		}
		for a := range resource.Areas.Each() {
			b.Areas[a].Resource = i
		}
	}
	return nil
}

// areaSet returns the Areas with these ids.
func (b *box) areaSet(ids []string) (AreaSet, error) {
	set := AreaSet(0)
	for _, id := range ids {
		a, ok := b.areaByID(id)
		if !ok {
			return 0, fmt.Errorf("there is no Area %q", id)
		}
		set |= 1 << a
	}
	return set, nil
}

// areaByID returns the index of the Area with an id.
func (b *box) areaByID(id string) (AreaID, bool) {
	for i := range b.Areas {
		if b.Areas[i].ID == id {
			return AreaID(i), true
		}
	}
	return 0, false
}

// joinNeighbours fills the table of neighbours.
func (b *box) joinNeighbours() {
	for i := range b.Areas {
		for set := range AreaSet(32) {
			if set>>(i%5)&1 != 0 {
				b.near[i/5][set] |= b.Areas[i].Adjacent
			}
		}
	}
}

// Neighbours implements R2.4: the Areas that are adjacent to one of the set.
func (f *Facts) Neighbours(set AreaSet) AreaSet {
	return f.near[0][set&31] | f.near[1][set>>5&31] | f.near[2][set>>10&31] | f.near[3][set>>15&31] | f.near[4][set>>20&31]
}
