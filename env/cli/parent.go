package cli

import (
	"context"
	"io"
)

// UntilEOF returns a context that ends when in does, with an error or without;
// what in says is ignored. The goroutine that reads it ends with in alone, since
// a read cannot be interrupted: UntilEOF is for the standard input of a process
// that has nothing else to do.
func UntilEOF(ctx context.Context, in io.Reader) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in) // its end is what matters, not the reason
		stop()
	}()
	return ctx, stop
}
