package web

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/position"
	"powderkeg/engine/replay"
)

// problem is an error that a page is told. Code is one of its strings, Text says it in
// English.
type problem struct {
	status int
	code   string
	text   string
}

// Error implements error.
func (p *problem) Error() string { return p.text }

// wrong is the problem of a request that asks for what cannot be.
func wrong(err error) error {
	var p *problem
	if errors.As(err, &p) {
		return err
	}
	text := strings.TrimPrefix(err.Error(), option.ErrUsage.Error()+": ")
	return &problem{http.StatusBadRequest, "wrong", text}
}

// Handler returns what answers the pages.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.files.index)
	mux.HandleFunc("GET /table/{id}", s.files.index)
	mux.HandleFunc("GET /assets/{file}", s.files.asset)
	mux.HandleFunc("POST /api/enter", s.handle(s.gate.enter))
	for pattern, h := range map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /api/catalogue":            s.catalogue,
		"GET /api/offer":                s.offer,
		"GET /api/games/{game}":         s.reading,
		"GET /api/games/{game}/picture": s.picture,
		// The face of a card, as drawings name it.
		"GET /api/games/{game}/card/{card}": s.card,

		"GET /api/games/{game}/example/{step}": s.example,

		"POST /api/tables":              s.order,
		"GET /api/tables/{id}":          s.screen,
		"GET /api/tables/{id}/log":      s.wholeLog,
		"GET /api/tables/{id}/events":   s.events,
		"GET /api/tables/{id}/replay":   s.replay,
		"GET /api/tables/{id}/hint":     s.hint,
		"GET /api/tables/{id}/review":   s.review,
		"GET /api/tables/{id}/deals":    s.deals,
		"GET /api/tables/{id}/against":  s.against,
		"GET /api/tables/{id}/why":      s.why,
		"GET /api/tables/{id}/preview":  s.preview,
		"GET /api/tables/{id}/borders":  s.borders,
		"POST /api/tables/{id}/join":    s.join,
		"POST /api/tables/{id}/move":    s.move,
		"POST /api/tables/{id}/undo":    s.takeBack,
		"POST /api/tables/{id}/whatif":  s.whatIf,
		"POST /api/tables/{id}/rematch": s.rematch,
		"POST /api/tables/{id}/carry":   s.carry,
		"POST /api/tables/{id}/guide":   s.guideOn,
		"POST /api/carry":               s.arrive,
		"POST /api/events":              s.allEvents,
	} {
		mux.HandleFunc(pattern, s.gate.guard(s.handle(h)))
	}
	return s.gate.sameOrigin(headers(mux))
}

// headers sets what every answer has.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "+
			"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// handle turns a handler that returns an error into one that tells it.
func (s *Server) handle(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, s.config.BodyBytes)
		err := do(w, r)
		if err == nil {
			return
		}
		p := s.told(r, err)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(p.status)
		json.NewEncoder(w).Encode(map[string]string{"error": p.code, "text": p.text})
	}
}

// told returns what a page is told of an error. What it should not know the log says.
func (s *Server) told(r *http.Request, err error) *problem {
	var p *problem
	if !errors.As(err, &p) {
		s.log.Error("request", "path", r.Pattern, "error", err)
		p = &problem{http.StatusInternalServerError, "internal", "Something went wrong here; the server's log says what."}
	}
	return p
}

// compressFrom is from how many bytes on an answer is worth compressing.
const compressFrom = 1 << 10

// answer writes v as JSON.
func answer(w http.ResponseWriter, r *http.Request, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return compressed(w, r, data)
}

// compressed writes an answer, compressed where that pays and the browser takes it.
func compressed(w http.ResponseWriter, r *http.Request, data []byte) error {
	if len(data) < compressFrom || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Write(data) // a page that has gone is told nothing
		return nil
	}
	w.Header().Set("Content-Encoding", "gzip")
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err == nil {
		z.Close()
	}
	return nil
}

// read reads the JSON body of a request.
func read(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return wrong(fmt.Errorf("the request is no JSON as it should be: %s", position.Plainly(err, v)))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong(errors.New("the request goes on behind its end"))
	}
	return nil
}

// token returns the seat's token that a request names, "" for none. It comes in a header:
// what stands in an address is kept in too many places.
func token(r *http.Request) string {
	t, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return strings.TrimSpace(t)
}

// number returns a whole number of the query, or what stands in for a missing one.
func number(r *http.Request, name string, missing int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, wrong(fmt.Errorf("%s is %q, it must be a whole number", name, text))
	}
	return n, nil
}

func (s *Server) order(w http.ResponseWriter, r *http.Request) error {
	var o Order
	if err := read(r, &o); err != nil {
		return err
	}
	made, err := s.New(o)
	if err != nil {
		return err
	}
	return answer(w, r, made)
}

func (s *Server) screen(w http.ResponseWriter, r *http.Request) error {
	step, err := number(r, "step", -1)
	if err != nil {
		return err
	}
	shoulder, err := number(r, "seat", -1)
	if err != nil {
		return err
	}
	var f *frame
	err = s.with(r.PathValue("id"), func(t *session) error {
		a, p, err := t.seatOf(token(r), shoulder)
		if err != nil {
			return err
		}
		f, err = t.frame(a, step, -1, p)
		t.think() // it may have slept
		return err
	})
	if err != nil {
		return err
	}
	screen, err := f.finish(r.URL.Query().Has("view"))
	if err != nil {
		return err
	}
	return answer(w, r, screen)
}

