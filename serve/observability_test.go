package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"powderkeg/serve/client"
	"powderkeg/serve/server"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// exposed returns the names that a scrape of a server knows, those of the parts of
// histograms included.
func exposed(t *testing.T) map[string]bool {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	c := config()
	c.Metrics = server.NewMetrics(registry)
	// A histogram by method is there once a method has been called.
	peer, err := client.Dial(context.Background(), running(t, c))
	if err != nil {
		t.Fatal(err)
	}
	peer.Close()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range families {
		names[f.GetName()] = true
		if f.GetMetric()[0].GetHistogram() != nil {
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				names[f.GetName()+part] = true
			}
		}
	}
	return names
}

// The dashboard, the alerts and the table name metrics that exist, and the table
// names all of the server's own.
func TestEveryMetricThatIsNamedExists(t *testing.T) {
	names := exposed(t)
	metric := regexp.MustCompile(`\b(powderkeg_serve|go|process)_[a-z0-9_]+\b`)
	for _, file := range []string{"grafana.json", "alerts.yml", "README.md"} {
		text, err := os.ReadFile("observability/" + file)
		if err != nil {
			t.Fatal(err)
		}
		found := metric.FindAllString(string(text), -1)
		if len(found) < 5 {
			t.Errorf("%s names %d metrics, want more", file, len(found))
		}
		for _, name := range found {
			if !names[name] {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
		if file != "README.md" {
			continue
		}
		for name := range names {
			whole := !strings.HasSuffix(name, "_bucket") && !strings.HasSuffix(name, "_sum") && !strings.HasSuffix(name, "_count")
			if strings.HasPrefix(name, "powderkeg_") && whole && !strings.Contains(string(text), "\n| `"+name+"` |") {
				t.Errorf("the table has no row for %s", name)
			}
		}
	}
}

func TestTheDashboardAndTheAlertsCanBeRead(t *testing.T) {
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	text, err := os.ReadFile("observability/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	exprs := map[string]string{}
	for _, p := range dashboard.Panels {
		for i, target := range p.Targets {
			exprs[fmt.Sprint("panel ", p.Title, " ", i)] = target.Expr
		}
	}
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if text, err = os.ReadFile("observability/alerts.yml"); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &alerts); err != nil {
		t.Fatal(err)
	}
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			exprs["alert "+r.Alert] = r.Expr
		}
	}
	if len(exprs) < 15 {
		t.Errorf("%d expressions, want more", len(exprs))
	}
	for name, expr := range exprs {
		for _, pair := range []string{"()", "{}", "[]"} {
			if open := strings.Count(expr, pair[:1]); expr == "" || open != strings.Count(expr, pair[1:]) {
				t.Errorf("%s: the brackets of %q do not match", name, expr)
			}
		}
	}
}
