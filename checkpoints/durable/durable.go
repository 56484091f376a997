// Package durable writes files that a kill, a full disk or a loss of power at any
// moment leaves whole or as they were before.
package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"powderkeg/env/file"
)

// Suffix ends the names of files that are being written. They begin with a dot.
const Suffix = ".tmp"

// WriteFile replaces the file at path by data.
func WriteFile(path string, data []byte) error {
	return Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace replaces the file at path by what write writes: under a temporary name
// beside it, which is synced and renamed. An error leaves the file as it was. What
// is no regular file, such as a named pipe, is not replaced.
func Replace(path string, write func(io.Writer) error) error {
	if err := file.CheckFile(path); err != nil {
		return err
	}
	dir, name := filepath.Split(path)
	work := filepath.Join(dir, "."+name+Suffix)
	if err := Create(work, write); err != nil {
		return err
	}
	if err := os.Rename(work, path); err != nil {
		return errors.Join(err, os.Remove(work))
	}
	return SyncDir(filepath.Dir(path))
}

// Create writes a file under its own name and syncs it. Of one that could not be
// written nothing stays.
func Create(path string, write func(io.Writer) error) error {
	f, err := file.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// SyncDir makes the names in a directory durable. Windows has no such call and
// refuses to sync a directory.
func SyncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
