package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrLease is wrapped by the error of a learner that another has taken the run from.
var ErrLease = errors.New("another learner has the run")

// holder is who has the lease.
type holder struct {
	ID   string `json:"id"`
	Host string `json:"host"`
}

// lease is the right to be a run's learner. Its holder renews it; who waits for it takes it
// when it has not been renewed for patience, by the waiting clock, so that clocks need not
// agree. The broker lets one of several succeed, by the revision that they saw.
type lease struct {
	bucket   jetstream.KeyValue
	value    []byte
	revision uint64
}

// acquire waits until the lease is free and takes it. waiting is told once of its holder.
func acquire(ctx context.Context, bucket jetstream.KeyValue, own holder, waiting func(holder)) (*lease, error) {
	value, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	l := &lease{bucket: bucket, value: value}
	var seen uint64
	var since time.Time
	for {
		if l.revision, err = bucket.Create(ctx, learnerKey, value); err == nil {
			return l, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return nil, fmt.Errorf("lease: %w", err)
		}
		held, err := bucket.Get(ctx, learnerKey)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			continue // it was given back just now
		case err != nil:
			return nil, fmt.Errorf("lease: %w", err)
		case held.Revision() != seen:
			if seen == 0 {
				var other holder
				if json.Unmarshal(held.Value(), &other) == nil {
					waiting(other)
				}
			}
			seen, since = held.Revision(), time.Now()
		case time.Since(since) > patience:
			if l.revision, err = bucket.Update(ctx, learnerKey, value, seen); err == nil {
				return l, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(heartbeat / 3):
		}
	}
}

// renew says that the holder is still there.
func (l *lease) renew(ctx context.Context) error {
	revision, err := l.bucket.Update(ctx, learnerKey, l.value, l.revision)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return ErrLease
	}
	if err == nil {
		l.revision = revision
	}
	return err
}

// release gives the lease back.
func (l *lease) release(ctx context.Context) error {
	return l.bucket.Delete(ctx, learnerKey, jetstream.LastRevision(l.revision))
}
