package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/checkpoints"
	"powderkeg/train"
	"powderkeg/train/job"
)

// Service is what a worker needs.
type Service struct {
	// Run is the run to play for, any if empty.
	Run string
	// Name is the worker's name, by which it is banned: that of its credential where the broker
	// knows workers by name. If empty it is made of the host's name and chance.
	Name string
	// Processors is how many tasks are played at once, 0 for one per processor.
	Processors int
	// Kinds are those of the jobs that it can do.
	Kinds job.Kinds
	// Tell is told of what a user should know. It may be called by any goroutine.
	Tell func(format string, args ...any)
}

// Report is what a worker says of itself.
type Report struct {
	ID         string    `json:"id"`
	Host       string    `json:"host"`
	System     string    `json:"system"` // linux/amd64
	Processors int       `json:"processors"`
	Since      time.Time `json:"since"` // by its own clock
	Tasks      int64     `json:"tasks"` // that it has played
	Decisions  int64     `json:"decisions"`
	// Rate is the decisions a second since the last report.
	Rate float64 `json:"rate"`
	// Update is that of the task that it played last.
	Update int64 `json:"update"`
}

// ErrBanned is wrapped by the error of a worker that the learner wants no more of.
var ErrBanned = errors.New("banned from the run")

// Serve plays tasks until ctx ends, run after run, and then finishes those that it is at. It
// returns early if it may not play for a run: ErrVersion or ErrBanned.
func Serve(ctx context.Context, conn *nats.Conn, s Service) error {
	js, err := open(conn)
	if err != nil {
		return err
	}
	if s.Processors == 0 {
		s.Processors = runtime.GOMAXPROCS(0)
	}
	host, _ := os.Hostname() // a machine without a name has none
	name, process := s.Name, rand.Text()[:6]
	if name == "" {
		name = strings.Trim(RunName(host), "_") + "-" + process
	}
	told := ""
	for {
		r, err := find(ctx, js, s.Run)
		switch {
		case ctx.Err() != nil:
			return nil
		case conn.IsClosed(): // such as where the password is another now
			return fmt.Errorf("%w: %w", nats.ErrConnectionClosed, conn.LastError())
		case err != nil:
			if err.Error() != told {
				told = err.Error()
				s.Tell("%v; waiting", err)
			}
			pause(ctx, heartbeat/3)
			continue
		}
		told = ""
		w := &worker{names: names{r.name}, announced: r.text, service: s, js: js, shelf: shelf{names{r.name}, js}, name: name, process: process}
		w.report = Report{
			ID: name, Host: host, System: runtime.GOOS + "/" + runtime.GOARCH, Processors: s.Processors, Since: time.Now(),
		}
		if err := w.serve(ctx, r.Announcement); err != nil {
			return fmt.Errorf("run %s: %w", r.name, err)
		}
		pause(ctx, heartbeat/30) // the learner may not have made all that belongs to the run yet
		if ctx.Err() != nil {
			return nil
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// announced is a run that a learner has announced.
type announced struct {
	name string
	text []byte // of the announcement
	Announcement
}

// find returns a run that a learner has announced.
func find(ctx context.Context, js jetstream.JetStream, want string) (r announced, err error) {
	list := []string{want}
	if want == "" {
		list = nil
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		stores := js.KeyValueStoreNames(ctx)
		for name := range stores.Name() {
			if run, ours := strings.CutPrefix(name, "PK_"); ours && !strings.HasSuffix(run, "_WORKERS") {
				list = append(list, run)
			}
		}
		if err := stores.Error(); err != nil {
			return r, fmt.Errorf("the broker does not list its runs: %w", err)
		}
	}
	for _, run := range list {
		bucket, err := js.KeyValue(ctx, names{run}.bucket())
		if err != nil {
			continue
		}
		entry, err := bucket.Get(ctx, runKey)
		if err != nil {
			continue
		}
		r = announced{name: run, text: entry.Value()}
		if err := json.Unmarshal(r.text, &r.Announcement); err != nil || r.Format == 0 {
			continue // no learner has written that, and its own will see to it
		}
		return r, nil
	}
	if want != "" {
		return r, fmt.Errorf("no run %s", want)
	}
	return r, errors.New("no run")
}

// worker plays for one run.
type worker struct {
	names
	announced []byte // what the learner says of it
	service   Service
	js        jetstream.JetStream
	shelf     shelf
	name      string
	process   string // tells the processes of a name apart
	config    train.Config
	trains    bool // there are rollouts, of the config
	bucket    jetstream.KeyValue

	mu     sync.Mutex
	report Report

	fetching sync.Mutex // one fetches for all
	cache    map[train.Digest][]byte
}

// serve plays until the run is over, or ctx ends.
func (w *worker) serve(ctx context.Context, a Announcement) error {
	if a.Format != Format {
		return fmt.Errorf("%w: its messages have format %d, this program's %d", ErrVersion, a.Format, Format)
	}
	var err error
	own, err := w.configure(a)
	if err != nil {
		return err
	}
	if own != a.Identity {
		return fmt.Errorf("%w: the run is of %v, this program plays %v", ErrVersion, a.Identity, own)
	}
	if w.bucket, err = w.js.KeyValue(ctx, w.names.bucket()); err != nil {
		return nil // over already
	}
	w.service.Tell("playing for run %s as %s: %s, %d at once", w.run, w.name, a.Identity.Game, w.service.Processors)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for range w.service.Processors {
		group.Go(func() {
			if err := w.play(ctx); err != nil {
				cancel(err)
			}
		})
	}
	group.Go(func() { cancel(w.attend(ctx)) })
	group.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) && !errors.Is(err, errOver) {
		return err
	}
	w.service.Tell("played %d tasks of run %s", w.report.Tasks, w.run)
	return nil
}

// configure reads what a run is of, and returns what this program plays as that game.
func (w *worker) configure(a Announcement) (own checkpoints.Identity, err error) {
	if a.Config == "" {
		own, err := train.IdentityOf(train.Config{Game: a.Identity.Game})
		if err != nil {
			return own, fmt.Errorf("%w: its game cannot be played here: %w", ErrVersion, err)
		}
		return own, nil
	}
	w.trains = true
	if w.config, err = train.ParseConfig([]byte(a.Config)); err != nil {
		return own, fmt.Errorf("%w: its configuration cannot be read here: %w", ErrVersion, err)
	}
	first, err := train.NewActor(w.config)
	if err != nil {
		return own, fmt.Errorf("%w: its configuration cannot be played here: %w", ErrVersion, err)
	}
	first.Close()
	return first.Identity(), nil
}

// errOver ends the service for a run that is done.
var errOver = errors.New("the run is over")

// attend says that the worker is there, and returns when the run is over or the worker banned.
func (w *worker) attend(ctx context.Context) error {
	last, at := int64(0), time.Now()
	for {
		w.mu.Lock()
		now := time.Now()
		if d := now.Sub(at).Seconds(); d > 0 {
			w.report.Rate = float64(w.report.Decisions-last) / d
		}
		last, at = w.report.Decisions, now
		text, err := json.Marshal(w.report)
		w.mu.Unlock()
		if err != nil {
			return err
		}
		if denied(w.js.Conn()) {
			return fmt.Errorf("%w: this user may not work as %s: each worker has a credential of its own (powderkeg cluster user NAME)", ErrAccess, w.name)
		}
		_ = w.js.Conn().Publish(w.reportSubject(w.name, w.process), text) // said again soon
		if entry, err := w.bucket.Get(ctx, bannedKey+w.name); err == nil {
			if b := readBan(entry.Value()); b.Worker == w.name {
				return fmt.Errorf("%w: %s", ErrBanned, b.Reason)
			}
		}
		entry, err := w.bucket.Get(ctx, runKey)
		if err == nil && !bytes.Equal(entry.Value(), w.announced) {
			return errOver // another run has its name, or the learner is about to say it anew
		}
		if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) ||
			errors.Is(err, nats.ErrNoResponders) && w.gone(ctx) {
			return errOver
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(heartbeat):
		}
	}
}

// gone reports whether the run's bucket is no more.
func (w *worker) gone(ctx context.Context) bool {
	_, err := w.js.KeyValue(ctx, w.names.bucket())
	return errors.Is(err, jetstream.ErrBucketNotFound)
}

// play plays tasks one by one until ctx ends.
func (w *worker) play(ctx context.Context) error {
	var actor *train.Actor
	if w.trains {
		var err error
		if actor, err = train.NewActor(w.config); err != nil {
			return err
		}
		defer actor.Close()
	}
	for ctx.Err() == nil {
		queue, err := w.js.Consumer(ctx, w.tasks(), workersQueue)
		if err != nil {
			pause(ctx, heartbeat/3) // the learner makes it anew, or the run is over
			continue
		}
		for ctx.Err() == nil {
			batch, err := queue.Fetch(1, jetstream.FetchMaxWait(heartbeat))
			if err != nil {
				break
			}
			for m := range batch.Messages() {
				if m.Headers().Get(headerTask) == "" {
					_ = m.Term() // no learner has sent that
					continue
				}
				w.task(ctx, actor, m)
			}
			if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
				break
			}
		}
		pause(ctx, heartbeat/30)
	}
	return nil
}

