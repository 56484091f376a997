package web

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"powderkeg/engine"
)

// journalFormat names the format of the files in which games are kept: a line with the
// head, then a line for everything that has happened, in the names of replays.
const journalFormat = "powderkeg-table/1"

// journalSuffix ends their names.
const journalSuffix = ".table"

// head is the first line of a journal: what a game was made with.
type head struct {
	Format string `json:"format"`
	// Game is the game string, Rules the version of its rules.
	Game  string `json:"game"`
	Rules int    `json:"rules"`
	// Position is the start, the game's own where it is absent.
	Position json.RawMessage `json:"position,omitempty"`
	// Seed is that of chance.
	Seed     uint64   `json:"seed"`
	Practice bool     `json:"practice,omitempty"`
	First    bool     `json:"first,omitempty"` // a guided first game
	Seats    []Seat   `json:"seats"`
	Keys     []digest `json:"keys"` // by seat, empty for seats without a person
}

// entry is a line of a journal. One of its fields is set.
type entry struct {
	Move string `json:"move,omitempty"`
	// Shows marks a move that has brought hidden information to light.
	Shows bool `json:"shows,omitempty"`
	// Offers are those of the move by seat (session.offers).
	Offers []uint32 `json:"offers,omitempty"`
	// Undo is how many moves were left.
	Undo *int   `json:"undo,omitempty"`
	Join *joins `json:"join,omitempty"`
	// Next is the name of the rematch.
	Next string `json:"next,omitempty"`
}

// joins says who has taken an open seat.
type joins struct {
	Seat int    `json:"seat"`
	Name string `json:"name"`
	Key  digest `json:"key"`
}

// journal is the file of a game. A line is with the system before the move that it tells
// of is shown to anybody, so that it outlives the process.
type journal struct {
	file *os.File
	line bytes.Buffer
}

func (j *journal) write(e any) error {
	j.line.Reset()
	if err := json.NewEncoder(&j.line).Encode(e); err != nil {
		return fmt.Errorf("web: journal: %w", err)
	}
	if _, err := j.file.Write(j.line.Bytes()); err != nil {
		return fmt.Errorf("web: journal: %w", err)
	}
	return nil
}

func (j *journal) close() error { return j.file.Close() }

// path returns where the journal of a game is.
func (s *Server) path(id string) string { return filepath.Join(s.config.Folder, id+journalSuffix) }

// create begins the journal of a new game.
func (s *Server) create(id string, h head) (*journal, error) {
	f, err := os.OpenFile(s.path(id), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("web: journal: %w", err)
	}
	j := &journal{file: f}
	if err := j.write(h); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(s.path(id)))
	}
	return j, nil
}

// wake reads a game that sleeps, and goes on with it. A last line that was cut off, as by a machine
// that went down, is left out.
func (s *Server) wake(id string) (*session, error) {
	t, size, err := s.readGame(id)
	if err != nil {
		return nil, err
	}
	if err = t.journal.file.Truncate(size); err == nil {
		err = t.settle() // it was cut off before chance spoke
	}
	if err != nil {
		return nil, errors.Join(err, t.journal.close())
	}
	t.think()
	return t, nil
}

// readGame reads a game as far as its journal, of which so many bytes are whole lines, has come. The
// caller closes the journal.
func (s *Server) readGame(id string) (_ *session, size int64, err error) {
	f, err := os.OpenFile(s.path(id), os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	lines := bufio.NewReaderSize(f, 64<<10)
	first, err := lines.ReadBytes('\n')
	if err != nil {
		return nil, 0, fmt.Errorf("its first line is cut off")
	}
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return nil, 0, err
	}
	if h.Format != journalFormat {
		return nil, 0, fmt.Errorf("its format is %q, this program reads %q", h.Format, journalFormat)
	}
	t, err := s.newSession(id, h)
	if err != nil {
		return nil, 0, err
	}
	if v := t.game.Spec().Version; v != h.Rules {
		return nil, 0, fmt.Errorf("it was played by version %d of the rules of %s, this program has version %d", h.Rules, h.Game, v)
	}
	size = int64(len(first))
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			break // the end, or a line that was cut off
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, 0, err
		}
		if err := t.recall(&e); err != nil {
			return nil, 0, err
		}
		size += int64(len(text))
	}
	t.journal = &journal{file: f}
	return t, size, nil
}

// recall carries out a line of the journal.
func (t *session) recall(e *entry) error {
	switch {
	case e.Undo != nil:
		if n := *e.Undo; n < 0 || n > len(t.moves) {
			return fmt.Errorf("it goes back to move %d of %d", n, len(t.moves))
		}
		return t.rewind(*e.Undo)
	case e.Join != nil:
		if n := e.Join.Seat; n < 0 || n >= len(t.seats) {
			return fmt.Errorf("it has no seat %d", n)
		}
		t.seats[e.Join.Seat].Seat, t.seats[e.Join.Seat].key = Seat{Person, e.Join.Name}.plain(), e.Join.Key
		return nil
	case e.Next != "":
		t.next = e.Next
		return nil
	}
	a, err := engine.FindMove(t.game, t.state, e.Move)
	if err != nil {
		return err
	}
	return t.play(a, e.Shows, e.Offers)
}

// digest is the SHA-256 of a token, empty for none.
type digest []byte

func digestOf(token string) digest {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// fits reports whether it is that of the token, in a time that does not tell how close it
// was.
func (d digest) fits(token string) bool {
	return len(d) == sha256.Size && subtle.ConstantTimeCompare(d, digestOf(token)) == 1
}

// MarshalText implements encoding.TextMarshaler: in hexadecimal.
func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *digest) UnmarshalText(text []byte) (err error) {
	*d, err = hex.AppendDecode(nil, text)
	return err
}

// secretBytes is how much chance is in the name of a game and in a token: 2^128 guesses.
const secretBytes = 16

// newSecret returns a name or token that nobody can guess.
func newSecret() string {
	b := make([]byte, secretBytes)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// validID reports whether a text can be the name of a game, and so part of a path.
func validID(id string) bool {
	return len(id) == base64.RawURLEncoding.EncodedLen(secretBytes) &&
		strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}
