package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/checkpoints/durable"
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
	// Kinds are those of the jobs that may be handed out.
	Kinds job.Kinds
	// Passing: nobody goes on with the run where this process leaves off. What is on the broker
	// lapses when it is gone.
	Passing bool
	// Replicas is how many nodes of a cluster keep what the run has there, 0 for one.
	Replicas int
	// Tell is told of what a user should know. It may be called by any goroutine.
	Tell func(format string, args ...any)
}

// Counts say what has gone through a learner.
type Counts struct {
	Tasks       int64 `json:"tasks"`        // that were handed out
	Taken       int64 `json:"taken"`        // parts that were learned from
	Duplicates  int64 `json:"duplicates"`   // parts of tasks that were not waited for any more
	Refused     int64 `json:"refused"`      // parts that were not what was played
	HandedAgain int64 `json:"handed_again"` // tasks that the broker has lost
	Redelivered int64 `json:"redelivered"`  // tasks whose worker was lost
	Quarantined int64 `json:"quarantined"`
	Bytes       int64 `json:"bytes"` // of the parts, as they came
}

// Learner is the side of a fleet that learns. It implements train.Crew, and job.Hands for
// what else is to be done: one call of Play or Do is served at a time, others wait.
type Learner struct {
	names
	busy    sync.Mutex // held by Play and Do
	options Options
	ctx     context.Context // of everything that it does; Close ends it
	cancel  context.CancelCauseFunc
	conn    *nats.Conn
	js      jetstream.JetStream
	bucket  jetstream.KeyValue
	weights jetstream.ObjectStore
	lease   *lease
	name    string                // tells the messages of this learner from those of one before
	known   map[train.Digest]bool // weights at the broker
	joined  map[string]*parcel    // parts under way, by copy
	held    int                   // bytes in joined
	refused map[string]int        // by worker
	banned  map[string]bool
	group   sync.WaitGroup

	mu        sync.Mutex
	counts    Counts
	confirmed time.Time // when the lease was last known to be the learner's
}

// parcel is a part of which messages are still missing.
type parcel struct {
	task, worker string
	chunks       [][]byte
	missing      int
}

// Lead makes the run known on a broker, and its caller the learner: where another is, it
// waits until that one gives the run back or is gone, as a spare.
func Lead(ctx context.Context, conn *nats.Conn, o Options) (*Learner, error) {
	l := &Learner{
		names: names{o.Run}, options: o, conn: conn, name: rand.Text(),
		known: map[train.Digest]bool{}, joined: map[string]*parcel{}, refused: map[string]int{}, banned: map[string]bool{},
	}
	l.ctx, l.cancel = context.WithCancelCause(ctx)
	err := l.begin()
	if err != nil {
		l.cancel(nil)
		return nil, fmt.Errorf("fleet: %w", err)
	}
	l.group.Go(l.keep)
	return l, nil
}

func (l *Learner) begin() (err error) {
	if l.js, err = jetstream.New(l.conn); err != nil {
		return err
	}
	if l.bucket, err = l.js.CreateOrUpdateKeyValue(l.ctx, l.bucketConfig()); err != nil {
		return err
	}
	host, _ := os.Hostname() // a machine without a name has none
	own := holder{ID: fmt.Sprintf("%s-%d", host, os.Getpid()), Host: host, Nonce: l.name}
	if l.lease, err = acquire(l.ctx, l.bucket, own, func(other holder) {
		l.options.Tell("run %s has a learner, %s; waiting to take over", l.run, other.ID)
	}, l.away); err != nil {
		return fmt.Errorf("lease: %w", err)
	}
	l.confirmed = time.Now()
	if err := l.furnish(); err != nil {
		return err
	}
	return l.announce(l.ctx)
}

// announce tells workers of the run.
func (l *Learner) announce(ctx context.Context) error {
	text, err := json.Marshal(l.options.Announcement)
	if err != nil {
		return err
	}
	_, err = l.bucket.Put(ctx, runKey, text)
	return err
}

func (l *Learner) away(err error) { l.options.Tell("the broker does not answer: %v; waiting", err) }