// task plays a task and sends its part. One that fails goes back to the queue.
func (w *worker) task(ctx context.Context, actor *train.Actor, m jetstream.Msg) {
	stop := w.beat(m)
	err := w.answer(ctx, actor, m)
	stop()
	if err == nil {
		_ = m.DoubleAck(context.WithoutCancel(ctx)) // or it is handed out once more, for nothing
		return
	}
	w.service.Tell("task %s: %v", m.Headers().Get(headerTask), err)
	_ = m.NakWithDelay(pulse) // or the broker finds out by itself
}

// beat tells the broker that a task is being played until stop is called.
func (w *worker) beat(m jetstream.Msg) (stop func()) {
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(pulse):
				_ = m.InProgress() // said again soon
			}
		}
	}()
	return func() { close(done) }
}

// answer plays a task and sends the part.
func (w *worker) answer(ctx context.Context, actor *train.Actor, m jetstream.Msg) error {
	// A task under way is finished when the worker leaves, but not waited for without end.
	leaving := ctx
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(leaving, func() { time.AfterFunc(patience, cancel) })()
	do := w.rollout
	if m.Headers().Get(headerKind) == kindJob {
		do = w.job
	}
	data, done, err := do(ctx, actor, m.Data())
	if err != nil {
		return err
	}
	deliveries := uint64(1)
	if meta, err := m.Metadata(); err == nil {
		deliveries = meta.NumDelivered
	}
	if err := w.send(ctx, m.Headers().Get(headerTask), deliveries, data); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Tasks++
	done(&w.report)
	return nil
}

