package insurgency

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/flow"
	codec "powderkeg/engine/position"
)

// wrong makes the error of a position that is refused.
func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", engine.ErrPosition, fmt.Sprintf(format, args...))
}

// Load implements engine.Game. Spaces, tracks and markers that a document leaves out are
// those of the initial position.
func (g *game) Load(data []byte, how engine.Strictness) (engine.State, error) {
	s := g.state(&g.start)
	return flow.Load(g, s, data, func(rest []byte) error { return g.load(s, rest, how) }, func(beside []byte) ([]byte, error) {
		p, given, err := g.read(beside)
		if err != nil {
			return nil, err
		}
		return g.codec.Echo(given, &p)
	})
}

// load reads a position at rest.
func (g *game) load(s *State, data []byte, how engine.Strictness) error {
	p, given, err := g.read(data)
	if err == nil {
		q := p
		g.board(&q).derive()
		err = g.codec.Derived(given, &q)
	}
	if err != nil && given.Any("story_drawn", "removal", "card", "operation", "event", "news", "placing", "testing") {
		return fmt.Errorf("%w; %s", err, flow.Under)
	}
	if err != nil {
		return err
	}
	if err := g.board(&p).validate(how); err != nil {
		return err
	}
	s.P = p
	if err := s.Resume(given["decision"]); err != nil {
		return err
	}
	if s.P.Actor >= 0 && s.P.Choices().Size() == 0 {
		return wrong("nothing can be chosen in decision %s", g.table[s.P.Ask].Name)
	}
	return nil
}

// read reads the fields of a position at rest, and finds those that a document leaves out.
func (g *game) read(data []byte) (p Position, given codec.Given, err error) {
	p = g.start
	if given, err = g.codec.Decode(data, &p); err != nil {
		return p, given, err
	}
	p.countPieces()
	for side := range p.Hand {
		p.HandSize[side] = uint8(p.Hand[side].Count())
	}
	return p, given, g.board(&p).complete(given)
}

// complete finds the phase, with another than at the start what belongs to that, and how far
// the pair and the deal have come.
func (b Board) complete(given codec.Given) error {
	switch {
	case given.Has("phase"):
	case given.Has("game_over"):
		b.Phase = over
	case given.Any("to_play", "rebel_hand", "federal_hand", "active_stories", "pool"):
		b.Phase = actionPhase
	}
	if b.Phase != b.start.Phase {
		if !given.Has("to_deal") {
			b.ToDeal = [numSeats]uint8{}
		}
		if b.Phase > setUpUnits && !given.Has("to_play") {
			b.Side = rebel
		}
	}
	if given.Has("to_play") && b.Phase > setUpUnits && b.Phase != actionPhase {
		return wrong("to_play: nobody plays cards in phase %s", phaseNames[b.Phase])
	}
	if b.Phase == administration && b.AdminDue == 0 {
		b.AdminDue = adminDomination
	}
	if b.Phase == actionPhase && !given.Has("cards_left_in_pair") {
		b.PairLeft = min(2, b.HandSize[b.Side])
	}
	if !given.Has("to_deal") && b.Phase <= dealing && b.Round == 1 {
		b.ToDeal = [numSeats]uint8{b.box.openingHand, b.box.openingHand}
	}
	if b.Testing = noSpace; b.Phase == setUpTests {
		b.Testing = b.untested()
	}
	return nil
}
