package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"powderkeg/agents/roster"
	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine/option"
	"powderkeg/env/file"
	"powderkeg/env/program"
	"powderkeg/train/job"
)

// Config says which row is made.
type Config struct {
	// Agent is the agent string. Where it has {task} and {run} they are filled in, and another
	// agent plays each.
	Agent string
	// Name is that of the row and its files; empty means Agent.
	Name string
	// Source makes the agent; nil means this program.
	Source Source
	// Tasks names those that are played; empty means all that the agent can play. A row grows
	// by tasks: those that it has already are kept.
	Tasks []string
	// Dir is the folder of the rows.
	Dir string
	// From, if not empty, is a folder with a row of the same name and agent, such as one of another
	// version: its games that stand where this version has one are replayed and kept.
	From string
	// Workers is how many games are played at a time; 0 means 1. The row does not depend on it.
	Workers int
	// Hands, if not nil, play the games, some of a task and a run in each job. Source must be nil
	// then: nobody else can reach the program of another one.
	Hands job.Hands
	// Progress, if not nil, is called after every game, by one goroutine at a time.
	Progress func(done, total int)
}

// Begun reports whether some of the row's games have been played already, so that Run goes on with them.
func (c Config) Begun() bool {
	base := filepath.Join(c.Dir, FileName(cmp.Or(c.Name, c.Agent)))
	for _, path := range []string{base + rowSuffix, base + draftSuffix} {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return c.From != ""
}

// Run plays an agent through the suite and writes its row and its archive. When ctx ends it
// returns ctx's error; the games that are over are kept in a draft, and the same call goes on
// with them.
func Run(ctx context.Context, d *Definition, c Config) (r *Row, err error) {
	switch {
	case c.Source == nil:
		c.Source = ours{}
	case c.Hands != nil:
		return nil, fmt.Errorf("%w: agents of another program play here, not elsewhere", option.ErrUsage)
	}
	tasks, err := d.choose(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := claim(c.Dir); err != nil {
		return nil, err
	}
	if err := file.MakeFolder(c.Dir); err != nil {
		return nil, err
	}
	c.Name = cmp.Or(c.Name, c.Agent)
	name := FileName(c.Name)
	release, err := durable.LockFile(filepath.Join(c.Dir, "."+name+durable.LockName), fmt.Sprintf("the row of %s in %s", c.Name, c.Dir))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, release()) }()
	return d.makeRow(ctx, c, tasks, filepath.Join(c.Dir, name))
}

// claim refuses a folder with something else than rows.
func claim(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return option.Wrong(err)
	}
	var own []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, archiveSuffix) || strings.HasSuffix(name, draftSuffix) {
			own = append(own, name)
		}
	}
	return durable.Claim(dir, "rows of a suite", own...)
}

// makeRow plays what is missing of a row, whose files are base and their suffixes.
func (d *Definition) makeRow(ctx context.Context, c Config, tasks []*Task, base string) (*Row, error) {
	row, kept, err := d.former(base, c, tasks)
	if err != nil {
		return nil, err
	}
	work, err := openDraft(base + draftSuffix)
	if err != nil {
		return nil, err
	}
	defer work.file.Close()
	for _, e := range kept {
		work.done[e.Place] = e
	}
	if c.From != "" {
		seconds, err := d.takeOver(ctx, c, tasks, work)
		if err != nil {
			return nil, err
		}
		row.Seconds += seconds
	}
	seconds, err := d.playAll(ctx, c, tasks, work)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for i := range d.Tasks {
		for _, at := range d.places(&d.Tasks[i]) {
			if e, ok := work.done[at]; ok {
				entries = append(entries, e)
			}
		}
	}
	row.Seconds += seconds
	if row.Tasks, row.Tiers, err = d.compute(entries); err != nil {
		return nil, err
	}
	row.Games, row.ArchiveFile = len(entries), filepath.Base(base)+archiveSuffix
	if row.ArchiveHash, err = writeArchive(base+archiveSuffix, entries); err != nil {
		return nil, err
	}
	if err := writeRow(base+rowSuffix, row); err != nil {
		return nil, err
	}
	return row, errors.Join(work.file.Close(), os.Remove(base+draftSuffix))
}

