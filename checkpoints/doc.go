// Package checkpoints keeps trained networks on disk: weights as safetensors,
// beside them a JSON manifest that says what they were trained for, and all
// that a training run needs to go on. FORMAT.md describes the files.
//
//	store := checkpoints.Store{Dir: "runs/first/checkpoints"}
//	err := store.Save(&checkpoints.Checkpoint{Manifest: m, Weights: tensors})
//	c, err := checkpoints.Open("runs/first")        // its latest one
//	c, err := checkpoints.Open("zoo:jogu")          // one that ships with the program
//	err = c.Manifest.Check(checkpoints.IdentityOf(g, encoder.Layout()))
package checkpoints

import "errors"

// The sentinels of this package; each error that wraps one is a single line
// that says what is wrong and what would be right.
var (
	// ErrVersion is wrapped where the format of the files, the rules or the
	// observation has another version than this program's.
	ErrVersion = errors.New("another version")
	// ErrMismatch is wrapped where a checkpoint is sound but not for this game,
	// or is not of the kind that is asked for.
	ErrMismatch = errors.New("checkpoint does not fit")
	// ErrCorrupt is wrapped where files are damaged or malformed.
	ErrCorrupt = errors.New("corrupt checkpoint")
	// ErrNotFound is wrapped where there is no checkpoint.
	ErrNotFound = errors.New("no checkpoint")
)
