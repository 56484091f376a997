// Package editions reads and writes the folders of editions (package engine/edition): an
// owner's own values in the place of a game's reconstructed ones.
package editions

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"powderkeg/engine"
	"powderkeg/engine/edition"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// Limits of a folder: those of the games are below a tenth of them.
const (
	maxEntries = 500
	maxBytes   = 4 << 20 // of one file
)

// Write writes a new edition of a game into a folder, which is made if it is not there and
// must be empty.
func Write(f engine.Family, folder string) error {
	files, err := edition.Files(f)
	if err != nil {
		return err
	}
	if err := file.CheckFolder(folder); err != nil {
		return err
	}
	switch there, err := os.ReadDir(folder); {
	case errors.Is(err, fs.ErrNotExist):
		if err := file.MakeFolder(folder); err != nil {
			return err
		}
	case err != nil:
		return option.Wrong(err)
	case len(there) > 0:
		return fmt.Errorf("%w: %s is not empty: it has %s; name a new folder", option.ErrUsage, folder, there[0].Name())
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(files[name])
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Read reads the edition in a folder. It is nil where the report has faults. The error is of
// a folder that cannot be read or that is none of an edition; it wraps option.ErrUsage. What
// the folder has later does not change the edition.
func Read(folder string) (*edition.Edition, edition.Report, error) {
	files, faults, err := read(folder)
	if err != nil {
		return nil, edition.Report{}, option.Wrong(err)
	}
	e, report, err := games.Edition(files)
	if err != nil {
		return nil, report, option.Wrong(fmt.Errorf("%s: %w", folder, err))
	}
	// A file that cannot be read is no missing one.
	for _, fault := range faults {
		name, _, _ := strings.Cut(fault, ":")
		report.Faults = slices.DeleteFunc(report.Faults, func(f string) bool { return f == name+": it is missing" })
	}
	if report.Faults = append(faults, report.Faults...); report.Faults != nil {
		e = nil
	}
	return e, report, nil
}

// read reads the JSON files of a folder, and says which of them cannot be.
func read(folder string) (files map[string][]byte, faults []string, err error) {
	// A named pipe would be waited for.
	if info, err := os.Stat(folder); err != nil {
		return nil, nil, err
	} else if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s is no folder", folder)
	}
	d, err := os.Open(folder)
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(maxEntries)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if len(entries) == maxEntries {
		return nil, nil, fmt.Errorf("%s has %d entries or more: it is no folder of an edition", folder, maxEntries)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	files = map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		data, err := readFile(filepath.Join(folder, name))
		switch {
		case err != nil && name == edition.ManifestName:
			return nil, nil, fmt.Errorf("%s: %s: %w", folder, name, err)
		case err != nil:
			faults = append(faults, fmt.Sprintf("%s: %v", name, err))
		default:
			files[name] = data
		}
	}
	return files, faults, nil
}

// readFile reads a file that is one: no link, by which other files could be read, and
// nothing that one has to wait for.
func readFile(path string) ([]byte, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, reason(err)
	}
	if !before.Mode().IsRegular() {
		return nil, errors.New("it is " + kind(before.Mode()) + "; put the file itself there")
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err != nil || !os.SameFile(before, opened) {
		return nil, errors.New("it was replaced while it was read")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(data) > maxBytes {
		err = fmt.Errorf("it has more than %d bytes, a data file has far fewer", maxBytes)
	}
	return data, err
}

// reason is an error without the path, which the caller names.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
