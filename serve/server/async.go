package server

import (
	"context"

	"powderkeg/env/vec"
	"powderkeg/serve/protocol"
)

// synchronous says why a vec cannot be stepped in the synchronous way.
func (v *vector) synchronous(handle uint64) *protocol.Error {
	if v.flying == nil {
		return nil
	}
	return protocol.Errorf(protocol.CodeParams, "vec %d is driven by vec.send and vec.recv; make another one to step it synchronously", handle)
}

// vecSend hands actions to slots. A slot has one action under way at most, so
// that what is queued is bounded by the number of slots.
func (c *conn) vecSend(_ context.Context, p *protocol.VecSend) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if fault := v.idle(p.Vec); fault != nil {
		return nil, fault
	}
	switch {
	case v.autoreset == vec.Disabled:
		return nil, protocol.Errorf(protocol.CodeParams, "vec %d has autoreset %s; vec.send works with %s and %s", p.Vec, vec.Disabled, vec.SameStep,
			vec.NextStep)
	case len(p.Slots) == 0 || len(p.Actions) != len(p.Slots):
		return nil, protocol.Errorf(protocol.CodeParams, "%d actions for %d slots; there must be one per slot, for one slot at least", len(p.Actions),
			len(p.Slots))
	}
	if err := v.company.ready(); err != nil {
		return nil, err
	}
	flying := v.flying
	if flying == nil {
		flying = make([]bool, v.vec.Envs())
	}
	for i, slot := range p.Slots {
		if fault := v.refuseSent(flying, slot, p, i); fault != nil {
			for _, s := range p.Slots[:i] {
				flying[s] = false
			}
			return nil, fault
		}
		flying[slot] = true
	}
	if err := v.vec.Send(p.Slots, p.Actions); err != nil {
		return nil, err
	}
	v.flying, v.some = flying, nil // only one of the two ways needs buffers of its own
	v.pending += len(p.Slots)
	return &protocol.VecSent{Pending: int64(v.pending)}, nil
}

// refuseSent says why a slot cannot take the i-th action. A slot that flies must
// not even be looked at: its worker owns it.
func (v *vector) refuseSent(flying []bool, slot int32, p *protocol.VecSend, i int) *protocol.Error {
	switch {
	case slot < 0 || int(slot) >= v.vec.Envs():
		return protocol.Errorf(protocol.CodeParams, "slot %d; vec %d has slots 0 to %d", slot, p.Vec, v.vec.Envs()-1)
	case flying[slot]:
		return protocol.Errorf(protocol.CodeParams, "slot %d has an action under way; vec.recv it first", slot)
	}
	return v.refuse(int(slot), p.Actions[i])
}

// vecRecv waits for slots. It may wait for no more than are under way, all of
// which come to an end.
func (c *conn) vecRecv(ctx context.Context, p *protocol.VecRecv) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if err := v.receive(ctx, p); err != nil {
		return nil, c.vecFault(p.Vec, err)
	}
	c.server.metrics.byVec.Add(float64(p.Count))
	return v.showSome(v.buffers, int(p.Count)), nil
}

// receive is vec.recv of a vec that the caller holds.
func (v *vector) receive(ctx context.Context, p *protocol.VecRecv) error {
	if p.Count < 1 || p.Count > int64(v.pending) {
		return protocol.Errorf(protocol.CodeParams, "count is %d; vec %d has %d slots under way, count must be from 1 to that", p.Count, p.Vec, v.pending)
	}
	n := int(p.Count)
	err := v.vec.Receive(ctx, n, v.buffers)
	if err != nil && err == ctx.Err() {
		return refusal{err} // nothing is lost
	}
	for _, s := range v.buffers.Slots[:n] {
		v.flying[s] = false
	}
	v.pending -= n
	return err
}
