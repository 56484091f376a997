package eval

import (
	"fmt"

	"powderkeg/engine"
)

// Headline says by what play in a game of some payoff is judged, in a column of its own.
type Headline struct {
	// Rate names the share of games that WinRate and its interval are of, empty where nobody is
	// told by one: there the mean return is what counts.
	Rate string
	// Elo reports whether ratings say something: where all win or lose together they do not.
	Elo bool
}

// HeadlineOf returns what is said of games of a payoff: where returns add up to nothing the share
// of the wins, in a cooperative game that of the games that the team has won, and where each has
// a payoff of its own no more than the mean return, since being ahead of others is not the point.
func HeadlineOf(p engine.Payoff) Headline {
	switch p {
	case engine.ZeroSum:
		return Headline{Rate: "win rate", Elo: true}
	case engine.Cooperative:
		return Headline{Rate: "team wins"}
	}
	return Headline{Elo: true}
}

// warn looks for what makes ratings, or the share of wins, say something else than the games do.
func (r *Result) warn() {
	r.Warnings = []string{}
	if !HeadlineOf(r.Payoff).Elo || len(r.Agents) < 2 {
		return
	}
	say := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	games, draws := 0, 0
	for _, a := range r.Agents {
		games, draws = games+a.Games, draws+a.Draws
		if r.Payoff == engine.ZeroSum && a.Elo*a.MeanReturn < 0 {
			say("%s has an Elo of %+.0f, the field's mean being 0, and a mean return of %+.3f: it matters by how much games are won; go by the mean return", a.Name, a.Elo, a.MeanReturn)
		}
	}
	if 2*draws > games {
		say("%d of %d results are draws, each of which Elo takes for half a win: it says little of who plays better", draws, games)
	}
	for i, a := range r.Agents {
		for _, b := range r.Agents[i+1:] {
			if a.Elo < b.Elo {
				a, b = b, a
			}
			if r.Payoff != engine.ZeroSum && a.Elo > b.Elo && a.MeanReturn < b.MeanReturn {
				say("%s is above %s in Elo (%+.0f, %+.0f) and below it in mean return (%+.3f, %+.3f); go by the mean return", a.Name, b.Name, a.Elo, b.Elo, a.MeanReturn, b.MeanReturn)
			}
		}
	}
	if circle := r.circle(); circle != nil {
		say("%s beats %s, %s beats %s, and %s beats %s: no scale of Elo can say so; go by the pairs", circle[0], circle[1], circle[1], circle[2], circle[2], circle[0])
	}
}

// circle returns three agents of which each beats the next and the last the first, with the
// intervals of all three scores above one half, nil if there are none.
func (r *Result) circle() []string {
	beats := map[[2]string]bool{}
	for _, p := range r.Pairs {
		beats[[2]string{p.A, p.B}] = p.CILow > 0.5
		beats[[2]string{p.B, p.A}] = p.CIHigh < 0.5
	}
	for _, a := range r.Agents {
		for _, b := range r.Agents {
			for _, c := range r.Agents {
				if beats[[2]string{a.Name, b.Name}] && beats[[2]string{b.Name, c.Name}] && beats[[2]string{c.Name, a.Name}] {
					return []string{a.Name, b.Name, c.Name}
				}
			}
		}
	}
	return nil
}
