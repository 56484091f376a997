package fleet

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/checkpoints"
	"powderkeg/train"
)

const (
	// roleOf is the variable that makes the test binary a process of a fleet: a role as JSON.
	roleOf = "POWDERKEG_FLEET_ROLE"
	// realTimes is the variable that leaves heartbeats as they are.
	realTimes = "POWDERKEG_FLEET_REAL_TIMES"
)

// role is what a process of a fleet is.
type role struct {
	Kind string // broker, worker, learner
	URL  string // of the broker, for workers and learners

	// Of a broker: where it listens, what it keeps, and the other nodes of its cluster.
	Listen, Name, Store string
	Routes              []string

	// Of a learner: the run, the directory that it goes on in, and how many updates it makes.
	Config   string
	Dir      string
	Updates  int
	Replicas int
}

// act is what a process of a fleet does.
func act(text string) error {
	var r role
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	switch r.Kind {
	case "broker":
		return r.serve()
	case "worker":
		return r.work()
	case "liar":
		return r.lie()
	case "flood":
		return r.flood()
	case "learner":
		return r.learn()
	}
	return fmt.Errorf("no role %q", r.Kind)
}

func tell(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// serve runs a broker until the process is killed.
func (r role) serve() error {
	host, port, _ := strings.Cut(r.Listen, ":")
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	o := &server.Options{ServerName: r.Name, Host: host, Port: number, JetStream: true, StoreDir: r.Store, NoSigs: true, NoLog: true}
	if len(r.Routes) > 0 {
		o.Cluster = server.ClusterOpts{Name: "test", Host: host, Port: number + 1}
		for _, route := range r.Routes {
			o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: route})
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}

// work serves until the process is killed.
func (r role) work() error {
	conn, err := Dial(r.URL, "worker", Access{}, tell)
	if err != nil {
		return err
	}
	return Serve(context.Background(), conn, Service{Processors: 1, Tell: tell})
}

// lie takes tasks like a worker, knows the run as well as one, and answers each with something
// else that is not its part, in turn: no message, the part of another task, its own with
// another move, with another end. It never plays fair, banned or not.
func (r role) lie() error {
	conn, err := Dial(r.URL, "liar", Access{}, tell)
	if err != nil {
		return err
	}
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	ctx := context.Background()
	a, err := find(ctx, js, "")
	for ; err != nil; a, err = find(ctx, js, "") {
		pause(ctx, heartbeat/3)
	}
	w := &worker{names: names{a.name}, js: js, shelf: shelf{names{a.name}, js}, name: "liar"}
	if w.config, err = train.ParseConfig([]byte(a.Config)); err != nil {
		return err
	}
	actor, err := train.NewActor(w.config)
	if err != nil {
		return err
	}
	defer actor.Close()
	var before []byte
	for lies := 0; ; {
		queue, err := js.Consumer(ctx, w.tasks(), workersQueue)
		if err != nil {
			return err
		}
		batch, err := queue.Fetch(1, jetstream.FetchMaxWait(heartbeat))
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			var task train.Task
			if err := unpack(m.Data(), &task, taskBounds); err != nil {
				return err
			}
			part, err := actor.Play(&task, func(d train.Digest) ([]byte, error) { return w.fetch(ctx, d, needs(&task)) })
			if err != nil {
				return err
			}
			own, err := packPart(part)
			if err != nil {
				return err
			}
			data := []byte("rubbish")
			switch lies++; {
			case lies%4 == 1 && before != nil:
				data = before
			case lies%4 == 2:
				part.Actions[len(part.Actions)/2]++
			case lies%4 == 3:
				part.Hashes[0]++
			}
			if lies%4 >= 2 {
				if data, err = packPart(part); err != nil {
					return err
				}
			}
			before = own
			if err := w.send(ctx, m.Headers().Get(headerTask), 1, data); err != nil {
				return err
			}
			if err := m.DoubleAck(ctx); err != nil {
				return err
			}
		}
	}
}