// rollout plays a task. done says of it what is reported.
func (w *worker) rollout(ctx context.Context, actor *train.Actor, message []byte) (answer []byte, done func(*Report), err error) {
	var task train.Task
	if err := unpack(message, &task, taskBounds); err != nil {
		return nil, nil, err
	}
	if actor == nil {
		return nil, nil, fmt.Errorf("%w: a rollout in a run without a configuration", errMessage)
	}
	played, err := actor.Play(&task, func(d train.Digest) ([]byte, error) { return w.fetch(ctx, d, needs(&task)) })
	if err != nil {
		return nil, nil, err
	}
	answer, err = packPart(played)
	return answer, func(r *Report) { r.Decisions, r.Update = r.Decisions+int64(len(played.Actions)), task.Update }, err
}

// needs lists the weights that a task names.
func needs(task *train.Task) []train.Digest {
	return append([]train.Digest{task.Net, task.Critic}, task.Members...)
}

// job does a job.
func (w *worker) job(ctx context.Context, _ *train.Actor, message []byte) (answer []byte, done func(*Report), err error) {
	var j job.Job
	if err := unpack(message, &j, jobBounds); err != nil {
		return nil, nil, err
	}
	found, err := w.service.Kinds.Do(ctx, &j, func(d job.Digest) ([]byte, error) { return w.fetch(ctx, d, j.Blobs) })
	if err != nil {
		return nil, nil, fmt.Errorf("%v: %w", &j, err)
	}
	answer, err = pack(found)
	return answer, func(*Report) {}, err
}

// send sends a part in messages of at most chunkSize. Where the broker is full it waits.
func (w *worker) send(ctx context.Context, task string, deliveries uint64, data []byte) error {
	id, of := rand.Text(), (len(data)+chunkSize-1)/chunkSize
	for n := range of {
		m := nats.NewMsg(w.partSubject(w.name))
		m.Data = data[n*chunkSize : min((n+1)*chunkSize, len(data))]
		m.Header.Set(headerTask, task)
		m.Header.Set(headerCopy, id)
		m.Header.Set(headerDelivery, strconv.FormatUint(deliveries, 10))
		m.Header.Set(headerChunk, fmt.Sprintf("%d/%d", n, of))
		for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
			_, err := w.js.PublishMsg(ctx, m, jetstream.WithMsgID(fmt.Sprintf("%s.%d", id, n)))
			if err == nil {
				break
			}
			if ctx.Err() != nil {
				return fmt.Errorf("part: %w", err)
			}
			pause(ctx, wait)
		}
	}
	return nil
}

// fetch returns the weights of a name. The processors share those that the present task needs.
func (w *worker) fetch(ctx context.Context, d train.Digest, needed []train.Digest) ([]byte, error) {
	w.fetching.Lock()
	defer w.fetching.Unlock()
	if data, ok := w.cache[d]; ok {
		return data, nil
	}
	data, err := w.shelf.get(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("weights %v: %w", d, err)
	}
	for old := range w.cache {
		if !slices.Contains(needed, old) {
			delete(w.cache, old)
		}
	}
	if w.cache == nil {
		w.cache = map[train.Digest][]byte{}
	}
	w.cache[d] = data
	return data, nil
}
