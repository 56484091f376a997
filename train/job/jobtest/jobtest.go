// Package jobtest has hands for tests of those who give jobs away.
package jobtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"powderkeg/train/job"
)

// Hands do jobs in the process, in another order than they were given, and hand on several
// results at once.
type Hands struct {
	Kinds job.Kinds
	// Spoil, if not nil, changes each result before it is sent for the first time; it must be
	// refused then.
	Spoil func(result []byte) []byte
	// Jobs is how many there were in the last call.
	Jobs int
}

// Do implements job.Hands.
func (h *Hands) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	h.Jobs = len(jobs)
	ids := map[string]bool{}
	var group sync.WaitGroup
	failed := make([]error, len(jobs))
	for _, n := range rand.New(rand.NewPCG(1, 1)).Perm(len(jobs)) {
		if ids[jobs[n].ID()] {
			return fmt.Errorf("two jobs are called %s", jobs[n].ID())
		}
		ids[jobs[n].ID()] = true
		result, err := h.Kinds.Do(ctx, jobs[n], func(d job.Digest) ([]byte, error) { return blobs[d], nil })
		if err != nil {
			return err
		}
		if h.Spoil != nil {
			if err := take(n, h.Spoil(append([]byte{}, result...))); !errors.Is(err, job.ErrResult) {
				return fmt.Errorf("a result that was spoilt: error %v", err)
			}
		}
		group.Go(func() { failed[n] = take(n, result) })
	}
	group.Wait()
	return errors.Join(failed...)
}
