package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train"
	"powderkeg/train/job"
)

// Options are what a learner needs.
type Options struct {
	// Run names the run on the broker (RunName).
	Run string
	// Announcement is what workers are told.
	Announcement Announcement
	// Quarantine is the directory for tasks that nobody has played in so many tries.
	Quarantine string
	// Bans is a file of whom the run has banned, for the learners after this one; none if empty.
	// The broker has bans for workers to read, and not for certain: it may come back empty, or
	// somebody may write over them.
	Bans string
	// Kinds are those of the jobs that may be handed out.
	Kinds job.Kinds
	// Passing: nobody goes on with the run where this process leaves off. What is on the broker
	// lapses when it is gone.
	Passing bool
	// Replicas is how many nodes of a cluster keep what the run has there, 0 for one.
	Replicas int
	// Sample is the share of the parts whose probabilities and values are checked, beside the
	// first part of every worker (Sample, the constant, in use).
	Sample float64
	// Tell is told of what a user should know. It may be called by any goroutine.
	Tell func(format string, args ...any)
}

// Sample is the share of the parts that a learner checks for whether the weights say what the
// worker says that they do. To check a part takes as long as to play it.
const Sample = 1.0 / 64

// Counts say what has gone through a learner.
type Counts struct {
	Tasks       int64 `json:"tasks"`        // that were handed out
	Taken       int64 `json:"taken"`        // parts that were learned from
	Duplicates  int64 `json:"duplicates"`   // parts of tasks that were not waited for any more
	Refused     int64 `json:"refused"`      // parts that were not what was played
	HandedAgain int64 `json:"handed_again"` // tasks that the broker has lost
	Redelivered int64 `json:"redelivered"`  // tasks whose worker was lost
	Quarantined int64 `json:"quarantined"`
	Rescued     int64 `json:"rescued"` // tasks that somebody has taken and not answered, and the learner played
	Bytes       int64 `json:"bytes"`   // of the parts, as they came
}

// Learner is the side of a fleet that learns. It implements train.Crew, and job.Hands for
// what else is to be done: one call of Play or Do is served at a time, others wait.
type Learner struct {
	names
	busy    sync.Mutex // held by Play and Do
	options Options
	// announcement is that of the options as it is sent.
	announcement []byte
	ctx          context.Context // of everything that it does; Close ends it
	cancel       context.CancelCauseFunc
	conn         *nats.Conn
	js           jetstream.JetStream
	bucket       jetstream.KeyValue
	shelf        shelf
	lease        *lease
	name         string                // tells the messages of this learner from those of one before
	known        map[train.Digest]bool // weights at the broker
	joined       map[string]*parcel    // parts under way, by copy
	held         int                   // bytes in joined
	longest      time.Duration         // between parts that came
	refused      map[string]int        // by worker
	config       func() (train.Config, error)
	shape        func() (train.PartShape, error) // of the run's parts
	group        sync.WaitGroup

	mu        sync.Mutex
	lots      *mathrand.Rand    // say which parts are checked
	met       map[string]bool   // workers of whom a part has been checked
	banned    map[string]string // what they are told, by worker
	counts    Counts
	confirmed time.Time // when the lease was last known to be the learner's
}

// Lead makes the run known on a broker, and its caller the learner: where another is, it
// waits until that one gives the run back or is gone, as a spare.
func Lead(ctx context.Context, conn *nats.Conn, o Options) (*Learner, error) {
	l := &Learner{
		names: names{o.Run}, options: o, conn: conn, name: rand.Text(),
		known: map[train.Digest]bool{}, joined: map[string]*parcel{}, refused: map[string]int{}, met: map[string]bool{}, banned: map[string]string{},
	}
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails
	l.lots = mathrand.New(mathrand.NewChaCha8(seed))
	l.config = sync.OnceValues(func() (train.Config, error) { return train.ParseConfig([]byte(o.Announcement.Config)) })
	l.shape = sync.OnceValues(func() (train.PartShape, error) {
		c, err := l.config()
		if err != nil {
			return train.PartShape{}, err
		}
		return c.PartShape()
	})
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	if err := l.begin(); err != nil {
		l.cancel(nil)
		l.group.Wait()
		return nil, fmt.Errorf("fleet: %w", err)
	}
	return l, nil
}

// begin returns when the run is the learner's and workers know of it.
func (l *Learner) begin() (err error) {
	if l.js, err = jetstream.New(l.conn); err != nil {
		return err
	}
	if l.announcement, err = json.Marshal(l.options.Announcement); err != nil {
		return err
	}
	l.shelf = shelf{l.names, l.js}
	if l.bucket, err = l.first(); err != nil {
		return err
	}
	host, _ := os.Hostname() // a machine without a name has none
	a := acquirer{
		own: holder{ID: fmt.Sprintf("%s-%d", host, os.Getpid()), Host: host, Nonce: l.name}, js: l.js, open: l.open, closed: l.conn.IsClosed,
		waiting: func(other holder) { l.options.Tell("run %s has a learner, %s; waiting to take over", l.run, other.ID) }, away: l.away,
	}
	if l.lease, err = a.acquire(l.ctx, l.bucket); err != nil {
		return fmt.Errorf("lease: %w", err)
	}
	l.bucket = l.lease.bucket
	l.confirmed = time.Now()
	l.group.Go(l.keep)
	if err := l.readBans(); err != nil { // now: who waited as a spare is told what the learner before it knew
		return err
	}
	return insist(l.ctx, l.away, func() error {
		if err := l.furnish(); err != nil {
			return err
		}
		if err := l.recall(l.ctx); err != nil {
			return err
		}
		return l.announce(l.ctx)
	}, nil)
}

