package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"powderkeg/train/solve"
)

// solution is what "solve --json" prints.
type solution struct {
	Game string `json:"game"`
	// Algorithm is empty where Policy names the agent that was evaluated.
	Algorithm  string `json:"algo,omitempty"`
	Policy     string `json:"policy,omitempty"`
	Iterations int    `json:"iterations"`
	// Value is what seat 0 expects when all play the policy, Values what each seat
	// does, BestResponses what each would alone with its best response.
	Value         float64   `json:"value"`
	Values        []float64 `json:"values"`
	BestResponses []float64 `json:"best_responses"`
	// Exploitability is null for games that are not zero-sum.
	Exploitability *float64     `json:"exploitability"`
	NashConv       float64      `json:"nash_conv"`
	Seconds        float64      `json:"seconds"` // of the iterations
	PerSecond      float64      `json:"iterations_per_second"`
	Nodes          int          `json:"nodes"`
	Counts         solve.Counts `json:"counts"`
	Curve          []curvePoint `json:"curve,omitempty"`
}

// curvePoint is an evaluation on the way.
type curvePoint struct {
	Iteration      int      `json:"iteration"`
	Exploitability *float64 `json:"exploitability"`
	NashConv       float64  `json:"nash_conv"`
	Seconds        float64  `json:"seconds"`
}

// newSolution tells of the evaluation of a policy.
func newSolution(t *solve.Tree, e solve.Evaluation) solution {
	return solution{
		Game:  t.Game().Spec().Text,
		Value: e.Values[0], Values: e.Values, BestResponses: e.Responses,
		Exploitability: defined(e), NashConv: e.NashConv,
		Nodes: t.Nodes(), Counts: t.Counts(),
	}
}

// run adds how the policy was found.
func (s *solution) run(algorithm string, points []solve.Point) {
	last := points[len(points)-1]
	s.Algorithm, s.Iterations, s.Seconds = algorithm, last.Iteration, last.Time.Seconds()
	s.PerSecond = float64(last.Iteration) / max(s.Seconds, 1e-9) // a clock may be too coarse
	for _, p := range points {
		s.Curve = append(s.Curve, curvePoint{p.Iteration, defined(p.Evaluation), p.NashConv, p.Time.Seconds()})
	}
}

// defined returns the exploitability where there is one.
func defined(e solve.Evaluation) *float64 {
	if !e.ZeroSum() {
		return nil
	}
	return &e.Exploitability
}

// write prints the solution for people.
func (s *solution) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "game\t%s\n", s.Game)
	if s.Policy != "" {
		fmt.Fprintf(w, "policy\t%s\n", s.Policy)
	} else {
		fmt.Fprintf(w, "algorithm\t%s, %d iterations\n", s.Algorithm, s.Iterations)
	}
	for i, v := range s.Values {
		fmt.Fprintf(w, "value of seat %d\t%.6g, with a best response %.6g\n", i, v, s.BestResponses[i])
	}
	if s.Exploitability != nil {
		fmt.Fprintf(w, "exploitability\t%.6g\n", *s.Exploitability)
	}
	fmt.Fprintf(w, "NashConv\t%.6g\n", s.NashConv)
	fmt.Fprintf(w, "information states\t%d\n", s.Counts.InfoStates)
	fmt.Fprintf(w, "nodes\t%d: %d decisions, %d chance events, %d ends\n", s.Nodes, s.Counts.Decisions, s.Counts.Chance, s.Counts.Terminals)
	if s.Policy == "" {
		fmt.Fprintf(w, "time\t%.3g s, %.0f iterations/s\n", s.Seconds, s.PerSecond)
	}
	return w.Flush()
}
