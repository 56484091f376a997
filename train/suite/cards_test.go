package suite

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
	"powderkeg/env"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// cardsDir has a card for each of the five games.
const cardsDir = "../../experiments/cards"

// TestCards: what the program and the committed rows know of a game is in its card.
func TestCards(t *testing.T) {
	d, err := Open("v1")
	if err != nil {
		t.Fatal(err)
	}
	archives := map[string][]Entry{}
	for _, agent := range []string{"random", "scripted"} {
		entries, _, err := readArchive(filepath.Join(rowsDir, agent+archiveSuffix))
		if err != nil {
			t.Fatal(err)
		}
		archives[agent] = entries
	}
	for _, game := range []string{"jogu", "domination", "insurgency", "bloc", "minuteman"} {
		card := filepath.Join(cardsDir, game+".md")
		fresh(t, card, "facts", cardFacts(t, game))
		fresh(t, card, "balance", cardBalance(t, d, game, archives))
	}
}

// cardFacts is the table of a game's facts.
func cardFacts(t *testing.T, name string) string {
	t.Helper()
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		t.Fatal(err)
	}
	spec := g.Spec()
	var b strings.Builder
	row := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", what, fmt.Sprintf(format, args...))
	}
	row("fact", "value")
	row("---", "---")
	row("game string", "`%s`, rules %d, observation %d", spec.Text, spec.Version, encoder.Layout().Version)
	row("seats", "%s", cardSeats(t, name))
	row("payoff", "%s, returns from %.3g to %.3g", spec.Payoff, spec.MinReturn, spec.MaxReturn)
	row("actions", "%d", len(spec.Actions))
	row("chance outcomes", "%d", len(spec.Outcomes))
	row("observation", "%d numbers", encoder.Layout().Size)
	row("most decisions a game", "%d", spec.MaxDecisions)
	family, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ruledata.Rules(family.Rules)
	if err != nil {
		t.Fatal(err)
	}
	row("numbered rules", "%d, and %d rulings where the rulebook is silent", len(rules), len(ruledata.Rulings(family.Rulings)))
	marks := map[string]int{}
	files, err := filepath.Glob(filepath.Join("../../engine", name, "data", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has %d files of data (%v)", name, len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		countMarks(v, marks)
	}
	row("marks of source in the data", "%d from the rulebook, %d found in public, %d reconstructed", marks["rulebook"], marks["public"],
		marks["reconstructed"])
	return b.String()
}

// cardSeats lists the numbers of seats that the game's option players admits.
func cardSeats(t *testing.T, name string) string {
	t.Helper()
	var counts []string
	for n := 1; n <= 8; n++ {
		if _, err := games.New(fmt.Sprintf("%s(players=%d)", name, n)); err == nil {
			counts = append(counts, fmt.Sprint(n))
		}
	}
	g, err := games.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if counts == nil {
		return fmt.Sprint(g.Spec().Seats)
	}
	return fmt.Sprintf("%s (%d where none is named)", strings.Join(counts, ", "), g.Spec().Seats)
}

// countMarks counts the marks of source in data, each by its first word, or by that of each
// part.
func countMarks(v any, marks map[string]int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			countMarks(e, marks)
		}
	case map[string]any:
		for key, e := range v {
			if key == "source" {
				countWords(e, marks)
			} else {
				countMarks(e, marks)
			}
		}
	}
}

func countWords(mark any, marks map[string]int) {
	switch mark := mark.(type) {
	case string:
		word, _, _ := strings.Cut(mark, " ")
		marks[strings.TrimRight(word, ":,;")]++
	case map[string]any:
		for _, e := range mark {
			countWords(e, marks)
		}
	}
}

// cardBalance is the table of what equal players return by seat in the tasks of a game.
func cardBalance(t *testing.T, d *Definition, game string, archives map[string][]Entry) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, "| task | all seats | games | decisions a game, median (least, most) | mean return by seat |\n|---|---|---|---|---|")
	for i := range d.Tasks {
		task := &d.Tasks[i]
		spec := task.game.Spec()
		if spec.Name != game {
			continue
		}
		for _, agent := range []string{"random", "scripted"} {
			table := slices.Index(task.Tables, agent)
			if table < 0 {
				continue // the suite has no table of them
			}
			var lengths []int
			units := make([][]float64, spec.Seats) // mean returns by seat, one per unit
			for _, e := range archives[agent] {
				if e.Task != task.Name || e.Table != table {
					continue
				}
				lengths = append(lengths, decisions(t, task.game, e.Record.Moves))
				for s, x := range e.Record.Returns {
					if e.Seat == 0 { // the first game of its unit
						units[s] = append(units[s], 0)
					}
					units[s][len(units[s])-1] += float64(x) / float64(spec.Seats)
				}
			}
			slices.Sort(lengths)
			fmt.Fprintf(&b, "| %s | %s | %d | %d (%d, %d) | %s |\n", task.Name, agent, len(lengths),
				lengths[len(lengths)/2], lengths[0], lengths[len(lengths)-1], strings.Join(byUnits(units), ", "))
		}
	}
	return b.String()
}

// decisions counts those of a recorded game, which it plays again.
func decisions(t *testing.T, g engine.Game, moves []string) int {
	t.Helper()
	s, n := g.New(), 0
	for _, name := range moves {
		if s.ToAct() != engine.Chance {
			n++
		}
		move, err := engine.FindMove(g, s, name)
		if err == nil {
			err = s.Apply(move)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// byUnits writes the mean of each seat with half of its 95% interval over units (Student),
// whose games have the same chance.
func byUnits(units [][]float64) []string {
	var list []string
	for _, of := range units {
		mean, deviation := stat.MeanStdDev(of, nil)
		n := float64(len(of))
		half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * deviation / math.Sqrt(n)
		list = append(list, fmt.Sprintf("%+.2f ± %.2f", mean, half))
	}
	return list
}
