package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"powderkeg/engine/option"
	"powderkeg/env/record"

	"github.com/spf13/cobra"
)

// recordKey is that of what a command has found in its context.
type recordKey struct{}

// Recorded gives a command that measures the flag --record, the file for a record of what it finds
// (package env/record), which the command says by Found. The file is tried before the command begins.
func Recorded(c *cobra.Command) *cobra.Command {
	file := ""
	c.Flags().StringVar(&file, "record", "", "file for a record of the measurement (JSON): command, commit, versions, figures, processor time")
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if file == "" {
			return run(c, args)
		}
		if err := Output("--record", file); err != nil {
			return err
		}
		watch, err := record.Begin()
		if err != nil {
			return option.Wrong(fmt.Errorf("--record: %w", err))
		}
		var found *record.Found
		c.SetContext(context.WithValue(c.Context(), recordKey{}, &found))
		if err := run(c, args); err != nil {
			return err
		}
		if found == nil {
			return fmt.Errorf("%w: --record: nothing was measured, and %s was not written", ErrUsage, file)
		}
		return keepRecord(watch, *found, file)
	}
	return c
}

// Found says what a command has found. It does nothing without --record.
func Found(c *cobra.Command, f record.Found) {
	if to, ok := c.Context().Value(recordKey{}).(**record.Found); ok {
		*to = &f
	}
}

// keepRecord writes the record of a measurement into a file that is not there yet.
func keepRecord(watch *record.Watch, f record.Found, file string) error {
	r, err := watch.End(f, Typed("", os.Args[1:]...), file)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	if err := errors.Join(r.Write(out), out.Close()); err != nil {
		return errors.Join(fmt.Errorf("--record: %w", err), os.Remove(file)) // half a record is none
	}
	return nil
}
