package thinking

import "github.com/prometheus/client_golang/prometheus"

// Metrics counts what pools do.
type Metrics struct {
	running prometheus.Gauge
	waiting prometheus.Gauge
	waited  prometheus.Histogram
	refused prometheus.Counter
}

// NewMetrics makes the metrics and registers them with reg, if that is not nil.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	const namespace, subsystem = "powderkeg", "serve"
	m := &Metrics{
		running: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem, Name: "thoughts",
			Help: "Long thoughts of agents that are under way, those that have given their place to others for a while included."}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem, Name: "thoughts_waiting",
			Help: "Long thoughts of agents that wait for a place."}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Subsystem: subsystem, Name: "thought_wait_seconds",
			Help: "How long a long thought has waited for its first place.", Buckets: []float64{100e-6, 1e-3, 10e-3, 50e-3, 0.25, 1, 5, 30}}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: "thoughts_refused_total",
			Help: "Requests that were refused because so many thoughts waited."}),
	}
	if reg != nil {
		reg.MustRegister(m.running, m.waiting, m.waited, m.refused)
	}
	return m
}
