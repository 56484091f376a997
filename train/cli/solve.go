package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"powderkeg/checkpoints/durable"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env/cli"
	"powderkeg/env/record"
	"powderkeg/train"
	"powderkeg/train/solve"

	"github.com/spf13/cobra"
)

// Iterations of a run where none are given: enough for the small games, in about a
// second.
const (
	fullIterations    = 1000
	sampledIterations = 100_000
	learnedIterations = 1500
)

// solveFlags are the flags of the command "solve".
type solveFlags struct {
	config    solve.Config
	algorithm string
	learning  train.Learning // empty for the exact algorithms
	policy    string         // an agent to evaluate instead
	schedule  solve.Schedule
	limits    solve.Limits
	start     cli.StartAt
	out, plot string
	json      bool
}

// Solve is the command "solve".
func Solve() *cobra.Command {
	f := solveFlags{config: solve.Default(solve.CFRPlus)}
	c := &cobra.Command{
		Use:   "solve GAME",
		Short: "Solve a small game: value and exploitability, computed exactly",
		Long: `Solve a small game: value and exploitability, computed exactly.

The whole tree of the game is built, an algorithm of the family of counterfactual
regret minimisation approaches an equilibrium, and its average policy is evaluated
without sampling. NashConv is what all seats together gain if each goes over to its
best response while the others stay; exploitability is NashConv divided by the
number of seats. Both are 0 exactly at an equilibrium. Exploitability is defined
for zero-sum games alone.

Algorithms:
  cfr         counterfactual regret minimisation
  cfr+        without negative regrets, linear averages: the best for most games
  dcfr        discounted by --alpha, --beta and --gamma
  linear-cfr  dcfr with all three 1
  es-mccfr    Monte Carlo CFR by external sampling, for larger trees
  os-mccfr    Monte Carlo CFR by outcome sampling, exploring with --epsilon
  ppo         self-play of a network: an iteration is an update of 8,192 decisions
  mmd         the same by magnetic mirror descent, which converges

With --out the policy becomes a player: tabular:FILE. With --policy nothing is
solved, but an agent on all seats evaluated as exactly: random, checkpoint:PATH,
zoo:NAME or tabular:FILE.

With --by-view what a seat sees stands for what it knows, so that any game can be
solved from a position near enough to its end (--position).`,
		Example: `  powderkeg solve kuhn
  powderkeg solve leduc --algo dcfr --iterations 10000 --plot leduc.png
  powderkeg solve leduc --out nash.json && powderkeg match leduc tabular:nash.json random
  powderkeg solve leduc --algo es-mccfr --iterations 1000000 --seed 7 --json
  powderkeg solve kuhn --algo mmd --iterations 500
  powderkeg solve leduc --record leduc/solve.json
  powderkeg solve kuhn --policy checkpoint:runs/kuhn-ppo
  powderkeg solve jogu --by-view --position train/suite/v1/positions/jogu-mini.json --policy zoo:jogu`,
		Args: cli.Usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := games.New(args[0])
			if err != nil {
				return err
			}
			if err := f.check(c); err != nil {
				return option.Wrong(err)
			}
			if err := cli.Output("--out", f.out); err != nil {
				return err
			}
			if err := cli.Output("--plot", f.plot); err != nil {
				return err
			}
			if g, _, err = f.start.Game(c, g); err != nil {
				return err
			}
			return f.run(c, g)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.algorithm, "algo", string(f.config.Algorithm), "algorithm: "+algorithms())
	flags.IntVar(&f.schedule.Iterations, "iterations", 0,
		fmt.Sprintf("iterations, each of all seats (default %d, sampled ones %d, updates of a network %d)", fullIterations, sampledIterations,
			learnedIterations))
	flags.IntVar(&f.schedule.Every, "every", 0, "iterations between two evaluations (default: after 1, 2, 5, 10, 20, 50, ...)")
	flags.Float64Var(&f.config.Alpha, "alpha", f.config.Alpha, "exponent that discounts positive regrets in dcfr")
	flags.Float64Var(&f.config.Beta, "beta", f.config.Beta, "exponent that discounts negative regrets in dcfr")
	flags.Float64Var(&f.config.Gamma, "gamma", f.config.Gamma, "exponent that discounts the average in dcfr")
	flags.Float64Var(&f.config.Epsilon, "epsilon", f.config.Epsilon, "share of uniformly random moves in os-mccfr")
	flags.BoolVar(&f.config.Simultaneous, "simultaneous", false, "update all seats at once instead of in turns")
	flags.Uint64Var(&f.config.Seed, "seed", f.config.Seed, "seed of the sampled and the learning algorithms")
	flags.IntVar(&f.limits.MaxNodes, "max-nodes", solve.DefaultMaxNodes, "refuse trees with more nodes than this")
	flags.BoolVar(&f.limits.ByView, "by-view", false, "tell information states apart by what a seat sees; for games without keys of their own")
	f.start.Add(c)
	flags.StringVar(&f.policy, "policy", "", "agent to evaluate instead of solving")
	flags.StringVar(&f.out, "out", "", "file for the average policy (JSON), which plays as tabular:FILE")
	flags.StringVar(&f.plot, "plot", "", "file for a plot of the convergence (.png, .svg or .pdf)")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cli.Bound(c, 1, cli.MostGames, "iterations", "every")
	cli.Bound(c, -solve.MostExponent, solve.MostExponent, "alpha", "beta")
	cli.Bound(c, 0, solve.MostExponent, "gamma")
	cli.Bound(c, 1e-9, 1, "epsilon")
	cli.Bound(c, 1, math.MaxInt32, "max-nodes")
	return cli.Recorded(c)
}

