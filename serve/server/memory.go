package server

import (
	"fmt"

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

// datasetBytesOf is about what the batches of a dataset hold, texts and chance aside: fixed
// whatever is played, and for each decision of the longest episode. Columns that grow have
// a quarter of room.
func datasetBytesOf(c *dataset.Collector, workers int) (fixed, decision int) {
	spec, config := c.Game().Spec(), c.Config()
	row := 4*c.Layout().Size + len(spec.Actions) + 8*spec.Seats + 64
	if config.Logits {
		row += 4 * len(spec.Actions)
	}
	finals := 4 * c.Layout().Size * spec.Seats
	episodes := int(c.Batches(workers) * min(c.BatchEpisodes(), config.Episodes))
	return episodes*finals*5/4 + workers*envBytes(c.Game()), episodes * row * 5 / 4
}

// fewDecisions is the shortest bound of an episode that a dataset without a bound of its own
// is given: with less memory it is not worth to begin.
const fewDecisions = 1000

// chargeDataset takes the memory of a dataset whose agents hold so many bytes from what the
// connection may have. It returns the bytes and the most decisions of an episode for which
// they suffice, 0 where that is any: as long as the rules allow an episode may be, none is
// nearly as long in practice, and so what asks for no bound gets one by half of what is
// left, which leaves room for the next.
func (c *conn) chargeDataset(d *dataset.Collector, workers, agents int) (bytes, most int, err *protocol.Error) {
	fixed, decision := datasetBytesOf(d, workers)
	fixed += agents
	longest := d.Game().Spec().MaxDecisions
	asked := d.Config().MaxDecisions
	if asked > 0 {
		longest = min(longest, asked)
	}
	left := c.server.config.MemoryBytes - c.memory
	fits := max(0, left-fixed) / decision
	switch {
	case longest <= fits:
		bytes = fixed + longest*decision
	case asked == 0 && fits/2 >= fewDecisions:
		most = fits / 2
		bytes = fixed + most*decision
	default:
		fault := protocol.Errorf(protocol.CodeLimit,
			"about %d more bytes of memory for episodes of up to %d decisions; this connection has %d of at most %d",
			fixed+longest*decision, longest, c.memory, c.server.config.MemoryBytes)
		if fits > 0 {
			fault.Message += fmt.Sprintf("; with max_decisions of at most %d it fits", fits)
		}
		return 0, 0, fault
	}
	return bytes, most, c.reserve(workers, bytes)
}

// tooLong is the error of an episode for which there is no memory.
func tooLong(most int) *protocol.Error {
	return protocol.Errorf(protocol.CodeLimit,
		"an episode has more than %d decisions, which is all for which this connection has memory; name max_decisions, at most that, to cut such "+
			"episodes off", most)
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

// take charges the connection for a request of so many bytes, and for as much again, which
// its arrays may take once they are decoded. It is given back when the client is silent.
func (c *conn) take(bytes int) *protocol.Error {
	more := 2*bytes - c.long
	if bytes <= large || more <= 0 {
		return nil
	}
	if fault := c.charge(more); fault != nil {
		return protocol.Errorf(protocol.CodeFrame, "a request of %d bytes takes %s", bytes, fault.Message)
	}
	c.long += more
	return nil
}

// shed lets go of large buffers: those of requests are as long as the longest one
// so far, and a client that sends one and then nothing must not hold them.
func (c *conn) shed() {
	if cap(c.body) < large {
		return
	}
	c.body, c.out = nil, protocol.NewWriter()
	c.decodes()
	c.refund(c.long)
	c.long = 0
}

// room says why there is no room for n numbers under a name in a request about what the
// handle names: no request can use more.
func (c *conn) room(name string, handle uint64, n int) error {
	switch name {
	case "observations", "masks":
		a, err := opened("agent", handle, c.agents)
		if err != nil {
			return err
		}
		width := len(a.game.Spec().Actions)
		if name == "observations" {
			width = a.layout.Size
		}
		if most := c.server.config.Environments; n > most*width {
			return protocol.Errorf(protocol.CodeLimit, "%s has %d numbers, the limit is %d decisions of %d", name, n, most, width)
		}
		return nil
	}
	v, err := opened("vec", handle, c.vecs)
	if err != nil {
		return err
	}
	if slots := v.vec.Envs(); n > slots {
		return protocol.Errorf(protocol.CodeParams, "%s has %d numbers, vec %d takes at most one for each of its %d slots", name, n, handle, slots)
	}
	return nil
}
