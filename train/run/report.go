package run

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/env/cli"
	"powderkeg/train"
	"powderkeg/train/eval"
	"powderkeg/train/league"
)

// report is what report.md says.
type report struct {
	dir      string
	named    string               // dir, as the user named it
	manifest checkpoints.Manifest // of the last checkpoint
	network  network.Config
	seed     uint64
	history  *history
	closing  []*eval.Result
	// tournament is nil without one; the learner plays it at the temperature.
	tournament  *eval.Result
	temperature float64
	members     []*league.Member
	// even is the win rate of equal players, payoff says whether there is one.
	even   float64
	payoff engine.Payoff
}

// write writes the report, as Markdown and as a page of its own.
func (r *report) write() error {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s: training run", r.manifest.Game)
	line("")
	line("| | |")
	line("|---|---|")
	line("| game | `%s`, rules %d, observation %d |", r.manifest.Game, r.manifest.Rules, r.manifest.Encoding)
	line("| seed | %d |", r.seed)
	line("| network | %d → %s → %d logits, %d values; %s; %d weights |", r.network.Inputs, joinInts(r.network.Hidden), r.network.Actions,
		r.network.Seats, r.network.Activation, r.network.NumWeights())
	for _, e := range r.network.Entities {
		line("| of each hidden layer | %d units for %d entities |", e.Count*e.Width, e.Count)
	}
	if r.network.Advice > 0 {
		line("| advice of the scripted player | %d nats |", r.network.Advice)
		for _, a := range r.network.Advisers {
			seats := "all seats"
			if len(a.Seats) > 0 {
				seats = "seats " + strings.Trim(fmt.Sprint(a.Seats), "[]")
			}
			nats := r.network.Advice
			if a.Advice > 0 {
				nats = a.Advice
			}
			line("| %s | %d nats, %d weights of their own |", seats, nats, len(a.Weights))
		}
	}
	line("| updates | %d |", r.manifest.Updates)
	line("| decisions | %d |", r.manifest.Decisions)
	line("| games | %d |", r.manifest.Games)
	line("| time learning | %.0f s on %d processors, %.0f decisions/s, matrices by %s |", r.seconds(), runtime.NumCPU(),
		float64(r.manifest.Decisions)/max(r.seconds(), 1e-9), network.BLAS)
	r.writeClosing(line)
	r.writeExact(line)
	r.writeLuck(line)
	r.writeLessons(line)
	r.writePopulation(line)
	r.writeCurves(line)
	r.writeGates(line)
	line("\n## Repeat\n")
	line("```\n%s\n```\n", cli.Typed(r.manifest.Game, "train", r.named+"/"+configName))
	line("The configuration holds the seed. In the pure Go build the weights come out the same, bit for bit.")
	line("\n## Configuration\n\n```yaml\n%s\n```", strings.TrimSpace(r.manifest.Config))
	if err := durable.WriteFile(filepath.Join(r.dir, reportName), b.Bytes()); err != nil {
		return err
	}
	page, err := htmlPage(b.String(), r.dir)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(r.dir, pageName), []byte(page))
}

func (r *report) seconds() float64 {
	sum := 0.0
	for _, u := range r.history.updates {
		sum += u.Seconds
	}
	return sum
}

// writeClosing writes the tables of the closing evaluation.
func (r *report) writeClosing(line func(string, ...any)) {
	line("\n## Closing evaluation\n")
	if len(r.closing) == 0 {
		line("No opponents were named.")
		return
	}
	headline := eval.HeadlineOf(r.payoff)
	line("The learner sits alone at a table of each opponent. Seats are balanced: every line-up plays every seat under the same chance. %s Intervals "+
		"are 95%%.\n", r.judged())
	t := newColumns(line, "against", "games").add(headline.Rate != "", headline.Rate, "interval").add(true, "mean return", "interval").add(headline.Elo,
		"mean rank", "Elo difference")
	t.head()
	for _, m := range r.closing {
		a, o := m.Agents[0], m.Agents[1]
		t.row(o.Name, fmt.Sprint(m.Games), fmt.Sprintf("%.3f", a.WinRate), fmt.Sprintf("[%.3f, %.3f]", a.CILow, a.CIHigh),
			fmt.Sprintf("%+.3f", a.MeanReturn),
			fmt.Sprintf("[%+.3f, %+.3f]", a.ReturnLow, a.ReturnHigh), fmt.Sprintf("%.2f", a.MeanRank), fmt.Sprintf("%+.0f", a.Elo-o.Elo))
	}
	for _, m := range r.closing {
		for _, warning := range m.Warnings {
			line("\nAgainst %s: %s.", m.Agents[1].Name, warning)
		}
	}
	line("")
	t = newColumns(line, "against", "seat", "games").add(headline.Rate != "", headline.Rate, "interval").add(true, "mean return")
	t.head()
	for _, m := range r.closing {
		for seat, s := range m.Agents[0].BySeat {
			t.row(m.Agents[1].Name, fmt.Sprint(seat), fmt.Sprint(s.Games), fmt.Sprintf("%.3f", s.WinRate), fmt.Sprintf("[%.3f, %.3f]", s.CILow, s.CIHigh),
				fmt.Sprintf("%+.3f", s.MeanReturn))
		}
	}
}

