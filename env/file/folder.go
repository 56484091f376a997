package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"powderkeg/engine/option"
)

// CheckFolder reports what keeps a folder from being at path, or from being made there: a file
// in its place or in that of a folder above it, or a symbolic link that leads nowhere. Errors
// wrap option.ErrUsage. It makes nothing.
func CheckFolder(path string) error {
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		if err == nil {
			if info.IsDir() {
				return nil
			}
			return fmt.Errorf("%w: %s is %s, not a folder; name another folder", option.ErrUsage, p, kind(info.Mode()))
		}
		if target, fault := os.Readlink(p); fault == nil {
			if errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%w: %s is a symbolic link to %s, which does not exist; make that folder or name another", option.ErrUsage, p, target)
			}
			return fmt.Errorf("%w: %s is a symbolic link to %s, which leads to no folder; name another folder", option.ErrUsage, p, target)
		}
		if p == filepath.Dir(p) {
			return nil
		}
	}
}

// MakeFolder makes a folder and those above it that are not there. Errors about the path wrap
// option.ErrUsage.
func MakeFolder(path string) error {
	if err := CheckFolder(path); err != nil {
		return err
	}
	err := os.MkdirAll(path, 0o777)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.EROFS) {
		return option.Wrong(fmt.Errorf("%w; name another folder", err))
	}
	return err
}
