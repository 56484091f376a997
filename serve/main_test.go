package serve_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"powderkeg/serve"
)

// TestMain lets the test binary stand in for the powderkeg command: the tests
// of the Python client start it with "serve --listen ADDRESS".
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "serve" && os.Args[2] == "--listen" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := serve.Run(ctx, serve.Config{Listen: []string{os.Args[3]}, Server: config()}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
