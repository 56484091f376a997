package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"

	"powderkeg/agents"
	"powderkeg/agents/scripted"
	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// picture answers with a small drawing of a game's board, in the middle of a game that nobody plays.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) error {
	family := r.PathValue("game")
	g, err := env.NewGame(family)
	if err != nil {
		return wrong(err)
	}
	s.library.mu.Lock()
	defer s.library.mu.Unlock()
	shown := s.library.pictures[family]
	if shown == nil {
		if shown, err = pictureOf(context.WithoutCancel(r.Context()), g); err != nil {
			return err
		}
		if s.library.pictures == nil {
			s.library.pictures = map[string][]byte{}
		}
		s.library.pictures[family] = shown
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "max-age=86400")
	return compressed(w, r, shown)
}

// card answers with the face of a card.
func (s *Server) card(w http.ResponseWriter, r *http.Request) error {
	g, err := env.NewGame(r.PathValue("game"))
	if err != nil {
		return wrong(err)
	}
	face := drawing.Face(g, r.PathValue("card"))
	if face == nil {
		return wrong(fmt.Errorf("%s has no card %q", g.Spec().Name, r.PathValue("card")))
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "max-age=86400")
	return compressed(w, r, face)
}

const (
	// pictureMoves is how many moves a large game of a picture has come on, so that there is something
	// on the board; of a small one half are made.
	pictureMoves = 120
	// finePrint is from how many bytes on a drawing has so many words that none can be read where it is small.
	finePrint = 20_000
)

// unread is what a small picture of a drawing does without: what can be chosen on it, and its fine print.
var (
	unread    = regexp.MustCompile(`(?s)<title>.*?</title>| data-[a-z]+="[^"]*"`)
	smallText = regexp.MustCompile(`(?s)<text.*?</text>`)
)

// pictureOf draws a game that scripted players have played for a while, by a seed of its own. A game
// without a scripted player is drawn as it begins.
func pictureOf(ctx context.Context, g engine.Game) ([]byte, error) {
	spec := g.Spec()
	var seats []agents.Agent
	for p := range spec.Seats {
		policy, err := scripted.New(g)
		if err != nil {
			break
		}
		seats = append(seats, agents.FromPolicy(policy))
		seats[p].Start(engine.Player(p), 1)
	}
	state, rng := g.New(), rand.NewPCG(1, 1)
	for n := min(pictureMoves, spec.MaxDecisions/2); n > 0 && len(seats) > 0 && state.ToAct() != engine.Terminal; n-- {
		p := state.ToAct()
		var a engine.Action
		var err error
		if p == engine.Chance {
			a = engine.Sample(state.(engine.Stochastic).Outcomes(nil), rng)
		} else if a, err = seats[p].Act(ctx, engine.Look(state, p), state.Legal(nil)); err != nil {
			return nil, err
		}
		if err := state.Apply(a); err != nil {
			return nil, err
		}
	}
	svg, err := drawing.Draw(g, engine.Look(state, 0))
	if err != nil {
		return nil, err
	}
	if len(svg) > finePrint {
		svg = smallText.ReplaceAll(svg, nil)
	}
	return unread.ReplaceAll(svg, nil), nil
}
