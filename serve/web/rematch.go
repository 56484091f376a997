package web

import (
	"net/http"
	"slices"

	"powderkeg/engine"
)

// rematch makes another game between those who sit at a game that is over, the seats as
// they are or passed on by one. Tokens open the same persons' seats in it. Of two who ask
// the second is told of the game that the first has made.
func (s *Server) rematch(w http.ResponseWriter, r *http.Request) error {
	var asks struct {
		Swap bool `json:"swap"`
	}
	if err := read(r, &asks); err != nil {
		return err
	}
	var h head
	var next string
	err := s.seated(r, func(t *session, _ *audience, p engine.Player) error {
		if !t.ended(p) && !t.practice() {
			return &problem{http.StatusConflict, "not_over", "A rematch begins when the game is over."}
		}
		h, next = t.again(asks.Swap), t.next
		return nil
	})
	if err != nil {
		return err
	}
	if next == "" {
		made := newSecret()
		if err := s.begin(made, h, nil); err != nil {
			return err
		}
		err := s.seated(r, func(t *session, _ *audience, _ engine.Player) error {
			if next = t.next; next != "" {
				return nil // somebody was faster
			}
			if err := t.journal.write(entry{Next: made}); err != nil {
				return err
			}
			t.next, next = made, made
			t.tell()
			return nil
		})
		if err != nil {
			return err
		}
	}
	return answer(w, r, Made{ID: next, Tokens: []string{}})
}

// again returns the head of another game like this one.
func (t *session) again(swap bool) head {
	h := t.head
	h.Seed, h.Seats, h.Keys = seed(), t.seatsNow(), make([]digest, len(t.seats))
	for p := range t.seats {
		h.Keys[p] = t.seats[p].key
	}
	if swap {
		h.Seats = append(slices.Clone(h.Seats[1:]), h.Seats[0])
		h.Keys = append(slices.Clone(h.Keys[1:]), h.Keys[0])
	}
	return h
}
