package planner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"powderkeg/agents"
	"powderkeg/agents/learned"
	"powderkeg/agents/network"
	"powderkeg/agents/scripted"
	"powderkeg/agents/scripted/menu"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/env"
	"powderkeg/env/encoding"
)

// Planner is a player that shows its candidates. It belongs to one goroutine.
type Planner interface {
	agents.Policy
	menu.Player
}

// New returns the planner of the game, with the weights of its advisers where there are any, or
// one whose plans are single actions. Errors wrap option.ErrUsage.
func New(g engine.Game, advisers []network.Adviser) (Planner, error) {
	player, err := scripted.New(g)
	if err == nil {
		if p, ok := player.(Planner); ok {
			return p, learned.Weigh(g, player, advisers)
		}
	}
	if len(advisers) > 0 {
		return nil, fmt.Errorf("%w: planner: the plans of %s are single actions, which no weights advise", option.ErrUsage, g.Spec().Name)
	}
	return newSingles(g)
}

// mostSingles bounds the numbers of a single action, which names its observation and itself.
const mostSingles = 2048

// singles shows each legal action as a plan, all of one worth: its numbers are the observation
// and which action it is.
type singles struct {
	encoder encoding.Encoder
	names   []string
}

func newSingles(g engine.Game) (Planner, error) {
	encoder, err := env.EncoderFor(g)
	if err != nil {
		return nil, err
	}
	s := &singles{encoder: encoder}
	for i := range encoder.Layout().Size {
		s.names = append(s.names, fmt.Sprintf("observation[%d]", i))
	}
	for _, name := range g.Spec().Actions {
		s.names = append(s.names, "action."+name)
	}
	if len(s.names) > mostSingles {
		return nil, fmt.Errorf("%w: planner: %s has no planner, and is too large for plans of single actions; games with a planner: %s",
			option.ErrUsage, g.Spec().Name, strings.Join(scripted.Planning(), ", "))
	}
	return s, nil
}

// Features implements menu.Player.
func (s *singles) Features() []string { return s.names }

// Menu implements menu.Player.
func (s *singles) Menu(m *menu.Menu, view engine.View, seat engine.Player, legal []engine.Action) {
	if len(legal) == 1 {
		m.Only(legal[0])
		return
	}
	m.Reset()
	size := s.encoder.Layout().Size
	for i, a := range legal {
		x := m.Add(a, 0, len(s.names))
		if x[size+int(a)] = 1; i == 0 {
			s.encoder.Encode(x[:size], view, seat)
		} else {
			copy(x[:size], m.Features)
		}
	}
}

// Choose implements agents.Policy.
func (s *singles) Choose(_ engine.View, _ engine.Player, legal []engine.Action, _ *rand.PCG) engine.Action {
	return legal[0]
}

// hashOf is that of the names of a candidate's numbers, by which a network is known to fit.
func hashOf(names []string) string {
	text, err := json.Marshal(names)
	if err != nil {
		panic(err) // names are text
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
