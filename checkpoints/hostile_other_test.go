//go:build !unix

package checkpoints

import "os"

// oddities make what is no file at a path.
func oddities() map[string]func(path string) error {
	return map[string]func(path string) error{"a directory": func(path string) error { return os.Mkdir(path, 0o755) }}
}
