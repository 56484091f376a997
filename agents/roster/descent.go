package roster

import (
	"cmp"
	"fmt"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/search"
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// judgeRows is how many situations a network looks at together: enough that a row costs
// what it does in training, and few enough that a search by time ends in time.
const judgeRows = 128

// judge lets a network play the simulations of a search. It implements search.Judge.
type judge struct {
	brain   *learned.Brain
	batch   *learned.Batch
	inputs  int
	actions int
	obs     []float32 // [rows, inputs]
	seats   []engine.Player
	legal   [][]engine.Action
	adviser *learned.Adviser
	masks   []uint8   // [rows, actions]
	probs   []float32 // of a row
	// largest is the return that a network's value of 1 stands for.
	largest float32
	values  []float32 // by seat
	fault   error
}

func newJudge(g engine.Game, brain *learned.Brain) *judge {
	c, spec := brain.Network().Config(), g.Spec()
	return &judge{
		brain: brain, batch: brain.NewBatch(judgeRows, 1), inputs: c.Inputs, actions: c.Actions,
		obs: make([]float32, judgeRows*c.Inputs), seats: make([]engine.Player, judgeRows), legal: make([][]engine.Action, judgeRows),
		adviser: brain.NewAdviser(), masks: make([]uint8, judgeRows*c.Actions), probs: make([]float32, c.Actions),
		largest: max(-spec.MinReturn, spec.MaxReturn), values: make([]float32, spec.Seats),
	}
}

// Rows implements search.Judge.
func (j *judge) Rows() int { return judgeRows }

// Show implements search.Judge.
func (j *judge) Show(row int, view engine.View, seat engine.Player, legal []engine.Action) {
	j.brain.Encoder().Encode(j.obs[row*j.inputs:(row+1)*j.inputs], view, seat)
	j.seats[row], j.legal[row] = seat, append(j.legal[row][:0], legal...)
	mask := j.masks[row*j.actions : (row+1)*j.actions]
	clear(mask)
	for _, a := range legal {
		mask[a] = 1
	}
	j.adviser.Mark(mask, view, seat, legal)
}

// Look implements search.Judge.
func (j *judge) Look(rows int) {
	j.batch.Look(j.obs[:rows*j.inputs], rows)
	j.fault = cmp.Or(j.fault, j.batch.Err())
}

// Fault implements search.Failing.
func (j *judge) Fault() (err error) {
	err, j.fault = j.fault, nil
	return err
}

// Policy implements search.Judge.
func (j *judge) Policy(row int, dst []float32) {
	if j.fault != nil {
		for i := range j.legal[row] {
			dst[i] = 1 / float32(len(j.legal[row]))
		}
		return
	}
	logits, _ := j.batch.Found(row)
	mask := j.masks[row*j.actions : (row+1)*j.actions]
	j.brain.Network().Config().Advise(logits, mask)
	network.Softmax(j.probs, logits, mask)
	for i, a := range j.legal[row] {
		dst[i] = j.probs[a]
	}
}

// Values implements search.Judge. The network speaks from the side of the seat that acts,
// a search counts by seats.
func (j *judge) Values(row int) []float32 {
	if j.fault != nil {
		clear(j.values)
		return j.values
	}
	_, values := j.batch.Found(row)
	for k, v := range values {
		j.values[(int(j.seats[row])+k)%len(values)] = v * j.largest
	}
	return j.values
}

// descentConfig returns a maker of configs, which share the network alone.
func descentConfig(g engine.Game, v option.Values) (func() search.DescentConfig, error) {
	net := v.Text(netOption)
	if net == noNet {
		return nil, fmt.Errorf("%w: md: net is missing: a checkpoint's path or %sNAME", option.ErrUsage, zooPrefix)
	}
	brain, err := openBrain(g, net)
	if err != nil {
		return nil, err
	}
	return func() search.DescentConfig {
		return search.DescentConfig{
			Simulations: v.Int(simsOption), Time: v.Duration(timeOption), Depth: v.Int("depth"),
			Step: v.Float("eta"), Magnet: v.Float("alpha"), Judge: newJudge(g, brain),
		}
	}, nil
}

func makeDescent(g engine.Game, v option.Values) (agents.Agent, error) {
	config, err := descentConfig(g, v)
	if err != nil {
		return nil, err
	}
	a, err := search.NewDescent(g, config())
	if err != nil {
		return nil, option.Wrong(fmt.Errorf("md: %w", err))
	}
	return a, nil
}

func descentPolicies(g engine.Game, v option.Values) (func() agents.Policy, error) {
	config, err := descentConfig(g, v)
	if err != nil {
		return nil, err
	}
	if _, err := search.NewDescentPolicy(g, config()); err != nil {
		return nil, option.Wrong(fmt.Errorf("md: %w", err))
	}
	return func() agents.Policy {
		p, err := search.NewDescentPolicy(g, config())
		if err != nil {
			panic(err) // it could be made before
		}
		return p
	}, nil
}
