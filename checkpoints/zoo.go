package checkpoints

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// zooPrefix begins a reference to a checkpoint that ships with the program.
const zooPrefix = "zoo:"

//go:embed zoo
var zooFiles embed.FS

// zoo returns the embedded directory of checkpoints.
func zoo() fs.FS {
	sub, err := fs.Sub(zooFiles, "zoo")
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}

// Zoo returns the names of the checkpoints that ship with the program.
func Zoo() []string {
	names, err := list(zoo())
	if err != nil {
		panic(err) // embedded files can be listed
	}
	return names
}

// openZoo reads one of them.
func openZoo(fsys fs.FS, name string) (*Checkpoint, error) {
	names, err := list(fsys)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(names, name) {
		choices := "it is empty in this build"
		if len(names) > 0 {
			choices = "it has " + strings.Join(names, ", ")
		}
		return nil, fmt.Errorf("%w %q in the zoo; %s", ErrNotFound, name, choices)
	}
	sub, err := fs.Sub(fsys, name)
	if err != nil {
		return nil, err
	}
	c, err := Read(sub)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", zooPrefix, name, err)
	}
	return c, nil
}
