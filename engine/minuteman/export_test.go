package minuteman

import "powderkeg/engine"

// PlainPosition is a value of the type that a state copies by assignment.
var PlainPosition Position

// Reveals reports whether something hidden comes to light in a step: the counter of an
// untried unit, the type of one that is drawn from several types, or, by whether it is asked at all, that a seat holds a special marker
// (R5, R-09).
func Reveals(before, after engine.View) bool {
	b, a := before.(*State), after.(*State)
	for u := milFirst; u < agtFirst; u++ {
		if b.P.Units[u].Hex != noHex && b.P.Units[u].Marks&untried != 0 && a.P.Units[u].Hex != noHex && a.P.Units[u].Marks&untried == 0 {
			return true
		}
	}
	if isDraw(b.P.Ask) && b.P.Draw.Groups&(b.P.Draw.Groups-1) != 0 {
		return true
	}
	return a.askedByHand() || b.askedByHand()
}

// askedByHand reports whether the seat to act is asked because of its special markers
// alone.
func (s *State) askedByHand() bool {
	p := s.P
	if p.Actor < 0 {
		return false
	}
	p.Hand[p.Actor] = [numMarkers]uint8{}
	return !s.G.asks(&p)
}
