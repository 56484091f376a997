package eval

import (
	"strings"
	"testing"

	"powderkeg/engine"
)

// summed sums up games of the given returns, [games][seats], between three contestants a, b and c
// in a game of two seats, whose line-ups are ab, ac and bc.
func summed(t *testing.T, payoff engine.Payoff, names []string, returns ...float32) *Result {
	t.Helper()
	p := newPlan(len(names), 2, len(returns)/2, false)
	if p.games()*2 != len(returns) {
		t.Fatalf("%d returns for %d games of two", len(returns), p.games())
	}
	s := newSummary(&engine.Spec{Text: "game", Seats: 2, MinReturn: -10, MaxReturn: 10, Payoff: payoff}, len(names), p, 1)
	for u := range p.units {
		s.unit(u, returns[4*u:4*(u+1)], nil)
	}
	r, err := s.result(names)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func repeat(n int, units ...float32) []float32 {
	var all []float32
	for range n {
		all = append(all, units...)
	}
	return all
}

// A unit is two games; in the second the seats have changed. So 1, -1, -1, 1 is a win of the first
// contestant in both.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name    string
		payoff  engine.Payoff
		names   []string
		returns []float32
		want    string // a part of the only warning, "" for none
	}{
		{"nothing", engine.ZeroSum, []string{"a", "b"}, repeat(10, 1, -1, -1, 1), ""},
		{"draws", engine.ZeroSum, []string{"a", "b"}, append(repeat(9, 0, 0, 0, 0), 1, -1, -1, 1), "36 of 40 results are draws"},
		{"circle", engine.ZeroSum, []string{"a", "b", "c"}, repeat(20, 1, -1, -1, 1 /* ab */, -1, 1, 1, -1 /* ac */, 1, -1, -1, 1 /* bc */),
			"a beats b, b beats c, and c beats a"},
		{"payoffs of their own", engine.GeneralSum, []string{"a", "b"}, repeat(1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 9, 9, 0), "a is above b in Elo"},
		{"together", engine.Cooperative, []string{"a", "b"}, repeat(10, -1, -1, -1, -1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := summed(t, c.payoff, c.names, c.returns...)
			if c.want == "" && len(r.Warnings) > 0 || c.want != "" && (len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], c.want)) {
				t.Errorf("warnings are %q, want %q", r.Warnings, c.want)
			}
		})
	}
	// Many small wins and few large losses.
	r := summed(t, engine.ZeroSum, []string{"a", "b"}, append(repeat(8, 1, -1, -1, 1), -9, 9, 9, -9, -9, 9, 9, -9)...)
	if len(r.Warnings) != 2 || !strings.HasPrefix(r.Warnings[0], "a has an Elo of +") ||
		!strings.Contains(r.Warnings[0], "and a mean return of -1.000: ") {
		t.Errorf("warnings are %q, want that a has an Elo above the field for a mean return below 0, and b the other way round", r.Warnings)
	}
}

// A circle may have more than three agents, where those across it are as good as even; the shortest is told.
func TestCircles(t *testing.T) {
	const wins, even = 0.8, 0.5
	pair := func(a, b string, score float64) PairResult {
		return PairResult{A: a, B: b, Score: score, CILow: score - 0.1, CIHigh: score + 0.1}
	}
	agents := []AgentResult{{Name: "a", Games: 9}, {Name: "b", Games: 9}, {Name: "c", Games: 9}, {Name: "d", Games: 9}}
	for _, c := range []struct {
		name  string
		pairs []PairResult
		want  string
	}{
		{"four", []PairResult{pair("a", "b", wins), pair("b", "c", wins), pair("c", "d", wins), pair("a", "d", 1-wins), pair("a", "c", even),
			pair("b", "d", even)},
			"a beats b, b beats c, c beats d, and d beats a: "},
		{"three of four", []PairResult{pair("a", "b", wins), pair("b", "c", wins), pair("c", "d", wins), pair("a", "d", 1-wins), pair("b", "d", 1-wins),
			pair("a", "c", even)},
			"b beats c, c beats d, and d beats b: "},
		{"none", []PairResult{pair("a", "b", wins), pair("b", "c", wins), pair("c", "d", wins), pair("a", "d", wins), pair("a", "c", even),
			pair("b", "d", even)}, ""},
		{"within the intervals", []PairResult{pair("a", "b", wins), pair("b", "c", wins), pair("c", "d", wins), pair("a", "d", even)}, ""},
	} {
		r := Result{Payoff: engine.ZeroSum, Agents: agents, Pairs: c.pairs}
		r.warn()
		if c.want == "" && len(r.Warnings) > 0 || c.want != "" && (len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], c.want)) {
			t.Errorf("%s: warnings are %q, want %q", c.name, r.Warnings, c.want)
		}
	}
}

// A cooperative game is won by all or by nobody: what is lost every time has no win rate of one
// half.
func TestATeamWinsTogether(t *testing.T) {
	r := summed(t, engine.Cooperative, []string{"a", "b"}, append(repeat(9, -1, -1, -1, -1), 1, 1, -1, -1)...)
	for _, a := range r.Agents {
		if a.Games != 20 || a.Wins != 1 || a.Draws != 0 || a.WinRate != 0.05 || a.CILow > 0.05 || a.CIHigh < 0.05 || a.Gained != 0.05 {
			t.Errorf("of 20 games, one of them won, the result is %+v", a)
		}
	}
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "Elo") || strings.Contains(text, "win rate") || !strings.Contains(text, "team wins") {
		t.Errorf("the table is\n%s", text)
	}
}

// Where each seat has a payoff of its own the mean return comes first.
func TestPayoffsOfTheirOwn(t *testing.T) {
	r := summed(t, engine.GeneralSum, []string{"a", "b"}, repeat(2, 1, 0.5, 0, 1)...)
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); !strings.Contains(text, "agent  games  mean return") || strings.Contains(text, "wins") || r.Agents[0].Gained != 1 ||
		r.Agents[1].Gained != 0.5 {
		t.Errorf("%+v is written\n%s", r.Agents, text)
	}
}
