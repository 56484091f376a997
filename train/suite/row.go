package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/position"
	"powderkeg/env/file"
	"powderkeg/train/luck"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// RowFormat is the version of the form of a row.
const RowFormat = "powderkeg-suite-row/1"

// Row is what an agent has done in the suite. All but the fields of Origin follow from the
// definition and the archive.
type Row struct {
	Format string `json:"format"`
	Suite  string `json:"suite"`
	// Definition is the digest of the definition, Seed its seed.
	Definition string `json:"definition_sha256"`
	Seed       uint64 `json:"seed"`
	// Name is that of the row.
	Name string `json:"name"`
	// Agent is the agent string, in which {task} and {run} stand for those of each game.
	Agent string `json:"agent"`
	Origin
	// Games counts those of the archive, whose file is ArchiveFile, beside the row.
	Games       int    `json:"games"`
	ArchiveFile string `json:"archive"`
	ArchiveHash string `json:"archive_sha256"`
	// Tasks are in the order of the definition, those that were played.
	Tasks []TaskFigures `json:"tasks"`
	// Tiers sum up those tiers of which all tasks were played.
	Tiers []TierFigures `json:"tiers"`
}

// Origin says how a row came about, for the reader: nothing can prove it.
type Origin struct {
	// Source is the program that plays the agent at the other end of a socket, empty for this
	// one.
	Source string `json:"source,omitempty"`
	// Networks has the digest of each checkpoint that is played by, by the agent that does. A
	// check that plays games again refuses other ones.
	Networks map[string]string `json:"networks,omitempty"`
	// Seconds is the time that the games took, summed over the workers.
	Seconds float64 `json:"processor_seconds"`
	// Commit is that of the program, empty where it is not known.
	Commit string `json:"commit,omitempty"`
}

// TaskFigures is what the agent did in a task.
type TaskFigures struct {
	Task  string `json:"task"`
	Games int    `json:"games"`
	// Return is the mean of what the agent gained, in the game's unit, with its interval over
	// the units (Student).
	Return     float64 `json:"return"`
	ReturnLow  float64 `json:"return_low"`
	ReturnHigh float64 `json:"return_high"`
	// Raw compares it with the same before luck was taken out, over the units; nil where none was.
	Raw *luck.Comparison `json:"luck_taken_out,omitempty"`
	// Tables is the mean return at each table.
	Tables []float64 `json:"tables"`
	// Runs is the score of each run: its mean return, scaled by the anchors. Score is their
	// mean.
	Runs  []float64 `json:"runs"`
	Score float64   `json:"score"`
}

// TierFigures sums up a tier over runs and tasks.
type TierFigures struct {
	Tier  Tier `json:"tier"`
	Tasks int  `json:"tasks"`
	// IQM is the interquartile mean of the scores, with its stratified bootstrap interval.
	IQM float64 `json:"iqm"`
	Interval
}

// Games are those of the tasks of a row.
func (d *Definition) Games(r *Row) []engine.Game {
	var list []engine.Game
	for i := range d.Tasks {
		if r.task(d.Tasks[i].Name) != nil {
			list = append(list, d.Tasks[i].game)
		}
	}
	return list
}

// compute works out all figures of an archive, which holds every game of each task that it
// touches, in the order of the plan.
func (d *Definition) compute(entries []Entry) (tasks []TaskFigures, tiers []TierFigures, err error) {
	byTask := map[string][]Entry{}
	for _, e := range entries {
		byTask[e.Task] = append(byTask[e.Task], e)
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if list := byTask[t.Name]; list != nil {
			f, err := d.figures(t, list)
			if err != nil {
				return nil, nil, err
			}
			tasks = append(tasks, f)
		}
	}
	for _, tier := range Tiers() {
		if scores := d.scores(tasks, tier); scores != nil {
			seed := uint64(engine.NewHash().Word(d.Seed).Word(bootstrapStream))
			tiers = append(tiers, TierFigures{tier, len(scores[0]), IQM(scores), stratified(scores, seed, IQM)})
		}
	}
	return tasks, tiers, nil
}

