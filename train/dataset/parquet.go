//go:build !library

package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	regular "powderkeg/env/file"
)

// rowGroup is how many rows a row group has, or a whole batch if that is more: the
// writer keeps one in memory.
const rowGroup = 1 << 14

type parquetWriter struct {
	file  *pqarrow.FileWriter
	sch   *arrow.Schema
	shape shape
	rows  int // of the row group
}

func newParquetWriter(w io.Writer, c Compression, m Metadata, s shape) (writer, error) {
	boundCodecs() // before any goroutine looks for one
	codec := map[Compression]compress.Compression{Zstd: compress.Codecs.Zstd, Snappy: compress.Codecs.Snappy, None: compress.Codecs.Uncompressed}[c]
	schema := arrowSchema(m, s)
	file, err := pqarrow.NewFileWriter(schema, keepOpen{w},
		parquet.NewWriterProperties(parquet.WithCompression(codec), parquet.WithMaxRowGroupLength(math.MaxInt64), parquet.WithCreatedBy(formatVersion)),
		pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema())) // so that readers give lists of fixed size back
	if err != nil {
		return nil, err
	}
	return &parquetWriter{file: file, sch: schema, shape: s}, nil
}

// keepOpen hides Close, which the Parquet writer would call.
type keepOpen struct{ io.Writer }

// write keeps a batch in one row group: where WriteBuffered cuts a record in two,
// arrow-go 18.8.0 writes wrong numbers for its lists of fixed size.
func (w *parquetWriter) write(b *Batch) error {
	if w.rows += b.Rows(); w.rows > rowGroup {
		if err := w.file.NewBufferedRowGroupChecked(); err != nil {
			return err
		}
		w.rows = b.Rows()
	}
	return w.file.WriteBuffered(record(w.sch, b, w.shape))
}

func (w *parquetWriter) close() error { return w.file.Close() }

type parquetReader struct {
	file    *file.Reader
	memory  *bounded
	records pqarrow.RecordReader // nil before the first
}

// Bounds of parts of a Parquet file, in bytes. The writer makes pages of one MiB, or of a row,
// and a footer of some kB and twice the metadata.
const (
	maxPage   = 16 << 20
	maxFooter = 4 * maxMetadata
)

func openParquet(path string) (reader, error) {
	boundCodecs()
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	memory := newBounded(openBudget)
	props := parquet.NewReaderProperties(memory)
	props.BufferedStreamEnabled = true // rather than read whole columns
	props.MaxCompressedPageSize, props.MaxUncompressedPageSize = maxPage, maxPage
	err = checkFooter(f)
	var r *file.Reader
	if err == nil {
		r, err = file.NewParquetReader(f, file.WithReadProps(props))
	}
	if err == nil {
		err = checkColumns(r.MetaData())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrCorrupt, err), f.Close())
	}
	return &parquetReader{file: r, memory: memory}, nil
}

// checkFooter bounds the part at the end of a file that tells of the others, whose length stands
// behind it with four letters.
func checkFooter(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var tail [8]byte
	if _, err := f.ReadAt(tail[:], info.Size()-int64(len(tail))); err != nil {
		return err
	}
	if n := binary.LittleEndian.Uint32(tail[:]); n > maxFooter {
		return fmt.Errorf("its footer has %d bytes, the most is %d", n, maxFooter)
	}
	return nil
}

// checkColumns refuses columns that are packed as this program packs none.
func checkColumns(m *metadata.FileMetaData) error {
	for i := range m.RowGroups {
		group := m.RowGroup(i)
		for j := range group.NumColumns() {
			column, err := group.ColumnChunk(j)
			if err != nil {
				return err
			}
			switch c := column.Compression(); c {
			case compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd:
			default:
				return fmt.Errorf("a column is packed by %s; datasets have %s", c, joined(Parquet.Compressions()))
			}
		}
	}
	return nil
}

// open begins to read rows. The library believes the Arrow schema that a file carries, and
// may run out of memory over a damaged one, so this one has to be what its metadata lead to.
func (r *parquetReader) open() error {
	data, err := r.metadata()
	if err != nil {
		return err
	}
	m, p, err := parseMetadata(data)
	if err != nil {
		return err
	}
	var empty bytes.Buffer
	w, err := newParquetWriter(&empty, None, *m, p.shape())
	if err != nil {
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	same, err := file.NewParquetReader(bytes.NewReader(empty.Bytes()))
	if err != nil {
		return err
	}
	const key = "ARROW:schema"
	have, want := r.file.MetaData().KeyValueMetadata().FindValue(key), same.MetaData().KeyValueMetadata().FindValue(key)
	if have == nil || *have != *want {
		return fmt.Errorf("%w: its Arrow schema is not that of a dataset", ErrCorrupt)
	}
	rows, err := pqarrow.NewFileReader(r.file, pqarrow.ArrowReadProperties{BatchSize: int64(p.shape().rowsAtOnce())}, r.memory)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if r.records, err = rows.GetRecordReader(context.Background(), nil, nil); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

func (r *parquetReader) metadata() ([]byte, error) {
	text := r.file.MetaData().KeyValueMetadata().FindValue(metadataKey)
	if text == nil {
		return nil, fmt.Errorf("%w: its metadata has no %q", ErrCorrupt, metadataKey)
	}
	return []byte(*text), nil
}

func (r *parquetReader) next(b *Batch, p *plan) error {
	return guarded(func() error {
		r.memory.refill(p.rowsBudget())
		if r.records == nil {
			if err := r.open(); err != nil {
				return err
			}
		}
		rec, err := r.records.Read()
		if errors.Is(err, io.EOF) || err == nil && rec == nil {
			return io.EOF
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return readRecord(rec, b, p.shape())
	})
}

func (r *parquetReader) close() error {
	if r.records != nil {
		r.records.Release()
	}
	return r.file.Close()
}
