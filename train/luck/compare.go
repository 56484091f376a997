package luck

import (
	"fmt"
)

// Comparison sets corrected results beside raw ones.
type Comparison struct {
	Raw       Mean `json:"raw"`
	Corrected Mean `json:"corrected"`
	// Factor is the variance of the raw ones over that of the corrected ones, with its 95% interval
	// by resampling: by how many times fewer games tell as much.
	Factor     float64 `json:"factor"`
	FactorLow  float64 `json:"factor_low"`
	FactorHigh float64 `json:"factor_high"`
}

// Compare compares independent results, at least 2, with the same ones corrected.
func Compare(raw, corrected []float64, seed uint64) Comparison {
	c := Comparison{Raw: meanOf(raw, 1), Corrected: meanOf(corrected, 1), Factor: factor(raw, corrected)}
	c.FactorLow, c.FactorHigh = resampled(raw, corrected, seed)
	return c
}

// String says the corrected mean, and what the correction was worth.
func (c Comparison) String() string {
	return fmt.Sprintf("%+.3f [%+.3f, %+.3f] corrected for luck, %+.3f [%+.3f, %+.3f] raw; %.2f [%.2f, %.2f] times fewer games tell as much",
		c.Corrected.Mean, c.Corrected.Low, c.Corrected.High, c.Raw.Mean, c.Raw.Low, c.Raw.High, c.Factor, c.FactorLow, c.FactorHigh)
}

// Correction says how results of games are corrected. It must have been fixed before they are
// played.
type Correction struct {
	// Values makes what the luck is measured by, once for each worker.
	Values func() Values
	// Digest identifies them, Share is the share of the luck to take out.
	Digest string
	Share  float64
}

// Correct writes what each seat has gained, without the share of its luck.
func (m *Meter) Correct(dst []float64, returns []float32, share float64) {
	for p, x := range returns {
		dst[p] = float64(x) - share*m.luck[p]
	}
}
