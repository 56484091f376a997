package suite

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env/file"
	"powderkeg/train/eval"

	"gonum.org/v1/gonum/stat"
)

// Payoff is what an agent gained from a seat at a table of a task, over all runs.
type Payoff struct {
	Task, Agent, Table string
	Seat               int
	Games              int
	// Return is the mean, Error its standard error: games of a seat are independent.
	Return, Error float64
}

// Rating is the Elo rating of an agent in a task, with random play at 0.
type Rating struct {
	Task, Agent string
	Games       int
	eval.Rating
}

// Fit says how well one scale describes the games of a task.
type Fit struct {
	Task  string
	Duels int
	// LogLoss is that of the ratings in nats a duel, and Saturated that of a rating for each
	// pair of agents apart, the least that any can have.
	LogLoss, Saturated float64
	// Gap is the largest difference between the score that the ratings expect of a pair and
	// the one it had, First the agent that did better than expected against Second.
	Gap           float64
	First, Second string
	// Drawn is the share of the duels that nobody comes out ahead in.
	Drawn float64
}

// mostGap is the largest Gap that goes without a warning.
const mostGap = 0.1

// Warnings says where the ratings of the task say something else than its games do, none if they do not.
func (f Fit) Warnings() []string {
	var list []string
	if f.Drawn > 0.5 {
		list = append(list, fmt.Sprintf("%s: %.0f%% of the duels are draws, each of which Elo takes for half a win: it says little of who plays better",
			f.Task, 100*f.Drawn))
	}
	if f.Gap > mostGap {
		list = append(list, fmt.Sprintf("%s: %s does better against %s by %.2f of a win than one scale of Elo can say; go by the payoffs",
			f.Task, f.First, f.Second, f.Gap))
	}
	return list
}

// Played is a row with the games behind it.
type Played struct {
	*Row
	Entries []Entry
}

// ReadPlayed reads the rows in a folder with their archives, by name.
func ReadPlayed(dir string) ([]Played, error) {
	rows, err := Rows(dir)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b *Row) int { return cmp.Compare(a.Name, b.Name) })
	var played []Played
	for _, r := range rows {
		entries, _, err := readArchive(filepath.Join(dir, filepath.Base(r.ArchiveFile)))
		if err != nil {
			return nil, err
		}
		played = append(played, Played{r, entries})
	}
	return played, nil
}

// Payoffs lists the payoffs by task, agent, table and seat.
func (d *Definition) Payoffs(played []Played) []Payoff {
	var list []Payoff
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if t.bank != nil {
			continue // nobody was met
		}
		for _, p := range played {
			gains := map[[2]int][]float64{} // by table and seat
			for _, e := range p.Entries {
				if e.Task == t.Name {
					at := [2]int{e.Table, e.Seat}
					gains[at] = append(gains[at], float64(e.Record.Returns[e.Seat]))
				}
			}
			for table := range t.Tables {
				for seat := range t.game.Spec().Seats {
					if x := gains[[2]int{table, seat}]; x != nil {
						mean, deviation := stat.MeanStdDev(x, nil)
						list = append(list, Payoff{t.Name, p.Name, t.Tables[table], seat, len(x), mean, deviation / math.Sqrt(float64(len(x)))})
					}
				}
			}
		}
	}
	return list
}