// takeOver keeps the games of the row in c.From that stand in the plan of the tasks, and returns the time that
// they took when they were played.
func (d *Definition) takeOver(ctx context.Context, c Config, tasks []*Task, work *draft) (float64, error) {
	base := filepath.Join(c.From, FileName(c.Name))
	row, err := ReadRow(base + rowSuffix)
	if err != nil {
		return 0, option.Wrong(err)
	}
	entries, digest, err := readArchive(base + archiveSuffix)
	if err != nil {
		return 0, option.Wrong(err)
	}
	if row.ArchiveHash != digest || row.Agent != c.Agent || row.Source != c.Source.Name() {
		return 0, fmt.Errorf("%w: %s is the row of another agent, or of other games", option.ErrUsage, base+rowSuffix)
	}
	plan := map[Place]*Task{}
	for _, t := range tasks {
		for _, at := range d.places(t) {
			plan[at] = t
		}
	}
	taken := 0
	for _, e := range entries {
		t := plan[e.Place]
		if _, done := work.done[e.Place]; t == nil || t.bank != nil || done {
			continue
		}
		if e.Luck, err = d.replay(ctx, t, e, c.Agent); err != nil {
			return 0, fmt.Errorf("%s: the game at %+v: %w", base+archiveSuffix, e.Place, err)
		}
		if err := work.add(e); err != nil {
			return 0, err
		}
		taken++
	}
	return row.Seconds * float64(taken) / float64(max(len(entries), 1)), nil
}

// choose lists the tasks to play.
func (d *Definition) choose(ctx context.Context, c Config) ([]*Task, error) {
	var list []*Task
	named, err := d.named(c.Tasks)
	if err != nil {
		return nil, err
	}
	for _, t := range named {
		p, err := newPlayer(ctx, d, Place{Task: t.Name}, c.Source, c.Agent)
		if err == nil {
			err = p.close()
		}
		if err != nil {
			if len(c.Tasks) > 0 {
				return nil, fmt.Errorf("task %s: %w", t.Name, err)
			}
			continue
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %s can play no task of suite %s, or it is no policy (it has a memory, or a limit on time)", option.ErrUsage, c.Agent,
			d.Name)
	}
	return list, nil
}

// named returns the tasks that are named, by themselves or by their tier; all, if no name is
// given. Errors wrap option.ErrUsage.
func (d *Definition) named(names []string) ([]*Task, error) {
	for _, name := range names {
		if d.Task(name) == nil && !slices.Contains(Tiers(), Tier(name)) {
			return nil, fmt.Errorf("%w: suite %s has no task or tier %q; tasks: %s", option.ErrUsage, d.Name, option.Shorten(name),
				strings.Join(d.names(), ", "))
		}
	}
	var list []*Task
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if len(names) == 0 || slices.Contains(names, t.Name) || slices.Contains(names, string(t.Tier)) {
			list = append(list, t)
		}
	}
	return list, nil
}

func (d *Definition) names() []string {
	var names []string
	for _, t := range d.Tasks {
		names = append(names, t.Name)
	}
	return names
}