// flood sends parts that nobody waits for until the broker wants no more.
func (r role) flood() error {
	conn, err := Dial(r.URL, "flood", Access{}, tell)
	if err != nil {
		return err
	}
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	data := make([]byte, chunkSize)
	for n := 0; ; n++ {
		m := nats.NewMsg(names{"test"}.partSubject("flood"))
		m.Data = data
		m.Header.Set(headerTask, "999.0")
		m.Header.Set(headerCopy, "flood")
		m.Header.Set(headerChunk, "0/1")
		if _, err := js.PublishMsg(context.Background(), m); err != nil {
			tell("after %d parts: %v", n, err)
			return nil
		}
	}
}

// A learner of a test writes a line per update, and one at the end.
type line struct {
	Update int64
	Hash   string   `json:",omitempty"` // of the weights, at the end
	Taken  []string `json:",omitempty"` // ids of the tasks learned from, at the end
	Counts Counts
}

// witness is a crew that notes whose parts are taken.
type witness struct {
	train.Crew
	mu    sync.Mutex
	taken []string
}

func (w *witness) Play(ctx context.Context, tasks []*train.Task, weights map[train.Digest][]byte, take func(int, *train.Part) error) error {
	return w.Crew.Play(ctx, tasks, weights, func(n int, p *train.Part) error {
		if err := take(n, p); err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.taken = append(w.taken, taskID(tasks[n]))
		return nil
	})
}

// learn makes updates, each with a checkpoint, from the last one on that there is, as far as
// the numbers on standard input allow.
func (r role) learn() error {
	config, err := train.ParseConfig([]byte(r.Config))
	if err != nil {
		return err
	}
	trainer, taken, err := r.resume(config)
	if err != nil {
		return err
	}
	defer trainer.Close()
	conn, err := Dial(r.URL, "learner", Access{Inbox: LearnerInbox}, tell)
	if err != nil {
		return err
	}
	l, err := Lead(context.Background(), conn, Options{
		Run: "test", Replicas: r.Replicas, Quarantine: filepath.Join(r.Dir, "quarantine"), Tell: tell,
		Announcement: Announcement{Format: Format, Identity: trainer.Identity(), Config: r.Config},
	})
	if err != nil {
		return err
	}
	tell("leads from update %d", trainer.Updates())
	w := &witness{Crew: l, taken: taken}
	trainer.Employ(w, 0)
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for allowed := int64(0); trainer.Updates() < int64(r.Updates); {
		for trainer.Updates() >= allowed {
			if !in.Scan() {
				return errors.New("the test has gone")
			}
			if allowed, err = strconv.ParseInt(in.Text(), 10, 64); err != nil {
				return err
			}
		}
		if _, err := trainer.Update(); err != nil {
			return err
		}
		c, err := trainer.Checkpoint()
		if err != nil {
			return err
		}
		// What was learned from stands beside the checkpoint before it counts.
		name := filepath.Join(r.Dir, checkpoints.Name(trainer.Updates()))
		text, err := json.Marshal(w.taken)
		if err := errors.Join(err, os.WriteFile(name+".taken", text, 0o666), c.Write(name)); err != nil {
			return err
		}
		if err := out.Encode(line{Update: trainer.Updates(), Counts: l.Counts()}); err != nil {
			return err
		}
	}
	if err := out.Encode(line{Update: trainer.Updates(), Hash: hash(trainer.Network().Weights()), Taken: w.taken, Counts: l.Counts()}); err != nil {
		return err
	}
	return l.Close(true)
}

// resume returns the trainer of the last checkpoint, and what it has learned from, or a new one.
func (r role) resume(config train.Config) (*train.Trainer, []string, error) {
	list, err := filepath.Glob(filepath.Join(r.Dir, strings.Repeat("[0-9]", len(checkpoints.Name(0)))))
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 {
		t, err := train.NewTrainer(config)
		return t, nil, err
	}
	last := slices.Max(list)
	c, err := checkpoints.Open(last)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(last + ".taken")
	if err != nil {
		return nil, nil, err
	}
	var taken []string
	if err := json.Unmarshal(text, &taken); err != nil {
		return nil, nil, err
	}
	t, err := train.ResumeTrainer(config, c)
	return t, taken, err
}

// hash is the SHA-256 of weights.
func hash(weights []float32) string {
	h := sha256.New()
	for _, w := range weights {
		fmt.Fprintf(h, "%b ", w)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// patiently is how long tests wait for what must come, on a machine with other work.
const patiently = 90 * time.Second
