package web

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/drawing"
	"powderkeg/serve/teacher"
	"powderkeg/serve/told"
)

// Refusal says why a space of the drawing is no answer to what a seat is asked.
type Refusal struct {
	// Rule is the number of the rule by which the seat is asked, Text what the rule says.
	Rule  string `json:"rule"`
	Title string `json:"title"`
	Text  string `json:"text"`
	// Apart are the names of the space and of the one that it would have to border, absent
	// where that is not the reason.
	Apart []string `json:"apart,omitempty"`
	// First are choices, in words, after which the space can be chosen.
	First []string `json:"first"`
}

const (
	// whyTime and whyChoices bound how long, and with how many choices, it is tried out
	// what can be chosen next; firstsTold is how many of them are told.
	whyTime    = 150 * time.Millisecond
	whyChoices = 40
	firstsTold = 5
)

// why says why a space cannot be chosen by the seat that is asked.
func (s *Server) why(w http.ResponseWriter, r *http.Request) error {
	space := r.URL.Query().Get("space")
	var view engine.View
	var game engine.Game
	var reader *told.Reader
	var from string
	err := s.seated(r, func(t *session, _ *audience, p engine.Player) error {
		if !t.turn(p) {
			return &problem{http.StatusConflict, "not_you", "You are not to act now."}
		}
		view, game, reader = t.see(t.state, p), t.game, t.reader
		if n := len(t.moves); n > 0 && t.moves[n-1].Actor == p {
			from = reader.Object(view, t.moves[n-1].Action)
		}
		return nil
	})
	if err != nil {
		return err
	}
	q := reader.Question(view)
	answered := Refusal{Rule: q.Rule, Title: q.Title, Text: q.Text, Apart: apart(view, reader, space, from)}
	ctx, cancel := context.WithTimeout(r.Context(), whyTime)
	defer cancel()
	if answered.First, err = firsts(ctx, game, view, space); err != nil {
		return err
	}
	return answer(w, r, answered)
}

// apart returns the names of a space and of the one chosen last if all that can be chosen
// borders that one, and the space does not.
func apart(v engine.View, reader *told.Reader, space, from string) []string {
	mapper, ok := v.(engine.Mapper)
	if !ok {
		return nil
	}
	name, _, known := mapper.BorderNames(space)
	origin, borders, ok := mapper.BorderNames(from)
	if !known || !ok || name == origin || slices.Contains(borders, name) {
		return nil
	}
	near := 0
	for _, a := range v.Legal(nil) {
		to, _, is := mapper.BorderNames(reader.Object(v, a))
		switch {
		case is && to != origin && slices.Contains(borders, to):
			near++
		case is:
			return nil
		}
	}
	if near == 0 {
		return nil
	}
	return []string{name, origin}
}

// firsts returns in words the choices after which the space can be chosen. They are tried
// out in a world dealt from the view; which of its spaces an action means the drawing
// knows.
func firsts(ctx context.Context, g engine.Game, v engine.View, space string) (list []string, err error) {
	defer env.Recover(g, &err)
	list = []string{}
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(space)); err != nil {
		return nil, err
	}
	wanted := fmt.Appendf(nil, `data-space="%s" data-action="`, escaped.String())
	p, world, next := v.ToAct(), g.New(), g.New()
	if h, ok := world.(engine.Hidden); ok {
		h.Redeal(v, rand.NewPCG(v.Hash(), dealStream))
	} else {
		world.CopyFrom(v.(engine.State))
	}
	legal := v.Legal(nil)
	for _, a := range legal[:min(len(legal), whyChoices)] {
		if len(list) == firstsTold || ctx.Err() != nil {
			break
		}
		next.CopyFrom(world)
		if next.Apply(a) != nil || next.ToAct() != p {
			continue
		}
		svg, err := drawing.Draw(g, engine.Look(next, p))
		if err == nil && bytes.Contains(svg, wanted) {
			list = append(list, strings.TrimSpace(teacher.Words(g, v, a)))
		}
	}
	return list, nil
}
