package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// maxEpisodes bounds a dataset.
const maxEpisodes = 1 << 40

// Config says what is in a dataset. Together with the program's version and the
// weights of learned agents it decides every number of it; a search with a time
// limit is the one agent that does not play the same game twice.
type Config struct {
	// Game is the game string.
	Game string `json:"game"`
	// Agents names who plays (agents/roster): one per seat, or one for all seats.
	Agents []string `json:"agents"`
	// Episodes is how many games are played.
	Episodes int64 `json:"episodes"`
	// Seed decides chance and the agents' choices.
	Seed uint64 `json:"seed"`
	// Start is the JSON position that every episode starts from, the game's initial
	// position where it is absent. It must not be the end of a game.
	Start json.RawMessage `json:"start,omitempty"`
	// MaxDecisions, if above 0, truncates episodes after so many decisions.
	MaxDecisions int `json:"max_decisions,omitempty"`
	// Logits adds the log-probabilities by which learned agents drew their actions,
	// Text the situation in words as the actor saw it.
	Logits bool `json:"logits,omitempty"`
	Text   bool `json:"text,omitempty"`
}

// Validate reports all faults at once. Its errors wrap option.ErrUsage.
func (c Config) Validate() error {
	_, err := resolve(c)
	return err
}

// plan is a valid Config and what it names.
type plan struct {
	config  Config
	game    engine.Game
	spec    *engine.Spec
	encoder encoding.Encoder
	layout  *encoding.Layout
	seats   []string // agents, one per seat
}

// lookUp makes the game that a config names, and leaves the rest unchecked.
func lookUp(c Config) (*plan, error) {
	g, err := env.NewGame(c.Game)
	if err != nil {
		return nil, err
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, option.Wrong(err)
	}
	c.Game = g.Spec().Text
	return &plan{config: c, game: g, spec: g.Spec(), encoder: encoder, layout: encoder.Layout()}, nil
}

// resolve checks a config and looks up what it names.
func resolve(c Config) (*plan, error) {
	p, err := lookUp(c)
	if err != nil {
		return nil, err
	}
	faults := []error{p.checkStart(), p.checkAgents()}
	if c.Episodes < 1 || c.Episodes > maxEpisodes {
		faults = append(faults, fmt.Errorf("%d episodes; want 1 to %d", c.Episodes, int64(maxEpisodes)))
	}
	if c.MaxDecisions < 0 {
		faults = append(faults, fmt.Errorf("at most %d decisions; want 0 (whole games) or more", c.MaxDecisions))
	}
	faults = append(faults, p.checkText())
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("%w: dataset: %s", option.ErrUsage, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return p, nil
}

// checkStart checks the position and writes it in one line, so that equal
// configs are equal in writing.
func (p *plan) checkStart() error {
	if len(p.config.Start) == 0 {
		p.config.Start = nil
		return nil
	}
	s, err := p.game.Load(p.config.Start, engine.Strict)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	if s.ToAct() == engine.Terminal {
		return errors.New("start: the game is over in this position")
	}
	var line bytes.Buffer
	if err := json.Compact(&line, p.config.Start); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	p.config.Start = line.Bytes()
	return nil
}

// checkText says whether the game has the text that is asked for.
func (p *plan) checkText() error {
	if _, ok := engine.Look(p.game.New(), 0).(engine.Teller); p.config.Text && !ok {
		return fmt.Errorf("%s cannot be told in words; leave the text out", p.spec.Name)
	}
	return nil
}

// checkAgents spreads the agents over the seats and makes each once.
func (p *plan) checkAgents() error {
	names := p.config.Agents
	switch len(names) {
	case p.spec.Seats:
		p.seats = names
	case 1:
		for range p.spec.Seats {
			p.seats = append(p.seats, names[0])
		}
	default:
		return fmt.Errorf("%d agents; %s takes 1 for all seats or %d, one per seat", len(names), p.spec.Name, p.spec.Seats)
	}
	p.config.Agents = p.seats
	tried := map[string]bool{}
	var faults []error
	for _, name := range p.seats {
		if tried[name] {
			continue
		}
		tried[name] = true
		if name == "human" {
			faults = append(faults, errors.New("people do not play datasets; use powderkeg play"))
			continue
		}
		_, err := roster.New(p.game, name)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// newSeats makes the agents of one worker.
func (p *plan) newSeats() ([]agents.Agent, error) {
	seats := make([]agents.Agent, len(p.seats))
	for i, name := range p.seats {
		var err error
		if seats[i], err = roster.New(p.game, name); err != nil {
			return nil, err
		}
	}
	return seats, nil
}
