package rollout

import "powderkeg/env/memory"

// rowBytes is what the three slices of a kernel.Row take.
const rowBytes = 3 * 24

// EnvBytes is the most that a buffer takes for each environment, with the order of its samples:
// of observations without zeroes.
func (s Shape) EnvBytes() memory.Size {
	row := memory.Of(4, s.Inputs).Plus(rowBytes)
	seen := row.Plus(memory.Of(s.NumActions))
	if s.Others {
		seen = seen.Plus(row.Times(int64(s.Seats - 1)))
	}
	step := seen.Plus(memory.Of(4, s.NumActions), memory.Of(4*4, s.Seats), 28)
	return step.Times(int64(s.Steps) + 1)
}
