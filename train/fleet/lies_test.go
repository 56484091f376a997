package fleet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train"
)

// TestRubbishIsRefused: a worker that makes parts up is banned, and the weights know nothing
// of it; others may be wrong in other ways.
func TestRubbishIsRefused(t *testing.T) {
	f := newFleet(t, config(t))
	conn := f.dial()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	send := func(task, worker, chunk string, v any) {
		data, ok := v.([]byte)
		if !ok {
			if data, err = packPart(v.(*train.Part)); err != nil {
				t.Error(err)
			}
		}
		m := nats.NewMsg(names{"test"}.partSubject(worker))
		m.Data = data
		m.Header.Set(headerTask, task)
		m.Header.Set(headerCopy, "copy of "+worker)
		m.Header.Set(headerChunk, chunk)
		if _, err := js.PublishMsg(t.Context(), m); err != nil {
			t.Error(err)
		}
	}
	for u := range 3 {
		var dismiss func() error
		f.updates(1, func(int) {
			// Of one task one part is looked at at a time, and others are not wanted meanwhile.
			send(fmt.Sprintf("%d.0", u), "liar", "0/1", &train.Part{})
			send(fmt.Sprintf("%d.3", u), "noise", "0/1", []byte("rubbish"))
			send(fmt.Sprintf("%d.6", u), "no@name", "x", &train.Part{})
			send(fmt.Sprintf("%d.9", u), "huge", "0/99999999", &train.Part{})
			send("9.0", "early", "0/1", &train.Part{})
			time.Sleep(heartbeat)
			_, dismiss = f.hire()
		})
		_ = dismiss() // nobody plays what the next rubbish is for
	}
	c := f.check(3)
	if c.Refused < 9 || c.Duplicates < 3 {
		t.Errorf("the counts are %+v", c)
	}
	if said := f.log.String(); !strings.Contains(said, "worker liar is banned") || !strings.Contains(said, "worker noise is banned") ||
		!strings.Contains(said, "worker no@name is banned") {
		t.Errorf("said was\n%s", said)
	}
}

// TestProbabilitiesAreChecked: a worker plays what it should, but says something else about the
// policy, from its first part on or from a later one; it is banned in one line, and what is
// learned is as if it had never been there.
func TestProbabilitiesAreChecked(t *testing.T) {
	for honest, lie := range []func(*train.Part){
		func(p *train.Part) {
			p.LogProbs[slices.IndexFunc(p.LogProbs, func(x float32) bool { return x != 0 })] -= 0.1
		},
		func(p *train.Part) {
			p.Values[slices.IndexFunc(p.Values, func(x float32) bool { return x != 0 })] += 0.1
		},
	} {
		f := newFleet(t, config(t))
		f.learner.options.Sample = 1
		if honest == 0 {
			f.learner.options.Sample = 0 // but of its first part
		}
		js, err := jetstream.New(f.dial())
		if err != nil {
			t.Fatal(err)
		}
		w := &worker{names: names{"test"}, js: js, shelf: shelf{names{"test"}, js}, name: "liar"}
		actor, err := train.NewActor(f.config)
		if err != nil {
			t.Fatal(err)
		}
		defer actor.Close()
		f.updates(1, func(int) {
			for sent := 0; sent <= honest; {
				queue, err := js.Consumer(t.Context(), w.tasks(), workersQueue)
				if err != nil {
					continue
				}
				batch, err := queue.Fetch(1, jetstream.FetchMaxWait(heartbeat))
				if err != nil {
					continue
				}
				for m := range batch.Messages() {
					var task train.Task
					if err := unpack(m.Data(), &task, taskBounds); err != nil {
						t.Error(err)
					}
					part, err := actor.Play(&task, func(d train.Digest) ([]byte, error) { return w.fetch(t.Context(), d, needs(&task)) })
					if err != nil {
						t.Error(err)
					}
					if sent++; sent > honest {
						lie(part)
					}
					data, err := packPart(part)
					if err := errors.Join(err, w.send(t.Context(), m.Headers().Get(headerTask), 1, data), m.DoubleAck(t.Context())); err != nil {
						t.Error(err)
					}
				}
			}
			f.hire()
		})
		f.updates(1, nil)
		if c := f.check(2); c.Refused != 1 {
			t.Errorf("the counts are %+v", c)
		}
		said := f.log.String()
		if strings.Count(said, "worker liar is banned from the run: not what was played: not by the weights: step ") != 1 {
			t.Errorf("said was\n%s", said)
		}
	}
}
