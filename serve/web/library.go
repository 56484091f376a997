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
	offers []Offer          // of the games with their default options
	byGame map[string]Offer // by canonical game string, at most maxOffers

	pictures map[string][]byte // by family
}

// maxOffers bounds the offers that are kept: of game strings there are as many as somebody likes
// to write.
const maxOffers = 500

// Reading is what there is to read about a game beside its board.
type Reading struct {
	Rules []ruledata.Rule `json:"rules"`
	Cards []drawing.Card  `json:"cards"`
	Book  []Chapter       `json:"book"`
}

func (s *Server) reading(w http.ResponseWriter, r *http.Request) error {
	family := r.PathValue("game")
	g, err := env.NewGame(family)
	if err != nil {
		return wrong(err)
	}
	chapters, err := book(family)
	if err != nil {
		return err
	}
	return answer(w, r, Reading{
		Book:  chapters,
		Rules: append([]ruledata.Rule{}, games.Rules(family)...),
		Cards: append([]drawing.Card{}, drawing.Cards(g)...),
	})
}

// Offer is a game that can be chosen, as the options that are given make it.
type Offer struct {
	env.Listing
	// Game is the game string, Values the options in it that are not as by default.
	Game   string            `json:"game"`
	Values map[string]string `json:"values"`
	// Changed names the options that were changed for the sake of others, in their order.
	Changed []string `json:"changed"`
	// Opponents are those that play the game with these options, Suggested one of them.
	Opponents []teacher.Opponent `json:"opponents"`
	Suggested string             `json:"suggested"`
	// Seats are what the game calls the seats before it has begun.
	Seats []Sitting `json:"seats"`
	// First is true of a family with a guided first game.
	First bool `json:"first"`
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
		if offers[i], err = s.offerOf(g, nil); err != nil {
			return nil, err
		}
	}
	s.library.offers = offers
	return offers, nil
}

// offerOf makes the offer of a game with the values of its options that are given.
func (s *Server) offerOf(g engine.Game, given map[string]string) (Offer, error) {
	listing, err := env.ListingOf(g)
	if err != nil {
		return Offer{}, err
	}
	if given == nil {
		given = map[string]string{}
	}
	// Helps speak of seats, which have the names of their colours before they have sides.
	seats := drawing.Seats(g, engine.Look(g.New(), 0))
	listing.Options = slices.Clone(listing.Options)
	for i := range listing.Options {
		listing.Options[i].Help = engine.Named(listing.Options[i].Help, func(p engine.Player) string {
			if int(p) >= len(seats) {
				return ""
			}
			return drawing.Seat{Colour: seats[p].Colour}.Name()
		})
	}
	opponents := teacher.Opponents(g, s.config.NewAgent)
	return Offer{
		Listing: listing, Game: g.Spec().Text, Values: given, Changed: []string{},
		Opponents: opponents, Suggested: teacher.Suggested(opponents),
		Seats: sitting(g, engine.Look(g.New(), 0), func(int) Seat { return Seat{} }),
		First: hasFirst(listing.Name),
	}, nil
}

// offer answers with the offer of a game string. Where its options do not go together, others
// than the one that is named by kept are changed until they do.
func (s *Server) offer(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	o, err := s.nearestOffer(q.Get("game"), q.Get("kept"))
	if err != nil {
		return wrong(err)
	}
	return answer(w, r, o)
}

func (s *Server) nearestOffer(text, kept string) (Offer, error) {
	name, arguments, err := option.Split(text)
	if err != nil {
		return Offer{}, err
	}
	f, err := env.Families().Find(name)
	if err != nil {
		return Offer{}, err
	}
	asked, err := option.Check(f.Name, f.Options, arguments)
	if err != nil {
		return Offer{}, err
	}
	// Networks are opened for it, which one page after another may ask for.
	s.library.mu.Lock()
	defer s.library.mu.Unlock()
	values, ok := asked.Nearest(kept, func(v option.Values) bool {
		_, err := f.Configure(v)
		return err == nil
	})
	g, err := f.Configure(values)
	if !ok || err != nil {
		return Offer{}, err
	}
	key := values.Format(f.Name)
	o, found := s.library.byGame[key]
	if !found {
		if o, err = s.offerOf(g, values.Given()); err != nil {
			return Offer{}, err
		}
		if s.library.byGame == nil || len(s.library.byGame) >= maxOffers {
			s.library.byGame = map[string]Offer{}
		}
		s.library.byGame[key] = o
	}
	o.Changed = changed(f.Options, asked.Given(), o.Values)
	return o, nil
}

// changed names the options that have another value than was asked for.
func changed(options []option.Option, asked, have map[string]string) []string {
	names := []string{}
	for _, o := range options {
		if asked[o.Name] != have[o.Name] {
			names = append(names, o.Name)
		}
	}
	return names
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
