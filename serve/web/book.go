package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/engine/ruledata"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// Books put the rules of a title into the order of play: book/GAME.json has its chapters.
//
//go:embed book/*.json
var books embed.FS

// Chapter is a part of a game's rules, in the order of play.
type Chapter struct {
	Title string `json:"title"`
	// Intro says in a sentence what the chapter is about.
	Intro string          `json:"intro"`
	Rules []ruledata.Rule `json:"rules"`
	// Example is a moment of the first game that shows one of the rules, nil for none.
	Example *Example `json:"example,omitempty"`
}

// Example is a moment of a game's first game.
type Example struct {
	Step int    `json:"step"` // of the learner's, from 1
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// chapterFile is a chapter as it is written: its rules are those whose numbers begin so.
type chapterFile struct {
	Title string   `json:"title"`
	Intro string   `json:"intro"`
	Rules []string `json:"rules"`
}

// book returns the chapters of a family's rules, none for a family without a book.
func book(family string) ([]Chapter, error) {
	data, err := books.ReadFile("book/" + family + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return []Chapter{}, nil
	}
	if err != nil {
		return nil, err
	}
	var files []chapterFile
	if err := json.Unmarshal(data, &files); err != nil {
		return nil, fmt.Errorf("web: book/%s.json: %w", family, err)
	}
	var steps []firstStep
	if f, err := readFirst(family); err == nil {
		steps = slices.DeleteFunc(f.Steps, func(s firstStep) bool { return s.Move == "" })
	}
	rules := games.Rules(family)
	chapters := make([]Chapter, len(files))
	for i, file := range files {
		within := func(number string) bool {
			return slices.ContainsFunc(file.Rules, func(r string) bool { return number == r || strings.HasPrefix(number, r+".") })
		}
		c := Chapter{Title: file.Title, Intro: file.Intro}
		for _, r := range rules {
			if within(r.Number) {
				c.Rules = append(c.Rules, r)
			}
		}
		if n := slices.IndexFunc(steps, func(s firstStep) bool { return within(s.Rule) }); n >= 0 {
			c.Example = &Example{n + 1, steps[n].Rule, steps[n].Say}
		}
		chapters[i] = c
	}
	return chapters, nil
}

// example answers with a drawing of what the learner of a first game sees at a step.
func (s *Server) example(w http.ResponseWriter, r *http.Request) error {
	family := r.PathValue("game")
	step, err := strconv.Atoi(r.PathValue("step"))
	if err != nil {
		return wrong(fmt.Errorf("step is %q, it must be a whole number", r.PathValue("step")))
	}
	svg, err := exampleOf(family, step)
	if err != nil {
		return wrong(err)
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "max-age=86400")
	return compressed(w, r, svg)
}

func exampleOf(family string, step int) ([]byte, error) {
	f, err := readFirst(family)
	if err != nil {
		return nil, err
	}
	g, err := env.NewGame(f.Game)
	if err != nil {
		return nil, err
	}
	if f.Position != nil {
		if g, err = engine.StartAt(g, f.Position); err != nil {
			return nil, err
		}
	}
	c, err := courseOf(g)
	if err != nil {
		return nil, err
	}
	state := g.New()
	for _, m := range c.moves {
		if m.step != nil && m.number == step {
			svg, err := drawing.Draw(g, engine.Look(state, c.Seat))
			return unread.ReplaceAll(svg, nil), err
		}
		if err := state.Apply(m.action); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the first game of %s has steps 1 to %d, not %d", family, c.asks, step)
}
