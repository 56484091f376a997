package server_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/serve/protocol"
	"powderkeg/serve/server"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestGamesAndSpecTellTheFacts(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	list, err := c.Games(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, info := range list {
		seen[info.Name] = true
		spec, err := c.Spec(t.Context(), info.Name)
		if err != nil {
			t.Fatal(err)
		}
		want := enginetest.Game(t, info.Name).Spec()
		if spec.Game != want.Text || spec.Title != info.Title || spec.Seats != info.Players || int64(len(spec.Actions)) != info.Actions ||
			int64(spec.Layout.Size) != info.ObservationSize || spec.MaxDecisions != info.MaxDecisions || spec.Version != int64(want.Version) {
			t.Errorf("%s: games says %+v, spec says %+v", info.Name, info, spec)
		}
		if spec.LayoutHash != spec.Layout.Hash() {
			t.Errorf("%s: the layout that came has hash %s, the server says %s", info.Name, spec.Layout.Hash(), spec.LayoutHash)
		}
		if len(spec.VocabularyHash) != 64 || spec.MinReturn >= spec.MaxReturn {
			t.Errorf("%s: vocabulary hash %q, returns from %g to %g", info.Name, spec.VocabularyHash, spec.MinReturn, spec.MaxReturn)
		}
	}
	for _, name := range tested {
		if !seen[name] {
			t.Errorf("games does not list %s", name)
		}
	}
}

func TestLegalTellsNamesAndDescriptions(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Position: `{"cards":["K","Q"],"actions":["bet"]}`})
	if err != nil {
		t.Fatal(err)
	}
	legal, err := e.Legal(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if legal.Actor != 1 || strings.Join(legal.Names, " ") != "pass bet" || strings.Join(legal.Descriptions, " ") != "fold call" ||
		len(legal.Actions) != 2 {
		t.Errorf("got %+v, want seat 1 to pass (fold) or bet (call)", legal)
	}
}

func TestListenTakesLocalAddressesOnly(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ address, want string }{
		{"tcp:0.0.0.0:0", "other machines"},
		{"tcp::0", "other machines"},
		{"tcp:[::]:0", "other machines"},
		{"tcp:192.0.2.1:7777", "other machines"},
		{"tcp:127.0.0.1", "missing port"},
		{"udp:127.0.0.1:1", "no address; have unix:PATH"},
		{"/run/socket", "no address; have unix:PATH"},
		{"unix:", "no address; have unix:PATH"},
		{"unix:" + file, "in use"},
		{"unix:" + filepath.Join(folder, "none", "s"), "no such file"},
	} {
		l, err := server.Listen(c.address)
		if err == nil {
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want it to contain %q", c.address, err, c.want)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "precious" {
		t.Errorf("a file in the way holds %q, error %v, want it left alone", data, err)
	}

	l, err := server.Listen("tcp:127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()

	path := filepath.Join(folder, "s")
	first, err := server.Listen("unix:" + path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v, error %v, want 0600", info.Mode(), err)
	}
	if _, err := server.Listen("unix:" + path); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a socket that is served: got error %v, want that it is in use", err)
	}
	first.(*net.UnixListener).SetUnlinkOnClose(false)
	first.Close()
	second, err := server.Listen("unix:" + path)
	if err != nil {
		t.Fatalf("a socket that a dead server has left: %v", err)
	}
	second.Close()
}

// far is a listener that other machines could reach.
type far struct{ net.Listener }

func (far) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4zero, Port: 1} }

