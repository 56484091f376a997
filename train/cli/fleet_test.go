package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
	"powderkeg/env/cli"
	"powderkeg/train"
	"powderkeg/train/fleet"
	"powderkeg/train/run"

	"github.com/spf13/cobra"
)

// TestMain lets the binary be the workers that "train --workers" starts, and the learner that
// a test kills.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "worker" || os.Args[1] == "train") {
		root := &cobra.Command{SilenceErrors: true, SilenceUsage: true}
		root.AddCommand(Worker(), Train())
		if err := root.ExecuteContext(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(cli.Code(err))
		}
		return
	}
	os.Exit(m.Run())
}

// fleetConfig writes a run that takes seconds, and whose checkpoints keep all that matters.
// Where networks add up in another order with other batches it has one shard, so that all
// who play it have the same ones.
func fleetConfig(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fleet.yaml")
	shards := 6
	if network.ForeignBLAS {
		shards = 1
	}
	text := fmt.Sprintf("shards: %d", shards) + `
game: leduc
seed: 3
updates: 40
envs: 24
steps: 32
workers: 1
max_decisions: 5
network: {hidden: [16]}
league: {share: 0.5, snapshot_every: 3, capacity: 3, agents: [{name: scripted, share: 0.5}]}
evaluation: {every: 0, closing_games: 20, tournament: 0}
checkpoints: {every: 4}
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// straight is the same run in one process.
func straight(t *testing.T, config string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "straight")
	if _, progress, code, err := execute(t, Train(), config, "--run", dir); code != 0 {
		t.Fatalf("code %d (%v): %s", code, err, progress)
	}
	return dir
}

// sameWeights demands that two runs have ended with the same state in every bit.
func sameWeights(t *testing.T, got, want string) {
	t.Helper()
	var state [2][]byte
	for i, dir := range []string{got, want} {
		c, err := checkpoints.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		state[i] = c.State
		for _, tensor := range c.Weights {
			state[i] = append(state[i], tensor.Data...)
		}
	}
	if !bytes.Equal(state[0], state[1]) {
		t.Error("the runs end with other weights")
	}
}

// children lists the processes that a process has started.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(lists) == 0 {
		t.Skip("this system does not list the children of a process")
	}
	var list []int
	for _, path := range lists {
		text, _ := os.ReadFile(path) // of a thread that has ended
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}

// lines is a buffer for several writers.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestWorkersAndLearnersMayBeKilled: with kill -9 for the workers and the learner, and a stop
// by the user, a run ends with the weights of one that nobody disturbed, and
// nothing stays behind.
func TestWorkersAndLearnersMayBeKilled(t *testing.T) {
	config, dir := fleetConfig(t), filepath.Join(t.TempDir(), "led")
	want := straight(t, config)
	var said lines
	begin := func(args ...string) *exec.Cmd {
		c := exec.Command(os.Args[0], args...)
		c.Stderr = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := begin("train", config, "--run", dir, "--workers", "2")
	awaitUpdate(t, dir, 6, &said)
	kids := children(t, c.Process.Pid)
	if len(kids) != 2 {
		t.Fatalf("%d workers\n%s", len(kids), &said)
	}
	kill(t, kids[0])
	awaitUpdate(t, dir, 12, &said)
	kill(t, kids[1])
	awaitUpdate(t, dir, 18, &said)
	kids = children(t, c.Process.Pid)
	_ = c.Process.Kill()
	_ = c.Wait()
	for _, kid := range kids {
		awaitEnd(t, kid)
	}
	c = begin("train", "--resume", dir, "--workers", "1")
	awaitUpdate(t, dir, 26, &said)
	_ = c.Process.Signal(syscall.SIGTERM)
	_ = c.Wait()
	c = begin("train", "--resume", dir, "--workers", "3")
	if err := c.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	sameWeights(t, dir, want)
	if _, err := os.Stat(filepath.Join(dir, "broker")); !os.IsNotExist(err) {
		t.Errorf("the broker has left its folder: %v", err)
	}
}

// kill ends a process that is not asked.
func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// awaitUpdate waits until the metrics of a run are of at least an update.
func awaitUpdate(t *testing.T, dir string, n int, said *lines) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "metrics.jsonl"))
		if bytes.Count(text, []byte(`"kind":"update"`)) >= n {
			return
		}
	}
	t.Fatalf("update %d is not made\n%s", n, said)
}

// awaitEnd waits until a process is gone, or a zombie that nobody has asked after.
func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
	}
	t.Errorf("worker %d outlives its learner", pid)
}

// TestRunsOnABrokerOfOthers: a run, its workers and the look at them meet at a URL; the
// learner, stopped, gives the run back.
func TestRunsOnABrokerOfOthers(t *testing.T) {
	broker, err := fleet.Embed(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	if out, _, code, err := execute(t, Cluster(), "status", broker.URL()); code != 0 || out != "no run\n" {
		t.Errorf("an empty broker: code %d (%v), output %q", code, err, out)
	}
	config, dir := fleetConfig(t), filepath.Join(t.TempDir(), "led")
	want := straight(t, config)
	ctx, stop := context.WithCancel(t.Context())
	var said lines
	command := func(ctx context.Context, c *cobra.Command, args ...string) error {
		c.SetArgs(args)
		c.SetErr(&said)
		c.SetOut(&said)
		c.SilenceErrors, c.SilenceUsage = true, true
		return c.ExecuteContext(ctx)
	}
	worker := make(chan error, 1)
	go func() { worker <- command(ctx, Worker(), broker.URL(), "--processors", "2") }()
	first, halt := context.WithCancel(t.Context())
	learner := make(chan error, 1)
	go func() { learner <- command(first, Train(), config, "--run", dir, "--nats", broker.URL()) }()
	awaitUpdate(t, dir, 4, &said)
	out, _, code, err := execute(t, Cluster(), "status", broker.URL())
	if code != 0 || !strings.Contains(out, "run led: leduc, led by ") || !strings.Contains(out, "1 in all") || !strings.Contains(out, "being played") {
		t.Errorf("code %d (%v), output %q", code, err, out)
	}
	if out, _, code, err := execute(t, Cluster(), "status", broker.URL(), "--json"); code != 0 || !strings.Contains(out, `"run":"led"`) ||
		!strings.Contains(out, `"processors":2`) {
		t.Errorf("code %d (%v), output %q", code, err, out)
	}
	halt()
	if err := <-learner; !errors.Is(err, run.ErrStopped) {
		t.Fatalf("error %v, want a run that was stopped\n%s", err, &said)
	}
	if err := command(t.Context(), Train(), "--resume", dir, "--nats", broker.URL()); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	stop()
	if err := <-worker; err != nil {
		t.Errorf("the worker ends with %v", err)
	}
	sameWeights(t, dir, want)
	if strings.Contains(said.String(), "@") {
		t.Error("the token of the broker was told")
	}
}

func TestFleetCommandsRefuseWhatTheyCannotUse(t *testing.T) {
	config := fleetConfig(t)
	for want, args := range map[string][]string{
		"which broker":                 {"worker"},
		"--processors is -1":           {"worker", "nats://127.0.0.1:1", "--processors", "-1"},
		"broker at nats://127.0.":      {"worker", "nats://secret@127.0.0.1:1"},
		"two ways to say":              {"worker", "nats://127.0.0.1:1", "--creds", "a", "--nkey", "b"},
		"no such file":                 {"worker", "nats://127.0.0.1:1", "--creds", "a"},
		"nkey ":                        {"worker", "nats://127.0.0.1:1", "--nkey", config},
		"holds no certificate":         {"worker", "nats://127.0.0.1:1", "--tls-ca", config},
		"--workers is -1":              {"train", config, "--workers", "-1"},
		"--name is":                    {"worker", "nats://127.0.0.1:1", "--name", "a.b"},
		"broker at nats://127.0.0.1:1": {"worker", "nats://u:sec/ret@127.0.0.1:1"},
		"a user cannot be called":      {"cluster", "user", "a*b", "--dir", filepath.Dir(config)},
		"no role \"boss\"":             {"cluster", "user", "boss", "--dir", filepath.Dir(config), "--role", "boss"},
	} {
		t.Setenv(brokerVariable, "")
		root := &cobra.Command{}
		root.AddCommand(Worker(), Train(), Cluster())
		_, _, code, err := execute(t, root, args...)
		usage := want != "broker at nats://127.0." && want != "broker at nats://127.0.0.1:1" // where no broker is
		if usage != (code == 2) || code == 0 || err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") ||
			strings.Contains(err.Error(), "ret@") {
			t.Errorf("%v: code %d, error %v, want one line with %q", args, code, err, want)
		}
	}
}

// TestRefusalsComeBeforeWorkers: a run that cannot begin leaves nothing in its folder and hires
// nobody, whoever was to play, and one that another run is in the way of leaves that as it is.
func TestRefusalsComeBeforeWorkers(t *testing.T) {
	config := fleetConfig(t)
	t.Setenv(brokerVariable, "")
	for _, more := range [][]string{nil, {"--workers", "1"}} {
		dir := filepath.Join(t.TempDir(), "run")
		args := append([]string{"train", config, "--run", dir}, more...)
		root := func() *cobra.Command {
			root := &cobra.Command{}
			root.AddCommand(Train())
			return root
		}
		refused := func(want string, args ...string) {
			t.Helper()
			_, said, code, err := execute(t, root(), args...)
			if code != 2 || err == nil || !strings.Contains(err.Error(), want) || said != "" {
				t.Errorf("%v: code %d, error %v, said %q; want one with %q and nothing else", args, code, err, said, want)
			}
		}
		refused("network.from: no checkpoint at nowhere", append(args, "--set", "network.from=nowhere")...)
		if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
			t.Errorf("the folder holds %v", list)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		other := train.Default()
		other.Game = "leduc"
		text, err := other.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		refused("holds a run with another configuration", args...)
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("the folder holds %v (error %v), want its config alone", list, err)
		}
	}
}

// TestClusterUsers: the command writes a credential for its user alone, and users that a second
// call adds to; it makes no user twice, and leaves a file of somebody else's alone.
func TestClusterUsers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, args := range [][]string{{"user", "boss", "--role", "learner"}, {"user", "alice"}, {"user", "al"}} {
		out, _, code, err := execute(t, Cluster(), append(args, "--dir", dir)...)
		if code != 0 || !strings.Contains(out, filepath.Join(dir, args[1]+".nk")) {
			t.Errorf("%v: code %d (%v), output %q", args, code, err, out)
		}
	}
	users, err := os.ReadFile(filepath.Join(dir, fleet.UsersFile))
	if err != nil || strings.Count(string(users), "nkey: ") != 3 || strings.Count(string(users), "permissions: ") != 2 {
		t.Errorf("error %v, users\n%s", err, users)
	}
	credential := filepath.Join(dir, "alice.nk")
	if info, err := os.Stat(credential); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the credential has mode %v, error %v", info.Mode(), err)
	}
	if role, name := (fleet.Access{NKey: credential}).User(); role != fleet.RoleWorker || name != "alice" {
		t.Errorf("it is of %s %s", role, name)
	}
	before, _ := os.ReadFile(credential)
	if _, _, code, err := execute(t, Cluster(), "user", "alice", "--dir", dir); code == 0 || !strings.Contains(err.Error(), "already") {
		t.Errorf("twice: code %d, error %v", code, err)
	}
	if after, _ := os.ReadFile(credential); !bytes.Equal(before, after) {
		t.Error("the credential of a user is another now")
	}
	if err := os.WriteFile(filepath.Join(dir, fleet.UsersFile), []byte("accounts {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, code, err := execute(t, Cluster(), "user", "bob", "--dir", dir); code == 0 || !strings.Contains(err.Error(), "another directory") {
		t.Errorf("in a file of somebody else's: code %d, error %v", code, err)
	}
}
