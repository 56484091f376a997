package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"

	"github.com/spf13/cobra"
)

// Games is the command "games".
func Games() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "games",
		Short:   "List every game, its options, seats and sizes",
		Example: "  powderkeg games\n  powderkeg games --json",
		Args:    Usage(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := env.Listings()
			if err != nil {
				return err
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), list)
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "game\ttitle\tplayers\tactions\tobservation\tmost decisions")
			for _, g := range list {
				fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\n", g.Name, g.Title, g.Players, g.Actions, g.ObservationSize, g.MaxDecisions)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			for _, g := range list {
				printOptions(c, g)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printOptions(c *cobra.Command, g env.Listing) {
	if len(g.Options) == 0 {
		return
	}
	example := g.Options[0]
	value := example.Default
	for _, choice := range example.Choices {
		if choice != example.Default {
			value = choice
			break
		}
	}
	fmt.Fprintf(c.OutOrStdout(), "\nOptions of %s, as in %s(%s=%s):\n", g.Name, g.Name, example.Name, value)
	for _, o := range g.Options {
		fmt.Fprintf(c.OutOrStdout(), "  %-12s %s (default %s): %s\n", o.Name, o.Wants(), o.Default, o.Help)
	}
}

// description is a game as "spec --json" prints it.
type description struct {
	Game           string           `json:"game"`
	Title          string           `json:"title"`
	RulesVersion   int              `json:"rules_version"`
	Players        int              `json:"players"`
	Payoff         string           `json:"payoff"`
	MinReturn      float32          `json:"min_return"`
	MaxReturn      float32          `json:"max_return"`
	MaxDecisions   int              `json:"max_decisions"`
	MaxMoves       int              `json:"max_moves"`
	Actions        []string         `json:"actions"`
	Outcomes       []string         `json:"outcomes"`
	VocabularyHash string           `json:"vocabulary_hash"`
	LayoutHash     string           `json:"layout_hash"`
	Layout         *encoding.Layout `json:"layout"`
}

// Spec is the command "spec".
func Spec() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "spec GAME",
		Short:   "Show a game's observation layout, vocabularies and bounds",
		Example: "  powderkeg spec leduc\n  powderkeg spec 'jogu(first=agents,second=engineers)' --json",
		Args:    Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := env.NewGame(args[0])
			if err != nil {
				return err
			}
			encoder, err := env.EncoderFor(g)
			if err != nil {
				return err
			}
			spec, layout := g.Spec(), encoder.Layout()
			if asJSON {
				return PrintJSON(c.OutOrStdout(), description{
					spec.Text, spec.Title, spec.Version, spec.Seats, string(spec.Payoff), spec.MinReturn, spec.MaxReturn,
					spec.MaxDecisions, spec.MaxMoves, spec.Actions, spec.Outcomes, spec.VocabularyHash(), layout.Hash(), layout,
				})
			}
			return printSpec(c, spec, layout)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printSpec(c *cobra.Command, spec *engine.Spec, layout *encoding.Layout) error {
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s: %s, rules version %d\n%d players, %s, returns from %g to %g\nat most %d decisions (%d moves with chance events)\n\n",
		spec.Text, spec.Title, spec.Version, spec.Seats, spec.Payoff, spec.MinReturn, spec.MaxReturn, spec.MaxDecisions, spec.MaxMoves)
	fmt.Fprintf(out, "Observation: %d numbers (float32), layout version %d\n", layout.Size, layout.Version)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  from\tfield\tshape\trange\tmeaning")
	for _, f := range layout.Fields {
		fmt.Fprintf(w, "  %d\t%s\t%s\t%g to %g\t%s\n", f.Offset, f.Name, shape(f.Shape), f.Min, f.Max, f.Meaning)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nActions (%d):%s\n", len(spec.Actions), columns(spec.Actions))
	if len(spec.Outcomes) > 0 {
		fmt.Fprintf(out, "\nChance outcomes (%d):%s\n", len(spec.Outcomes), columns(spec.Outcomes))
	}
	return nil
}

func shape(sizes []int) string {
	parts := make([]string, len(sizes))
	for i, n := range sizes {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, "×")
}

// columns lists numbered names, a few on a line of at most 100 characters.
func columns(names []string) string {
	width := 0
	for _, n := range names {
		width = max(width, len(n))
	}
	width += 7
	perLine := max(1, 98/width)
	var b strings.Builder
	for i, n := range names {
		if i%perLine == 0 {
			b.WriteString("\n  ")
		}
		fmt.Fprintf(&b, "%-*s", width, fmt.Sprintf("%3d %s", i, n))
	}
	return b.String()
}
