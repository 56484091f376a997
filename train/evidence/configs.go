package evidence

import (
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/record"

	"github.com/goccy/go-yaml"
)

// configs is the folder of the training configurations.
const configs = folder + "/configs"

// usesFile says what each configuration is for.
const usesFile = configs + "/uses.yaml"

// use is what a configuration is for.
type use struct {
	config, text string // config is its path below configs, without ending
}

// uses reads what the configurations are for, in the order of the file.
func (s *Sources) uses() ([]use, error) {
	text, err := os.ReadFile(filepath.Join(s.Root, usesFile))
	if err != nil {
		return nil, err
	}
	var pairs yaml.MapSlice
	if err := yaml.Unmarshal(text, &pairs); err != nil {
		return nil, fmt.Errorf("%s: %w", usesFile, err)
	}
	var list []use
	for _, p := range pairs {
		list = append(list, use{fmt.Sprint(p.Key), fmt.Sprint(p.Value)})
	}
	return list, nil
}

// ConfigTable is the table of the training configurations: what each is for, and what its records say.
func (s *Sources) ConfigTable() (string, error) {
	uses, err := s.uses()
	if err != nil {
		return "", err
	}
	all, err := s.All()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintln(&b, "| config | use it to | decisions | time | against random | against scripted | exploitability | measured |")
	fmt.Fprintln(&b, "|---|---|---|---|---|---|---|---|")
	for _, u := range uses {
		var own []*record.Record
		for _, r := range all {
			if r.Config != nil && r.Config.File == path.Join(configs, u.config+".yaml") {
				own = append(own, r)
			}
		}
		slices.SortStableFunc(own, func(a, b *record.Record) int { return slices.Compare(a.Seeds, b.Seeds) })
		if len(own) == 0 {
			return "", fmt.Errorf("%s has no record: powderkeg train %s/%s.yaml --record %s/%s.json", u.config, configs, u.config, Records, u.config)
		}
		measured, err := s.measured(own)
		if err != nil {
			return "", err
		}
		g, err := env.NewGame(own[0].Games[0].Game)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| `%s.yaml` | %s | %s | %s | %s | %s | %s | %s |\n", u.config, u.text, decided(own), timed(own),
			against(g, own, "random"), against(g, own, "scripted"), distances(own), measured)
	}
	return b.String(), nil
}

// figures are those of a name in several records.
func figures(list []*record.Record, name string) []record.Figure {
	var found []record.Figure
	for _, r := range list {
		if f, ok := r.Figures[name]; ok {
			found = append(found, f)
		}
	}
	return found
}

// decided is how many decisions a run has.
func decided(list []*record.Record) string {
	f := figures(list, "decisions")
	if len(f) == 0 {
		return "-"
	}
	millions := f[0].Value / 1e6
	if millions < 20 {
		return strconv.FormatFloat(math.Round(millions*10)/10, 'f', -1, 64) + " M"
	}
	return fmt.Sprintf("%.0f M", millions)
}

// timed is the processor time of a run, or how long it took on a machine that had nothing else to do.
func timed(list []*record.Record) string {
	sum, n := 0.0, 0
	for _, r := range list {
		if r.Processor > 0 {
			sum, n = sum+r.Processor, n+1
		}
	}
	if n > 0 {
		return length(sum/float64(n)) + " of a processor"
	}
	for _, r := range list {
		if r.Seconds > 0 && r.Machine.Quiet() {
			return length(r.Seconds)
		}
	}
	return "-"
}

// length prints a time for people.
func length(seconds float64) string {
	const minute, soon, exact = 60, 90, 10 * 60
	switch {
	case seconds < soon:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < exact:
		return strconv.FormatFloat(math.Round(seconds/minute*10)/10, 'f', -1, 64) + " min"
	}
	return fmt.Sprintf("%.0f min", seconds/minute)
}

// against is what a run did against an opponent, by what counts in its game: a team's share of the games that
// it won, a share of wins where a game is won or lost, a mean return where it is won by more or less or each has
// a payoff of its own.
func against(g engine.Game, list []*record.Record, opponent string) string {
	prefix := "against." + opponent + "."
	names := []string{prefix + "mean_return", prefix + "win_rate"}
	switch spec := g.Spec(); {
	case spec.Payoff == engine.Cooperative, len(figures(list, "team.win_rate")) > 0:
		return team(list, opponent)
	case spec.Payoff == engine.ZeroSum && spec.MaxReturn <= 1:
		slices.Reverse(names)
	}
	for _, name := range names {
		if found := figures(list, name); len(found) > 0 {
			kind := ""
			if strings.HasSuffix(name, "mean_return") {
				kind = "return "
			}
			return kind + overSeeds(found) + besides(list[0], "against."+opponent+": ")
		}
	}
	return "-"
}

