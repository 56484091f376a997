package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"powderkeg/env/cli"
	"powderkeg/env/file"
	"powderkeg/env/program"
	"powderkeg/train"
	"powderkeg/train/fleet"
	"powderkeg/train/run"
)

// brokerVariable names the broker where the command line does not: a URL may hold a token,
// which is nobody else's business.
const brokerVariable = "POWDERKEG_NATS"

// accessFlags are those of a process that enters a broker.
type accessFlags struct{ access fleet.Access }

func (f *accessFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.access.Credentials, "creds", "", "file of NATS credentials (a JWT and its nkey)")
	flags.StringVar(&f.access.NKey, "nkey", "", "file of an nkey's seed")
	flags.StringVar(&f.access.CA, "tls-ca", "", "file of the certificates to trust, instead of the system's")
	flags.StringVar(&f.access.Certificate, "tls-cert", "", "file of this process's certificate")
	flags.StringVar(&f.access.Key, "tls-key", "", "file of its key")
}

// dial connects to the broker that args or the environment name.
func (f *accessFlags) dial(args []string, name string, tell func(string, ...any)) (*nats.Conn, error) {
	url := os.Getenv(brokerVariable)
	if len(args) > 0 {
		url = args[0]
	}
	if url == "" {
		return nil, fmt.Errorf("%w: which broker? Give its URL, such as nats://host:4222, or set %s", cli.ErrUsage, brokerVariable)
	}
	return fleet.Dial(url, name, f.access, tell)
}

// says returns a function that writes lines to w, from any goroutine.
func says(w io.Writer) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
}

// Worker is the command "worker".
func Worker() *cobra.Command {
	var f accessFlags
	s := fleet.Service{Kinds: kinds}
	var child bool
	c := &cobra.Command{
		Use:   "worker [URL]",
		Short: "Play for a training run, or a match, export, sweep, response or suite, on this or another machine",
		Long: `Play for training runs that "powderkeg train --nats URL" leads, and do the jobs of
"match", "export", "sweep", "respond" and "suite run" with --nats URL, on this or another
machine, until it is stopped: workers may come and go at any time. The URL is that of a NATS
server with JetStream, or of several divided by commas; without one it is taken from
POWDERKEG_NATS.

A worker is known by its credential, of "powderkeg cluster user NAME": what it sends counts
as NAME's, and what is wrong with it bans NAME.

A worker keeps nothing. Ctrl-C or SIGTERM lets it finish the tasks that it is at,
a second one ends it at once; what it was at is then played by others.`,
		Example: `  powderkeg worker nats://learner:4222
  powderkeg worker nats://broker:4222 --nkey alice.nk
  powderkeg worker tls://broker:4222 --creds worker.creds --tls-ca ca.pem --processors 8`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			s.Tell = says(c.ErrOrStderr())
			if s.Name == "" {
				_, s.Name = f.access.User()
			}
			if s.Name != fleet.RunName(s.Name) {
				return fmt.Errorf("%w: --name is %q; want letters, digits, - and _", cli.ErrUsage, s.Name)
			}
			conn, err := f.dial(args, "powderkeg worker", s.Tell)
			if err != nil {
				return err
			}
			defer conn.Close()
			ctx := c.Context()
			if child {
				var stop context.CancelFunc
				ctx, stop = cli.UntilEOF(ctx, c.InOrStdin())
				defer stop()
			}
			return fleet.Serve(ctx, conn, s)
		},
	}
	f.add(c)
	c.Flags().StringVar(&s.Run, "run", "", "name of the run to play for (default: any)")
	c.Flags().StringVar(&s.Name, "name", "", "the worker's name, where the broker binds it to its user (default: that of --nkey, or of the machine)")
	c.Flags().IntVar(&s.Processors, "processors", 0, "tasks that are played at once, 0 for one per processor")
	c.Flags().BoolVar(&child, "until-eof", false, "also end when the standard input does, as that of a child of \"train\"")
	cli.Bound(c, 0, cli.MostWorkers, "processors")
	return cli.Finishes(c, "finishes the tasks that it is at")
}

// Cluster is the command "cluster".
func Cluster() *cobra.Command {
	c := &cobra.Command{Use: "cluster", Short: "Look at training runs on a broker, and make its users", RunE: cli.Unknown}
	c.AddCommand(clusterStatus(), clusterUser())
	return c
}