// former returns the row that there is, to be gone on with, or a new one.
func (d *Definition) former(base string, c Config, tasks []*Task) (*Row, []Entry, error) {
	networks, err := d.networks(c.Source, c.Agent, tasks)
	if err != nil {
		return nil, nil, err
	}
	revision, _ := program.Built()
	fresh := &Row{
		Format: RowFormat, Suite: d.Name, Definition: d.digest, Seed: d.Seed, Name: c.Name, Agent: c.Agent,
		Origin: Origin{Source: c.Source.Name(), Networks: map[string]string{}, Commit: revision},
	}
	for name, print := range networks {
		fresh.Networks[name] = print.weights
	}
	old, err := ReadRow(base + rowSuffix)
	if errors.Is(err, os.ErrNotExist) {
		return fresh, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	for name, digest := range old.Networks {
		if now, ok := networks[name]; ok && !now.is(digest) {
			return nil, nil, fmt.Errorf("%s is the row of another network than %s is now; choose another folder, or remove it", base+rowSuffix, name)
		}
		fresh.Networks[name] = digest
	}
	if old.Name != c.Name || old.Agent != c.Agent || old.Source != fresh.Source || old.Definition != d.digest {
		return nil, nil, fmt.Errorf("%s is the row of another agent or definition; choose another folder or name, or remove it", base+rowSuffix)
	}
	entries, digest, err := readArchive(base + archiveSuffix)
	if err == nil && digest != old.ArchiveHash {
		err = fmt.Errorf("%s is not the archive that its row names", base+archiveSuffix)
	}
	fresh.Seconds = old.Seconds
	return fresh, entries, err
}

// fingerprint identifies a network: by its weights, and by what rows said of it before they named those of
// bots that ship.
type fingerprint struct{ weights, before string }

// is reports whether a row that says so is of the network.
func (f fingerprint) is(said string) bool { return said == f.weights || said == f.before }

// networks are the fingerprints of the checkpoints that the agent plays tasks by, by the
// agent's name in them; none of those that only another program can read.
func (d *Definition) networks(source Source, agent string, tasks []*Task) (map[string]fingerprint, error) {
	found := map[string]fingerprint{}
	if source != (ours{}) {
		return found, nil
	}
	for _, t := range tasks {
		for run := range d.Runs {
			name := Place{Task: t.Name, Run: run}.agent(agent)
			ref, ok := roster.Network(name)
			if !ok {
				ref, ok = roster.Planner(name)
			}
			if _, known := found[name]; !ok || known {
				continue
			}
			f := fingerprint{}
			var err error
			if f.before, err = checkpoints.Fingerprint(ref); err != nil {
				return nil, err
			}
			if f.weights = f.before; f.before == ref { // the name of one that ships
				if f.weights, err = roster.Weights(name); err != nil {
					return nil, err
				}
			}
			found[name] = f
		}
	}
	return found, nil
}

// remaining are the games of a row that are not over, of a total of so many.
type remaining struct {
	config Config
	work   *draft
	places []Place
	total  int

	mu      sync.Mutex
	seconds float64 // that the games took, guarded by mu like work and done
	done    int
}

// playAll plays what is missing and returns the seconds that it took, over all workers.
func (d *Definition) playAll(ctx context.Context, c Config, tasks []*Task, work *draft) (float64, error) {
	r := &remaining{config: c, work: work}
	for _, t := range tasks {
		for _, at := range d.places(t) {
			r.total++
			if _, ok := work.done[at]; !ok {
				r.places = append(r.places, at)
			}
		}
	}
	r.done = r.total - len(r.places)
	var err error
	if c.Hands != nil {
		err = d.playElsewhere(ctx, r)
	} else {
		err = d.playHere(ctx, r)
	}
	return r.seconds, err
}

// add keeps games that took so many seconds.
func (r *remaining) add(seconds float64, entries ...Entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seconds += seconds
	for _, e := range entries {
		if err := r.work.add(e); err != nil {
			return err
		}
		if r.done++; r.config.Progress != nil {
			r.config.Progress(r.done, r.total)
		}
	}
	return nil
}

// playHere plays what remains with goroutines.
func (d *Definition) playHere(ctx context.Context, r *remaining) error {
	c := r.config
	group, groupCtx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range max(1, min(c.Workers, len(r.places))) {
		group.Go(func() error {
			var p *player // of the game before
			defer func() { p.close() }()
			for {
				n := int(next.Add(1)) - 1
				if n >= len(r.places) {
					return nil
				}
				at := r.places[n]
				if p == nil || p.task.Name != at.Task || p.run != at.Run {
					p.close() // what it says of its end changes nothing
					var err error
					if p, err = newPlayer(groupCtx, d, at, c.Source, c.Agent); err != nil {
						return fmt.Errorf("%s: %w", at.Task, err)
					}
				}
				start := time.Now()
				e, err := p.play(groupCtx, at)
				if err != nil {
					return fmt.Errorf("%s: %w", at.Task, err)
				}
				if err := r.add(time.Since(start).Seconds(), e); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// writeRow replaces a row.
func writeRow(path string, r *Row) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(text, '\n'))
}
