//go:build unix

package checkpoints

import (
	"os"
	"syscall"
)

// oddities make what is no file at a path.
func oddities() map[string]func(path string) error {
	return map[string]func(path string) error{
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a device":     func(path string) error { return os.Symlink("/dev/zero", path) },
		"a directory":  func(path string) error { return os.Mkdir(path, 0o755) },
	}
}
