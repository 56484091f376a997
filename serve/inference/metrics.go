package inference

import "github.com/prometheus/client_golang/prometheus"

// Metrics counts what pools do.
type Metrics struct {
	networks   prometheus.Gauge
	batchRows  prometheus.Histogram // its count is that of batches, its sum that of decisions
	overloaded prometheus.Counter
	reloaded   prometheus.Counter // of reloads, as the next one
	broken     prometheus.Counter
	reloads    *prometheus.CounterVec
}

// NewMetrics makes the metrics and registers them with reg, if that is not nil.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	const namespace, subsystem = "powderkeg", "serve"
	m := &Metrics{
		networks: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem, Name: "networks",
			Help: "Networks that are loaded, each shared by all connections that play it."}),
		batchRows: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: namespace, Subsystem: subsystem, Name: "inference_batch_rows",
			Help: "Decisions that networks have made at once, of all connections together.", Buckets: prometheus.ExponentialBuckets(1, 2, 11)}),
		overloaded: prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: "inference_overloaded_total",
			Help: "Acts that were refused because the queue of their network was full."}),
		reloads: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: "reloads_total",
			Help: "New checkpoints found in the place of loaded ones, by result: ok, or failed where the old one stays in use."}, []string{"result"}),
	}
	m.reloaded, m.broken = m.reloads.WithLabelValues("ok"), m.reloads.WithLabelValues("failed")
	if reg != nil {
		reg.MustRegister(m.networks, m.batchRows, m.overloaded, m.reloads)
	}
	return m
}
