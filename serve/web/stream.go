package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"powderkeg/engine"
)

// beat is how long a stream may be silent. A line that says nothing keeps it open.
const beat = 20 * time.Second

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
	id, news := r.PathValue("id"), make(chan struct{}, 1)
	if err := s.subscribe(id, token(r), shoulder, news); err != nil {
		return err
	}
	defer s.unsubscribe(id, news)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	return s.stream(w, r, news, last, shoulder)
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

// stream sends screens until one of the sides goes. When it writes follows from what it shows alone:
// news of which this page shows nothing, as of an answer given in secret, neither write a line nor
// hold up what comes after them.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, news chan struct{}, last, shoulder int) error {
	to := http.NewResponseController(w)
	quiet := time.NewTimer(beat)
	defer quiet.Stop()
	var sent mark
	seats, drawn := "", ""
	for due := true; ; { // due: a line is, though it says nothing
		var frames []*frame
		err := s.with(r.PathValue("id"), func(t *session) error {
			if !t.streams[news] {
				return errNoGame // it slept, and woke as another
			}
			a, p, err := t.seatOf(token(r), shoulder)
			if err != nil {
				return err
			}
			now := fmt.Sprint(t.seatsNow(), t.next, t.fault)
			if now != seats || a.now() != sent {
				frames, err = t.frames(a, last, p)
			}
			seats, sent = now, a.now()
			return err
		})
		if err != nil {
			return nil // the stream is open, and the page comes back and is told
		}
		if frames != nil || due {
			line := ": \n\n"
			if frames != nil {
				line = ""
			}
			for _, f := range frames {
				event, err := f.event(&drawn)
				if err != nil {
					return nil
				}
				line += event
				last = f.Number
			}
			to.SetWriteDeadline(time.Now().Add(slow))
			fmt.Fprint(w, line)
			if to.Flush() != nil {
				return nil
			}
			select {
			case <-time.After(pace):
			case <-r.Context().Done():
				return nil
			}
			quiet.Reset(beat)
		}
		due = false
		select {
		case <-news:
		case <-quiet.C:
			due = true
		case <-r.Context().Done():
			return nil
		case <-s.ctx.Done():
			return nil
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
