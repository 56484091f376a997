package run

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"powderkeg/engine"
	"powderkeg/train"
	"powderkeg/train/eval"
)

// progress tells a person how the run is going: by a bar on a terminal, by a
// line now and then elsewhere.
type progress struct {
	out      io.Writer
	total    int64
	spent    time.Duration // on the updates of this process
	updates  int64         // of this process
	played   int64         // decisions of this process
	winRates []train.EvaluationMetrics
	// distance tells of the newest exact evaluation, empty without one.
	distance string
	// luck tells of the newest measurement of luck, empty without one.
	luck     string
	silentAt time.Time // of the last line
	// headline says by what play is judged in the game.
	headline eval.Headline

	bars *mpb.Progress // nil without a terminal
	bar  *mpb.Bar
	text atomic.Pointer[string] // what stands beside the bar
}

// lineEvery is the least time between two lines without a terminal.
const lineEvery = 5 * time.Second

// newProgress starts to tell about a run of total updates, of which done have
// been made. A nil writer is told nothing.
func newProgress(out io.Writer, spec *engine.Spec, done, total int64) *progress {
	p := &progress{out: out, total: total, headline: eval.HeadlineOf(spec.Payoff)}
	if out == nil {
		p.out = io.Discard
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.bars = mpb.New(mpb.WithOutput(f), mpb.WithRefreshRate(200*time.Millisecond))
		p.bar = p.bars.AddBar(total,
			mpb.PrependDecorators(decor.Name(spec.Text+" "), decor.CountersNoUnit("%d/%d")),
			mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
				if text := p.text.Load(); text != nil {
					return *text
				}
				return ""
			})),
		)
		p.bar.SetCurrent(done)
	}
	return p
}

// update tells of an update of so many decisions.
func (p *progress) update(m train.UpdateMetrics, decisions int) {
	p.count(m, decisions)
	p.show(m)
}

// count adds an update to what the rate and the time left are reckoned from.
func (p *progress) count(m train.UpdateMetrics, decisions int) {
	p.updates++
	p.played += int64(decisions)
	p.spent += time.Duration(m.Seconds * float64(time.Second))
}

// show tells how far the run is.
func (p *progress) show(m train.UpdateMetrics) {
	text := p.describe(m)
	if p.bar != nil {
		p.text.Store(&text)
		p.bar.SetCurrent(m.Update)
		return
	}
	if now := time.Now(); now.Sub(p.silentAt) >= lineEvery || m.Update == p.total {
		p.silentAt = now
		fmt.Fprintf(p.out, "update %d/%d  %s\n", m.Update, p.total, text)
	}
}

// describe is one line: rate, time left, loss, entropy, win rates.
func (p *progress) describe(m train.UpdateMetrics) string {
	rate := float64(p.played) / max(p.spent.Seconds(), 1e-9)
	left := time.Duration(float64(p.spent) / float64(p.updates) * float64(p.total-m.Update))
	parts := []string{
		fmt.Sprintf("%.0f decisions/s", rate),
		fmt.Sprintf("%s left", left.Round(time.Second)),
		fmt.Sprintf("loss %.3f", m.Loss),
		fmt.Sprintf("entropy %.3f", m.Entropy),
	}
	if m.Lessons != nil {
		parts = append(parts, fmt.Sprintf("agreement %.1f%% of %.1f M", 100*m.Lessons.Agreement, float64(m.Lessons.Decisions)/1e6))
	}
	if p.distance != "" {
		parts = append(parts, p.distance)
	}
	if p.luck != "" {
		parts = append(parts, p.luck)
	}
	for _, e := range p.winRates {
		beside := "vs"
		if !p.headline.Elo { // they win or lose together
			beside = "won with"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", p.score(e), beside, e.Opponent))
	}
	return strings.Join(parts, "  ")
}

// score is how the learner did in few letters.
func (p *progress) score(e train.EvaluationMetrics) string {
	if p.headline.Rate == "" {
		return fmt.Sprintf("%+.2f", e.Return)
	}
	return fmt.Sprintf("%.0f%%", 100*e.WinRate)
}

// evaluation remembers the newest result against each opponent.
func (p *progress) evaluation(e train.EvaluationMetrics) {
	i := slices.IndexFunc(p.winRates, func(old train.EvaluationMetrics) bool { return old.Opponent == e.Opponent })
	if i < 0 {
		p.winRates = append(p.winRates, e)
		return
	}
	p.winRates[i] = e
}

// exact remembers how far the newest policy that was measured is from an
// equilibrium; the average policy comes last where there is one.
func (p *progress) exact(m train.ExactMetrics) {
	p.distance = fmt.Sprintf("exploitability %.3g (%s)", m.Distance(), m.Policy)
}

// lucky remembers the newest measurement of luck.
func (p *progress) lucky(m train.LuckMetrics) {
	p.luck = fmt.Sprintf("explained %.0f%%", 100*m.Explained)
	if m.Factor != nil {
		p.luck = fmt.Sprintf("luck factor %.2f  %s", *m.Factor, p.luck)
	}
}

// close leaves the bar as it stands and returns when it is drawn.
func (p *progress) close() {
	if p.bar != nil {
		p.bar.Abort(false)
		p.bars.Wait()
		p.bar = nil
	}
}

// say writes a line of its own, after close.
func (p *progress) say(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }
