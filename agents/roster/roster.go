// Package roster makes agents by name: "random", "scripted",
// "mcts(sims=400,c=1.4)", "checkpoint:PATH" and the like.
package roster

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/human"
	"powderkeg/agents/learned"
	"powderkeg/agents/planner"
	"powderkeg/agents/random"
	"powderkeg/agents/scripted"
	"powderkeg/agents/search"
	"powderkeg/agents/tabular"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Kind is a kind of agent and how to name it.
type Kind struct {
	Name string `json:"name"`
	// Argument, if not empty, is what follows the name and a colon.
	Argument string          `json:"argument,omitempty"`
	Options  []option.Option `json:"options,omitempty"`
	Help     string          `json:"help"`

	// make is nil for a kind with an argument, open for one without.
	make func(engine.Game, option.Values) (agents.Agent, error)
	open opener
	// policies and openPolicies make a maker of policies (Policies) in the same way;
	// both are nil for a kind that has a memory.
	policies     func(engine.Game, option.Values) (func() agents.Policy, error)
	openPolicies func(g engine.Game, argument string) (func() agents.Policy, error)
}

// opener makes an agent from the argument of a kind, such as a path.
type opener func(g engine.Game, argument string) (agents.Agent, error)

// noNet is the value of the option net for a search without a network.
const noNet = "none"

// simsOption is the option of a search that bounds its simulations.
const simsOption = "sims"

// timeOption bounds their time.
const timeOption = "time"

// netOption is the option of a search that names a network.
const netOption = "net"

// adviceOption and policyOption take a part of a trained agent away, to see what it does: its
// adviser or planner, or what its network has learned to do.
const (
	adviceOption = "advice"
	policyOption = "policy"
)

// MaxSims bounds the simulations of a move; beyond it a search by time is meant.
const MaxSims = 1e7

// kinds is made by init since a level is an agent of another kind.
var kinds []Kind

