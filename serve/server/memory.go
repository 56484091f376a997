package server

import (
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/serve/protocol"
	"powderkeg/train/dataset"
)

// envBytes is about what one environment holds.
func envBytes(g engine.Game) int { return int(env.Bytes(g)) }

// stepBytes is what a single environment holds for its steps.
func stepBytes(g engine.Game, size int) int {
	spec := g.Spec()
	return 2*4*size + len(spec.Actions) + 3*4*spec.Seats
}

// bytes is about what a vectorised environment of n slots holds: the slots, the
// buffers of its responses, and another set of those for vec.step_slots or
// vec.send.
func (v *vector) bytes(g engine.Game, n int) int { return n * (envBytes(g) + 2*v.rowBytes()) }

// datasetMemory is the most that the batches of a dataset hold, texts and chance
// aside: all of the largest size, of episodes as long as the rules allow.
func datasetMemory(c *dataset.Collector, workers int) int {
	spec, config := c.Game().Spec(), c.Config()
	longest := spec.MaxDecisions
	if config.MaxDecisions > 0 {
		longest = min(longest, config.MaxDecisions)
	}
	row := 4*c.Layout().Size + len(spec.Actions) + 8*spec.Seats + 64
	if config.Logits {
		row += 4 * len(spec.Actions)
	}
	finals := 4 * c.Layout().Size * spec.Seats
	return (2*workers+1)*int(c.BatchEpisodes())*(longest*row+finals) + workers*envBytes(c.Game())
}

// charge takes bytes from what the connection may hold. Those given back are
// negative.
func (c *conn) charge(bytes int) *protocol.Error {
	if limit := c.server.config.MemoryBytes; bytes > limit-c.memory {
		return protocol.Errorf(protocol.CodeLimit, "about %d more bytes of memory; this connection has %d of at most %d", bytes, c.memory, limit)
	}
	c.memory += bytes
	c.server.metrics.memory.Add(float64(bytes))
	return nil
}

// refund gives bytes back.
func (c *conn) refund(bytes int) {
	c.memory -= bytes
	c.server.metrics.memory.Sub(float64(bytes))
}

// large is the size in bytes from which the buffers of a connection are let go of
// when it falls silent.
const large = 256 << 10

// shed lets go of large buffers: those of requests are as long as the longest one
// so far, and a client that sends one and then nothing must not hold them.
func (c *conn) shed() {
	if cap(c.body) < large {
		return
	}
	c.body, c.out, c.dec = nil, protocol.NewWriter(), protocol.NewDecoder(true)
	c.handlers = newHandlers(c)
}
