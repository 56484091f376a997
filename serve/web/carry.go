package web

import (
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"

	"powderkeg/engine"
)

const (
	// carryTime is how long a code opens its seat. Nobody can try many of 2^50 in it.
	carryTime = 10 * time.Minute
	// carryBytes is how much chance is in a code: as little as keeps it short enough to be typed.
	carryBytes = 10
	// mostCarried bounds the codes that are valid at once.
	mostCarried = 1000
)

// carried is a seat on its way to another device.
type carried struct {
	ID    string `json:"id"`
	Seat  int    `json:"seat"`
	Token string `json:"token"`
	Title string `json:"title"`
	Game  string `json:"game"`
	until time.Time
}

// carrier holds the seats that are on their way, by codes that open them once.
type carrier struct {
	mu     sync.Mutex
	byCode map[string]carried
}

// put returns a code for a seat.
func (c *carrier) put(seat carried, now time.Time) (string, error) {
	code := newCode()
	c.mu.Lock()
	defer c.mu.Unlock()
	for old, s := range c.byCode {
		if !now.Before(s.until) {
			delete(c.byCode, old)
		}
	}
	if len(c.byCode) >= mostCarried {
		return "", errBusy
	}
	if c.byCode == nil {
		c.byCode = map[string]carried{}
	}
	seat.until = now.Add(carryTime)
	c.byCode[code] = seat
	return code, nil
}

// take returns the seat of a code, which opens nothing any more.
func (c *carrier) take(code string, now time.Time) (carried, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	seat, found := c.byCode[code]
	delete(c.byCode, code)
	return seat, found && now.Before(seat.until)
}

// newCode returns a code of letters and digits that are not taken for each other.
func newCode() string {
	b := make([]byte, carryBytes)
	rand.Read(b) // never fails
	for i := range b {
		b[i] = base32Letters[b[i]%byte(len(base32Letters))]
	}
	return string(b)
}

// base32Letters are those of Crockford's base 32: without I, L, O and U.
const base32Letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// plainCode returns a code as it was made from how somebody has typed it.
func plainCode(typed string) string {
	return strings.NewReplacer("O", "0", "I", "1", "L", "1", "-", "", " ", "").Replace(strings.ToUpper(typed))
}

// carry gives a seat a code by which another device gets it too.
func (s *Server) carry(w http.ResponseWriter, r *http.Request) error {
	var given struct {
		Code    string `json:"code"`
		Minutes int    `json:"minutes"` // for which it is valid
	}
	err := s.seated(r, func(t *session, _ *audience, p engine.Player) (err error) {
		seat := carried{ID: t.id, Seat: int(p), Token: token(r), Title: t.game.Spec().Title, Game: t.head.Game}
		given.Code, err = s.carrier.put(seat, time.Now())
		return err
	})
	if err != nil {
		return err
	}
	given.Minutes = int(carryTime / time.Minute)
	return answer(w, r, given)
}

// arrive gives a device the seat of a code.
func (s *Server) arrive(w http.ResponseWriter, r *http.Request) error {
	var asks struct {
		Code string `json:"code"`
	}
	if err := read(r, &asks); err != nil {
		return err
	}
	seat, found := s.carrier.take(plainCode(asks.Code), time.Now())
	if !found {
		return &problem{http.StatusNotFound, "no_code", "This code opens no seat. Each works once and for a few minutes."}
	}
	return answer(w, r, seat)
}
