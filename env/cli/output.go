package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"powderkeg/engine/option"
	"powderkeg/env/file"
)

// Output says what is wrong with the file that a flag names for a command to write: none is
// written over, and it must be possible to make one there, which is tried, and is better said
// before a long computation than behind it. Of the try nothing stays. Errors wrap ErrUsage. Without a path there is nothing to say.
func Output(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := file.CheckFolder(filepath.Dir(path)); err != nil {
		return option.Wrong(fmt.Errorf("%s: %w", flag, err))
	}
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%w: %s: %s exists already; give another name", ErrUsage, flag, path)
	case !errors.Is(err, fs.ErrNotExist):
		return option.Wrong(fmt.Errorf("%s: %w", flag, err))
	}
	// A folder may be read-only, a disk full of names, a name none for this system.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(path))
	}
	if err != nil {
		return option.Wrong(fmt.Errorf("%s: %w", flag, err))
	}
	return nil
}
