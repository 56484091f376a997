package minuteman

import "powderkeg/engine"

// PlainPosition is a value of the type that a state copies by assignment.
var PlainPosition position

// Reveals reports whether something hidden comes to light in a step: the counter of an
// untried unit, the type of one that is drawn from several types, or, by whether it is asked at all, that a seat holds a special marker
// (R5, R-09).
func Reveals(before, after engine.View) bool {
	b, a := before.(*State), after.(*State)
	for u := milFirst; u < agtFirst; u++ {
		if b.p.units[u].hex != noHex && b.p.units[u].marks&untried != 0 && a.p.units[u].hex != noHex && a.p.units[u].marks&untried == 0 {
			return true
		}
	}
	if isDraw(b.p.ask) && b.p.draw.groups&(b.p.draw.groups-1) != 0 {
		return true
	}
	return a.askedByHand() || b.askedByHand()
}

// askedByHand reports whether the seat to act is asked because of its special markers
// alone.
func (s *State) askedByHand() bool {
	p := s.p
	if p.actor < 0 {
		return false
	}
	p.hand[p.actor] = [numMarkers]uint8{}
	_, n := s.g.fillLegal(&p)
	return n < 2
}
