package engine

import "fmt"

// StartAt returns the game with another start: its New returns the state of a JSON
// position, strictly loaded. All else is that of g, whose Load goes on to fill in
// fields from g's own initial position. Errors wrap ErrPosition.
func StartAt(g Game, position []byte) (Game, error) {
	s, err := g.Load(position, Strict)
	if err != nil {
		return nil, err
	}
	if s.ToAct() == Terminal {
		return nil, fmt.Errorf("%w: the game is over in it", ErrPosition)
	}
	return &started{g, s}, nil
}

// started is a game with a start of its own.
type started struct {
	Game
	start State
}

// New implements Game.
func (g *started) New() State { return Clone(g.Game, g.start) }

// Original returns the game that StartAt was given, and any other as it is.
func Original(g Game) Game {
	if s, ok := g.(*started); ok {
		return s.Game
	}
	return g
}
