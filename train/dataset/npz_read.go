//go:build !library

package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sbinet/npyio/npy"

	"powderkeg/env/file"
)

// npzReader reads all arrays of a file side by side, some rows at a time: what they unpack to
// is never there as a whole, whatever a few bytes claim to hold.
type npzReader struct {
	file   *os.File
	zip    *zip.Reader
	arrays map[string]*npyArray // that are being read, nil before the first rows
	rows   int                  // of the file
	done   int                  // rows that were read
}

// maxDirectory bounds the list of a file's arrays, of which there are some twenty.
const maxDirectory = 1 << 20

func openNPZ(path string) (reader, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	directory := &budgetAt{f, maxDirectory}
	z, err := zip.NewReader(directory, info.Size())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrCorrupt, err), f.Close())
	}
	directory.left = math.MaxInt64
	return &npzReader{file: f, zip: z}, nil
}

// budgetAt reads no more than so many bytes.
type budgetAt struct {
	below io.ReaderAt
	left  int64
}

// ReadAt implements io.ReaderAt.
func (b *budgetAt) ReadAt(p []byte, at int64) (int, error) {
	if b.left != math.MaxInt64 {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, fmt.Errorf("its directory has more than %d bytes", maxDirectory)
		}
	}
	return b.below.ReadAt(p, at)
}

func (r *npzReader) close() error {
	for _, a := range r.arrays {
		_ = a.data.Close() // of a reader, which has told of its fault
	}
	return r.file.Close()
}

func (r *npzReader) metadata() (data []byte, err error) {
	err = guarded(func() error {
		a, err := r.open(metadataArray, npyTypes[arrow.UINT8], 1, -1)
		if err != nil {
			return err
		}
		defer a.data.Close() // of a reader
		if a.rows > maxMetadata {
			return a.fault("it has %d bytes, the most is %d", a.rows, maxMetadata)
		}
		if data, err = read(a, data[:0], a.rows); err != nil {
			return err
		}
		return a.end()
	})
	return data, err
}

func (r *npzReader) next(b *Batch, p *plan) error {
	s := p.shape()
	return guarded(func() error {
		if r.arrays == nil {
			if err := r.begin(s); err != nil {
				return err
			}
		}
		if r.done == r.rows {
			for _, a := range r.arrays {
				if err := a.end(); err != nil {
					return err
				}
			}
			return io.EOF
		}
		n := min(r.rows-r.done, s.rowsAtOnce())
		r.done += n
		return r.read(b, s, n)
	})
}

// begin opens the arrays of all columns.
func (r *npzReader) begin(s shape) error {
	r.arrays = map[string]*npyArray{}
	r.rows = -1 // those of the first array, until that is known
	add := func(name, npyType string, width, rows int) error {
		a, err := r.open(name, npyType, width, rows)
		if err == nil {
			r.arrays[name] = a
			if r.rows < 0 {
				r.rows = a.rows
			}
		}
		return err
	}
	for _, c := range new(Batch).columns(s) {
		if c.kind == text {
			c = textColumn(nil)
		}
		width, rows := c.width, r.rows
		if c.kind == list {
			if err := add(c.name+offsetsSuffix, npyTypes[arrow.INT32], 1, r.rows+1); err != nil {
				return err
			}
			width, rows = 1, -1
		}
		if err := add(c.name, c.npyType(), width, rows); err != nil {
			return err
		}
	}
	if arrays := len(r.arrays) + 1; len(r.zip.File) != arrays {
		return fmt.Errorf("%w: %d arrays, want %d", ErrCorrupt, len(r.zip.File), arrays)
	}
	for name := range r.arrays {
		offsets := r.arrays[name+offsetsSuffix]
		if offsets == nil {
			continue
		}
		if first, err := read(offsets, []int32(nil), 1); err != nil {
			return err
		} else if first[0] != 0 {
			return fmt.Errorf("%w: column %s: its offsets do not ascend from 0", ErrCorrupt, name)
		}
	}
	return nil
}

// read replaces what is in b by the next n rows.
func (r *npzReader) read(b *Batch, s shape, n int) error {
	b.reset()
	for _, c := range b.columns(s) {
		var err error
		switch c.kind {
		case list:
			err = r.list(c, n, s)
		case text:
			err = r.text(b, n, s)
		default:
			err = readInto(r.arrays[c.name], c.values, n*c.width)
		}
		if err != nil {
			return err
		}
		if c.kind == flag {
			if i := slices.IndexFunc(*c.values.(*[]uint8), func(x uint8) bool { return x > 1 }); i >= 0 {
				return r.arrays[c.name].fault("row %d is neither true nor false", r.done-n+i)
			}
		}
	}
	if s.logits {
		b.markLogits(s.actions)
	}
	return nil
}

// list reads n rows of a list column and checks their offsets.
func (r *npzReader) list(c column, n int, s shape) error {
	offsets, values := r.arrays[c.name+offsetsSuffix], r.arrays[c.name]
	ends, err := read(offsets, []int32(nil), n)
	if err != nil {
		return err
	}
	first := values.read
	last := first
	for i, end := range ends {
		if int(end) < last {
			return fmt.Errorf("%w: column %s: its offsets do not ascend from 0", ErrCorrupt, c.name)
		}
		if most := s.longest(c); int(end)-last > most {
			return values.fault("row %d has %d values, the most is %d", r.done-n+i, int(end)-last, most)
		}
		last = int(end)
		*c.offsets = append(*c.offsets, int32(last-first))
	}
	return readInto(values, c.values, last-first)
}

