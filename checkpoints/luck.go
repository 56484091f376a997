package checkpoints

import "fmt"

// Luck says what the values of a network knew of luck when its run measured it (package
// train/luck), in games of the network against itself.
type Luck struct {
	// Update is after which update, Games in how many games.
	Update int64 `json:"update"`
	Games  int   `json:"games"`
	// Factor is the luck factor with all luck taken out, FactorLow and FactorHigh its 95%
	// interval, absent where no chance event was
	// measured, or results did not vary. BestShare and BestFactor are those of
	// the share that would have been best.
	Factor     *float64 `json:"factor,omitempty"`
	FactorLow  float64  `json:"factor_low,omitempty"`
	FactorHigh float64  `json:"factor_high,omitempty"`
	BestShare  float64  `json:"best_share,omitempty"`
	BestFactor float64  `json:"best_factor,omitempty"`
	// Explained is the share of the results' variance within each seat that the values explain,
	// ByPhase the same in parts of equal length of a game, both with 95% intervals.
	Explained         float64      `json:"explained"`
	ExplainedInterval [2]float64   `json:"explained_interval"`
	ByPhase           []float64    `json:"explained_by_phase"`
	ByPhaseIntervals  [][2]float64 `json:"explained_by_phase_intervals"`
	// Events counts the chance events of up to Outcomes outcomes, which were measured, Skipped
	// those of more.
	Outcomes int `json:"outcomes"`
	Events   int `json:"events"`
	Skipped  int `json:"skipped"`
}

// String says the factor in a few words, or why there is none.
func (l *Luck) String() string {
	switch {
	case l.Factor != nil:
		return fmt.Sprintf("%.2f [%.2f, %.2f]", *l.Factor, l.FactorLow, l.FactorHigh)
	case l.Events > 0:
		return "none: the results did not vary"
	case l.Skipped > 0:
		return fmt.Sprintf("none: every chance event has more than %d outcomes", l.Outcomes)
	}
	return "none: the game has no chance"
}

// mostPhases bounds the parts of a game that a manifest tells of.
const mostPhases = 100

// validate says what is wrong with what a manifest says after so many updates.
func (l *Luck) validate(updates int64) error {
	if l.Update < 0 || l.Update > updates {
		return fmt.Errorf("update is %d, it must be from 0 to the checkpoint's %d", l.Update, updates)
	}
	for name, n := range map[string]int{"games": l.Games, "outcomes": l.Outcomes, "events": l.Events, "skipped": l.Skipped} {
		if n < 0 || n > mostCounted {
			return fmt.Errorf("%s is %d, it must not be negative or above %d", name, n, int64(mostCounted))
		}
	}
	if n := len(l.ByPhase); n > mostPhases || n != len(l.ByPhaseIntervals) {
		return fmt.Errorf("it explains %d phases with %d intervals, it must be as many and at most %d", n, len(l.ByPhaseIntervals), mostPhases)
	}
	return nil
}
