package run

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"powderkeg/train"
)

// metrics are the Prometheus metrics of a run. A nil *metrics records nothing.
type metrics struct {
	updates, decisions, games prometheus.Counter
	seconds                   prometheus.Histogram
	spent                     *prometheus.CounterVec
	loss                      *prometheus.GaugeVec
	entropy, kl, explained    prometheus.Gauge
	length, staleness, rho    prometheus.Gauge
	winRate                   *prometheus.GaugeVec
	distance                  *prometheus.GaugeVec
	luck                      *prometheus.GaugeVec
	explainedBy               *prometheus.GaugeVec
}

// newMetrics registers the metrics of one run. README.md says what each tells.
func newMetrics(reg prometheus.Registerer) *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "powderkeg", Subsystem: "train", Name: name, Help: help})
	}
	options := func(name, help string) prometheus.GaugeOpts {
		return prometheus.GaugeOpts{Namespace: "powderkeg", Subsystem: "train", Name: name, Help: help}
	}
	m := &metrics{
		updates:   counter("updates_total", "Updates of the network."),
		decisions: counter("decisions_total", "Decisions played to learn from."),
		games:     counter("games_total", "Games finished while learning."),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "powderkeg", Subsystem: "train", Name: "update_duration_seconds",
			Help: "Time that an update took, its play included.", Buckets: prometheus.ExponentialBuckets(0.01, 2, 14),
		}),
		loss:      prometheus.NewGaugeVec(options("loss", "Terms of the loss in the last update."), []string{"term"}),
		entropy:   prometheus.NewGauge(options("entropy_nats", "Mean entropy of the policy in the last update.")),
		kl:        prometheus.NewGauge(options("kl_nats", "How far the last update has moved the policy.")),
		explained: prometheus.NewGauge(options("explained_variance_ratio", "Share of the variance of returns that the values explain.")),
		length:    prometheus.NewGauge(options("game_length_decisions", "Mean length of the games that ended in the last update.")),
		staleness: prometheus.NewGauge(options("staleness_updates",
			"By how many updates the weights that played were behind those that learned, 95th percentile of the last update.")),
		rho: prometheus.NewGauge(options("mean_rho_ratio",
			"Mean of the bounded ratios that correct what earlier weights have played, 1 where nothing is corrected.")),
		winRate: prometheus.NewGaugeVec(options("win_rate_ratio", "Share of games won in the last evaluation, draws as half."), []string{"opponent"}),
	}
	m.distance = prometheus.NewGaugeVec(options("exploitability_returns",
		"Distance of a policy from an equilibrium in the last exact evaluation, in the game's unit."), []string{"policy"})
	m.spent = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "powderkeg", Subsystem: "train", Name: "spent_seconds_total", Help: "Where the time of updates went, by activity.",
	}, []string{"activity"})
	m.luck = prometheus.NewGaugeVec(options("luck_factor_ratio", "Luck factor of the values in the last measurement, absent without chance."), nil)
	m.explainedBy = prometheus.NewGaugeVec(options("luck_explained_ratio",
		"Share of the variance of results that the values explain, by part of a game, in the last measurement."), []string{"part"})
	reg.MustRegister(m.luck, m.explainedBy, m.distance, m.spent, m.updates, m.decisions, m.games, m.seconds, m.loss, m.entropy,
		m.kl, m.explained, m.length, m.staleness, m.rho, m.winRate)
	return m
}

// update records an update of so many decisions.
func (m *metrics) update(u train.UpdateMetrics, decisions int) {
	if m == nil {
		return
	}
	m.updates.Inc()
	m.decisions.Add(float64(decisions))
	m.games.Add(float64(u.GamesEnded))
	m.seconds.Observe(u.Seconds)
	if s := u.Spent; s != nil {
		m.spent.WithLabelValues("play").Add(s.Play)
		m.spent.WithLabelValues("network").Add(s.Network)
		m.spent.WithLabelValues("learning").Add(s.Learning)
		m.spent.WithLabelValues("waiting").Add(s.Waiting)
	}
	m.loss.WithLabelValues("policy").Set(u.PolicyLoss)
	m.loss.WithLabelValues("value").Set(u.ValueLoss)
	m.loss.WithLabelValues("total").Set(u.Loss)
	m.entropy.Set(u.Entropy)
	m.kl.Set(u.KL)
	m.explained.Set(u.Explained)
	m.length.Set(u.Length)
	m.staleness.Set(float64(u.Lag))
	if u.Rho > 0 {
		m.rho.Set(u.Rho)
	} else {
		m.rho.Set(1)
	}
}

// evaluation records the result against an opponent, of which the config names
// a few.
func (m *metrics) evaluation(e train.EvaluationMetrics) {
	if m != nil {
		m.winRate.WithLabelValues(e.Opponent).Set(e.WinRate)
	}
}

// exact records the distance of a policy from an equilibrium.
func (m *metrics) exact(e train.ExactMetrics) {
	if m != nil {
		m.distance.WithLabelValues(e.Policy).Set(e.Distance())
	}
}

// lucky records a measurement of luck.
func (m *metrics) lucky(l train.LuckMetrics) {
	if m == nil {
		return
	}
	if l.Factor != nil {
		m.luck.WithLabelValues().Set(*l.Factor)
	}
	m.explainedBy.WithLabelValues("all").Set(l.Explained)
	for i, x := range l.ByPhase {
		m.explainedBy.WithLabelValues(strconv.Itoa(i + 1)).Set(x)
	}
}

// serveMetrics serves the registry at the bound address until stop is called,
// which returns when the server is down.
func serveMetrics(address string, registry *prometheus.Registry) (bound string, stop func(), err error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends with ErrServerClosed
	}()
	return listener.Addr().String(), func() {
		_ = server.Close()
		<-done
	}, nil
}
