// Package suite is the benchmark that proves its numbers.
//
//	s, err := suite.Open("v1")
//	row, err := suite.Run(ctx, s, suite.Config{Agent: "mcts(sims=200)", Dir: dir})
//	report, err := suite.Check(ctx, s, dir, suite.CheckConfig{})
//
// A Definition fixes the tasks (game, rules, position), who sits at their tables, the seeds,
// the number of games and the anchors between which returns are scaled. It is embedded, and
// its digest stands in every row: a change of it is another version. A row is what an agent
// did, and the archive beside it has every game of it, chance included, as a replay. So
// whoever doubts a number plays the games again (Check): each must be legal move by move, its
// chance must be that of its seed, and every figure of the row must follow from them; and the
// agent, if it is at hand, must make the same moves again.
//
// A task may also be a bank of solved positions (package train/bank). It is not played: the agent is asked what it does,
// what it loses by that is its return, and its answers are in the archive in the place of games. And luck that
// a fixed network knows may be taken out of the returns of games (package train/luck).
package suite

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"powderkeg/agents/learned"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/train/bank"
)

//go:embed v1 v2
var versions embed.FS

// Tier groups the tasks of a definition.
type Tier string

// The tiers. Reference games are those whose theory is known, a mini is a game that is
// solved or nearly, endings are solved positions of bots' own games, standard is the game as it is
// printed, stress its largest form.
const (
	Reference Tier = "reference"
	Mini      Tier = "mini"
	Endings   Tier = "endings"
	Standard  Tier = "standard"
	Stress    Tier = "stress"
)

// Tiers lists the tiers in the order of tables.
func Tiers() []Tier { return []Tier{Reference, Mini, Endings, Standard, Stress} }

// tiers lists those of the definition.
func (d *Definition) tiers() []Tier {
	return slices.DeleteFunc(Tiers(), func(tier Tier) bool {
		return !slices.ContainsFunc(d.Tasks, func(t Task) bool { return t.Tier == tier })
	})
}

// Definition is a version of the suite.
type Definition struct {
	Name string `json:"suite"`
	// Seed decides all chance and all agents' choices, with the place of a game in the plan.
	Seed uint64 `json:"seed"`
	// Runs is how many times a task is played, each from seeds of its own.
	Runs  int    `json:"runs"`
	Tasks []Task `json:"tasks"`

	digest string
}

// Task is a game with its tables and its scale.
type Task struct {
	Name string `json:"task"`
	Tier Tier   `json:"tier"`
	// Game is the game string, Rules the version of its rules that the figures are of.
	Game  string `json:"game"`
	Rules int    `json:"rules"`
	// Layout is the version of the observation that networks read.
	Layout int `json:"layout"`
	// Position is the file of the position that every game begins in, empty for the game's
	// own start. One of that name in the folder rest beside it is the same position as it is
	// written since: the digest, and the records of before, keep to the older words.
	Position string `json:"position,omitempty"`
	// Tables names the agents that fill all the other seats, one for each table. The agent
	// that is measured holds one seat.
	Tables []string `json:"tables,omitempty"`
	// Units is how many units each run plays at each table. A unit is a game with the measured
	// agent on each seat, all under the same chance.
	Units int `json:"units,omitempty"`
	// Anchors are the mean returns that count as 0 and as 1.
	Anchors Anchors `json:"anchors"`
	// Bank is the file of solved positions of a task that is not played: the agent's return is
	// minus what it loses in them, 0 for an equilibrium. It has no tables, and its anchors follow from
	// the bank. An agent that tells no odds is asked Asks times in each information state.
	Bank string `json:"bank,omitempty"`
	Asks int    `json:"asks,omitempty"`
	// Luck, if not nil, is taken out of the returns.
	Luck *Luck `json:"luck,omitempty"`

	game   engine.Game
	bank   *bank.Bank
	critic func() (*learned.Brain, error)
}

// Luck says by whose values luck is measured (package train/luck), and which share of it is taken out.
// Both were fixed before the games were played.
type Luck struct {
	// Values names a network, Weights is the digest of its weights (roster.Weights).
	Values  string  `json:"values"`
	Weights string  `json:"weights_sha256"`
	Share   float64 `json:"share"`
}

// Anchors are two mean returns of a task, each that of an agent, which says where it comes
// from: it was measured by the suite itself with the definition's own plan.
type Anchors struct {
	Zero      float64 `json:"zero"`
	One       float64 `json:"one"`
	ZeroAgent string  `json:"zero_agent"`
	OneAgent  string  `json:"one_agent"`
}

// scale turns a mean return into a score: 0 and 1 at the anchors.
func (a Anchors) scale(x float64) float64 { return (x - a.Zero) / (a.One - a.Zero) }

