package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"powderkeg/engine"
)

// CheckConfig says how much of a row is proved.
type CheckConfig struct {
	// Replay is how many games of each row are played again from their records; 0 means all.
	// The figures are recomputed from all games in either case.
	Replay int
	// Rerun is how many games of each row the agents play anew, to make the same moves; they
	// are drawn by the digest of the archive, which whoever writes one cannot choose freely.
	// It is for agents that play alike everywhere: networks may differ from one processor
	// to another in the last bits. Negative means all.
	Rerun int
	// Source makes the agents of rows that say that theirs are not this program's; nil where
	// they are away, and their games are not played anew.
	Source Source
	// Workers is how many games are proved at a time; 0 means 1.
	Workers int
	// Progress, if not nil, is called after every game, by one goroutine at a time.
	Progress func(done, total int)
}

// Fault is what does not hold in a row.
type Fault struct {
	Row     string `json:"row"` // the file
	Problem string `json:"problem"`
}

// Report is what a check has found.
type Report struct {
	Rows     int `json:"rows"`
	Games    int `json:"games"`    // of which figures were recomputed
	Replayed int `json:"replayed"` // games, move by move
	Rerun    int `json:"rerun"`    // games, by the agents
	// Away names the rows that were to be played again but whose agents are away.
	Away   []string `json:"away,omitempty"`
	Faults []Fault  `json:"faults"`
}

// Check proves the rows in a folder, or in files. The error, unlike a fault, says that it
// could not be carried out.
func Check(ctx context.Context, d *Definition, paths []string, c CheckConfig) (*Report, error) {
	r := &Report{Faults: []Fault{}}
	for _, path := range paths {
		files := []string{path}
		if filepath.Ext(path) != rowSuffix {
			var err error
			if files, err = rowFiles(path); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			problems, err := d.check(ctx, file, c, r)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			r.Rows++
			for _, p := range problems {
				r.Faults = append(r.Faults, Fault{file, p.Error()})
			}
		}
	}
	return r, nil
}

// maxProblems is how many problems of a row are named.
const maxProblems = 5

// check proves a row.
func (d *Definition) check(ctx context.Context, path string, c CheckConfig, r *Report) (problems []error, err error) {
	row, err := ReadRow(path)
	if err != nil {
		return []error{err}, nil
	}
	entries, digest, err := readArchive(filepath.Join(filepath.Dir(path), filepath.Base(row.ArchiveFile)))
	if err != nil {
		return []error{err}, nil
	}
	if problems = d.form(row, entries, digest); len(problems) > 0 {
		return problems, nil
	}
	r.Games += len(entries)
	replayed := sample(entries, digest, c.Replay)
	var rerun []Entry
	var source Source = ours{}
	if row.Source != "" {
		source = c.Source
	}
	switch {
	case c.Rerun == 0:
	case source == nil:
		r.Away = append(r.Away, row.Name)
	default:
		if problems = d.sameNetworks(source, row, entries); len(problems) > 0 {
			return problems, nil
		}
		rerun = sample(entries, digest, max(c.Rerun, 0))
	}
	problems, err = d.each(ctx, source, row.Agent, c, replayed, rerun)
	r.Replayed += len(replayed)
	r.Rerun += len(rerun)
	return problems, err
}

// sameNetworks says which checkpoints are not those that the games of a row were played by.
func (d *Definition) sameNetworks(source Source, row *Row, entries []Entry) []error {
	var tasks []*Task
	for i := range d.Tasks {
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Task == d.Tasks[i].Name }) {
			tasks = append(tasks, &d.Tasks[i])
		}
	}
	now, err := d.networks(source, row.Agent, tasks)
	if err != nil {
		return []error{err}
	}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if !now[name].is(row.Networks[name]) && len(problems) < maxProblems {
			problems = append(problems, fmt.Errorf("the row is of the network %s, %s is %s", row.Networks[name], name, now[name]))
		}
	}
	return problems
}

