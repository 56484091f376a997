package eval

import (
	"errors"
	"fmt"
	"strings"

	"powderkeg/agents/table"
	"powderkeg/engine"
	"powderkeg/train/luck"
)

// CorrectedResult is a match with the luck of dice and draws taken out of its results (package
// luck). It estimates the same means.
type CorrectedResult struct {
	// Values identifies what the luck was measured by, Share is what was taken out of it. Both were
	// fixed before the games.
	Values string  `json:"values"`
	Share  float64 `json:"share"`
	// Agents compares the mean returns of each contestant over the units, in their order.
	Agents []CorrectedAgent `json:"agents"`
}

// CorrectedAgent is the mean return of one contestant.
type CorrectedAgent struct {
	Name string `json:"name"`
	luck.Comparison
}

var errCorrectedElsewhere = errors.New("games that are played elsewhere are not corrected for luck")

// meter measures the luck of a worker's games, nil if nobody wants it.
func newMeter(g engine.Game, c *luck.Correction) *luck.Meter {
	if c == nil {
		return nil
	}
	return luck.NewMeter(g, c.Values(), luck.MostOutcomes)
}

// measured are the options of a game whose luck is measured, which begins.
func measured(m *luck.Meter) table.Options {
	if m == nil {
		return table.Options{}
	}
	m.Begin()
	return table.Options{Each: m.Move}
}

// compare compares what the contestants have gained in each unit with the same without luck, both
// [games][seats].
func (c Config) compare(p plan, names []string, returns []float32, corrected []float64) *CorrectedResult {
	r := &CorrectedResult{Values: c.Correction.Digest, Share: c.Correction.Share}
	for k, name := range names {
		var raw, own []float64
		for u := range p.units {
			var sums [2]float64
			held := 0.0
			for n := u * p.seats; n < (u+1)*p.seats; n++ {
				for seat := range p.seats {
					if p.contestant(n, seat) == k {
						sums[0] += float64(returns[n*p.seats+seat])
						sums[1] += corrected[n*p.seats+seat]
						held++
					}
				}
			}
			if held > 0 {
				raw, own = append(raw, sums[0]/held), append(own, sums[1]/held)
			}
		}
		if len(raw) > 1 { // of one unit nothing is known about how results vary
			r.Agents = append(r.Agents, CorrectedAgent{name, luck.Compare(raw, own, c.Seed)})
		}
	}
	return r
}

// compare compares what the seats have gained on average in each game with the same without luck,
// both [games][seats].
func (c TeamConfig) compare(returns []float32, corrected []float64) *CorrectedResult {
	r := &CorrectedResult{Values: c.Correction.Digest, Share: c.Correction.Share}
	seats := len(returns) / c.Games
	raw, own := make([]float64, c.Games), make([]float64, c.Games)
	for i, x := range returns {
		raw[i/seats] += float64(x) / float64(seats)
		own[i/seats] += corrected[i] / float64(seats)
	}
	if c.Games > 1 {
		r.Agents = append(r.Agents, CorrectedAgent{c.Agent.Name, luck.Compare(raw, own, c.Seed)})
	}
	return r
}

// String is a paragraph of text.
func (r *CorrectedResult) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nmean returns, %.3g of the luck taken out by values %.12s\n", r.Share, r.Values)
	for _, a := range r.Agents {
		fmt.Fprintf(&b, "%s  %s\n", a.Name, a.Comparison)
	}
	return b.String()
}
