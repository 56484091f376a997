package server

import (
	"context"
	"errors"
	"slices"
	"sync"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/vec"
	"powderkeg/serve/protocol"
)

// vector is a vectorised environment of a client.
type vector struct {
	mu        sync.Mutex // held by the request or the fast call that is about it
	vec       *vec.Vec
	autoreset vec.Autoreset
	buffers   *vec.Buffers
	some      *vec.Buffers         // of vec.step_slots, nil before the first
	result    protocol.VecReceived // response; its large arrays are those of buffers
	fresh     bool                 // before the first reset
	size      int                  // D
	actions   int                  // A
	seats     int                  // P
	held      int                  // bytes, about
	facts     []uint64             // of memory that buffers are, nil for none
	flying    []bool               // slots with an action under way; nil before the first vec.send
	pending   int                  // of flying
	company   *company             // agents on other seats, nil where all are the client's
	made      protocol.VecMake     // by which it was made
	fault     error                // of an agent; the episodes were given up
}

func (c *conn) vecMake(_ context.Context, p *protocol.VecMake) (any, error) {
	config := &c.server.config
	g, err := newGame(p.Game)
	if err != nil {
		return nil, err
	}
	if p.Autoreset == "" {
		p.Autoreset = string(vec.SameStep)
	}
	mode := vec.Autoreset(p.Autoreset)
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	v := &vector{autoreset: mode, fresh: true, size: encoder.Layout().Size, actions: len(g.Spec().Actions), seats: g.Spec().Seats}
	if p.Workers == 0 {
		p.Workers = int64(config.Workers)
		if len(p.Agents) == 0 {
			p.Workers = min(p.Workers, v.worthwhile(p.Envs))
		}
	}
	most := (config.FrameBytes - frameRest) / v.rowBytes()
	switch {
	case p.Envs < 1:
		return nil, protocol.Errorf(protocol.CodeParams, "envs is %d, it must be at least 1", p.Envs)
	case p.Workers < 1 || p.Workers > int64(config.Workers):
		return nil, protocol.Errorf(protocol.CodeParams, "workers is %d, it must be from 1 to %d", p.Workers, config.Workers)
	case p.MaxDecisions < 0:
		return nil, protocol.Errorf(protocol.CodeParams, "max_decisions is %d, it must not be negative", p.MaxDecisions)
	case p.Observer != nil && (*p.Observer < 0 || *p.Observer >= int64(v.seats)):
		return nil, protocol.Errorf(protocol.CodeParams, "observer is %d; %s has seats 0 to %d", *p.Observer, g.Spec().Name, v.seats-1)
	case !slices.Contains(vec.Modes, mode):
		return nil, protocol.Errorf(protocol.CodeParams, "autoreset is %.40q, it must be one of %q", p.Autoreset, vec.Modes)
	case p.Envs > int64(config.Environments):
		return nil, protocol.Errorf(protocol.CodeLimit, "envs is %d, a connection has at most %d", p.Envs, config.Environments)
	case p.Envs > int64(most):
		return nil, protocol.Errorf(protocol.CodeLimit, "the responses of %d envs of %s would be longer than a frame of %d bytes; at most %d fit",
			p.Envs, g.Spec().Name, config.FrameBytes, most)
	}
	n := int(p.Envs)
	v.held = v.bytes(g, n)
	if v.company, err = c.invite(g, p.Agents, n, int(min(p.Workers, p.Envs))); err != nil {
		return nil, err
	}
	if v.company != nil {
		if p.Observer != nil && p.Agents[*p.Observer] != "" {
			return nil, protocol.Errorf(protocol.CodeForbidden, "observer is %d, which is played by an agent; have one of your own seats", *p.Observer)
		}
		v.held += v.company.bytes
	}
	if err := c.reserve(n, v.held); err != nil {
		return nil, err
	}
	if err := v.open(c, g, p, mode); err != nil {
		c.release(n, v.held)
		return nil, err
	}
	v.made = *p
	handle := c.newHandle()
	c.vecs[handle] = v
	return &protocol.VecMade{
		Vec: handle, Game: g.Spec().Text, Envs: p.Envs, Workers: p.Workers, Autoreset: p.Autoreset,
		Seats: int64(v.seats), Actions: int64(v.actions), ObservationSize: int64(v.size),
	}, nil
}

