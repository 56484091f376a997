package insurgency

import (
	"unsafe"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
	"powderkeg/env/encoding"
)

// Remembering implements encoding.Rememberer.
func (Encoder) Remembering() encoding.Encoder { return &remembering{row: make([]float32, layout.Size)} }

// RememberingBytes implements encoding.Rememberer.
func (Encoder) RememberingBytes() int { return int(unsafe.Sizeof(remembering{})) + 4*layout.Size }

// remembering is the encoder that writes what differs. Both sides see the same map.
type remembering struct {
	Encoder
	row    []float32
	was    insurgency.Position
	marked insurgency.SpaceSet   // of which encodeMarks has written something
	zones  [5]insurgency.CardSet // that the fields from own_hand to unseen were made from
	// What the row depends on beside the position.
	game any // that of the view, which says what is printed
	seat engine.Player
}

// The parts of a position.
var (
	nothing   insurgency.Position
	theMap    = encoding.Between(&nothing, &nothing.Spaces, &nothing.Spaces)
	theTracks = encoding.Between(&nothing, &nothing.OnMap, &nothing.Drawn)
	theCards  = encoding.Between(&nothing, &nothing.Hand, &nothing.Removed)
	theTurn   = encoding.Between(&nothing, &nothing.Phase, &nothing.PairLeft)
	theSetUp  = encoding.Between(&nothing, &nothing.ToDeal, &nothing.Removal)
)

// Encode implements encoding.Encoder.
func (r *remembering) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*insurgency.View)
	q, was, row := &s.P, &r.was, r.row
	all := r.game != any(s.G)
	if all {
		r.game, r.marked, r.zones = s.G, 0, [5]insurgency.CardSet{}
		encodeConstants(row, s)
	}
	sites := all || !theMap.Same(was, q)
	if sites {
		r.encodeSites(s, all)
	}
	for set := r.marked; set != 0; set &= set - 1 {
		at := (*[spaceSize]float32)(row[spacesAt+int(set.First())*spaceSize:])
		at[spacePlague] = 0
		clear(at[spacePicked:])
	}
	encodeMarks(row, s)
	r.marked = marked(s)
	if sites || !theTracks.Same(was, q) {
		clear(row[pointsAt:handAt])
		encodeTracks(row, s)
		clear(row[storiesAt:roundAt])
		encodeStories(row, s)
	}
	turned := all || r.seat != p
	cards := turned || !theCards.Same(was, q)
	if cards {
		r.encodeCards(s, p)
	}
	if turned || was.Card != q.Card || was.Op != q.Op || !theTurn.Same(was, q) {
		clear(row[cardAt:storiesAt])
		encodeRunning(row, s, p)
	}
	if cards || !theTurn.Same(was, q) || !theSetUp.Same(was, q) {
		clear(row[pairAt:usedAt])
		clear(row[takesNoneAt:])
		encodeTurn(row, s, p)
	}
	clear(row[decisionAt:takesNoneAt])
	encodeQuestion(row, s, p)
	*was, r.seat = *q, p
	copy(dst[:layout.Size], row)
}

// encodeSites writes the spaces that differ.
func (r *remembering) encodeSites(s *insurgency.View, all bool) {
	for i := range s.P.Spaces {
		if at := &s.P.Spaces[i]; all || r.was.Spaces[i] != *at {
			row := (*[spaceSize]float32)(r.row[spacesAt+i*spaceSize:])
			clear(row[:spacePlague])
			row[spaceControl] = 0
			encodeSite(row, at)
		}
	}
}

// encodeCards writes the zones of cards that differ. All of them are zero at first, as what
// the zones were made from is.
func (r *remembering) encodeCards(s *insurgency.View, p engine.Player) {
	for i, set := range [...]insurgency.CardSet{s.P.Hand[p], s.P.Known[1-p], s.P.Known[p], s.Gone(), s.Unseen()} {
		if r.zones[i] != set {
			r.zones[i] = set
			manyCards(r.row[handAt+i*insurgency.Events:], set)
		}
	}
}

// marked returns the spaces of which encodeMarks writes something.
func marked(s *insurgency.View) insurgency.SpaceSet {
	op := &s.P.Op
	set := s.Targets() | s.Picks() | op.Pick.Todo | s.P.Event.Named[0]
	removed, _ := s.LastRemoval()
	for _, i := range [4]int{s.Plague(), s.Focus(), s.Origin(), removed} {
		if i >= 0 {
			set |= 1 << i
		}
	}
	for _, i := range op.Net.Selected[:op.Net.Count] {
		set |= 1 << i
	}
	for _, g := range op.Move.Groups[:op.Move.NumGroups] {
		set |= 1<<g.From | 1<<g.To
	}
	return set
}
