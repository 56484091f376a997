package checkpoints

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// zooPrefix begins a reference to a checkpoint that ships with the program.
const zooPrefix = "zoo:"

// zooFolder is where UseZoo has said that the zoo is, nil for what the build has brought.
var zooFolder atomic.Pointer[string]

// UseZoo has the checkpoints that ship with the program read from a folder, one checkpoint a
// folder in it: a library has no place of its own to look for them.
func UseZoo(folder string) { zooFolder.Store(&folder) }

// zoo returns the directory of checkpoints.
func zoo() fs.FS {
	if folder := zooFolder.Load(); folder != nil {
		return os.DirFS(*folder)
	}
	return shippedZoo()
}

// Zoo returns the names of the checkpoints that ship with the program, none where the folder
// is missing that they should lie in.
func Zoo() []string {
	names, err := shipped(zoo())
	if err != nil {
		panic(err) // a folder that is there can be listed
	}
	return names
}

func shipped(fsys fs.FS) ([]string, error) {
	names, err := list(fsys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

// ZooManifest reads the manifest of a checkpoint that ships with the program, and nothing of
// its weights: which game it was trained for costs little to ask.
func ZooManifest(name string) (*Manifest, error) {
	sub, err := zooSub(zoo(), name)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(sub)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", zooPrefix, name, err)
	}
	return m, nil
}

// openZoo reads one of them.
func openZoo(fsys fs.FS, name string) (*Checkpoint, error) {
	sub, err := zooSub(fsys, name)
	if err != nil {
		return nil, err
	}
	c, err := Read(sub)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", zooPrefix, name, err)
	}
	return c, nil
}

// zooSub returns the directory of one of them.
func zooSub(fsys fs.FS, name string) (fs.FS, error) {
	names, err := shipped(fsys)
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
	return fs.Sub(fsys, name)
}