func init() {
	kinds = []Kind{
		{Name: "random", Help: "plays each legal action with the same probability", make: makeRandom, policies: randomPolicies},
		{Name: "scripted", Help: "plays by rules of thumb written for the game", make: makeScripted, policies: scriptedPolicies, Options: scripted.Options()},
		{Name: "mcts", Help: "searches the game tree from what its seat may see (information-set MCTS)", make: makeSearch, policies: searchPolicies, Options: []option.Option{
			{Name: simsOption, Kind: option.Int, Default: "400", Min: 0, Max: MaxSims, Help: "simulations per move, 0 for no limit but time"},
			{Name: timeOption, Kind: option.Duration, Default: "0s", Max: 3600, Help: "time per move, 0s for no limit but sims"},
			{Name: "c", Kind: option.Float, Default: "1.4", Min: 0, Max: 100, Help: "exploration constant of UCB1 for returns scaled to 0..1"},
			{Name: "rollout", Kind: option.Choice, Default: "random", Choices: []string{"random", "scripted"}, Help: "who plays the simulated games to their end"},
			{Name: "depth", Kind: option.Int, Default: "0", Min: 0, Max: 1e6, Help: "decisions after which a simulated game is cut, 0 for none"},
			{Name: netOption, Kind: option.Text, Default: noNet, Help: "a checkpoint's path or zoo:NAME: its network judges positions in place of simulated games"},
		}},
		{Name: "md", Help: "improves a network's policy by one step of mirror descent over simulations in sampled worlds", make: makeDescent, policies: descentPolicies, Options: []option.Option{
			{Name: netOption, Kind: option.Text, Default: noNet, Help: "a checkpoint's path or zoo:NAME: the network that plays the simulations; it needs one"},
			{Name: simsOption, Kind: option.Int, Default: "400", Min: 0, Max: MaxSims, Help: "simulations per move, 0 for no limit but time"},
			{Name: timeOption, Kind: option.Duration, Default: "0s", Max: 3600, Help: "time per move, 0s for no limit but sims"},
			{Name: "depth", Kind: option.Int, Default: "20", Min: 0, Max: 1e6, Help: "choices after which the network judges a simulated game, 0 for to its end"},
			{Name: "eta", Kind: option.Float, Default: "2", Min: 0, Max: 1e6, Help: "how far the step goes along the values, in units of the largest return"},
			{Name: "alpha", Kind: option.Float, Default: "0.01", Min: 0, Max: 1e6, Help: "how much the step is held to uniform play"},
		}},
		{Name: "network", Help: "plays by a trained network, at a strength of your choice", make: makeNetwork, policies: networkPolicies, Options: []option.Option{
			{Name: netOption, Kind: option.Text, Default: noNet, Help: "a checkpoint's path or zoo:NAME; it needs one"},
			{Name: "temperature", Kind: option.Float, Default: "1", Min: 0, Max: learned.MostTemperature, Help: fmt.Sprintf("by which its probabilities are flattened, from %v; 0 for its most probable move", learned.LeastTemperature)},
			random.Slips,
			{
				Name: adviceOption, Kind: option.Int, Default: "1", Min: 0, Max: 1,
				Help: "0 to take the scripted player's advice away: what the network does by itself",
			},
			{
				Name: policyOption, Kind: option.Int, Default: "1", Min: 0, Max: 1,
				Help: "0 for a policy head of zeros: what the advice does by itself; at random where there is none",
			},
		}},
		{Name: "planner", Help: "chooses among the plans of the game's planner by a network that was trained for it",
			make: makePlanner, policies: plannerPolicies, Options: []option.Option{
				{Name: netOption, Kind: option.Text, Default: noNet, Help: "a checkpoint's path or zoo:NAME of a planner; none for the planner's own choice"},
				{
					Name: policyOption, Kind: option.Int, Default: "1", Min: 0, Max: 1,
					Help: "0 for a network of zeros in its place: what the planner does by itself",
				},
				{
					Name: adviceOption, Kind: option.Int, Default: "1", Min: 0, Max: 1,
					Help: "0 to leave the planner's own worth of its plans out: what the network does by itself",
				},
				{Name: "temperature", Kind: option.Float, Default: "0", Min: 0, Max: learned.MostTemperature,
					Help: "by which candidates are drawn, 0 for the best"},
				random.Slips,
			}},
		{Name: "checkpoint", Argument: "PATH", Help: "a trained network: the directory of a checkpoint, or of a run for its latest one", open: openCheckpoint, openPolicies: checkpointPolicies},
		{Name: "zoo", Argument: "NAME", Help: "a trained network that ships with the program", open: openZoo, openPolicies: zooPolicies},
		{Name: "level", Argument: "NAME", Help: "a strength for people: " + strings.Join(levelNames[:], ", "), open: openLevel, openPolicies: levelPolicies},
		{Name: "tabular", Argument: "FILE", Help: "a policy that is written down, as powderkeg solve --out leaves it", open: openTabular, openPolicies: tabularPolicies},
		{Name: "human", Help: "a person at this terminal", make: makeHuman},
	}
}

// List returns all kinds of agents, for help texts. The caller must not change
// it.
func List() []Kind { return kinds }

// New makes the agent of that name for the game. Errors wrap option.ErrUsage and
// list the valid choices.
func New(g engine.Game, text string) (agents.Agent, error) { return find(kinds, g, text) }

// Limits bound what agents that strangers name may take.
type Limits struct {
	// Sims is the most simulations per move of a search, which bounds its memory.
	Sims int
	// Files allows networks other than those that ship with the program.
	Files bool
}

// Names lists the kinds of agents within the limits: no person at this machine, and none
// that chooses a file of it unless Files allows that.
func (l Limits) Names() []string {
	var names []string
	for _, k := range kinds {
		file := k.Name == "checkpoint" || k.Name == "tabular"
		if k.Name != "human" && (l.Files || !file) {
			names = append(names, k.Name)
		}
	}
	return names
}

// New is like the function New for agents within the limits.
func (l Limits) New(g engine.Game, text string) (agents.Agent, error) {
	bounded := slices.Clone(kinds)
	for i, k := range bounded {
		if k.has(netOption) || k.has(simsOption) {
			bounded[i] = l.bound(k)
		}
	}
	return find(bounded, g, text)
}

// has reports whether the kind has an option.
func (k Kind) has(name string) bool {
	return slices.ContainsFunc(k.Options, func(o option.Option) bool { return o.Name == name })
}

