package server

import (
	"powderkeg/serve/inference"
	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts what servers do. Labels are bounded: methods are those of the
// protocol and "unknown", codes those of the protocol and "ok".
type Metrics struct {
	connections   prometheus.Gauge
	accepted      prometheus.Counter
	refused       prometheus.Counter
	newcomers     prometheus.Gauge
	dropped       prometheus.Counter
	environments  prometheus.Gauge
	agents        prometheus.Gauge
	memory        prometheus.Gauge
	duration      *prometheus.HistogramVec
	responses     *prometheus.CounterVec
	decisions     *prometheus.CounterVec
	byEnv         prometheus.Counter // of decisions, as the next two
	byVec         prometheus.Counter
	byAgent       prometheus.Counter
	byDataset     prometheus.Counter
	receivedBytes prometheus.Counter
	sentBytes     prometheus.Counter
	panics        prometheus.Counter
	pretended     prometheus.Counter
	inference     *inference.Metrics
	thinking      *thinking.Metrics
}

// NewMetrics makes the metrics and registers them with reg, if that is not nil.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	const namespace, subsystem = "powderkeg", "serve"
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help})
	}
	m := &Metrics{
		connections:  gauge("connections", "Connections that are open and have said hello."),
		accepted:     counter("connections_accepted_total", "Connections that were accepted."),
		refused:      counter("connections_refused_total", "Connections that were turned away because the server was full."),
		newcomers:    gauge("newcomers", "Connections that are open and have not said hello."),
		dropped:      counter("newcomers_dropped_total", "Connections that had to go before they said hello, because newer ones took their places."),
		environments: gauge("environments", "Environments that are open, slots of vectorised ones included."),
		agents:       gauge("agents", "Agents that are loaded, those that play seats of environments included."),
		memory:       gauge("reserved_bytes", "Memory that is reserved for environments, agents, datasets and long requests, by an estimate from above."),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "request_duration_seconds",
			Help:    "Time from a request's last byte read to its response's last byte written.",
			Buckets: []float64{10e-6, 25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 50e-3, 0.25, 1, 5, 30},
		}, []string{"method"}),
		responses: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "responses_total",
			Help: "Responses by error code; ok where there was no error.",
		}, []string{"code"}),
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "decisions_total",
			Help: "Decisions played, by who chose them: a client in an env or a vec, an agent that plays a seat, or the agents of a dataset, when its rows " +
				"are sent.",
		}, []string{"by"}),
		receivedBytes: counter("received_bytes_total", "Bytes of requests, headers included."),
		sentBytes:     counter("sent_bytes_total", "Bytes of responses, headers included."),
		panics:        counter("panics_total", "Requests during which an engine broke down. Each has cost one environment, and the log has a report."),
		pretended: counter("pretended_thoughts_total",
			"Thoughts of agents about what they had no choice in, or were not asked, so that the time tells nobody."),
		inference: inference.NewMetrics(reg),
		thinking:  thinking.NewMetrics(reg),
	}
	m.byEnv, m.byVec, m.byAgent = m.decisions.WithLabelValues("env"), m.decisions.WithLabelValues("vec"), m.decisions.WithLabelValues("agent")
	m.byDataset = m.decisions.WithLabelValues("dataset")
	// What has not happened yet is 0, not absent.
	for _, code := range protocol.Codes {
		m.responses.WithLabelValues(string(code))
	}
	m.responses.WithLabelValues(codeOK)
	if reg != nil {
		reg.MustRegister(m.connections, m.accepted, m.refused, m.newcomers, m.dropped, m.environments, m.agents, m.memory, m.duration,
			m.responses, m.decisions, m.receivedBytes, m.sentBytes, m.panics, m.pretended)
	}
	return m
}

// answered counts a response.
func (m *Metrics) answered(fault *protocol.Error) {
	code := codeOK
	if fault != nil {
		code = string(fault.Code)
	}
	m.responses.WithLabelValues(code).Inc()
}

// codeOK is the label of responses without an error, unknownMethod that of
// requests for a method that does not exist.
const (
	codeOK        = "ok"
	unknownMethod = "unknown"
)
