package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"powderkeg/engine/edition"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/editions"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Edition is the command "edition".
func Edition() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "edition GAME --out FOLDER",
		Short: "Put your own copy's values in the place of reconstructed ones",
		Long: `Put your own copy's values in the place of reconstructed ones.

Rulebooks do not print everything: strengths on cards, effects of events, tables. What is
missing was reconstructed. If you own the game, write an edition: a folder with the game's
data files, in which every record lists its reconstructed fields under "reconstructed", and
CHECKLIST.md, to be printed and filled in with the box at hand. Write the values into the
files, take the names of the fields that you have looked up out of those lists, and check
the folder. On the command line GAME(edition=FOLDER) plays it.

A game string has the edition's digest, as in jogu(edition=sha256-abcdef123456), and so have
replays, checkpoints and datasets. For those, and in files of settings, editions are found
in the folders that --edition names and in POWDERKEG_EDITIONS, a list of folders, each an
edition or one that holds editions. Servers use those of --edition alone; their clients name
them by the name of the folder or by the digest, and never a path.

Games: ` + edition.Games(games.Families()) + `.`,
		Example: `  powderkeg edition jogu --out my-jogu
  powderkeg edition check my-jogu
  powderkeg play 'jogu(edition=my-jogu)' --vs scripted
  powderkeg replay game.json --edition my-jogu
  powderkeg web --edition my-jogu                 then a table of jogu(edition=my-jogu)`,
		Args: Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			f, err := games.Find(args[0])
			switch {
			case err != nil:
				return err
			case f.Data == nil:
				return fmt.Errorf("%w: nothing in %s is reconstructed; games with editions: %s", ErrUsage, f.Name, edition.Games(games.Families()))
			case out == "":
				return fmt.Errorf("%w: --out is missing: the folder to write, such as --out my-%s", ErrUsage, f.Name)
			}
			if err := editions.Write(f, out); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s is an edition of %s as it ships.\nPrint %s, go through the box, and then: powderkeg edition check %s\n",
				out, f.Title, filepath.Join(out, edition.ListName), out)
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "the folder to write, which must be new or empty")
	c.AddCommand(editionCheck())
	return c
}

// mostFaults is how many faults of an edition are told at once.
const mostFaults = 100

func editionCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FOLDER",
		Short: "Tell what is wrong with an edition, and what is still reconstructed",
		Long: `Tell what is wrong with an edition, and what is still reconstructed.

One line each: files, records and fields that are missing, values of the wrong kind or out of
range, what the rulebook prints otherwise, and what breaks the rules. The exit code is 1 if
there is any. What is still marked as reconstructed is counted, and no fault.`,
		Example: "  powderkeg edition check my-jogu",
		Args:    Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			e, report, err := editions.Read(args[0])
			if err != nil {
				return err
			}
			w := c.OutOrStdout()
			for _, fault := range report.Faults[:min(len(report.Faults), mostFaults)] {
				fmt.Fprintln(w, fault)
			}
			if more := len(report.Faults) - mostFaults; more > 0 {
				fmt.Fprintf(w, "and %d more\n", more)
			}
			for _, f := range report.Files {
				fmt.Fprintf(w, "%s: %d of %d fields are still reconstructed, %d values differ from those that ship\n", f.Name, f.Left, f.Open, f.Changed)
			}
			if e == nil {
				return fmt.Errorf("%w: %s has %s", ErrCheck, args[0], faults(len(report.Faults)))
			}
			fmt.Fprintf(w, "%s(edition=%s) can be played\n", e.Family(), e.Digest)
			return nil
		},
	}
}

// EditionsVariable is the environment variable with folders of editions.
const EditionsVariable = "POWDERKEG_EDITIONS"

// EditionFlag adds the flag --edition to the whole command, and has editions read before any
// of its subcommands runs.
func EditionFlag(root *cobra.Command) {
	var folders []string
	root.PersistentFlags().StringArrayVar(&folders, "edition", nil,
		"folder of an edition that game strings may name, beside those of "+EditionsVariable+" (powderkeg edition); may be repeated")
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		for _, folder := range folders {
			name := nameOf(folder)
			if c.Annotations[Strangers] == "" && !env.Editions.Nameable(name) {
				name = "" // its digest and the folder itself stand in game strings
			}
			if _, err := addEdition(folder, name); err != nil {
				return err
			}
		}
		if c.Annotations[Strangers] != "" {
			env.Editions.Look("; whoever runs the server offers editions with --edition", nil)
			return nil
		}
		env.Editions.Look("; name its folder with --edition or in "+EditionsVariable, lookForEditions)
		return typedEditions(c, args)
	}
}

