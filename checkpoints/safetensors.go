package checkpoints

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine/option"
)

// DType is the type of a tensor's numbers, which are little-endian.
type DType string

// The types that are read and written.
const (
	F32 DType = "F32"
	F64 DType = "F64"
	I64 DType = "I64"
	U8  DType = "U8"
)

// size returns the bytes of one number, 0 for an unknown type.
func (d DType) size() int {
	switch d {
	case F64, I64:
		return 8
	case F32:
		return 4
	case U8:
		return 1
	}
	return 0
}

// Tensor is a named array in row-major order.
type Tensor struct {
	Name  string
	DType DType
	Shape []int
	Data  []byte
}

// Float32s makes a tensor of F32 numbers, which are copied.
func Float32s(name string, numbers []float32, shape ...int) Tensor {
	data := make([]byte, 4*len(numbers))
	for i, x := range numbers {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(x))
	}
	return Tensor{name, F32, shape, data}
}

// Float32s copies the numbers to dst. It fails if the tensor is not F32 of the
// given shape; dst has as many numbers as that.
func (t Tensor) Float32s(dst []float32, shape ...int) error {
	if t.DType != F32 || !slices.Equal(t.Shape, shape) {
		return fmt.Errorf("%w: tensor %s is %s%v, this network has %s%v", ErrMismatch, t.Name, t.DType, t.Shape, F32, shape)
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*i:]))
	}
	return nil
}

// Int64s makes a tensor of I64 numbers in one dimension, which are copied.
func Int64s(name string, numbers ...int64) Tensor {
	data := make([]byte, 8*len(numbers))
	for i, x := range numbers {
		binary.LittleEndian.PutUint64(data[8*i:], uint64(x))
	}
	return Tensor{name, I64, []int{len(numbers)}, data}
}

// Int64s returns the numbers of an I64 tensor in one dimension of length n.
func (t Tensor) Int64s(n int) ([]int64, error) {
	if t.DType != I64 || !slices.Equal(t.Shape, []int{n}) {
		return nil, fmt.Errorf("%w: tensor %s is %s%v, it must be %s[%d]", ErrMismatch, t.Name, t.DType, t.Shape, I64, n)
	}
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = int64(binary.LittleEndian.Uint64(t.Data[8*i:]))
	}
	return numbers, nil
}

// Find returns the tensor of that name.
func Find(tensors []Tensor, name string) (Tensor, error) {
	for _, t := range tensors {
		if t.Name == name {
			return t, nil
		}
	}
	return Tensor{}, fmt.Errorf("%w: it has no tensor %s", ErrMismatch, name)
}

// Finite fails if one of the tensor's numbers is infinite or none at all, of which no network
// is made. Errors wrap ErrCorrupt.
func (t Tensor) Finite() error {
	const exponent32, exponent64 = 0xff << 23, 0x7ff << 52 // all bits set in both kinds of such numbers
	size := t.DType.size()
	for i := 0; i+size <= len(t.Data) && size > 0; i += size {
		var x float64
		switch t.DType {
		case F32:
			bits := binary.LittleEndian.Uint32(t.Data[i:])
			if bits&exponent32 != exponent32 {
				continue
			}
			x = float64(math.Float32frombits(bits))
		case F64:
			bits := binary.LittleEndian.Uint64(t.Data[i:])
			if bits&exponent64 != exponent64 {
				continue
			}
			x = math.Float64frombits(bits)
		default:
			return nil
		}
		return fmt.Errorf("%w: tensor %s: number %d of %v is %v", ErrCorrupt, t.Name, i/size, t.Shape, x)
	}
	return nil
}

// Bounds of the header of a safetensors file, far above those of any run here: the reference
// implementation takes 100 MB, of which a reader makes gigabytes.
const (
	maxHeader     = 16 << 20
	maxTensors    = 1 << 12
	maxEntry      = 1 << 10 // bytes of JSON of a tensor
	maxDimensions = 8
	maxMetadata   = 1 << 16 // bytes of JSON
)

// metadataKey is the one key of the header that is not a tensor.
const metadataKey = "__metadata__"

// bytesOf returns the size of a tensor's data; ok is false if a dimension is
// negative or the size does not fit.
func bytesOf(d DType, shape []int) (n int, ok bool) {
	n = d.size()
	for _, dim := range shape {
		if dim < 0 || dim > 0 && n > math.MaxInt/dim {
			return 0, false
		}
		n *= dim
	}
	return n, true
}

// EncodeTensors writes the tensors in their order as a safetensors file.
func EncodeTensors(tensors []Tensor) ([]byte, error) {
	var header, data bytes.Buffer
	seen := map[string]bool{metadataKey: true}
	header.WriteByte('{')
	for i, t := range tensors {
		n, ok := bytesOf(t.DType, t.Shape)
		if t.DType.size() == 0 || !ok || n != len(t.Data) || t.Name == "" || seen[t.Name] {
			return nil, fmt.Errorf("tensor %q: %s%v with %d bytes cannot be written: the type must be F32, F64, I64 or U8, the bytes must fill the shape, "+
				"and names must differ", t.Name, t.DType, t.Shape, len(t.Data))
		}
		seen[t.Name] = true
		if i > 0 {
			header.WriteByte(',')
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&header, `%s:{"dtype":%q,"shape":[%s],"data_offsets":[%d,%d]}`, name, t.DType, joined(t.Shape), data.Len(), data.Len()+n)
		data.Write(t.Data)
	}
	header.WriteByte('}')
	// Spaces align the data to 8 bytes, so that a reader may map the file.
	for header.Len()%8 != 0 {
		header.WriteByte(' ')
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(header.Len()))
	return append(append(out, header.Bytes()...), data.Bytes()...), nil
}