// algorithms lists the exact ones and those that learn.
func algorithms() string {
	var names []string
	for _, a := range solve.Algorithms() {
		names = append(names, string(a))
	}
	for _, a := range train.Learnings() {
		names = append(names, string(a))
	}
	return strings.Join(names, ", ")
}

// check completes the flags and returns what is wrong with them.
func (f *solveFlags) check(c *cobra.Command) error {
	if f.limits.ByView && f.out != "" {
		return errors.New("--out: a policy is written down by the keys of information states, which --by-view does without")
	}
	if a := train.Learning(f.algorithm); f.limits.ByView && slices.Contains(train.Learnings(), a) {
		return fmt.Errorf("--algo %s plays whole games; --by-view is for late positions", a)
	}
	if f.policy != "" {
		for _, name := range []string{"algo", "iterations", "every", "alpha", "beta", "gamma", "epsilon", "simultaneous", "seed", "plot"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--policy evaluates an agent as it is; --%s is for solving", name)
			}
		}
	}
	if a := train.Learning(f.algorithm); slices.Contains(train.Learnings(), a) {
		f.learning = a
		if c.Flags().Changed("simultaneous") {
			return fmt.Errorf("%s learns from games of all seats together; --simultaneous is for cfr, cfr+, dcfr and linear-cfr", a)
		}
	} else if !slices.Contains(solve.Algorithms(), solve.Algorithm(f.algorithm)) {
		return fmt.Errorf("unknown algorithm %q; algorithms: %s", option.Shorten(f.algorithm), algorithms())
	} else {
		f.config.Algorithm = solve.Algorithm(f.algorithm)
	}
	if err := f.config.Validate(); err != nil {
		return err
	}
	for _, own := range []struct {
		flag string
		of   solve.Algorithm
	}{{"alpha", solve.DCFR}, {"beta", solve.DCFR}, {"gamma", solve.DCFR}, {"epsilon", solve.OutcomeSampling}} {
		if c.Flags().Changed(own.flag) && f.algorithm != string(own.of) {
			return fmt.Errorf("--%s belongs to --algo %s, not to %s", own.flag, own.of, f.algorithm)
		}
	}
	switch {
	case !c.Flags().Changed("iterations") && f.learning != "":
		f.schedule.Iterations = learnedIterations
	case !c.Flags().Changed("iterations") && f.config.Algorithm.Samples():
		f.schedule.Iterations = sampledIterations
	case !c.Flags().Changed("iterations"):
		f.schedule.Iterations = fullIterations
	}
	if n := f.schedule.Iterations; f.schedule.Every > 0 && n/f.schedule.Every > cli.MostRuns {
		return fmt.Errorf("--every is %d, so that %d iterations are evaluated more than %d times; %d would do", f.schedule.Every, n, cli.MostRuns,
			n/cli.MostRuns+1)
	}
	if f.plot != "" {
		if err := solve.CheckPlot(f.plot); err != nil {
			return err
		}
	}
	return nil
}

