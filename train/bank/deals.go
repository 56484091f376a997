package bank

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"powderkeg/engine"
)

// errManyDeals is the error of Deals where there are more than asked for.
var errManyDeals = errors.New("too many deals")

// A view counts as exhausted when so many redeals in a row have brought nothing new: some, and so
// many more for each deal that it has brought. One of n deals of equal chances is then missed
// with a probability below e^-patience.
const (
	patience     = 12
	leastRedeals = 32
)

// deals returns the deals that are common knowledge to be possible where s is: s itself, whatever
// a seat that is in one of them holds possible, and so on, in the order of their hashes. They are
// found by dealing anew with a generator of its own, so that they depend on s alone. The error is
// errManyDeals if there are more than most.
func deals(g engine.Game, s engine.State, most int) ([]engine.State, error) {
	list := []engine.State{engine.Clone(g, s)}
	if _, ok := s.(engine.Hidden); !ok {
		return list, nil
	}
	d := dealer{
		g: g, most: most, rng: rand.NewPCG(s.Hash(), dealStream), dealt: g.New().(engine.Hidden),
		list: list, found: map[uint64]bool{s.Hash(): true}, exhausted: map[uint64]bool{},
	}
	for at := 0; at < len(d.list); at++ {
		for seat := range engine.Player(g.Spec().Seats) {
			if err := d.exhaust(d.list[at], seat); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(d.list, func(a, b engine.State) int { return cmp.Compare(a.Hash(), b.Hash()) })
	return d.list, nil
}

// dealStream is the PCG stream of deals.
const dealStream = 0x6465616c73

// dealer deals what seats know anew.
type dealer struct {
	g         engine.Game
	most      int
	rng       *rand.PCG
	dealt     engine.Hidden
	list      []engine.State
	found     map[uint64]bool // deals, by their hashes
	exhausted map[uint64]bool // views, by their hashes and seats
}

// exhaust adds the deals that a seat holds possible in s.
func (d *dealer) exhaust(s engine.State, seat engine.Player) error {
	view := engine.Look(s, seat)
	key := uint64(engine.NewHash().Word(uint64(seat)).Word(view.Hash()))
	if d.exhausted[key] {
		return nil
	}
	d.exhausted[key] = true
	own := map[uint64]bool{}
	for missed := 0; missed < patience*len(own)+leastRedeals; missed++ {
		d.dealt.Redeal(view, d.rng)
		h := d.dealt.Hash()
		if own[h] {
			continue
		}
		own[h], missed = true, 0
		if d.found[h] {
			continue
		}
		if len(d.list) == d.most {
			return fmt.Errorf("%w: more than %d", errManyDeals, d.most)
		}
		d.found[h] = true
		d.list = append(d.list, engine.Clone(d.g, d.dealt))
	}
	return nil
}