// Ratings fits one Elo scale to the games of each task in which one seat can gain what
// another loses: in teams nobody comes out ahead.
func (d *Definition) Ratings(played []Played) ([]Rating, []Fit, error) {
	var ratings []Rating
	var fits []Fit
	for i := range d.Tasks {
		t := &d.Tasks[i]
		if t.bank != nil || t.game.Spec().Payoff == engine.Cooperative {
			continue
		}
		s := newScale(t, played)
		if len(s.names) < 2 {
			continue
		}
		rated, err := eval.Rate(len(s.names), s.units)
		if err != nil {
			return nil, nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		zero := 0.0
		if at := slices.Index(s.names, "random"); at >= 0 {
			zero = rated[at].Elo
		}
		for n, r := range rated {
			ratings = append(ratings, Rating{t.Name, s.names[n], s.games[n], eval.Rating{Elo: r.Elo - zero, Low: r.Low - zero, High: r.High - zero}})
		}
		fits = append(fits, s.fit(rated))
	}
	return ratings, fits, nil
}

// scale is the games of a task as duels.
type scale struct {
	task  string
	names []string // of the agents, in order
	games []int    // by agent
	units [][]eval.Duel
}

// newScale makes duels of the games: the measured agent against each other seat, which
// together weigh as one.
func newScale(t *Task, played []Played) *scale {
	s := &scale{task: t.Name}
	for _, p := range played {
		if p.task(t.Name) == nil {
			continue
		}
		for _, name := range append([]string{p.Name}, t.Tables...) {
			if !slices.Contains(s.names, name) {
				s.names = append(s.names, name)
			}
		}
	}
	slices.Sort(s.names)
	s.games = make([]int, len(s.names))
	seats := t.game.Spec().Seats
	for _, p := range played {
		own := slices.Index(s.names, p.Name)
		var unit []eval.Duel
		for _, e := range p.Entries {
			if e.Task != t.Name {
				continue
			}
			other := slices.Index(s.names, t.Tables[e.Table])
			s.games[own]++
			if own != other { // nobody duels with himself
				s.games[other]++
				unit = append(unit, duels(e, own, other)...)
			}
			if e.Seat == seats-1 { // the last game of its unit
				s.units, unit = append(s.units, unit), nil
			}
		}
	}
	return s
}

// duels compares the measured agent of a game with each other seat.
func duels(e Entry, own, other int) []eval.Duel {
	var list []eval.Duel
	for seat, gain := range e.Record.Returns {
		if seat != e.Seat {
			score := (1 + float64(cmp.Compare(e.Record.Returns[e.Seat], gain))) / 2
			list = append(list, eval.Duel{A: own, B: other, Score: score, Weight: 1 / float64(len(e.Record.Returns)-1)})
		}
	}
	return list
}

// fit compares what ratings expect of each pair with how it went.
func (s *scale) fit(rated []eval.Rating) Fit {
	type pair struct{ a, b int }
	weight, score := map[pair]float64{}, map[pair]float64{}
	f := Fit{Task: s.task}
	for _, unit := range s.units {
		for _, d := range unit {
			at, x := pair{d.A, d.B}, d.Score
			if d.A > d.B {
				at, x = pair{d.B, d.A}, 1-x
			}
			if d.Score == 0.5 {
				f.Drawn++
			}
			weight[at] += d.Weight
			score[at] += d.Weight * x
			f.Duels++
		}
	}
	total := 0.0
	for a := range s.names {
		for b := a + 1; b < len(s.names); b++ {
			w := weight[pair{a, b}]
			if w == 0 {
				continue
			}
			total += w
			had, expected := score[pair{a, b}]/w, eval.Expected(rated[a].Elo-rated[b].Elo)
			f.LogLoss += w * crossEntropy(had, expected)
			f.Saturated += w * crossEntropy(had, had)
			if gap := math.Abs(had - expected); gap > f.Gap {
				f.Gap, f.First, f.Second = gap, s.names[a], s.names[b]
				if had < expected {
					f.First, f.Second = f.Second, f.First
				}
			}
		}
	}
	f.Drawn /= float64(f.Duels)
	f.LogLoss /= total
	f.Saturated /= total
	return f
}

// crossEntropy is that of a share p against the odds q, in nats.
func crossEntropy(p, q float64) float64 {
	x := 0.0
	if p > 0 {
		x -= p * math.Log(q)
	}
	if p < 1 {
		x -= (1 - p) * math.Log(1-q)
	}
	return x
}

// The tables that WriteCSV leaves.
const (
	payoffsName = "payoffs.csv"
	eloName     = "elo.csv"
	fitName     = "elo_fit.csv"
)

// WriteCSV writes payoffs, ratings and their fits of the rows in dir to a folder. It returns what is to be heeded in
// reading the ratings (Fit.Warnings).
func (d *Definition) WriteCSV(folder, dir string) (warnings []string, err error) {
	played, err := ReadPlayed(dir)
	if err != nil {
		return nil, err
	}
	ratings, fits, err := d.Ratings(played)
	if err != nil {
		return nil, err
	}
	if err := file.MakeFolder(folder); err != nil {
		return nil, err
	}
	for name, write := range map[string]func(io.Writer) error{
		payoffsName: func(w io.Writer) error { return WritePayoffs(w, d.Payoffs(played)) },
		eloName:     func(w io.Writer) error { return WriteRatings(w, ratings) },
		fitName:     func(w io.Writer) error { return WriteFits(w, fits) },
	} {
		var table bytes.Buffer
		if err := write(&table); err != nil {
			return nil, err
		}
		if err := writeTable(filepath.Join(folder, name), table.Bytes()); err != nil {
			return nil, err
		}
	}
	for _, f := range fits {
		warnings = append(warnings, f.Warnings()...)
	}
	return warnings, nil
}

// writeTable writes a table, over an older one of the same columns and over nothing else.
func writeTable(path string, table []byte) error {
	columns, _, _ := bytes.Cut(table, []byte{'\n'})
	f, err := file.Open(path)
	if err == nil {
		there := make([]byte, len(columns)+1)
		n, _ := io.ReadFull(f, there) // a shorter one is another
		_ = f.Close()                 // of a reader
		if !bytes.Equal(there[:n], append(columns[:len(columns):len(columns)], '\n')) {
			err = fmt.Errorf("%w: %s exists already and is no such table; choose another folder", option.ErrUsage, path)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.WriteFile(path, table)
}

// WritePayoffs writes payoffs as CSV.
func WritePayoffs(w io.Writer, list []Payoff) error {
	lines := [][]string{{"task", "agent", "table", "seat", "games", "return", "standard_error"}}
	for _, p := range list {
		lines = append(lines, []string{p.Task, p.Agent, p.Table, strconv.Itoa(p.Seat), strconv.Itoa(p.Games), number(p.Return), number(p.Error)})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteRatings writes ratings as CSV.
func WriteRatings(w io.Writer, list []Rating) error {
	lines := [][]string{{"task", "agent", "games", "elo", "low", "high"}}
	for _, r := range list {
		lines = append(lines, []string{r.Task, r.Agent, strconv.Itoa(r.Games), number(r.Elo), number(r.Low), number(r.High)})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteFits writes how well the ratings fit as CSV.
func WriteFits(w io.Writer, list []Fit) error {
	lines := [][]string{{"task", "duels", "log_loss", "saturated_log_loss", "largest_gap", "better_than_expected", "against"}}
	for _, f := range list {
		lines = append(lines, []string{f.Task, strconv.Itoa(f.Duels), number(f.LogLoss), number(f.Saturated), number(f.Gap), f.First, f.Second})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// number writes a figure with five digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
