package vec

import (
	"fmt"

	"powderkeg/engine"
)

// Buffers receive what the environments show, one row per slot (one row per received
// slot in the asynchronous way). N is the number of rows, D the size of an
// observation, A the number of actions, P the number of seats. The caller owns
// them and may replace any slice by one of the same length; see Fit for memory that is
// the caller's from the beginning.
type Buffers struct {
	// Observations [N×D] and Masks [N×A] are those of the seat to act. At an
	// episode's end the mask is all zero, and after the game's end the observation
	// is that of seat 0.
	Observations []float32
	Masks        []uint8
	// Actors [N] are the seats to act, engine.Terminal after the game's end; where an
	// episode has been truncated, the seat that would act.
	Actors []engine.Player
	// Rewards [N×P] is what each seat has gained in the step.
	Rewards []float32
	// Terminated and Truncated [N] are 1 where the step has ended the episode: by
	// the rules, or by the cap on decisions.
	Terminated []uint8
	Truncated  []uint8

	// Returns [N×P] and Lengths [N] (in decisions) are those of the episode that
	// has ended; rows of slots whose episode goes on keep what they held.
	Returns []float32
	Lengths []int32
	// Final [N×D] and FinalActors [N] are used by SameStep alone: the observation at
	// the end of the episode that the step has ended, of the seat that would have
	// been next (of seat 0 after the game's end).
	Final       []float32
	FinalActors []engine.Player

	// Slots [N] says which slot a row belongs to. Receive alone writes it.
	Slots []int32

	rows, size, actions, seats int
}

// NewBuffers returns buffers of the given number of rows for v.
func (v *Vec) NewBuffers(rows int) *Buffers {
	b := new(Buffers)
	if err := v.Fit(b, rows); err != nil {
		panic(err) // there is nothing in them that could be wrong
	}
	return b
}

// Fit makes buffers ready to receive rows of v in the memory of their slices, such as arrays
// of another language: nothing is copied, and nothing but these is written to. Slices that
// are nil are made; Final is left alone unless the Vec's mode is SameStep. The error names the
// first slice that has another length than the rows need; the buffers are then as they were.
func (v *Vec) Fit(b *Buffers, rows int) error {
	a, p := len(v.spec.Actions), v.spec.Seats
	fitted := *b
	fits := []error{
		fit("Observations", &fitted.Observations, rows, v.size), fit("Masks", &fitted.Masks, rows, a), fit("Actors", &fitted.Actors, rows, 1),
		fit("Rewards", &fitted.Rewards, rows, p), fit("Terminated", &fitted.Terminated, rows, 1), fit("Truncated", &fitted.Truncated, rows, 1),
		fit("Returns", &fitted.Returns, rows, p), fit("Lengths", &fitted.Lengths, rows, 1), fit("FinalActors", &fitted.FinalActors, rows, 1),
		fit("Slots", &fitted.Slots, rows, 1),
	}
	if v.config.Autoreset == SameStep {
		fits = append(fits, fit("Final", &fitted.Final, rows, v.size))
	}
	for _, err := range fits {
		if err != nil {
			return err
		}
	}
	fitted.rows, fitted.size, fitted.actions, fitted.seats = rows, v.size, a, p
	*b = fitted
	return nil
}

// fit makes a slice that is nil, and says where one has another length than rows of so many
// columns.
func fit[T any](name string, s *[]T, rows, columns int) error {
	if *s == nil {
		*s = make([]T, rows*columns)
	}
	if len(*s) != rows*columns {
		return fmt.Errorf("vec: %s has length %d; %d rows of %d make %d", name, len(*s), rows, columns, rows*columns)
	}
	return nil
}

// check panics where the buffers do not fit: only a programmer can cause that.
func (v *Vec) check(b *Buffers) {
	n := len(v.envs)
	if len(b.Observations) < n*v.size || len(b.Masks) < n*len(v.spec.Actions) || len(b.Actors) < n ||
		len(b.Rewards) < n*v.spec.Seats || len(b.Terminated) < n || len(b.Truncated) < n || b.rows < n {
		panic(fmt.Sprintf("vec: the buffers are too small for %d environments; see Fit", n))
	}
}

// clearRow sets rewards and flags of a row to zero.
func (b *Buffers) clearRow(row int) {
	clear(b.Rewards[row*b.seats : (row+1)*b.seats])
	b.Terminated[row], b.Truncated[row] = 0, 0
}

// Gather copies rows of src, which has as many columns, to the first rows of b,
// in the order of slots; b.Slots says which they are.
func (b *Buffers) Gather(src *Buffers, slots []int32) {
	for row, s := range slots {
		b.copyRow(row, src, int(s))
		b.Slots[row] = s
	}
}

// copyRow copies a row of src to a row of b.
func (b *Buffers) copyRow(row int, src *Buffers, from int) {
	d, a, p := b.size, b.actions, b.seats
	copy(b.Observations[row*d:(row+1)*d], src.Observations[from*d:(from+1)*d])
	copy(b.Masks[row*a:(row+1)*a], src.Masks[from*a:(from+1)*a])
	b.Actors[row] = src.Actors[from]
	copy(b.Rewards[row*p:(row+1)*p], src.Rewards[from*p:(from+1)*p])
	b.Terminated[row], b.Truncated[row] = src.Terminated[from], src.Truncated[from]
	copy(b.Returns[row*p:(row+1)*p], src.Returns[from*p:(from+1)*p])
	b.Lengths[row] = src.Lengths[from]
	if b.Final != nil {
		copy(b.Final[row*d:(row+1)*d], src.Final[from*d:(from+1)*d])
	}
	b.FinalActors[row] = src.FinalActors[from]
}
