package bloc

import (
	"slices"

	codec "powderkeg/engine/position"
)

// writeCity writes the 25 tiles row by row, null before a tile is laid.
func (g *game) writeCity(p *Position, _ int) any {
	cells := make([]any, Cells)
	for c, t := range p.Tile {
		if t != noTile {
			cells[c] = object("tile", g.box.tiles[t].Key, "rotation", int(p.Rotation[c]))
		}
	}
	return cells
}

// readCity reads the tiles (R2.2), or the word beginner_city. A city that is not whole yet is
// being drawn.
func (g *game) readCity(r *codec.Reader, p *Position, _ int, v any) {
	g.clearCity(p)
	if v == "beginner_city" {
		g.box.build(p, &g.box.beginner)
		return
	}
	cells, ok := v.([]any)
	if !ok || len(cells) != Cells {
		r.Fail("city has %d cells, it has %d (R2.2): city is a list of 25 tiles, or %q", len(cells), Cells, "beginner_city")
		return
	}
	whole := true
	for c, x := range cells {
		p.Tile[c], p.Rotation[c] = noTile, 0
		if x == nil {
			whole = false
			continue
		}
		pair := r.Object("", x, "tile", "rotation")
		key, _ := pair[0].(string)
		t, err := g.box.tileOf(key)
		if err != nil {
			r.Fail("city, cell %d: %v (R1.1)", c, err)
			return
		}
		p.Tile[c] = t
		if pair[1] != nil {
			p.Rotation[c] = uint8(r.Number("rotation", pair[1], 0, Arms-1))
		}
	}
	p.Survey = Survey{}
	if whole {
		g.box.survey(p)
	}
}

// clearCity takes what the initial position has in the city out of it.
func (g *game) clearCity(p *Position) {
	for c := range CellID(Cells) {
		p.Cops[c] = 0
		p.setVan(c, 0)
		for i := range p.Centers {
			p.Centers[i][c] = 0
		}
	}
	p.Liberated = 0
}

// writeDistricts writes the districts of a whole city.
func (g *game) writeDistricts(p *Position, _ int) any {
	m := map[string]any{}
	for s := p.Districts; s != 0; s &= s - 1 {
		c := s.First()
		blocs, attacked := map[string]int{}, map[string]int{}
		for f := range FactionID(Factions) {
			if n := p.Blocs[f][c]; n > 0 {
				blocs[f.String()] = int(n)
			}
			if n := p.Attacked[f][c]; n > 0 {
				attacked[f.String()] = int(n)
			}
		}
		var van, occupation any
		if p.Van[c] > 0 {
			van = int(p.Van[c]) - 1
		}
		if h := p.Holder[c]; h > 0 {
			f, k := h.Faction(), h.Kind()
			occupation = []string{f.String(), g.box.factions[f].occs[k].Key}
		}
		m[g.box.tiles[p.Tile[c]].Key] = object(
			"blocs", blocs, "attacked", attacked, "cops", int(p.Cops[c]), "van", van, "occupation", occupation, "liberated", p.Liberated.Has(c),
			"shopping_centers", []int{int(p.Centers[0][c]), int(p.Centers[1][c]), int(p.Centers[2][c])},
			"protected", p.Protected.Has(c), "cancelled", int(p.Cancelled[c]), "boost", int(p.Boost[c]),
		)
	}
	return m
}

// readDistricts reads what is in the districts. Those left out are empty.
func (g *game) readDistricts(r *codec.Reader, p *Position, v any) {
	for _, e := range r.Entries("", v) {
		t, err := g.box.tileOf(e.Key)
		c := slices.Index(p.Tile[:], t)
		if err != nil || c < 0 || !p.Districts.Has(CellID(c)) {
			r.Fail("districts: %q is no district of the city", e.Key)
			return
		}
		g.readDistrict(r, p, e.Key, CellID(c), e.Value)
	}
}

