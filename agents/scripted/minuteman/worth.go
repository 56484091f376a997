package minuteman

import "powderkeg/engine/minuteman"

// worth returns what a unit is worth to its side.
func (t *situation) worth(u int) float32 {
	x := &t.units[u]
	switch {
	case u < minuteman.FirstMinuteman:
		return pick(x.Step == 0, t.w.weakNet, t.w.strongNet)
	case u < minuteman.FirstMilitia:
		return pick(x.Step == 0, t.w.weakMM, t.w.strongMM)
	case u < minuteman.FirstArmy:
		return t.w.militia
	case u < minuteman.FirstAgent:
		return t.w.army
	case u < minuteman.FirstCIG:
		return pick(x.Step == 0, t.w.weakAgt, t.w.strongAgt)
	}
	return t.w.cig + t.w.cigStep*float32(x.Step)
}

func pick(first bool, a, b float32) float32 {
	if first {
		return a
	}
	return b
}

// classWorth returns what a unit of a class is worth where one is to be given up.
func (t *situation) classWorth(class int) float32 {
	if u := t.anyOf(class); u >= 0 {
		return t.worth(u)
	}
	return t.w.informer
}
