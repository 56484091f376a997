//go:build !library

package dataset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"powderkeg/env/file"
)

// metadataKey is where Arrow and Parquet files have the JSON of Metadata.
const metadataKey = "powderkeg"

// numbers returns the Arrow type of a slice of numbers, and its memory.
func numbers(values any) (arrow.DataType, []byte) {
	switch v := values.(type) {
	case *[]float32:
		return arrow.PrimitiveTypes.Float32, arrow.GetBytes(*v)
	case *[]uint8:
		return arrow.PrimitiveTypes.Uint8, *v
	case *[]int8:
		return arrow.PrimitiveTypes.Int8, arrow.GetBytes(*v)
	case *[]int32:
		return arrow.PrimitiveTypes.Int32, arrow.GetBytes(*v)
	case *[]int64:
		return arrow.PrimitiveTypes.Int64, arrow.GetBytes(*v)
	case *[]uint64:
		return arrow.PrimitiveTypes.Uint64, arrow.GetBytes(*v)
	}
	panic(fmt.Sprintf("dataset: a column of %T", values))
}

// dataType is the Arrow type of a column. Logits are lists rather than lists of
// fixed size, since Parquet readers differ over absent ones of these.
func (c column) dataType() arrow.DataType {
	switch c.kind {
	case text:
		return arrow.BinaryTypes.String
	case flag:
		return arrow.FixedWidthTypes.Boolean
	}
	t, _ := numbers(c.values)
	switch c.kind {
	case fixed:
		return arrow.FixedSizeListOfNonNullable(int32(c.width), t)
	case list, optional:
		return arrow.ListOfNonNullable(t)
	default:
		return t
	}
}

func arrowSchema(m Metadata, s shape) *arrow.Schema {
	var fields []arrow.Field
	for _, c := range new(Batch).columns(s) {
		fields = append(fields, arrow.Field{Name: c.name, Type: c.dataType(), Nullable: c.kind == optional})
	}
	meta := arrow.NewMetadata([]string{metadataKey}, []string{string(encode(m))})
	return arrow.NewSchema(fields, &meta)
}

// record lays an Arrow record over the batch's own memory, as long as which it is
// valid. Text, flags and logits are copied.
func record(schema *arrow.Schema, b *Batch, s shape) arrow.RecordBatch {
	var arrays []arrow.Array
	for _, c := range b.columns(s) {
		arrays = append(arrays, b.array(c))
	}
	return array.NewRecordBatch(schema, arrays, int64(b.Rows()))
}