// bound returns a kind of agent within the limits.
func (l Limits) bound(k Kind) Kind {
	// Of what is out of range the limit here is said, rather than the one of the kind. The
	// option's default is not checked with what is given.
	k.Options = slices.Clone(k.Options)
	for i := range k.Options {
		if o := &k.Options[i]; o.Name == simsOption {
			o.Min, o.Max = 1, min(o.Max, float64(l.Sims))
		}
	}
	inner := k.make
	k.make = func(g engine.Game, v option.Values) (agents.Agent, error) {
		if k.has(simsOption) {
			if sims := v.Int(simsOption); sims < 1 || sims > l.Sims {
				return nil, fmt.Errorf("%w: %s: sims is %d, it must be from 1 to %d here", option.ErrUsage, k.Name, sims, l.Sims)
			}
		}
		if k.has(netOption) && !l.Files {
			if net := v.Text(netOption); net != noNet && !strings.HasPrefix(net, zooPrefix) {
				return nil, fmt.Errorf("%w: %s: net is %q, it must be %s or %sNAME here", option.ErrUsage, k.Name, net, noNet, zooPrefix)
			}
		}
		return inner(g, v)
	}
	return k
}

// find is New for the given kinds.
func find(kinds []Kind, g engine.Game, text string) (agents.Agent, error) {
	k, values, argument, err := parse(kinds, text)
	switch {
	case err != nil:
		return nil, err
	case k.open != nil:
		return k.open(g, argument)
	}
	return k.make(g, values)
}

// parse takes the name of an agent apart: its kind and, as the kind has it,
// either the argument or the values of the options.
func parse(kinds []Kind, text string) (k Kind, values option.Values, argument string, err error) {
	// A colon behind a bracket belongs to an option, such as net=zoo:jogu.
	if prefix, argument, ok := strings.Cut(text, ":"); ok && !strings.Contains(prefix, "(") {
		for _, k := range kinds {
			if k.open == nil || k.Name != strings.TrimSpace(prefix) {
				continue
			}
			if argument = strings.TrimSpace(argument); argument == "" {
				return k, values, "", fmt.Errorf("%w: %s: needs a %s behind the colon", option.ErrUsage, k.Name, strings.ToLower(k.Argument))
			}
			return k, values, argument, nil
		}
		return k, values, "", unknown(kinds, strings.TrimSpace(prefix))
	}
	name, arguments, err := option.Split(text)
	if err != nil {
		return k, values, "", err
	}
	for _, k := range kinds {
		if k.Name != name {
			continue
		}
		if k.open != nil {
			return k, values, "", fmt.Errorf("%w: %s is written %s:%s", option.ErrUsage, name, name, k.Argument)
		}
		values, err = option.Check(name, k.Options, arguments)
		return k, values, "", err
	}
	return k, values, "", unknown(kinds, name)
}

func unknown(kinds []Kind, name string) error {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.Usage()
	}
	return fmt.Errorf("%w: unknown agent %q; agents: %s", option.ErrUsage, option.Shorten(name), strings.Join(list, ", "))
}

// Check says whether a text can name an agent, of whatever game: there is such a kind, and it
// has such options. What it refers to may be away.
func Check(text string) error {
	_, _, _, err := parse(kinds, text)
	return err
}

// Usage returns how an agent of the kind is written, such as mcts(sims=400,...)
// or checkpoint:PATH.
func (k Kind) Usage() string {
	if k.Argument != "" {
		return k.Name + ":" + k.Argument
	}
	if len(k.Options) == 0 {
		return k.Name
	}
	parts := make([]string, len(k.Options))
	for i, o := range k.Options {
		parts[i] = o.Name + "=" + o.Default
	}
	return k.Name + "(" + strings.Join(parts, ",") + ")"
}

// Checkpoint returns the reference (see checkpoints.Open) of the network that an
// agent string such as checkpoint:PATH or zoo:NAME names, and whether it names
// one.
func Checkpoint(text string) (ref string, ok bool) {
	prefix, argument, colon := strings.Cut(text, ":")
	argument = strings.TrimSpace(argument)
	switch name := strings.TrimSpace(prefix); {
	case !colon || argument == "":
		return "", false
	case name == "checkpoint":
		return argument, true
	case name == "zoo":
		return zooPrefix + argument, true
	}
	return "", false
}

