package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"powderkeg/engine/enginetest"
	"powderkeg/train/solve"
)

// TestSolutionsWithoutZeroSum prints an evaluation that has no exploitability: JSON
// has null, which NaN could not be, and the table leaves the line out.
func TestSolutionsWithoutZeroSum(t *testing.T) {
	tree, err := solve.Build(context.Background(), enginetest.Game(t, "kuhn"), solve.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	e := solve.Evaluation{Values: []float64{1, 2}, Responses: []float64{3, 5}, NashConv: 5, Exploitability: math.NaN()}
	s := newSolution(tree, e)
	s.run("cfr", []solve.Point{{Iteration: 4, Time: 2 * time.Second, Evaluation: e}})
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"exploitability":null,"nash_conv":5,"seconds":2,"iterations_per_second":2,`,
		`"curve":[{"iteration":4,"exploitability":null,"nash_conv":5,"seconds":2}]`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("JSON lacks %s: %s", want, data)
		}
	}
	var text bytes.Buffer
	if err := s.write(&text); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "exploitability") || !strings.Contains(text.String(), "value of seat 1     2, with a best response 5\n") {
		t.Errorf("the table is\n%swant values and no exploitability", text.String())
	}
}
