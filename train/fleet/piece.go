package fleet

import (
	"context"
	"fmt"

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
	take func(answer []byte) error
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
	var own *train.Actor // plays what is quarantined
	defer func() {
		if own != nil {
			own.Close()
		}
	}()
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
			take: func(answer []byte) error {
				part, err := unpackPart(answer, limits)
				if err != nil {
					return fmt.Errorf("%w: %w", train.ErrPart, err)
				}
				return take(n, part)
			},
			own: func(context.Context) error {
				if own == nil {
					c, err := l.config()
					if err != nil {
						return err
					}
					if own, err = train.NewActor(c); err != nil {
						return err
					}
				}
				part, err := own.Play(t, fetcher(weights))
				if err != nil {
					return err
				}
				return take(n, part)
			},
		}
	}
	return l.serve(ctx, pieces, weights)
}

// Do implements job.Hands.
func (l *Learner) Do(ctx context.Context, jobs []*job.Job, blobs map[job.Digest][]byte, take func(int, []byte) error) error {
	pieces := make([]piece, len(jobs))
	for n, j := range jobs {
		pieces[n] = piece{
			id: j.ID(), kind: kindJob, name: j.String(), message: j, most: maxMessage,
			take: func(answer []byte) error {
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
