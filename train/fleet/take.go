package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"powderkeg/checkpoints/durable"
	"powderkeg/env/file"
	"powderkeg/train"
	"powderkeg/train/job"
)

// parcel is a part of which messages are still missing.
type parcel struct {
	task, worker string
	chunks       [][]byte
	missing      int
	held         int // bytes that are charged for it
}

// What a parcel and a message of one are charged beside the bytes of their data.
const parcelCost, chunkCost = 1 << 10, 64

// receive takes a message of a part.
func (p *play) receive(m jetstream.Msg) error {
	defer func() { _ = m.Ack() }() // without it the message comes again, and is not waited for
	h := m.Headers()
	task, worker, copied := h.Get(headerTask), strings.TrimPrefix(m.Subject(), p.partSubject("")), h.Get(headerCopy)
	p.count(func(c *Counts) { c.Bytes += int64(len(m.Data())) })
	if task == "" || copied == "" || h.Get(headerChunk) == "" {
		// Nobody is blamed for what any worker can have the broker answer to the subject of
		// another. Such answers have no headers of ours.
		return nil
	}
	id := worker + "." + copied
	n, wanted := p.waiting[task]
	if !wanted || p.isBanned(worker) || p.trying[task] {
		p.drop(id)
		if strings.HasPrefix(h.Get(headerChunk), "0/") {
			p.count(func(c *Counts) { c.Duplicates++ })
		}
		return nil
	}
	data, whole, err := p.join(id, task, worker, h.Get(headerChunk), m.Data(), p.pieces[n].most)
	if !whole && err == nil {
		return nil
	}
	p.trying[task] = true
	redelivered := h.Get(headerDelivery) != "1"
	go func() { // parts of several tasks are played again at once
		if err != nil {
			err = fmt.Errorf("%w: %w", train.ErrPart, err)
		} else {
			err = p.pieces[n].take(worker, data)
		}
		p.tried <- outcome{n, task, worker, redelivered, false, err}
	}()
	return nil
}

// outcome is what has become of a part.
type outcome struct {
	n            int
	task, worker string
	redelivered  bool
	here         bool // played by the learner (rescue)
	err          error
}

// settle counts a part that was taken, or has its task played again.
func (p *play) settle(o outcome) error {
	switch {
	case o.here && o.err != nil:
		return p.failed(o.n, o.err)
	case o.err == nil:
		if !o.here {
			p.moved()
		}
		delete(p.waiting, o.task)
		p.count(func(c *Counts) {
			if c.Taken++; o.redelivered {
				c.Redelivered++
			}
		})
		return nil
	case !errors.Is(o.err, train.ErrPart) && !errors.Is(o.err, job.ErrResult):
		return o.err
	}
	return p.refuse(o.n, o.worker, o.err)
}

// join puts the messages of a part of at most so many bytes together.
func (l *Learner) join(id, task, worker, chunk string, data []byte, most int) (all []byte, whole bool, err error) {
	var number, of int
	_, err = fmt.Sscanf(chunk, "%d/%d", &number, &of)
	if err != nil || number < 0 || number >= of || of > (most+chunkSize-1)/chunkSize || len(data) > chunkSize {
		return nil, false, fmt.Errorf("%w: message %q with %d bytes, of a part of at most %d", errMessage, chunk, len(data), most)
	}
	own := l.joined[id]
	if own == nil {
		own = &parcel{task: task, worker: worker, chunks: make([][]byte, of), missing: of, held: parcelCost + of*chunkCost}
		l.joined[id] = own
		l.held += own.held
	}
	if len(own.chunks) != of || own.task != task || own.worker != worker {
		l.drop(id)
		return nil, false, fmt.Errorf("%w: message %q of another part", errMessage, chunk)
	}
	if own.chunks[number] == nil {
		own.chunks[number] = append([]byte{}, data...)
		own.missing--
		own.held += len(data)
		l.held += len(data)
	}
	if own.missing > 0 {
		if l.held > maxHeld { // somebody begins parts and does not end them
			l.dropLargest()
		}
		return nil, false, nil
	}
	for _, c := range own.chunks {
		all = append(all, c...)
	}
	l.drop(id)
	return all, true, nil
}

// drop forgets the messages of a part.
func (l *Learner) drop(id string) {
	if own, there := l.joined[id]; there {
		l.held -= own.held
		delete(l.joined, id)
	}
}

// dropLargest forgets the unfinished parts of the worker that has most of them.
func (l *Learner) dropLargest() {
	held, largest := map[string]int{}, ""
	for _, own := range l.joined {
		if held[own.worker] += own.held; held[own.worker] > held[largest] {
			largest = own.worker
		}
	}
	for id, own := range l.joined {
		if own.worker == largest {
			l.drop(id)
		}
	}
}

// refuse has a task played again, and bans a worker who sends rubbish time and again, or lies
// about its probabilities once.
func (p *play) refuse(n int, worker string, reason error) error {
	p.count(func(c *Counts) { c.Refused++ })
	p.options.Tell("a part of worker %s is refused: %v", worker, reason)
	p.refused[worker]++
	if (p.refused[worker] >= maxRefused || errors.Is(reason, train.ErrPolicy)) && !p.isBanned(worker) {
		if err := p.ban(worker, reason); err != nil {
			return err
		}
	}
	if p.tries[p.pieces[n].id] >= maxDeliveries {
		return p.alone(n, reason.Error())
	}
	return p.hand(n)
}

// quarantine plays a task that nobody could, as an advisory of the broker says.
func (p *play) quarantine(advisory []byte) error {
	var told struct {
		Sequence uint64 `json:"stream_seq"`
	}
	if err := json.Unmarshal(advisory, &told); err != nil {
		return nil // anybody may write there
	}
	id, ours := p.at[told.Sequence]
	n, wanted := p.waiting[id]
	if !ours || !wanted || p.trying[id] {
		return nil
	}
	if stream, err := p.js.Stream(p.ctx, p.Learner.tasks()); err == nil {
		_ = stream.DeleteMsg(p.ctx, told.Sequence) // or it lies there until the run ends
	}
	return p.alone(n, fmt.Sprintf("handed out %d times", maxDeliveries))
}

// alone keeps a task for a look at it, and plays it here.
func (p *play) alone(n int, reason string) error {
	p.count(func(c *Counts) { c.Quarantined++ })
	path, err := p.keepTask(n)
	if err != nil {
		return err
	}
	p.options.Tell("%s is quarantined as %s (%s) and played here", p.pieces[n].name, path, reason)
	if err := p.pieces[n].own(p.ctx); err != nil {
		return p.failed(n, err)
	}
	delete(p.waiting, p.pieces[n].id)
	p.count(func(c *Counts) { c.Taken++ })
	return nil
}

// failed returns the error of a piece that cannot be played here either, and keeps it.
func (p *play) failed(n int, reason error) error {
	if p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	path, err := p.keepTask(n)
	if err != nil {
		return err
	}
	return fmt.Errorf("%s, kept as %s: %w", p.pieces[n].name, path, reason)
}

// keepTask writes a task to the quarantine.
func (p *play) keepTask(n int) (path string, err error) {
	data, err := pack(p.pieces[n].message)
	if err != nil {
		return "", err
	}
	path = filepath.Join(p.options.Quarantine, p.pieces[n].id+".task")
	return path, errors.Join(file.MakeFolder(p.options.Quarantine), durable.WriteFile(path, data))
}
