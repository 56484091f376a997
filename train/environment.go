package train

import (
	"os"
	"runtime"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/program"
)

// Environment is what a run plays, and where its process runs.
type Environment struct {
	checkpoints.Identity
	Seats        int           `json:"seats"`
	Payoff       engine.Payoff `json:"payoff"`
	MinReturn    float32       `json:"min_return"`
	MaxReturn    float32       `json:"max_return"`
	Actions      int           `json:"actions"`
	Observation  int           `json:"observation_size"`
	MaxDecisions int           `json:"max_decisions"`

	// Commit is that of the program, empty where it was built outside of a
	// repository; Modified reports whether files had been changed since.
	Commit     string `json:"commit"`
	Modified   bool   `json:"modified"`
	Go         string `json:"go"`
	System     string `json:"system"` // linux/amd64
	Host       string `json:"host"`
	Processors int    `json:"processors"`
	Workers    int    `json:"workers"`
	BLAS       string `json:"blas"`
}

// IdentityOf is that of the game of a config.
func IdentityOf(c Config) (checkpoints.Identity, error) {
	g, err := c.NewGame()
	if err != nil {
		return checkpoints.Identity{}, err
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return checkpoints.Identity{}, err
	}
	return checkpoints.IdentityOf(g, encoder.Layout()), nil
}

// Environment describes where the trainer is.
func (t *Trainer) Environment() Environment {
	spec := t.game.Spec()
	e := Environment{
		Identity: t.identity, Seats: spec.Seats, Payoff: spec.Payoff, MinReturn: spec.MinReturn, MaxReturn: spec.MaxReturn,
		Actions: len(spec.Actions), Observation: t.net.Config().Inputs, MaxDecisions: spec.MaxDecisions,
		Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Processors: runtime.NumCPU(), Workers: t.config.workers(), BLAS: network.BLAS,
	}
	e.Host, _ = os.Hostname() // a machine without a name has none
	e.Commit, e.Modified = program.Built()
	return e
}
