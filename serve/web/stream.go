package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"powderkeg/engine"
)

// beat is how long a stream may be silent. A line that says nothing keeps it open, and tells the page
// that it is: one that hears nothing for a few beats takes the connection for dead (ui/src/hub.ts).
const beat = 3 * time.Second

// pace is the least time between two writes to a stream: what bots do in a moment comes
// in one.
const pace = 25 * time.Millisecond

// mostBetween is how many moments between two screens of a stream are shown at most, so that a page can play
// back what others did. Of more than that, as when a page comes back after a while, only the end is shown.
const mostBetween = 60

// slow is how long a page may take to accept a screen.
const slow = 20 * time.Second

// events streams screens, each when there is something new to show. The name of an event
// is the number of its screen; a page that comes back with the one that it had last gets
// what happened since.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	shoulder, err := number(r, "seat", -1)
	if err != nil {
		return err
	}
	last := -1
	if text := r.Header.Get("Last-Event-ID"); text != "" {
		if last, err = strconv.Atoi(text); err != nil {
			return wrong(fmt.Errorf("Last-Event-ID is %q, it must be a whole number", text))
		}
	}
	x := watch{ID: r.PathValue("id"), Token: token(r), Seat: shoulder, Last: last}
	news := make(chan struct{}, 1)
	if err := s.subscribe(x.ID, x.Token, x.Seat, news); err != nil {
		return err
	}
	defer s.unsubscribe(x.ID, news)
	o := newOutlet(w)
	s.follow(r.Context(), &x, news, beat, o.write)
	return nil
}

// watch is a game that a stream tells of.
type watch struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	// Seat is whose shoulder is looked over, below 0 for nobody's.
	Seat int `json:"seat"`
	// Last is the number of the last screen that the page has, below 0 for none.
	Last int `json:"last"`
}

// mostWatched bounds the games of a stream: the tabs of a browser.
const mostWatched = 32

