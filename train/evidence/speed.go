package evidence

import (
	"fmt"
	"strings"

	"powderkeg/env/record"
)

// speedRecord is that of the environments' speed.
const speedRecord = "speed/env"

// SpeedTable is the table of the environments' speed, for the games named.
func (s *Sources) SpeedTable(games ...string) (string, error) {
	source, err := s.Find(speedRecord)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintln(&b, "| game | decisions per processor-second | moves, chance included | allocations per decision |\n|---|---|---|---|")
	for _, game := range games {
		decisions, ok := source.Figures[game+".decisions_per_processor_second"]
		if !ok {
			return "", fmt.Errorf("%s has no rate of %s", speedRecord, game)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %.3f |\n", game, rate(decisions), rate(source.Figures[game+".moves_per_processor_second"]),
			source.Figures[game+".allocs_per_decision"].Value)
	}
	r := source.Record
	fmt.Fprintf(&b, "\nMeasured on %s (%s) by `%s` of commit `%s`, %s, %s.\n", r.Date, r.Machine.CPU, r.Command, r.Commit, r.Build.BLAS, r.Build.Go)
	return b.String(), nil
}

// rate prints a rate with the least and the most of its runs.
func rate(f record.Figure) string {
	scale, unit := 1e6, "M"
	if f.Value < 1e6 {
		scale, unit = 1e3, "k"
	}
	places := 2
	if unit == "k" {
		places = 0
	}
	text := fmt.Sprintf("%.*f %s", places, f.Value/scale, unit)
	if f.Low != nil {
		text += fmt.Sprintf(" (%.*f, %.*f)", places, *f.Low/scale, places, *f.High/scale)
	}
	return text
}
