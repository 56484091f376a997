package fleet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/train"
)

// play is one call of Play.
type play struct {
	*Learner
	ctx     context.Context
	pieces  []piece
	waiting map[string]int // tasks without a part, by id
	tries   map[string]int
	at      map[uint64]string       // tasks by their sequence in the stream
	needed  map[train.Digest][]byte // weights that the tasks name
	heard   time.Time               // when a message last came
	taken   time.Time               // when a part of a worker was last taken, or the play began
	trying  map[string]bool         // tasks of which a part is being played again
	tried   chan outcome
}

// serve has pieces done.
func (l *Learner) serve(ctx context.Context, pieces []piece, needed map[train.Digest][]byte) error {
	l.busy.Lock()
	defer l.busy.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(l.ctx, func() { cancel(context.Cause(l.ctx)) })()
	p := &play{
		Learner: l, ctx: ctx, pieces: pieces, waiting: map[string]int{}, tries: map[string]int{}, at: map[uint64]string{},
		heard: time.Now(), taken: time.Now(), trying: map[string]bool{}, tried: make(chan outcome), needed: needed,
	}
	clear(l.joined)
	l.held = 0
	for n := range pieces {
		p.waiting[pieces[n].id] = n
	}
	err := p.run()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

func (p *play) run() error {
	var messages <-chan jetstream.Msg
	stop := func() {}
	defer func() { stop() }()
	open := func() (err error) {
		stop()
		messages, stop, err = p.open()
		return err
	}
	if err := p.insist(open); err != nil {
		return err
	}
	advisories := make(chan *nats.Msg, 64)
	sub, err := p.conn.ChanSubscribe("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES."+p.Learner.tasks()+"."+workersQueue, advisories)
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }() // it ends with the connection at the latest
	if err := p.insist(p.upload); err != nil {
		return err
	}
	if err := p.handAll(); err != nil {
		return err
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for len(p.waiting) > 0 {
		var err error
		select {
		case <-p.ctx.Done():
			err = p.ctx.Err()
		case m := <-messages:
			p.heard = time.Now()
			err = p.receive(m)
		case o := <-p.tried:
			delete(p.trying, o.task)
			if err = p.settle(o); err == nil && o.here && p.stands() {
				p.rescue()
			}
		case m := <-advisories:
			err = p.quarantine(m.Data)
		case <-tick.C:
			if time.Since(p.heard) > 2*heartbeat && len(p.trying) == 0 {
				p.heard = time.Now()
				err = p.insist(func() error {
					if err := p.remind(); err != nil {
						return err
					}
					return open()
				})
			}
			if err == nil && p.stands() {
				p.rescue()
			}
		}
		if err != nil {
			for len(p.trying) > 0 { // take is not called after Play
				delete(p.trying, (<-p.tried).task)
			}
			return err
		}
	}
	return p.insist(p.confirm)
}

// open returns the messages of parts as they come, until stop is called.
func (p *play) open() (messages <-chan jetstream.Msg, stop func(), err error) {
	queue, err := p.js.Consumer(p.ctx, p.parts(), learnerQueue)
	if err != nil {
		return nil, func() {}, err
	}
	list, err := queue.Messages(jetstream.PullMaxMessages(64))
	if err != nil {
		return nil, func() {}, err
	}
	to, done := make(chan jetstream.Msg), make(chan struct{})
	go func() {
		for {
			m, err := list.Next()
			if errors.Is(err, jetstream.ErrMsgIteratorClosed) || errors.Is(err, jetstream.ErrConsumerDeleted) {
				return // the learner asks again when it has heard nothing for a while
			}
			if err != nil {
				pause(p.ctx, heartbeat/30) // the iterator tries again
				continue
			}
			select {
			case to <- m:
			case <-done:
				return
			}
		}
	}()
	return to, sync.OnceFunc(func() { close(done); list.Stop() }), nil
}

// insist does what needs the broker until it succeeds, or the learner ends.
func (p *play) insist(do func() error) error { return insist(p.ctx, p.away, do, p.restore) }

// restore makes anew what the broker has in memory, if it has been restarted.
func (p *play) restore() error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	_, err := p.js.Consumer(ctx, p.Learner.tasks(), workersQueue)
	if err == nil {
		_, err = p.js.Consumer(ctx, p.parts(), learnerQueue)
	}
	if err == nil {
		_, err = p.js.Stream(ctx, p.names.weights())
	}
	if missing(err) {
		err = p.furnish()
	}
	if err != nil {
		return err
	}
	for d := range p.known {
		if there, err := p.shelf.has(ctx, d, len(p.needed[d])); !there && err == nil {
			delete(p.known, d)
		}
	}
	return p.upload()
}

