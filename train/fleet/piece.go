package fleet

import (
	"context"
	"fmt"
	"sync"

	"powderkeg/train"
	"powderkeg/train/job"
)

// piece is something to hand out: a task of a rollout, or a job.
type piece struct {
	id, kind string
	name     string // for people
	hint     string // at what to do where it is too large
	message  any    // to a worker
	most     int    // bytes of the answer
	// take takes what a worker has answered, own does the piece here and takes that.
	take func(worker string, answer []byte) error
	own  func(ctx context.Context) error
}

// fetcher finds what tasks or jobs name.
func fetcher(blobs map[job.Digest][]byte) func(job.Digest) ([]byte, error) {
	return func(d job.Digest) ([]byte, error) {
		if data, there := blobs[d]; there {
			return data, nil
		}
		return nil, fmt.Errorf("nothing is called %v", d)
	}
}

func taskID(t *train.Task) string { return fmt.Sprintf("%d.%d", t.Update, t.From) }

// Play implements train.Crew.
func (l *Learner) Play(ctx context.Context, tasks []*train.Task, weights map[train.Digest][]byte, take func(int, *train.Part) error) error {
	own := &inspector{config: l.config}
	defer own.close()
	shape, err := l.shape()
	if err != nil {
		return err
	}
	pieces := make([]piece, len(tasks))
	for n, t := range tasks {
		id := taskID(t)
		limits, most := partLimits(shape, t.To-t.From)
		pieces[n] = piece{
			id: id, kind: kindRollout, name: "task " + id, hint: "; more shards make smaller tasks", message: t, most: most,
			take: func(worker string, answer []byte) error {
				part, err := unpackPart(answer, limits)
				if err != nil {
					return fmt.Errorf("%w: %w", train.ErrPart, err)
				}
				if l.sampled(worker) {
					if err := own.check(t, part, fetcher(weights)); err != nil {
						return err
					}
				}
				return take(n, part)
			},
			own: func(context.Context) error {
				part, err := own.play(t, fetcher(weights))
				if err != nil {
					return err
				}
				return take(n, part)
			},
		}
	}
	return l.serve(ctx, pieces, weights)
}

// inspector plays what is quarantined, and checks samples of what others have played. One
// goroutine uses its actor at a time.
type inspector struct {
	config func() (train.Config, error)
	mu     sync.Mutex
	actor  *train.Actor // nil until it is needed
}

func (i *inspector) play(t *train.Task, fetch func(job.Digest) ([]byte, error)) (part *train.Part, err error) {
	err = i.use(func(a *train.Actor) error {
		part, err = a.Play(t, fetch)
		return err
	})
	return part, err
}

func (i *inspector) check(t *train.Task, part *train.Part, fetch func(job.Digest) ([]byte, error)) error {
	return i.use(func(a *train.Actor) error { return a.Check(t, part, fetch) })
}

func (i *inspector) use(f func(*train.Actor) error) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.actor == nil {
		c, err := i.config()
		if err != nil {
			return err
		}
		if i.actor, err = train.NewActor(c); err != nil {
			return err
		}
	}
	return f(i.actor)
}

func (i *inspector) close() {
	if i.actor != nil {
		i.actor.Close()
	}
}

// sampled reports whether the next part of a worker is checked: its first one is, and others at
// random. The lots are drawn here and now, since a liar knows the seed of the run; nothing that
// is learned depends on them.
func (l *Learner) sampled(worker string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.met[worker] {
		l.met[worker] = true
		return true
	}
	return l.options.Sample > 0 && l.lots.Float64() < l.options.Sample
}

// Do implements job.Hands.
func (l *Learner) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	pieces := make([]piece, len(jobs))
	for n, j := range jobs {
		pieces[n] = piece{
			id: j.ID(), kind: kindJob, name: j.String(), message: j, most: maxMessage,
			take: func(_ string, answer []byte) error {
				var result []byte
				if err := unpack(answer, &result, resultBounds); err != nil {
					return fmt.Errorf("%w: %w", job.ErrResult, err)
				}
				return take(n, result)
			},
			own: func(ctx context.Context) error {
				result, err := l.options.Kinds.Do(ctx, j, fetcher(blobs))
				if err != nil {
					return err
				}
				return take(n, result)
			},
		}
	}
	return l.serve(ctx, pieces, blobs)
}

var (
	_ train.Crew = (*Learner)(nil)
	_ job.Hands  = (*Learner)(nil)
)
