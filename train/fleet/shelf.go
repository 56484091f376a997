package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train/job"
)

// shelf holds the weights of a run, and what else tasks name, on the broker: a stream with a
// subject for each chunk. Unlike an object store it is read without a consumer, which a worker
// may not create: the broker would deliver to any subject that a consumer asks for, and so
// publish there what the worker itself may not.
type shelf struct {
	names names
	js    jetstream.JetStream
}

// abreast is how many chunks are under way at once.
const abreast = 4

func (s shelf) config(replicas int) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: s.names.weights(), Subjects: []string{s.names.weightSubject("*", "*")}, Storage: jetstream.MemoryStorage, AllowDirect: true,
		Replicas: replicas,
		// What lies there stays as it is.
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	}
}

func (s shelf) subject(d job.Digest, chunk int) string {
	return s.names.weightSubject(d.String(), strconv.Itoa(chunk))
}

// put puts data there.
func (s shelf) put(ctx context.Context, data []byte) error {
	d, of := job.DigestOf(data), max(1, (len(data)+chunkSize-1)/chunkSize)
	return each(of, func(n int) error {
		m := nats.NewMsg(s.subject(d, n))
		m.Data = data[n*chunkSize : min((n+1)*chunkSize, len(data))]
		m.Header.Set(headerChunk, fmt.Sprintf("%d/%d", n, of))
		_, err := s.js.PublishMsg(ctx, m)
		if full := (*jetstream.APIError)(nil); !errors.As(err, &full) || full.ErrorCode != storeFailed {
			return err
		}
		// The answer to an earlier try was lost, or somebody was faster with something else.
		stream, err := s.js.Stream(ctx, s.names.weights())
		if err == nil {
			err = stream.Purge(ctx, jetstream.WithPurgeSubject(m.Subject))
		}
		if err == nil {
			_, err = s.js.PublishMsg(ctx, m)
		}
		return err
	})
}

// storeFailed is the broker's code for a message that does not fit into its stream.
const storeFailed jetstream.ErrorCode = 10077

// get returns the data of a name. A link may be slow, lose packets or be cut for a while: what
// does not come is asked for again.
func (s shelf) get(ctx context.Context, d job.Digest) ([]byte, error) {
	var stream jetstream.Stream
	err := persist(ctx, func(ctx context.Context) (err error) {
		stream, err = s.js.Stream(ctx, s.names.weights())
		return err
	})
	if err != nil {
		return nil, err
	}
	first, err := chunk(ctx, stream, s.subject(d, 0))
	if err != nil {
		return nil, err
	}
	var number, of int
	if _, err := fmt.Sscanf(first.Header.Get(headerChunk), "%d/%d", &number, &of); err != nil || of < 1 || of > maxMessage/chunkSize {
		return nil, fmt.Errorf("%w: chunk %q", errMessage, first.Header.Get(headerChunk))
	}
	chunks := make([][]byte, of)
	chunks[0] = first.Data
	err = each(of-1, func(n int) error {
		m, err := chunk(ctx, stream, s.subject(d, n+1))
		if err == nil {
			chunks[n+1] = m.Data
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	data := bytes.Join(chunks, nil)
	if job.DigestOf(data) != d {
		return nil, fmt.Errorf("%w: it is not what its name says", errMessage)
	}
	return data, nil
}

func chunk(ctx context.Context, stream jetstream.Stream, subject string) (m *jetstream.RawStreamMsg, err error) {
	err = persist(ctx, func(ctx context.Context) error {
		m, err = stream.GetLastMsgForSubject(ctx, subject)
		return err
	})
	return m, err
}

// persist asks the broker for something, with more time for each try, until it answers. One that
// says at once that it cannot just now gets the rest of the time, too.
func persist(ctx context.Context, ask func(context.Context) error) (err error) {
	for wait := patience / 2; wait < longFetch; wait *= 2 {
		asking, cancel := context.WithTimeout(ctx, wait)
		err = ask(asking)
		if err != nil && !missing(err) && !refused(err) {
			<-asking.Done()
		}
		cancel()
		if err == nil || missing(err) || refused(err) || ctx.Err() != nil {
			break
		}
	}
	return err
}

// longFetch bounds how long an answer is waited for.
const longFetch = 2 * time.Minute

// has reports whether data of so many bytes is there, as far as its ends tell.
func (s shelf) has(ctx context.Context, d job.Digest, size int) (bool, error) {
	stream, err := s.js.Stream(ctx, s.names.weights())
	for _, n := range []int{0, max(0, (size-1)/chunkSize)} {
		if err == nil {
			_, err = stream.GetLastMsgForSubject(ctx, s.subject(d, n))
		}
	}
	if missing(err) {
		return false, nil
	}
	return err == nil, err
}

// remove takes data away.
func (s shelf) remove(ctx context.Context, d job.Digest) error {
	stream, err := s.js.Stream(ctx, s.names.weights())
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(s.names.weightSubject(d.String(), "*")))
	}
	return unlessMissing(err)
}

// each calls do for the numbers below n, some at once, until one of the calls fails.
func each(n int, do func(int) error) error {
	var next, failed atomic.Int64
	errs := make([]error, min(n, abreast))
	var group sync.WaitGroup
	for at := range errs {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && failed.Load() == 0; i = int(next.Add(1)) - 1 {
				if errs[at] = do(i); errs[at] != nil {
					failed.Store(1)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
