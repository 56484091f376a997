package domination

import (
	"powderkeg/engine"
	"powderkeg/engine/domination"
)

// Reductions that have to be made: those of Mega Storm, which hit everybody, and
// those of Bio Weapons, which go round the table.

// strike makes n Reductions in a set of Areas, one after the other where it serves
// the player best, and returns the gain and the Areas.
func (t *situation) strike(b *board, set areaSet, n int) (gain float64, struck areaSet) {
	for ; n > 0; n-- {
		best, at := 0.0, -1
		for rest := set & b.Occupied(); rest != 0; rest &= rest - 1 {
			a := int(rest.First())
			if v := t.reduction(b, a); at < 0 || v > best {
				best, at = v, a
			}
		}
		if at < 0 {
			break
		}
		gain -= t.force(b, b.owner(at), at)
		s := b.owner(at)
		if b.reduce(at); has(b.Own[s], at) {
			gain += t.force(b, s, at)
		}
		struck |= 1 << at
	}
	return gain, struck
}

// reduction returns how well a Reduction in an occupied Area serves the player: the
// worth of the Force for each of its steps, since the first of two is half the way
// to what the Force holds.
func (t *situation) reduction(b *board, a int) float64 {
	return -t.force(b, b.owner(a), a) / float64(b.steps(a))
}

// tryStorm carries out Mega Storm and returns the gain.
func (t *situation) tryStorm(b *board) float64 {
	sum := 0.0
	for s := range t.seats {
		gain, _ := t.strike(b, b.Own[s], b.Own[s].Size()/2)
		sum += gain
	}
	return sum
}

// nextStrike (D11, D12) plans the Reductions that are left and makes the first of
// them in the order of the Areas.
func (t *situation) nextStrike() engine.Action {
	u := &t.state.P.Frame
	b := t.board
	targets := everywhere &^ b.Own[t.me]
	if t.state.Decision() == domination.StormStepDecision {
		targets = b.Own[u.Target]
	}
	_, struck := t.strike(&b, targets&from(int(u.Last)), int(u.Points))
	return domination.ActReduceAt + engine.Action(struck.First())
}

// longestChain is how often Bio Weapons can be accepted, and once more for its user:
// each time takes two steps off a map of 50.
const longestChain = areas + 1

// tryChain carries out Bio Weapons from seat s on, who makes the first Reductions,
// and returns the gain. Each of them is followed by n more of the seat to the left,
// or by nothing: the player goes on where that is better for it, and expects of the
// others that they go on where it is worse.
func (t *situation) tryChain(b *board, s, first, n int) float64 {
	var stops [longestChain]float64 // the gain, if the seat that is offered it stops
	gain, last := 0.0, -1
	for next := first; last+1 < longestChain; next = n {
		gain += t.strikeAs(b, s, next)
		last++
		stops[last] = gain
		if s++; s == t.seats {
			s = 0
		}
		if b.Steps(b.Occupied()&^b.Own[s]) < n {
			break
		}
	}
	for at := last - 1; at >= 0; at-- {
		// Seat s is the one that would be asked after stops[last].
		asked := ((s-(last-at))%t.seats + t.seats) % t.seats
		if (stops[at+1] > stops[at]) == (asked == t.me) {
			stops[at] = stops[at+1]
		}
	}
	return stops[0]
}

// strikeAs makes n Reductions of seat s. Others hit the player, or else whomever
// it serves the player least to see hit.
func (t *situation) strikeAs(b *board, s, n int) float64 {
	if s == t.me {
		gain, _ := t.strike(b, everywhere&^b.Own[s], n)
		return gain
	}
	sum := 0.0
	for range n {
		worst, at := 0.0, -1
		for set := b.Occupied() &^ b.Own[s]; set != 0; set &= set - 1 {
			a := int(set.First())
			if v := t.reduction(b, a); at < 0 || v < worst {
				worst, at = v, a
			}
		}
		if at < 0 {
			break
		}
		gain, _ := t.strike(b, 1<<at, 1)
		sum += gain
	}
	return sum
}

// scoreChain (D13): to go on, if what comes of it is better than to stop.
func (t *situation) scoreChain(a engine.Action) float64 {
	if a == domination.ActDecline {
		return 0
	}
	b := t.board
	n := t.world.cards[t.state.P.Frame.Card].points
	return t.tryChain(&b, t.me, n, n)
}
