package minuteman

import "powderkeg/engine/minuteman"

// Worths are in the value of a weak Minuteman. The victory levels count heads of
// Militia against Army, Networks against CIGs, Minutemen against Agents (R24.3), so
// that no kind can be left out.
const (
	weakNetWorth   = 1.5
	strongNetWorth = 3
	weakMMWorth    = 1
	strongMMWorth  = 1.6
	militiaWorth   = 2
	armyWorth      = 3
	weakAgtWorth   = 1.2
	strongAgtWorth = 2.4
	cigWorth       = 1 // and cigStep for each step
	cigStep        = 0.4
	informerWorth  = 0.4
	riotWorth      = 0.6 // a Network where there is none, a build where there is one (R7.1)
	keyWorth       = 4   // of a city that decides the Partisan scenario
)

// worth returns what a unit is worth to its side.
func (t *situation) worth(u int) float32 {
	x := &t.units[u]
	switch {
	case u < minuteman.FirstMinuteman:
		return pick(x.Step == 0, weakNetWorth, strongNetWorth)
	case u < minuteman.FirstMilitia:
		return pick(x.Step == 0, weakMMWorth, strongMMWorth)
	case u < minuteman.FirstArmy:
		return militiaWorth
	case u < minuteman.FirstAgent:
		return armyWorth
	case u < minuteman.FirstCIG:
		return pick(x.Step == 0, weakAgtWorth, strongAgtWorth)
	}
	return cigWorth + cigStep*float32(x.Step)
}

func pick(first bool, a, b float32) float32 {
	if first {
		return a
	}
	return b
}

// classWorth returns what a unit of a class is worth where one is to be given up.
func (t *situation) classWorth(class int) float32 {
	for u := range minuteman.Units {
		if t.units[u].Hex == t.chain.Hex && t.units[u].Hex != minuteman.NoHex && t.state.Class(u) == class {
			return t.worth(u)
		}
	}
	return informerWorth
}