// furnish makes what is in memory at the broker, which may have been restarted.
func (l *Learner) furnish() (err error) {
	for _, s := range []jetstream.StreamConfig{
		{Name: l.tasks(), Subjects: []string{l.taskSubject()}},
		{Name: l.parts(), Subjects: []string{l.partSubject()}, MaxBytes: maxHeld},
	} {
		s.Retention, s.Storage, s.Discard, s.Duplicates, s.Replicas = jetstream.WorkQueuePolicy, jetstream.MemoryStorage, jetstream.DiscardNew, time.Minute, l.options.Replicas
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
	if _, err := l.js.CreateOrUpdateKeyValue(l.ctx, jetstream.KeyValueConfig{
		Bucket: l.workers(), History: 1, TTL: patience, Storage: jetstream.MemoryStorage, Replicas: l.options.Replicas,
	}); err != nil {
		return err
	}
	l.weights, err = l.js.CreateOrUpdateObjectStore(l.ctx, jetstream.ObjectStoreConfig{Bucket: l.names.bucket(), Storage: jetstream.MemoryStorage, Replicas: l.options.Replicas})
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
		return l.lease.release(ctx)
	}
	return errors.Join(
		l.js.DeleteStream(ctx, l.tasks()), l.js.DeleteStream(ctx, l.parts()), l.js.DeleteObjectStore(ctx, l.names.bucket()),
		l.js.DeleteKeyValue(ctx, l.workers()), l.js.DeleteKeyValue(ctx, l.names.bucket()))
}

// play is one call of Play.
type play struct {
	*Learner
	ctx     context.Context
	pieces  []piece
	waiting map[string]int // tasks without a part, by id
	tries   map[string]int
	at      map[uint64]string       // tasks by their sequence in the stream
	needed  map[train.Digest][]byte // weights that the tasks name
	heard   time.Time               // when a message last came
	trying  map[string]bool         // tasks of which a part is being played again
	tried   chan outcome
}

// serve has pieces done.
func (l *Learner) serve(ctx context.Context, pieces []piece, needed map[train.Digest][]byte) error {
	l.busy.Lock()
	defer l.busy.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.ctx, func() { cancel(context.Cause(l.ctx)) })()
	p := &play{
		Learner: l, ctx: ctx, pieces: pieces, waiting: map[string]int{}, tries: map[string]int{}, at: map[uint64]string{}, heard: time.Now(),
		trying: map[string]bool{}, tried: make(chan outcome), needed: needed,
	}
	clear(l.joined)
	l.held = 0
	for n := range pieces {
		p.waiting[pieces[n].id] = n
	}
	err := p.run()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

func (p *play) run() error {
	var messages <-chan jetstream.Msg
	stop := func() {}
	defer func() { stop() }()
	open := func() (err error) {
		stop()
		messages, stop, err = p.open()
		return err
	}
	if err := p.insist(open); err != nil {
		return err
	}
	advisories := make(chan *nats.Msg, 64)
	sub, err := p.conn.ChanSubscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+p.Learner.tasks()+"."+workersQueue, advisories)
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }() // it ends with the connection at the latest
	if err := p.insist(p.upload); err != nil {
		return err
	}
	for n := range p.pieces {
		if err := p.hand(n); err != nil {
			return err
		}
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for len(p.waiting) > 0 {
		var err error
		select {
		case <-p.ctx.Done():
			err = p.ctx.Err()
		case m := <-messages:
			p.heard = time.Now()
			err = p.receive(m)
		case o := <-p.tried:
			delete(p.trying, o.task)
			err = p.settle(o)
		case m := <-advisories:
			err = p.quarantine(m.Data)
		case <-tick.C:
			if time.Since(p.heard) > 2*heartbeat && len(p.trying) == 0 {
				p.heard = time.Now()
				err = p.insist(func() error { return errors.Join(p.remind(), open()) })
			}
		}
		if err != nil {
			for len(p.trying) > 0 { // take is not called after Play
				delete(p.trying, (<-p.tried).task)
			}
			return err
		}
	}
	return p.insist(p.confirm)
}

// open returns the messages of parts as they come, until stop is called.
func (p *play) open() (messages <-chan jetstream.Msg, stop func(), err error) {
	queue, err := p.js.Consumer(p.ctx, p.parts(), learnerQueue)
	if err != nil {
		return nil, func() {}, err
	}
	list, err := queue.Messages(jetstream.PullMaxMessages(64))
	if err != nil {
		return nil, func() {}, err
	}
	to, done := make(chan jetstream.Msg), make(chan struct{})
	go func() {
		for {
			m, err := list.Next()
			if errors.Is(err, jetstream.ErrMsgIteratorClosed) || errors.Is(err, jetstream.ErrConsumerDeleted) {
				return // the learner asks again when it has heard nothing for a while
			}
			if err != nil {
				pause(p.ctx, heartbeat/30) // the iterator tries again
				continue
			}
			select {
			case to <- m:
			case <-done:
				return
			}
		}
	}()
	return to, sync.OnceFunc(func() { close(done); list.Stop() }), nil
}

