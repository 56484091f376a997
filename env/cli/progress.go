package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Bar shows how far a long job is: a bar on a terminal, a line for every tenth
// elsewhere.
type Bar struct {
	out    io.Writer
	label  string
	total  int
	tenths int
	all    *mpb.Progress // nil where out is no terminal
	bar    *mpb.Bar
}

// NewBar shows the progress of a job of total steps on out.
func NewBar(out io.Writer, label string, total int) *Bar {
	b := &Bar{out: out, label: label, total: total}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.all = mpb.New(mpb.WithOutput(out), mpb.WithWidth(40))
		b.bar = b.all.AddBar(int64(total),
			mpb.PrependDecorators(decor.Name(label+" "), decor.CountersNoUnit("%d/%d")),
			mpb.AppendDecorators(decor.Percentage(), decor.Name("  "), decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), "done")))
	}
	return b
}

// Set tells how many steps are done.
func (b *Bar) Set(done int) {
	if b.bar != nil {
		b.bar.SetCurrent(int64(done))
		return
	}
	if tenths := 10 * done / b.total; tenths > b.tenths {
		b.tenths = tenths
		fmt.Fprintf(b.out, "%s: %d of %d\n", b.label, done, b.total)
	}
}

// Close leaves the bar as it is and waits until it has been drawn.
func (b *Bar) Close() {
	if b.bar != nil {
		b.bar.Abort(false)
		b.all.Wait()
	}
}
