//go:build !zoofiles

package checkpoints

import (
	"embed"
	"io/fs"
)

//go:embed zoo
var zooFiles embed.FS

// shippedZoo returns the embedded directory.
func shippedZoo() fs.FS {
	sub, err := fs.Sub(zooFiles, "zoo")
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}
