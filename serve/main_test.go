package serve_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"

	servecli "powderkeg/serve/cli"
	traincli "powderkeg/train/cli"

	"github.com/spf13/cobra"
)

// TestMain lets the test binary stand in for the powderkeg command, as far as
// the tests of the Python client use it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"serve", "match", "mcp", "export", "import-check"}, os.Args[1]) {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		command := &cobra.Command{Use: "powderkeg", SilenceErrors: true, SilenceUsage: true}
		command.AddCommand(servecli.Serve(), servecli.MCP(), traincli.Match(), traincli.Export(), traincli.ImportCheck())
		if err := command.ExecuteContext(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
