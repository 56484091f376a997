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
	"powderkeg/checkpoints"
	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// library holds what there is to read about the games, read once.
type library struct {
	mu     sync.Mutex
	shelf  map[string]map[string]ruledata.Rule
	offers []Offer
}

// of returns the rules and rulings of a family by number.
func (l *library) of(family string) map[string]ruledata.Rule {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shelf == nil {
		l.shelf = map[string]map[string]ruledata.Rule{}
	}
	rules, ok := l.shelf[family]
	if !ok {
		rules = map[string]ruledata.Rule{}
		for _, r := range rulesOf(family) {
			rules[r.Number] = r
		}
		l.shelf[family] = rules
	}
	return rules
}

// rulesOf returns the rules of a family and then its rulings, nothing of one that has
// none.
func rulesOf(family string) []ruledata.Rule {
	f, err := env.Families().Find(family)
	if err != nil || f.Rules == nil {
		return nil
	}
	rules, err := ruledata.Rules(f.Rules)
	if err != nil {
		return nil // TestRules of the engine finds it
	}
	return slices.Concat(rules, ruledata.Rulings(f.Rulings))
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
		Rules: append([]ruledata.Rule{}, rulesOf(family)...),
		Cards: append([]drawing.Card{}, drawing.Cards(g)...),
	})
}

// Opponent is an agent that can be chosen, from the weakest to the strongest kind.
type Opponent struct {
	Agent string `json:"agent"`
	// Level names it in the page's strings: "random", "beginner", "casual", "scripted",
	// "search" or "network".
	Level string `json:"level"`
}

// Offer is a game that can be chosen.
type Offer struct {
	env.Listing
	Opponents []Opponent `json:"opponents"`
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
		offers[i] = Offer{l, s.opponents(l.Name)}
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

// opponents returns the agents that play a game with its default options here.
func (s *Server) opponents(family string) []Opponent {
	g, err := env.NewGame(family)
	if err != nil {
		return nil
	}
	all := []Opponent{
		{"random", "random"}, {"scripted(slips=0.5)", "beginner"}, {"scripted(slips=0.2)", "casual"},
		{"scripted", "scripted"}, {"mcts(sims=200,rollout=scripted,depth=40)", "search"},
	}
	for _, name := range networks(g) {
		all = append(all, Opponent{"zoo:" + name, "network"})
	}
	return slices.DeleteFunc(all, func(o Opponent) bool {
		_, err := s.config.NewAgent(g, o.Agent)
		return err != nil
	})
}

// networks returns the names of the trained networks that ship for a game.
func networks(g engine.Game) []string {
	var names []string
	for _, name := range checkpoints.Zoo() {
		if c, err := checkpoints.Open("zoo:" + name); err == nil && strings.HasPrefix(c.Manifest.Game, g.Spec().Name) {
			if _, err := roster.New(g, "zoo:"+name); err == nil {
				names = append(names, name)
			}
		}
	}
	return names
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
