// Package lineup says which agents a server has: those of agents/roster, where networks that
// play by observations act in batches for all who ask.
package lineup

import (
	"slices"

	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/serve/inference"
	"powderkeg/serve/server"
)

// bytesPerSimulation is about what a simulation adds to the tree of a search: a
// node with some ten choices.
const bytesPerSimulation = 512

// Configure gives a server the agents of the kinds that it offers (Config.Agents), whose
// searches make at most so many simulations per move. Files are read where it offers
// "checkpoint". Warn is told of agents that were trained on another edition.
func Configure(c *server.Config, sims int, warn func(line string)) {
	limits := roster.Limits{Sims: sims, Files: slices.Contains(c.Agents, "checkpoint")}
	c.NewAgent, c.AgentBytes = roster.Maker(limits.New).Warning(warn), max(c.AgentBytes, sims*bytesPerSimulation)
	c.Network = func(g engine.Game, text string) (inference.Source, bool) {
		if line := roster.OtherEdition(g, text); line != "" {
			warn(text + ": " + line)
		}
		return Network(g, text)
	}
}

// Sims is the largest number of simulations per move unless told otherwise.
const Sims = 10000

// Network returns where the network of an agent string comes from, false for one that is no
// network of observations: a planner's plays as other agents do.
func Network(g engine.Game, text string) (inference.Source, bool) {
	ref, ok := roster.Checkpoint(text)
	if _, plans := roster.Planner(text); plans {
		return nil, false
	}
	return inference.Checkpoint(g, ref), ok
}
