package cli

import (
	"fmt"
	"math"

	"powderkeg/engine/perft"
	"powderkeg/env/cli"
	"powderkeg/train/suite"

	"github.com/spf13/cobra"
)

// suitePerft is the command "suite perft".
func suitePerft() *cobra.Command {
	var f suiteFlags
	var limits perft.Limits
	var after []int
	c := &cobra.Command{
		Use:   "perft [TASK|TIER...]",
		Short: "Count the positions within some moves of each task's start, for other programs to compare",
		Long: `Count what lies within some moves of each task's start.

A move is an action that is legal for the seat to act, or an outcome of a chance node,
which counts once whatever its weight; what the rules carry out without a choice is part
of the move before it. Sequences of each depth are counted, by what they lead to (a
decision, a chance node, the end), and the different positions among their ends: two are
the same if their JSON forms are. A level with too many positions is left out, and all
that are deeper. The counts are of each task's start and, since set-ups are long, of a place
within the game (--after). The table has the deepest level of each, --json all of them and
the positions that they are counted from.`,
		Example: `  powderkeg suite perft
  powderkeg suite perft mini reference --json
  powderkeg suite perft jogu-mini --depth 6 --positions 0`,
		RunE: func(c *cobra.Command, args []string) error {
			d, err := suite.Open(f.version)
			if err != nil {
				return err
			}
			counts, err := suite.Counts(c.Context(), d, args, after, limits)
			if err != nil {
				return err
			}
			if f.json {
				return cli.PrintJSON(c.OutOrStdout(), counts)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), suite.CountTable(counts))
			return err
		},
	}
	f.add(c)
	c.Flags().IntSliceVar(&after, "after", suite.CountAfter(), "moves before the count, each the middle one of those possible")
	c.Flags().IntVar(&limits.Depth, "depth", suite.CountDepth, "deepest level, 0 for no limit")
	c.Flags().IntVar(&limits.Positions, "positions", suite.CountPositions, "most positions of a level, 0 for as many as fit into memory")
	cli.Bound(c, 0, cli.MostRuns, "after", "depth")
	cli.Bound(c, 0, math.MaxInt32, "positions")
	return c
}
