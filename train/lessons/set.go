package lessons

import (
	"encoding/binary"
	"fmt"

	"powderkeg/checkpoints"
)

// record is a game of the set.
type record struct {
	seed uint64
	// rows is how many decisions it has that are to be learned from.
	rows int
	// choices has for each of them the action played as its place among the legal
	// actions, times 2; where the teacher answered another one, plus 1, and the place of
	// that follows. Numbers are uvarints.
	choices []byte
}

// choose appends a decision.
func (r *record) choose(played, answer int) {
	r.rows++
	if played == answer {
		r.choices = binary.AppendUvarint(r.choices, uint64(played)<<1)
		return
	}
	r.choices = binary.AppendUvarint(r.choices, uint64(played)<<1|1)
	r.choices = binary.AppendUvarint(r.choices, uint64(answer))
}

// next reads a decision with so many legal actions at the beginning of choices and
// returns the rest; ok is false if there is none.
func next(choices []byte, legal int) (played, answer int, rest []byte, ok bool) {
	x, n := binary.Uvarint(choices)
	if n <= 0 || x>>1 >= uint64(legal) {
		return 0, 0, nil, false
	}
	played = int(x >> 1)
	answer, rest = played, choices[n:]
	if x&1 == 1 {
		y, n := binary.Uvarint(rest)
		if n <= 0 || y >= uint64(legal) {
			return 0, 0, nil, false
		}
		answer, rest = int(y), rest[n:]
	}
	return played, answer, rest, true
}

// set is the games so far, in the order of their numbers.
type set struct {
	games []record
	rows  int64 // of all games
	bytes int64 // of their choices
}

func (s *set) add(r record) {
	s.games = append(s.games, r)
	s.rows += int64(r.rows)
	s.bytes += int64(len(r.choices))
}

// heldOutEvery is of how many games one is kept for measuring, the first among them, so
// that there is one from the beginning.
const heldOutEvery = 16

// heldOut reports whether a game is kept for measuring.
func heldOut(game int) bool { return game%heldOutEvery == 0 }

// encode writes the set: for each game the seed in 8 bytes, little-endian, then the
// numbers of rows and of bytes as uvarints, then the choices.
func (s *set) encode() []byte {
	out := make([]byte, 0, int(s.bytes)+16*len(s.games))
	for i := range s.games {
		r := &s.games[i]
		out = binary.LittleEndian.AppendUint64(out, r.seed)
		out = binary.AppendUvarint(out, uint64(r.rows))
		out = binary.AppendUvarint(out, uint64(len(r.choices)))
		out = append(out, r.choices...)
	}
	return out
}

// decodeSet reads what encode has written. That the choices are legal is found out when
// the games are played again. Errors wrap checkpoints.ErrCorrupt.
func decodeSet(in []byte) (*set, error) {
	s := &set{}
	for len(in) > 0 {
		fault := fmt.Errorf("%w: lessons: game %d of the set is cut off", checkpoints.ErrCorrupt, len(s.games))
		if len(in) < 8 {
			return nil, fault
		}
		r := record{seed: binary.LittleEndian.Uint64(in)}
		in = in[8:]
		rows, n := binary.Uvarint(in)
		if n <= 0 || rows > uint64(len(in)) { // each row has a byte at least
			return nil, fault
		}
		in = in[n:]
		size, n := binary.Uvarint(in)
		if n <= 0 || size > uint64(len(in)-n) || size < rows {
			return nil, fault
		}
		r.rows, r.choices = int(rows), append([]byte(nil), in[n:n+int(size)]...)
		in = in[n+int(size):]
		s.add(r)
	}
	return s, nil
}
