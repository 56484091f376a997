package web

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"

	"powderkeg/agents"
	"powderkeg/agents/roster"
	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"
	"powderkeg/env"
	"powderkeg/env/drawing"
	"powderkeg/serve/teacher"
)

// library holds what there is to read about the games, read once.
type library struct {
	mu     sync.Mutex
	offers []Offer
}

// Reading is what there is to read about a game beside its board.
type Reading struct {
	Rules []ruledata.Rule `json:"rules"`
	Cards []drawing.Card  `json:"cards"`
}

func (s *Server) reading(w http.ResponseWriter, r *http.Request) error {
	family := r.PathValue("game")
	g, err := env.NewGame(family)
	if err != nil {
		return wrong(err)
	}
	return answer(w, r, Reading{
		Rules: append([]ruledata.Rule{}, games.Rules(family)...),
		Cards: append([]drawing.Card{}, drawing.Cards(g)...),
	})
}

// Offer is a game that can be chosen.
type Offer struct {
	env.Listing
	Opponents []teacher.Opponent `json:"opponents"`
}

// Catalogue is what a game is ordered by.
type Catalogue struct {
	Games []Offer `json:"games"`
}

func (s *Server) catalogue(w http.ResponseWriter, r *http.Request) error {
	offers, err := s.offers()
	if err != nil {
		return err
	}
	return answer(w, r, Catalogue{offers})
}

// offers returns the games that can be chosen, large ones first: they are what people
// come for. The order within is the list's.
func (s *Server) offers() ([]Offer, error) {
	s.library.mu.Lock()
	defer s.library.mu.Unlock()
	if s.library.offers != nil {
		return s.library.offers, nil
	}
	listings, err := env.Listings()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(listings, func(a, b env.Listing) int { return cmp.Compare(size(b), size(a)) })
	offers := make([]Offer, len(listings))
	for i, l := range listings {
		g, err := env.NewGame(l.Name)
		if err != nil {
			return nil, err
		}
		offers[i] = Offer{l, teacher.Opponents(g, s.config.NewAgent)}
	}
	s.library.offers = offers
	return offers, nil
}

// size tells a large game (1) from a small one (0).
func size(l env.Listing) int {
	if l.MaxDecisions > 1000 {
		return 1
	}
	return 0
}

// seed returns one that nobody knows.
func seed() uint64 { return max(rand.Uint64(), 1) }

// Players returns a Config.NewAgent of the bots that pages may choose: within limits, and
// no person at the server's terminal. Networks in files are among them if the limits
// allow it.
func Players(l roster.Limits) func(g engine.Game, text string) (agents.Agent, error) {
	return func(g engine.Game, text string) (agents.Agent, error) {
		kind := text
		if i := strings.IndexAny(text, "(:"); i >= 0 {
			kind = text[:i]
		}
		if allowed := l.Names(); !slices.Contains(allowed, strings.TrimSpace(kind)) {
			return nil, fmt.Errorf("%w: %q is no bot of this server; it has %s", option.ErrUsage, option.Shorten(kind), strings.Join(allowed, ", "))
		}
		return l.New(g, text)
	}
}
