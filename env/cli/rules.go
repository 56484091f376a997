package cli

import (
	"fmt"
	"slices"
	"strings"

	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"

	"github.com/spf13/cobra"
)

// Rules is the command "rules".
func Rules() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "rules GAME [NUMBER|WORD]",
		Short: "Read a game's rules in our own words, by number or word",
		Long: `Read a game's rules in our own words, by number or word.

Without a number or a word the titles are listed. A number stands for the rules
below it too: R7 for the whole chapter. A word is looked up in titles and texts,
rulings included, which say what was decided where the rulebook is silent. Errors,
events and the code cite these numbers.`,
		Example: "  powderkeg rules jogu\n  powderkeg rules jogu R10\n  powderkeg rules domination Q19\n  powderkeg rules minuteman 'air assault'",
		Args:    Usage(cobra.RangeArgs(1, 2)),
		RunE: func(c *cobra.Command, args []string) error {
			name, _, err := option.Split(args[0])
			if err != nil {
				return err
			}
			f, err := games.Find(name)
			if err != nil {
				return err
			}
			rules, err := ruledata.Rules(f.Rules)
			if err != nil {
				return err
			}
			rulings := ruledata.Rulings(f.Rulings)
			list := slices.Concat(rules, rulings)
			if len(args) == 2 {
				if list = ruledata.Find(list, args[1]); list == nil {
					return fmt.Errorf("%w: no rule of %s has the number or the word %q; chapters: %s; rulings: %d",
						ErrUsage, name, option.Shorten(args[1]), strings.Join(ruledata.Chapters(rules), ", "), len(rulings))
				}
			}
			switch out := c.OutOrStdout(); {
			case asJSON:
				return PrintJSON(out, list)
			case len(args) == 1:
				for _, r := range list {
					fmt.Fprintf(out, "%-10s %s\n", r.Number, r.Title)
				}
			default:
				for i, r := range list {
					if i > 0 {
						fmt.Fprintln(out)
					}
					fmt.Fprint(out, r)
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON: a list of rule, title, section and text")
	return c
}