func clusterUser() *cobra.Command {
	var dir, role string
	c := &cobra.Command{
		Use:   "user NAME",
		Short: "Make a user of a broker and the credential that it enters with",
		Long: `Make a user of a broker: NAME.nk, a credential for --nkey, and a line in users.conf, which
the broker's configuration includes (experiments/cluster/nats.conf does). Reload a broker
that runs: nats-server --signal reload, twice (the second connects the account that the first makes).

Give each worker a user of its own. The broker lets it send parts and reports under its
own name alone, so that what it does is held against nobody else, and a ban is for its
credential. The role says what a user may do: a worker plays; a learner leads runs, as
"train", "match" and others with --nats do; look is for "cluster status". There are no
passwords: the broker knows the public half of an nkey, and the other stays in NAME.nk.`,
		Example: `  powderkeg cluster user learner --role learner --dir broker
  powderkeg cluster user alice --dir broker
  powderkeg worker nats://broker:4222 --nkey broker/alice.nk`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			credential, err := fleet.AddUser(dir, args[0], fleet.Role(role))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s %s: credential %s, broker's users %s\n", role, args[0], credential, filepath.Join(dir, fleet.UsersFile))
			return err
		},
	}
	c.Flags().StringVar(&dir, "dir", ".", "directory of the broker's configuration")
	c.Flags().StringVar(&role, "role", string(fleet.RoleWorker), "what the user may do: worker, learner or look")
	return c
}

func clusterStatus() *cobra.Command {
	var f accessFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "status [URL]",
		Short: "Show the runs, workers, rates and queues of a broker",
		Long: `Show who leads each run on a broker, its workers with the decisions a second that
they play, and the tasks that wait, are being played, or were given to somebody else
when a worker was lost.`,
		Example: `  powderkeg cluster status nats://learner:4222
  powderkeg cluster status nats://learner:4222 --json`,
		Args: cli.Usage(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			conn, err := f.dial(args, "powderkeg cluster", says(c.ErrOrStderr()))
			if err != nil {
				return err
			}
			defer conn.Close()
			ctx, cancel := context.WithTimeout(c.Context(), 10*time.Second)
			defer cancel()
			list, err := fleet.Status(ctx, conn)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(list)
			}
			return writeStatus(c.OutOrStdout(), list)
		},
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// writeStatus shows runs as tables.
func writeStatus(out io.Writer, list []fleet.RunStatus) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "no run")
		return err
	}
	for i, s := range list {
		if i > 0 {
			fmt.Fprintln(out)
		}
		learner := s.Learner
		if learner == "" {
			learner = "nobody"
		}
		fmt.Fprintf(out, "run %s: %s, led by %s\n", s.Run, s.Game, learner)
		fmt.Fprintf(out, "tasks: %d waiting, %d being played, %d of them again; %d messages for the learner\n", s.Waiting, s.Played, s.Redelivered, s.Parts)
		for _, id := range s.Banned {
			fmt.Fprintf(out, "banned: %s\n", id)
		}
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "worker\tsystem\tprocessors\tupdate\ttasks\tdecisions/s\t")
		for _, r := range s.Workers {
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.0f\t\n", r.ID, r.System, r.Processors, r.Update, r.Tasks, r.Rate)
		}
		fmt.Fprintf(w, "%d in all\t\t\t\t\t%.0f\t\n", len(s.Workers), s.Rate())
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// fleetFlags are those of "train".
type fleetFlags struct {
	accessFlags
	nats     string
	workers  int
	replicas int
}

func (f *fleetFlags) add(c *cobra.Command) {
	c.Flags().IntVar(&f.workers, "workers", 0, "processes of one processor each that play beside the learner (default: the learner plays)")
	c.Flags().StringVar(&f.nats, "nats", "", "URL of a NATS server with JetStream, whose workers play (default: that of POWDERKEG_NATS, if set)")
	c.Flags().IntVar(&f.replicas, "replicas", 1, "nodes of the cluster that keep what the run has there")
	cli.Bound(c, 0, cli.MostWorkers, "workers")
	cli.Bound(c, 1, cli.MostReplicas, "replicas")
	f.accessFlags.add(c)
}

// used reports whether somebody else is to play.
func (f *fleetFlags) used() bool {
	if f.nats == "" && f.workers == 0 {
		f.nats = os.Getenv(brokerVariable)
	}
	return f.workers != 0 || f.nats != ""
}

// lead runs begin with a crew of workers, who are on the broker or are started here.
func (f *fleetFlags) lead(ctx context.Context, config train.Config, o run.Options, begin func(run.Options) error) error {
	if f.nats == "" { // the broker keeps what it has in the folder, too
		return run.Alone(ctx, o, func(o run.Options) error { return f.command(ctx, config, o, begin) })
	}
	if err := run.Claim(o.Dir); err != nil {
		return err
	}
	o.Waits = true
	return f.command(ctx, config, o, begin)
}

