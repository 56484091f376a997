package eval

import (
	"fmt"
	"io"
	"text/tabwriter"

	"powderkeg/engine"
)

// Result sums up a match. The winner of a game is the seat with the highest
// return; seats that share it share the win in equal parts, so that a draw of
// two counts half for each. A cooperative game is won by all seats or by none:
// there a game is won whose return is above 0. All intervals are 95% intervals.
type Result struct {
	Game string `json:"game"` // game string
	// Payoff says what the numbers mean (HeadlineOf).
	Payoff engine.Payoff `json:"payoff"`
	// Games is how many were played, Units how many independent units of Seats
	// games they form.
	Games int `json:"games"`
	Units int `json:"units"`
	Seats int `json:"seats"`
	// Even is the win rate of equal players, one over Seats.
	Even   float64       `json:"even"`
	Agents []AgentResult `json:"agents"` // in the order of the contestants
	// Pairs compares every two contestants that sat at one table.
	Pairs []PairResult `json:"pairs"`
	// Warnings says, a sentence each, where ratings say something else than the games do: where
	// draws decide, where they and mean returns disagree, where results go in a circle.
	Warnings []string `json:"warnings"`
	// Corrected has the mean returns without luck, nil where nobody asked (Config.Correction).
	Corrected *CorrectedResult `json:"corrected,omitempty"`
}

// AgentResult is what one contestant did.
type AgentResult struct {
	Name string `json:"name"`
	// Games counts the seats it held: a game twice if it held two.
	Games int `json:"games"`
	Wins  int `json:"wins"`  // games won alone, of a cooperative game those that were won
	Draws int `json:"draws"` // games won together with others, of a cooperative game none
	// WinRate is the mean share of the win, in a cooperative game that of the games that were won,
	// with its interval (unitInterval).
	WinRate float64 `json:"win_rate"`
	CILow   float64 `json:"ci_low"`
	CIHigh  float64 `json:"ci_high"`
	// Elo is the rating among the contestants (Rate), whose mean is 0. A game of
	// more than two seats counts as a duel of every two of them.
	Elo     float64 `json:"elo"`
	EloLow  float64 `json:"elo_low"`
	EloHigh float64 `json:"elo_high"`
	// MeanReturn is in the game's own unit, with its interval (meanInterval). Where games are
	// won by more or less, as at poker, it tells more than WinRate and Elo.
	MeanReturn float64 `json:"mean_return"`
	ReturnLow  float64 `json:"return_low"`
	ReturnHigh float64 `json:"return_high"`
	// Gained is the share of its games in which it had a return above 0.
	Gained float64 `json:"gained"`
	// MeanRank is 1 for always first; equal returns share the mean of their ranks.
	MeanRank float64      `json:"mean_rank"`
	BySeat   []SeatResult `json:"by_seat"`
}

// SeatResult is what a contestant did on one seat. Its games belong to different
// units, so the interval is that of Wilson.
type SeatResult struct {
	Games      int     `json:"games"`
	WinRate    float64 `json:"win_rate"`
	CILow      float64 `json:"ci_low"`
	CIHigh     float64 `json:"ci_high"`
	MeanReturn float64 `json:"mean_return"`
}

// PairResult compares two contestants in the games that both played.
type PairResult struct {
	A string `json:"a"`
	B string `json:"b"`
	// Score is the share of duels in which A came out ahead of B, draws as half,
	// with its interval (unitInterval).
	Score   float64 `json:"score"`
	CILow   float64 `json:"ci_low"`
	CIHigh  float64 `json:"ci_high"`
	ReturnA float64 `json:"return_a"` // mean returns in those games
	ReturnB float64 `json:"return_b"`
}

