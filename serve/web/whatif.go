package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"powderkeg/engine"
	"powderkeg/serve/teacher"
)

// whatIf begins a game for practice where the seat was to act at a step: it plays on, and bots on
// all other seats. What the seat did not know then is dealt anew. Where a deal cannot be written
// down, in the middle of a procedure, it is what there really was, if that is no secret any more.
func (s *Server) whatIf(w http.ResponseWriter, r *http.Request) error {
	var asks struct {
		Step int `json:"step"`
	}
	if err := read(r, &asks); err != nil {
		return err
	}
	var m *moment
	o := Order{Practice: true}
	err := s.seated(r, func(t *session, a *audience, p engine.Player) (err error) {
		if err := t.taught(p); err != nil {
			return err
		}
		if m, err = t.moment(a, p, asks.Step); err != nil {
			return err
		}
		o.Game, o.Seats = t.head.Game, t.seatsNow()
		for q := range o.Seats {
			switch {
			case engine.Player(q) == p:
			case o.Seats[q].Kind != Bot:
				o.Seats[q] = Seat{Kind: Bot, Name: teacher.Who(t.game)}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if o.Position, err = m.position(); err != nil {
		return err
	}
	made, err := s.New(o)
	if err != nil {
		return err
	}
	return answer(w, r, made)
}

// positionDeals is how many deals are tried for one that can be written down: a seat may not know
// whether a procedure is under way.
const positionDeals = 4

// position returns the moment as a document, with what the seat does not know dealt anew.
func (m *moment) position() (json.RawMessage, error) {
	if _, hides := m.game.New().(engine.Hidden); !hides {
		return m.view.MarshalJSON()
	}
	var last error
	for n := range positionDeals {
		data, err := m.deal(n).MarshalJSON()
		if err == nil {
			return data, nil
		}
		last = err
	}
	if m.state != nil {
		return m.state.MarshalJSON()
	}
	if errors.Is(last, engine.ErrUnderWay) {
		return nil, &problem{http.StatusConflict, "under_way", "In the middle of a procedure a deal cannot be written down while others have secrets; step to where it began."}
	}
	return nil, last
}
