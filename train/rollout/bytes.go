package rollout

import "powderkeg/env/memory"

// EnvBytes is what a buffer takes for each environment, with the order of its samples.
func (s Shape) EnvBytes() memory.Size {
	seen := memory.Of(4, s.Inputs).Plus(memory.Of(s.NumActions))
	if s.Others {
		seen = seen.Plus(memory.Of(4, s.Seats-1, s.Inputs))
	}
	step := seen.Plus(memory.Of(4, s.NumActions), memory.Of(4*4, s.Seats), 28)
	return step.Times(int64(s.Steps) + 1)
}