// first opens the run's bucket for the first time. A broker that does not answer, or cannot
// serve anybody just now, is asked again; that it refuses is final.
func (l *Learner) first() (bucket jetstream.KeyValue, err error) {
	for told := false; ; told = true {
		ctx, cancel := context.WithTimeout(l.ctx, patience)
		err = whileAllowed(ctx, l.conn, func(ctx context.Context) (err error) {
			bucket, err = l.open(ctx)
			return err
		})
		cancel()
		switch {
		case err == nil:
			return bucket, nil
		case denied(l.conn):
			return nil, fmt.Errorf(
				"%w: this user may only work, or look on; to lead takes a learner's credential (powderkeg cluster user NAME --role learner)", ErrAccess)
		case l.ctx.Err() != nil:
			return nil, context.Cause(l.ctx)
		case l.conn.IsClosed() || refused(err):
			return nil, err
		case !told:
			l.away(err)
		}
		pause(l.ctx, heartbeat/3)
	}
}

// open opens the run's bucket, which it creates if there is none.
func (l *Learner) open(ctx context.Context) (jetstream.KeyValue, error) {
	return l.js.CreateOrUpdateKeyValue(ctx, l.bucketConfig())
}

// insist does what needs the broker until it succeeds, or ctx ends: a broker that is restarted
// comes back. away is told of the first error; what the broker has forgotten is made anew by
// restore, if there is one.
func insist(ctx context.Context, away func(error), do func() error, restore func() error) error {
	for first := true; ; first = false {
		err := do()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if first {
			away(err)
		}
		if missing(err) && restore != nil {
			_ = restore() // or it is done the next time
		}
		pause(ctx, heartbeat/10)
	}
}

func (l *Learner) away(err error) { l.options.Tell("the broker does not answer: %v; waiting", err) }

// furnish makes what is in memory at the broker, which may have been restarted.
func (l *Learner) furnish() (err error) {
	for _, s := range []jetstream.StreamConfig{
		{Name: l.tasks(), Subjects: []string{l.taskSubject()}},
		{Name: l.parts(), Subjects: []string{l.partSubject("*")}, MaxBytes: maxHeld},
	} {
		s.Retention, s.Storage, s.Discard, s.Duplicates, s.Replicas = jetstream.WorkQueuePolicy, jetstream.MemoryStorage, jetstream.DiscardNew, time.Minute,
			l.options.Replicas
		stream, err := l.js.CreateOrUpdateStream(l.ctx, s)
		if err != nil {
			return err
		}
		c := jetstream.ConsumerConfig{Durable: learnerQueue, AckPolicy: jetstream.AckExplicitPolicy, AckWait: patience, MaxAckPending: 1 << 16}
		if s.Name == l.tasks() {
			c.Durable, c.AckWait, c.MaxDeliver = workersQueue, overdue, maxDeliveries
		}
		if _, err := stream.CreateOrUpdateConsumer(l.ctx, c); err != nil {
			return err
		}
	}
	if _, err := l.js.CreateOrUpdateStream(l.ctx, jetstream.StreamConfig{
		Name: l.workers(), Subjects: []string{l.reportSubject("*", "*")}, MaxMsgsPerSubject: 1, MaxAge: patience,
		MaxBytes: maxReports, MaxMsgSize: maxReport,
		Storage: jetstream.MemoryStorage, Replicas: l.options.Replicas, // not AllowDirect: workers may not read each other's
	}); err != nil {
		return err
	}
	_, err = l.js.CreateOrUpdateStream(l.ctx, l.shelf.config(l.options.Replicas))
	return err
}

// Counts returns what has gone through so far.
func (l *Learner) Counts() Counts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}

func (l *Learner) count(change func(*Counts)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&l.counts)
}

// Close gives the run back. Workers wait for it to go on; with over they are told that it is
// done, and nothing of it stays on the broker.
func (l *Learner) Close(over bool) error {
	l.cancel(context.Canceled)
	l.group.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if !over {
		return unlessMissing(l.lease.release(ctx))
	}
	return errors.Join(
		unlessMissing(l.js.DeleteStream(ctx, l.tasks())), unlessMissing(l.js.DeleteStream(ctx, l.parts())),
		unlessMissing(l.js.DeleteStream(ctx, l.names.weights())), unlessMissing(l.js.DeleteStream(ctx, l.workers())),
		unlessMissing(l.js.DeleteKeyValue(ctx, l.names.bucket())))
}

// unlessMissing is the error of taking something from the broker, nil if it was not there.
func unlessMissing(err error) error {
	if missing(err) {
		return nil
	}
	return err
}
