//go:build zoofiles

package checkpoints

import (
	"io/fs"
	"os"
	"path/filepath"
)

// shippedZoo returns the folder zoo beside the program. Programs that ship in one package with
// the C library are built so, which saves them a second copy of every network.
func shippedZoo() fs.FS {
	program, err := os.Executable()
	if err != nil {
		program = "."
	}
	return os.DirFS(filepath.Join(filepath.Dir(program), "zoo"))
}
