package fleet

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/vmihailenco/msgpack/v5"

	"powderkeg/engine"
	"powderkeg/train"
)

// partMessage is a train.Part on its way: actions as uvarints, numbers as little-endian float32.
// With a tag for each they would take longer to write and read than the games to restore, and
// compressed they would be smaller by a twentieth.
type partMessage struct {
	Actions, LogProbs, Values, Logits, Next []byte
	Cut                                     []train.Cut
	Choices                                 [][]byte
	Hashes                                  []uint64
}

func packPart(p *train.Part) ([]byte, error) {
	return msgpack.Marshal(partMessage{
		Actions: appendActions(nil, p.Actions), LogProbs: appendNumbers(nil, p.LogProbs), Values: appendNumbers(nil, p.Values),
		Logits: appendNumbers(nil, p.Logits), Next: appendNumbers(nil, p.Next),
		Cut: p.Cut, Choices: p.Choices, Hashes: p.Hashes,
	})
}

// partLimits returns the bounds of the part of so many slots, and the bytes that it has at most.
func partLimits(s train.PartShape, slots int) (b bounds, bytes int) {
	decisions := s.Steps * slots
	// Eight fields, each with its name; a cut has three, and may be there for every decision.
	b = bounds{depth: 4, values: 20 + decisions*(8+s.Seats) + 2*slots}
	perDecision := binary.MaxVarintLen32 + 4*(1+s.Seats+s.Logits)
	const perCut, perSlot, rest = 64, 64, 4 << 10
	return b, decisions*(perDecision+perCut+5*s.Seats) + slots*(perSlot+4*s.Seats) + rest
}

// unpackPart decodes a part, which may come from anybody.
func unpackPart(data []byte, b bounds) (*train.Part, error) {
	var m partMessage
	if err := decode(data, &m, b); err != nil {
		return nil, err
	}
	return &train.Part{
		Actions: actions(m.Actions), LogProbs: numbers(m.LogProbs), Values: numbers(m.Values), Logits: numbers(m.Logits), Next: numbers(m.Next),
		Cut: m.Cut, Choices: m.Choices, Hashes: m.Hashes,
	}, nil
}

func appendActions(b []byte, list []engine.Action) []byte {
	b = slices.Grow(b, 2*len(list))
	for _, a := range list {
		b = binary.AppendUvarint(b, uint64(a))
	}
	return b
}

// actions reads what appendActions has written, up to the first byte that makes none.
func actions(data []byte) []engine.Action {
	list := make([]engine.Action, 0, len(data))
	for len(data) > 0 {
		a, n := binary.Uvarint(data)
		if n <= 0 || a > math.MaxInt32 {
			break
		}
		list, data = append(list, engine.Action(a)), data[n:]
	}
	return list
}

func appendNumbers(b []byte, list []float32) []byte {
	b = slices.Grow(b, 4*len(list))
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// numbers reads what appendNumbers has written; bytes that are left over make no number.
func numbers(data []byte) []float32 {
	if len(data) == 0 {
		return nil
	}
	list := make([]float32, len(data)/4)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return list
}
