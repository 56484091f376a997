//go:build !library

package dataset

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// The arrays of an NPZ file are the columns. A list is two arrays, NAME and
// NAME_offsets: row i has NAME[NAME_offsets[i]:NAME_offsets[i+1]]. Text is such a
// list of UTF-8 bytes, and the metadata are bytes too.
const (
	offsetsSuffix = "_offsets"
	metadataArray = "metadata"
)

// npzWriter keeps a file's rows and writes them at its end: an array has its
// length in front.
type npzWriter struct {
	zip    *zip.Writer
	method uint16
	meta   Metadata
	shape  shape
	all    Batch
	text   int // bytes
}

func newNPZWriter(w io.Writer, c Compression, m Metadata, s shape) writer {
	method := zip.Store
	if c == Deflate {
		method = zip.Deflate
	}
	n := &npzWriter{zip: zip.NewWriter(w), method: method, meta: m, shape: s}
	n.all.reset()
	return n
}

func (w *npzWriter) write(b *Batch) error {
	for _, t := range b.Text {
		w.text += len(t)
	}
	// the range of offsets
	if max(w.text, len(w.all.Chance.Values)+len(b.Chance.Values), len(w.all.Finals.Values)+len(b.Finals.Values)) > math.MaxInt32 {
		return errors.New("more than 2147483647 bytes of text, outcomes of chance or numbers of final observations in a file; make the shards smaller")
	}
	w.all.add(b)
	return nil
}

func (w *npzWriter) close() error {
	if err := w.array(metadataArray, npyTypes[arrow.UINT8], 1, pointer(encode(w.meta))); err != nil {
		return err
	}
	for _, c := range w.all.columns(w.shape) {
		if c.kind == text {
			c = textColumn(w.all.Text)
		}
		if err := w.array(c.name, c.npyType(), max(c.width, 1), c.values); err != nil {
			return err
		}
		if c.offsets != nil {
			if err := w.array(c.name+offsetsSuffix, npyTypes[arrow.INT32], 1, c.offsets); err != nil {
				return err
			}
		}
	}
	return w.zip.Close()
}

func pointer[T any](v T) *T { return &v }

// textColumn is the list of bytes that strings become.
func textColumn(rows []string) column {
	var bytes []uint8
	offsets := []int32{0}
	for _, t := range rows {
		bytes = append(bytes, t...)
		offsets = append(offsets, int32(len(bytes)))
	}
	return column{"text", list, 0, &bytes, &offsets}
}

// array writes a slice of numbers as rows of width numbers of a type, in version 1.0 of
// the NPY format. A width of 1 makes a one-dimensional array. Package npy of npyio,
// which reads it back, would visit each number by reflection to write two
// dimensions.
func (w *npzWriter) array(name, npyType string, width int, values any) error {
	f, err := w.zip.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: w.method})
	if err != nil {
		return err
	}
	t, data := numbers(values)
	size := t.(arrow.FixedWidthDataType).BitWidth() / 8
	rows := len(data) / size / width
	dims := fmt.Sprintf("(%d,)", rows)
	if width > 1 {
		dims = fmt.Sprintf("(%d, %d)", rows, width)
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", npyType, dims)
	const before = 10                                  // bytes of magic, version and length
	length := (before+len(header)+1+63)/64*64 - before // aligns the numbers to 64 bytes
	head := append([]byte("\x93NUMPY"), 1, 0, 0, 0)
	binary.LittleEndian.PutUint16(head[8:], uint16(length))
	head = fmt.Appendf(head, "%-*s\n", length-1, header)
	if _, err := f.Write(head); err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}

var npyTypes = map[arrow.Type]string{
	arrow.BOOL: "|b1", arrow.FLOAT32: "<f4", arrow.UINT8: "|u1", arrow.INT8: "|i1", arrow.INT32: "<i4", arrow.INT64: "<i8", arrow.UINT64: "<u8",
}

// npyType is how NumPy names the type of the column's numbers. A flag is a byte there too.
func (c column) npyType() string {
	if c.kind == flag {
		return npyTypes[arrow.BOOL]
	}
	t, _ := numbers(c.values)
	return npyTypes[t.ID()]
}

// add appends the rows of another batch.
func (b *Batch) add(o *Batch) {
	b.Observations, b.Masks, b.Actions = append(b.Observations, o.Observations...), append(b.Masks, o.Masks...), append(b.Actions, o.Actions...)
	b.Rewards, b.Returns, b.Actors = append(b.Rewards, o.Rewards...), append(b.Returns, o.Returns...), append(b.Actors, o.Actors...)
	b.Episodes, b.Steps, b.Seeds = append(b.Episodes, o.Episodes...), append(b.Steps, o.Steps...), append(b.Seeds, o.Seeds...)
	b.Terminated, b.Truncated, b.Hashes = append(b.Terminated, o.Terminated...), append(b.Truncated, o.Truncated...), append(b.Hashes, o.Hashes...)
	b.Opening.add(&o.Opening)
	b.Chance.add(&o.Chance)
	b.Finals.add(&o.Finals)
	b.Logits, b.HasLogits, b.Text = append(b.Logits, o.Logits...), append(b.HasLogits, o.HasLogits...), append(b.Text, o.Text...)
}

func (l *List[T]) add(o *List[T]) {
	base := int32(len(l.Values))
	l.Values = append(l.Values, o.Values...)
	for _, end := range o.Offsets[1:] {
		l.Offsets = append(l.Offsets, base+end)
	}
}