// insist does what needs the broker until it succeeds, or the learner ends: a broker that is
// restarted comes back, and what it has forgotten is made anew.
func (p *play) insist(do func() error) error {
	for first := true; ; first = false {
		err := do()
		if err == nil {
			return nil
		}
		if p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		if first {
			p.away(err)
		}
		if missing(err) {
			_ = p.restore() // or it is done the next time
		}
		pause(p.ctx, heartbeat/10)
	}
}

// missing reports whether the broker answers that it has not got something.
func missing(err error) bool {
	for _, answer := range []error{
		jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrBucketNotFound, jetstream.ErrObjectNotFound,
		jetstream.ErrNoStreamResponse, nats.ErrNoResponders,
	} {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}

// restore makes anew what the broker has in memory, if it has been restarted.
func (p *play) restore() error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := p.js.Consumer(ctx, p.Learner.tasks(), workersQueue)
	if err == nil {
		_, err = p.js.Consumer(ctx, p.parts(), learnerQueue)
	}
	if err == nil {
		_, err = p.js.ObjectStore(ctx, p.names.bucket())
	}
	if missing(err) {
		err = p.furnish()
	}
	if err != nil {
		return err
	}
	for d := range p.known {
		if _, err := p.weights.GetInfo(ctx, d.String()); missing(err) {
			delete(p.known, d)
		}
	}
	return p.upload()
}

// upload gives the broker the weights that it does not have, and takes away those that
// nobody needs any more.
func (p *play) upload() error {
	for d, data := range p.needed {
		if !p.known[d] {
			if _, err := p.weights.PutBytes(p.ctx, d.String(), data); err != nil {
				return fmt.Errorf("weights: %w", err)
			}
			p.known[d] = true
		}
	}
	for d := range p.known {
		if _, used := p.needed[d]; !used {
			delete(p.known, d)
			if err := p.weights.Delete(p.ctx, d.String()); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
				return fmt.Errorf("weights: %w", err)
			}
		}
	}
	return nil
}

// hand hands a task out.
func (p *play) hand(n int) error {
	data, err := pack(p.pieces[n].message)
	if err != nil {
		return err
	}
	id := p.pieces[n].id
	if most := p.conn.MaxPayload() - 4<<10; int64(len(data)) > most {
		return fmt.Errorf("fleet: %s has %d bytes, more than the broker's %d%s", p.pieces[n].name, len(data), most, p.pieces[n].hint)
	}
	m := nats.NewMsg(p.taskSubject())
	m.Data = data
	m.Header.Set(headerTask, id)
	m.Header.Set(headerKind, p.pieces[n].kind)
	var ack *jetstream.PubAck
	err = p.insist(func() (err error) {
		ack, err = p.js.PublishMsg(p.ctx, m, jetstream.WithMsgID(fmt.Sprintf("%s.%d.%s", id, p.tries[id], p.name)))
		return err
	})
	if err != nil {
		return err
	}
	p.tries[id]++
	p.at[ack.Sequence] = id
	p.count(func(c *Counts) { c.Tasks++ })
	return nil
}

// receive takes a message of a part.
func (p *play) receive(m jetstream.Msg) error {
	defer func() { _ = m.Ack() }() // without it the message comes again, and is not waited for
	h := m.Headers()
	task, worker, id := h.Get(headerTask), h.Get(headerWorker), h.Get(headerCopy)
	p.count(func(c *Counts) { c.Bytes += int64(len(m.Data())) })
	n, wanted := p.waiting[task]
	if !wanted || p.banned[worker] || p.trying[task] {
		p.drop(id)
		if strings.HasPrefix(h.Get(headerChunk), "0/") {
			p.count(func(c *Counts) { c.Duplicates++ })
		}
		return nil
	}
	data, whole, err := p.join(id, task, worker, h.Get(headerChunk), m.Data())
	if !whole && err == nil {
		return nil
	}
	p.trying[task] = true
	redelivered := h.Get(headerDelivery) != "1"
	go func() { // parts of several tasks are played again at once
		if err != nil {
			err = fmt.Errorf("%w: %w", train.ErrPart, err)
		} else {
			err = p.pieces[n].take(data)
		}
		p.tried <- outcome{n, task, worker, redelivered, err}
	}()
	return nil
}

// outcome is what has become of a part.
type outcome struct {
	n            int
	task, worker string
	redelivered  bool
	err          error
}

// settle counts a part that was taken, or has its task played again.
func (p *play) settle(o outcome) error {
	switch {
	case o.err == nil:
		delete(p.waiting, o.task)
		p.count(func(c *Counts) {
			if c.Taken++; o.redelivered {
				c.Redelivered++
			}
		})
		return nil
	case !errors.Is(o.err, train.ErrPart) && !errors.Is(o.err, job.ErrResult):
		return o.err
	}
	return p.refuse(o.n, o.worker, o.err)
}