// Strangers is the annotation of a command that others than its user send game strings to:
// they may name the editions that its user lists, and none besides.
const Strangers = "strangers"

// ForStrangers are the annotations of such a command.
func ForStrangers() map[string]string { return map[string]string{Strangers: "true"} }

// nameOf is the name by which the edition in a folder is known.
func nameOf(folder string) string {
	if path, err := filepath.Abs(folder); err == nil {
		folder = path
	}
	return filepath.Base(folder)
}

// addEdition reads the edition in a folder for game strings to name.
func addEdition(folder, name string) (*edition.Edition, error) {
	e, report, err := editions.Read(folder)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, fmt.Errorf("%w: edition %s: %s%s; powderkeg edition check %s tells all",
			ErrUsage, folder, report.Faults[0], more(len(report.Faults)-1), folder)
	}
	if err := env.Editions.AddFrom(name, folder, e); err != nil {
		return nil, err
	}
	return e, pass(folder)
}

// pass lets the processes that a command starts find the edition in a folder too.
func pass(folder string) error {
	path, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	list := filepath.SplitList(os.Getenv(EditionsVariable))
	if slices.Contains(list, path) {
		return nil
	}
	return os.Setenv(EditionsVariable, strings.Join(append(list, path), string(filepath.ListSeparator)))
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return " (and " + faults(n) + " more)"
}

func faults(n int) string {
	if n == 1 {
		return "1 fault"
	}
	return fmt.Sprintf("%d faults", n)
}

// lookForEditions adds the editions in the folders of the environment variable. A folder
// that is broken is left out, and named to whoever looks for an edition that is not there.
func lookForEditions() (broken []string) {
	for _, folder := range filepath.SplitList(os.Getenv(EditionsVariable)) {
		found := []string{folder}
		if _, err := os.Stat(filepath.Join(folder, edition.ManifestName)); err != nil {
			found, _ = filepath.Glob(filepath.Join(folder, "*", edition.ManifestName))
			for i := range found {
				found[i] = filepath.Dir(found[i])
			}
		}
		for _, f := range found {
			e, _, err := editions.Read(f)
			switch {
			case err != nil || e == nil:
				broken = append(broken, f)
			case env.Editions.AddFrom(nameOf(f), f, e) != nil:
				_ = env.Editions.AddFrom("", f, e) // its name is taken or will not do; without one there is no conflict
			}
		}
	}
	return broken
}

// inGame finds the edition that a game string names.
var inGame = regexp.MustCompile(`^(\s*\w+\s*\((?:.*,)?\s*edition\s*=\s*)([^,()=]+?)(\s*(?:,.*)?\)\s*)$`)

// typedEditions puts the digests of editions in the place of the folders that game strings
// on the command line name, in arguments and in flags. Nowhere else does a game string name
// a folder.
func typedEditions(c *cobra.Command, args []string) error {
	if err := eachEdition(args); err != nil {
		return err
	}
	f := c.Flags().Lookup("game")
	if f == nil || !f.Changed {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		texts := list.GetSlice()
		if err := eachEdition(texts); err != nil {
			return err
		}
		return list.Replace(texts)
	}
	text := []string{f.Value.String()}
	if err := eachEdition(text); err != nil {
		return err
	}
	return f.Value.Set(text[0])
}

func eachEdition(texts []string) error {
	for i, text := range texts {
		m := inGame.FindStringSubmatch(text)
		if m == nil || edition.IsDigest(m[2]) {
			continue
		}
		folder := m[2]
		info, err := os.Stat(folder)
		if err != nil || !info.IsDir() {
			if strings.ContainsRune(folder, filepath.Separator) {
				return fmt.Errorf("%w: edition=%s: there is no such folder", ErrUsage, option.Shorten(folder))
			}
			continue // a name, which whoever makes the game looks up
		}
		e, err := addEdition(folder, "")
		if err != nil {
			return err
		}
		if name, _, err := option.Split(text); err == nil && name != e.Family() {
			return fmt.Errorf("%w: edition=%s is one of %s, not of %s", ErrUsage, option.Shorten(folder), e.Family(), name)
		}
		texts[i] = m[1] + e.Digest + m[3]
	}
	return nil
}