// Network returns the reference of the network that an agent string plays by with nothing taken
// away, which is what Checkpoint finds and that of network(net=...), and whether there is one. A
// planner's network, which reads no observations, is none.
func Network(text string) (ref string, ok bool) {
	ref, ok = Checkpoint(text)
	if !ok {
		k, values, _, err := parse(kinds, text)
		if err != nil || k.Name != "network" || values.Text(netOption) == noNet || values.Int(adviceOption)*values.Int(policyOption) == 0 {
			return "", false
		}
		ref = values.Text(netOption)
	}
	if isPlanner(ref) {
		return "", false
	}
	return ref, true
}

// Planner returns the reference of the planner's network that an agent string plays by, whole or
// not, and whether there is one.
func Planner(text string) (ref string, ok bool) {
	if ref, ok = Checkpoint(text); ok && isPlanner(ref) {
		return ref, true
	}
	k, values, _, err := parse(kinds, text)
	if err != nil || k.Name != "planner" || values.Text(netOption) == noNet {
		return "", false
	}
	return values.Text(netOption), true
}

// zooPrefix begins the references of the checkpoints that ship with the program.
const zooPrefix = "zoo:"

func makeRandom(engine.Game, option.Values) (agents.Agent, error) { return random.New(), nil }

func makeScripted(g engine.Game, v option.Values) (agents.Agent, error) {
	p, err := scripted.With(g, v)
	if err != nil {
		return nil, err
	}
	return agents.FromPolicy(p), nil
}

func makeSearch(g engine.Game, v option.Values) (agents.Agent, error) {
	config, err := searchConfig(g, v)
	if err != nil {
		return nil, err
	}
	a, err := search.New(g, config())
	if err != nil {
		return nil, option.Wrong(fmt.Errorf("mcts: %w", err))
	}
	return a, nil
}

// searchConfig returns a maker of configs. They share the network of the option
// net, which is read once, and nothing else.
func searchConfig(g engine.Game, v option.Values) (func() search.Config, error) {
	scriptedRollout := v.Choice("rollout") == "scripted"
	if scriptedRollout {
		if _, err := scripted.New(g); err != nil {
			return nil, err
		}
	}
	var brain *learned.Brain
	if net := v.Text(netOption); net != noNet {
		var err error
		if brain, err = openBrain(g, net); err != nil {
			return nil, err
		}
	}
	return func() search.Config {
		c := search.Config{
			Simulations:  v.Int(simsOption),
			Time:         v.Duration(timeOption),
			Exploration:  v.Float("c"),
			RolloutDepth: v.Int("depth"),
		}
		if scriptedRollout {
			c.Rollout = scripted.Must(g)
		}
		if brain != nil {
			c.Evaluator = newGuide(g, brain)
		}
		return c
	}, nil
}

func makeHuman(g engine.Game, _ option.Values) (agents.Agent, error) {
	return human.New(g, human.NewTerminal(os.Stdin, os.Stdout)), nil
}

func openCheckpoint(g engine.Game, path string) (agents.Agent, error) { return openLearned(g, path) }

func openZoo(g engine.Game, name string) (agents.Agent, error) { return openLearned(g, zooPrefix+name) }

// openLearned makes a learned agent that draws its actions with the network's
// probabilities, or a planner that takes its best candidate.
func openLearned(g engine.Game, ref string) (agents.Agent, error) {
	if isPlanner(ref) {
		policies, err := planner.Open(g, ref, 0, planner.Whole)
		if err != nil {
			return nil, err
		}
		return agents.FromPolicy(policies()), nil
	}
	brain, err := openBrain(g, ref)
	if err != nil {
		return nil, err
	}
	return brain.NewAgent(1), nil
}

func openTabular(g engine.Game, path string) (agents.Agent, error) {
	policy, err := tabular.Open(g, path)
	if err != nil {
		return nil, option.Wrong(err)
	}
	return policy.NewAgent(), nil
}

func openBrain(g engine.Game, ref string) (*learned.Brain, error) {
	brain, err := learned.Open(g, ref)
	if err != nil {
		return nil, option.Wrong(err)
	}
	return brain, nil
}
