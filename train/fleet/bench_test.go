package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train"
)

// BenchmarkBroker measures what the embedded server takes and gives back a second, over the
// loopback interface, with eight senders who wait for each answer, as workers do, and a reader
// who acknowledges, as the learner does. The bytes are counted once.
func BenchmarkBroker(b *testing.B) {
	for _, storage := range []jetstream.StorageType{jetstream.MemoryStorage, jetstream.FileStorage} {
		for _, size := range []int{11 << 10, 64 << 10, chunkSize} {
			b.Run(fmt.Sprintf("storage=%s/size=%dK", strings.ToLower(storage.String()), size>>10), func(b *testing.B) {
				carry(b, storage, size)
			})
		}
	}
}

// carry sends and reads b.N messages.
func carry(b *testing.B, storage jetstream.StorageType, size int) {
	e, err := Embed(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	conn, err := nats.Connect(e.URL())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		b.Fatal(err)
	}
	stream, err := js.CreateStream(b.Context(), jetstream.StreamConfig{
		Name: "parts", Subjects: []string{"part"}, Storage: storage, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxBytes: maxHeld,
	})
	if err != nil {
		b.Fatal(err)
	}
	queue, err := stream.CreateConsumer(b.Context(), jetstream.ConsumerConfig{Durable: "learner", AckPolicy: jetstream.AckExplicitPolicy,
		MaxAckPending: 1 << 16})
	if err != nil {
		b.Fatal(err)
	}
	list, err := queue.Messages(jetstream.PullMaxMessages(64))
	if err != nil {
		b.Fatal(err)
	}
	defer list.Stop()
	data := make([]byte, size)
	_, _ = rand.Read(data) // never fails
	b.SetBytes(int64(size))
	b.ResetTimer()
	var left atomic.Int64
	left.Store(int64(b.N))
	var group sync.WaitGroup
	for range 8 {
		own, err := nats.Connect(e.URL())
		if err != nil {
			b.Fatal(err)
		}
		defer own.Close()
		js, err := jetstream.New(own)
		if err != nil {
			b.Fatal(err)
		}
		group.Go(func() {
			for left.Add(-1) >= 0 {
				for {
					if _, err := js.Publish(b.Context(), "part", data); err == nil {
						break
					}
					pause(b.Context(), 10*time.Millisecond) // the stream is full
				}
			}
		})
	}
	for range b.N {
		m, err := list.Next()
		if err == nil {
			err = m.Ack()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	group.Wait()
}

// number is a setting of a benchmark, from the environment.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv("POWDERKEG_FLEET_" + name)); err == nil {
		return n
	}
	return otherwise
}

// BenchmarkManyWorkers is a learner with 200 workers and three brokers, in one process, with
// everything real but the games: workers take tasks, fetch each update's weights, and send
// parts of the size of recorded ones, after the time that their processor would need; the
// learner joins and counts them. An iteration is an update; the next is handed out at once.
//
//	WORKERS=200  DECISIONS=2048 (of a task)  RATE=30000 (decisions a second of a worker)
//	BYTES=11 (a decision)  WEIGHTS=900000 (bytes)  BROKERS=3  REPLICAS=1
//
// each with the prefix POWDERKEG_FLEET_.
func BenchmarkManyWorkers(b *testing.B) {
	workers, decisions, rate := number("WORKERS", 200), number("DECISIONS", 2048), number("RATE", 30_000)
	part := make([]byte, decisions*number("BYTES", 11))
	_, _ = rand.Read(part) // never fails
	_, urls := cluster(b, number("BROKERS", 3))
	conn, err := Dial(urls, "learner", Access{Inbox: LearnerInbox}, b.Logf)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	o := Options{Run: "test", Replicas: number("REPLICAS", 1), Quarantine: b.TempDir(), Tell: b.Logf}
	l, err := Lead(b.Context(), conn, o)
	for end := time.Now().Add(patiently); err != nil && time.Now().Before(end); l, err = Lead(b.Context(), conn, o) {
		pause(b.Context(), heartbeat/3) // until the brokers know each other
	}
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var group sync.WaitGroup
	var fetched atomic.Int64
	for range workers {
		group.Go(func() {
			if err := idle(ctx, urls, part, time.Duration(decisions)*time.Second/time.Duration(rate), &fetched); err != nil && ctx.Err() == nil {
				b.Error(err)
			}
		})
	}
	defer group.Wait()
	defer stop()
	weights := make([]byte, number("WEIGHTS", 900_000))
	var times []time.Duration
	b.SetBytes(int64(workers * len(part)))
	update := func(u int) {
		_, _ = rand.Read(weights)
		name := train.Digest(sha256.Sum256(weights))
		var pieces []piece
		for n := range workers {
			pieces = append(pieces, piece{
				id: fmt.Sprintf("%d.%d", u, n), kind: kindRollout, name: "task", message: train.Task{Update: int64(u), From: n, Net: name},
				take: func(string, []byte) error { return nil },
				own:  func(context.Context) error { return nil }, // quarantined, and counted so
			})
		}
		if err := l.serve(ctx, pieces, map[train.Digest][]byte{name: weights}); err != nil {
			b.Fatal(err)
		}
	}
	update(0)
	b.ResetTimer()
	for n := range b.N {
		begin := time.Now()
		update(n + 1)
		times = append(times, time.Since(begin))
	}
	b.StopTimer()
	slices.Sort(times)
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(b.N*workers*decisions)/seconds, "decisions/s")
	b.ReportMetric(float64(fetched.Load()-int64(workers))*float64(len(weights))/seconds/1e6, "weightsMB/s")
	b.ReportMetric(times[len(times)/2].Seconds(), "s/median")
	b.ReportMetric(times[len(times)*95/100].Seconds(), "s/p95")
	c := l.Counts()
	b.ReportMetric(float64(c.Redelivered+c.HandedAgain+c.Quarantined), "again")
}

// idle is a worker that waits instead of playing.
func idle(ctx context.Context, urls string, part []byte, play time.Duration, fetched *atomic.Int64) error {
	conn, err := Dial(urls, "worker", Access{}, func(string, ...any) {})
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	w := &worker{names: names{"test"}, js: js, shelf: shelf{names{"test"}, js}, name: rand.Text()}
	queue, err := js.Consumer(ctx, w.tasks(), workersQueue)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		batch, err := queue.Fetch(1, jetstream.FetchMaxWait(heartbeat))
		if err != nil {
			continue
		}
		for m := range batch.Messages() {
			var task train.Task
			if err := unpack(m.Data(), &task, taskBounds); err != nil {
				return err
			}
			stop := w.beat(m)
			_, known := w.cache[task.Net]
			if _, err := w.fetch(ctx, task.Net, []train.Digest{task.Net}); err != nil {
				stop()
				_ = m.Nak() // as a worker does
				continue
			}
			if !known {
				fetched.Add(1)
			}
			pause(ctx, play)
			err := w.send(ctx, m.Headers().Get(headerTask), 1, part)
			stop()
			if err == nil {
				_ = m.DoubleAck(ctx) // or it is handed out again
			}
		}
	}
	return nil
}
