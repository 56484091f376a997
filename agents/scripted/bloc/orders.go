package bloc

import "powderkeg/engine/bloc"

// readOrders works out how likely each group of cops that can move is ordered to each
// district tonight (R8.4), from the cards that are left in the ops deck.
func (t *situation) readOrders() {
	var due [bloc.OpsCards]float64 // how often a card is expected to come up
	p := &t.s.P
	deck, discard := &p.Ops, &p.OpsDiscard
	left, old, known := 0, 0, 0
	for i := range deck {
		left += int(deck[i])
		old += int(discard[i])
	}
	for ; known < min(t.cards, int(p.PrefixSize)); known++ {
		due[p.Prefix[known]]++
	}
	n := t.cards - known
	again := max(0, n-left)
	n -= again
	for i := range due {
		if left > 0 {
			due[i] += float64(n) * float64(deck[i]) / float64(left)
		}
		if old > 0 {
			due[i] += float64(again) * float64(discard[i]) / float64(old)
		}
	}
	for c := range bloc.CellID(bloc.Cells) {
		if t.s.UnderOrders(c) == 0 {
			continue
		}
		for card, n := range due {
			if n == 0 {
				continue
			}
			if to := t.s.OrderedTo(bloc.OpsID(card), c); to != bloc.NoCell {
				t.sent[c][to] += n
			}
		}
		for s := t.s.P.Near[c]; s != 0; s &= s - 1 {
			to := s.First()
			if p := min(0.9, t.w.orders*t.sent[c][to]); p > 0 {
				if n := t.coming(c, to); n > 0 {
					r := &t.raids[to]
					r.raid[r.n] = raid{p, n}
					r.n++
				}
			}
		}
	}
}

// raid is a group of cops that may come to a district tonight: the chance that it is
// ordered there, and how many get through.
type raid struct {
	p    float64
	cops int
}

// raids are those that may come to one district, over each of its arms one at most.
type raids struct {
	n    int
	raid [bloc.Arms]raid
}

func (r *raids) all() []raid { return r.raid[:r.n] }
