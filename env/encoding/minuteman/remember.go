package minuteman

import (
	"unsafe"

	"powderkeg/engine"
	"powderkeg/engine/minuteman"
	"powderkeg/env/encoding"
)

// Remembering implements encoding.Rememberer.
func (Compact) Remembering() encoding.Encoder { return &remembering{row: make([]float32, compactSize)} }

// RememberingBytes implements encoding.Rememberer.
func (Compact) RememberingBytes() int { return int(unsafe.Sizeof(remembering{})) + 4*compactSize }

// remembering is the encoder that looks at a kind of unit where one of them differs. A
// decision is a chain of choices, and the last of them alone moves units, mostly of one kind.
type remembering struct {
	Compact
	row    []float32
	was    minuteman.Position
	game   any     // that of the view, which says what is printed
	e      encoder // what was found on the map
	priced bool    // there are prices of cities
}

// The parts of a position.
var (
	nothing    minuteman.Position
	theMap     = encoding.Between(&nothing, &nothing.Units, &nothing.Informer)
	theMarkers = encoding.Between(&nothing, &nothing.Riot, &nothing.Informer)
	theAffairs = encoding.Between(&nothing, &nothing.Due, &nothing.Original)
	theUnits   = func() (list [unitKinds]encoding.Span[minuteman.Position]) {
		for k := range list {
			list[k] = encoding.Between(&nothing, &nothing.Units[kinds[k].first], &nothing.Units[kinds[k].end-1])
		}
		return list
	}()
)

// Encode implements encoding.Encoder.
func (r *remembering) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*minuteman.View)
	q, was, row, e := &s.P, &r.was, r.row, &r.e
	me, done := e.me, e.done
	e.look(s, int(p))
	all := r.game != any(s.G) || was.RevTurn != q.RevTurn || !theAffairs.Same(was, q)
	if me, done := me != e.me, done != e.done; all || me || done || int(q.Phase) == minuteman.Phases || !theMap.Same(was, q) {
		r.encodeMap(all, me, done)
		*was, r.game = *q, s.G
	}
	e.chain = s.Chain()
	if r.priced && e.chain.Moving < 0 {
		for c := range minuteman.Cities {
			row[citiesAt+c*citySize+16] = 0
		}
	}
	e.prices(row)
	r.priced = e.chain.Moving >= 0
	clear(row[nearAt:regionsAt])
	e.near(row[nearAt:])
	clear(row[globalsAt:citiesAt])
	e.globals(row[globalsAt:chainAt])
	e.decision(row[chainAt:citiesAt])
	copy(dst[:compactSize], row)
}

// encodeMap writes the units of the kinds that differ and what lies beside them. me and done
// say whether another seat observes, and whether units do something else in the phase.
func (r *remembering) encodeMap(all, me, done bool) {
	e, row := &r.e, r.row
	if all {
		clear(row[citiesAt:mmAt]) // another game may have others in play
	}
	e.level, e.held, e.cut = e.s.Standing()
	markers := all || !theMarkers.Same(&r.was, e.p)
	if markers {
		for c := range minuteman.Cities {
			clear((*[3]float32)(row[citiesAt+c*citySize:])[:])
		}
		clear(row[unrestAt:nearAt])
		r.clearRegions(0, 2)
		r.clearRegions(11, 12)
		e.count[unitKinds] = 0
		e.markers(row)
	}

	masked := all || r.was.Counter != e.p.Counter || r.was.Cand != e.p.Cand
	controlled := markers // what decides on the zones differs
	var differ [unitKinds]bool
	for k := range kinds {
		differ[k] = all || !theUnits[k].Same(&r.was, e.p)
		controlled = controlled || differ[k] && k != minutemenKind && k != agentsKind
	}
	if government, rebels := e.government, e.rebels; controlled {
		e.government, e.rebels = e.s.Zones()
		if all || government != e.government || rebels != e.rebels {
			e.zones(row)
		}
	}
	differ[networksKind] = differ[networksKind] || me
	differ[minutemenKind] = differ[minutemenKind] || me || done
	differ[militiaKind] = masked || controlled || me || done // it may be surrounded
	differ[armyKind] = differ[armyKind] || masked || done
	differ[agentsKind] = differ[agentsKind] || done
	some := cities{}
	if all {
		some = everyCity
	}
	for k := range kinds {
		if differ[k] {
			some.join(&e.with[k])
			r.forget(k)
			e.unitsOf(k, row)
			some.join(&e.with[k])
		}
	}
	e.rooms(row, some)
}

// forget clears what the units of a kind have written, and their counts.
func (r *remembering) forget(k int) {
	e, x := &r.e, &kinds[k]
	clear(r.row[x.rowsAt:x.rowsEnd])
	r.clearRegions(x.region, x.regionEnd)
	for c := range e.with[k].each {
		clear(r.row[citiesAt+c*citySize:][x.city:x.cityEnd])
		e.crowd[c] -= e.inCity[k][c]
		e.inCity[k][c] = 0
	}
	e.with[k], e.count[k] = cities{}, 0
	clear(e.out[x.piles:x.pilesEnd])
}

// clearRegions clears some numbers of every region.
func (r *remembering) clearRegions(from, to int) {
	for k := range regionRows {
		row := (*[regionSize]float32)(r.row[regionsAt+k*regionSize:])
		for i := from; i < to; i++ {
			row[i] = 0
		}
	}
}
