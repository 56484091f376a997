package fleet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestTasksAreNotHeldForEver: somebody takes all tasks and says that it is at them, or ends them
// unanswered, for as long as the run lasts, as one that is banned may go on to do. The learner plays
// them, and learns what it would have.
func TestTasksAreNotHeldForEver(t *testing.T) {
	for name, treat := range map[string]func(jetstream.Msg) error{
		"held": jetstream.Msg.InProgress, "ended": jetstream.Msg.Ack,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t, config(t))
			js, err := jetstream.New(f.dial())
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan bool)
			go func() {
				defer close(done)
				var held []jetstream.Msg
				for ctx.Err() == nil {
					if queue, err := js.Consumer(ctx, names{"test"}.tasks(), workersQueue); err == nil {
						if batch, err := queue.FetchNoWait(100); err == nil {
							for m := range batch.Messages() {
								held = append(held, m)
							}
						}
					}
					for _, m := range held {
						if err := treat(m); errors.Is(err, jetstream.ErrMsgAlreadyAckd) {
							continue
						}
					}
					time.Sleep(pulse / 2)
				}
			}()
			f.updates(1, nil)
			cancel()
			<-done
			if c := f.check(1); c.Rescued == 0 || c.Quarantined != 0 {
				t.Errorf("the counts are %+v", c)
			}
			if said := f.log.String(); !strings.Contains(said, "is played here: somebody has taken it, and no part has come for ") {
				t.Errorf("said was\n%s", said)
			}
		})
	}
}