// open makes the environments, and the agents that play in them.
func (v *vector) open(c *conn, g engine.Game, p *protocol.VecMake, mode vec.Autoreset) (err error) {
	config := vec.Config{Envs: int(p.Envs), Workers: int(p.Workers), Autoreset: mode, Env: env.Options{MaxDecisions: int(p.MaxDecisions), Written: true}}
	if p.Observer != nil {
		seat := engine.Player(*p.Observer)
		config.Env.Observer = &seat
	}
	if v.company != nil {
		defer func() {
			if err != nil {
				v.company.close()
			}
		}()
		if err := v.company.gather(c); err != nil {
			return err
		}
		config.Others = v.company
	}
	if v.vec, err = vec.New(g, config); err != nil {
		return err
	}
	if p.Position != "" {
		first := v.vec.Env(0)
		if err := first.StartFrom([]byte(p.Position)); err != nil {
			v.vec.Close()
			return err
		}
		for i := 1; i < config.Envs; i++ { // reading it is dear
			v.vec.Env(i).StartLike(first)
		}
	}
	v.buffers = v.vec.NewBuffers(config.Envs)
	if v.company != nil {
		c.hold(v.company.agents)
	}
	return nil
}

// close ends the environments and the agents in them.
func (v *vector) close() {
	if v.company != nil {
		v.company.end() // of what they think about
	}
	v.vec.Close()
	if v.company != nil {
		v.company.close()
	}
}

// seated returns the number of agents that count for the vec.
func (v *vector) seated() int {
	if v.company == nil {
		return 0
	}
	return v.company.agents
}

// frameRest is what a VecResult needs beside its arrays, at most, in bytes.
const frameRest = 512

// worthwhile returns how many workers n slots keep busy that nobody else plays in. To hand a step to
// one and to wait for it takes up to some 50 µs of processor time, which many slots of a small game
// do not, so each has a quarter of a millisecond to do, by what a step takes in all games: some 100 ns
// and half a nanosecond a byte of what it shows.
func (v *vector) worthwhile(n int64) int64 {
	const least = 512 << 10
	return max(1, n*int64(200+4*v.size+v.actions)/least)
}

// rowBytes is what a slot takes in a VecResult if its episode has ended, in
// bytes.
func (v *vector) rowBytes() int {
	row := 4*v.size + v.actions + 1 + 4*v.seats + 2 // observation, mask, actor, rewards, flags
	end := 4 + 4*v.seats + 4                        // ended, returns, length
	if v.autoreset == vec.SameStep {
		end += 4*v.size + 1 // final observation and actor
	}
	return row + end
}

// vectorOf returns the vectorised environment of a handle, which the request is about.
func (c *conn) vectorOf(handle uint64) (*vector, error) {
	c.touched = handle
	v, err := opened("vec", handle, c.vecs)
	if err == nil {
		c.occupy(&v.mu)
	}
	return v, err
}

func (c *conn) vecReset(ctx context.Context, p *protocol.VecReset) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if err := v.reset(ctx, p.Seed); err != nil {
		return nil, c.vecFault(p.Vec, err)
	}
	return v.show(), nil
}

// reset is vec.reset of a vec that the caller holds. The error is for vecFault, as those of the
// next ones.
func (v *vector) reset(ctx context.Context, seed *uint64) error {
	if v.pending > 0 {
		return protocol.Errorf(protocol.CodeParams, "%d slots have an action under way; vec.recv them first", v.pending)
	}
	if err := v.company.ready(); err != nil {
		return refusal{err}
	}
	defer v.company.during(ctx)()
	v.result.Seed, v.fresh, v.fault = seedOf(seed), false, nil
	return v.vec.Reset(v.result.Seed, v.buffers)
}

