package thinking

import (
	"context"
	"crypto/rand"
	"runtime"
	"time"
)

// Pace is how long somebody has taken over the last choices. It belongs to one goroutine.
type Pace struct {
	recent [16]time.Duration
	n      int // choices so far
}

// Keep notes how long a choice that began at a moment took, or waits until a question with
// one answer has taken as long as one of the choices before.
func (p *Pace) Keep(ctx context.Context, begin time.Time, forced bool) error {
	if !forced {
		p.recent[p.n%len(p.recent)] = time.Since(begin)
		p.n++
		return nil
	}
	if p.n == 0 {
		return nil
	}
	var lot [1]byte
	if _, err := rand.Read(lot[:]); err != nil { // whoever watches must not guess the draw
		return err
	}
	return until(ctx, begin.Add(p.recent[int(lot[0])%min(p.n, len(p.recent))]))
}

// until waits for a moment. A sleep ends a tenth of a millisecond too late, which is more than
// a short thought varies.
func until(ctx context.Context, moment time.Time) error {
	if left := time.Until(moment); left >= time.Millisecond {
		select {
		case <-time.After(left):
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	for time.Now().Before(moment) {
		runtime.Gosched()
	}
	return nil
}
