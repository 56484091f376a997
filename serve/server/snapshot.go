package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/encoding"
	"powderkeg/env/vec"
	"powderkeg/serve/protocol"
)

// A snapshot is a line of text, "powderkeg snapshot", its format and a digest of what follows,
// and a JSON document: saved.
const (
	snapshotHead   = "powderkeg snapshot "
	snapshotFormat = 1
	digestDigits   = 16 // of the SHA-256: against damage, not against forgery
)

// saved is a game in progress with what must be the same where it goes on.
type saved struct {
	Game   string   `json:"game"`
	Rules  int      `json:"rules"`  // version of the rules and positions
	Layout int      `json:"layout"` // version of the observations' layout
	Agents []string `json:"agents,omitempty"`
	vec.Snapshot
}

// scene is what a snapshot is about beside the moment.
type scene struct {
	game   engine.Game
	layout *encoding.Layout
	agents []string
}

// write returns a moment as a snapshot.
func (s scene) write(moment vec.Snapshot) (*protocol.Snapshot, error) {
	spec := s.game.Spec()
	text, err := json.Marshal(saved{spec.Text, spec.Version, s.layout.Version, s.agents, moment})
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("%s%d %s\n", snapshotHead, snapshotFormat, digest(text))
	if most := protocol.Bounds["snapshot"].Bytes; len(head)+len(text) > most {
		return nil, protocol.Errorf(protocol.CodeLimit, "the snapshot has %d bytes, the limit is %d", len(head)+len(text), most)
	}
	return &protocol.Snapshot{Snapshot: head + string(text)}, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])[:digestDigits]
}

// read takes a snapshot apart and says why it cannot go on here. The moment in it is one that
// somebody may have made up.
func (s scene) read(snapshot string) (moment vec.Snapshot, err error) {
	refuse := func(format string, values ...any) (vec.Snapshot, error) {
		return moment, protocol.Errorf(protocol.CodePosition, "snapshot: "+format, values...)
	}
	head, text, found := strings.Cut(snapshot, "\n")
	words := strings.Fields(strings.TrimPrefix(head, snapshotHead))
	switch {
	case !found || !strings.HasPrefix(head, snapshotHead) || len(words) != 2:
		return refuse("these %d bytes are none", len(snapshot))
	case words[0] != fmt.Sprint(snapshotFormat):
		return refuse("its format is %.20s, this program reads %d", words[0], snapshotFormat)
	case words[1] != digest([]byte(text)):
		return refuse("it is damaged: its digest is not that of its %d bytes", len(text))
	}
	var doc saved
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&doc); err != nil {
		return refuse("%v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return refuse("something follows it")
	}
	spec := s.game.Spec()
	switch {
	case doc.Game != spec.Text:
		return refuse("it is of the game %.200q, this is %s", doc.Game, spec.Text)
	case doc.Rules != spec.Version:
		return refuse("it is of version %d of the rules of %s, this program has version %d", doc.Rules, spec.Name, spec.Version)
	case doc.Layout != s.layout.Version:
		return refuse("it is of version %d of the observations of %s, this program has version %d", doc.Layout, spec.Name, s.layout.Version)
	case !slices.Equal(doc.Agents, s.agents):
		return refuse("it is of a game against the agents %.200q, here play %q", doc.Agents, s.agents)
	}
	return doc.Snapshot, nil
}

// bad is the error of a moment that cannot be.
func bad(err error) error {
	var fault *protocol.Error
	var broken *env.Panic
	if errors.As(err, &fault) || errors.As(err, &broken) {
		return err
	}
	return protocol.Errorf(protocol.CodePosition, "snapshot: %v", err)
}

// underWay is the error of a game that cannot be written down.
func underWay(err error) error {
	if errors.Is(err, engine.ErrUnderWay) {
		return protocol.Errorf(protocol.CodePosition,
			"the world was dealt anew in the middle of a procedure, and what led to it is not known; write it down when that is over, or copy it")
	}
	return err
}

func (c *conn) envSnapshot(_ context.Context, p *protocol.Env) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	if fault := c.copies(e.seats != nil); fault != nil {
		return nil, fault
	}
	if e.fault != nil {
		return nil, protocol.Errorf(protocol.CodeOver, "the episode was given up (%v); reset first", e.fault)
	}
	moment := vec.Snapshot{Seed: e.seed, Episode: e.episode, Decided: e.decided, Before: e.before}
	if moment.Env, err = e.env.Short(); err != nil {
		return nil, underWay(err)
	}
	if e.seats != nil {
		list, err := e.seats.memories()
		if err == nil {
			moment.Minds, err = list.write()
		}
		if err != nil {
			return nil, err
		}
	}
	return e.scene().write(moment)
}

// scene returns what snapshots of the environment are about.
func (e *environment) scene() scene { return scene{e.env.Game(), e.env.Encoder().Layout(), e.agents} }

func (c *conn) envRestore(_ context.Context, p *protocol.EnvRestore) (any, error) {
	e, err := c.environmentOf(p.Env)
	if err != nil {
		return nil, err
	}
	if fault := c.copies(e.seats != nil); fault != nil {
		return nil, fault
	}
	moment, err := e.scene().read(p.Snapshot)
	if err != nil {
		return nil, err
	}
	inner := e.env.Clone()
	if err := moment.In(inner); err != nil {
		return nil, bad(err)
	}
	if actor := inner.Actor(); actor >= 0 && !inner.Truncated() && !e.plays(actor) {
		return nil, protocol.Errorf(protocol.CodePosition, "snapshot: seat %d is to act, which an agent plays", actor)
	}
	list, err := e.seats.memories()
	if err == nil {
		err = list.read(moment.Minds)
	}
	if err != nil {
		return nil, bad(err)
	}
	e.env.CopyFrom(inner)
	e.seed, e.episode, e.decided, e.fault = moment.Seed, moment.Episode, moment.Decided, nil
	copy(e.before, moment.Before)
	e.show()
	return e.made(p.Env), nil
}