// command is lead in a folder that is this process's own, or will be.
func (f *fleetFlags) command(ctx context.Context, config train.Config, o run.Options, begin func(run.Options) error) error {
	identity, err := train.IdentityOf(config)
	if err != nil {
		return err
	}
	text, err := config.YAML()
	if err != nil {
		return err
	}
	return f.enlist(ctx, o.Dir, fleet.Options{
		Run: fleet.RunName(filepath.Base(o.Dir)), Quarantine: filepath.Join(o.Dir, run.QuarantineName), Bans: filepath.Join(o.Dir,
			run.BansName), Tell: says(o.Progress), Kinds: kinds,
		Announcement: fleet.Announcement{Identity: identity, Config: text},
	}, func(l *fleet.Learner) error {
		if f.nats == "" {
			// Workers of one machine are as fast as each other, and networks faster the more
			// environments they look at together.
			o.Shards = min(f.workers, config.Shards)
		}
		o.Crew = l
		return begin(o)
	})
}

// enlist calls begin with a learner on a broker, whose workers are there or are started here.
// What is kept meanwhile goes into dir.
func (f *fleetFlags) enlist(ctx context.Context, dir string, o fleet.Options, begin func(*fleet.Learner) error) (err error) {
	tell, url := o.Tell, f.nats
	if url == "" {
		folder := filepath.Join(dir, run.BrokerName)
		broker, err := fleet.Embed(folder)
		if err != nil {
			return err
		}
		defer func() {
			broker.Close()
			_ = os.RemoveAll(folder) // nothing in it is needed again
		}()
		url = broker.URL()
	}
	access := f.access
	access.Inbox = fleet.LearnerInbox
	conn, err := fleet.Dial(url, "powderkeg learner", access, tell)
	if err != nil {
		return err
	}
	defer conn.Close()
	revision, _ := program.Built()
	o.Sample, o.Replicas, o.Announcement.Format, o.Announcement.Commit = fleet.Sample, f.replicas, fleet.Format, revision
	l, err := fleet.Lead(ctx, conn, o)
	if err != nil {
		return err
	}
	defer func() {
		if c := l.Counts(); err == nil || c.Tasks > 0 { // otherwise they were not asked
			tell("workers have played %d tasks; %d were given to another, %d handed out anew, %d parts refused, %d tasks quarantined, "+
				"%d played here that somebody kept",
				c.Taken, c.Redelivered, c.HandedAgain, c.Refused, c.Quarantined, c.Rescued)
		}
		if closed := l.Close(err == nil || o.Passing); closed != nil { // the run is what it is without
			tell("what the run has on the broker stays there: %v", closed)
		}
	}()
	if f.workers > 0 {
		stop, err := hire(ctx, f.workers, url, o.Run, f.access, dir, tell)
		if err != nil {
			return err
		}
		defer stop()
	} else {
		tell("workers come by: powderkeg worker %s", fleet.Redacted(url))
	}
	return begin(l)
}

// hire starts workers as processes, who write what they have to say to workers.log in dir.
// One that ends before stop is called is started again.
func hire(ctx context.Context, n int, url, name string, a fleet.Access, dir string, tell func(string, ...any)) (stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := file.MakeFolder(dir); err != nil {
		return nil, err
	}
	log, err := file.OpenFile(filepath.Join(dir, run.WorkersLogName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	arguments := []string{"worker", "--until-eof", "--processors", strconv.Itoa(1), "--run", name}
	for _, f := range []struct{ flag, file string }{
		{"--creds", a.Credentials}, {"--nkey", a.NKey}, {"--tls-ca", a.CA}, {"--tls-cert", a.Certificate}, {"--tls-key", a.Key},
	} {
		if f.file != "" {
			arguments = append(arguments, f.flag, f.file)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			for ctx.Err() == nil {
				err := employ(ctx, log, program, url, arguments...)
				if ctx.Err() == nil {
					tell("worker %d has ended (%v), see %s; another is started", i+1, err, log.Name())
					select {
					case <-ctx.Done():
					case <-time.After(time.Second):
					}
				}
			}
		})
	}
	return func() {
		cancel()
		group.Wait()
		_ = log.Close() // what is in it is for people who look for a fault
	}, nil
}

// employ runs a worker until it ends, or ctx does; then the end of its standard input asks it
// to go, and so does that of this process.
func employ(ctx context.Context, log io.Writer, program, url string, args ...string) error {
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), brokerVariable+"="+url)
	c.Stdout, c.Stderr = log, log
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	_ = in.Close() // or it is gone already
	select {
	case err := <-done:
		return err
	case <-time.After(5 * time.Second):
		_ = c.Process.Kill()
		return <-done
	}
}