// Write prints the result as text: a table of the contestants, by what counts in games of this
// payoff (HeadlineOf), what is to be heeded, and with more than two contestants a table of every
// pair.
func (r *Result) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s: %d games in %d units of %d, seats balanced; 95%% intervals; ", r.Game, r.Games, r.Units, r.Seats)
	switch r.Payoff {
	case engine.Cooperative:
		fmt.Fprintf(t, "all seats win or lose together\n\n")
		r.writeTeams(t)
	case engine.ZeroSum:
		fmt.Fprintf(t, "equal players win %.3f\n\n", r.Even)
		r.writeWinners(t)
	default:
		fmt.Fprintf(t, "each seat has a payoff of its own\n\n")
		r.writePayoffs(t)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(t, "warning: %s\n", warning)
	}
	if len(r.Agents) > 2 && r.Payoff != engine.Cooperative {
		fmt.Fprintln(t, "\nagent\tagainst\tscore\tinterval\tmean returns")
		for _, p := range r.Pairs {
			fmt.Fprintf(t, "%s\t%s\t%.3f\t[%.3f, %.3f]\t%+.3f, %+.3f\n", p.A, p.B, p.Score, p.CILow, p.CIHigh, p.ReturnA, p.ReturnB)
		}
	}
	if r.Corrected != nil {
		fmt.Fprint(t, r.Corrected)
	}
	return t.Flush()
}

// writeWinners prints the table of a game in which what one gains others lose.
func (r *Result) writeWinners(t io.Writer) {
	fmt.Fprintln(t, "agent\tgames\twins\tdraws\twin rate\tinterval\tElo\tinterval\tmean return\tinterval\tmean rank\tby seat")
	for _, a := range r.Agents {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3f\t[%.3f, %.3f]\t%+.0f\t[%+.0f, %+.0f]\t%+.3f\t[%+.3f, %+.3f]\t%.2f\t",
			a.Name, a.Games, a.Wins, a.Draws, a.WinRate, a.CILow, a.CIHigh, a.Elo, a.EloLow, a.EloHigh,
			a.MeanReturn, a.ReturnLow, a.ReturnHigh, a.MeanRank)
		for _, s := range a.BySeat {
			fmt.Fprintf(t, "%.3f ", s.WinRate)
		}
		fmt.Fprintln(t)
	}
}

// writePayoffs prints the table of a game in which being ahead of others is not the point.
func (r *Result) writePayoffs(t io.Writer) {
	fmt.Fprintln(t, "agent\tgames\tmean return\tinterval\tgained\tmean rank\tElo\tinterval\tmean return by seat")
	for _, a := range r.Agents {
		fmt.Fprintf(t, "%s\t%d\t%+.3f\t[%+.3f, %+.3f]\t%.3f\t%.2f\t%+.0f\t[%+.0f, %+.0f]\t",
			a.Name, a.Games, a.MeanReturn, a.ReturnLow, a.ReturnHigh, a.Gained, a.MeanRank, a.Elo, a.EloLow, a.EloHigh)
		a.writeReturns(t)
	}
}

// writeTeams prints the table of a game in which all seats gain the same.
func (r *Result) writeTeams(t io.Writer) {
	fmt.Fprintln(t, "agent\tgames\tteam wins\tinterval\tmean return\tinterval\tmean return by seat")
	for _, a := range r.Agents {
		fmt.Fprintf(t, "%s\t%d\t%.3f\t[%.3f, %.3f]\t%+.3f\t[%+.3f, %+.3f]\t", a.Name, a.Games, a.WinRate, a.CILow, a.CIHigh, a.MeanReturn, a.ReturnLow,
			a.ReturnHigh)
		a.writeReturns(t)
	}
	if len(r.Agents) > 1 {
		fmt.Fprintln(t, "Those at one table win together; one agent alone (match GAME AGENT) shows what a team of it wins.")
	}
}

func (a *AgentResult) writeReturns(t io.Writer) {
	for _, s := range a.BySeat {
		fmt.Fprintf(t, "%+.3f ", s.MeanReturn)
	}
	fmt.Fprintln(t)
}
