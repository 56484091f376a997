package minuteman

import (
	"fmt"
	"slices"
	"strings"

	codec "powderkeg/engine/position"
)

// handKeys are the kinds of special markers.
var handKeys = markerNames[:]

type handDoc struct {
	Assassin  uint8 `json:"assassin"`
	Betrayal  uint8 `json:"betrayal"`
	Organizer uint8 `json:"organizer"`
	Passage   uint8 `json:"passage"`
}

func toHand(n *[numMarkers]uint8) any {
	return handDoc{n[assassin], n[betrayal], n[organizer], n[passage]}
}

func (g *game) writeHands(p *Position, _ int) any {
	list := []any{}
	for i := range g.Seats {
		list = append(list, toHand(&p.Hand[i]))
	}
	return list
}

func (g *game) readHands(r *codec.Reader, p *Position, _ int, v any) {
	list := r.List("", v, -1)
	if len(list) > g.Seats {
		r.Fail("hands has %d entries for %d seats", len(list), g.Seats)
		return
	}
	for i, e := range list {
		g.readHand(r, &p.Hand[i], e)
	}
}

func (g *game) readPool(r *codec.Reader, p *Position, _ int, v any) { g.readHand(r, &p.Pool, v) }

func (g *game) readHand(r *codec.Reader, into *[numMarkers]uint8, v any) {
	for m, n := range r.Object("", v, handKeys...) {
		if into[m] = 0; n != nil {
			into[m] = uint8(r.Number(markerNames[m], n, 0, int(g.markers[m])))
		}
	}
}

// completeMarkers adds up the hands; a pool left out is what they leave.
func (g *game) completeMarkers(p *Position, given codec.Given) error {
	rest := g.markers
	for i := range p.Hand {
		p.HandSize[i] = uint8(sumOf(&p.Hand[i]))
		for m, n := range p.Hand[i] {
			if rest[m] < n {
				return wrong("hands hold more than %d %s markers (R1.4)", g.markers[m], markerNames[m])
			}
			rest[m] -= n
		}
	}
	if !given.Has("pool") {
		p.Pool = rest
	}
	for m, n := range p.Pool {
		if n > rest[m] {
			return wrong("hands and pool hold more than %d %s markers (R1.4)", g.markers[m], markerNames[m])
		}
	}
	p.PoolSize = uint8(sumOf(&p.Pool))
	return nil
}

// sumOf adds up counts.
func sumOf(counts *[numMarkers]uint8) int {
	n := 0
	for _, k := range counts {
		n += int(k)
	}
	return n
}

// unitDoc is one unit, in order of hexes and of arrival.
type unitDoc struct {
	Unit    string   `json:"unit"`
	Hex     string   `json:"hex"`
	Step    *uint8   `json:"step,omitempty"`
	Counter string   `json:"counter,omitempty"`
	CanBe   []string `json:"can_be,omitempty"`
	Marks   []string `json:"marks,omitempty"`
}

