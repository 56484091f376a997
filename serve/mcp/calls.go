package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"
	"powderkeg/env"
	"powderkeg/serve/teacher"
)

// list lists the games.
func (s *Server) list() (*Games, error) {
	listings, err := env.Listings()
	if err != nil {
		return nil, err
	}
	l := &Games{Games: []Offer{}}
	for _, listing := range listings {
		g, err := env.NewGame(listing.Name)
		if err != nil {
			return nil, err
		}
		o := Offer{
			Name: listing.Name, Title: listing.Title, Seats: listing.Players, Payoff: string(g.Spec().Payoff),
			Decisions: listing.MaxDecisions, Options: listing.Options, Opponents: []string{},
		}
		for _, opponent := range teacher.Opponents(g, s.config.NewAgent) {
			o.Opponents = append(o.Opponents, opponent.Agent)
		}
		l.Games = append(l.Games, o)
	}
	return l, nil
}

// find finds the rules that are asked for.
func (a *rulesArgs) find() (*Rules, error) {
	name, _, err := option.Split(a.Game)
	if err != nil {
		return nil, err
	}
	if _, err := env.Families().Find(name); err != nil {
		return nil, err
	}
	rules := games.Rules(name)
	if a.Find == "" {
		titles := []ruledata.Rule{}
		for _, r := range rules {
			r.Text = ""
			titles = append(titles, r)
		}
		return &Rules{name, titles}, nil
	}
	found := ruledata.Find(rules, a.Find)
	if len(found) == 0 {
		return nil, fmt.Errorf("no rule of %s has the number or the word %q; chapters: %s", name, shorten(a.Find),
			strings.Join(ruledata.Chapters(rules), ", "))
	}
	return &Rules{name, found}, nil
}

// newGame begins a game.
func (s *Server) newGame(ctx context.Context, a *newGameArgs) (*Situation, string, error) {
	eg, err := configure(a.Game, a.Options)
	if err != nil {
		return nil, "", err
	}
	g, err := s.sit(eg, a.Seat, a.Opponents)
	if err != nil {
		return nil, "", err
	}
	seed := drawSeed()
	if a.Seed != nil {
		seed = *a.Seed
	}
	if err := s.begin(ctx, g, seed); err != nil {
		return nil, "", err
	}
	g.mu.Lock() // the others may have its id as soon as it is kept
	defer g.mu.Unlock()
	gone := s.keep(g)
	o, text := g.situation(gone)
	return o, text, nil
}

// configure makes the game of a game string with options that are given beside it.
func configure(text string, options map[string]any) (engine.Game, error) {
	if text == "" {
		return nil, errors.New("game is missing; the tool games lists them")
	}
	name, given, err := option.Split(text)
	if err != nil {
		return nil, err
	}
	f, err := env.Families().Find(name)
	if err != nil {
		return nil, err
	}
	for key, value := range options {
		text, err := written(value)
		if err != nil {
			return nil, fmt.Errorf("options.%s %w", shorten(key), err)
		}
		given = append(given, option.Argument{Name: key, Value: text})
	}
	slices.SortFunc(given, func(x, y option.Argument) int { return strings.Compare(x.Name, y.Name) })
	values, err := option.Check(f.Name, f.Options, given)
	if err != nil {
		return nil, err
	}
	return f.Configure(values)
}

// written is an option's value as game strings have it.
func written(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case json.Number:
		return v.String(), nil
	}
	return "", fmt.Errorf("is %v, it must be a string, a number or true or false", shorten(fmt.Sprint(value)))
}

// hint asks the game's teacher about the model's decision.
func (s *Server) hint(ctx context.Context, g *game) (h *Hint, err error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	if g.teacher == nil {
		if g.teacher = teacher.New(g.game); g.teacher == nil {
			return nil, fmt.Errorf("nobody here can teach %s", g.game.Spec().Text)
		}
	}
	defer env.Recover(g.game, &err)
	err = s.thinking(ctx, s.config.Hint, func(ctx context.Context) error {
		advice, err := g.teacher.Advise(ctx, g.view(), g.seat, g.env.Legal(), -1)
		if err == nil {
			h = g.hinted(advice)
		}
		return err
	})
	return h, err
}
