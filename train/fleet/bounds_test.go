package fleet

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"powderkeg/train"
	"powderkeg/train/job"
)

// list is a list in MessagePack of n times a value.
func list(n int, value ...byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n)), bytes.Repeat(value, n)...)
}

// under is a map in MessagePack of one key.
func under(key string, value []byte) []byte {
	return append(append([]byte{0x81, 0xa0 | byte(len(key))}, key...), value...)
}

// TestMessagesAreBoundedBeforeTheyAreDecoded: whoever sends what, to whomever, gets an error
// for it, and no memory that grows faster than what was sent.
func TestMessagesAreBoundedBeforeTheyAreDecoded(t *testing.T) {
	limits, _ := partLimits(train.PartShape{Steps: 128, Seats: 2}, 64)
	packed := func(v any, b bounds) func([]byte) error {
		return func(data []byte) error { return unpack(encoder.EncodeAll(data, nil), v, b) }
	}
	nested := append(bytes.Repeat([]byte{0x91}, 6<<20), 0xc0)
	hostile := map[string]func(key string) []byte{
		"nested lists under an unknown key":     func(string) []byte { return under("nobody", nested) },
		"nested maps under an unknown key":      func(string) []byte { return under("nobody", append(bytes.Repeat([]byte{0x81, 0xa0}, 3<<20), 0xc0)) },
		"nested lists":                          func(string) []byte { return nested },
		"nested lists under a known key":        func(key string) []byte { return under(key, nested) },
		"tiny strings under a known key":        func(key string) []byte { return under(key, list(12<<20, 0xa0)) },
		"tiny strings under an unknown key":     func(string) []byte { return under("nobody", list(12<<20, 0xa0)) },
		"empty maps under a known key":          func(key string) []byte { return under(key, list(12<<20, 0x80)) },
		"a list that says it is huge":           func(key string) []byte { return under(key, []byte{0xdd, 0xff, 0xff, 0xff, 0xff, 0xa0}) },
		"a map that says it is huge":            func(key string) []byte { return under(key, []byte{0xdf, 0xff, 0xff, 0xff, 0xff, 0xa0}) },
		"bytes that say they are huge":          func(key string) []byte { return under(key, []byte{0xc6, 0xff, 0xff, 0xff, 0xff, 0}) },
		"an extension that says that it is one": func(key string) []byte { return under(key, []byte{0xc9, 0xff, 0xff, 0xff, 0xff, 0, 0}) },
		"a value after the end":                 func(string) []byte { return []byte{0xc0, 0xc0} },
		"half a value":                          func(string) []byte { return []byte{0xcf, 1} },
		"nothing":                               func(string) []byte { return nil },
		"no value":                              func(string) []byte { return []byte{0xc1} },
	}
	for name, to := range map[string]struct {
		key    string
		decode func([]byte) error
	}{
		"part":   {"Choices", func(data []byte) error { _, err := unpackPart(data, limits); return err }},
		"task":   {"Slots", packed(new(train.Task), taskBounds)},
		"job":    {"Blobs", packed(new(job.Job), jobBounds)},
		"result": {"x", packed(new([]byte), resultBounds)},
	} {
		for what, make := range hostile {
			data := make(to.key)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := to.decode(data)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, errMessage) {
				t.Errorf("%s: %s: error %v", name, what, err)
			}
			// What is packed is packed here, and unpacked, before it is looked at.
			if took := after.TotalAlloc - before.TotalAlloc; took > uint64(4*len(data)+1<<20) {
				t.Errorf("%s: %s: %d bytes take %d", name, what, len(data), took)
			}
		}
	}
	// What is said in JSON is read by a decoder that has a bound of depth, out of messages of 1 MB.
	deep := []byte(`{"nobody":` + strings.Repeat("[", 500_000))
	for name, v := range map[string]any{"announcement": new(Announcement), "report": new(Report), "lease": new(holder)} {
		if err := json.Unmarshal(deep, v); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestMessagesDoNotUnfoldWithoutEnd: some kB would be a gigabyte.
func TestMessagesDoNotUnfoldWithoutEnd(t *testing.T) {
	plain := append([]byte{0xc6, 0x04, 0, 0, 0}, make([]byte, 64<<20)...) // 64 MiB of zeroes
	bomb := encoder.EncodeAll(plain, nil)
	var result []byte
	if err := unpack(bomb, &result, resultBounds); !errors.Is(err, errMessage) || !strings.Contains(err.Error(), "may unfold to") {
		t.Errorf("%d bytes: error %v", len(bomb), err)
	}
	small := encoder.EncodeAll(append([]byte{0xc6, 0, 0x10, 0, 0}, make([]byte, 1<<20)...), nil)
	if err := unpack(small, &result, resultBounds); err != nil || len(result) != 1<<20 {
		t.Errorf("%d bytes, error %v", len(result), err)
	}
	if err := unpack(append(small, small...), &result, resultBounds); !errors.Is(err, errMessage) {
		t.Errorf("twice: error %v", err)
	}
}

// TestBoundsKnowTheForms: what is encoded is one value, whatever it is, and is none without its
// last byte.
func TestBoundsKnowTheForms(t *testing.T) {
	for _, v := range []any{
		nil, true, 0, -1, -32, -33, 127, 128, 1 << 15, 1 << 31, 1 << 40, -1 << 40, uint64(1 << 63), float32(1), 2.5, "", strings.Repeat("x", 31),
		strings.Repeat("x", 32), strings.Repeat("x", 300), strings.Repeat("x", 70_000), []byte("x"), make([]byte, 300), make([]byte, 70_000),
		[]int{}, make([]int, 15), make([]int, 16), make([]string, 70_000), map[string]int{"a": 1}, map[string][]int{"a": {1, 2}},
		&msgpack.RawMessage{0xd4, 1, 2},
		&msgpack.RawMessage{0xd8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, &msgpack.RawMessage{0xc7, 3, 1, 2, 3, 4},
	} {
		data, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b := bounds{depth: 2, values: 100_000}
		if err := b.check(data); err != nil {
			t.Errorf("%.40v: %v", v, err)
		}
		if err := b.check(data[:len(data)-1]); err == nil {
			t.Errorf("%.40v: without its last byte there is no error", v)
		}
		if err := b.check(append(data, 0)); err == nil {
			t.Errorf("%.40v: with a byte more there is no error", v)
		}
	}
}
