package serve_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/roster"
	"powderkeg/serve"
	"powderkeg/serve/client"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"
)

func TestRunServesSocketsAndMetricsUntilItsContextEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	ctx, cancel := context.WithCancel(t.Context())
	type addresses struct {
		sockets []net.Addr
		http    net.Addr
	}
	ready, done := make(chan addresses, 1), make(chan error, 1)
	go func() {
		done <- serve.Run(ctx, serve.Config{
			Listen: []string{"unix:" + path, "tcp:127.0.0.1:0"}, HTTP: "127.0.0.1:0", Server: config(),
			Ready: func(sockets []net.Addr, http net.Addr) { ready <- addresses{sockets, http} },
		})
	}()
	at := <-ready
	for _, a := range at.sockets {
		c, err := client.Dial(ctx, a.Network()+":"+a.String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Games(ctx); err != nil {
			t.Errorf("%s: %v", a, err)
		}
		defer c.Close()
	}
	for path, want := range map[string]string{"/healthz": "ok\n", "/metrics": "powderkeg_serve_connections_accepted_total 2\n"} {
		r, err := http.Get("http://" + at.http.String() + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s answers %s, error %v, %d bytes without %q", path, r.Status, err, len(body), want)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there (%v)", err)
	}
}

func TestRunRefusesWhatItCannotServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	bad := config()
	bad.Workers = 0
	for _, c := range []struct {
		name   string
		config serve.Config
		want   string
	}{
		{"no address", serve.Config{Server: config()}, "nothing to listen on"},
		{"address", serve.Config{Listen: []string{path}, Server: config()}, "have unix:PATH"},
		{"the second address", serve.Config{Listen: []string{"unix:" + path, "tcp:0.0.0.0:1"}, Server: config()}, "other machines"},
		{"metrics for other machines", serve.Config{Listen: []string{"unix:" + path}, HTTP: ":9090", Server: config()}, "other machines"},
		{"limits", serve.Config{Listen: []string{"unix:" + path}, Server: bad}, "workers is 0"},
	} {
		err := serve.Run(t.Context(), c.config)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want it to contain %q", c.name, err, c.want)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s: the socket has been left behind (%v)", c.name, err)
		}
	}
}

// What the default configuration offers, the roster can make, and what would
// read the server's terminal or choose its files is not offered.
func TestDefaultAgentsAreThoseOfTheRosterThatAreSafe(t *testing.T) {
	got, want := slices.Sorted(slices.Values(server.Default().Agents)), slices.Sorted(slices.Values(roster.Limits{}.Names()))
	if !slices.Equal(got, want) {
		t.Errorf("%q are offered, want %q", got, want)
	}
}

func Example() {
	folder, err := os.MkdirTemp("", "powderkeg-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	address := "unix:" + filepath.Join(folder, "socket")
	config := server.Default()
	config.NewAgent = roster.New
	ctx, stop := context.WithCancel(context.Background())
	ready, done := make(chan struct{}), make(chan error)
	go func() {
		done <- serve.Run(ctx, serve.Config{Listen: []string{address}, Server: config, Ready: func([]net.Addr, net.Addr) { close(ready) }})
	}()
	<-ready

	c, err := client.Dial(ctx, address)
	if err != nil {
		panic(err)
	}
	seed := uint64(1)
	env, err := c.MakeEnv(ctx, &protocol.EnvMake{Game: "tictactoe", Seed: &seed, Agents: []string{"", "scripted"}})
	if err != nil {
		panic(err)
	}
	step := &env.Made.Step
	for !step.Terminated {
		first := slices.Index(step.Mask, 1)
		if err := env.Step(ctx, protocol.ByNumber(first), step); err != nil {
			panic(err)
		}
	}
	fmt.Println("decisions:", step.Decisions, "returns:", step.Returns)
	c.Close()
	stop()
	fmt.Println(<-done)
	// Output:
	// decisions: 3 returns: [-1 1]
	// <nil>
}
