package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"powderkeg/engine"
	"powderkeg/engine/replay"
	"powderkeg/env"
)

// Order is what a game is made by.
type Order struct {
	// Game is the game string. It may be absent where Replay is given.
	Game string `json:"game"`
	// Seats says who plays; a person is one with the page that sends the order.
	Seats []Seat `json:"seats"`
	// Practice allows to take back any move and to ask for hints. No seat may be open.
	Practice bool `json:"practice"`
	// Position, if given, is the JSON position to begin in, or a script that has one.
	Position json.RawMessage `json:"position,omitempty"`
	// Replay, if given, is a replay to go on from, or to look at if it is one of a whole
	// game.
	Replay json.RawMessage `json:"replay,omitempty"`
	// Seed decides chance; 0 stands for one that nobody knows. It must be 0 where more than one
	// person plays: whoever knows the seed can play the game beside itself and see what others hold.
	Seed uint64 `json:"seed,omitempty"`
	// First makes it the guided first game of the game's family. All else but the name of whoever
	// plays follows from that.
	First bool `json:"first,omitempty"`
}

// Made is the answer to an order.
type Made struct {
	ID string `json:"id"`
	// Tokens are those of the seats, "" for seats without a person. Whoever names one plays
	// the seat.
	Tokens []string `json:"tokens"`
}

// maxName bounds what a person calls himself, in characters.
const maxName = 40

// New makes a game.
func (s *Server) New(o Order) (Made, error) {
	record, err := o.read()
	if err == nil && o.First {
		record, err = nil, o.toFirst()
	}
	if err != nil {
		return Made{}, wrong(err)
	}
	g, err := env.NewGame(o.Game)
	if err != nil {
		return Made{}, wrong(err)
	}
	spec := g.Spec()
	if len(o.Seats) != spec.Seats {
		return Made{}, wrong(fmt.Errorf("%s has %d seats, the order names %d", spec.Text, spec.Seats, len(o.Seats)))
	}
	if o.Seed != 0 && !o.alone() {
		return Made{}, wrong(errors.New("seed: it is drawn by lot where more than one person plays, since it tells what they hold"))
	}
	if o.Seed == 0 {
		s.mu.Lock()
		o.Seed = s.seed()
		s.mu.Unlock()
	}
	h := head{
		Format: journalFormat, Game: spec.Text, Rules: spec.Version, Position: o.Position, Seed: o.Seed,
		Practice: o.Practice, First: o.First, Seats: o.Seats, Keys: make([]digest, len(o.Seats)),
	}
	made := Made{ID: newSecret(), Tokens: make([]string, len(o.Seats))}
	for i := range h.Seats {
		h.Seats[i] = h.Seats[i].plain()
		if err := h.Seats[i].check(o.Practice); err != nil {
			return Made{}, wrong(fmt.Errorf("seat %d: %w", i, err))
		}
		if h.Seats[i].Kind == Person {
			made.Tokens[i] = newSecret()
			h.Keys[i] = digestOf(made.Tokens[i])
		}
	}
	return made, s.begin(made.ID, h, record)
}

// alone reports whether at most one person plays.
func (o *Order) alone() bool {
	people := 0
	for _, seat := range o.Seats {
		if seat.Kind != Bot {
			people++
		}
	}
	return people < 2
}

// begin lays out a game, plays the moves of a record (nil for none) and keeps it.
func (s *Server) begin(id string, h head, record *replay.Record) error {
	t, err := s.newSession(id, h)
	if err != nil {
		return wrong(err)
	}
	if record != nil {
		if _, err := replay.Play(t.game, record, nil); err != nil {
			return wrong(err)
		}
	}
	if kept, err := filepath.Glob(s.path("*")); err == nil && len(kept) >= s.config.Games {
		s.expire(time.Now())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.room(); err != nil {
		return err
	}
	if kept, err := filepath.Glob(s.path("*")); err != nil || len(kept) >= s.config.Games {
		return &problem{http.StatusServiceUnavailable, "full", fmt.Sprintf("%d games are kept here already, which is as many as may be.", len(kept))}
	}
	if t.journal, err = s.create(id, h); err != nil {
		return err
	}
	if err := t.open(record); err != nil {
		t.journal.close()
		os.Remove(s.path(id))
		return err
	}
	s.awake[id] = t
	return nil
}

// open begins to play.
func (t *session) open(record *replay.Record) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if record != nil {
		for _, name := range record.Moves {
			a, err := engine.FindMove(t.game, t.state, name)
			if err != nil {
				return wrong(err)
			}
			if err := t.apply(a, false); err != nil {
				return err
			}
		}
	}
	if err := t.settle(); err != nil {
		return err
	}
	t.think()
	return nil
}

// read takes the files of the order apart.
func (o *Order) read() (*replay.Record, error) {
	if len(o.Position) > 0 && string(o.Position) != "null" {
		var script struct {
			Game     string          `json:"game"`
			Position json.RawMessage `json:"position"`
		}
		if json.Unmarshal(o.Position, &script) == nil && script.Position != nil {
			o.Position = script.Position
			if script.Game != "" {
				o.Game = script.Game
			}
		}
	} else {
		o.Position = nil
	}
	if len(o.Replay) == 0 || string(o.Replay) == "null" {
		return nil, nil
	}
	record, err := replay.Parse(o.Replay)
	if err != nil {
		return nil, err
	}
	o.Game, o.Position = record.Game, record.Position
	return record, nil
}

// plain returns the seat with the name of a person as it may stand beside others: what cannot be
// seen in it would change what stands around it, as do marks of the direction of writing, or make
// two names look alike. Joiners within a word stay, which some scripts and pictures need.
func (w Seat) plain() Seat {
	if w.Kind == Bot {
		return w // an agent string, which its parser checks
	}
	const nonJoiner, joiner = '\u200c', '\u200d'
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r) || r == nonJoiner || r == joiner:
			return r
		}
		return -1
	}, w.Name)
	w.Name = strings.Trim(strings.Join(strings.Fields(name), " "), string([]rune{nonJoiner, joiner, ' '}))
	return w
}

// check says what is wrong with a seat of an order.
func (w *Seat) check(practice bool) error {
	switch {
	case utf8.RuneCountInString(w.Name) > maxName && w.Kind != Bot:
		return fmt.Errorf("a name has at most %d characters", maxName)
	case w.Kind == Open && practice:
		return fmt.Errorf("a game for practice has no open seat, since moves are taken back in it")
	case w.Kind != Person && w.Kind != Bot && w.Kind != Open:
		return fmt.Errorf("%q is no kind of seat; there are %s, %s and %s", w.Kind, Person, Bot, Open)
	}
	return nil
}

// join gives an open seat to a person, who may ask for a certain one or (below 0) for any.
func (t *session) join(p int, name string) (seat int, token string, err error) {
	if p < 0 {
		for p = range t.seats {
			if t.seats[p].Kind == Open {
				break
			}
		}
	}
	if p >= len(t.seats) || t.seats[p].Kind != Open {
		return 0, "", &problem{http.StatusConflict, "taken", "This seat is taken."}
	}
	who := Seat{Person, name}.plain()
	if err := who.check(false); err != nil {
		return 0, "", wrong(err)
	}
	token = newSecret()
	if err := t.journal.write(entry{Join: &joins{p, who.Name, digestOf(token)}}); err != nil {
		return 0, "", err
	}
	t.seats[p].Seat, t.seats[p].key = who, digestOf(token)
	t.tell()
	return p, token, nil
}
