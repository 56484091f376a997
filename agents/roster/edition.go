package roster

import (
	"powderkeg/agents"
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/env"
)

// Maker makes agents by name, as New does.
type Maker func(g engine.Game, text string) (agents.Agent, error)

// Warning returns a maker of the same agents that says, in a line, where an agent plays by a
// network that was trained on another edition of the game.
func (m Maker) Warning(say func(string)) Maker {
	return func(g engine.Game, text string) (agents.Agent, error) {
		a, err := m(g, text)
		if err == nil {
			if line := OtherEdition(g, text); line != "" {
				say(text + ": " + line)
			}
		}
		return a, err
	}
}

// OtherEdition says in a line that the network of an agent was trained on another edition of
// the game, and is "" where it was not or the agent has none.
func OtherEdition(g engine.Game, text string) string {
	ref, ok := Checkpoint(text)
	if !ok {
		k, values, _, err := parse(kinds, text)
		if err != nil || !k.has(netOption) || values.Text(netOption) == noNet {
			return ""
		}
		ref = values.Text(netOption)
	}
	c, err := checkpoints.Open(ref)
	if err != nil {
		return ""
	}
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return ""
	}
	return c.Manifest.OtherEdition(checkpoints.IdentityOf(g, encoder.Layout()))
}