// allEvents streams the screens of several games, for all tabs of a browser: over HTTP/1.1 it has
// six connections for them. Before the other lines of an event comes the number of its game in the
// request, as in "for: 2". A game that is refused has an event that says so, and no others.
func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) error {
	var asks struct {
		Tables []watch `json:"tables"`
	}
	if err := read(r, &asks); err != nil {
		return err
	}
	if n := len(asks.Tables); n < 1 || n > mostWatched {
		return wrong(fmt.Errorf("a stream is of 1 to %d games, not of %d", mostWatched, n))
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	o := newOutlet(w)
	var all sync.WaitGroup
	defer all.Wait()
	for i := range asks.Tables {
		x, write := &asks.Tables[i], func(lines string) error { return o.write(fmt.Sprintf("for: %d\n%s", i, lines)) }
		news := make(chan struct{}, 1)
		if err := s.subscribe(x.ID, x.Token, x.Seat, news); err != nil {
			p := s.told(r, err)
			if err := write(fmt.Sprintf("event: refused\ndata: {\"status\":%d,\"error\":%q,\"text\":%q}\n\n", p.status, p.code, p.text)); err != nil {
				return nil
			}
			continue
		}
		all.Go(func() {
			defer s.unsubscribe(x.ID, news)
			s.follow(ctx, x, news, 0, write)
			cancel() // the page comes back for all
		})
	}
	for tick := time.NewTicker(beat); ; {
		select {
		case <-tick.C:
			if o.write(": \n\n") == nil {
				continue
			}
		case <-ctx.Done():
		}
		tick.Stop()
		cancel()
		return nil
	}
}

// outlet writes the events of a stream, whole, for several goroutines.
type outlet struct {
	mu sync.Mutex
	w  http.ResponseWriter
	to *http.ResponseController
}

func newOutlet(w http.ResponseWriter) *outlet {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	return &outlet{w: w, to: http.NewResponseController(w)}
}

func (o *outlet) write(lines string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.to.SetWriteDeadline(time.Now().Add(slow))
	fmt.Fprint(o.w, lines)
	return o.to.Flush()
}

// subscribe has a game tell of what is new.
func (s *Server) subscribe(id, token string, shoulder int, news chan struct{}) error {
	s.mu.Lock()
	if s.listeners >= s.config.AllListeners {
		s.mu.Unlock()
		return errBusy
	}
	s.listeners++
	s.mu.Unlock()
	err := s.with(id, func(t *session) error {
		if _, _, err := t.seatOf(token, shoulder); err != nil {
			return err
		}
		if len(t.streams) >= s.config.Listeners {
			return &problem{http.StatusServiceUnavailable, "crowd", "Too many are looking at this game already."}
		}
		t.streams[news] = true
		t.think()
		return nil
	})
	if err != nil {
		s.mu.Lock()
		s.listeners--
		s.mu.Unlock()
	}
	return err
}

func (s *Server) unsubscribe(id string, news chan struct{}) {
	s.mu.Lock()
	s.listeners--
	t := s.awake[id]
	s.mu.Unlock()
	if t != nil {
		t.mu.Lock()
		delete(t.streams, news)
		t.used = time.Now()
		t.mu.Unlock()
	}
}

// follow writes screens of a game until one of the sides goes, and a line that says nothing when
// there was nothing to write for so long (0 for never). When it writes follows from what it shows alone:
// news of which this page shows nothing, as of an answer given in secret, neither write a line nor
// hold up what comes after them.
func (s *Server) follow(ctx context.Context, x *watch, news chan struct{}, silent time.Duration, write func(string) error) {
	var quiet <-chan time.Time
	rest := func() {}
	if silent > 0 {
		timer := time.NewTimer(silent)
		defer timer.Stop()
		quiet, rest = timer.C, func() { timer.Reset(silent) }
	}
	var sent mark
	seats, drawn := "", ""
	for due := false; ; { // due: a line is, though it says nothing
		var frames []*frame
		err := s.with(x.ID, func(t *session) error {
			if !t.streams[news] {
				return errNoGame // it slept, and woke as another
			}
			a, p, err := t.seatOf(x.Token, x.Seat)
			if err != nil {
				return err
			}
			now := fmt.Sprint(t.seatsNow(), t.next, t.fault)
			if now != seats || a.now() != sent {
				frames, err = t.frames(a, x.Last, p)
			}
			seats, sent = now, a.now()
			return err
		})
		if err != nil {
			return // the stream is open, and the page comes back and is told
		}
		if frames != nil || due {
			if frames == nil && write(": \n\n") != nil {
				return
			}
			for _, f := range frames {
				event, err := f.event(&drawn)
				if err != nil || write(event) != nil {
					return
				}
				x.Last = f.Number
			}
			select {
			case <-time.After(pace):
			case <-ctx.Done():
				return
			}
			rest()
		}
		due = false
		select {
		case <-news:
		case <-quiet:
			due = true
		case <-ctx.Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// frames returns what a page is to show that was shown the screen of a number last: the moments since, which
// it had no time to show, and the present one.
func (t *session) frames(a *audience, since int, p engine.Player) ([]*frame, error) {
	now := len(a.marks) - 1
	first := now
	if seen, ok := a.at(since); ok {
		for first > 0 && a.marks[first-1].number > seen.number {
			first--
		}
		if now-first > mostBetween {
			first = now
		}
	}
	var list []*frame
	for step := first; step <= now; step++ {
		f, err := t.frame(a, step, since, p)
		if err != nil {
			return nil, err
		}
		if step < now {
			f.Number = a.marks[step].number
			since = f.Number
		}
		list = append(list, f)
	}
	return list, nil
}

// event returns a screen as an event of a stream. drawn is the drawing that the stream sent last.
func (f *frame) event(drawn *string) (string, error) {
	screen, err := f.finish(false)
	if err != nil {
		return "", err
	}
	whole := screen.Drawing
	if screen.Pieces = patch(*drawn, whole); screen.Pieces != nil {
		screen.Drawing = ""
	}
	*drawn = whole
	data, err := json.Marshal(screen)
	return fmt.Sprintf("id: %d\nevent: screen\ndata: %s\n\n", screen.Number, data), err
}

// seatsNow returns who sits where.
func (t *session) seatsNow() []Seat {
	list := make([]Seat, len(t.seats))
	for i := range t.seats {
		list[i] = t.seats[i].Seat
	}
	return list
}
