package fleet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train"
)

// start runs a server until the test ends.
func start(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	o.NoLog, o.NoSigs = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

// TestTheDeployedBrokerLetsWorkersWorkAndNoMore: with the configuration of experiments/cluster
// a fleet learns what one process would, and a worker may do nothing else.
func TestTheDeployedBrokerLetsWorkersWorkAndNoMore(t *testing.T) {
	t.Setenv("BROKER_NAME", "test")
	t.Setenv("BROKER_STORE", t.TempDir())
	for _, who := range []string{"LEARNER", "WORKER", "LOOK"} {
		t.Setenv(who+"_PASSWORD", "secret_of_"+strings.ToLower(who))
	}
	o, err := server.ProcessConfigFile("../../experiments/cluster/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.HTTPPort = "127.0.0.1", server.RANDOM_PORT, 0
	s := start(t, o)
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the broker does not start")
	}
	at := func(user string) string { return "nats://" + user + ":secret_of_" + user + "@" + s.Addr().String() }
	if _, err := Dial("nats://worker:guessed@"+s.Addr().String(), "test", Access{}, func(string, ...any) {}); !errors.Is(err, ErrAccess) {
		t.Errorf("with a wrong password the error is %v", err)
	}
	f := &fleetOf{t: t, config: config(t), url: at("learner")}
	if f.trainer, err = train.NewTrainer(f.config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.trainer.Close() })
	learner, err := Dial(at("learner"), "learner", Access{Inbox: LearnerInbox}, f.log.tell)
	if err != nil {
		t.Fatal(err)
	}
	defer learner.Close()
	text, _ := f.config.YAML()
	if f.learner, err = Lead(t.Context(), learner, Options{
		Run: "test", Announcement: Announcement{Format: Format, Identity: f.trainer.Identity(), Config: text}, Quarantine: t.TempDir(), Tell: f.log.tell,
	}); err != nil {
		t.Fatal(err)
	}
	f.trainer.Employ(f.learner, 0)
	f.url = at("worker")
	f.hire()
	f.updates(4, nil)
	f.check(4)
	look, err := nats.Connect(at("look"))
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	if list, err := Status(t.Context(), look); err != nil || len(list) != 1 || len(list[0].Workers) != 1 || list[0].Learner == "" {
		t.Errorf("who looks on sees %+v, error %v", list, err)
	}
	for name, conn := range map[string]*nats.Conn{"worker": f.dial(nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})), "look": look} {
		mayNot(t, name, conn)
	}
}

// mayNot tries what only a learner may do.
func mayNot(t *testing.T, name string, conn *nats.Conn) {
	t.Helper()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	n := names{"test"}
	bucket, err := js.KeyValue(t.Context(), n.bucket())
	if err != nil {
		t.Fatal(err)
	}
	sub, err := conn.SubscribeSync(LearnerInbox + ".>")
	if err == nil {
		_, _ = sub.NextMsg(heartbeat) // never comes
		err = conn.LastError()
	}
	if !errors.Is(err, nats.ErrPermissionViolation) {
		t.Errorf("%s may listen to the learner's answers: error %v", name, err)
	}
	var group sync.WaitGroup
	for what, try := range map[string]func(context.Context) error{
		"take the lease": func(ctx context.Context) error { _, err := bucket.Put(ctx, learnerKey, nil); return err },
		"announce a run": func(ctx context.Context) error { _, err := bucket.Put(ctx, runKey, nil); return err },
		"ban":            func(ctx context.Context) error { _, err := bucket.Put(ctx, bannedKey+"other", nil); return err },
		"write keys":     func(ctx context.Context) error { _, err := bucket.Put(ctx, "own", nil); return err },
		"hand out tasks": func(ctx context.Context) error { _, err := js.Publish(ctx, n.taskSubject(), nil); return err },
		"delete tasks":   func(ctx context.Context) error { return js.DeleteStream(ctx, n.tasks()) },
		"delete the run": func(ctx context.Context) error { return js.DeleteKeyValue(ctx, n.bucket()) },
		"make streams": func(ctx context.Context) error {
			_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "own"})
			return err
		},
		"delete the queue": func(ctx context.Context) error { return js.DeleteConsumer(ctx, n.tasks(), workersQueue) },
		"stop the learner": func(ctx context.Context) error { return js.DeleteConsumer(ctx, n.parts(), learnerQueue) },
		"change the queue": func(ctx context.Context) error {
			_, err := js.UpdateConsumer(ctx, n.tasks(), jetstream.ConsumerConfig{Durable: workersQueue})
			return err
		},
		"change weights": func(ctx context.Context) error {
			w, err := js.ObjectStore(ctx, n.bucket())
			if err == nil {
				_, err = w.PutBytes(ctx, "own", []byte("x"))
			}
			return err
		},
	} {
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := try(ctx); err == nil {
				t.Errorf("%s may %s", name, what)
			}
		})
	}
	group.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if queue, err := js.Consumer(ctx, n.parts(), learnerQueue); err == nil {
		if batch, err := queue.Fetch(1, jetstream.FetchMaxWait(heartbeat)); err == nil {
			for range batch.Messages() {
				t.Errorf("%s may take parts away", name)
			}
		}
	}
}

// TestThreeBrokersMayLoseTheirLeader: the leader of the run's queue of tasks is shut down
// while its tasks are played, and another one later; the fleet goes on.
func TestThreeBrokersMayLoseTheirLeader(t *testing.T) {
	list, urls := cluster(t, 3)
	f := &fleetOf{t: t, config: config(t), url: urls}
	var err error
	if f.trainer, err = train.NewTrainer(f.config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.trainer.Close() })
	text, _ := f.config.YAML()
	conn := f.dial()
	if f.learner, err = Lead(t.Context(), conn, Options{
		Run: "test", Announcement: Announcement{Format: Format, Identity: f.trainer.Identity(), Config: text}, Replicas: 3, Quarantine: t.TempDir(), Tell: f.log.tell,
	}); err != nil {
		t.Fatal(err)
	}
	f.trainer.Employ(f.learner, 0)
	f.hire()
	f.hire()
	f.updates(5, func(u int) {
		if u != 2 {
			return
		}
		for _, s := range list {
			if s.JetStreamIsStreamLeader("$G", names{"test"}.tasks()) {
				s.Shutdown()
				return
			}
		}
		t.Error("no broker leads the queue")
	})
	f.check(5)
}

// cluster starts brokers that are nodes of one cluster, until the test ends.
func cluster(t testing.TB, nodes int) (list []*server.Server, urls string) {
	t.Helper()
	var routes []*url.URL
	var ports []int
	for range nodes {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		l.Close()
	}
	var all []string
	for i := range nodes {
		o := &server.Options{ServerName: fmt.Sprintf("broker%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir()}
		if nodes > 1 {
			o.Cluster, o.Routes = server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]}, routes
		}
		list = append(list, start(t, o))
	}
	for _, s := range list {
		if !s.ReadyForConnections(20 * time.Second) {
			t.Fatal("a broker does not start")
		}
		all = append(all, "nats://"+s.Addr().String())
	}
	for end := time.Now().Add(30 * time.Second); nodes > 1 && slices.ContainsFunc(list, func(s *server.Server) bool { return !s.JetStreamIsCurrent() }); {
		if time.Now().After(end) {
			t.Fatal("the brokers do not agree on a leader")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return list, strings.Join(all, ",")
}
