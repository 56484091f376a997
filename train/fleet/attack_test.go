package fleet

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

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
	banned := func() error {
		_, err := f.learner.bucket.Get(t.Context(), bannedKey+"bob")
		return err
	}
	u := 0
	during := func(int) {
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
	}
	for ; u < 4 || u < 40 && banned() != nil; u++ { // on a busy machine an update may be over before what bob sends is read
		f.updates(1, during)
	}
	f.check(u)
	said := f.log.String()
	if strings.Contains(said, "worker alice is refused") || strings.Contains(said, "worker alice is banned") {
		t.Errorf("said was\n%s", said)
	}
	if err := banned(); err != nil {
		t.Fatalf("bob is not banned: %v\n%s", err, said)
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

// TestFloodsEndNoRun: a worker sends thousands of all that it may, with and without a place for the
// answer: it asks, takes every task for an hour, ends, delays and holds the tasks of others by guesses,
// and sends parts and reports that are to replace all others or to be the last of their kind. The run
// learns what it would have, nobody is banned for it but the sender, and when that is gone the
// others work as before.
func TestFloodsEndNoRun(t *testing.T) {
	d := deploy(t)
	f := d.lead(t)
	d.work(t, f, "alice")
	evil := d.as(t, "bob")
	if _, err := evil.Subscribe(UserInbox("bob")+".>", func(*nats.Msg) {}); err != nil {
		t.Fatal(err)
	}
	f.updates(1, func(int) { t.Logf("bob ends with: %v", flood(evil)) })
	evil.Close()
	before := f.learner.Counts()
	f.updates(3, nil)
	if c := f.check(4); c.Rescued > before.Rescued+int64(f.config.Shards) { // what was taken before
		t.Errorf("with nobody else there the others do not work: %+v, before %+v", c, before)
	}
	said := f.log.String()
	if strings.Contains(said, "worker alice is refused") || strings.Contains(said, "worker alice is banned") {
		t.Errorf("said was\n%s", said)
	}
}

// flood sends thousands of all that bob may, as long as the broker listens.
func flood(evil *nats.Conn) (cut error) {
	n := names{"test"}
	queue := n.tasks() + "." + workersQueue
	send := func(subject, reply string, data []byte, header ...string) {
		m := nats.NewMsg(imported(subject))
		m.Reply, m.Data = reply, data
		for i := 0; i+1 < len(header); i += 2 {
			m.Header.Set(header[i], header[i+1])
		}
		cut = cmp.Or(cut, evil.PublishMsg(m))
	}
	reply := UserInbox("bob") + ".x"
	for i := range 2000 {
		for _, to := range []string{"", reply} {
			send("$JS.API.CONSUMER.MSG.NEXT."+queue, to, fmt.Appendf(nil, `{"batch":%d,"expires":%d}`, 1+i%7*1000, time.Hour))
			send("$JS.API.STREAM.INFO."+n.tasks(), to, []byte(`{"deleted_details":true,"subjects_filter":">"}`))
			send("$JS.API.STREAM.NAMES", to, nil)
			send("$JS.API.CONSUMER.INFO."+queue, to, nil)
			send("$JS.API.DIRECT.GET.KV_"+n.bucket(), to, []byte(`{"seq":1,"batch":1000000,"max_bytes":1000000000}`))
			send("$JS.API.DIRECT.GET."+n.weights(), to, []byte(`{"multi_last":[">"],"batch":1000000}`))
		}
		for _, end := range []string{"+TERM", "-NAK {\"delay\": 3600000000000}", "+WPI", "+NXT {\"batch\":1000}", "rubbish"} {
			send(fmt.Sprintf("$JS.ACK.%s.1.%d.%d.%d.0", queue, i, i, time.Now().UnixNano()), reply, []byte(end))
		}
		header := []string{
			headerTask, "0.0", headerCopy, rand.Text(), headerChunk, "0/2", nats.MsgIdHdr, fmt.Sprint(i % 3), jetstream.MsgRollup, jetstream.MsgRollupAll,
			"Nats-TTL", "1s", "Nats-Schedule", "@every 1s", "Nats-Schedule-Target", n.taskSubject(), "Nats-Batch-Id", "x", "Nats-Batch-Sequence", "1",
			"Nats-Incr", "+1",
		}
		for last := range len(header)/2 + 1 {
			if i%100 == 0 || last == 3 {
				send(n.partSubject("bob"), "", make([]byte, 1<<10), header[:2*last]...)
				send(n.reportSubject("bob", fmt.Sprint("x", i)), reply, make([]byte, 1<<10), header[:2*last]...)
			}
		}
	}
	return cmp.Or(cut, evil.FlushTimeout(patiently))
}

// TestWorkersMakeNothingAtTheBroker: no stream that mirrors, sources or republishes another, or takes its
// subjects, no consumer that delivers to a subject of its choice, in any form of the request; nothing
// of the broker itself. All that there is stays as it was.
func TestWorkersMakeNothingAtTheBroker(t *testing.T) {
	d := deploy(t)
	d.lead(t)
	n, evil := names{"test"}, d.as(t, "bob")
	js, err := open(d.as(t, "learner"))
	if err != nil {
		t.Fatal(err)
	}
	before := atBroker(t, js)
	own := UserInbox("bob") + ".x"
	for _, m := range []struct{ call, body string }{
		{"STREAM.CREATE.OWN", `{"name":"OWN","subjects":["own.>"]}`},
		{"STREAM.CREATE.OWN", `{"name":"OWN","mirror":{"name":"` + n.parts() + `"}}`},
		{"STREAM.CREATE.OWN", `{"name":"OWN","sources":[{"name":"` + n.weights() + `"}]}`},
		{"STREAM.CREATE.OWN", `{"name":"OWN","subjects":["` + UserInbox("bob") + `.>"],"republish":{"src":">","dest":"` + n.taskSubject() + `"}}`},
		{"STREAM.CREATE.OWN", `{"name":"OWN","subjects":["` + n.partSubject("bob") + `"]}`},
		{"STREAM.UPDATE." + n.parts(), `{"name":"` + n.parts() + `","subjects":["` + n.partSubject("*") + `"],"republish":{"src":">","dest":"` + own +
			`"}}`},
		{"CONSUMER.CREATE." + n.parts(), `{"stream_name":"` + n.parts() + `","config":{"deliver_subject":"` + own + `","ack_policy":"none"}}`},
		{"CONSUMER.CREATE." + n.tasks() + ".OWN", `{"stream_name":"` + n.tasks() + `","config":{"name":"OWN","deliver_subject":"` + n.partSubject("alice") +
			`"}}`},
		{"CONSUMER.CREATE." + n.weights() + ".OWN." + n.weightSubject("*", "*"),
			`{"stream_name":"` + n.weights() + `","config":{"name":"OWN","deliver_subject":"` + own + `"}}`},
		{"CONSUMER.DURABLE.CREATE." + n.weights() + ".OWN", `{"stream_name":"` + n.weights() + `","config":{"durable_name":"OWN","deliver_subject":"` +
			own + `"}}`},
		{"CONSUMER.DELETE." + n.tasks() + "." + workersQueue, ""}, {"CONSUMER.PAUSE." + n.tasks() + "." + workersQueue,
			`{"pause_until":"2100-01-01T00:00:00Z"}`},
		{"CONSUMER.RESET." + n.tasks() + "." + workersQueue, ""}, {"CONSUMER.UNPIN." + n.tasks() + "." + workersQueue, `{"group":"x"}`},
		{"CONSUMER.LEADER.STEPDOWN." + n.tasks() + "." + workersQueue, ""}, {"CONSUMER.LIST." + n.tasks(), ""}, {"CONSUMER.NAMES." + n.tasks(), ""},
		{"CONSUMER.MSG.NEXT." + n.parts() + "." + learnerQueue, ""}, {"STREAM.LIST", ""}, {"STREAM.SNAPSHOT." + n.weights(),
			`{"deliver_subject":"` + own + `"}`},
		{"STREAM.RESTORE.OWN", `{"config":{"name":"OWN"}}`}, {"STREAM.LEADER.STEPDOWN." + n.tasks(), ""}, {"STREAM.PEER.REMOVE." + n.tasks(),
			`{"peer":"x"}`},
		{"STREAM.PURGE." + n.tasks(), ""}, {"STREAM.DELETE." + n.tasks(), ""}, {"STREAM.MSG.DELETE." + n.tasks(),
			`{"seq":1}`}, {"STREAM.MSG.GET." + n.parts(), `{"seq":1}`},
		{"META.LEADER.STEPDOWN", ""}, {"SERVER.REMOVE", `{"peer":"x"}`}, {"ACCOUNT.PURGE.POWDERKEG", ""}, {"INFO", ""},
	} {
		for _, subject := range []string{defaultAPI + "." + m.call, imported(defaultAPI + "." + m.call)} {
			if err := errors.Join(evil.PublishRequest(subject, own, []byte(m.body)), evil.Flush()); err != nil {
				t.Fatal(err)
			}
			if err := evil.LastError(); !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), fmt.Sprintf("%q", subject)) {
				t.Errorf("%s %s: error %v", subject, m.body, err)
			}
		}
	}
	if after := atBroker(t, js); after != before {
		t.Errorf("the broker has\n%s\nand had\n%s", after, before)
	}
}

// atBroker lists what a broker has, with the settings.
func atBroker(t *testing.T, js jetstream.JetStream) string {
	t.Helper()
	var text strings.Builder
	streams := js.ListStreams(t.Context())
	for s := range streams.Info() {
		fmt.Fprintf(&text, "%+v\n", s.Config)
		stream, err := js.Stream(t.Context(), s.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		consumers := stream.ListConsumers(t.Context())
		for c := range consumers.Info() {
			fmt.Fprintf(&text, " %+v\n", c.Config)
		}
		if err := consumers.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
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
