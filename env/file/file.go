// Package file opens what is to be read: regular files, of a size that the reader bounds. A
// file may come from anybody; a named pipe in its place must not hang the program, nor a
// device fill its memory.
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	// ErrIrregular is wrapped by errors about directories, named pipes, sockets and devices
	// in the place of a file.
	ErrIrregular = errors.New("not a regular file")
	// ErrTooLong is wrapped by errors about files that are longer than their reader allows.
	ErrTooLong = errors.New("file too long")
)

// The most that files of a kind have, in bytes, each of them several times what the largest of
// this project has.
const (
	// Text is for what people write: configurations, positions, scripts.
	Text = 16 << 20
	// Report is for what programs write and people read: results, rows of tables.
	Report = 2 << 20
	// Record is for what programs write and read whole: replays, journals, policies.
	Record = 256 << 20
)

// Open opens a regular file for reading. It never waits, whatever stands at the path.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		if fault := (*fs.PathError)(nil); errors.As(err, &fault) {
			fault.Op = "open" // which is what was asked for
		}
		return nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	// Between the two calls something else may have taken its place.
	if info, err = f.Stat(); err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenFile opens a regular file to write it, as os.OpenFile does. It never waits, and truncates
// nothing else.
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	if err := CheckFile(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag|withoutWaiting, perm)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// CheckFile says what stands at a path in the place of a file. If nothing does it returns nil.
func CheckFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // which the opening of the file tells
	}
	return regular(path, info)
}

// regular says what stands at a path in the place of a file.
func regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	if kind := kind(info.Mode()); kind != "" {
		return fmt.Errorf("%s is %s, %w", path, kind, ErrIrregular)
	}
	return fmt.Errorf("%s is %w", path, ErrIrregular)
}

// kind says in words what has the mode, empty where there is no word.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return ""
}

// Read reads a regular file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	data, err := all(f, path, most)
	return data, errors.Join(err, f.Close())
}

// ReadFS is Read in a file system.
func ReadFS(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := all(f, name, most)
	return data, errors.Join(err, f.Close())
}

// all reads an open file. Its size is known before memory is taken for it.
func all(f fs.File, name string, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := regular(name, info); err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, tooLong(name, most)
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// What the kernel makes as it is read, and what is being written, says too little.
	rest, err := io.ReadAll(&limited{f, name, most, most - info.Size()})
	if err != nil {
		return nil, err
	}
	return append(data, rest...), nil
}

func tooLong(name string, most int64) error {
	return fmt.Errorf("%s: %w: more than %d bytes", name, ErrTooLong, most)
}

// ReadFrom reads a stream, such as standard input, of at most so many bytes.
func ReadFrom(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(Limited(r, name, most))
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Limited returns a reader of what r still has, of at most so many bytes. It fails where there
// are more, rather than end there. The bytes may be unpacked ones, of which a file says little.
func Limited(r io.Reader, name string, most int64) io.Reader {
	return &limited{r, name, most, most}
}

type limited struct {
	below      io.Reader
	name       string
	most, left int64
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.below.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n + int(l.left), tooLong(l.name, l.most)
	}
	return n, err
}

// folder is a directory whose files are opened by Open.
type folder struct {
	fs.ReadDirFS
	dir string
}

// FS is os.DirFS(dir) for directories that anybody may have filled: it opens directories and
// regular files alone, and never waits.
func FS(dir string) fs.FS { return folder{os.DirFS(dir).(fs.ReadDirFS), dir} }

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) {
	info, err := fs.Stat(f.ReadDirFS, name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return f.ReadDirFS.Open(name)
	}
	local, err := filepath.Localize(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	opened, err := Open(filepath.Join(f.dir, local))
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// Stat implements fs.StatFS.
func (f folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.ReadDirFS, name) }