// Versions lists the versions that there are.
func Versions() []string {
	entries, err := versions.ReadDir(".")
	if err != nil {
		panic(err) // it is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Open returns a version of the suite. Errors wrap option.ErrUsage where there is none of
// that name.
func Open(version string) (*Definition, error) {
	if !slices.Contains(Versions(), version) {
		return nil, fmt.Errorf("%w: there is no suite %q; versions: %s", option.ErrUsage, option.Shorten(version), strings.Join(Versions(), ", "))
	}
	folder, err := fs.Sub(versions, version)
	if err != nil {
		return nil, err
	}
	return Read(folder)
}

// definitionName is the file with the definition, beside the folder of its positions.
const definitionName = "suite.json"

// Read reads a definition from a folder that has suite.json and the positions that it names.
func Read(folder fs.FS) (*Definition, error) {
	text, err := fs.ReadFile(folder, definitionName)
	if err != nil {
		return nil, err
	}
	var d Definition
	r := json.NewDecoder(bytes.NewReader(text))
	r.DisallowUnknownFields()
	if err := r.Decode(&d); err != nil {
		return nil, fmt.Errorf("suite: %s: %w", definitionName, err)
	}
	sum := sha256.New()
	sum.Write(text)
	for i := range d.Tasks {
		position, err := d.Tasks[i].open(folder)
		if err != nil {
			return nil, fmt.Errorf("suite: task %q: %w", d.Tasks[i].Name, err)
		}
		sum.Write(position)
	}
	d.digest = hex.EncodeToString(sum.Sum(nil))
	return &d, d.validate()
}

// open makes the game of a task and returns its position.
func (t *Task) open(folder fs.FS) ([]byte, error) {
	g, err := env.NewGame(t.Game)
	if err != nil {
		return nil, err
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	if spec := g.Spec(); spec.Version != t.Rules || encoder.Layout().Version != t.Layout {
		return nil, fmt.Errorf("it is of version %d of the rules and %d of the observation, this program has %d and %d", t.Rules, t.Layout, spec.Version,
			encoder.Layout().Version)
	}
	t.game = g
	if t.Luck != nil {
		t.critic = sync.OnceValues(func() (*learned.Brain, error) { return t.Luck.open(g) })
	}
	if t.Bank != "" {
		return t.openBank(folder)
	}
	if t.Position == "" {
		return nil, nil
	}
	position, err := fs.ReadFile(folder, path.Join("positions", t.Position))
	if err != nil {
		return nil, err
	}
	start, err := fs.ReadFile(folder, path.Join("positions", "rest", t.Position))
	if errors.Is(err, fs.ErrNotExist) {
		start, err = position, nil
	}
	if err == nil {
		t.game, err = engine.StartAt(g, start)
	}
	return position, err
}

// validate reports all faults together.
func (d *Definition) validate() error {
	var faults []error
	if d.Runs < 1 {
		faults = append(faults, fmt.Errorf("%d runs, want at least 1", d.Runs))
	}
	seen := map[string]bool{}
	for _, t := range d.Tasks {
		switch {
		case t.Name == "" || seen[t.Name]:
			faults = append(faults, fmt.Errorf("task %q: every task needs a name of its own", t.Name))
		case !slices.Contains(Tiers(), t.Tier):
			faults = append(faults, fmt.Errorf("task %q: unknown tier %q", t.Name, t.Tier))
		case t.Bank != "" && (t.Asks < 1 || t.Units != 0 || t.Tables != nil || t.Position != "" || t.Luck != nil):
			faults = append(faults, fmt.Errorf("task %q: solved positions want asks, and no tables, units, position or luck", t.Name))
		case t.Bank == "" && (t.Units < 1 || len(t.Tables) == 0):
			faults = append(faults, fmt.Errorf("task %q: %d units at %d tables, want at least one of each", t.Name, t.Units, len(t.Tables)))
		case !(t.Anchors.One > t.Anchors.Zero):
			faults = append(faults, fmt.Errorf("task %q: anchors are %v and %v, the second must be the larger", t.Name, t.Anchors.Zero, t.Anchors.One))
		}
		if l := t.Luck; l != nil && !(l.Share > 0 && l.Share <= 1) {
			faults = append(faults, fmt.Errorf("task %q: the share of the luck is %v, it must be above 0 and at most 1", t.Name, l.Share))
		}
		for _, name := range t.Tables {
			if _, err := roster.Policies(t.game, name); err != nil {
				faults = append(faults, fmt.Errorf("task %q: %w", t.Name, err))
			}
		}
		seen[t.Name] = true
	}
	if faults == nil {
		return nil
	}
	return fmt.Errorf("suite: %w", errors.Join(faults...))
}

// Digest is the SHA-256 of the definition and its positions, in hexadecimal.
func (d *Definition) Digest() string { return d.digest }

// Task returns the task of that name, nil if there is none.
func (d *Definition) Task(name string) *Task {
	for i := range d.Tasks {
		if d.Tasks[i].Name == name {
			return &d.Tasks[i]
		}
	}
	return nil
}