// judged says in a sentence what is told of play in games of this payoff.
func (r *report) judged() string {
	switch r.payoff {
	case engine.Cooperative:
		return "All seats win or lose a game together."
	case engine.ZeroSum:
		return fmt.Sprintf("A win that several share counts in equal parts; equal players win %.3f.", r.even)
	}
	return "Each seat has a payoff of its own: the mean return is what counts."
}

// writeExact writes what the policies are worth on the whole tree.
func (r *report) writeExact(line func(string, ...any)) {
	closing := r.history.closingExact()
	if len(closing) == 0 {
		return
	}
	line("\n## Distance from an equilibrium\n")
	line("Exact, over the whole tree. NashConv is what best responses gain in sum, exploitability that over the number of seats. `last` is the " +
		"network, `magnet` the slowly moving one that it is held to, `average` one of the pool's snapshots drawn before each game.\n")
	line("| policy | exploitability | NashConv | values |")
	line("|---|---|---|---|")
	for _, m := range closing {
		exploitability := "not zero-sum"
		if m.Exploitability != nil {
			exploitability = fmt.Sprintf("%.6f", *m.Exploitability)
		}
		values := make([]string, len(m.Values))
		for i, v := range m.Values {
			values[i] = fmt.Sprintf("%+.6f", v)
		}
		line("| %s | %s | %.6f | %s |", m.Policy, exploitability, m.NashConv, strings.Join(values, ", "))
	}
	line("\n![exploitability](plots/%s)", exactPlot)
}

// writeLuck writes what the values know of luck.
func (r *report) writeLuck(line func(string, ...any)) {
	list := r.history.luck
	if len(list) == 0 {
		return
	}
	line("\n## What the values know of luck\n")
	line("Games of the network against itself. The luck factor is the variance of results over that of results without the luck that the values see " +
		"in dice and draws: above 1 they tell a good die from a bad one, below 1 they add noise. `explained` is the share of the variance of results " +
		"within each seat that the values explain, below 0 where the mean would be the better guess. Intervals are 95%%; few games leave them wide.\n")
	line("| update | games | luck factor | explained | by fifths of the game |")
	line("|---|---|---|---|---|")
	for _, m := range list {
		parts := make([]string, len(m.ByPhase))
		for i, x := range m.ByPhase {
			parts[i] = fmt.Sprintf("%.1f%%", 100*x)
		}
		line("| %d | %d | %s | %.1f%% [%.1f, %.1f] | %s |", m.Update, m.Games, m.Luck.String(), 100*m.Explained, 100*m.ExplainedInterval[0],
			100*m.ExplainedInterval[1], strings.Join(parts, " "))
	}
	line("")
	if list[len(list)-1].Factor != nil {
		line("![luck factor](plots/%s)", luckPlot)
	}
	line("![explained](plots/%s)", explainedPlot)
}

// writeLessons writes what the lessons came to.
func (r *report) writeLessons(line func(string, ...any)) {
	var last *train.LessonMetrics
	var update int64
	for _, u := range r.history.updates {
		if u.Lessons != nil {
			last, update = u.Lessons, u.Update
		}
	}
	if last == nil {
		return
	}
	line("\n## Lessons\n")
	line("They ended with update %d: %.2f times through %d decisions of %d games, which take %d bytes.", update, last.Passes, last.Decisions, last.Games,
		last.Bytes)
	if exam := last.HeldOut; exam != nil {
		line("In %d decisions of games held out the most probable action is the teacher's in %.1f%%, with a cross-entropy of %.3f nats; the values "+
			"explain %.2f of the variance of the returns.", exam.Decisions, 100*exam.Agreement, exam.CrossEntropy, exam.Explained)
	}
	line("\n![agreement](plots/%s)", agreementPlot)
}

// writeCurves links the plots and lists the evaluations along the way.
func (r *report) writeCurves(line func(string, ...any)) {
	line("\n## Learning curves\n")
	for _, name := range []string{"win_rate", "return", "loss", "entropy", "length"} {
		line("![%s](plots/%s.png)", name, name)
	}
	rate := eval.HeadlineOf(r.payoff).Rate
	line("")
	t := newColumns(line, "update", "decisions", "against", "games").add(rate != "", rate, "interval").add(true, "mean return")
	t.head()
	for _, e := range r.history.evaluations {
		if !e.Closing {
			t.row(fmt.Sprint(e.Update), fmt.Sprint(e.Decisions), e.Opponent, fmt.Sprint(e.Games), fmt.Sprintf("%.3f", e.WinRate),
				fmt.Sprintf("[%.3f, %.3f]", e.CILow, e.CIHigh), fmt.Sprintf("%+.3f", e.Return))
		}
	}
}

func joinInts(list []int) string {
	parts := make([]string, len(list))
	for i, n := range list {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, " → ")
}
