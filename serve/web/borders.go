package web

import (
	"html"
	"net/http"
	"regexp"

	"powderkeg/engine"
	"powderkeg/env/drawing"
)

// Borders tells of a space of a drawing what people call it, and which spaces border it.
type Borders struct {
	Name    string   `json:"name"`
	Borders []string `json:"borders"` // as the drawing names them
}

// spaces finds the spaces of a drawing.
var spaces = regexp.MustCompile(`data-space="([^"]+)"`)

// borders answers with the borders of all spaces of the drawing that the page sees, by their
// names there; nothing where the map is not known, or not seen.
func (s *Server) borders(w http.ResponseWriter, r *http.Request) error {
	shoulder, err := number(r, "seat", -1)
	if err != nil {
		return err
	}
	var f *frame
	err = s.with(r.PathValue("id"), func(t *session) error {
		a, p, err := t.seatOf(token(r), shoulder)
		if err != nil {
			return err
		}
		f, err = t.frame(a, -1, -1, p)
		return err
	})
	if err != nil {
		return err
	}
	list, err := bordersOf(f.game, f.view)
	if err != nil {
		return err
	}
	return answer(w, r, list)
}

func bordersOf(g engine.Game, v engine.View) (map[string]Borders, error) {
	list := map[string]Borders{}
	mapper, ok := v.(engine.Mapper)
	if !ok {
		return list, nil
	}
	svg, err := drawing.Draw(g, v)
	if err != nil {
		return nil, err
	}
	space := map[string]string{} // by what people call it
	for _, m := range spaces.FindAllSubmatch(svg, -1) {
		id := html.UnescapeString(string(m[1]))
		if name, borders, ok := mapper.BorderNames(id); ok {
			list[id], space[name] = Borders{name, borders}, id
		}
	}
	for id, b := range list {
		near := []string{}
		for _, name := range b.Borders {
			if other, ok := space[name]; ok {
				near = append(near, other)
			}
		}
		list[id] = Borders{b.Name, near}
	}
	return list, nil
}
