package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"powderkeg/engine/option"
)

// The most that flags take. Each is far beyond what is of use and keeps products of several
// within 64 bits; what fits into the machine's memory is another matter (package memory).
const (
	// MostGames bounds games, episodes, decisions and iterations: a thousand a second are half
	// a human life of them.
	MostGames = 1 << 40
	// MostWorkers bounds goroutines, processes and games at a time. More of them than processors
	// gain nothing, and each has tables and players of its own.
	MostWorkers = 1 << 10
	// MostSlots bounds what is held or served at once: environments, games, connections.
	MostSlots = 1 << 26
	// MostClients bounds connections that this process opens to itself, each of which takes two of
	// its files.
	MostClients = 1 << 12
	// MostRuns bounds runs, repetitions and what each has a line of output for.
	MostRuns = 1 << 20
	// MostSeconds is 115 days.
	MostSeconds = 1e7
	// LeastSeconds is the shortest time that measures anything.
	LeastSeconds = 1e-3
	// MostReplicas is how many nodes a broker may be asked to keep things on.
	MostReplicas = 5
)

const (
	boundKey  = "powderkeg/bound"
	byGameKey = "powderkeg/by-game"
)

// Bound says from what to what the number, or each of the numbers, may be that flags of a
// command take; a duration is in seconds. CheckFlags refuses others.
func Bound(c *cobra.Command, least, most float64, flags ...string) {
	text := []string{strconv.FormatFloat(least, 'g', -1, 64), strconv.FormatFloat(most, 'g', -1, 64)}
	annotate(c, boundKey, text, flags)
}

// BoundByGame says that the numbers of flags are bounded by the game, such as a seat, and are
// checked where it is known.
func BoundByGame(c *cobra.Command, flags ...string) { annotate(c, byGameKey, nil, flags) }

// annotate marks flags of a command, which looks at those that it was given before it runs.
func annotate(c *cobra.Command, key string, values, flags []string) {
	c.PreRunE = CheckFlags
	for _, name := range flags {
		if err := c.Flags().SetAnnotation(name, key, values); err != nil {
			panic(err) // a flag that the command does not have
		}
	}
}

// CheckFlags refuses numbers out of their bounds and texts without a letter among the flags
// and arguments that were given to a command, in one line.
func CheckFlags(c *cobra.Command, args []string) error {
	if err := checkArguments(c, args); err != nil {
		return err
	}
	var faults []error
	c.Flags().Visit(func(f *pflag.Flag) { faults = append(faults, checkFlag(f)) })
	err := errors.Join(faults...)
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrUsage, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// checkArguments refuses arguments without a letter, which stand for nothing.
func checkArguments(c *cobra.Command, args []string) error {
	for i, a := range args {
		if strings.TrimSpace(a) == "" {
			return fmt.Errorf("%w: argument %d is empty; usage: %s", ErrUsage, i+1, c.UseLine())
		}
	}
	return nil
}

// checkFlag reports what is wrong with the value that a flag was given.
func checkFlag(f *pflag.Flag) error {
	values := []string{f.Value.String()}
	list, ok := f.Value.(pflag.SliceValue)
	if ok {
		values = list.GetSlice()
	}
	if ok && len(values) == 0 {
		return fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
	}
	for _, value := range values {
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
		}
		if bound := f.Annotations[boundKey]; bound != nil && !within(value, bound) {
			return fmt.Errorf("--%s is %s, it must be %s", f.Name, option.Shorten(value), bounds(f))
		}
	}
	return nil
}

// within reports whether a number or a duration is between two numbers.
func within(value string, bound []string) bool {
	x, err := strconv.ParseFloat(value, 64)
	if d, notNumber := time.ParseDuration(value); err != nil && notNumber == nil {
		x, err = d.Seconds(), nil
	}
	return err == nil && x >= parse(bound[0]) && x <= parse(bound[1]) // not NaN
}

func parse(number string) float64 {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		panic(err) // it was written by Bound
	}
	return x
}

// bounds says from what to what the numbers of a flag may be.
func bounds(f *pflag.Flag) string {
	bound := f.Annotations[boundKey]
	if parse(bound[1]) >= math.MaxInt64 {
		return "at least " + inWords(f, bound[0])
	}
	return fmt.Sprintf("from %s to %s", inWords(f, bound[0]), inWords(f, bound[1]))
}

// inWords is a bound as it would be typed.
func inWords(f *pflag.Flag, bound string) string {
	x := parse(bound)
	if f.Value.Type() == "duration" {
		return time.Duration(x * float64(time.Second)).String()
	}
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return bound
}

// Unbounded lists the flags of a command that take numbers, seeds aside, and say neither from
// what to what they go nor that it depends on the game. It is for a test over all commands.
func Unbounded(c *cobra.Command) []string {
	var names []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "bool", "string", "stringArray", "stringSlice", "uint64": // the last are seeds
			return
		}
		_, byGame := f.Annotations[byGameKey]
		if f.Annotations[boundKey] == nil && !byGame {
			names = append(names, f.Name)
		}
	})
	return names
}
