package domination

// use returns the gain of the best use of a card of type c on the map as it is.
func (t *situation) use(c int) float64 {
	k := &t.world.cards[c]
	return max(t.tryBuild(k.build), t.tryAttack(k.reduction), t.tryText(c))
}

// tryBuild returns the gain of n Builds anywhere.
func (t *situation) tryBuild(n int) float64 {
	return t.memo.build.get(n, func() float64 {
		b := t.board
		return t.spend(&b, scope{builds: true, areas: everywhere}, n).gain
	})
}

// tryAttack returns the gain of n Reductions anywhere.
func (t *situation) tryAttack(n int) float64 {
	return t.memo.attack.get(n, func() float64 {
		b := t.board
		return t.spend(&b, scope{reduces: true, areas: everywhere}, n).gain
	})
}

// scopeOf returns where and how the points of a card's text may be spent, and how
// many there are. ok is false for a text that gives no points.
func (t *situation) scopeOf(c int) (s scope, n int, ok bool) {
	k := &t.world.cards[c]
	n = k.points
	switch k.text {
	case builds:
		s = scope{builds: true, areas: everywhere}
	case landPoints:
		s = scope{builds: true, reduces: true, areas: onLand}
	case nearSeaPoints:
		s = scope{builds: true, reduces: true, areas: onLand & t.world.atlas.Neighbours(t.board.Own[t.me]&atSea)}
	case nearLandPoints:
		s = scope{builds: true, reduces: true, areas: onLand, chained: true}
	case seaPoints:
		s = scope{builds: true, reduces: true, areas: atSea}
	case landReductions:
		s = scope{reduces: true, areas: onLand}
	case seaReductions:
		s = scope{reduces: true, areas: atSea}
	case fullReductions:
		s, n = scope{reduces: true, areas: everywhere}, n*(t.board.Own[t.me]&t.board.Full).Size()
	default:
		return s, 0, false
	}
	return s, n, true
}

// tryText returns the gain of the text of a card of type c, 0 if it has none that
// could be used in card play.
func (t *situation) tryText(c int) float64 {
	return t.memo.text.get(c, func() float64 { return t.foresee(c) })
}

// foresee carries a text out on a copy of the map.
func (t *situation) foresee(c int) (gain float64) {
	b := t.board
	if s, n, ok := t.scopeOf(c); ok {
		return t.spend(&b, s, n).gain
	}
	k := &t.world.cards[c]
	switch k.text {
	case resourceVP:
		gain = float64(k.points * (b.Own[t.me] & t.world.atlas.groups[k.resource]).Size())
	case regionVP:
		gain = float64(k.points * t.fullRegions(&b).Size())
	case struggleOne, removeIsolated:
		for s := range t.seats {
			if s != t.me {
				gain = max(gain, t.tryTarget(k.text, s))
			}
		}
	case struggleAll:
		b.Full = 0
		gain = t.evaluate(&b) - t.evaluate(&t.board)
	case upgradeOwn:
		b.Full |= b.Own[t.me]
		gain = t.evaluate(&b) - t.evaluate(&t.board)
	case removeStruggling:
		for s := range t.seats {
			b.Own[s] &= b.Full
		}
		gain = t.evaluate(&b) - t.evaluate(&t.board)
	case removePerRegion, removeOpposing:
		gain = t.tryRegions(&b, k.text)
	case replaceStruggling:
		gain, _ = t.replace(&b, 0, k.points)
	case storm:
		gain = t.tryStorm(&b)
	case chain:
		gain = t.tryChain(&b, t.me, k.points, k.points)
	}
	return gain
}

// tryTarget returns the gain of Bad Leadership or Out of Supply against seat s.
func (t *situation) tryTarget(what text, s int) float64 {
	b := t.board
	if what == struggleOne {
		b.Full &^= b.Own[s]
	} else {
		b.Own[s] &= t.world.atlas.Neighbours(b.Own[s])
		b.Full &= b.Occupied()
	}
	return t.evaluate(&b) - t.evaluate(&t.board)
}

// fullRegions returns the Regions in which the player has a Full Land Force.
func (t *situation) fullRegions(b *board) areaSet {
	set := areaSet(0)
	for g := range firstResource {
		if b.Own[t.me]&b.Full&t.world.atlas.groups[g] != 0 {
			set |= 1 << g
		}
	}
	return set
}

// tryRegions carries out Global Disruption or Surrender and returns the gain.
func (t *situation) tryRegions(b *board, what text) float64 {
	gain, full := 0.0, t.fullRegions(b)
	for g := range firstResource {
		if what == removeOpposing && !has(full, g) {
			continue
		}
		set := t.world.atlas.groups[g] & b.Occupied()
		if what == removeOpposing {
			set &^= b.Own[t.me]
		}
		if set != 0 {
			a, loss := t.cheapest(b, set)
			gain -= loss
			b.Remove(1 << a)
		}
	}
	return gain
}

// cheapest returns the Area of the set whose Force is worth least to the player, and
// what it is worth; that of an opponent has a negative worth.
func (t *situation) cheapest(b *board, set areaSet) (at int, worth float64) {
	at = -1
	for ; set != 0; set &= set - 1 {
		a := int(set.First())
		if v := t.force(b, b.owner(a), a); at < 0 || v < worth {
			at, worth = a, v
		}
	}
	return at, worth
}

// replace carries out the picks of Insurgents, n at most, in Areas from lowest on. It
// returns the gain and the Areas.
func (t *situation) replace(b *board, lowest, n int) (gain float64, picks areaSet) {
	for ; n > 0; n-- {
		best, at := 1e-9, -1
		for set := onLand & from(lowest) & b.Occupied() &^ b.Full; set != 0; set &= set - 1 {
			a := int(set.First())
			if v := t.replaced(b, a); v > best {
				best, at = v, a
			}
		}
		if at < 0 {
			break
		}
		gain += best
		picks |= 1 << at
		b.Remove(1 << at)
		b.Own[t.me] |= 1 << at
		b.Full |= 1 << at
	}
	return gain, picks
}

// replaced returns the gain of an own Full Force in place of the Struggling one in
// Area a.
func (t *situation) replaced(b *board, a int) float64 {
	s := b.owner(a)
	if s == t.me {
		return t.stakes.step[s]
	}
	return 2*t.stakes.step[t.me] + t.holding(b.Own[t.me], t.me, a) - t.force(b, s, a)
}