// run solves the game and tells of it.
func (f *solveFlags) run(c *cobra.Command, g engine.Game) error {
	progress := c.ErrOrStderr()
	f.limits.Progress = func(nodes int) {
		if nodes%progressNodes == 0 {
			fmt.Fprintf(progress, "%s: %d nodes\n", g.Spec().Text, nodes)
		}
	}
	tree, err := solve.Build(c.Context(), g, f.limits)
	if err != nil {
		return explain(err)
	}
	if f.out != "" && tree.Forgets() {
		_, err := tree.Uniform().Tabular()
		return option.Wrong(fmt.Errorf("--out: %w", err))
	}
	policy, s, err := f.answer(c, tree)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := writePolicy(f.out, policy); err != nil {
			return err
		}
	}
	found := record.Found{Result: s, Games: []engine.Game{g}}
	if f.policy == "" {
		found.Seeds = []uint64{f.config.Seed}
	}
	cli.Found(c, found)
	if f.json {
		return cli.PrintJSON(c.OutOrStdout(), s)
	}
	return s.write(c.OutOrStdout())
}

// answer solves the game, or evaluates the agent.
func (f *solveFlags) answer(c *cobra.Command, tree *solve.Tree) (*solve.Policy, solution, error) {
	if f.policy != "" {
		policy, err := policyOf(tree, f.policy)
		if err != nil {
			return nil, solution{}, err
		}
		s := newSolution(tree, tree.Evaluate(policy))
		s.Policy = f.policy
		return policy, s, nil
	}
	policy, points, err := f.approach(c, tree)
	if err != nil {
		return nil, solution{}, err
	}
	if f.plot != "" {
		title := fmt.Sprintf("%s: distance to an equilibrium, %s", tree.Game().Spec().Text, f.algorithm)
		if err := solve.WritePlot(f.plot, title, points); err != nil {
			return nil, solution{}, err
		}
	}
	last := points[len(points)-1]
	s := newSolution(tree, last.Evaluation)
	s.run(f.algorithm, points)
	return policy, s, nil
}

// approach runs the algorithm.
func (f *solveFlags) approach(c *cobra.Command, tree *solve.Tree) (policy *solve.Policy, points []solve.Point, err error) {
	tell := func(p solve.Point) {
		name, distance := p.Distance()
		fmt.Fprintf(c.ErrOrStderr(), "iteration %d: %s %.6g\n", p.Iteration, name, distance)
	}
	if f.learning == "" {
		return solve.Run(c.Context(), tree, f.config, f.schedule, tell)
	}
	learner, err := train.NewSolver(tree, f.learning, f.schedule.Iterations, f.config.Seed)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, learner.Close()) }()
	return solve.Follow(c.Context(), tree, learner, f.schedule, 1, tell)
}

// progressNodes is how many nodes lie between two lines about a growing tree. It is
// a multiple of the steps in which Build tells of them.
const progressNodes = 1 << 18

// explain tells what would be right where a game cannot be solved.
func explain(err error) error {
	switch {
	case errors.Is(err, solve.ErrNoInfoStates):
		var able []string
		for _, family := range games.Families() {
			if g, err := games.New(family.Name); err == nil {
				if _, ok := g.New().(engine.Recaller); ok {
					able = append(able, family.Name)
				}
			}
		}
		return option.Wrong(fmt.Errorf("%w; games that have them: %s", err, strings.Join(able, ", ")))
	case errors.Is(err, solve.ErrMemory):
		return option.Wrong(err)
	case errors.Is(err, solve.ErrTooLarge):
		return option.Wrong(fmt.Errorf("%w; --max-nodes raises the limit", err))
	}
	return err
}

// writePolicy writes the policy to a file, whole or not at all.
func writePolicy(path string, policy *solve.Policy) error {
	written, err := policy.Tabular()
	if err != nil {
		return err
	}
	return durable.Replace(path, written.Write)
}