// join puts the messages of a part together.
func (l *Learner) join(id, task, worker, chunk string, data []byte) (all []byte, whole bool, err error) {
	var number, of int
	if _, err := fmt.Sscanf(chunk, "%d/%d", &number, &of); err != nil || number < 0 || number >= of || of > maxMessage/chunkSize {
		return nil, false, fmt.Errorf("%w: message %q", errMessage, chunk)
	}
	own := l.joined[id]
	if own == nil {
		own = &parcel{task: task, worker: worker, chunks: make([][]byte, of), missing: of}
		l.joined[id] = own
	}
	if len(own.chunks) != of || own.task != task || own.worker != worker {
		l.drop(id)
		return nil, false, fmt.Errorf("%w: message %q of another part", errMessage, chunk)
	}
	if own.chunks[number] == nil {
		own.chunks[number] = append([]byte{}, data...)
		own.missing--
		l.held += len(data)
	}
	if own.missing > 0 {
		if l.held > maxHeld { // somebody begins parts and does not end them
			clear(l.joined)
			l.held = 0
		}
		return nil, false, nil
	}
	for _, c := range own.chunks {
		all = append(all, c...)
	}
	l.drop(id)
	return all, true, nil
}

// drop forgets the messages of a part.
func (l *Learner) drop(id string) {
	if own, there := l.joined[id]; there {
		for _, c := range own.chunks {
			l.held -= len(c)
		}
		delete(l.joined, id)
	}
}

// refuse has a task played again, and bans a worker who sends rubbish time and again.
func (p *play) refuse(n int, worker string, reason error) error {
	p.count(func(c *Counts) { c.Refused++ })
	p.options.Tell("a part of worker %s is refused: %v", worker, reason)
	if p.refused[worker]++; p.refused[worker] >= maxRefused && !p.banned[worker] {
		p.banned[worker] = true
		p.options.Tell("worker %s is banned from the run", worker)
		// A name that no worker of ours has cannot be a key, and nobody waits for its ban.
		if worker != "" && worker == RunName(worker) {
			if err := p.insist(func() error {
				_, err := p.bucket.Put(p.ctx, bannedKey+worker, []byte(reason.Error()))
				return err
			}); err != nil {
				return err
			}
		}
	}
	if p.tries[p.pieces[n].id] >= maxDeliveries {
		return p.alone(n, reason.Error())
	}
	return p.hand(n)
}

// quarantine plays a task that nobody could, as an advisory of the broker says.
func (p *play) quarantine(advisory []byte) error {
	var told struct {
		Sequence uint64 `json:"stream_seq"`
	}
	if err := json.Unmarshal(advisory, &told); err != nil {
		return nil // anybody may write there
	}
	id, ours := p.at[told.Sequence]
	n, wanted := p.waiting[id]
	if !ours || !wanted || p.trying[id] {
		return nil
	}
	if stream, err := p.js.Stream(p.ctx, p.Learner.tasks()); err == nil {
		_ = stream.DeleteMsg(p.ctx, told.Sequence) // or it lies there until the run ends
	}
	return p.alone(n, fmt.Sprintf("handed out %d times", maxDeliveries))
}

// alone keeps a task for a look at it, and plays it here.
func (p *play) alone(n int, reason string) error {
	p.count(func(c *Counts) { c.Quarantined++ })
	id := p.pieces[n].id
	data, err := pack(p.pieces[n].message)
	if err != nil {
		return err
	}
	path := filepath.Join(p.options.Quarantine, id+".task")
	if err := errors.Join(os.MkdirAll(p.options.Quarantine, 0o777), durable.WriteFile(path, data)); err != nil {
		return err
	}
	p.options.Tell("%s is quarantined as %s (%s) and played here", p.pieces[n].name, path, reason)
	if err := p.pieces[n].own(p.ctx); err != nil {
		return fmt.Errorf("%s, kept as %s: %w", p.pieces[n].name, path, err)
	}
	delete(p.waiting, id)
	p.count(func(c *Counts) { c.Taken++ })
	return nil
}

// remind hands out again what the broker has lost: tasks without a part that it neither
// keeps nor has with a worker.
func (p *play) remind() error {
	if err := p.restore(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	queue, err := p.js.Consumer(ctx, p.Learner.tasks(), workersQueue)
	if err != nil {
		return err
	}
	info, err := queue.Info(ctx)
	if err != nil {
		return err
	}
	if info.NumPending > 0 || info.NumAckPending > 0 {
		return nil
	}
	for _, n := range p.waiting {
		p.count(func(c *Counts) { c.HandedAgain++ })
		if err := p.hand(n); err != nil {
			return err
		}
	}
	return nil
}