// form compares everything of a row that can be told without playing.
func (d *Definition) form(row *Row, entries []Entry, digest string) []error {
	var problems []error
	differ := func(name string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			problems = append(problems, fmt.Errorf("%s is %v, want %v", name, got, want))
		}
	}
	differ("suite", row.Suite, d.Name)
	differ("definition_sha256", row.Definition, d.digest)
	differ("seed", row.Seed, d.Seed)
	differ("archive_sha256", row.ArchiveHash, digest)
	differ("games", row.Games, len(entries))
	for _, e := range entries {
		if t := d.Task(e.Task); t == nil || (t.bank == nil) != (e.Record != nil) {
			return append(problems, fmt.Errorf("the archive has a game of task %q, which is not in the suite, or one without a record", e.Task))
		}
	}
	tasks, tiers, err := d.compute(entries)
	if err != nil {
		return append(problems, err)
	}
	differ("tasks", row.Tasks, tasks)
	differ("tiers", row.Tiers, tiers)
	return problems
}

// sample draws so many entries by the digest of their archive; 0 means all.
func sample(entries []Entry, digest string, n int) []Entry {
	if n == 0 || n >= len(entries) {
		return entries
	}
	type drawn struct {
		key uint64
		at  int
	}
	order := make([]drawn, len(entries))
	for i := range entries {
		h := engine.NewHash().Word(uint64(i))
		for _, b := range []byte(digest) {
			h = h.Word(uint64(b))
		}
		order[i] = drawn{uint64(h), i}
	}
	slices.SortFunc(order, func(a, b drawn) int { return cmp.Compare(a.key, b.key) })
	list := make([]Entry, n)
	for i := range list {
		list[i] = entries[order[i].at]
	}
	return list
}

// each proves games: those of the first list by their records, those of the second by the
// agents.
func (d *Definition) each(ctx context.Context, source Source, agent string, c CheckConfig, replayed, rerun []Entry) (problems []error, err error) {
	var (
		group, groupCtx = errgroup.WithContext(ctx)
		mu              sync.Mutex
		done            int // guarded by mu, like problems
	)
	group.SetLimit(max(1, c.Workers))
	prove := func(e Entry, how func(context.Context, Entry) error) {
		group.Go(func() error {
			problem := how(groupCtx, e)
			if errors.Is(problem, context.Canceled) || errors.Is(problem, context.DeadlineExceeded) {
				return problem
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; c.Progress != nil {
				c.Progress(done, len(replayed)+len(rerun))
			}
			if problem != nil && len(problems) < maxProblems {
				problems = append(problems, fmt.Errorf("task %s, run %d, table %d, unit %d, seat %d: %w", e.Task, e.Run, e.Table, e.Unit, e.Seat, problem))
			}
			return nil
		})
	}
	for _, e := range replayed {
		prove(e, func(ctx context.Context, e Entry) error { return d.prove(ctx, e, agent) })
	}
	for _, e := range rerun {
		prove(e, func(ctx context.Context, e Entry) error { return d.again(ctx, e, source, agent) })
	}
	return problems, group.Wait()
}

// again lets the agents play a game anew and compares.
func (d *Definition) again(ctx context.Context, e Entry, source Source, agent string) error {
	if d.Task(e.Task).bank != nil {
		return d.againLost(ctx, e, source, agent)
	}
	p, err := newPlayer(ctx, d, e.Place, source, agent)
	if err != nil {
		return err
	}
	defer p.close() // what it says of its end changes nothing
	fresh, err := p.play(ctx, e.Place)
	if err != nil {
		return err
	}
	for i, move := range fresh.Record.Moves {
		if i >= len(e.Record.Moves) || move != e.Record.Moves[i] {
			return fmt.Errorf("move %d: the agents play %s, the record says otherwise", i+1, move)
		}
	}
	if p.begins(e.Record.Position) { // in whichever words
		fresh.Record.Position = e.Record.Position
	}
	if sameLuck(fresh.Luck, e.Luck) == nil { // but for the last bits
		fresh.Luck = e.Luck
	}
	if !reflect.DeepEqual(fresh, e) {
		return errors.New("the agents play another game than the record")
	}
	return nil
}
