package fleet

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// TestTheDashboardHasARowForEveryMetric: and names none that does not exist, as does the table
// of the README.
func TestTheDashboardHasARowForEveryMetric(t *testing.T) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(&Learner{})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	for _, f := range families {
		exists[f.GetName()] = true
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile("../../experiments/cluster/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	var drawn strings.Builder
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			if strings.Count(target.Expr, "(") != strings.Count(target.Expr, ")") || strings.Count(target.Expr, "{") != 1 ||
				strings.Count(target.Expr, "}") != 1 {
				t.Errorf("panel %s: the brackets of %q do not match", p.Title, target.Expr)
			}
			drawn.WriteString(target.Expr + "\n")
		}
	}
	table, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	metric := regexp.MustCompile(`\bpowderkeg_fleet_[a-z0-9_]+\b`)
	for where, text := range map[string]string{"the dashboard": drawn.String(), "the table of the README": string(table)} {
		named := map[string]bool{}
		for _, name := range metric.FindAllString(text, -1) {
			if named[name] = true; !exists[name] {
				t.Errorf("%s names %s, which does not exist", where, name)
			}
		}
		for name := range exists {
			if !named[name] {
				t.Errorf("%s has nothing of %s", where, name)
			}
		}
	}
}
