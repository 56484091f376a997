package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// finishes marks commands that Finishes was called for.
const finishes = "powderkeg/finishes"

// asks marks commands that Asks was called for.
const asks = "powderkeg/asks"

// Finishes says of a command that it has something to bring to an end when it is stopped,
// such as "saves the run after the update under way": it is then waited for, and whoever has
// stopped it is told so.
func Finishes(c *cobra.Command, how string) *cobra.Command {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[finishes] = how
	return c
}

// Asks says of a command that it asks something when a person stops it by Ctrl-C: it is then waited
// for without a word, until a second Ctrl-C. SIGTERM ends it like any other.
func Asks(c *cobra.Command) *cobra.Command {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[asks] = "true"
	return c
}

// Interrupted reports whether it was Ctrl-C that has ended the context of a command.
func Interrupted(ctx context.Context) bool {
	cause := context.Cause(ctx)
	return cause != nil && strings.HasPrefix(cause.Error(), os.Interrupt.String()) // as signal.NotifyContext says it
}

// Grace is how long a command that was stopped has to end without a word.
const Grace = time.Second

// Stopped returns the error of a command that has been stopped with how it goes on, such as
// "after generation 3; the same command goes on from there". Other errors stay as they are.
func Stopped(err error, how string, args ...any) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	return stoppedError{stopped + " " + fmt.Sprintf(how, args...), err}
}

type stoppedError struct {
	text string
	err  error
}

func (e stoppedError) Error() string { return e.text }
func (e stoppedError) Unwrap() error { return e.err }

// again says how to go on with a command that was stopped and says nothing of it itself.
const again = "nothing was kept, the same command begins anew"

// Report writes the error that a command, nil for none, has ended with.
func Report(c *cobra.Command, err error, out io.Writer) {
	text := Message(err)
	if errors.Is(err, context.Canceled) && (c == nil || c.Annotations[finishes]+c.Annotations[asks] == "") {
		text += "; " + again
	}
	fmt.Fprintln(out, "powderkeg:", text)
}

// Stopping is called when the command, nil for none yet, has been told to stop and has not
// ended within Grace. It tells whoever waits what the command is about, and reports whether
// it is to be waited for: one that keeps nothing of what it does need not finish it.
func Stopping(c *cobra.Command, out io.Writer) (wait bool) {
	if c != nil && c.Annotations[asks] != "" && Interrupted(c.Context()) {
		return true
	}
	if c == nil || c.Annotations[finishes] == "" {
		fmt.Fprintf(out, "powderkeg: %s; %s\n", stopped, again)
		return false
	}
	fmt.Fprintf(out, "powderkeg: stopping: %s %s; a second Ctrl-C or SIGTERM ends it at once\n", c.Name(), c.Annotations[finishes])
	return true
}