// upload gives the broker the weights that it does not have, and takes away those that
// nobody needs any more.
func (p *play) upload() error {
	for d, data := range p.needed {
		if !p.known[d] {
			if err := p.shelf.put(p.ctx, data); err != nil {
				return fmt.Errorf("weights: %w", err)
			}
			p.known[d] = true
		}
	}
	for d := range p.known {
		if _, used := p.needed[d]; !used {
			delete(p.known, d)
			if err := p.shelf.remove(p.ctx, d); err != nil {
				return fmt.Errorf("weights: %w", err)
			}
		}
	}
	return nil
}

// handAll hands all tasks out, without waiting for one to be there before the next is sent.
func (p *play) handAll() error {
	sent := make([]jetstream.PubAckFuture, len(p.pieces))
	for n := range p.pieces {
		m, err := p.task(n)
		if err != nil {
			return err
		}
		// Without a future it is handed out below, as is one that does not arrive.
		sent[n], _ = p.js.PublishMsgAsync(m, jetstream.WithMsgID(p.try(n)))
	}
	// The answers of a broker that has been restarted do not come.
	wait, cancel := context.WithTimeout(p.ctx, heartbeat)
	defer cancel()
	for n, future := range sent {
		if future != nil {
			select {
			case ack := <-future.Ok():
				p.handed(n, ack)
				continue
			case <-future.Err():
			case <-wait.Done():
			}
		}
		if err := p.hand(n); err != nil {
			return err
		}
	}
	return nil
}

// hand hands a task out.
func (p *play) hand(n int) error {
	m, err := p.task(n)
	if err != nil {
		return err
	}
	var ack *jetstream.PubAck
	err = p.insist(func() (err error) {
		ack, err = p.js.PublishMsg(p.ctx, m, jetstream.WithMsgID(p.try(n)))
		return err
	})
	if err != nil {
		return err
	}
	p.handed(n, ack)
	return nil
}

// task returns the message that a task is handed out by, try what the broker knows it by: sent
// twice it is there once.
func (p *play) task(n int) (*nats.Msg, error) {
	data, err := pack(p.pieces[n].message)
	if err != nil {
		return nil, err
	}
	if most := p.conn.MaxPayload() - 4<<10; int64(len(data)) > most {
		return nil, fmt.Errorf("fleet: %s has %d bytes, more than the broker's %d%s", p.pieces[n].name, len(data), most, p.pieces[n].hint)
	}
	m := nats.NewMsg(p.taskSubject())
	m.Data = data
	m.Header.Set(headerTask, p.pieces[n].id)
	m.Header.Set(headerKind, p.pieces[n].kind)
	return m, nil
}

func (p *play) try(n int) string {
	id := p.pieces[n].id
	return fmt.Sprintf("%s.%d.%s", id, p.tries[id], p.name)
}

// handed counts a task that is at the broker.
func (p *play) handed(n int, ack *jetstream.PubAck) {
	id := p.pieces[n].id
	p.tries[id]++
	p.at[ack.Sequence] = id
	p.count(func(c *Counts) { c.Tasks++ })
}

// remind hands out again what the broker has lost: tasks without a part that it neither
// keeps nor has with a worker.
func (p *play) remind() error {
	if err := p.restore(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	queue, err := p.js.Consumer(ctx, p.Learner.tasks(), workersQueue)
	if err != nil {
		return err
	}
	info, err := queue.Info(ctx)
	if err != nil {
		return err
	}
	if info.NumPending > 0 || info.NumAckPending > 0 {
		return nil
	}
	for _, n := range p.waiting {
		p.count(func(c *Counts) { c.HandedAgain++ })
		if err := p.hand(n); err != nil {
			return err
		}
	}
	return nil
}
