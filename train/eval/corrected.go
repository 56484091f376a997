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

// luckFault returns the error of a meter, nil where there is none.
func luckFault(m *luck.Meter) error {
	if m == nil {
		return nil
	}
	return m.Err()
}

// compare compares what the contestants have gained in each unit with the same without luck.
func (s *summary) compare(c *luck.Correction, names []string, seed uint64) *CorrectedResult {
	r := &CorrectedResult{Values: c.Digest, Share: c.Share}
	for k, name := range names {
		r.add(name, &s.tallies[k].compared, seed)
	}
	return r
}

// add compares the results of one contestant.
func (r *CorrectedResult) add(name string, p *paired, seed uint64) {
	if len(p.raw.closed) > 1 { // of one unit nothing is known about how results vary
		r.Agents = append(r.Agents, CorrectedAgent{name, luck.Compare(linearised(p.raw.closed), linearised(p.corrected.closed), seed)})
	}
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
