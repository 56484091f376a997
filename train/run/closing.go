package run

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"powderkeg/checkpoints"
	"powderkeg/env/cli"
	"powderkeg/train"
	"powderkeg/train/eval"
)

// plot draws the learning curves so far.
func (r *running) plot() error {
	h, err := readHistory(filepath.Join(r.options.Dir, metricsName))
	if err != nil {
		return err
	}
	return writePlots(filepath.Join(r.options.Dir, plotsName), r.Game().Spec(), h)
}

// writeBots leaves the network that the run has come to, and where the pool has a
// gate the best one beside it, for playing only.
func (r *running) writeBots(c *checkpoints.Checkpoint) error {
	replace := func(name string, bot *checkpoints.Checkpoint) error {
		path := filepath.Join(r.options.Dir, name)
		if err := os.RemoveAll(path); err != nil { // of a run that is closed again
			return err
		}
		return bot.Write(path)
	}
	if m := r.Pool().Best(); m != nil {
		best := c.ForPlay()
		// The number of games stays that of the run: nobody has counted them at the gate.
		best.Manifest.Updates, best.Manifest.Decisions = m.Updates, m.Updates*int64(r.config.Envs*r.config.Steps)
		best.Manifest.Luck = nil // it is of another network
		best.Weights = m.Network().Tensors()
		if err := replace(bestName, best); err != nil {
			return err
		}
	}
	return replace(botName, c.ForPlay())
}

// close makes the closing evaluation, the tournament, the plots, the report and the bots.
func (r *running) close(ctx context.Context) error {
	// Measured before the last checkpoint, unless that is of a run that did not come to it.
	if l := r.Luck(); l == nil || l.Update != r.Updates() {
		if err := r.measureLuck(ctx); err != nil {
			return r.stopped(err)
		}
	}
	if err := r.measureExactly(true); err != nil {
		return err
	}
	var closing []*eval.Result
	err := r.Evaluate(ctx, r.config.Evaluation.ClosingGames, true, func(m train.EvaluationMetrics, result *eval.Result) error {
		closing = append(closing, result)
		return r.measured(m)
	})
	if err != nil {
		return r.stopped(err)
	}
	tournament, err := r.closeTournament(ctx)
	if err != nil {
		return r.stopped(err)
	}
	r.progress.close()
	if err := r.plot(); err != nil {
		return err
	}
	h, err := readHistory(filepath.Join(r.options.Dir, metricsName))
	if err != nil {
		return err
	}
	c, err := r.Checkpoint()
	if err != nil {
		return err
	}
	if r.options.Closed != nil {
		r.options.Closed(r.closing(c.Manifest, closing, h))
	}
	report := &report{
		dir: r.options.Dir, named: cmp.Or(r.options.Named, r.options.Dir), manifest: c.Manifest, network: r.Network().Config(), seed: r.config.Seed,
		history: h, closing: closing, tournament: tournament, temperature: r.config.Evaluation.Temperature, members: r.Pool().Members(),
		even: 1 / float64(r.Game().Spec().Seats), payoff: r.Game().Spec().Payoff,
	}
	if err := report.write(); err != nil {
		return err
	}
	if err := r.writeBots(c); err != nil {
		return err
	}
	r.progress.say("%s", closingTable(h.closing(), r.progress.headline))
	for _, m := range h.closingExact() {
		r.progress.say("exploitability of the %s policy: %.4g", m.Policy, m.Distance())
	}
	if n := len(h.luck); n > 0 {
		r.progress.say("%s", luckLine(h.luck[n-1]))
	}
	r.progress.say("report:          %s", filepath.Join(r.options.Dir, pageName))
	r.progress.say("learning curves: %s", filepath.Join(r.options.Dir, plotsName))
	r.progress.say("play against it: %s", cli.Typed(r.config.Game, "play", r.config.Game, "--vs", "checkpoint:"+r.options.Dir))
	return nil
}

// luckLine says what the values know of luck.
func luckLine(m train.LuckMetrics) string {
	var b strings.Builder
	fmt.Fprintf(&b, "luck factor of the values: %s; they explain %.1f%% of the results' variance, by fifths of the game", m.Luck.String(),
		100*m.Explained)
	for _, x := range m.ByPhase {
		fmt.Fprintf(&b, " %.1f", 100*x)
	}
	return b.String()
}

// closingTable sums the closing evaluation up, by what counts in the game.
func closingTable(closing []train.EvaluationMetrics, headline eval.Headline) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	rated := headline.Rate != ""
	fmt.Fprint(w, "\nagainst\tgames")
	if rated {
		fmt.Fprintf(w, "\t%s\t95%% interval", headline.Rate)
	}
	fmt.Fprintln(w, "\tmean return\t95% interval")
	for _, m := range closing {
		fmt.Fprintf(w, "%s\t%d", m.Opponent, m.Games)
		if rated {
			fmt.Fprintf(w, "\t%.1f%%\t%.1f%% to %.1f%%", 100*m.WinRate, 100*m.CILow, 100*m.CIHigh)
		}
		fmt.Fprintf(w, "\t%+.3f\t%+.3f to %+.3f\n", m.Return, m.ReturnLow, m.ReturnHigh)
	}
	w.Flush() // to memory, which never fails
	return b.String()
}
