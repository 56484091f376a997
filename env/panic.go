package env

import (
	"fmt"
	"runtime/debug"

	"powderkeg/engine"
)

// Panic is the error of a rules engine that broke down. The state it worked on may be
// in any condition; the program and all other states are sound.
type Panic struct {
	Game  string // game string
	Value any    // what the engine panicked with
	Stack []byte // of the goroutine
}

// Error says which game broke down and why, in one line.
func (p *Panic) Error() string {
	return fmt.Sprintf("env: the engine of %s broke down: %v", p.Game, p.Value)
}

// Recover turns a panic into a *Panic in *err, so that an engine that breaks down
// costs its environment and not the process. It must be deferred itself.
func Recover(g engine.Game, err *error) {
	if v := recover(); v != nil {
		*err = &Panic{Game: g.Spec().Text, Value: v, Stack: debug.Stack()}
	}
}
