package server

import (
	"context"

	"powderkeg/env/vec"
	"powderkeg/serve/protocol"
)

// slotOf returns a vec and one of its slots, with which the client may do as it likes.
func (c *conn) slotOf(handle uint64, slot int64) (*vector, int, error) {
	v, err := c.vectorOf(handle)
	if err != nil {
		return nil, 0, err
	}
	at, err := c.forkable(handle, v, slot)
	return v, at, err
}

// forkable returns a slot with which the client may do as it likes.
func (c *conn) forkable(handle uint64, v *vector, slot int64) (int, error) {
	if fault := c.copies(v.company != nil); fault != nil {
		return 0, fault
	}
	if fault := v.synchronous(handle); fault != nil {
		return 0, fault
	}
	if fault := v.idle(handle); fault != nil {
		return 0, fault
	}
	if slot < 0 || slot >= int64(v.vec.Envs()) {
		return 0, protocol.Errorf(protocol.CodeParams, "slot %d; vec %d has slots 0 to %d", slot, handle, v.vec.Envs()-1)
	}
	return int(slot), nil
}

func (c *conn) vecFork(_ context.Context, p *protocol.VecFork) (any, error) {
	v, slot, err := c.slotOf(p.Vec, p.Slot)
	if err != nil {
		return nil, err
	}
	if err := v.fork(p.Vec, slot, p.Slots); err != nil {
		return nil, err
	}
	return v.show(), nil
}

// fork is vec.fork of a vec that the caller holds.
func (v *vector) fork(handle uint64, slot int, slots []int32) error {
	for _, s := range slots {
		if fault := v.outside(handle, s); fault != nil {
			return fault
		}
	}
	return v.vec.Fork(slot, slots, v.buffers)
}

func (c *conn) vecSnapshot(_ context.Context, p *protocol.VecSnapshot) (any, error) {
	v, slot, err := c.slotOf(p.Vec, p.Slot)
	if err != nil {
		return nil, err
	}
	moment, err := v.vec.Snapshot(slot)
	if err != nil {
		return nil, underWay(err)
	}
	return v.scene().write(moment)
}

// scene returns what snapshots of slots are about.
func (v *vector) scene() scene {
	e := v.vec.Env(0)
	return scene{e.Game(), e.Encoder().Layout(), v.made.Agents}
}

func (c *conn) vecRestore(_ context.Context, p *protocol.VecRestore) (any, error) {
	v, slot, err := c.slotOf(p.Vec, p.Slot)
	if err != nil {
		return nil, err
	}
	moment, err := v.scene().read(p.Snapshot)
	if err != nil {
		return nil, err
	}
	if err := v.vec.Restore(slot, moment, v.buffers); err != nil {
		return nil, bad(err)
	}
	if v.some == nil {
		v.some = v.vec.NewBuffers(v.vec.Envs())
	}
	v.some.Gather(v.buffers, []int32{int32(slot)})
	return v.showSome(v.some, 1), nil
}

func (c *conn) vecClone(ctx context.Context, p *protocol.Vec) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if fault := c.copies(v.company != nil); fault != nil {
		return nil, fault
	}
	if fault := v.synchronous(p.Vec); fault != nil {
		return nil, fault
	}
	if v.fault != nil {
		return nil, v.idle(p.Vec)
	}
	params := v.made
	made, err := c.vecMake(ctx, &params)
	if err != nil {
		return nil, err
	}
	handle := made.(*protocol.VecMade).Vec
	if err := c.vecs[handle].become(v); err != nil {
		c.endVec(handle, c.vecs[handle])
		return nil, err
	}
	return made, nil
}

// become makes all slots of a vec what those of another one are, which was made likewise.
func (v *vector) become(src *vector) error {
	v.fresh, v.result.Seed = src.fresh, src.result.Seed
	if src.fresh {
		return nil
	}
	if v.company != nil {
		for slot := range v.vec.Envs() {
			v.company.Start(slot, 0, 0) // agents must know where they sit; what they remember comes with the copy
		}
	}
	return v.vec.CopyFrom(src.vec, src.buffers, v.buffers)
}

// memories returns those of the agents in a slot.
func (m *company) memories(slot int) (memories, error) {
	list := make(memories, len(m.seats))
	for p := range m.seats {
		switch player := &m.seats[p]; {
		case player.choir != nil:
			list[p] = &player.choir.rngs[slot*len(m.seats)+p]
		case player.agents != nil:
			one, err := player.agents[slot : slot+1].memories()
			if err != nil {
				return nil, err
			}
			list[p] = one[0]
		}
	}
	return list, nil
}

// Minds implements vec.Rememberers.
func (m *company) Minds(slot int) ([][]byte, error) {
	list, err := m.memories(slot)
	if err != nil {
		return nil, err
	}
	return list.write()
}

// Remember implements vec.Rememberers.
func (m *company) Remember(slot int, minds [][]byte) error {
	list, err := m.memories(slot)
	if err != nil {
		return err
	}
	return list.read(minds)
}

var _ vec.Rememberers = (*company)(nil)