func (g *game) readDistrict(r *codec.Reader, p *Position, key string, c CellID, v any) {
	d := r.Object(key, v, "blocs", "attacked", "cops", "van", "occupation", "liberated", "shopping_centers", "protected", "cancelled", "boost")
	number := func(name string, v any, most int) uint8 {
		if v == nil {
			return 0
		}
		return uint8(r.Number(key+"."+name, v, 0, most))
	}
	byFaction := func(name string, v any, set func(f FactionID, n uint8)) {
		if v == nil {
			return
		}
		for _, e := range r.Entries(key+"."+name, v) {
			if f, n := r.Word(key+"."+name, e.Key, "faction"), number(name+"."+e.Key, e.Value, blocsEach); !r.Failed() {
				set(FactionID(f), n)
			}
		}
	}
	byFaction("blocs", d[0], func(f FactionID, n uint8) {
		if n > p.Mat[f] {
			r.Fail("%s: %s has %d blocs in all (R1.2)", key, typeNames[f], blocsEach)
			return
		}
		p.put(f, c, n)
	})
	p.Cops[c] = number("cops", d[2], int(g.box.pieces.cops))
	switch hits := d[3].(type) {
	case nil:
	case bool: // true stands for no hit
		if hits {
			p.Van[c] = 1
		}
	default:
		p.Van[c] = 1 + number("van", hits, int(g.box.limits.VanHits)-1)
	}
	p.lookForPolice(c)
	byFaction("attacked", d[1], func(f FactionID, n uint8) { p.Attacked[f][c] = n })
	g.readHolder(r, p, key, c, d[4])
	flag := func(name string, v any, set *CellSet) {
		on, ok := v.(bool)
		switch {
		case v != nil && !ok:
			r.Fail("%s.%s is true or false", key, name)
		case ok && on:
			*set |= at(c)
		case ok:
			*set &^= at(c)
		}
	}
	if flag("liberated", d[5], &p.Liberated); p.Liberated.Has(c) {
		p.Centers[0][c] = 0
	}
	if d[6] != nil {
		for i, n := range r.List(key+".shopping_centers", d[6], len(p.Centers)) {
			p.Centers[i][c] = number("shopping_centers", n, int(g.box.tiles[p.Tile[c]].Centers))
		}
	}
	flag("protected", d[7], &p.Protected)
	p.Cancelled[c], p.Boost[c] = number("cancelled", d[8], maxCancelled), number("boost", d[9], maxBoost)
}

// readHolder reads a pair of faction and kind of occupation.
func (g *game) readHolder(r *codec.Reader, p *Position, key string, c CellID, v any) {
	if v == nil {
		return
	}
	pair := r.List(key+".occupation", v, 2)
	if r.Failed() {
		return
	}
	f := FactionID(r.Word(key+".occupation", pair[0], "faction"))
	k := g.kind(r, key+".occupation", pair[1], f)
	switch {
	case r.Failed():
	case p.Place[f][k] != NoCell:
		r.Fail("%s: the %v of the %v stands elsewhere already (R1.2)", key, pair[1], pair[0])
	default:
		g.settle(p, nil, "R6.3", f, k, c)
	}
}

// kind reads a kind of occupation of a faction.
func (g *game) kind(r *codec.Reader, part string, v any, f FactionID) OccID {
	for k := range g.box.factions[f].occs {
		if g.box.factions[f].occs[k].Key == v {
			return OccID(k)
		}
	}
	r.Fail("%s: %v is no occupation of the %s (R5.2)", part, v, typeNames[f])
	return 0
}

// writeBarricades lists the barricades by end; those of a street stand at its lower
// end.
func writeBarricades(p *Position, _ int) any {
	list := []any{}
	for e, n := range p.Barricades {
		if n > 0 {
			list = append(list, object("cell", e/Arms, "arm", armNames[e%Arms], "count", int(n)))
		}
	}
	return list
}

// readBarricades reads the barricades by end (R3.6).
func (g *game) readBarricades(r *codec.Reader, p *Position, _ int, v any) {
	most := g.box.limits.Barricades
	for _, x := range r.List("", v, -1) {
		b := r.Object("", x, "cell", "arm", "count")
		if r.Failed() {
			return
		}
		e := EndOf(CellID(r.Number("cell", b[0], 0, Cells-1)), Arm(r.Word("arm", b[1], "arm")))
		n := uint8(r.Number("count", b[2], 0, int(most)))
		switch {
		case r.Failed():
			return
		case p.Districts == 0 || p.Links[e] == NoEnd:
			r.Fail("barricades: no connection leaves cell %d by arm %v (R3.3)", e.Cell(), b[1])
			return
		case p.barricadesAt(e)+n > most:
			r.Fail("barricades: more than %d on the connection of cell %d, arm %v (R1.2)", most, e.Cell(), b[1])
			return
		}
		p.Barricades[p.slot(e)] += n
	}
}
