package bloc

import (
	"slices"

	codec "powderkeg/engine/position"
)

// writeCity writes the 25 tiles row by row, null before a tile is laid.
func (b Board) writeCity() any {
	cells := make([]any, Cells)
	for c, t := range b.Tile {
		if t != noTile {
			cells[c] = object("tile", b.box.tiles[t].Key, "rotation", int(b.Rotation[c]))
		}
	}
	return cells
}

// readCity reads the tiles (R2.2), or the word beginner_city. A city that is not whole yet is
// being drawn.
func (b Board) readCity(r *codec.Reader, v any) {
	b.clearCity()
	if v == "beginner_city" {
		b.box.build(b.Position, &b.box.beginner)
		return
	}
	cells, ok := v.([]any)
	if !ok || len(cells) != Cells {
		r.Fail("city has %d cells, it has %d (R2.2): city is a list of 25 tiles, or %q", len(cells), Cells, "beginner_city")
		return
	}
	whole := true
	for c, x := range cells {
		b.Tile[c], b.Rotation[c] = noTile, 0
		if x == nil {
			whole = false
			continue
		}
		pair := r.Object("", x, "tile", "rotation")
		key, _ := pair[0].(string)
		t, err := b.box.tileOf(key)
		if err != nil {
			r.Fail("city, cell %d: %v (R1.1)", c, err)
			return
		}
		b.Tile[c] = t
		if pair[1] != nil {
			b.Rotation[c] = uint8(r.Number("rotation", pair[1], 0, Arms-1))
		}
	}
	b.Survey = Survey{}
	if whole {
		b.box.survey(b.Position)
	}
}

// clearCity takes what the initial position has in the city out of it.
func (b Board) clearCity() {
	for c := range CellID(Cells) {
		b.Cops[c] = 0
		b.setVan(c, 0)
		for i := range b.Centers {
			b.Centers[i][c] = 0
		}
	}
	b.Liberated = 0
}

// writeDistricts writes the districts of a whole city.
func (b Board) writeDistricts() any {
	m := map[string]any{}
	for s := b.Districts; s != 0; s &= s - 1 {
		c := s.First()
		blocs, attacked := map[string]int{}, map[string]int{}
		for f := range FactionID(Factions) {
			if n := b.Blocs[f][c]; n > 0 {
				blocs[f.String()] = int(n)
			}
			if n := b.Attacked[f][c]; n > 0 {
				attacked[f.String()] = int(n)
			}
		}
		var van, occupation any
		if b.Van[c] > 0 {
			van = int(b.Van[c]) - 1
		}
		if h := b.Holder[c]; h > 0 {
			f, k := h.Faction(), h.Kind()
			occupation = []string{f.String(), b.box.factions[f].occs[k].Key}
		}
		m[b.box.tiles[b.Tile[c]].Key] = object(
			"blocs", blocs, "attacked", attacked, "cops", int(b.Cops[c]), "van", van, "occupation", occupation, "liberated", b.Liberated.Has(c),
			"shopping_centers", []int{int(b.Centers[0][c]), int(b.Centers[1][c]), int(b.Centers[2][c])},
			"protected", b.Protected.Has(c), "cancelled", int(b.Cancelled[c]), "boost", int(b.Boost[c]),
		)
	}
	return m
}

// readDistricts reads what is in the districts. Those left out are empty.
func (b Board) readDistricts(r *codec.Reader, v any) {
	for _, e := range r.Entries("", v) {
		t, err := b.box.tileOf(e.Key)
		c := slices.Index(b.Tile[:], t)
		if err != nil || c < 0 || !b.Districts.Has(CellID(c)) {
			r.Fail("districts: %q is no district of the city", e.Key)
			return
		}
		b.readDistrict(r, e.Key, CellID(c), e.Value)
	}
}

func (b Board) readDistrict(r *codec.Reader, key string, c CellID, v any) {
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
		if n > b.Mat[f] {
			r.Fail("%s: %s has %d blocs in all (R1.2)", key, typeNames[f], blocsEach)
			return
		}
		b.put(f, c, n)
	})
	b.Cops[c] = number("cops", d[2], int(b.box.pieces.cops))
	switch hits := d[3].(type) {
	case nil:
	case bool: // true stands for no hit
		if hits {
			b.Van[c] = 1
		}
	default:
		b.Van[c] = 1 + number("van", hits, int(b.box.limits.VanHits)-1)
	}
	b.lookForPolice(c)
	byFaction("attacked", d[1], func(f FactionID, n uint8) { b.Attacked[f][c] = n })
	b.readHolder(r, key, c, d[4])
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
	if flag("liberated", d[5], &b.Liberated); b.Liberated.Has(c) {
		b.Centers[0][c] = 0
	}
	if d[6] != nil {
		for i, n := range r.List(key+".shopping_centers", d[6], len(b.Centers)) {
			b.Centers[i][c] = number("shopping_centers", n, int(b.box.tiles[b.Tile[c]].Centers))
		}
	}
	flag("protected", d[7], &b.Protected)
	b.Cancelled[c], b.Boost[c] = number("cancelled", d[8], maxCancelled), number("boost", d[9], maxBoost)
}

// readHolder reads a pair of faction and kind of occupation.
func (b Board) readHolder(r *codec.Reader, key string, c CellID, v any) {
	if v == nil {
		return
	}
	pair := r.List(key+".occupation", v, 2)
	if r.Failed() {
		return
	}
	f := FactionID(r.Word(key+".occupation", pair[0], "faction"))
	k := b.kind(r, key+".occupation", pair[1], f)
	switch {
	case r.Failed():
	case b.Place[f][k] != NoCell:
		r.Fail("%s: the %v of the %v stands elsewhere already (R1.2)", key, pair[1], pair[0])
	default:
		b.settle("R6.3", f, k, c)
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
func (b Board) writeBarricades() any {
	list := []any{}
	for e, n := range b.Barricades {
		if n > 0 {
			list = append(list, object("cell", e/Arms, "arm", End(e).Arm().String(), "count", int(n)))
		}
	}
	return list
}

// readBarricades reads the barricades by end (R3.6).
func (b Board) readBarricades(r *codec.Reader, v any) {
	most := b.box.limits.Barricades
	for _, x := range r.List("", v, -1) {
		bar := r.Object("", x, "cell", "arm", "count")
		if r.Failed() {
			return
		}
		e := EndOf(CellID(r.Number("cell", bar[0], 0, Cells-1)), Arm(r.Word("arm", bar[1], "arm")))
		n := uint8(r.Number("count", bar[2], 0, int(most)))
		switch {
		case r.Failed():
			return
		case b.Districts == 0 || b.Links[e] == NoEnd:
			r.Fail("barricades: no connection leaves cell %d by arm %v (R3.3)", e.Cell(), bar[1])
			return
		case b.barricadesAt(e)+n > most:
			r.Fail("barricades: more than %d on the connection of cell %d, arm %v (R1.2)", most, e.Cell(), bar[1])
			return
		}
		b.Barricades[b.slot(e)] += n
	}
}