// playing says why a vec has no episodes that can be stepped in the synchronous way.
func (v *vector) playing(handle uint64) error {
	if fault := v.synchronous(handle); fault != nil {
		return fault
	}
	if fault := v.idle(handle); fault != nil {
		return fault
	}
	if err := v.company.ready(); err != nil {
		return refusal{err}
	}
	return nil
}

// idle says why a vec has no episodes.
func (v *vector) idle(handle uint64) *protocol.Error {
	switch {
	case v.fresh:
		return protocol.Errorf(protocol.CodeOver, "vec %d has no episodes yet; vec.reset first", handle)
	case v.fault != nil:
		return protocol.Errorf(protocol.CodeOver, "the episodes were given up (%v); vec.reset first", v.fault)
	}
	return nil
}

func (c *conn) vecResetSlots(ctx context.Context, p *protocol.VecResetSlots) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if err := v.resetSlots(ctx, p); err != nil {
		return nil, c.vecFault(p.Vec, err)
	}
	return v.show(), nil
}

// resetSlots is vec.reset_slots of a vec that the caller holds.
func (v *vector) resetSlots(ctx context.Context, p *protocol.VecResetSlots) error {
	if err := v.playing(p.Vec); err != nil {
		return err
	}
	if len(p.Slots) != len(p.Seeds) {
		return protocol.Errorf(protocol.CodeParams, "%d seeds for %d slots", len(p.Seeds), len(p.Slots))
	}
	for _, s := range p.Slots {
		if fault := v.outside(p.Vec, s); fault != nil {
			return fault
		}
	}
	// The other slots show no news.
	clear(v.buffers.Rewards)
	clear(v.buffers.Terminated)
	clear(v.buffers.Truncated)
	defer v.company.during(ctx)()
	return v.vec.ResetSlots(p.Slots, p.Seeds, v.buffers)
}

func (c *conn) vecStep(ctx context.Context, p *protocol.VecStep) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if err := v.step(ctx, p); err != nil {
		return nil, c.vecFault(p.Vec, err)
	}
	c.server.metrics.byVec.Add(float64(len(p.Actions)))
	return v.show(), nil
}

// step is vec.step of a vec that the caller holds.
func (v *vector) step(ctx context.Context, p *protocol.VecStep) error {
	if err := v.playing(p.Vec); err != nil {
		return err
	}
	if len(p.Actions) != v.vec.Envs() {
		return protocol.Errorf(protocol.CodeParams, "%d actions for %d slots", len(p.Actions), v.vec.Envs())
	}
	for slot, a := range p.Actions {
		if fault := v.refuse(slot, a); fault != nil {
			return fault
		}
	}
	defer v.company.during(ctx)()
	return v.vec.Step(p.Actions, v.buffers)
}

func (c *conn) vecStepSlots(ctx context.Context, p *protocol.VecSend) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	if err := v.stepSlots(ctx, p); err != nil {
		return nil, c.vecFault(p.Vec, err)
	}
	c.server.metrics.byVec.Add(float64(len(p.Actions)))
	if v.some == nil {
		v.some = v.vec.NewBuffers(v.vec.Envs())
	}
	v.some.Gather(v.buffers, p.Slots)
	return v.showSome(v.some, len(p.Slots)), nil
}

// stepSlots is vec.step_slots of a vec that the caller holds.
func (v *vector) stepSlots(ctx context.Context, p *protocol.VecSend) error {
	if err := v.playing(p.Vec); err != nil {
		return err
	}
	if len(p.Actions) != len(p.Slots) {
		return protocol.Errorf(protocol.CodeParams, "%d actions for %d slots", len(p.Actions), len(p.Slots))
	}
	for i, s := range p.Slots {
		if fault := v.outside(p.Vec, s); fault != nil {
			return fault
		}
		if fault := v.refuse(int(s), p.Actions[i]); fault != nil {
			return fault
		}
	}
	defer v.company.during(ctx)()
	err := v.vec.StepSlots(p.Slots, p.Actions, v.buffers)
	if errors.Is(err, vec.ErrTwice) {
		return protocol.Errorf(protocol.CodeParams, "%v", err)
	}
	return err
}

