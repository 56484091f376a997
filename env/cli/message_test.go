package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine/option"
)

func TestMessages(t *testing.T) {
	usage := fmt.Errorf("%w: unknown game", ErrUsage)
	for _, c := range []struct {
		err  error
		want string
	}{
		{usage, "wrong usage: unknown game"},
		{fmt.Errorf("%w: config: %w", ErrUsage, usage), "wrong usage: config: unknown game"},
		{option.Wrong(fmt.Errorf("a.yaml: %w", errors.Join(usage, usage))), "wrong usage: a.yaml: unknown game; unknown game"},
		{fmt.Errorf("file.json: %w", usage), "wrong usage: file.json: unknown game"},
		{errors.New("two\nlines"), "two; lines"},
		{errors.New("open " + strings.Repeat("x", 100_000) + ": no"), "open " + strings.Repeat("x", 60) + "… no"},
		{fmt.Errorf("game 3: seat 0: %w", context.Canceled), "stopped"},
		{Stopped(fmt.Errorf("game 3: %w", context.Canceled), "after %d games", 3), "stopped after 3 games"},
		{Stopped(usage, "after %d games", 3), "wrong usage: unknown game"},
	} {
		if got := Message(c.err); got != c.want {
			t.Errorf("%q is printed as %q, want %q", c.err, got, c.want)
		}
	}
	long := Message(errors.New(strings.Repeat("many words ", 10_000) + "the end"))
	if len(long) > 2*mostMessage || !strings.HasSuffix(long, "the end") {
		t.Errorf("of a long error %d bytes are printed, ending in %q", len(long), long[len(long)-10:])
	}
}
