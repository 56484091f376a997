package web

import (
	"net/http"
	"slices"
	"testing"
)

// Every space of a map borders others, each of which borders it.
func TestBorders(t *testing.T) {
	p := open(t, "", nil)
	for game, want := range map[string]int{"domination": 25, "insurgency": 20, "minuteman": 400, "bloc": 15, "jogu": 0} {
		seats := 2
		if game == "bloc" {
			seats = 4
		}
		m := p.order(Order{Game: game, Seats: people(seats), Seed: 1})
		var list map[string]Borders
		p.ask("GET", "/api/tables/"+m.ID+"/borders", m.Tokens[0], nil, http.StatusOK, &list)
		if len(list) < want || want == 0 && len(list) > 0 {
			t.Errorf("%s: %d spaces have borders, want %d at least", game, len(list), want)
		}
		for space, b := range list {
			if b.Name == "" || len(b.Borders) == 0 {
				t.Errorf("%s: %s is called %q and borders nothing", game, space, b.Name)
			}
			for _, other := range b.Borders {
				if !slices.Contains(list[other].Borders, space) {
					t.Errorf("%s: %s borders %s, which does not border it", game, space, other)
				}
			}
		}
		p.ask("GET", "/api/tables/"+m.ID+"/borders", "", nil, http.StatusOK, &list)
	}
}
