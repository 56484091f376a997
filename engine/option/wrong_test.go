package option

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestWrongUsageIsSaidOnce(t *testing.T) {
	inner := fmt.Errorf("%w: no agent", ErrUsage)
	err := Wrong(fmt.Errorf("file: %w", errors.Join(Wrong(inner), io.EOF)))
	if got := err.Error(); got != "wrong usage: file: no agent\nEOF" {
		t.Errorf("the error is %q", got)
	}
	if !errors.Is(err, ErrUsage) || !errors.Is(err, io.EOF) || !errors.Is(err, inner) {
		t.Error("what it wraps is lost")
	}
	if Wrong(nil) != nil {
		t.Error("no error became one")
	}
}