func joined(shape []int) string {
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}

// entry is a tensor in the header.
type entry struct {
	DType   DType `json:"dtype"`
	Shape   []int `json:"shape"`
	Offsets []int `json:"data_offsets"`
}

// decodeTensors reads a safetensors file and returns the tensors in the order of
// their data, which aliases file. It demands that the data of the tensors tile
// the rest of the file without gap or overlap. Errors wrap ErrCorrupt.
func decodeTensors(file []byte) ([]Tensor, error) {
	if len(file) < 8 {
		return nil, fmt.Errorf("%w: safetensors: %d bytes are too few for a header", ErrCorrupt, len(file))
	}
	length := binary.LittleEndian.Uint64(file)
	if length > maxHeader || length > uint64(len(file)-8) {
		return nil, fmt.Errorf("%w: safetensors: the header claims %d bytes of the %d that follow, of which it may have %d", ErrCorrupt, length,
			len(file)-8, maxHeader)
	}
	header, data := file[8:8+length], file[8+length:]
	names, entries, err := decodeHeader(header)
	if err != nil {
		return nil, err
	}
	tensors := make([]Tensor, len(names))
	starts := make([]int, len(names))
	for i, e := range entries {
		n, ok := bytesOf(e.DType, e.Shape)
		switch {
		case e.DType.size() == 0:
			return nil, fmt.Errorf("%w: safetensors: tensor %q has type %q; this program reads F32, F64, I64 and U8", ErrCorrupt, names[i], e.DType)
		case !ok:
			return nil, fmt.Errorf("%w: safetensors: tensor %q has the impossible shape %v", ErrCorrupt, names[i], e.Shape)
		case len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > len(data):
			return nil, fmt.Errorf("%w: safetensors: tensor %q has offsets %v in %d bytes", ErrCorrupt, names[i], e.Offsets, len(data))
		case e.Offsets[1]-e.Offsets[0] != n:
			return nil, fmt.Errorf("%w: safetensors: tensor %q has %d bytes, its shape %v of %s takes %d", ErrCorrupt, names[i], e.Offsets[1]-e.Offsets[0],
				e.Shape, e.DType, n)
		}
		starts[i] = e.Offsets[0]
		tensors[i] = Tensor{names[i], e.DType, e.Shape, data[e.Offsets[0]:e.Offsets[1]:e.Offsets[1]]}
	}
	if err := tile(tensors, starts, len(data)); err != nil {
		return nil, err
	}
	return tensors, nil
}

// tile sorts the tensors by their place and checks that they fill the data.
func tile(tensors []Tensor, starts []int, size int) error {
	order := make([]int, len(tensors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if starts[a] != starts[b] {
			return starts[a] - starts[b]
		}
		return len(tensors[a].Data) - len(tensors[b].Data) // empty ones first
	})
	sorted, at := make([]Tensor, 0, len(tensors)), 0
	for _, i := range order {
		if starts[i] != at {
			return fmt.Errorf("%w: safetensors: tensor %q starts at byte %d, the one before it ends at %d", ErrCorrupt, tensors[i].Name, starts[i], at)
		}
		at += len(tensors[i].Data)
		sorted = append(sorted, tensors[i])
	}
	if at != size {
		return fmt.Errorf("%w: safetensors: the tensors have %d bytes of the %d that follow the header", ErrCorrupt, at, size)
	}
	copy(tensors, sorted)
	return nil
}

// decodeHeader reads the JSON object token by token, since a map would hide
// names that come twice.
func decodeHeader(header []byte) (names []string, entries []entry, err error) {
	bad := func(err error) error { return fmt.Errorf("%w: safetensors: header: %s", ErrCorrupt, plain(err)) }
	d := json.NewDecoder(bytes.NewReader(header))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, bad(fmt.Errorf("it must be a JSON object"))
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, bad(err)
		}
		name, ok := t.(string)
		if !ok || seen[name] {
			return nil, nil, bad(fmt.Errorf("key %v is not a name or comes twice", t))
		}
		seen[name] = true
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			return nil, nil, bad(err)
		}
		if name == metadataKey {
			if err := checkMetadata(text); err != nil {
				return nil, nil, bad(err)
			}
			continue
		}
		e, err := decodeEntry(text)
		if err == nil && len(entries) == maxTensors {
			err = fmt.Errorf("it is one of more than %d", maxTensors)
		}
		if err != nil {
			return nil, nil, bad(fmt.Errorf("tensor %q: %w", option.Shorten(name), err))
		}
		names, entries = append(names, name), append(entries, e)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, bad(err)
	}
	if rest := bytes.TrimRight(header[d.InputOffset():], " "); len(rest) > 0 {
		return nil, nil, bad(fmt.Errorf("%d bytes follow the object", len(rest)))
	}
	return names, entries, nil
}

// decodeEntry reads what the header says of a tensor.
func decodeEntry(text json.RawMessage) (e entry, err error) {
	if len(text) > maxEntry {
		return e, fmt.Errorf("%d bytes describe it, the most is %d", len(text), maxEntry)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, errors.New(plain(err))
	}
	if len(e.Shape) > maxDimensions {
		return e, fmt.Errorf("it has %d dimensions, the most is %d", len(e.Shape), maxDimensions)
	}
	return e, nil
}

// checkMetadata reads the texts by names that a header may have, which mean nothing here.
func checkMetadata(text json.RawMessage) error {
	if len(text) > maxMetadata {
		return fmt.Errorf("%d bytes of metadata, the most is %d", len(text), maxMetadata)
	}
	var ignored map[string]string
	if err := json.Unmarshal(text, &ignored); err != nil {
		return errors.New(plain(err))
	}
	return nil
}
