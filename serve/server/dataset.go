package server

import (
	"context"
	"encoding/json"
	"math"

	"powderkeg/serve/protocol"
	"powderkeg/serve/thinking"
	"powderkeg/train/dataset"
)

// stream is a dataset that a client reads. One goroutine plays its episodes, a
// few batches ahead of what the client has read.
type stream struct {
	collector *dataset.Collector
	workers   int
	seats     int // agents of one worker
	bytes     int // that it holds at most, about

	cancel  context.CancelFunc
	batches chan *dataset.Batch
	back    chan struct{} // the batch received last is not needed any more
	done    chan struct{} // closed at the end of the goroutine
	fault   error         // why it ended, nil after the last batch; read after done

	batch  *dataset.Batch // being read, nil for none
	from   int            // first row of it that has not been sent
	result protocol.DatasetRows
}

func (c *conn) datasetOpen(_ context.Context, p *protocol.DatasetOpen) (any, error) {
	if p.Workers == 0 {
		p.Workers = 1
	}
	if most := int64(c.server.config.Workers); p.Workers < 1 || p.Workers > most {
		return nil, protocol.Errorf(protocol.CodeParams, "workers is %d, it must be from 1 to %d", p.Workers, most)
	}
	if p.MaxDecisions < 0 || p.MaxDecisions > math.MaxInt32 {
		return nil, protocol.Errorf(protocol.CodeParams, "max_decisions is %d, it must be from 0 to %d", p.MaxDecisions, math.MaxInt32)
	}
	g, err := newGame(p.Game)
	if err != nil {
		return nil, err
	}
	for _, text := range p.Agents {
		if err := c.checkAgent(g, text); err != nil {
			return nil, err
		}
	}
	seed := seedOf(p.Seed)
	collector, err := dataset.NewCollector(dataset.Config{Game: p.Game, Agents: p.Agents, Episodes: p.Episodes, Seed: seed,
		Start: json.RawMessage(p.Position), MaxDecisions: int(p.MaxDecisions), Logits: p.Logits, Text: p.Text})
	if err != nil {
		return nil, err
	}
	workers, seats := int(p.Workers), g.Spec().Seats
	if have, most := len(c.agents)+c.seated, c.server.config.AgentsPerConnection; workers*seats > most-have {
		return nil, protocol.Errorf(protocol.CodeLimit, "%d more agents; this connection has %d of at most %d", workers*seats, have, most)
	}
	bytes, most, fault := c.chargeDataset(collector, workers, workers*seats*c.server.config.AgentBytes)
	if fault != nil {
		return nil, fault
	}
	if most > 0 {
		collector = collector.AtMost(most, tooLong(most))
	}
	c.hold(workers * seats)
	gauge := new(thinking.Gauge) // of an episode
	collector = collector.Within(func(ctx context.Context, play func(context.Context) error) error {
		return c.server.thinks.Do(ctx, &c.thinker, gauge, play)
	})
	s := &stream{collector: collector, workers: workers, seats: seats, bytes: bytes,
		batches: make(chan *dataset.Batch), back: make(chan struct{}), done: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go s.play(ctx, p.Episodes)
	handle := c.newHandle()
	c.datasets[handle] = s
	spec := g.Spec()
	return &protocol.DatasetOpened{Dataset: handle, Game: spec.Text, Seed: seed, Workers: p.Workers, Seats: int64(spec.Seats),
		Actions:         int64(len(spec.Actions)),
		ObservationSize: int64(collector.Layout().Size)}, nil
}

// play is the goroutine of a stream.
func (s *stream) play(ctx context.Context, episodes int64) {
	defer close(s.done)
	s.fault = s.collector.Collect(ctx, 0, episodes, s.workers, func(b *dataset.Batch) error {
		select {
		case s.batches <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-s.back:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// close ends the goroutine.
func (s *stream) close() {
	s.cancel()
	<-s.done
}

func (c *conn) datasetNext(ctx context.Context, p *protocol.DatasetNext) (any, error) {
	s, err := opened("dataset", p.Dataset, c.datasets)
	if err != nil {
		return nil, err
	}
	if p.Rows < 0 {
		return nil, protocol.Errorf(protocol.CodeParams, "rows is %d, it must not be negative", p.Rows)
	}
	ctx, cancel := context.WithTimeout(ctx, c.server.config.RequestTimeout)
	defer cancel()
	more, err := s.advance(ctx)
	if err != nil {
		return nil, err
	}
	s.result = protocol.DatasetRows{Opening: s.result.Opening, Chance: s.result.Chance, Finals: s.result.Finals}
	if !more {
		s.result.Done = true
		return &s.result, nil
	}
	s.show(s.fit(p.Rows, min(c.server.config.FrameBytes-frameRest, datasetBytes)))
	c.server.metrics.byDataset.Add(float64(s.result.Rows))
	return &s.result, nil
}

// advance sees to it that there are rows to send, and reports whether there are. An
// error of ctx changes nothing.
func (s *stream) advance(ctx context.Context) (bool, error) {
	if s.batch != nil && s.from < s.batch.Rows() {
		return true, nil
	}
	if s.batch != nil {
		s.batch = nil
		select {
		case s.back <- struct{}{}:
		case <-s.done:
		}
	}
	select {
	case s.batch = <-s.batches:
		s.from = 0
		return true, nil
	case <-s.done:
		return false, s.fault
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// datasetBytes is about how long a response with rows becomes.
const datasetBytes = 8 << 20

// fit returns the end of the rows from s.from that go into one response: at most
// rows (0 for any number) and of so many bytes together, but one at least.
func (s *stream) fit(rows int64, bytes int) int {
	b := s.batch
	end := b.Rows()
	if rows > 0 && rows < int64(end-s.from) {
		end = s.from + int(rows)
	}
	const perText = 5 // of the header of a string
	n := b.Rows()
	fixed := 4*(len(b.Observations)+len(b.Logits)+len(b.Rewards)+len(b.Returns))/n + (len(b.Masks)+len(b.HasLogits))/n +
		4 + 1 + 8 + 4 + 1 + 1 + 8 + 3*4
	for to := s.from; to < end; to++ {
		bytes -= fixed + 4*(len(b.Opening.Row(to))+len(b.Chance.Row(to))+len(b.Finals.Row(to)))
		if len(b.Text) > 0 {
			bytes -= perText + len(b.Text[to])
		}
		if bytes < 0 && to > s.from {
			return to
		}
	}
	return end
}

// show fills in the rows from s.from up to to, exclusively, and moves on. The large
// columns are the batch's own.
func (s *stream) show(to int) {
	b, r, from := s.batch, &s.result, s.from
	s.from = to
	r.Rows = int64(to - from)
	r.Observations, r.Masks = rowsOf(b.Observations, b, from, to), rowsOf(b.Masks, b, from, to)
	r.Actions, r.Actors = b.Actions[from:to], b.Actors[from:to]
	r.Rewards, r.Returns = rowsOf(b.Rewards, b, from, to), rowsOf(b.Returns, b, from, to)
	r.Episodes, r.Steps, r.Seeds = b.Episodes[from:to], b.Steps[from:to], b.Seeds[from:to]
	r.Terminated, r.Truncated = b.Terminated[from:to], b.Truncated[from:to]
	r.Logits, r.HasLogits = rowsOf(b.Logits, b, from, to), rowsOf(b.HasLogits, b, from, to)
	if len(b.Text) > 0 {
		r.Text = b.Text[from:to]
	}
	r.Opening, r.Chance = listOf(r.Opening, &b.Opening, from, to), listOf(r.Chance, &b.Chance, from, to)
	r.Finals = listOf(r.Finals, &b.Finals, from, to)
}

// rowsOf returns rows of a column of any width, 0 included.
func rowsOf[E any](column []E, b *dataset.Batch, from, to int) []E {
	width := len(column) / b.Rows()
	return column[from*width : to*width]
}

// listOf copies rows of a column of lists to one whose offsets begin at 0.
func listOf[T protocol.Element](dst protocol.Lists[T], l *dataset.List[T], from, to int) protocol.Lists[T] {
	first := l.Offsets[from]
	dst.Values = l.Values[first:l.Offsets[to]]
	dst.Offsets = dst.Offsets[:0]
	for _, o := range l.Offsets[from : to+1] {
		dst.Offsets = append(dst.Offsets, o-first)
	}
	return dst
}

func (c *conn) datasetClose(_ context.Context, p *protocol.Dataset) (any, error) {
	s, err := opened("dataset", p.Dataset, c.datasets)
	if err != nil {
		return nil, err
	}
	delete(c.datasets, p.Dataset)
	s.close()
	c.release(s.workers, s.bytes)
	c.hold(-s.workers * s.seats)
	return &protocol.None{}, nil
}