// outside says that a vec has no such slot.
func (v *vector) outside(handle uint64, slot int32) *protocol.Error {
	if slot >= 0 && int(slot) < v.vec.Envs() {
		return nil
	}
	return protocol.Errorf(protocol.CodeParams, "slot %d; vec %d has slots 0 to %d", slot, handle, v.vec.Envs()-1)
}

// refuse says why a slot cannot take an action. All are asked before any of them
// moves, so that a refused step changes nothing. An ended slot has no legal
// actions, and what an action there means is up to the autoreset mode.
func (v *vector) refuse(slot int, a engine.Action) *protocol.Error {
	e := v.vec.Env(slot)
	if e.Terminated() || e.Truncated() {
		if v.autoreset == vec.Disabled {
			return protocol.Errorf(protocol.CodeOver, "slot %d: the episode has ended; vec.reset_slots first", slot)
		}
		return nil
	}
	if _, ok := slices.BinarySearch(e.Legal(), a); ok {
		return nil
	}
	return protocol.Errorf(protocol.CodeIllegal, "slot %d: action %d is not legal there; no slot has moved", slot, a)
}

// show fills in what the client sees of all slots.
func (v *vector) show() *protocol.VecResult {
	v.fill(v.buffers, v.vec.Envs(), nil)
	return &v.result.VecResult
}

// showSome fills in what the slots show that the first rows of b are of.
func (v *vector) showSome(b *vec.Buffers, rows int) *protocol.VecReceived {
	v.fill(b, rows, b.Slots)
	v.result.Slots = b.Slots[:rows]
	return &v.result
}

// fill fills in what the first rows of the buffers show, which are of the slots that are
// given, nil for all. The large arrays are the buffers themselves, so the response must be
// sent before the next step.
func (v *vector) fill(b *vec.Buffers, rows int, slots []int32) {
	r := &v.result.VecResult
	r.Observations, r.Masks, r.Actors = b.Observations[:rows*v.size], b.Masks[:rows*v.actions], b.Actors[:rows]
	r.Rewards, r.Terminated, r.Truncated = b.Rewards[:rows*v.seats], b.Terminated[:rows], b.Truncated[:rows]
	v.forgetEnds()
	for row := range rows {
		slot := int32(row)
		if slots != nil {
			slot = slots[row]
		}
		v.noteEnd(b, row, slot)
	}
	v.stateFacts()
}

// forgetEnds forgets the episodes that the step before has ended.
func (v *vector) forgetEnds() {
	r := &v.result.VecResult
	r.Ended, r.Returns, r.Lengths = r.Ended[:0], r.Returns[:0], r.Lengths[:0]
	r.Final, r.FinalActors = r.Final[:0], r.FinalActors[:0]
}

// noteEnd adds the episode of a slot to those that have ended, if its row says so.
func (v *vector) noteEnd(b *vec.Buffers, row int, slot int32) {
	if b.Terminated[row]|b.Truncated[row] == 0 {
		return
	}
	r := &v.result.VecResult
	r.Ended = append(r.Ended, slot)
	r.Returns = append(r.Returns, b.Returns[row*v.seats:(row+1)*v.seats]...)
	r.Lengths = append(r.Lengths, b.Lengths[row])
	if v.autoreset == vec.SameStep {
		r.Final = append(r.Final, b.Final[row*v.size:(row+1)*v.size]...)
		r.FinalActors = append(r.FinalActors, b.FinalActors[row])
	}
}

func (c *conn) vecClose(_ context.Context, p *protocol.Vec) (any, error) {
	v, err := c.vectorOf(p.Vec)
	if err != nil {
		return nil, err
	}
	c.endVec(p.Vec, v)
	return &protocol.None{}, nil
}

// endVec closes a vec and gives back what it has taken.
func (c *conn) endVec(handle uint64, v *vector) {
	delete(c.vecs, handle)
	c.forget(handle)
	v.close()
	c.release(v.vec.Envs(), v.held)
	c.hold(-v.seated())
}
