package nn

import "powderkeg/checkpoints"

// Tensors returns the state of the optimiser for a checkpoint.
func (a *Adam) Tensors() []checkpoints.Tensor {
	return []checkpoints.Tensor{
		checkpoints.Int64s("steps", a.Steps),
		checkpoints.Float32s("first", a.First, len(a.First)),
		checkpoints.Float32s("second", a.Second, len(a.Second)),
	}
}

// Restore sets the state to that of a checkpoint for as many weights.
func (a *Adam) Restore(tensors []checkpoints.Tensor) error {
	t, err := checkpoints.Find(tensors, "steps")
	if err != nil {
		return err
	}
	steps, err := t.Int64s(1)
	if err != nil {
		return err
	}
	for name, dst := range map[string][]float32{"first": a.First, "second": a.Second} {
		if t, err = checkpoints.Find(tensors, name); err == nil {
			err = t.Float32s(dst, len(dst))
		}
		if err != nil {
			return err
		}
	}
	a.Steps = steps[0]
	return nil
}
