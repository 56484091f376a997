package minuteman

import "powderkeg/engine/minuteman"

// The Lines of Communication of the Partisan scenario (R25.12): what the Government
// has to clear so that each deciding city is joined to the Front Line again.

// blocks is the number of hexes in a Rebel Zone or held by Networks and Minutemen
// from which a way counts as hopeless.
const blocks = 12

// findLines finds for each deciding city that is cut the line with the fewest blocked
// hexes, and shares the city out among them: t.burden[h] is the part of all cities
// that hang on a blocked hex.
func (t *situation) findLines() {
	if t.linesKnown || t.state.Options().Scenario != minuteman.Partisan {
		return
	}
	t.linesKnown = true
	t.lines = t.state.LineHexes()
	for h := range t.burden {
		t.burden[h] = 0
		t.lineCost[h] = blocks
	}
	var queue [4096]int16
	tail := 0
	for u := minuteman.FirstArmy; u < minuteman.FirstAgent; u++ {
		if h := t.units[u].Hex; h != minuteman.NoHex && t.state.FrontLine(u) && t.lines.Has(h) {
			t.lineCost[h], t.lineFrom[h] = 0, -1
			queue[tail] = int16(h)
			tail++
		}
	}
	for head := 0; head < tail; head++ {
		h := int(queue[head&4095])
		for _, x := range t.near[h] {
			n := int(x)
			if n == minuteman.NoHex || !t.isOpen.Has(n) {
				continue
			}
			c := t.lineCost[h]
			if !t.lines.Has(n) {
				c++
			}
			if c < t.lineCost[n] {
				t.lineCost[n], t.lineFrom[n] = c, int16(h)
				queue[tail&4095] = x
				tail++
			}
		}
	}
	for i, key := range t.keys {
		n := t.lineCost[key]
		if n == 0 || n == blocks {
			continue
		}
		for h := int16(key); h >= 0; h = t.lineFrom[h] {
			if !t.lines.Has(int(h)) {
				t.burden[h] += t.w.cities[i] / float32(n)
			}
		}
	}
}

// blockade returns the part of the deciding cities that hang on what stands in a hex:
// on its Zone, or without one on the hex alone.
func (t *situation) blockade(h int) float32 {
	if t.state.Options().Scenario != minuteman.Partisan || t.rebel {
		return 0
	}
	t.findLines()
	if s := &t.at[h]; s.militia == 0 && !(s.net >= 0 && t.state.Riot(h)) {
		return t.burden[h]
	}
	sum := float32(0)
	t.around(h, func(n int) { sum += t.burden[n] })
	return min(sum, 8)
}

// share returns what share a hex has of what a deciding city is worth, 0 for any other hex.
func (t *situation) share(h int) float32 {
	if i := t.key[h]; i >= 0 {
		return t.w.cities[i]
	}
	return 0
}
