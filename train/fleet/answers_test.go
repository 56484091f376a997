package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train/job"
)

// TestLearnersWaitForWhatPasses: a broker answers a learner's first question, however often it is
// asked, with what a cluster without a leader or without enough nodes says, or there is nobody to
// answer; the learner goes on asking. It ends with what stays as it is.
func TestLearnersWaitForWhatPasses(t *testing.T) {
	for _, c := range []struct {
		code   int
		err    jetstream.ErrorCode
		says   string
		passes bool
	}{
		{503, 10008, "JetStream system temporarily unavailable", true},
		{503, 10023, "insufficient resources", true},
		{503, jetstream.JSErrCodeJetStreamNotEnabled, "jetstream not enabled", true},
		{500, 10009, "JetStream cluster can not handle request", true},
		{500, 10047, "insufficient storage resources available", true},
		{500, 10118, "stream is offline", true},
		{400, noPeers, "no suitable peers for placement", true},
		{0, 0, "jetstream not enabled", true}, // as the client says where nobody answers,
		{503, notForThisAccount, "jetstream not enabled for account", false},
		{500, noCluster, "replicas > 1 not supported in non-clustered mode", false},
		{400, jetstream.JSErrCodeStreamNameInUse, "stream name already in use with a different configuration", false},
	} {
		t.Run(c.says, func(t *testing.T) {
			conn := saying(t, c.code, c.err, c.says)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			enough := errors.New("the learner waits")
			var said log
			waits := func(format string, args ...any) {
				said.tell(format, args...)
				if c.code == 0 { // it is told once, and nobody hears it ask again
					cancel(enough)
				}
			}
			if c.code != 0 {
				asked := make(chan bool, 100)
				if _, err := conn.Subscribe("$JS.API.>", func(*nats.Msg) { asked <- true }); err != nil {
					t.Fatal(err)
				}
				go func() {
					for range 3 {
						select {
						case <-asked:
						case <-ctx.Done():
						}
					}
					cancel(enough)
				}()
			}
			_, err := Lead(ctx, dialled(t, conn), Options{Run: "test", Tell: waits})
			if waited := errors.Is(err, enough); waited != c.passes || !waited && !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("the error is %v", err)
			}
			if said := said.String(); c.passes && strings.Count(said, c.says) != 1 {
				t.Errorf("said was %q", said)
			}
		})
	}
}

// saying makes a broker whose JetStream has one answer to everything, and a connection to it.
func saying(t *testing.T, code int, err jetstream.ErrorCode, text string) *nats.Conn {
	t.Helper()
	s := start(t, &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT})
	if !s.ReadyForConnections(patiently) {
		t.Fatal("the broker does not start")
	}
	conn, failed := nats.Connect("nats://" + s.Addr().String())
	if failed != nil {
		t.Fatal(failed)
	}
	t.Cleanup(conn.Close)
	if code == 0 {
		return conn
	}
	answer := fmt.Sprintf(`{"type":"io.nats.jetstream.api.v1.stream_update_response","error":{"code":%d,"err_code":%d,"description":%q}}`, code, err,
		text)
	if _, err := conn.Subscribe("$JS.API.>", func(m *nats.Msg) { _ = m.Respond([]byte(answer)) }); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	return conn
}

// dialled is another connection to the same broker.
func dialled(t *testing.T, other *nats.Conn) *nats.Conn {
	t.Helper()
	conn, err := Dial(other.ConnectedUrl(), "test", Access{}, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// TestWeightsAreWaitedFor: a cluster that has lost its leader says so at once, as often as it is
// asked; who wants weights from it does not use its tries up in the same moment.
func TestWeightsAreWaitedFor(t *testing.T) {
	conn := saying(t, 503, 10008, "JetStream system temporarily unavailable")
	js, err := jetstream.New(dialled(t, conn))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	asked, again := make(chan bool, 100), sync.OnceFunc(cancel)
	if _, err := conn.Subscribe("$JS.API.>", func(*nats.Msg) { asked <- true }); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	go func() {
		<-asked
		<-asked
		again()
	}()
	if _, err := (shelf{names{"test"}, js}).get(ctx, job.Digest{}); err == nil {
		t.Error("weights come from nowhere")
	}
	if took := time.Since(begin); took < patience/2 {
		t.Errorf("it was asked again after %v", took)
	}
}
