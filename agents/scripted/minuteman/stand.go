package minuteman

import "powderkeg/engine/minuteman"

// stand returns what a place itself is worth to a unit: to a Minuteman the build that
// it helps, to a Militia a Network to live by, to an Army a city that decides.
func (t *situation) stand(u, h int) float32 {
	switch {
	case u < minuteman.FirstMilitia && t.rise:
		return t.standRisen(u, h)
	case u < minuteman.FirstMilitia:
		return t.standSecret(u, h)
	case u < minuteman.FirstArmy:
		return t.standMilitia(u, h)
	case u < minuteman.FirstAgent:
		return t.standArmy(u, h)
	}
	return 0
}

// others counts the Minutemen of a hex, one unit left out.
func (t *situation) others(u, h int) int {
	n := int(t.at[h].minutemen)
	if t.units[u].Hex == h {
		n--
	}
	return n
}

// standSecret values a Minuteman's place before the Revolution: how much likelier the
// next build there becomes (R7.4), and what danger he is in.
func (t *situation) standSecret(u, h int) float32 {
	s := &t.at[h]
	value := float32(0)
	if s.net >= 0 && t.units[s.net].Owner == t.me {
		n := t.others(u, h)
		points := t.state.BuildStrength(int(s.net)) + n
		before, _, riotBefore := t.state.BuildChances(points, true, h)
		after, _, riotAfter := t.state.BuildChances(points+t.state.BuildStrength(u), true, h)
		value = t.w.buildGain*(after-before) + t.w.riotCost*(riotBefore-riotAfter) + t.w.ownNet
	}
	if t.abroad(h) && t.others(u, h) == 0 {
		built, _, _ := t.state.BuildChances(t.state.BuildStrength(u), true, h)
		value = t.w.buildGain * built
	}
	if s.agents > 0 || s.cig >= 0 {
		value -= t.w.hunted
	}
	if t.state.Exposed(h) && t.armyNear(h) {
		value -= t.w.exposed
	}
	return value
}

// armyNear reports whether an Army stands in a hex or beside it.
func (t *situation) armyNear(h int) bool {
	found := false
	t.around(h, func(n int) { found = found || t.at[n].army >= 0 })
	return found
}

// standRisen values a Minuteman's place after the Revolution: with Militia, whose
// attack he doubles (R20.6).
func (t *situation) standRisen(u, h int) float32 {
	s := &t.at[h]
	value := float32(0)
	if s.militia > 0 && t.others(u, h) == 0 {
		value += t.w.risenMilitia
	}
	if s.net >= 0 {
		value += t.w.risenNet
	}
	return value
}

// standMilitia values a Militia's place: by a Network and Minutemen, together (R20.6),
// and where its Zone cuts a deciding city off (R25.12).
func (t *situation) standMilitia(u, h int) float32 {
	s := &t.at[h]
	value := float32(0)
	if s.net >= 0 {
		value += t.w.militiaNet
	}
	if s.minutemen > 0 {
		value += t.w.militiaMM
	}
	men := int(s.militia)
	if t.units[u].Hex == h {
		men--
	}
	value += t.w.together * float32(men)
	switch f := t.state.Facts(h); {
	case f.Population > 0:
		value += t.w.supplied // never out of supply there (R12.2)
	case f.Terrain == minuteman.NorthWinterCover && t.state.Season() == minuteman.Winter:
		return -t.w.militia
	}
	if t.rise && t.bold {
		value *= t.w.atWar // the war is where the Army is
	}
	value += t.w.besideKey * t.keysAround(h)
	if s.army < 0 {
		value += t.w.inKey * t.share(h)
	}
	return value
}

// standArmy values an Army's place: the cities that decide the Partisan scenario must
// each hold one, so that Militia cannot occupy them (R25.12).
func (t *situation) standArmy(u, h int) float32 {
	s := &t.at[h]
	value := float32(0)
	if t.key[h] >= 0 && (s.army < 0 || s.army == int16(u)) {
		value += t.w.key * t.share(h)
	}
	if s.army < 0 && (s.net >= 0 || s.minutemen > 0) && !t.hostile.Has(h) {
		value += t.w.line * t.blockade(h) // a line leads through where an Army stands
	}
	if t.p.Unrest.Has(h) {
		value += t.w.quiets // which it may remove (R17.4)
	}
	return value
}
