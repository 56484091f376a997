package eval

import (
	"fmt"
	"slices"
	"strings"

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
			say("%s has an Elo of %+.0f, the field's mean being 0, and a mean return of %+.3f: it matters by how much games are won; go by the mean return",
				a.Name, a.Elo, a.MeanReturn)
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
				say("%s is above %s in Elo (%+.0f, %+.0f) and below it in mean return (%+.3f, %+.3f); go by the mean return", a.Name, b.Name, a.Elo, b.Elo,
					a.MeanReturn, b.MeanReturn)
			}
		}
	}
	if circle := r.circle(); circle != nil {
		var beats []string
		for i, name := range circle {
			beats = append(beats, fmt.Sprintf("%s beats %s", name, circle[(i+1)%len(circle)]))
		}
		last := len(beats) - 1
		say("%s, and %s: no scale of Elo can say so; go by the pairs", strings.Join(beats[:last], ", "), beats[last])
	}
}

// circle returns the fewest agents of which each beats the next and the last the first, with the
// intervals of all scores above one half, nil if there are none. Of three that are as good as
// even nobody beats another, so that the shortest circle may have four agents or more.
func (r *Result) circle() []string {
	beaten := map[string][]string{} // by whom
	for _, p := range r.Pairs {
		switch {
		case p.CILow > 0.5:
			beaten[p.A] = append(beaten[p.A], p.B)
		case p.CIHigh < 0.5:
			beaten[p.B] = append(beaten[p.B], p.A)
		}
	}
	var shortest []string
	for _, a := range r.Agents {
		if found := back(beaten, a.Name); found != nil && (shortest == nil || len(found) < len(shortest)) {
			shortest = found
		}
	}
	return shortest
}

// back returns the shortest way along beaten from an agent back to it, nil if there is none.
func back(beaten map[string][]string, from string) []string {
	before := map[string]string{} // from whom an agent was reached first
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range beaten[queue[0]] {
			if next == from {
				way := []string{queue[0]}
				for at := queue[0]; at != from; at = before[at] {
					way = append(way, before[at])
				}
				slices.Reverse(way)
				return way
			}
			if _, reached := before[next]; !reached {
				before[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return nil
}