func marksOf(m mark) []string {
	var list []string
	for i, name := range markNames {
		if m>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

// counterName names a counter; one that a view hides is shown by its group.
func (g *game) counterName(c CounterID) string {
	if c&hiddenCounter != 0 {
		return "?" + groupNames[g.masked[c&^hiddenCounter].group]
	}
	return g.masked[c].id
}

func (g *game) writeUnits(p *Position, _ int) any {
	list := []unitDoc{}
	for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
		for u := p.Head[h]; u != noUnit; u = p.Units[u].Next {
			x := &p.Units[u]
			e := unitDoc{Unit: g.name[u], Hex: g.hexes[h].id, Marks: marksOf(x.Marks)}
			if g.isLine(u) {
				e.Counter = g.counterName(p.Counter[u-milFirst])
				gr := g.groupOf(p, u)
				for c := range g.groupSize[gr] {
					if p.Cand[u-milFirst]>>c&1 != 0 {
						e.CanBe = append(e.CanBe, g.masked[g.groupFirst[gr]+CounterID(c)].id)
					}
				}
			} else {
				e.Step = &x.Step
			}
			list = append(list, e)
		}
	}
	return list
}

// readHex reads a hex by its number.
func (g *game) readHex(r *codec.Reader, part string, v any) HexID {
	id, _ := v.(string)
	h, ok := g.index[id]
	if !ok {
		r.Fail("%s: there is no hex %q on the map (R1.2)", part, id)
	}
	return h
}

// readCounter reads a counter by its id.
func (g *game) readCounter(r *codec.Reader, part string, v any) CounterID {
	id, _ := v.(string)
	for c := range g.masked {
		if g.masked[c].id == id {
			return CounterID(c)
		}
	}
	r.Fail("%s: there is no counter %q (R1.3)", part, id)
	return 0
}

func readMarks(r *codec.Reader, part string, v any) (m mark) {
	if v == nil {
		return 0
	}
	for _, e := range r.List(part, v, -1) {
		m |= 1 << r.Word(part, e, "mark")
	}
	return m
}

// readUnits places the units in the order of the list.
func (g *game) readUnits(r *codec.Reader, p *Position, _ int, v any) {
	for _, e := range r.List("", v, -1) {
		x := r.Object("", e, "unit", "hex", "step", "counter", "can_be", "marks")
		h := g.readHex(r, "units: hex", x[1])
		u := g.slot(r, p, x[0], x[3], x[4])
		if r.Failed() {
			return
		}
		it := &p.Units[u]
		it.Marks = readMarks(r, "marks", x[5])
		low, high, otherwise := 0, 1, 0
		switch {
		case g.kind[u] == cig:
			low, high, otherwise = 1, 6, 1
		case g.isLine(u):
			high = 0
			g.readCounters(r, p, u, x[3], x[4])
		}
		if it.Step = uint8(otherwise); x[2] != nil {
			it.Step = uint8(r.Number("step of "+g.name[u], x[2], low, high))
		}
		p.put(u, h)
	}
}

// readCounters reads what a Militia or Army is, and what an untried one can be.
func (g *game) readCounters(r *codec.Reader, p *Position, u UnitID, counter, canBe any) {
	i := u - milFirst
	p.Counter[i] = g.readCounter(r, "units", counter)
	if canBe == nil || r.Failed() {
		return
	}
	gr := g.groupOf(p, u)
	for _, e := range r.List("can_be", canBe, -1) {
		c := g.readCounter(r, "can_be", e)
		if g.masked[c].group != gr {
			r.Fail("%s can not be %v: it is of another type (R19)", g.name[u], e)
			return
		}
		p.Cand[i] |= 1 << (c - g.groupFirst[gr])
	}
}

// completeUnits finds what untried units can be: whatever is not revealed.
func (g *game) completeUnits(p *Position) {
	for i := range p.Counter {
		if u := UnitID(milFirst + i); p.Units[u].Hex != noHex && p.Units[u].Marks&untried != 0 && p.Cand[i] == 0 {
			gr := g.groupOf(p, u)
			p.Cand[i] = g.fullSet(gr) &^ g.openCounters(p, gr)
		}
	}
}

// slot finds the unit that an entry names: a slot, or the lowest free one of a kind
// ("minuteman", "network", "agent", "cig"), of a colour ("minuteman 2") or of a
// counter ("militia", "army" with "counter").
func (g *game) slot(r *codec.Reader, p *Position, name, counter, canBe any) UnitID {
	text, _ := name.(string)
	if i := slices.Index(g.name[:], text); i >= 0 {
		if p.Units[i].Hex != noHex {
			r.Fail("units: %s is named twice (R1.3)", text)
		}
		return UnitID(i)
	}
	word, colour, _ := strings.Cut(text, " ")
	k := kind(slices.Index(kindNames[:], word))
	switch line := k == militia || k == army; {
	case k >= numKinds:
		r.Fail("unit %q is unknown; it is one of %s", word, strings.Join(kindNames[:], ", "))
		return 0
	case !line && (counter != nil || canBe != nil):
		r.Fail("units: %q has no counter to be hidden: counter and can_be are for militia and army (R19)", text)
		return 0
	case line:
		return g.lineSlot(r, p, k, text, colour, counter)
	}
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex && (colour == "" || fmt.Sprint(g.colour[u]) == colour) {
			return u
		}
	}
	r.Fail("units: no counter is left for %q (R1.6)", text)
	return 0
}

// lineSlot finds the slot of a Militia or Army that is named by its counter.
func (g *game) lineSlot(r *codec.Reader, p *Position, k kind, text, colour string, counter any) UnitID {
	c := g.readCounter(r, "units: counter", counter)
	if r.Failed() {
		return 0
	}
	gr := g.masked[c].group
	if (gr <= mexicanMilitia) != (k == militia) {
		r.Fail("units: %q can not be the counter %s (R1.3)", text, g.masked[c].id)
		return 0
	}
	first, n := kindRange(k)
	for u := first; u < first+n; u++ {
		if p.Units[u].Hex == noHex && (colour == "" || fmt.Sprint(g.colour[u]) == colour) && g.inBlock(u, gr) {
			return u
		}
	}
	r.Fail("units: no counter is left for %q (R1.6)", text)
	return 0
}

// inBlock reports whether a slot belongs to the block that units of a group take.
func (g *game) inBlock(u UnitID, gr group) bool {
	first, n := g.block(gr)
	return u >= first && u < first+n
}
