package web

import (
	"net/http"
	"strings"
	"testing"

	"powderkeg/engine/games"
)

// Every first game is played to its end by what it asks for. On the way other choices are tried: they
// are refused by a rule, or carried out where the learner is free, and taken back again.
func TestFirstGames(t *testing.T) {
	p := open(t, "", nil)
	var c Catalogue
	p.ask("GET", "/api/catalogue", "", nil, http.StatusOK, &c)
	taught := 0
	for _, offer := range c.Games {
		if !offer.First {
			continue
		}
		taught++
		t.Run(offer.Name, func(t *testing.T) {
			lesson, err := readFirst(offer.Name)
			if err != nil {
				t.Fatal(err)
			}
			rules := map[string]bool{}
			for _, r := range games.Rules(offer.Name) {
				rules[r.Number] = true
			}
			made := p.order(Order{Game: offer.Name, First: true, Seats: []Seat{{Person, "Ann"}}})
			token := made.Tokens[lesson.Seat]
			free, refused := 0, 0
			for n := 1; ; n++ {
				s := p.look(made.ID, token)
				if s.Guide == nil {
					t.Fatalf("step %d says nothing; asked is %+v", n, s.Prompt)
				}
				if s.Guide.Done {
					if n != s.Guide.Steps+1 || n < 16 || n > 41 || s.Guide.Text == "" {
						t.Errorf("it ends after %d steps of %d: %q", n-1, s.Guide.Steps, s.Guide.Text)
					}
					break
				}
				size := len(s.Guide.Text)
				if s.Guide.Step != n || s.Guide.Off || !rules[s.Guide.Rule] || size < 40 || size > 500 || s.Prompt.Player != s.Seat {
					t.Fatalf("step %d is %+v, asked is %+v", n, *s.Guide, s.Prompt)
				}
				next := made.next(p)
				for _, other := range s.Legal {
					if other.Action == next {
						continue
					}
					if !s.Guide.Free {
						refused++
						var why struct{ Error, Text string }
						p.ask("POST", "/api/tables/"+made.ID+"/move", token, numbered{s.Number, other.Action}, http.StatusConflict, &why)
						if why.Error != "lesson" || len(why.Text) < 30 {
							t.Errorf("step %d: %s is refused by %+v", n, other.Name, why)
						}
						break
					}
					free++
					p.move(made.ID, token, s, other.Action)
					if off := p.look(made.ID, token); off.Guide == nil || !off.Guide.Off || off.Guide.Text == s.Guide.Text {
						t.Errorf("step %d: after %s the lesson says %+v", n, other.Name, off.Guide)
					}
					break
				}
				if s = p.look(made.ID, token); s.Guide.Off {
					p.ask("POST", "/api/tables/"+made.ID+"/guide", token, nil, http.StatusOK, nil)
				} else {
					p.move(made.ID, token, s, next)
				}
			}
			if free < 3 || refused < 3 {
				t.Errorf("%d choices are free and %d are refused", free, refused)
			}
			if journal := p.file(made.ID); !strings.Contains(journal, `"first":true`) {
				t.Error("the journal does not say that it is a first game")
			}
			p.problem("POST", "/api/tables/"+made.ID+"/guide", token, nil, http.StatusConflict, "no_lesson")
			// The game goes on, against a bot.
			for range 5 {
				s := p.until(made.ID, token, mine)
				if s.Over != nil {
					break
				}
				p.move(made.ID, token, s, s.Legal[0].Action)
			}
		})
	}
	if taught == 0 {
		t.Error("nothing is taught")
	}
	p.problem("POST", "/api/tables", "", Order{Game: "kuhn", First: true}, http.StatusBadRequest, "wrong")
}

// next returns what the lesson wants to be chosen now.
func (m Made) next(p *place) (action int) {
	p.t.Helper()
	err := p.server.with(m.ID, func(t *session) error {
		next, _, _ := t.lesson()
		action = int(next.action)
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return action
}

// A lesson that was left for a choice of one's own is the same after the server has started anew.
func TestAFirstGameSleeps(t *testing.T) {
	folder := t.TempDir()
	p := open(t, folder, nil)
	m := p.order(Order{Game: "jogu", First: true})
	s := p.look(m.ID, m.Tokens[0])
	for !s.Guide.Free {
		p.ask("POST", "/api/tables/"+m.ID+"/guide", m.Tokens[0], nil, http.StatusOK, nil)
		s = p.look(m.ID, m.Tokens[0])
	}
	next := m.next(p)
	for _, c := range s.Legal {
		if c.Action != next {
			p.move(m.ID, m.Tokens[0], s, c.Action)
			break
		}
	}
	off := p.look(m.ID, m.Tokens[0])
	p.close()
	again := open(t, folder, nil).look(m.ID, m.Tokens[0])
	if again.Guide == nil || *again.Guide != *off.Guide || !again.Guide.Off {
		t.Errorf("after a new start the lesson says %+v, before %+v", again.Guide, off.Guide)
	}
}