func (b *Batch) array(c column) arrow.Array {
	n := b.Rows()
	switch c.kind {
	case text:
		builder := array.NewStringBuilder(memory.DefaultAllocator)
		builder.AppendValues(b.Text, nil)
		return builder.NewArray()
	case flag:
		builder := array.NewBooleanBuilder(memory.DefaultAllocator)
		for _, yes := range *c.values.(*[]uint8) {
			builder.Append(yes == 1)
		}
		return builder.NewArray()
	case optional:
		return b.logitsArray(c)
	}
	t, bytes := numbers(c.values)
	flat := array.NewData(t, len(bytes)/(t.(arrow.FixedWidthDataType).BitWidth()/8), []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
	switch c.kind {
	case fixed:
		return array.NewFixedSizeListData(array.NewData(c.dataType(), n, []*memory.Buffer{nil}, []arrow.ArrayData{flat}, 0, 0))
	case list:
		offsets := memory.NewBufferBytes(arrow.GetBytes(*c.offsets))
		return array.NewListData(array.NewData(c.dataType(), n, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{flat}, 0, 0))
	default:
		return array.MakeFromData(flat)
	}
}

func (b *Batch) logitsArray(c column) arrow.Array {
	builder := array.NewListBuilderWithField(memory.DefaultAllocator, c.dataType().(*arrow.ListType).ElemField())
	values := builder.ValueBuilder().(*array.Float32Builder)
	for i, has := range b.HasLogits {
		builder.Append(has == 1)
		if has == 1 {
			values.AppendValues(b.Logits[i*c.width:(i+1)*c.width], nil)
		}
	}
	return builder.NewArray()
}

// readRecord puts the rows of a record into b.
func readRecord(rec arrow.RecordBatch, b *Batch, s shape) error {
	b.reset()
	columns := b.columns(s)
	if int(rec.NumCols()) != len(columns) {
		return fmt.Errorf("%w: %d columns, want %d", ErrCorrupt, rec.NumCols(), len(columns))
	}
	for _, c := range columns {
		at := rec.Schema().FieldIndices(c.name)
		if len(at) != 1 {
			return fmt.Errorf("%w: %d columns %q, want one", ErrCorrupt, len(at), c.name)
		}
		a := rec.Column(at[0])
		if int64(a.Len()) != rec.NumRows() {
			return fmt.Errorf("%w: column %s: %d rows, want %d", ErrCorrupt, c.name, a.Len(), rec.NumRows())
		}
		if err := b.readColumn(c, a); err != nil {
			return fmt.Errorf("%w: column %s: %w", ErrCorrupt, c.name, err)
		}
	}
	return nil
}

var errNull = errors.New("a value is absent")

func (b *Batch) readColumn(c column, a arrow.Array) error {
	if c.kind == optional {
		return b.readLogits(c, a)
	}
	if a.NullN() > 0 {
		return errNull
	}
	n := a.Len()
	switch a := a.(type) {
	case *array.String:
		if c.kind != text {
			break
		}
		for i := range n {
			b.Text = append(b.Text, a.Value(i))
		}
		return nil
	case *array.Boolean:
		if c.kind != flag {
			break
		}
		flags := c.values.(*[]uint8)
		for i := range n {
			*flags = append(*flags, one(a.Value(i)))
		}
		return nil
	case *array.FixedSizeList:
		if c.kind != fixed || a.DataType().(*arrow.FixedSizeListType).Len() != int32(c.width) {
			break
		}
		return appendNumbers(c.values, a.ListValues(), a.Data().Offset()*c.width, n*c.width)
	case *array.List:
		if c.kind != list {
			break
		}
		first, last := spanOf(a)
		for i := range n {
			_, end := a.ValueOffsets(i)
			*c.offsets = append(*c.offsets, int32(end-first))
		}
		if !slices.IsSorted(*c.offsets) {
			return errors.New("its offsets do not ascend")
		}
		return appendNumbers(c.values, a.ListValues(), int(first), int(last-first))
	default:
		if c.kind == scalar {
			return appendNumbers(c.values, a, 0, n)
		}
	}
	return fmt.Errorf("it is %s, want %s", a.DataType(), c.dataType())
}

// spanOf returns where the values of all rows begin and end.
func spanOf(a *array.List) (first, last int64) {
	if a.Len() == 0 {
		return 0, 0
	}
	first, _ = a.ValueOffsets(0)
	_, last = a.ValueOffsets(a.Len() - 1)
	return first, last
}

func (b *Batch) readLogits(c column, a arrow.Array) error {
	l, ok := a.(*array.List)
	if !ok {
		return fmt.Errorf("it is %s, want %s", a.DataType(), c.dataType())
	}
	for i := range l.Len() {
		if l.IsNull(i) {
			b.HasLogits = append(b.HasLogits, 0)
			b.Logits = append(b.Logits, slices.Repeat([]float32{nan}, c.width)...)
			continue
		}
		first, last := l.ValueOffsets(i)
		if last-first != int64(c.width) {
			return fmt.Errorf("row %d has %d numbers, want %d", i, last-first, c.width)
		}
		b.HasLogits = append(b.HasLogits, 1)
		if err := appendNumbers(c.values, l.ListValues(), int(first), c.width); err != nil {
			return err
		}
	}
	return nil
}

// appendNumbers appends n values of a, from the given one on, to the slice that
// dst points to.
func appendNumbers(dst any, a arrow.Array, from, n int) error {
	t, _ := numbers(dst)
	if !arrow.TypeEqual(a.DataType(), t) {
		return fmt.Errorf("it has %s, want %s", a.DataType(), t)
	}
	if a.NullN() > 0 {
		return errNull
	}
	if n < 0 || from < 0 || a.Len() < from+n {
		return fmt.Errorf("it has %d values, want %d", a.Len(), from+n)
	}
	switch dst := dst.(type) {
	case *[]float32:
		*dst = append(*dst, a.(*array.Float32).Float32Values()[from:from+n]...)
	case *[]uint8:
		*dst = append(*dst, a.(*array.Uint8).Uint8Values()[from:from+n]...)
	case *[]int8:
		*dst = append(*dst, a.(*array.Int8).Int8Values()[from:from+n]...)
	case *[]int32:
		*dst = append(*dst, a.(*array.Int32).Int32Values()[from:from+n]...)
	case *[]int64:
		*dst = append(*dst, a.(*array.Int64).Int64Values()[from:from+n]...)
	case *[]uint64:
		*dst = append(*dst, a.(*array.Uint64).Uint64Values()[from:from+n]...)
	}
	return nil
}

// metadataOf returns the JSON of Metadata in a schema's metadata.
func metadataOf(m arrow.Metadata) ([]byte, error) {
	text, ok := m.GetValue(metadataKey)
	if !ok {
		return nil, fmt.Errorf("%w: its metadata has no %q", ErrCorrupt, metadataKey)
	}
	return []byte(text), nil
}

// arrowWriter writes the IPC file format, a record per batch.
type arrowWriter struct {
	file  *ipc.FileWriter
	sch   *arrow.Schema
	shape shape
}

func newArrowWriter(w io.Writer, c Compression, m Metadata, s shape) (writer, error) {
	schema := arrowSchema(m, s)
	options := []ipc.Option{ipc.WithSchema(schema)}
	switch c {
	case LZ4:
		options = append(options, ipc.WithLZ4())
	case Zstd:
		options = append(options, ipc.WithZstd())
	}
	file, err := ipc.NewFileWriter(w, options...)
	if err != nil {
		return nil, err
	}
	return &arrowWriter{file, schema, s}, nil
}

func (w *arrowWriter) write(b *Batch) error { return w.file.Write(record(w.sch, b, w.shape)) }

func (w *arrowWriter) close() error { return w.file.Close() }

type arrowReader struct {
	below  *os.File
	file   *ipc.FileReader
	memory *bounded
	done   int // records
}

func openArrow(path string) (reader, error) {
	f, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	// No part of a file is longer than the file.
	memory := newBounded(openBudget)
	r, err := ipc.NewFileReader(f, ipc.WithAllocator(memory), ipc.WithMetadataSizeLimit(info.Size()), ipc.WithBodySizeLimit(info.Size()))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrCorrupt, err), f.Close())
	}
	return &arrowReader{below: f, file: r, memory: memory}, nil
}

func (r *arrowReader) metadata() ([]byte, error) { return metadataOf(r.file.Schema().Metadata()) }

func (r *arrowReader) next(b *Batch, p *plan) error {
	return guarded(func() error {
		r.memory.refill(p.rowsBudget())
		if r.done == r.file.NumRecords() {
			return io.EOF
		}
		rec, err := r.file.RecordBatchAt(r.done)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		defer rec.Release()
		r.done++
		return readRecord(rec, b, p.shape())
	})
}

func (r *arrowReader) close() error { return errors.Join(r.file.Close(), r.below.Close()) }
