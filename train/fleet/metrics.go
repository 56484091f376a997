package fleet

import "github.com/prometheus/client_golang/prometheus"

// series are the Prometheus metrics of a learner, with what they count.
var series = []struct {
	desc *prometheus.Desc
	of   func(Counts) int64
}{
	{describe("tasks", "Tasks handed out to workers, again ones too."), func(c Counts) int64 { return c.Tasks }},
	{describe("parts_taken", "Parts that were learned from."), func(c Counts) int64 { return c.Taken }},
	{describe("parts_duplicate", "Parts of tasks that were not waited for any more."), func(c Counts) int64 { return c.Duplicates }},
	{describe("parts_refused", "Parts that were not what was played."), func(c Counts) int64 { return c.Refused }},
	{describe("tasks_redelivered", "Parts whose task had been lost with another worker."), func(c Counts) int64 { return c.Redelivered }},
	{describe("tasks_handed_again", "Tasks handed out anew, since the broker had lost them."), func(c Counts) int64 { return c.HandedAgain }},
	{describe("tasks_rescued", "Tasks that somebody had taken and not answered, and the learner played."), func(c Counts) int64 { return c.Rescued }},
	{describe("tasks_quarantined", "Tasks that nobody could play, and the learner played."), func(c Counts) int64 { return c.Quarantined }},
	{describe("part_bytes", "Bytes of parts, as they came."), func(c Counts) int64 { return c.Bytes }},
}

func describe(name, help string) *prometheus.Desc {
	return prometheus.NewDesc("powderkeg_fleet_"+name+"_total", help, nil, nil)
}

// Describe implements prometheus.Collector.
func (l *Learner) Describe(to chan<- *prometheus.Desc) {
	for _, s := range series {
		to <- s.desc
	}
}

// Collect implements prometheus.Collector.
func (l *Learner) Collect(to chan<- prometheus.Metric) {
	c := l.Counts()
	for _, s := range series {
		to <- prometheus.MustNewConstMetric(s.desc, prometheus.CounterValue, float64(s.of(c)))
	}
}