func TestServeRefusesWhatItCannotDo(t *testing.T) {
	s, err := server.New(config())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context(), far{}); err == nil || !strings.Contains(err.Error(), "other machines") {
		t.Errorf("a listener for other machines: got error %v", err)
	}
	if err := s.Serve(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing to listen on") {
		t.Errorf("no listener: got error %v", err)
	}
	l, err := server.Listen("tcp:127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := s.Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed listener: got error %v", err)
	}
	if err := s.Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("serving twice: got error %v", err)
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	err := server.Config{AllEnvironments: -1, Positions: "some"}.Validate()
	for _, want := range []string{"frame-bytes", "connections", " environments", "all-environments", "agents-per-connection", "memory-bytes", "workers",
		"idle-timeout", "read-timeout", "write-timeout", "request-timeout", "drain-timeout", `"some"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to name %s", err, want)
		}
	}
	if err := server.Default().Validate(); err != nil {
		t.Errorf("the default configuration: %v", err)
	}
}

func TestMetricsCountWhatHappens(t *testing.T) {
	reg := prometheus.NewRegistry()
	cfg := config()
	cfg.Metrics = server.NewMetrics(reg)
	address, stop := start(t, cfg)
	c := dial(t, address)
	e, err := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "kuhn", Agents: []string{"", "first"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Step(t.Context(), protocol.ByName("pass"), &e.Made.Step); err != nil {
		t.Fatal(err)
	}
	v, err := c.MakeVec(t.Context(), &protocol.VecMake{Game: "kuhn", Envs: 3})
	if err != nil {
		t.Fatal(err)
	}
	var r protocol.VecResult
	if err := v.Reset(t.Context(), 1, &r); err != nil {
		t.Fatal(err)
	}
	if err := v.Step(t.Context(), []engine.Action{0, 0, 0}, &r); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "nonsense", c.Call(t.Context(), "nonsense", nil, nil), protocol.CodeMethod)
	c.Close()
	stop()
	if faults, err := testutil.GatherAndLint(reg); err != nil || len(faults) > 0 {
		t.Errorf("the linter says %v, error %v, want nothing", faults, err)
	}
	want := `
# HELP powderkeg_serve_agents Agents that are loaded, those that play seats of environments included.
# TYPE powderkeg_serve_agents gauge
powderkeg_serve_agents 0
# HELP powderkeg_serve_connections Connections that are open and have said hello.
# TYPE powderkeg_serve_connections gauge
powderkeg_serve_connections 0
# HELP powderkeg_serve_connections_accepted_total Connections that were accepted.
# TYPE powderkeg_serve_connections_accepted_total counter
powderkeg_serve_connections_accepted_total 1
# HELP powderkeg_serve_decisions_total Decisions played, by who chose them: a client in an env or a vec, an agent that plays a seat, or the agents of a dataset, when its rows are sent.
# TYPE powderkeg_serve_decisions_total counter
powderkeg_serve_decisions_total{by="agent"} 1
powderkeg_serve_decisions_total{by="dataset"} 0
powderkeg_serve_decisions_total{by="env"} 1
powderkeg_serve_decisions_total{by="vec"} 3
# HELP powderkeg_serve_environments Environments that are open, slots of vectorised ones included.
# TYPE powderkeg_serve_environments gauge
powderkeg_serve_environments 0
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "powderkeg_serve_agents", "powderkeg_serve_connections",
		"powderkeg_serve_connections_accepted_total", "powderkeg_serve_decisions_total", "powderkeg_serve_environments"); err != nil {
		t.Error(err)
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "powderkeg_serve_responses_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			code, n := m.GetLabel()[0].GetValue(), m.GetCounter().GetValue()
			if want := map[string]float64{"ok": 6, "method": 1}[code]; n != want {
				t.Errorf("%g responses with code %s, want %g", n, code, want)
			}
		}
	}
}

func TestReadinessFollowsTheServer(t *testing.T) {
	reg := prometheus.NewRegistry()
	cfg := config()
	cfg.Metrics = server.NewMetrics(reg)
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		s.Handler(reg).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	if code, _ := get("/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("before it serves: /readyz answers %d, want 503", code)
	}
	p := newPipes()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, p) }()
	r := p.dial(t)
	r.greet()
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if code, body := get(path); code != http.StatusOK || body != want {
			t.Errorf("while it serves: %s answers %d %q, want 200 %q", path, code, body, want)
		}
	}
	if code, body := get("/metrics"); code != http.StatusOK || !strings.Contains(body, "powderkeg_serve_connections 1\n") {
		t.Errorf("/metrics answers %d and no connection:\n%s", code, body)
	}
	r.conn.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if code, _ := get("/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("after it served: /readyz answers %d, want 503", code)
	}
}
