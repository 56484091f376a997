package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
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

// holderOf reads who has the lease, nobody where no learner has written it.
func holderOf(value []byte) (h holder) {
	if json.Unmarshal(value, &h) != nil {
		return holder{}
	}
	return h
}

// lease is the right to be a run's learner. Its holder renews it; who waits for it takes it
// when it has not been renewed for patience, by the waiting clock, so that clocks need not
// agree. The broker lets one of several succeed, by the revision that they saw.
type lease struct {
	js       jetstream.JetStream
	bucket   jetstream.KeyValue
	value    []byte
	revision uint64
}

// acquirer waits for a lease.
type acquirer struct {
	own holder
	js  jetstream.JetStream
	// open returns the run's bucket, and creates it if there is none.
	open func(context.Context) (jetstream.KeyValue, error)
	// closed reports whether the broker can't be reached any more.
	closed func() bool
	// waiting is told once of the holder, away once of a broker that does not answer.
	waiting func(holder)
	away    func(error)
}

// acquire waits until the lease of a bucket is free and takes it. A broker that has lost the
// bucket gets a new one, but not before the holder has had the time to bring it back: it may
// be alive.
func (a *acquirer) acquire(ctx context.Context, bucket jetstream.KeyValue) (*lease, error) {
	value, err := json.Marshal(a.own)
	if err != nil {
		return nil, err
	}
	l := &lease{js: a.js, bucket: bucket, value: value}
	var seen uint64
	var since, lost time.Time // when seen was first seen, and when the bucket was first missing
	for {
		held, err := l.take(ctx, seen, !since.IsZero() && time.Since(since) > patience)
		switch {
		case err == nil && held == nil:
			return l, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && a.closed():
			return nil, err
		case errors.Is(err, jetstream.ErrKeyRevisionMismatch):
			lost = time.Time{} // it was given back, or renewed, just now
		case err != nil:
			// The holder could not renew either, and has as long as if it just had.
			since = time.Now()
			if lost.IsZero() && missing(err) {
				lost = since
			}
			a.tellAway(err)
			if !lost.IsZero() && time.Since(lost) > patience {
				if bucket, err := a.open(ctx); err == nil {
					l.bucket, seen, lost = bucket, 0, time.Time{} // a new bucket counts from 1 again
				}
			}
		case held.revision != seen || !lost.IsZero():
			if seen == 0 {
				a.waiting(holderOf(held.value))
			}
			seen, since, lost = held.revision, time.Now(), time.Time{}
		}
		pause(ctx, heartbeat/3)
	}
}

func (a *acquirer) tellAway(err error) {
	if a.away != nil {
		a.away(err)
		a.away = nil
	}
}

// take tries to take the lease: one that nobody has, that is the caller's since an answer was
// lost, or that is overdue at the revision seen. Otherwise it returns what is held.
func (l *lease) take(ctx context.Context, seen uint64, overdue bool) (held *entry, err error) {
	now, err := l.look(ctx)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(now.value, l.value) {
		l.revision = now.revision
		return nil, nil
	}
	if holderOf(now.value).Nonce != "" && !(overdue && now.revision == seen) {
		return &now, nil
	}
	l.revision, err = l.bucket.Update(ctx, learnerKey, l.value, now.revision)
	return nil, err
}

// entry is what the bucket has under the lease's key: the value is empty and the revision 0 where
// it never had anything, the value alone where it was deleted.
type entry struct {
	value    []byte
	revision uint64
}

// look returns the lease's entry. It does not ask the bucket, which reads the revision from the
// first header of that name. The broker's is the last: the entry has one of its own where somebody
// let the broker copy an answer there.
func (l *lease) look(ctx context.Context) (entry, error) {
	stream, err := l.js.Stream(ctx, "KV_"+l.bucket.Bucket())
	if err != nil {
		return entry{}, err
	}
	m, err := stream.GetLastMsgForSubject(ctx, "$KV."+l.bucket.Bucket()+"."+learnerKey)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return entry{}, nil
	case err != nil:
		return entry{}, err
	}
	e := entry{m.Data, m.Sequence}
	if told := m.Header.Values(jetstream.SequenceHeader); len(told) > 0 {
		if e.revision, err = strconv.ParseUint(told[len(told)-1], 10, 64); err != nil {
			return entry{}, fmt.Errorf("the revision of the lease: %w", err)
		}
	}
	return e, nil
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
	now, err := l.look(ctx)
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(now.value, l.value) && holderOf(now.value).Nonce != "" {
		return 0, ErrLease
	}
	return l.bucket.Update(ctx, learnerKey, l.value, now.revision)
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
// another learner has ended the run: then this one goes on alone from where it is, to the same
// end.)
func (l *Learner) renew(ctx context.Context) error {
	err := l.lease.renew(ctx)
	if err != nil && !errors.Is(err, ErrLease) {
		if _, there := l.js.KeyValue(ctx, l.names.bucket()); !errors.Is(there, jetstream.ErrBucketNotFound) {
			return err
		}
		if _, err := l.open(ctx); err != nil {
			return err
		}
		err = l.lease.renew(ctx)
	}
	if err != nil {
		return err
	}
	// The bucket may be one that a spare has created, or this learner before it was cut off, and
	// somebody may have written over what workers are told, which lapses in a passing run.
	entry, err := l.bucket.Get(ctx, runKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) || err == nil && !bytes.Equal(entry.Value(), l.announcement) || l.options.Passing {
		return l.announce(ctx)
	}
	return nil
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
