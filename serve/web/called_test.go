package web

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
)

// byNumber is how machines speak of seats.
var byNumber = regexp.MustCompile(`\b([Ss]eat|[Pp]layer) \d`)

// callsByName demands that nothing a person reads on a screen speaks of a seat by number. The text in words of a game
// without sides may: its maps mark pieces with the numbers of seats.
func callsByName(t *testing.T, s *Screen) {
	t.Helper()
	texts := append([]string{s.Prompt.Says, s.Drawing, s.Fault}, s.Chain...)
	for _, c := range s.Legal {
		texts = append(texts, c.Words)
	}
	for _, l := range s.Log {
		texts = append(texts, l.Text)
	}
	for _, x := range s.Seats {
		texts = append(texts, x.Called)
	}
	g, err := env.NewGame(s.Game)
	if err != nil {
		t.Fatal(err)
	}
	if _, sided := engine.Look(g.New(), 0).(engine.Sided); sided {
		texts = append(texts, s.Text)
	}
	if i := slices.IndexFunc(texts, byNumber.MatchString); i >= 0 {
		at := byNumber.FindStringIndex(texts[i])
		t.Errorf("%s, step %d: a page says %q", s.Game, s.Step, texts[i][max(0, at[0]-60):min(len(texts[i]), at[1]+60)])
	}
}

// Seats are called by what they play, in its colour; where sides are dealt in the game, by who plays until then.
func TestSeatsAreCalled(t *testing.T) {
	p := open(t, "", nil)
	for game, want := range map[string][]Sitting{
		"insurgency":                       {{Seat{Person, "Ann"}, "Rebel", 1}, {Seat{Bot, "random"}, "Federal", 0}},
		"minuteman":                        {{Seat{Person, "Ann"}, "Government", 0}, {Seat{Bot, "random"}, "Rebel", 1}},
		"domination":                       {{Seat{Person, "Ann"}, "Blue", 0}, {Seat{Bot, "random"}, "Orange", 1}},
		"jogu(first=agents,second=agents)": {{Seat{Person, "Ann"}, "League of Agents A", 0}, {Seat{Bot, "random"}, "League of Agents B", 1}},
	} {
		made := p.order(Order{Game: game, Seats: []Seat{{Person, "Ann"}, {Bot, "random"}}})
		if got := p.look(made.ID, made.Tokens[0]).Seats; !slices.Equal(got, want) {
			t.Errorf("%s: the seats are %+v, want %+v", game, got, want)
		}
	}
	made := p.order(Order{Game: "bloc", Seats: []Seat{{Person, "Ann"}, {Person, "Bob"}, {Bot, "random"}, {Bot, "random"}}, Seed: 1})
	s := p.until(made.ID, made.Tokens[0], func(s *Screen) bool { return s.Prompt.Player >= 0 })
	called := map[string]int{}
	for _, x := range s.Seats {
		called[x.Called] = x.Colour
	}
	if want := map[string]int{"Workers": 4, "Students": 3, "Neighbors": 2, "Prisoners": 1}; !maps.Equal(called, want) {
		t.Errorf("the factions are %v, want %v", called, want)
	}
	dealt := regexp.MustCompile(`^(Ann|Bob|random) plays the`)
	if !slices.ContainsFunc(s.Log, func(l Told) bool { return dealt.MatchString(l.Text) }) {
		t.Errorf("no line says who plays which faction: %+v", s.Log)
	}
}
