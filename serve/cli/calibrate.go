package cli

import (
	"fmt"
	"runtime"

	agentscli "powderkeg/agents/cli"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/serve/teacher"
	"powderkeg/train/figure"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Calibrate is the command "calibrate".
func Calibrate() *cobra.Command {
	config := teacher.Measure{}
	plotTo, asJSON := "", false
	c := &cobra.Command{
		Use:   "calibrate GAME [AGENT]",
		Short: "Measure whether what the teacher says of a position comes true",
		Long: fmt.Sprintf(`Measure whether what the teacher says of a position comes true.

The agent (the one who teaches the game, if none is named) plays games with itself. At some
moments of each, drawn evenly from its choices, the teacher says what the seat may expect,
as the value bar of powderkeg web does. Of the moments whose values are within the same
tenth the mean is set beside the mean of what the seats have gained in the end, from 0 for
the least return to 1 for the largest. The expected calibration error is by how much the
tenths miss it, on average over the moments; even perfect values miss some by chance.

Agents:
%s`, agentscli.AgentHelp()),
		Example: `  powderkeg calibrate 'jogu(first=any,second=any)'
  powderkeg calibrate domination --games 2000 --trials 256 --plot domination.png --record domination/calibration.json
  powderkeg calibrate leduc random --json`,
		Args: cli.Usage(cobra.RangeArgs(1, 2)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := env.NewGame(args[0])
			if err != nil {
				return err
			}
			config.Game = g
			if len(args) == 2 {
				config.Agent = args[1]
			} else if own := teacher.New(g); own != nil {
				config.Agent = own.Name()
			}
			if err := agentscli.Contestants(c, g, "measurements", config.Agent); err != nil {
				return err
			}
			var bar *cli.Bar
			config.Progress = func(done, total int) {
				if bar == nil {
					bar = cli.NewBar(c.ErrOrStderr(), "games", total)
				}
				bar.Set(done)
			}
			result, err := teacher.Calibrate(c.Context(), config)
			if bar != nil {
				bar.Close()
			}
			if err != nil {
				return err
			}
			if plotTo != "" {
				if err := plotCalibration(result, plotTo); err != nil {
					return err
				}
			}
			cli.Found(c, record.Found{Result: result, Games: []engine.Game{g}, Seeds: []uint64{config.Seed}, Played: result.Games})
			if asJSON {
				return cli.PrintJSON(c.OutOrStdout(), result)
			}
			return result.Write(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.IntVar(&config.Games, "games", 400, "games to play")
	f.IntVar(&config.Moments, "moments", 2, "moments of each game")
	f.IntVar(&config.Trials, "trials", 128, "simulations for each moment")
	f.Uint64Var(&config.Seed, "seed", 1, "seed of all chance and of the agent")
	f.IntVar(&config.Workers, "workers", runtime.NumCPU(), "games played at a time; the result does not depend on it")
	f.BoolVar(&config.Fit, "fit", false, "leave out the curve that makes the teacher's values come true, and fit one")
	f.StringVar(&plotTo, "plot", "", "file for a plot of the tenths (png, svg or pdf)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	cli.Bound(c, 1, cli.MostRuns, "games", "moments", "trials")
	cli.Bound(c, 1, cli.MostWorkers, "workers")
	return cli.Recorded(c)
}

// plotCalibration draws what came of the tenths over what was predicted.
func plotCalibration(c *teacher.Calibration, path string) error {
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: error %.3f", c.Game, c.Error)
	p.X.Label.Text, p.Y.Label.Text = "the teacher's value", "what came"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return err
	}
	diagonal.Dashes = []vg.Length{vg.Points(2), vg.Points(3)}
	p.Add(plotter.NewGrid(), diagonal)
	var line plotter.XYs
	for _, b := range c.Bins {
		if b.Moments > 0 {
			line = append(line, plotter.XY{X: b.Predicted, Y: b.Real})
		}
	}
	if err := figure.AddCurve(p, 0, c.Teacher, line, nil, nil); err != nil {
		return err
	}
	return figure.Save(p, 4*vg.Inch, 4*vg.Inch, path)
}
