package fleet

import (
	"context"
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
		Run: "test", Announcement: Announcement{Format: Format, Identity: f.trainer.Identity(), Config: text}, Quarantine: t.TempDir(),
		Bans: filepath.Join(d.dir, "banned.json"), Tell: f.log.tell,
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
		Run: "test", Announcement: Announcement{Format: Format, Identity: f.trainer.Identity(), Config: text}, Replicas: 3, Quarantine: t.TempDir(),
		Tell: f.log.tell,
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
	for end := time.Now().Add(30 * time.Second); nodes > 1 && slices.ContainsFunc(list, func(s *server.Server) bool {
		return !s.JetStreamIsCurrent()
	}); {
		if time.Now().After(end) {
			t.Fatal("the brokers do not agree on a leader")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return list, strings.Join(all, ",")
}
