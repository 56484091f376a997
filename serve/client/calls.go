package client

import (
	"context"

	"powderkeg/engine"
	"powderkeg/serve/protocol"
)

// Games lists the server's games.
func (c *Client) Games(ctx context.Context) ([]protocol.GameInfo, error) {
	var result protocol.Games
	err := c.Call(ctx, protocol.MethodGames, &protocol.None{}, &result)
	return result.Games, err
}

// Spec returns the facts of a configured game.
func (c *Client) Spec(ctx context.Context, game string) (*protocol.Spec, error) {
	var result protocol.Spec
	if err := c.Call(ctx, protocol.MethodSpec, &protocol.SpecParams{Game: game}, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Env is an environment on the server.
type Env struct {
	client *Client
	// Made is what the server said when it made the environment; Made.Step is what
	// it showed then.
	Made protocol.EnvMade
	step protocol.EnvStep // request, reused
}

// MakeEnv makes an environment and begins its first episode.
func (c *Client) MakeEnv(ctx context.Context, p *protocol.EnvMake) (*Env, error) {
	e := &Env{client: c}
	if err := c.Call(ctx, protocol.MethodEnvMake, p, &e.Made); err != nil {
		return nil, err
	}
	return e, nil
}

// Reset begins a new episode, by the seed, or where that is nil going on with
// the stream of chance events, and writes what is seen to step.
func (e *Env) Reset(ctx context.Context, seed *uint64, step *protocol.Step) error {
	return e.client.Call(ctx, protocol.MethodEnvReset, &protocol.EnvReset{Env: e.Made.Env, Seed: seed}, step)
}

// Step plays an action and writes what is then seen to step.
func (e *Env) Step(ctx context.Context, m protocol.Move, step *protocol.Step) error {
	e.step = protocol.EnvStep{Env: e.Made.Env, Action: m}
	return e.client.Call(ctx, protocol.MethodEnvStep, &e.step, step)
}

// Observe returns what a seat sees, whoever is to act [D].
func (e *Env) Observe(ctx context.Context, seat int64) ([]float32, error) {
	var result protocol.Observed
	err := e.client.Call(ctx, protocol.MethodEnvObserve, &protocol.EnvObserve{Env: e.Made.Env, Seat: seat}, &result)
	return result.Observation, err
}

// Text returns the situation in words as a seat may see it, nil for the one
// whose observations are shown.
func (e *Env) Text(ctx context.Context, seat *int64) (string, error) {
	var result protocol.Text
	err := e.client.Call(ctx, protocol.MethodEnvText, &protocol.EnvText{Env: e.Made.Env, Seat: seat}, &result)
	return result.Text, err
}

// Drawing returns the situation as an SVG, as a seat may see it, nil for the one whose
// observations are shown.
func (e *Env) Drawing(ctx context.Context, seat *int64) (string, error) {
	var result protocol.Drawing
	err := e.client.Call(ctx, protocol.MethodEnvDrawing, &protocol.EnvText{Env: e.Made.Env, Seat: seat}, &result)
	return result.SVG, err
}

// View returns the position as a seat may see it, nil for the one whose observations are
// shown.
func (e *Env) View(ctx context.Context, seat *int64) (*protocol.View, error) {
	var result protocol.View
	if err := e.client.Call(ctx, protocol.MethodEnvView, &protocol.EnvText{Env: e.Made.Env, Seat: seat}, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Legal returns what the actor is asked and what it may answer.
func (e *Env) Legal(ctx context.Context) (*protocol.Legal, error) {
	var result protocol.Legal
	if err := e.client.Call(ctx, protocol.MethodEnvLegal, &protocol.Env{Env: e.Made.Env}, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Position returns the full state, if the server shows it.
func (e *Env) Position(ctx context.Context) (*protocol.Position, error) {
	var result protocol.Position
	if err := e.client.Call(ctx, protocol.MethodEnvPosition, &protocol.Env{Env: e.Made.Env}, &result); err != nil {
		return nil, err
	}
	return &result, nil
}

// Close gives the environment up.
func (e *Env) Close(ctx context.Context) error {
	return e.client.Call(ctx, protocol.MethodEnvClose, &protocol.Env{Env: e.Made.Env}, &protocol.None{})
}

// Vec is a vectorised environment on the server.
type Vec struct {
	client *Client
	// Made is what the server said when it made the environment.
	Made protocol.VecMade
	step protocol.VecStep // request, reused
}

// MakeVec makes a vectorised environment. Reset comes before its first step.
func (c *Client) MakeVec(ctx context.Context, p *protocol.VecMake) (*Vec, error) {
	v := &Vec{client: c}
	if err := c.Call(ctx, protocol.MethodVecMake, p, &v.Made); err != nil {
		return nil, err
	}
	return v, nil
}

// Reset begins a new episode in every slot and writes what is seen to result.
func (v *Vec) Reset(ctx context.Context, seed uint64, result *protocol.VecResult) error {
	return v.client.Call(ctx, protocol.MethodVecReset, &protocol.VecReset{Vec: v.Made.Vec, Seed: &seed}, result)
}

// ResetSlots begins new episodes in some slots, with one seed each.
func (v *Vec) ResetSlots(ctx context.Context, slots []int32, seeds []uint64, result *protocol.VecResult) error {
	return v.client.Call(ctx, protocol.MethodVecResetSlots, &protocol.VecResetSlots{Vec: v.Made.Vec, Slots: slots, Seeds: seeds}, result)
}

// Step plays actions[i] in slot i and writes what is then seen to result.
func (v *Vec) Step(ctx context.Context, actions []engine.Action, result *protocol.VecResult) error {
	v.step = protocol.VecStep{Vec: v.Made.Vec, Actions: actions}
	return v.client.Call(ctx, protocol.MethodVecStep, &v.step, result)
}

// StepSlots plays actions[i] in slot slots[i], while the others stand still, and
// writes what these slots show to result.
func (v *Vec) StepSlots(ctx context.Context, slots []int32, actions []engine.Action, result *protocol.VecReceived) error {
	return v.client.Call(ctx, protocol.MethodVecStepSlots, &protocol.VecSend{Vec: v.Made.Vec, Slots: slots, Actions: actions}, result)
}

// Send plays actions[i] in slot slots[i] and does not wait for what they show. It
// returns the number of slots with an action under way.
func (v *Vec) Send(ctx context.Context, slots []int32, actions []engine.Action) (pending int, err error) {
	var sent protocol.VecSent
	err = v.client.Call(ctx, protocol.MethodVecSend, &protocol.VecSend{Vec: v.Made.Vec, Slots: slots, Actions: actions}, &sent)
	return int(sent.Pending), err
}

// Receive waits for the first n slots that are done and writes what they show to
// result.
func (v *Vec) Receive(ctx context.Context, n int, result *protocol.VecReceived) error {
	return v.client.Call(ctx, protocol.MethodVecRecv, &protocol.VecRecv{Vec: v.Made.Vec, Count: int64(n)}, result)
}

// Close gives the vectorised environment up.
func (v *Vec) Close(ctx context.Context) error {
	return v.client.Call(ctx, protocol.MethodVecClose, &protocol.Vec{Vec: v.Made.Vec}, &protocol.None{})
}

// Agent is an agent on the server.
type Agent struct {
	client *Client
	// Made is what the server said when it loaded the agent.
	Made  protocol.AgentLoaded
	act   protocol.Act // request, reused
	acted protocol.Acted
	batch protocol.ActBatch
	out   protocol.ActedBatch
}

// LoadAgent loads an agent.
func (c *Client) LoadAgent(ctx context.Context, p *protocol.AgentLoad) (*Agent, error) {
	a := &Agent{client: c}
	if err := c.Call(ctx, protocol.MethodAgentLoad, p, &a.Made); err != nil {
		return nil, err
	}
	return a, nil
}

// Act asks the agent to act for the seat to act in e. The environment does not
// move.
func (a *Agent) Act(ctx context.Context, e *Env) (engine.Action, error) {
	a.act = protocol.Act{Agent: a.Made.Agent, Env: e.Made.Env}
	err := a.client.Call(ctx, protocol.MethodAct, &a.act, &a.acted)
	return engine.Action(a.acted.Action), err
}

// ActBatch asks the agent to act on observations [n×D] and masks [n×A] and
// returns n actions, valid until the next call.
func (a *Agent) ActBatch(ctx context.Context, observations []float32, masks []uint8) ([]int32, error) {
	a.batch = protocol.ActBatch{Agent: a.Made.Agent, Observations: observations, Masks: masks}
	err := a.client.Call(ctx, protocol.MethodActBatch, &a.batch, &a.out)
	return a.out.Actions, err
}

// Evaluate returns what the network of the agent makes of observations [n×D]:
// logits [n×A] and values [n×P].
func (a *Agent) Evaluate(ctx context.Context, observations []float32) (*protocol.Evaluated, error) {
	result := &protocol.Evaluated{}
	err := a.client.Call(ctx, protocol.MethodAgentEvaluate, &protocol.AgentEvaluate{Agent: a.Made.Agent, Observations: observations}, result)
	return result, err
}

// Close gives the agent up.
func (a *Agent) Close(ctx context.Context) error {
	return a.client.Call(ctx, protocol.MethodAgentClose, &protocol.Agent{Agent: a.Made.Agent}, &protocol.None{})
}

// Dataset is a dataset that the server plays and the client reads.
type Dataset struct {
	client *Client
	// Opened is what the server said when it began.
	Opened protocol.DatasetOpened
}

// OpenDataset begins a dataset.
func (c *Client) OpenDataset(ctx context.Context, p *protocol.DatasetOpen) (*Dataset, error) {
	d := &Dataset{client: c}
	if err := c.Call(ctx, protocol.MethodDatasetOpen, p, &d.Opened); err != nil {
		return nil, err
	}
	return d, nil
}

// Next writes the rows that come next to result, at most so many, or for 0 as
// many as the server likes. After the last one result.Done is true.
func (d *Dataset) Next(ctx context.Context, rows int, result *protocol.DatasetRows) error {
	return d.client.Call(ctx, protocol.MethodDatasetNext, &protocol.DatasetNext{Dataset: d.Opened.Dataset, Rows: int64(rows)}, result)
}

// Close gives the dataset up.
func (d *Dataset) Close(ctx context.Context) error {
	return d.client.Call(ctx, protocol.MethodDatasetClose, &protocol.Dataset{Dataset: d.Opened.Dataset}, &protocol.None{})
}