// team is what a team of the network wins, beside a team of an opponent.
func team(list []*record.Record, opponent string) string {
	var parts []string
	if own := figures(list, "team.win_rate"); len(own) > 0 && opponent == "scripted" {
		parts = append(parts, "as a team "+overSeeds(own))
	}
	if other := figures(list, "team of "+opponent+".win_rate"); len(other) > 0 {
		parts = append(parts, "a "+opponent+" team "+overSeeds(other))
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, "; ")
}

// besides are the figures of a record whose names begin with a prefix, each with the rest of its name.
func besides(r *record.Record, prefix string) string {
	var names []string
	for name := range r.Figures {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	text := ""
	for i, name := range names {
		text += [2]string{": ", ", "}[min(i, 1)] + strings.TrimPrefix(name, prefix) + " " + printed(r.Figures[name])
	}
	return text
}

// distances are those from an equilibrium of the policies that were measured.
func distances(list []*record.Record) string {
	var parts []string
	for _, policy := range []string{"last", "average"} {
		if f := figures(list, "exact."+policy+".exploitability"); len(f) > 0 {
			parts = append(parts, printed(f[0])+" "+policy)
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// overSeeds prints a figure of one run, or those of several with their mean.
func overSeeds(list []record.Figure) string {
	if len(list) == 1 {
		return printed(list[0])
	}
	sum := 0.0
	var each []string
	for _, f := range list {
		sum += f.Value
		each = append(each, strings.TrimSuffix(printed(record.Figure{Value: f.Value, Unit: f.Unit}), "%"))
	}
	mean := record.Figure{Value: sum / float64(len(list)), Unit: list[0].Unit}
	return fmt.Sprintf("%s, the mean of %d seeds: %s", printed(mean), len(list), strings.Join(each, ", "))
}

// printed prints a figure by its unit.
func printed(f record.Figure) string {
	if f.Unit == "share" {
		const whole = 100
		text := fmt.Sprintf("%.1f%%", whole*f.Value)
		if f.Low != nil {
			text += fmt.Sprintf(" [%.1f, %.1f]", whole**f.Low, whole**f.High)
		}
		return text
	}
	places, sign := 3, ""
	if f.Unit == "return" {
		sign = "+"
	}
	if f.Low == nil && fraction(strconv.FormatFloat(f.Value, 'f', -1, 64)) < places {
		places = 2
	}
	text := fmt.Sprintf("%"+sign+".*f", places, f.Value)
	if f.Low != nil {
		text += fmt.Sprintf(" [%+.*f, %+.*f]", places, *f.Low, places, *f.High)
	}
	return text
}

// measured says with what records were measured, and in what they are not of today.
func (s *Sources) measured(list []*record.Record) (string, error) {
	first := list[0]
	const digits = 8
	text := "`" + first.Commit[:min(digits, len(first.Commit))] + "`"
	if first.Build.BLAS != "" {
		text += ", " + first.Build.BLAS
	}
	var marks []string
	for _, r := range list {
		own, err := s.Stale(&Source{Name: r.Name, Figures: r.Figures, Games: r.Games, Record: r})
		if err != nil {
			return "", err
		}
		marks = append(marks, own...)
	}
	slices.Sort(marks)
	for _, mark := range slices.Compact(marks) {
		text += ", " + mark
	}
	return text, nil
}

// CheckUses returns what is wrong with what configurations are said to be for: those that nothing is said of, and
// figures that are of none of their records.
func (s *Sources) CheckUses() ([]Problem, error) {
	uses, err := s.uses()
	if err != nil {
		return nil, err
	}
	all, err := s.All()
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(s.Root, configs, "*", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var problems []Problem
	for _, file := range paths {
		name := path.Join(filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".yaml"))
		if !slices.ContainsFunc(uses, func(u use) bool { return u.config == name }) {
			problems = append(problems, Problem{usesFile, 1, "it does not say what " + name + " is for"})
		}
	}
	for i, u := range uses {
		var own []*Source
		for _, r := range all {
			if r.Config != nil && r.Config.File == path.Join(configs, u.config+".yaml") {
				own = append(own, &Source{Name: r.Name, Figures: r.Figures})
			}
		}
		for _, c := range claims(plain(u.text)) {
			if c.of(own) == nil {
				problems = append(problems, Problem{usesFile, i + 1, fmt.Sprintf("%s: %s is no figure of a record of it", u.config, c.text)})
			}
		}
	}
	return problems, nil
}
