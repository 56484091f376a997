package run

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"powderkeg/checkpoints"
	"powderkeg/train"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// TestMetricNames lints all of them, after each has had a value.
func TestMetricNames(t *testing.T) {
	reg := prometheus.NewRegistry()
	m := newMetrics(reg)
	m.update(train.UpdateMetrics{Seconds: 0.5, Spent: &train.Spent{Learning: 0.25}, GamesEnded: 3, Entropy: 0.7}, 1024)
	m.evaluation(train.EvaluationMetrics{Opponent: "random", WinRate: 0.75})
	m.lucky(train.LuckMetrics{})
	if n := testutil.CollectAndCount(m.luck); n != 0 {
		t.Errorf("%d luck factors without chance, want none", n)
	}
	factor := 1.5
	m.lucky(train.LuckMetrics{Luck: checkpoints.Luck{Factor: &factor, ByPhase: []float64{0.25, 0.75}}})
	problems, err := testutil.GatherAndLint(reg)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	if got := testutil.ToFloat64(m.decisions); got != 1024 {
		t.Errorf("decisions are %v, want 1024", got)
	}
	if got := testutil.ToFloat64(m.winRate.WithLabelValues("random")); got != 0.75 {
		t.Errorf("the win rate is %v, want 0.75", got)
	}
	if got := testutil.ToFloat64(m.spent.WithLabelValues("learning")); got != 0.25 {
		t.Errorf("%v seconds were spent on learning, want 0.25", got)
	}
	if got := testutil.ToFloat64(m.luck); got != factor {
		t.Errorf("the luck factor is %v, want %v", got, factor)
	}
	if got := testutil.ToFloat64(m.explainedBy.WithLabelValues("2")); got != 0.75 {
		t.Errorf("the second part is explained to %v, want 0.75", got)
	}
	newMetrics(prometheus.NewRegistry()) // two runs in one process do not collide
	(*metrics)(nil).update(train.UpdateMetrics{}, 1)
	(*metrics)(nil).evaluation(train.EvaluationMetrics{})
	(*metrics)(nil).lucky(train.LuckMetrics{})
}

// TestMetricsAreServedUntilStopped asks the endpoint, stops it, and demands that
// the port is free again.
func TestMetricsAreServedUntilStopped(t *testing.T) {
	reg := prometheus.NewRegistry()
	newMetrics(reg).update(train.UpdateMetrics{}, 77)
	address, stop, err := serveMetrics("localhost:0", reg)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "powderkeg_train_decisions_total 77") {
		t.Errorf("the endpoint says\n%s\nwant 77 decisions", text)
	}
	stop()
	_, again, err := serveMetrics(address, reg)
	if err != nil {
		t.Fatalf("after stop: %v", err)
	}
	again()
}
