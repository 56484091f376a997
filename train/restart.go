package train

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/env/vec"
)

// begin starts the first episode everywhere.
func (k *collector) begin(seed uint64) error {
	for i := range k.slots {
		s := &k.slots[i]
		if err := k.enter(i); err != nil {
			return err
		}
		s.seed = vec.SlotSeed(seed, i)
		k.seat(s)
		k.vec.Env(i).Reset(s.seed)
		k.observe(k.rollout.Steps, i)
	}
	return nil
}

// restart begins the next episode of slot i.
func (k *collector) restart(i int) error {
	e, s := k.vec.Env(i), &k.slots[i]
	switch {
	case !k.paired || s.seats == nil:
		k.seat(s)
		if err := k.enter(i); err != nil {
			return err
		}
		e.Restart()
		return nil
	case s.turn%uint64(len(s.seats)) != 0:
		// Everybody moves on by a seat, the learner too, as Pool.Seat would have it.
		last := s.seats[len(s.seats)-1]
		copy(s.seats[1:], s.seats)
		s.seats[0] = last
		s.turn++
	default:
		k.seat(s)
		if err := k.enter(i); err != nil {
			return err
		}
		s.seed = s.lots.Uint64()
	}
	e.Reset(s.seed)
	return nil
}

// seat draws who plays the next game of a slot.
func (k *collector) seat(s *slot) {
	if s.seats != nil {
		k.pool.Seat(s.seats, s.turn, &s.lots)
		s.turn++
	}
}

// enter chooses the position in which the next game of slot i begins.
func (k *collector) enter(i int) error {
	if k.archive == nil {
		return nil
	}
	s := &k.slots[i]
	var position []byte
	if was := s.archived; engine.Unit(&s.lots) < k.share {
		position, s.archived = k.archive.draw(k.reach, &s.lots), true
	} else if s.archived = false; !was {
		return nil
	}
	if err := k.vec.Env(i).StartFrom(position); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}
