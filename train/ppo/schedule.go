package ppo

import (
	"errors"
	"fmt"
	"math"
)

// Clock says how far the learning has come, lessons aside.
type Clock struct {
	// Share of it that is over, 0 to 1.
	Share float64
	// Made is how many updates there have been.
	Made int64
}

// Schedule is a number that changes over the run: evenly from Start to End, or with a
// Power above 0 as
//
//	max(End, min(Most, Start n^-Power)) in update n, from 1
//
// which falls fast at first and never below its floor (Ataraxos, arXiv:2511.07312, for
// the learning rate, the magnet and the entropy of runs whose length is open). In a config
// file a plain number stands for one that does not change (Constant).
type Schedule struct {
	// Start holds at the first update.
	Start float64 `yaml:"start" json:"start"`
	// End holds from the share Until of the run on, or is the floor of a power law.
	End float64 `yaml:"end" json:"end"`
	// Until is the share of the run, 0 to 1, at which End is reached; 0 is its end. An
	// entropy bonus that ends before the run does leaves the policy time to sharpen before
	// it is judged. A power law has none.
	Until float64 `yaml:"until" json:"until"`
	// Power is the exponent of the power law, 0 for an even change.
	Power float64 `yaml:"power" json:"power"`
	// Most caps the power law, 0 for no cap.
	Most float64 `yaml:"most" json:"most"`
}

// Constant returns a schedule that does not change.
func Constant(x float64) Schedule { return Schedule{Start: x, End: x} }

// ByLength reports whether the number depends on the length of the run: one that does not change
// does not, and neither does a power law.
func (s Schedule) ByLength() bool {
	return s.Power == 0 && math.Float64bits(s.Start) != math.Float64bits(s.End)
}

// At returns the number at that time.
func (s Schedule) At(c Clock) float32 {
	if s.Power > 0 {
		x := s.Start * math.Pow(float64(c.Made+1), -s.Power)
		if s.Most > 0 {
			x = min(x, s.Most)
		}
		return float32(max(x, s.End))
	}
	share := c.Share
	if s.Until > 0 {
		share /= s.Until
	}
	return float32(s.Start + (s.End-s.Start)*min(max(share, 0), 1))
}

// Validate reports numbers of a schedule of the given name that are out of their bounds; no value
// may be above most.
func (s Schedule) Validate(name string, most float64) error {
	var faults []error
	s.validate(name, most, func(name string, x, low, high float64) {
		if !(x >= low && x <= high) { // NaN too
			faults = append(faults, fmt.Errorf("%s is %v, it must be from %v to %v", name, x, low, high))
		}
	})
	return errors.Join(faults...)
}

// validate checks the numbers of a schedule of the given name, none of which may be
// above most.
func (s Schedule) validate(name string, most float64, number func(name string, x, low, high float64)) {
	if math.Float64bits(s.Start) == math.Float64bits(s.End) { // most likely one number was given
		number(name, s.Start, 0, most)
	} else {
		number(name+".start", s.Start, 0, most)
		number(name+".end", s.End, 0, most)
	}
	number(name+".until", s.Until, 0, 1)
	number(name+".power", s.Power, 0, 10)
	number(name+".most", s.Most, 0, most)
}
