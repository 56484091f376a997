package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
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

// deployed is a broker with the configuration of experiments/cluster, and users that the command
// "cluster user" would make.
type deployed struct {
	*server.Server
	dir string
}

// deploy starts one until the test ends.
func deploy(t *testing.T) *deployed {
	t.Helper()
	d := &deployed{dir: t.TempDir()}
	t.Setenv("BROKER_NAME", "test")
	t.Setenv("BROKER_STORE", t.TempDir())
	for name, role := range map[string]Role{"learner": RoleLearner, "look": RoleLook, "alice": RoleWorker, "bob": RoleWorker} {
		if _, err := AddUser(d.dir, name, role); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("../../experiments/cluster/nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(d.dir, "nats.conf")
	if err := os.WriteFile(conf, text, 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.HTTPPort = "127.0.0.1", server.RANDOM_PORT, 0
	d.Server = start(t, o)
	if !d.ReadyForConnections(10 * time.Second) {
		t.Fatal("the broker does not start")
	}
	return d
}

func (d *deployed) access(name string) Access { return Access{NKey: filepath.Join(d.dir, name+".nk")} }

// as enters as a user.
func (d *deployed) as(t *testing.T, name string) *nats.Conn {
	t.Helper()
	a := d.access(name)
	if name == "learner" {
		a.Inbox = LearnerInbox
	}
	conn, err := Dial("nats://"+d.Addr().String(), name, a, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// lead makes a fleet whose learner is there.
func (d *deployed) lead(t *testing.T) *fleetOf {
	t.Helper()
	f := &fleetOf{t: t, config: config(t)}
	var err error
	if f.trainer, err = train.NewTrainer(f.config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.trainer.Close() })
	text, _ := f.config.YAML()
	if f.learner, err = Lead(t.Context(), d.as(t, "learner"), Options{
		Run: "test", Announcement: Announcement{Format: Format, Identity: f.trainer.Identity(), Config: text}, Quarantine: t.TempDir(), Bans: filepath.Join(d.dir, "banned.json"), Tell: f.log.tell,
	}); err != nil {
		t.Fatal(err)
	}
	f.trainer.Employ(f.learner, 0)
	return f
}

// work lets a user work until the test ends, or stop is called.
func (d *deployed) work(t *testing.T, f *fleetOf, name string) (stop func() error) {
	t.Helper()
	conn := d.as(t, name)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, conn, Service{Name: name, Processors: 1, Tell: f.log.tell}) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	return stop
}

// TestTheDeployedBrokerLetsWorkersWorkAndNoMore: with the configuration of experiments/cluster
// a fleet learns what one process would, and a worker may do nothing else.
func TestTheDeployedBrokerLetsWorkersWorkAndNoMore(t *testing.T) {
	d := deploy(t)
	stranger, err := AddUser(t.TempDir(), "alice", RoleWorker)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []Access{{}, {NKey: stranger}} {
		if _, err := Dial("nats://"+d.Addr().String(), "test", a, func(string, ...any) {}); !errors.Is(err, ErrAccess) {
			t.Errorf("without a credential of this broker the error is %v", err)
		}
	}
	f := d.lead(t)
	d.work(t, f, "alice")
	f.updates(4, nil)
	f.check(4)
	look := d.as(t, "look")
	list, err := Status(t.Context(), look)
	if err != nil || len(list) != 1 || len(list[0].Workers) != 1 || list[0].Workers[0].ID != "alice" || list[0].Learner == "" {
		t.Errorf("who looks on sees %+v, error %v", list, err)
	}
	mayNot(t, "alice", d.as(t, "alice"))
	mayNot(t, "look", look)
	for name, try := range map[string]func(*nats.Conn) error{
		"lead": func(conn *nats.Conn) error {
			_, err := Lead(t.Context(), conn, Options{Run: "other", Tell: t.Logf})
			return err
		},
		"work as another": func(conn *nats.Conn) error {
			return Serve(t.Context(), conn, Service{Name: "alice", Processors: 1, Tell: t.Logf})
		},
		"look": func(conn *nats.Conn) error { _, err := Status(t.Context(), conn); return err },
	} {
		err := try(d.as(t, "bob"))
		if !errors.Is(err, ErrAccess) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "powderkeg cluster user") {
			t.Errorf("bob may not %s: error %v", name, err)
		}
	}
}

// TestWorkersCannotHaveEachOtherBanned: one sends rubbish, and has the broker send its answers,
// to the subjects of another, to the bans, to the lease and to the announcement; only it is
// banned, with all that uses its credential, for what it sends under its own name.
func TestWorkersCannotHaveEachOtherBanned(t *testing.T) {
	d := deploy(t)
	f := d.lead(t)
	d.work(t, f, "alice")
	evil := d.as(t, "bob")
	n := names{"test"}
	send := func(subject, reply, task string, data []byte) {
		m := nats.NewMsg(subject)
		m.Reply, m.Data = reply, data
		if task != "" {
			m.Header.Set(headerTask, task)
			m.Header.Set(headerCopy, rand.Text())
			m.Header.Set(headerChunk, "0/1")
		}
		if err := errors.Join(evil.PublishMsg(m), evil.Flush()); err != nil {
			t.Error(err)
		}
	}
	bucket := "$KV." + n.bucket() + "."
	f.updates(4, func(u int) {
		for _, from := range []int{0, 3, 6, 9} {
			task := fmt.Sprintf("%d.%d", u, from)
			send(n.partSubject("alice"), "", task, []byte("rubbish"))
			for _, request := range []string{
				"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO." + n.tasks(), "$JS.API.DIRECT.GET.KV_" + n.bucket() + "." + bucket + runKey,
				"$JS.API.CONSUMER.MSG.NEXT." + n.tasks() + "." + workersQueue, n.partSubject("bob"), n.reportSubject("bob", "x"),
				"$JS.API.DIRECT.GET." + n.workers() + "." + n.reportSubject("bob", "x"),
			} {
				for _, to := range []string{n.partSubject("alice"), bucket + bannedKey + "alice", bucket + learnerKey, bucket + runKey, n.taskSubject()} {
					send(imported(request), to, task, nil)
				}
			}
		}
		time.Sleep(heartbeat)
	})
	f.check(4)
	said := f.log.String()
	if strings.Contains(said, "worker alice is refused") || strings.Contains(said, "worker alice is banned") {
		t.Errorf("said was\n%s", said)
	}
	if _, err := f.learner.bucket.Get(t.Context(), bannedKey+"bob"); err != nil {
		t.Errorf("bob is not banned: %v\n%s", err, said)
	}
	if err := d.work(t, f, "bob")(); err != nil && !errors.Is(err, ErrBanned) {
		t.Error(err)
	}
	err := Serve(t.Context(), d.as(t, "bob"), Service{Name: "bob", Processors: 1, Tell: f.log.tell})
	if !errors.Is(err, ErrBanned) || strings.Contains(err.Error(), "\n") {
		t.Errorf("bob is told %v", err)
	}
}

// TestWorkersCannotHaveTheBrokerObey: whatever a worker may ask, it names as the subject of the
// answer what it may not publish to: requests to delete, purge and change what the run has (an answer
// may be empty, as these are), keys, the subjects and inboxes of others. In one account the broker
// would obey itself. No answer reaches the learners' account.
func TestWorkersCannotHaveTheBrokerObey(t *testing.T) {
	d := deploy(t)
	d.lead(t)
	n, learner, evil := names{"test"}, d.as(t, "learner"), d.as(t, "bob")
	heard, err := learner.SubscribeSync(">")
	if err = errors.Join(err, heard.SetPendingLimits(-1, -1), learner.Flush()); err != nil {
		t.Fatal(err)
	}
	bucket := "$KV." + n.bucket() + "."
	forbidden := map[string]bool{
		n.partSubject("alice"): true, n.reportSubject("alice", "x"): true, n.taskSubject(): true, bucket + bannedKey + "alice": true,
		bucket + "own": true, LearnerInbox + ".own": true, UserInbox("alice") + ".own": true, "$JS.API.INFO": true, "$JS.API.STREAM.CREATE.OWN": true,
		"$JS.API.CONSUMER.DELETE." + n.parts() + "." + learnerQueue: true, "$JS.API.CONSUMER.DELETE." + n.tasks() + "." + workersQueue: true,
		"$JS.API.CONSUMER.MSG.NEXT." + n.parts() + "." + learnerQueue: true, "$JS.API.CONSUMER.CREATE." + n.parts() + ".own": true,
		"$JS.ACK." + n.parts() + "." + learnerQueue + ".1.1.1.1.0": true,
	}
	for _, stream := range []string{n.tasks(), n.parts(), n.weights(), n.workers(), "KV_" + n.bucket()} {
		for _, call := range []string{"DELETE", "PURGE", "UPDATE", "MSG.DELETE", "MSG.GET"} {
			forbidden["$JS.API.STREAM."+call+"."+stream] = true
		}
	}
	queue := n.tasks() + "." + workersQueue
	for _, request := range []string{ // each with an answer
		"$JS.API.DIRECT.GET.KV_" + n.bucket() + "." + bucket + "none", "$JS.API.DIRECT.GET.KV_" + n.bucket() + "." + bucket + runKey,
		"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO." + n.tasks(), "$JS.API.CONSUMER.INFO." + queue, "$JS.API.CONSUMER.MSG.NEXT." + queue,
		n.partSubject("bob"), n.reportSubject("bob", "x"),
	} {
		ask := func(reply, trace string) error {
			m := nats.NewMsg(imported(request))
			m.Reply, m.Data = reply, []byte(`{"batch":1,"no_wait":true}`)
			if strings.Contains(request, ".STREAM.") || strings.Contains(request, ".INFO.") || strings.Contains(request, ".DIRECT.") {
				m.Data = nil
			}
			if trace != "" {
				m.Header.Set("Nats-Trace-Dest", trace)
			}
			return evil.PublishMsg(m)
		}
		for to := range forbidden {
			if err := errors.Join(ask(to, ""), ask(imported(to), ""), ask(to, to)); err != nil {
				t.Fatal(err)
			}
		}
		own, err := evil.SubscribeSync(UserInbox("bob") + ".last")
		if err == nil {
			err = ask(own.Subject, "")
		}
		if err == nil {
			_, err = own.NextMsg(patience)
		}
		if err = errors.Join(err, own.Unsubscribe()); err != nil {
			t.Errorf("%s is not answered: %v", request, err)
		}
	}
	if err := learner.Publish("last", nil); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		if m.Subject == "last" {
			break
		}
		if forbidden[m.Subject] {
			t.Errorf("the broker published to %s: %v %.60q", m.Subject, m.Header, m.Data)
		}
	}
}

// TestUsersAreAddedWhileTheBrokerRuns: the broker reads its configuration again, twice.
func TestUsersAreAddedWhileTheBrokerRuns(t *testing.T) {
	d := deploy(t)
	if _, err := AddUser(d.dir, "123", RoleWorker); err != nil {
		t.Fatal(err)
	}
	conf, err := server.ProcessConfigFile(filepath.Join(d.dir, "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	conf.Host, conf.Port, conf.HTTPPort, conf.NoLog, conf.NoSigs = "127.0.0.1", d.Addr().(*net.TCPAddr).Port, 0, true, true
	for range 2 {
		if err := d.ReloadOptions(conf.Clone()); err != nil {
			t.Fatal(err)
		}
	}
	f := d.lead(t)
	d.work(t, f, "123")
	f.updates(2, nil)
	f.check(2)
}

// TestBansOutlastWhatIsCopiedOverThem: whoever could has the broker copy something to
// the key of a worker's ban; the learner that resumes the run knows it, and tells it again.
func TestBansOutlastWhatIsCopiedOverThem(t *testing.T) {
	d := deploy(t)
	f := d.lead(t)
	evil := d.as(t, "learner")
	own := "$KV." + f.learner.names.bucket() + "." + bannedKey + "bob"
	if err := (&play{Learner: f.learner, ctx: t.Context()}).ban("bob", errors.New("rubbish")); err != nil {
		t.Fatal(err)
	}
	for tries := 0; ; tries++ {
		if err := errors.Join(evil.PublishRequest("$JS.API.STREAM.INFO."+f.learner.tasks(), own, nil), evil.Flush()); err != nil {
			t.Fatal(err)
		}
		entry, err := f.learner.bucket.Get(t.Context(), bannedKey+"bob")
		if err == nil && readBan(entry.Value()).Worker != "bob" {
			break
		}
		if tries == 100 {
			t.Fatalf("the ban is not written over, error %v", err)
		}
		time.Sleep(heartbeat / 4)
	}
	if err := f.learner.Close(false); err != nil {
		t.Fatal(err)
	}
	next := d.lead(t).learner
	if !next.isBanned("bob") || next.isBanned("alice") {
		t.Errorf("banned are %v", next.bans())
	}
	ctx, cancel := context.WithTimeout(t.Context(), patiently) // who is not banned works on
	defer cancel()
	if err := Serve(ctx, d.as(t, "bob"), Service{Name: "bob", Processors: 1, Tell: t.Logf}); !errors.Is(err, ErrBanned) {
		t.Errorf("bob is told %v", err)
	}
}

// TestTheLeaseIsRenewedWhateverIsCopiedThere: whoever could has the broker copy what another copy has
// left, whose headers tell an earlier revision, to the lease: of one that is held, and of one that
// was given back.
func TestTheLeaseIsRenewedWhateverIsCopiedThere(t *testing.T) {
	d := deploy(t)
	l := d.lead(t).learner
	evil := d.as(t, "learner")
	bucket := "$KV." + l.names.bucket() + "."
	copied := func(key, to string) {
		t.Helper()
		if err := errors.Join(evil.PublishRequest("$JS.API.DIRECT.GET.KV_"+l.names.bucket()+"."+bucket+key, bucket+to, nil), evil.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	renewed := func() {
		t.Helper()
		for _, to := range []string{runKey, learnerKey, learnerKey} {
			copied(runKey, to)
			time.Sleep(heartbeat / 10)
		}
		for tries := 0; ; tries++ {
			held, err := l.lease.look(t.Context())
			if err == nil && bytes.Equal(held.value, l.lease.value) {
				return
			}
			if tries == 40 {
				t.Fatalf("the lease is not renewed, error %v", err)
			}
			time.Sleep(heartbeat / 4)
		}
	}
	renewed()
	renewed()
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	copied(learnerKey, learnerKey) // the mark of what is deleted, with its headers
	next := *l.lease
	if held, err := next.take(t.Context(), 0, false); err != nil || held != nil {
		t.Errorf("the lease is held by %v, error %v", held, err)
	}
}

// mayNot tries what only a learner may do.
func mayNot(t *testing.T, name string, conn *nats.Conn) {
	t.Helper()
	js, err := open(conn)
	if err != nil {
		t.Fatal(err)
	}
	n := names{"test"}
	bucket, err := js.KeyValue(t.Context(), n.bucket())
	if err != nil {
		t.Fatal(err)
	}
	for what, subject := range map[string]string{
		"the learner's answers": LearnerInbox + ".>", "another's answers": UserInbox("bob") + ".>", "all answers": "_INBOX.>", "parts": n.partSubject("*"),
		"another's parts": n.partSubject("bob"), "reports": n.reportSubject("*", "*"), "tasks": n.taskSubject(), "everything": ">", "keys": "$KV.>",
	} {
		_, err := conn.SubscribeSync(subject)
		if err == nil {
			_ = conn.Flush()
			err = conn.LastError()
		}
		if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), fmt.Sprintf("%q", subject)) {
			t.Errorf("%s may listen to %s: error %v", name, what, err)
		}
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
		"add weights": func(ctx context.Context) error { return shelf{n, js}.put(ctx, []byte("own")) },
		"take weights away": func(ctx context.Context) error {
			stream, err := js.Stream(ctx, n.weights())
			if err == nil {
				err = stream.Purge(ctx)
			}
			return err
		},
		"send parts as another": func(ctx context.Context) error { _, err := js.Publish(ctx, n.partSubject("bob"), nil); return err },
		"report as another": func(ctx context.Context) error {
			_, err := js.Publish(ctx, n.reportSubject("bob", "x"), nil)
			return err
		},
		"read what others report": func(ctx context.Context) error {
			if name == "look" {
				return errors.New("who looks on may")
			}
			stream, err := js.Stream(ctx, n.workers())
			if err == nil {
				_, err = stream.GetLastMsgForSubject(ctx, n.reportSubject("alice", "*"))
			}
			return err
		},
		"have messages delivered to others": func(ctx context.Context) error {
			_, err := js.CreateOrUpdateConsumer(ctx, n.weights(), jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy})
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

// freePorts are ports of the loopback interface that nobody has taken yet, and URLs of them. They
// are below those that systems give to connections (from 32768 on, or later): of a broker that is
// down for a while a connection of anybody could take the port, and it would not start again.
func freePorts(t testing.TB, n int) (routes []*url.URL, ports []int) {
	t.Helper()
	for tries := 0; len(ports) < n; tries++ {
		port := 10_000 + mathrand.IntN(20_000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil && tries < 1000 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		defer l.Close() // so that none is drawn twice
	}
	return routes, ports
}

// cluster starts brokers that are nodes of one cluster, until the test ends.
func cluster(t testing.TB, nodes int) (list []*server.Server, urls string) {
	t.Helper()
	routes, ports := freePorts(t, nodes)
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
