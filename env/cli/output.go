package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"powderkeg/env/file"
)

// Output says what is wrong with the file that a flag names for a command to write: none is
// written over, and its folder must be there, which is better said before a long computation
// than behind it. Errors wrap ErrUsage. Without a path there is nothing to say.
func Output(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := file.CheckFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUsage, flag, err)
	}
	switch _, err := os.Lstat(path); {
	case err == nil:
		return fmt.Errorf("%w: %s: %s exists already; give another name", ErrUsage, flag, path)
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s: %w", ErrUsage, flag, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUsage, flag, err)
	}
	return nil
}
