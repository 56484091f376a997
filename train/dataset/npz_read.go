package dataset

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sbinet/npyio/npy"
)

// npzReader gives all rows of a file at once.
type npzReader struct {
	zip  *zip.ReadCloser
	done bool
}

func openNPZ(path string) (reader, error) {
	z, err := zip.OpenReader(path)
	if file := (*fs.PathError)(nil); errors.As(err, &file) {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return &npzReader{zip: z}, nil
}

func (r *npzReader) close() error { return r.zip.Close() }

func (r *npzReader) metadata() (data []byte, err error) {
	err = guarded(func() error { return r.array(metadataArray, npyTypes[arrow.UINT8], 1, -1, &data) })
	return data, err
}

func (r *npzReader) next(b *Batch, s shape) error {
	if r.done {
		return io.EOF
	}
	r.done = true
	return guarded(func() error { return r.read(b, s) })
}

func (r *npzReader) read(b *Batch, s shape) error {
	b.reset()
	rows := -1 // those of the first array
	arrays := 1
	for _, c := range b.columns(s) {
		arrays++
		var err error
		switch c.kind {
		case list:
			arrays++
			err = r.list(c, rows)
		case text:
			arrays++
			err = r.text(b, rows)
		default:
			err = r.array(c.name, c.npyType(), c.width, rows, c.values)
		}
		if err != nil {
			return err
		}
		if rows < 0 {
			rows = len(b.Episodes)
		}
	}
	if len(r.zip.File) != arrays {
		return fmt.Errorf("%w: %d arrays, want %d", ErrCorrupt, len(r.zip.File), arrays)
	}
	if s.logits {
		b.markLogits(s.actions)
	}
	return nil
}

// list reads a list column and checks its offsets.
func (r *npzReader) list(c column, rows int) error {
	if err := r.array(c.name+offsetsSuffix, npyTypes[arrow.INT32], 1, rows+1, c.offsets); err != nil {
		return err
	}
	offsets := *c.offsets
	if len(offsets) == 0 || offsets[0] != 0 || !slices.IsSorted(offsets) {
		return fmt.Errorf("%w: column %s: its offsets do not ascend from 0", ErrCorrupt, c.name)
	}
	return r.array(c.name, c.npyType(), 1, int(offsets[len(offsets)-1]), c.values)
}

func (r *npzReader) text(b *Batch, rows int) error {
	c := textColumn(nil)
	if err := r.list(c, rows); err != nil {
		return err
	}
	all, offsets := *c.values.(*[]uint8), *c.offsets
	for i := range rows {
		row := all[offsets[i]:offsets[i+1]]
		if !utf8.Valid(row) {
			return fmt.Errorf("%w: column text: row %d is not UTF-8", ErrCorrupt, i)
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

// deflateRatio is more than Deflate can expand by.
const deflateRatio = 1032

// array reads an array of so many rows, any number if it is negative, of width
// numbers of a type into the slice that dst points to. It checks the array's stated size
// against its bytes before npy believes it.
func (r *npzReader) array(name, npyType string, width, rows int, dst any) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: array %s: %w", ErrCorrupt, name, fmt.Errorf(format, args...))
	}
	at := slices.IndexFunc(r.zip.File, func(f *zip.File) bool { return f.Name == name+".npy" })
	if at < 0 {
		return fail("there is none")
	}
	entry := r.zip.File[at]
	if entry.UncompressedSize64 > entry.CompressedSize64*deflateRatio+64 {
		return fail("%d bytes cannot have become %d", entry.UncompressedSize64, entry.CompressedSize64)
	}
	f, err := entry.Open()
	if err != nil {
		return fail("%w", err)
	}
	defer f.Close() // of a reader
	data, err := io.ReadAll(io.LimitReader(f, int64(entry.UncompressedSize64)+1))
	if err != nil {
		return fail("%w", err)
	}
	// npy reads numbers one by one without minding how many bytes it gets; a reader
	// over memory always gives all.
	below := bytes.NewReader(data)
	n, err := npy.NewReader(below)
	if err != nil {
		return fail("%w", err)
	}
	t, _ := numbers(dst)
	shape := n.Header.Descr.Shape
	if n.Header.Descr.Type != npyType || n.Header.Descr.Fortran || len(shape) != int(1+one(width > 1)) || width > 1 && shape[1] != width {
		return fail("it is %s of shape %v, want %s with %d columns in C order", n.Header.Descr.Type, shape, npyType, width)
	}
	if rows >= 0 && shape[0] != rows {
		return fail("it has %d rows, want %d", shape[0], rows)
	}
	size := t.(arrow.FixedWidthDataType).BitWidth() / 8 * width
	if shape[0] < 0 || shape[0] > below.Len()/size || shape[0]*size != below.Len() {
		return fail("it has %d rows in %d bytes", shape[0], below.Len())
	}
	if npyType == npyTypes[arrow.BOOL] {
		return readFlags(n, dst.(*[]uint8))
	}
	return readNumbers(n, dst)
}

// readFlags reads booleans as 0 and 1.
func readFlags(r *npy.Reader, dst *[]uint8) error {
	var flags []bool
	err := r.Read(&flags)
	*dst = nil
	for _, yes := range flags {
		*dst = append(*dst, one(yes))
	}
	return err
}

// readNumbers reads all numbers of an array. An empty one leaves dst empty.
func readNumbers(r *npy.Reader, dst any) error {
	switch dst := dst.(type) {
	case *[]float32:
		*dst = nil
	case *[]uint8:
		*dst = nil
	case *[]int8:
		*dst = nil
	case *[]int32:
		*dst = nil
	case *[]int64:
		*dst = nil
	case *[]uint64:
		*dst = nil
	}
	return r.Read(dst)
}
