package respond

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"powderkeg/train/eval"
)

// Format is the version of the result's JSON form.
const Format = "powderkeg-response/1"

// Result is what a run has found. Everything is in the game's own unit, and intervals are
// 95% intervals over units of games.
type Result struct {
	Format string `json:"format"`
	Game   string `json:"game"`
	Rules  int    `json:"rules"` // the version of the game's rules
	Agent  string `json:"agent"`
	// Position is the one that games begin in, absent for the game's own start.
	Position json.RawMessage `json:"position,omitempty"`
	Seed     uint64          `json:"seed"`
	// NashConv is what the response gains on all seats in sum, in games that nothing was
	// chosen by: in expectation a lower bound of the agent's.
	NashConv Bound `json:"nash_conv"`
	// Exploitability is NashConv over the number of seats, absent unless the payoffs add up
	// to zero.
	Exploitability *Bound `json:"exploitability,omitempty"`
	// Response says who plays each seat.
	Response []Choice `json:"response"`
	// Fresh is what the response gains by seat in the games of NashConv.
	Fresh *eval.DeviationResult `json:"fresh"`
	// Learners is what training has cost, Measuring how many seconds the latest call played
	// to measure.
	Learners   []Learner   `json:"learners"`
	Measuring  float64     `json:"measuring_seconds"`
	Candidates []Candidate `json:"candidates"`
	// Exact is the truth beside it, absent unless somebody knows it.
	Exact *Exact `json:"exact,omitempty"`

	zeroSum bool
}

// Bound is an estimate with its interval.
type Bound struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// over divides a bound.
func (b Bound) over(n float64) Bound { return Bound{b.Mean / n, b.Low / n, b.High / n} }

// Choice is who plays a seat of the response.
type Choice struct {
	Seat int `json:"seat"`
	Way  Way `json:"way"`
	// Updates and Player are those of the Candidate.
	Updates int64  `json:"updates,omitempty"`
	Player  string `json:"player"`
}

// set takes the games that nothing was chosen by.
func (r *Result) set(fresh *eval.DeviationResult) {
	r.Fresh = fresh
	r.NashConv = Bound{fresh.NashConv, fresh.NashConvLow, fresh.NashConvHigh}
	if r.zeroSum {
		e := r.NashConv.over(float64(len(fresh.Seats)))
		r.Exploitability = &e
	}
}

// distance is what is drawn and compared, and its name: exploitability, or NashConv where
// there is none.
func (r *Result) distance() (string, Bound) {
	if r.Exploitability != nil {
		return "exploitability", *r.Exploitability
	}
	return "NashConv", r.NashConv
}

// estimate is the same of what a candidate gains.
func (r *Result) estimate(c Candidate) Bound {
	b := Bound{c.NashConv, c.NashConvLow, c.NashConvHigh}
	if r.Exploitability != nil {
		return b.over(float64(len(c.Seats)))
	}
	return b
}

// Write prints the result for people.
func (r *Result) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "game\t%s\n", r.Game)
	fmt.Fprintf(w, "agent\t%s\n", r.Agent)
	name, b := r.distance()
	fmt.Fprintf(w, "%s at least\t%.4g [%.4g, %.4g], in %d fresh games\n", name, b.Mean, b.Low, b.High, r.Fresh.Games)
	if r.Exact != nil {
		fmt.Fprintf(w, "%s\t%.6g, of which the response has %s\n", name, r.Exact.True, r.Exact.share())
	}
	for i, s := range r.Fresh.Seats {
		c := r.Response[i]
		fmt.Fprintf(w, "seat %d\tgains %.4g [%.4g, %.4g]: %.4g in place of %.4g, by %s\n", i, s.Gain, s.GainLow, s.GainHigh, s.Deviant, s.Own,
			Candidate{Way: c.Way, Updates: c.Updates}.name())
	}
	for _, l := range r.Learners {
		fmt.Fprintf(w, "trained %s\t%d updates, %d decisions, %.0f s\n", l.Way, l.Updates, l.Decisions, l.Seconds)
	}
	fmt.Fprintf(w, "measured\t%d candidates, %.0f s\n", len(r.Candidates), r.Measuring)
	return w.Flush()
}