// wholeLog answers with all lines that the seat was told.
func (s *Server) wholeLog(w http.ResponseWriter, r *http.Request) error {
	shoulder, err := number(r, "seat", -1)
	if err != nil {
		return err
	}
	lines := []Told{}
	err = s.with(r.PathValue("id"), func(t *session) error {
		a, _, err := t.seatOf(token(r), shoulder)
		if err != nil {
			return err
		}
		for i := range a.now().lines {
			lines = append(lines, t.told(a, i))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return answer(w, r, lines)
}

// seated calls do with the game and the seat of a request that must name one.
func (s *Server) seated(r *http.Request, do func(t *session, a *audience, p engine.Player) error) error {
	return s.with(r.PathValue("id"), func(t *session) error {
		a, p, err := t.seatOf(token(r), -1)
		if err != nil {
			return err
		}
		if p < 0 {
			return &problem{http.StatusForbidden, "no_seat", "Only those who have a seat may do that."}
		}
		return do(t, a, p)
	})
}

func (s *Server) join(w http.ResponseWriter, r *http.Request) error {
	var asks struct {
		Seat int    `json:"seat"` // below 0 for any
		Name string `json:"name"`
	}
	if err := read(r, &asks); err != nil {
		return err
	}
	var given struct {
		Seat  int    `json:"seat"`
		Token string `json:"token"`
	}
	err := s.with(r.PathValue("id"), func(t *session) (err error) {
		given.Seat, given.Token, err = t.join(asks.Seat, asks.Name)
		return err
	})
	if err != nil {
		return err
	}
	return answer(w, r, given)
}

// numbered is a request that goes on from a screen.
type numbered struct {
	Number int `json:"number"` // of the screen that it answers
	Action int `json:"action"`
}

// shown is the answer to a move or an undo: the screen's number after it.
type shown struct {
	Number int `json:"number"`
}

// move makes a move. One that was made already, by the same request sent twice, is not
// made again.
func (s *Server) move(w http.ResponseWriter, r *http.Request) error {
	var m numbered
	if err := read(r, &m); err != nil {
		return err
	}
	for {
		var done shown
		var hushed chan struct{}
		err := s.seated(r, func(t *session, a *audience, p engine.Player) error {
			if t.turn(p) && t.due() { // what others wait for comes before
				hushed = t.hush.lifted
				return nil
			}
			err := t.move(a, p, m)
			done.Number = a.number
			return err
		})
		if err != nil {
			return err
		}
		if hushed == nil {
			return answer(w, r, done)
		}
		select {
		case <-hushed:
		case <-r.Context().Done():
			return nil
		}
	}
}

func (t *session) move(a *audience, p engine.Player, m numbered) error {
	action := engine.Action(m.Action)
	if m.Number != a.number {
		if old, found := a.at(m.Number); found && old.moves < len(t.moves) && t.moves[old.moves].Actor == p && t.moves[old.moves].Action == action {
			return nil
		}
		return &problem{http.StatusConflict, "stale", "The game has gone on meanwhile."}
	}
	if t.fault != "" {
		return &problem{http.StatusConflict, "fault", t.fault}
	}
	if !t.turn(p) {
		return &problem{http.StatusConflict, "not_you", "You are not to act now."}
	}
	if err := t.allows(action); err != nil {
		return err
	}
	// Whether it can be taken back is asked only where it counts.
	shows := !t.practice() && slices.Contains(t.state.Legal(nil), action) && t.secrets.Stands(t.state, action)
	if err := t.make(action, shows); err != nil {
		return illegal(err)
	}
	t.think()
	return nil
}

// illegal is the problem of a move that is refused, with the rule that forbids it.
func illegal(err error) error {
	if errors.Is(err, engine.ErrIllegal) {
		return &problem{http.StatusConflict, "illegal", err.Error()}
	}
	return err
}

func (s *Server) takeBack(w http.ResponseWriter, r *http.Request) error {
	var m struct {
		Number int `json:"number"`
	}
	if err := read(r, &m); err != nil {
		return err
	}
	var done shown
	err := s.seated(r, func(t *session, a *audience, p engine.Player) error {
		if m.Number != a.number && !t.practice() {
			return &problem{http.StatusConflict, "stale", "The game has gone on meanwhile."}
		}
		if err := t.undo(p); err != nil {
			return err
		}
		done.Number = a.number
		t.think()
		return nil
	})
	if err != nil {
		return err
	}
	return answer(w, r, done)
}

// replay answers with the replay of a game that is over. Before that it would show what
// seats hide from each other.
func (s *Server) replay(w http.ResponseWriter, r *http.Request) error {
	var record *replay.Record
	err := s.with(r.PathValue("id"), func(t *session) error {
		if !t.ended(watcher) && t.hides() {
			return &problem{http.StatusForbidden, "not_over", "The replay tells what the seats hide from each other, and so it is given when the game is over."}
		}
		record = t.record()
		return nil
	})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", strings.SplitN(record.Game, "(", 2)[0]+"-replay.json"))
	return answer(w, r, record)
}

// hides reports whether seats know different things.
func (t *session) hides() bool {
	_, hides := t.state.(engine.Hidden)
	return hides
}

// record returns the game as a replay.
func (t *session) record() *replay.Record {
	names := make([]string, len(t.seats))
	for p, s := range t.seats {
		names[p] = s.Name
	}
	record := replay.New(engine.Original(t.game), names...)
	record.Position = t.head.Position
	spec := t.game.Spec()
	for _, m := range t.moves {
		list := spec.Actions
		if m.Actor == engine.Chance {
			list = spec.Outcomes
		}
		record.Moves = append(record.Moves, list[m.Action])
	}
	record.Close(t.state)
	return record
}
