package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrLease is wrapped by the error of a learner that another has taken the run from.
var ErrLease = errors.New("another learner has the run")

// holder is who has the lease. The nonce tells a process from one before it, which had the
// same number on a machine of the same name.
type holder struct {
	ID    string `json:"id"`
	Host  string `json:"host"`
	Nonce string `json:"nonce"`
}

// lease is the right to be a run's learner. Its holder renews it; who waits for it takes it
// when it has not been renewed for patience, by the waiting clock, so that clocks need not
// agree. The broker lets one of several succeed, by the revision that they saw.
type lease struct {
	bucket   jetstream.KeyValue
	value    []byte
	revision uint64
}

// acquire waits until the lease is free and takes it. waiting is told once of its holder, away
// once of a broker that does not answer.
func acquire(ctx context.Context, bucket jetstream.KeyValue, own holder, waiting func(holder), away func(error)) (*lease, error) {
	value, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	l := &lease{bucket: bucket, value: value}
	var seen uint64
	var since time.Time
	for {
		held, err := l.take(ctx, seen, !since.IsZero() && time.Since(since) > patience)
		switch {
		case err == nil && held == nil:
			return l, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, jetstream.ErrKeyNotFound), errors.Is(err, jetstream.ErrKeyRevisionMismatch):
			// It was given back, or renewed, just now.
		case err != nil:
			// The holder could not renew either, and has as long as if it just had.
			since = time.Now()
			if away != nil {
				away(err)
				away = nil
			}
		case held.Revision() != seen:
			if seen == 0 {
				var other holder
				if json.Unmarshal(held.Value(), &other) == nil {
					waiting(other)
				}
			}
			seen, since = held.Revision(), time.Now()
		}
		pause(ctx, heartbeat/3)
	}
}

// take tries to take the lease: one that nobody has, that is the caller's since an answer was
// lost, or that is overdue at the revision seen. Otherwise it returns what is held.
func (l *lease) take(ctx context.Context, seen uint64, overdue bool) (held jetstream.KeyValueEntry, err error) {
	if l.revision, err = l.bucket.Create(ctx, learnerKey, l.value); !errors.Is(err, jetstream.ErrKeyExists) {
		return nil, err
	}
	if held, err = l.bucket.Get(ctx, learnerKey); err != nil {
		return nil, err
	}
	if bytes.Equal(held.Value(), l.value) {
		l.revision = held.Revision()
		return nil, nil
	}
	if overdue && held.Revision() == seen {
		l.revision, err = l.bucket.Update(ctx, learnerKey, l.value, seen)
		return nil, err
	}
	return held, nil
}

// renew says that the holder is still there. Where it was said before and the answer lost, or
// the broker has lost what was said last, the revision is another and the lease still the
// holder's, as its value tells.
func (l *lease) renew(ctx context.Context) error {
	revision, err := l.bucket.Update(ctx, learnerKey, l.value, l.revision)
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		revision, err = l.again(ctx)
	}
	if err == nil {
		l.revision = revision
	}
	return err
}

// again renews a lease that has another revision than the holder knows.
func (l *lease) again(ctx context.Context) (revision uint64, err error) {
	held, err := l.bucket.Get(ctx, learnerKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return l.bucket.Create(ctx, learnerKey, l.value)
	case err != nil:
		return 0, err
	case !bytes.Equal(held.Value(), l.value):
		return 0, ErrLease
	}
	return l.bucket.Update(ctx, learnerKey, l.value, held.Revision())
}

// release gives the lease back.
func (l *lease) release(ctx context.Context) error {
	return l.bucket.Delete(ctx, learnerKey, jetstream.LastRevision(l.revision))
}

// keep renews the lease until the learner ends, or another has it. Who cannot renew it for a
// while goes on trying: no update ends meanwhile (confirm), since another may lead.
func (l *Learner) keep() {
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
		}
		asked := time.Now()
		ctx, cancel := context.WithTimeout(l.ctx, patience)
		err := l.renew(ctx)
		cancel()
		switch {
		case err == nil:
			l.mu.Lock()
			l.confirmed = asked
			l.mu.Unlock()
		case errors.Is(err, ErrLease), errors.Is(err, nats.ErrConnectionClosed): // such as where the password is another now
			l.cancel(fmt.Errorf("fleet: run %s: %w", l.run, err))
			return
		}
	}
}

// renew renews the lease, also on a broker that has lost all that it knew of the run. (Or
// another learner has ended it: then there is nothing to be led, and the last checkpoint,
// which stands already, is not written a second time.)
func (l *Learner) renew(ctx context.Context) error {
	err := l.lease.renew(ctx)
	if err == nil && l.options.Passing { // or what workers are told lapses
		return l.announce(ctx)
	}
	if err == nil || errors.Is(err, ErrLease) {
		return err
	}
	if _, there := l.js.KeyValue(ctx, l.names.bucket()); !errors.Is(there, jetstream.ErrBucketNotFound) {
		return err
	}
	if _, err := l.js.CreateOrUpdateKeyValue(ctx, l.bucketConfig()); err != nil {
		return err
	}
	if err := l.lease.renew(ctx); err != nil {
		return err
	}
	return l.announce(ctx)
}

// bucketConfig is that of the run's bucket. That of a run that nobody goes on with is empty
// soon after its learner is gone, and workers go elsewhere.
func (l *Learner) bucketConfig() jetstream.KeyValueConfig {
	c := jetstream.KeyValueConfig{Bucket: l.names.bucket(), History: 1, Replicas: l.options.Replicas}
	if l.options.Passing {
		c.TTL = 2 * patience
	}
	return c
}

// confirm returns an error if the lease has not been renewed for so long that another may
// have it.
func (l *Learner) confirm() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if since := time.Since(l.confirmed); since > patience {
		return fmt.Errorf("the lease was renewed %v ago", since.Round(time.Millisecond))
	}
	return nil
}
