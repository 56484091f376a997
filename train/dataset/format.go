//go:build !library

package dataset

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"powderkeg/engine/option"
)

// Format is a kind of file; it is also the file's extension.
type Format string

const (
	Parquet Format = "parquet"
	Arrow   Format = "arrow" // the IPC file format, also known as Feather version 2
	NPZ     Format = "npz"
)

// Compression names a codec.
type Compression string

const (
	None    Compression = "none"
	Zstd    Compression = "zstd"
	Snappy  Compression = "snappy"
	LZ4     Compression = "lz4"
	Deflate Compression = "deflate"
)

// Formats lists the formats.
var Formats = []Format{Parquet, Arrow, NPZ}

// Compressions returns the codecs of a format, its default first, none for an
// unknown format.
func (f Format) Compressions() []Compression {
	switch f {
	case Parquet:
		return []Compression{Zstd, Snappy, None}
	case Arrow:
		return []Compression{LZ4, Zstd, None}
	case NPZ:
		return []Compression{Deflate, None}
	}
	return nil
}

// check says what is wrong with a format or a codec.
func (f Format) check(c Compression) error {
	if !slices.Contains(Formats, f) {
		return fmt.Errorf("%w: unknown format %q; formats: %s", option.ErrUsage, option.Shorten(string(f)), joined(Formats))
	}
	if !slices.Contains(f.Compressions(), c) {
		return fmt.Errorf("%w: %s files have no compression %q; they have %s", option.ErrUsage, f, option.Shorten(string(c)), joined(f.Compressions()))
	}
	return nil
}

func joined[T ~string](names []T) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = string(n)
	}
	return strings.Join(parts, ", ")
}

// writer writes batches to a file in one of the formats.
type writer interface {
	write(b *Batch) error
	// close writes what is left. It does not close what lies below.
	close() error
}

func newWriter(w io.Writer, f Format, c Compression, m Metadata, s shape) (writer, error) {
	switch f {
	case Parquet:
		return newParquetWriter(w, c, m, s)
	case Arrow:
		return newArrowWriter(w, c, m, s)
	default:
		return newNPZWriter(w, c, m, s), nil
	}
}

// reader reads batches from a file.
type reader interface {
	// metadata returns the JSON of Metadata.
	metadata() ([]byte, error)
	// next replaces what is in b by the next rows of the plan's shape, any number of them,
	// and returns io.EOF after the last ones.
	next(b *Batch, p *plan) error
	close() error
}

// openReader opens a file by its extension.
func openReader(path string) (r reader, err error) {
	f := Format(strings.TrimPrefix(filepath.Ext(path), "."))
	err = guarded(func() (err error) {
		switch f {
		case Parquet:
			r, err = openParquet(path)
		case Arrow:
			r, err = openArrow(path)
		case NPZ:
			r, err = openNPZ(path)
		default:
			err = fmt.Errorf("%w: %s is no file of a dataset; they end in .%s", option.ErrUsage, path, strings.ReplaceAll(joined(Formats), ", ", ", ."))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// guarded turns a panic into an error: the libraries that read these formats
// panic on some malformed files.
func guarded(read func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %s", ErrCorrupt, strings.ReplaceAll(fmt.Sprint(fault), "\n", "; "))
		}
	}()
	return read()
}
