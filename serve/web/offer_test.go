package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"

	"powderkeg/engine/enginetest"
)

// offer asks for the offer of a game string, as the lobby does after a change of an option.
func (p *place) offer(game, kept string) Offer {
	p.t.Helper()
	var o Offer
	q := url.Values{"game": {game}, "kept": {kept}}
	p.ask("GET", "/api/offer?"+q.Encode(), "", nil, http.StatusOK, &o)
	return o
}

// with returns the game string of an offer after one option of it has been changed.
func (o Offer) with(name, value string) string {
	var given []option.Argument
	for _, x := range o.Options {
		v, chosen := o.Values[x.Name]
		if x.Name == name {
			v, chosen = value, true
		}
		if chosen {
			given = append(given, option.Argument{Name: x.Name, Value: v})
		}
	}
	text := o.Name + "("
	for i, a := range given {
		if i > 0 {
			text += ","
		}
		text += a.Name + "=" + a.Value
	}
	return text + ")"
}

// value returns what an option of an offer is.
func (o Offer) value(name string) string {
	if v, ok := o.Values[name]; ok {
		return v
	}
	return o.Options[slices.IndexFunc(o.Options, func(x option.Option) bool { return x.Name == name })].Default
}

// begin orders a game as the lobby proposes it: a person on seat 0, the suggested bot on all
// others.
func (p *place) begin(o Offer) {
	p.t.Helper()
	seats := slices.Repeat([]Seat{{Bot, o.Suggested}}, o.Players)
	seats[0] = Seat{Person, ""}
	p.order(Order{Game: o.Game, Seats: seats, Practice: true})
}

// Whatever single option is chosen, the lobby's own choices beside it begin a game in which the
// option is as it was chosen.
func TestEveryOptionBegins(t *testing.T) {
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
	p := open(t, "", func(c *Config) { c.Awake = 1000 })
	var c Catalogue
	p.ask("GET", "/api/catalogue", "", nil, http.StatusOK, &c)
	begun := 0
	for _, game := range c.Games {
		p.begin(game)
		begun++
		for _, o := range game.Options {
			for _, value := range o.Values() {
				if value == o.Default {
					continue
				}
				offer := p.offer(game.with(o.Name, value), o.Name)
				if got := offer.value(o.Name); got != value {
					t.Errorf("%s: %s=%s is offered as %s", game.Name, o.Name, value, got)
				}
				p.begin(offer)
				begun++
			}
		}
	}
	t.Logf("%d games have begun", begun)
	if begun < 100 {
		t.Errorf("only %d games were ordered", begun)
	}
}

// Options that do not go together are changed, the one that was chosen last excepted, and no more
// of them than need be.
func TestOffersMendOptions(t *testing.T) {
	p := open(t, "", nil)
	for _, c := range []struct {
		game, kept, want string
		changed          []string
	}{
		{"jogu(first=hours)", "first", "jogu(first=hours,expansion=true)", []string{"expansion"}},
		{"jogu(first=hours,second=hours,start=first)", "expansion", "jogu(start=first)", []string{"first", "second"}},
		{"domination(first_player=3)", "first_player", "domination(players=4,first_player=3)", []string{"players"}},
		{"domination(players=3,first_player=5,turns=4)", "players", "domination(players=3,turns=4)", []string{"first_player"}},
		{"insurgency(mode=preset)", "mode", "insurgency(scenario=custom,mode=preset)", []string{"scenario"}},
		{
			"minuteman(scenario=partisan,foreign_intervention=true,air_assault=true,elite_units=true)", "scenario",
			"minuteman(scenario=partisan,elite_units=true)", []string{"foreign_intervention", "air_assault"},
		},
		{"minuteman(players=3)", "players", "minuteman(players=3)", []string{}},
		{"bloc(players=2,mode=semi_cooperative)", "mode", "bloc(mode=semi_cooperative)", []string{"players"}},
	} {
		o := p.offer(c.game, c.kept)
		if o.Game != c.want || !slices.Equal(o.Changed, c.changed) {
			t.Errorf("%s, %s kept, is offered as %s with %q changed; want %s, %q", c.game, c.kept, o.Game, o.Changed, c.want, c.changed)
		}
	}
	p.problem("GET", "/api/offer?game=chess", "", nil, http.StatusBadRequest, "wrong")
	p.problem("GET", "/api/offer?game=domination(players%3D9)", "", nil, http.StatusBadRequest, "wrong")
	p.problem("GET", "/api/offer?game=bloc(city%3Datlantis)&kept=city", "", nil, http.StatusBadRequest, "wrong")
}

// Who is suggested was trained for the scenario and the seats, or plays by rules of thumb.
func TestOffersSuggestWhoFits(t *testing.T) {
	p := open(t, "", nil)
	for game, want := range map[string]string{
		"jogu": "zoo:jogu", "jogu(expansion=true)": "level:best", "connect4": "level:best", "kuhn": "level:best",
		"domination": "zoo:domination", "domination(players=3)": "zoo:domination_three", "domination(players=6)": "zoo:domination_six",
		"insurgency": "zoo:insurgency", "insurgency(scenario=resistance)": "zoo:insurgency_resistance", "insurgency(scenario=custom)": "level:best",
		"bloc": "zoo:bloc_plans", "bloc(mode=semi_cooperative)": "zoo:bloc_agendas", "bloc(players=2)": "level:best",
		"minuteman": "zoo:minuteman", "minuteman(scenario=partisan)": "zoo:minuteman_partisan", "minuteman(players=4)": "level:best",
	} {
		o := p.offer(game, "")
		if o.Suggested != want {
			t.Errorf("%s: %s is suggested, want %s", game, o.Suggested, want)
		}
		for _, x := range o.Opponents {
			if x.Level == "network" && x.Agent != want && x.Agent != "zoo:bloc" {
				t.Errorf("%s: %s is offered beside %s", game, x.Agent, want)
			}
		}
	}
}

// Every game has a small picture of its own, which gives away nothing to click on.
func TestGamesHavePictures(t *testing.T) {
	p := open(t, "", nil)
	var c Catalogue
	p.ask("GET", "/api/catalogue", "", nil, http.StatusOK, &c)
	seen := map[string]string{}
	for _, game := range c.Games {
		path := "/api/games/" + game.Name + "/picture"
		svg := string(p.ask("GET", path, "", nil, http.StatusOK, nil))
		if !strings.HasPrefix(svg, "<svg") || strings.Contains(svg, ` data-action="`) || len(svg) > 200_000 {
			t.Errorf("%s: a picture of %d bytes: %.60s", game.Name, len(svg), svg)
		}
		if again := string(p.ask("GET", path, "", nil, http.StatusOK, nil)); again != svg {
			t.Errorf("%s has another picture the second time", game.Name)
		}
		if other := seen[svg]; other != "" {
			t.Errorf("%s has the picture of %s", game.Name, other)
		}
		seen[svg] = game.Name
	}
	p.problem("GET", "/api/games/chess/picture", "", nil, http.StatusBadRequest, "wrong")
}
