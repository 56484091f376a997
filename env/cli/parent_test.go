package cli_test

import (
	"io"
	"testing"

	"powderkeg/env/cli"
)

func TestUntilEOFEndsWithItsInput(t *testing.T) {
	in, out := io.Pipe()
	ctx, stop := cli.UntilEOF(t.Context(), in)
	defer stop()
	if _, err := io.WriteString(out, "anything\n"); err != nil {
		t.Fatal(err)
	}
	if err := ctx.Err(); err != nil {
		t.Errorf("the context ended with %v while the input was open", err)
	}
	out.Close()
	<-ctx.Done()
}
