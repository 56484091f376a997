package serve_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"

	"powderkeg/serve"
)

// TestMain lets the test binary stand in for the powderkeg command: the tests
// of the Python client start it with "serve --until-eof --listen ADDRESS".
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && slices.Equal(os.Args[1:4], []string{"serve", "--until-eof", "--listen"}) {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		ctx, end := serve.UntilEOF(ctx, os.Stdin)
		defer end()
		if err := serve.Run(ctx, serve.Config{Listen: []string{os.Args[4]}, Server: config()}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
