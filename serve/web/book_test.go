package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Every title with a first game has a book: no rule stands in it twice, every chapter has some, and
// most have an example with a picture.
func TestBooks(t *testing.T) {
	p := open(t, "", nil)
	var c Catalogue
	p.ask("GET", "/api/catalogue", "", nil, http.StatusOK, &c)
	for _, offer := range c.Games {
		var r Reading
		p.ask("GET", "/api/games/"+offer.Name, "", nil, http.StatusOK, &r)
		if offer.First != (len(r.Book) > 0) {
			t.Errorf("%s: a first game %v, and a book of %d chapters", offer.Name, offer.First, len(r.Book))
		}
		chapter, shown := map[string]string{}, 0
		for _, part := range r.Book {
			if part.Title == "" || len(part.Intro) < 20 || len(part.Rules) == 0 {
				t.Errorf("%s: the chapter %q has %d rules and the words %q", offer.Name, part.Title, len(part.Rules), part.Intro)
			}
			for _, rule := range part.Rules {
				if other := chapter[rule.Number]; other != "" {
					t.Errorf("%s: %s stands in %q and in %q", offer.Name, rule.Number, other, part.Title)
				}
				chapter[rule.Number] = part.Title
			}
			if part.Example == nil {
				continue
			}
			shown++
			if chapter[part.Example.Rule] != part.Title {
				t.Errorf("%s: the example of %q is of %s", offer.Name, part.Title, part.Example.Rule)
			}
			svg := string(p.ask("GET", fmt.Sprintf("/api/games/%s/example/%d", offer.Name, part.Example.Step), "", nil, http.StatusOK, nil))
			if !strings.HasPrefix(svg, "<svg") || strings.Contains(svg, ` data-action="`) {
				t.Errorf("%s: the picture of %q is %.60s", offer.Name, part.Title, svg)
			}
		}
		if len(r.Book) > 0 && shown < 5 {
			t.Errorf("%s has %d examples", offer.Name, shown)
		}
	}
	for _, path := range []string{"jogu/example/0", "jogu/example/99", "jogu/example/x", "kuhn/example/1", "chess/example/1"} {
		p.problem("GET", "/api/games/"+path, "", nil, http.StatusBadRequest, "wrong")
	}
}