func (r *npzReader) text(b *Batch, n int, s shape) error {
	c := textColumn(nil)
	if err := r.list(c, n, s); err != nil {
		return err
	}
	all, offsets := *c.values.(*[]uint8), *c.offsets
	for i := range n {
		row := all[offsets[i]:offsets[i+1]]
		if !utf8.Valid(row) {
			return fmt.Errorf("%w: column text: row %d is not UTF-8", ErrCorrupt, r.done-n+i)
		}
		b.Text = append(b.Text, string(row))
	}
	return nil
}

// markLogits finds the rows that have logits: the others are NaN throughout.
func (b *Batch) markLogits(width int) {
	for i := range b.Rows() {
		has := slices.ContainsFunc(b.Logits[i*width:(i+1)*width], func(x float32) bool { return !math.IsNaN(float64(x)) })
		b.HasLogits = append(b.HasLogits, one(has))
	}
}

// npyArray is an array of a file that is being read.
type npyArray struct {
	name string
	data io.ReadCloser
	rows int
	read int // numbers that were
	most int // numbers that it has
}

func (a *npyArray) fault(format string, args ...any) error {
	return arrayFault(a.name, format, args...)
}

func arrayFault(name, format string, args ...any) error {
	return fmt.Errorf("%w: array %s: %w", ErrCorrupt, name, fmt.Errorf(format, args...))
}

// open opens an array of so many rows, any number if it is negative, of width numbers of a type.
// It compares what the array says of its size with its bytes.
func (r *npzReader) open(name, npyType string, width, rows int) (*npyArray, error) {
	at := slices.IndexFunc(r.zip.File, func(f *zip.File) bool { return f.Name == name+".npy" })
	if at < 0 {
		return nil, arrayFault(name, "there is none")
	}
	entry := r.zip.File[at]
	if entry.Method != zip.Store && entry.Method != zip.Deflate {
		return nil, arrayFault(name, "it is packed by method %d; NumPy packs by %d or %d", entry.Method, zip.Store, zip.Deflate)
	}
	f, err := entry.Open()
	if err != nil {
		return nil, arrayFault(name, "%w", err)
	}
	a := &npyArray{name: name, data: f}
	if err := a.header(entry.UncompressedSize64, npyType, width, rows); err != nil {
		_ = f.Close() // of a reader, which has told of its fault
		return nil, err
	}
	return a, nil
}

// maxNPYHeader bounds the header of an array, which says its type and shape.
const maxNPYHeader = 4 << 10

// header reads the header of an array of which all is so many bytes.
func (a *npyArray) header(size uint64, npyType string, width, rows int) error {
	head := make([]byte, 12)
	if _, err := io.ReadFull(a.data, head[:10]); err != nil {
		return a.fault("%w", err)
	}
	used, length := 10, int(binary.LittleEndian.Uint16(head[8:]))
	if head[6] > 1 { // the length has four bytes
		if _, err := io.ReadFull(a.data, head[10:]); err != nil {
			return a.fault("%w", err)
		}
		used, length = 12, int(binary.LittleEndian.Uint32(head[8:]))
	}
	if length > maxNPYHeader {
		return a.fault("its header has %d bytes, the most is %d", length, maxNPYHeader)
	}
	whole := append(head[:used:used], make([]byte, length)...)
	if _, err := io.ReadFull(a.data, whole[used:]); err != nil {
		return a.fault("%w", err)
	}
	n, err := npy.NewReader(bytes.NewReader(whole))
	if err != nil {
		return a.fault("%w", err)
	}
	shape := n.Header.Descr.Shape
	if n.Header.Descr.Type != npyType || n.Header.Descr.Fortran || len(shape) != int(1+one(width > 1)) || width > 1 && shape[1] != width {
		return a.fault("it is %s of shape %v, want %s with %d columns in C order", n.Header.Descr.Type, shape, npyType, width)
	}
	if rows >= 0 && shape[0] != rows {
		return a.fault("it has %d rows, want %d", shape[0], rows)
	}
	bytes := uint64(width) * uint64(npyType[len(npyType)-1]-'0') // such as <f4
	rest := size - uint64(len(whole))
	if size < uint64(len(whole)) || shape[0] < 0 || uint64(shape[0]) > rest/bytes || uint64(shape[0])*bytes != rest {
		return a.fault("it has %d rows in %d bytes", shape[0], rest)
	}
	a.rows, a.most = shape[0], shape[0]*width
	return nil
}

// end fails unless all of the array was read, and nothing is behind it.
func (a *npyArray) end() error {
	if a.read != a.most {
		return a.fault("it has %d numbers, its rows have %d", a.most, a.read)
	}
	if n, err := a.data.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) { // with its sum
		return a.fault("behind its %d numbers: %d bytes, %w", a.most, n, err)
	}
	return nil
}

// read appends the next n numbers of an array to dst.
func read[T uint8 | int8 | int32 | int64 | uint64 | float32](a *npyArray, dst []T, n int) ([]T, error) {
	if n > a.most-a.read {
		return dst, a.fault("it has %d numbers, its rows have more", a.most)
	}
	a.read += n
	dst, part := extend(dst, n)
	if err := binary.Read(a.data, binary.LittleEndian, part); err != nil && n > 0 {
		return dst, a.fault("%w", err)
	}
	return dst, nil
}

// readInto appends the next n numbers of an array to the slice that dst points to.
func readInto(a *npyArray, dst any, n int) (err error) {
	switch dst := dst.(type) {
	case *[]float32:
		*dst, err = read(a, *dst, n)
	case *[]uint8:
		*dst, err = read(a, *dst, n)
	case *[]int8:
		*dst, err = read(a, *dst, n)
	case *[]int32:
		*dst, err = read(a, *dst, n)
	case *[]int64:
		*dst, err = read(a, *dst, n)
	case *[]uint64:
		*dst, err = read(a, *dst, n)
	}
	return err
}
