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
		p.Note(time.Since(begin))
		return nil
	}
	return until(ctx, begin.Add(p.Draw()))
}

// Note notes how long a choice took.
func (p *Pace) Note(took time.Duration) {
	p.recent[p.n%len(p.recent)] = took
	p.n++
}

// Draw returns how long one of the last choices took, 0 if there was none.
func (p *Pace) Draw() time.Duration {
	if p.n == 0 {
		return 0
	}
	var lot [1]byte
	rand.Read(lot[:]) // never fails; whoever watches must not guess the draw
	return p.recent[int(lot[0])%min(p.n, len(p.recent))]
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
