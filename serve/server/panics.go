package server

import (
	"errors"
	"fmt"
	"runtime/debug"

	"powderkeg/env"
	"powderkeg/serve/protocol"
)

// brokeDown cleans up after a request that has panicked: the environment or vec that it
// was about is given up and nothing else. It returns the error of the request.
func (c *conn) brokeDown(value any) error {
	fault := &env.Panic{Value: value, Stack: debug.Stack()}
	c.spoil(c.touched, fault)
	c.drop(c.touched, fault)
	return fault
}

// spoil makes the episode of an environment one that cannot go on. A reset begins from
// a start that is sound.
func (c *conn) spoil(handle uint64, fault *env.Panic) {
	if e := c.envs[handle]; e != nil {
		fault.Game, e.fault = e.env.Game().Spec().Text, fault
	}
}

// drop closes a vectorised environment.
func (c *conn) drop(handle uint64, fault *env.Panic) {
	v := c.vecs[handle]
	if v == nil {
		return
	}
	fault.Game = v.vec.Env(0).Game().Spec().Text
	c.endVec(handle, v)
}

// refusal is an error by which nothing has changed.
type refusal struct{ error }

// Unwrap returns the error.
func (r refusal) Unwrap() error { return r.error }

// vecFault is the error of a step of a vec. One whose engine broke down is closed; one
// whose agents have failed has to be reset; one that was refused goes on.
func (c *conn) vecFault(handle uint64, err error) error {
	var fault *env.Panic
	if errors.As(err, &fault) {
		c.drop(handle, fault)
		return fault
	}
	return c.vecs[handle].failed(err)
}

// failed notes why the episodes of a vec cannot go on, unless its step was only refused, and
// returns the error.
func (v *vector) failed(err error) error {
	switch err.(type) {
	case *protocol.Error, refusal:
		return err
	}
	if all, ok := err.(interface{ Unwrap() []error }); ok { // one per slot
		if list := all.Unwrap(); len(list) > 1 {
			err = fmt.Errorf("%w (and %d more)", list[0], len(list)-1)
		}
	}
	v.fault = err
	return err
}

// report logs an error that no handler has foreseen, with all that is needed to find
// its cause, and counts engines that broke down.
func (c *conn) report(err error) {
	var fault *env.Panic
	if !errors.As(err, &fault) {
		c.log.Error("request", "error", err)
		return
	}
	c.server.metrics.panics.Inc()
	c.log.Error("engine broke down", "game", fault.Game, "error", fmt.Sprint(fault.Value), "stack", string(fault.Stack))
}
