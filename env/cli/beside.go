package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"powderkeg/engine/option"
)

// Beside measures other programs that do the same work as a bench command, each in turn with it, so
// that whatever else the machine does weighs on all of them. It is the value of a flag, --beside.
//
// Such a program prints a line of JSON with its name when it is ready, {"name": "PyTorch 2.15"}, and then
// for each line on its standard input, a number of seconds, works about so long and prints what it has
// done: {"units": 20480, "seconds": 1.01, "processor_seconds": 1.98}. It ends with its input.
// experiments/yardsticks/contender.py does this for a Python function.
type Beside struct {
	commands []string
	programs []*contender
	own      []Work
}

// Work is what was done in one run, in units of which the bench command counts its rate.
type Work struct {
	Units     float64 `json:"units"`
	Seconds   float64 `json:"seconds"`
	Processor float64 `json:"processor_seconds"`
}

// contender is a program that was started.
type contender struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Scanner
	runs []Work
}

// Comparison is how a program did beside the bench command. Ratios are of this program's rate to the
// other's in each run, the median with the least and the most.
type Comparison struct {
	Name         string  `json:"name"`
	PerSecond    float64 `json:"units_per_second"`
	PerSecondMin float64 `json:"units_per_second_min"`
	PerSecondMax float64 `json:"units_per_second_max"`
	Times        float64 `json:"times_as_fast"` // by the clock
	TimesMin     float64 `json:"times_as_fast_min"`
	TimesMax     float64 `json:"times_as_fast_max"`
	Cheaper      float64 `json:"times_as_many_by_processor"` // units by processor-second; 0 where the system does not tell
	CheaperMin   float64 `json:"times_as_many_by_processor_min"`
	CheaperMax   float64 `json:"times_as_many_by_processor_max"`
}

// Flag gives a command the flag --beside.
func (b *Beside) Flag(c *cobra.Command) {
	c.Flags().StringArrayVar(&b.commands, "beside", nil,
		"program to be measured in turn with this one, such as 'python3 experiments/yardsticks/torch_step.py'; may be repeated")
}

// Start starts the programs and waits until each is ready. Close ends them.
func (b *Beside) Start(ctx context.Context) error {
	for _, line := range b.commands {
		p, err := begin(ctx, line)
		if err != nil {
			return errors.Join(err, b.Close())
		}
		b.programs = append(b.programs, p)
	}
	return nil
}

func begin(ctx context.Context, line string) (*contender, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, option.Wrong(errors.New("--beside names no program"))
	}
	p := &contender{cmd: exec.CommandContext(ctx, words[0], words[1:]...)}
	p.cmd.Stderr = os.Stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, option.Wrong(fmt.Errorf("--beside %q: %w", line, err))
	}
	p.out = bufio.NewScanner(out)
	var ready struct {
		Name string `json:"name"`
	}
	if err := p.read(&ready); err != nil {
		return nil, errors.Join(fmt.Errorf("--beside %q: %w", line, err), p.end())
	}
	p.name = ready.Name
	return p, nil
}

// read reads a line of the program's.
func (p *contender) read(v any) error {
	if !p.out.Scan() {
		return errors.Join(errors.New("it has ended before it was measured"), p.out.Err())
	}
	if err := json.Unmarshal(p.out.Bytes(), v); err != nil {
		return fmt.Errorf("it prints %q, not a line of JSON: %w", p.out.Text(), err)
	}
	return nil
}

func (p *contender) end() error {
	return errors.Join(p.in.Close(), p.cmd.Wait())
}

// measure lets the program work for about d.
func (p *contender) measure(d time.Duration) error {
	if _, err := fmt.Fprintf(p.in, "%g\n", d.Seconds()); err != nil {
		return err
	}
	var w Work
	if err := p.read(&w); err != nil {
		return err
	}
	if w.Units <= 0 || w.Seconds <= 0 {
		return fmt.Errorf("it has done %g units in %g s", w.Units, w.Seconds)
	}
	p.runs = append(p.runs, w)
	return nil
}

// Run measures one run of own work and one of each program, the other way round in every second run: what a
// machine does between two runs may grow or fall.
func (b *Beside) Run(d time.Duration, own func() (Work, error)) error {
	turns := []func() error{func() error {
		w, err := own()
		b.own = append(b.own, w)
		return err
	}}
	for _, p := range b.programs {
		turns = append(turns, func() error {
			if err := p.measure(d); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			return nil
		})
	}
	back := len(b.own)%2 == 1
	for i := range turns {
		if back {
			i = len(turns) - 1 - i
		}
		if err := turns[i](); err != nil {
			return err
		}
	}
	return nil
}

// Comparisons returns how each program did, nil without one.
func (b *Beside) Comparisons() []Comparison {
	var list []Comparison
	for _, p := range b.programs {
		c := Comparison{Name: p.name}
		var rates, times, cheaper []float64
		for i, w := range p.runs {
			own := b.own[i]
			rates = append(rates, w.Units/w.Seconds)
			times = append(times, own.Units/own.Seconds*w.Seconds/w.Units)
			if own.Processor > 0 && w.Processor > 0 {
				cheaper = append(cheaper, own.Units/own.Processor*w.Processor/w.Units)
			}
		}
		c.PerSecondMin, c.PerSecond, c.PerSecondMax = Spread(rates)
		c.TimesMin, c.Times, c.TimesMax = Spread(times)
		c.CheaperMin, c.Cheaper, c.CheaperMax = Spread(cheaper)
		list = append(list, c)
	}
	return list
}

// Print prints comparisons, a line for each.
func (b *Beside) Print(w io.Writer, unit string) error {
	if len(b.programs) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "beside\t%s/s\t(least, most)\tthis is faster by\t(least, most)\tby processor time\t(least, most)\n", unit)
	for _, c := range b.Comparisons() {
		fmt.Fprintf(t, "%s\t%.0f\t(%.0f, %.0f)\t%.2fx\t(%.2f, %.2f)\t%.2fx\t(%.2f, %.2f)\n", c.Name, c.PerSecond, c.PerSecondMin, c.PerSecondMax,
			c.Times, c.TimesMin, c.TimesMax, c.Cheaper, c.CheaperMin, c.CheaperMax)
	}
	return t.Flush()
}

// Close ends the programs.
func (b *Beside) Close() error {
	var errs []error
	for _, p := range b.programs {
		if err := p.end(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	b.programs = nil
	return errors.Join(errs...)
}
