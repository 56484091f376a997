package train

import (
	"context"
	"fmt"
	"math"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/agents/search"
	"powderkeg/train/solve"
)

// searched returns what a search plays in every information state of the tree, with the
// network of a run that has just begun, which is all but uniform.
func searched(t *testing.T, whole *solve.Tree, name string) *solve.Policy {
	t.Helper()
	a, err := roster.New(whole.Game(), name)
	if err != nil {
		t.Fatal(err)
	}
	d := a.(*search.Descent)
	p, err := whole.Policy(func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			if len(s.Legal) == 1 {
				probabilities[i][0] = 1
				continue
			}
			d.Start(s.Seat, uint64(i))
			if _, err := d.Act(context.Background(), s.View, s.Legal); err != nil {
				return err
			}
			_, policy, _ := d.Found()
			copy(probabilities[i], policy)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// mixed lets one seat play the second policy and the others the first.
func mixed(others, one *solve.Policy, seat int) func([]solve.InfoState, [][]float64) error {
	return func(states []solve.InfoState, probabilities [][]float64) error {
		for i, s := range states {
			p := others
			if int(s.Seat) == seat {
				p = one
			}
			copy(probabilities[i], p.Probabilities(s.Seat, i))
		}
		return nil
	}
}

// TestDescentImprovesExactly measures the search on whole trees. From uniform play, where
// what others have done says nothing of their cards and the worlds are drawn as they are,
// a seat that searches gains against a uniform opponent, never more than a best response;
// and when both seats search by a small step, exploitability falls.
func TestDescentImprovesExactly(t *testing.T) {
	skipRaces(t)
	for _, c := range []struct {
		game string
		sims int
	}{{"kuhn", 3000}, {"leduc", 600}} {
		r := trainer(t, small(c.game))
		whole := tree(t, r.Game())
		checkpoint, err := r.Checkpoint()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir() + "/fresh"
		if err := checkpoint.Write(dir); err != nil {
			t.Fatal(err)
		}
		name := func(eta string) string {
			return fmt.Sprintf("md(alpha=0,depth=0,net=%s,sims=%d,eta=%s)", dir, c.sims, eta)
		}
		e, err := equilibriaOf(whole)
		if err != nil {
			t.Fatal(err)
		}
		before, err := e.policy(r.Network())
		if err != nil {
			t.Fatal(err)
		}
		start := whole.Evaluate(before)
		if same := whole.Evaluate(searched(t, whole, name("0"))); math.Abs(same.NashConv-start.NashConv) > 1e-4 {
			t.Errorf("%s: a step of length 0 changes NashConv from %v to %v", c.game, start.NashConv, same.NashConv)
		}
		step := whole.Evaluate(searched(t, whole, name("2")))
		if step.Exploitability > 0.9*start.Exploitability {
			t.Errorf("%s: a small step takes exploitability from %.4f to %.4f, want clearly less", c.game, start.Exploitability, step.Exploitability)
		}
		far := searched(t, whole, name("1000"))
		for seat := range 2 {
			alone, err := whole.Policy(mixed(before, far, seat))
			if err != nil {
				t.Fatal(err)
			}
			value := whole.Values(alone)[seat]
			best, gained := start.Responses[seat]-start.Values[seat], value-start.Values[seat]
			if gained < 0.6*best || gained > best+1e-9 {
				t.Errorf("%s, seat %d: a search against uniform play gains %.4f, a best response %.4f; want most of that", c.game, seat, gained, best)
			}
		}
	}
}