// figures works out those of a task.
func (d *Definition) figures(t *Task, entries []Entry) (TaskFigures, error) {
	places := d.places(t)
	if len(entries) != len(places) {
		return TaskFigures{}, fmt.Errorf("task %s has %d games, want %d", t.Name, len(entries), len(places))
	}
	seats := t.seatsOf()
	f := TaskFigures{Task: t.Name, Games: len(entries), Tables: make([]float64, len(t.Tables)), Runs: make([]float64, d.Runs)}
	perRun := make([]float64, d.Runs)
	for _, at := range places {
		perRun[at.Run]++
	}
	units, raw := make([]float64, len(entries)/seats), make([]float64, len(entries)/seats)
	for i, e := range entries {
		if e.Place != places[i] {
			return TaskFigures{}, fmt.Errorf("task %s: game %d stands at %+v, want %+v", t.Name, i+1, e.Place, places[i])
		}
		x, returned, err := t.gained(e)
		if err != nil {
			return TaskFigures{}, fmt.Errorf("task %s: game %d %w", t.Name, i+1, err)
		}
		f.Runs[e.Run] += x / perRun[e.Run]
		if len(f.Tables) > 0 {
			f.Tables[e.Table] += x / float64(len(entries)/len(t.Tables))
		}
		units[i/seats] += x / float64(seats)
		raw[i/seats] += returned / float64(seats)
	}
	if t.Luck != nil && len(units) > 1 {
		c := luck.Compare(raw, units, d.Seed)
		f.Raw = &c
	}
	for r, x := range f.Runs {
		f.Runs[r] = t.Anchors.scale(x)
	}
	f.Score = average(f.Runs)
	mean, deviation := stat.MeanStdDev(units, nil)
	half := 0.0
	if n := float64(len(units)); n > 1 {
		half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
	}
	f.Return, f.ReturnLow, f.ReturnHigh = mean, mean-half, mean+half
	return f, nil
}

// gained is what the agent has in a game, with and without its luck taken out, or minus what it loses in a solved
// position.
func (t *Task) gained(e Entry) (x, raw float64, err error) {
	switch {
	case t.bank != nil && len(e.Lost) != t.game.Spec().Seats:
		return 0, 0, errors.New("does not say what is lost")
	case t.bank != nil:
		return -lostIn(e), -lostIn(e), nil
	case e.Record == nil || len(e.Record.Returns) != t.game.Spec().Seats:
		return 0, 0, errors.New("has no end")
	case (t.Luck != nil) != (e.Luck != nil):
		return 0, 0, errors.New("says nothing of its luck, or nobody has asked for it")
	}
	raw = float64(e.Record.Returns[e.Seat])
	if t.Luck == nil {
		return raw, raw, nil
	}
	return raw - t.Luck.Share**e.Luck, raw, nil
}

// scores returns the scores of a tier, [runs][tasks], nil unless all of its tasks are there.
func (d *Definition) scores(figures []TaskFigures, tier Tier) [][]float64 {
	scores := make([][]float64, d.Runs)
	for _, t := range d.Tasks {
		if t.Tier != tier {
			continue
		}
		found := false
		for _, f := range figures {
			if f.Task == t.Name {
				found = true
				for r := range scores {
					scores[r] = append(scores[r], f.Runs[r])
				}
			}
		}
		if !found {
			return nil
		}
	}
	if len(scores[0]) == 0 {
		return nil
	}
	return scores
}

// rowSuffix ends the names of the files of rows, archiveSuffix those of archives.
const (
	rowSuffix     = ".json"
	archiveSuffix = ".replays.jsonl.gz"
	draftSuffix   = ".draft.jsonl"
)

// FileName is the name of an agent's files, without suffix: mcts(sims=200) is mcts-sims-200.
func FileName(agent string) string {
	name := strings.NewReplacer("(", "-", ")", "", "=", "-", ",", "-", ":", "-", "/", "-", "\\", "-", "{", "", "}", "", " ", "").Replace(agent)
	return strings.Trim(name, "-.")
}

// ReadRow reads the row in a file.
func ReadRow(path string) (*Row, error) {
	text, err := file.Read(path, file.Report)
	if err != nil {
		return nil, err
	}
	var r Row
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %s", path, position.Plainly(err, nil))
	}
	if r.Format != RowFormat {
		return nil, fmt.Errorf("%s: format is %q, this program reads %q", path, r.Format, RowFormat)
	}
	return &r, nil
}

// Rows reads the rows in a folder, by file name.
func Rows(dir string) ([]*Row, error) {
	paths, err := rowFiles(dir)
	if err != nil {
		return nil, err
	}
	var rows []*Row
	for _, path := range paths {
		r, err := ReadRow(path)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// rowFiles lists the files of rows in a folder.
func rowFiles(dir string) ([]string, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	return filepath.Glob(filepath.Join(dir, "*"+rowSuffix))
}
