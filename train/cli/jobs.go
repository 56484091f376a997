package cli

import (
	"crypto/rand"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"powderkeg/env/cli"
	"powderkeg/train"
	"powderkeg/train/dataset"
	"powderkeg/train/eval"
	"powderkeg/train/fleet"
	"powderkeg/train/job"
	"powderkeg/train/run"
	"powderkeg/train/suite"
)

// kinds are the jobs that workers of this program do.
var kinds = job.Kinds{
	eval.MatchKind: eval.DoMatch(train.Roster), eval.TeamKind: eval.DoTeam(train.Roster), eval.DeviationKind: eval.DoDeviation(train.Roster),
	dataset.ExportKind: dataset.DoExport, run.Kind: run.Do, suite.Kind: suite.Do(suite.Open),
}

// jobFlags are those of a command whose work others may do.
type jobFlags struct{ fleetFlags }

// add adds the flags; processes is the name of that which starts workers.
func (f *jobFlags) add(c *cobra.Command, processes string) {
	c.Flags().IntVar(&f.workers, processes, 0, "processes of one processor each that do the work beside this one (default: this one does it)")
	c.Flags().StringVar(&f.nats, "nats", "", "URL of a NATS server with JetStream, whose workers (powderkeg worker URL) do the work")
	c.Flags().IntVar(&f.replicas, "replicas", 1, "nodes of the cluster that keep what the work needs")
	cli.Bound(c, 0, cli.MostWorkers, processes)
	cli.Bound(c, 1, cli.MostReplicas, "replicas")
	f.accessFlags.add(c)
}

// given reports whether others are to do the work.
func (f *jobFlags) given() bool { return f.workers != 0 || f.nats != "" }

// employ calls do with the hands of others, or with nil where there are none.
func (f *jobFlags) employ(c *cobra.Command, name, game string, do func(job.Hands) error) (err error) {
	if !f.given() {
		return do(nil)
	}
	identity, err := train.IdentityOf(train.Config{Game: game})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "powderkeg-"+name+"-")
	if err != nil {
		return err
	}
	kept := false
	defer func() {
		if !kept {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	return f.enlist(c.Context(), dir, fleet.Options{
		Run: name + "-" + rand.Text()[:8], Quarantine: dir, Tell: says(c.ErrOrStderr()), Kinds: kinds, Passing: true,
		Announcement: fleet.Announcement{Identity: identity},
	}, func(l *fleet.Learner) error {
		err := do(l)
		kept = l.Counts().Quarantined > 0
		return err
	})
}
