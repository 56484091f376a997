package bloc_test

import (
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// R10.1, R10.4: how a game ended, by which cards, and what the text at its end says.
func TestEndingsNameTheAgendasThatWon(t *testing.T) {
	const semi = "bloc(mode=semi_cooperative,city=beginner)"
	const states = `"telecom_network_hub":{"occupation":["prisoners","assembly_hall"]},"international_airport":{"occupation":["prisoners","peoples_kitchen"]}`
	const blocs = `"the_plaza":{"blocs":{"workers":8,"students":7,"neighbors":1,"prisoners":1}},`
	for _, c := range []struct {
		name, text, position string
		want                 []string
		says                 string
	}{
		{"one alone", semi, `{"phase":"sunrise_3","districts":{` + blocs + states + `,"interior_ministry":{"occupation":["prisoners","faction_start"]}},
			"agendas":{"prisoners":"vanguardist","workers":"sectarian_hegemony"}}`, []string{"win alone", "Vanguardist, alone"},
			"The prisoners win by Vanguardist: "},
		{"two together", semi, `{"phase":"sunrise_3","districts":{` + blocs + states + `,"interior_ministry":{"occupation":["students","faction_start"]},
			"overcrowded_jail":{"occupation":["prisoners","faction_start"]},"immigrant_detention_center":{"occupation":["prisoners","molotov_factory"]}},
			"agendas":{"prisoners":"social_federation","workers":"sectarian_hegemony","students":"vanguardist"}}`,
			[]string{"success", "Hegemony, together", "Federation, together"}, "The workers win by Hegemony: "},
		{"time", semi, `{"phase":"sunrise_3","nights_left":1,"districts":{` + blocs + `"the_park":{}},"agendas":{"prisoners":"vanguardist"}}`,
			[]string{"time out"}, "winners: none"},
		{"no blocs", semi, `{"phase":"sunrise_3","districts":{"the_plaza":{"blocs":{"workers":8,"students":7,"neighbors":1}}},"agendas":{"workers":"nihilist"}}`, []string{"no blocs"}, "winners: none"},
		{"not over", semi, `{"phase":"sunrise_3","districts":{` + blocs + `"the_park":{}},"agendas":{"prisoners":"vanguardist"}}`, nil, "Night"},
		{"cooperative", coop, `{"phase":"sunrise_3","districts":{` + blocs + states + `,"interior_ministry":{"occupation":["students","faction_start"]}}}`,
			[]string{"success"}, "winners: workers, students"},
	} {
		s := load(t, c.text, c.position)
		if got := s.Endings(nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: the endings are %q, want %q", c.name, got, c.want)
		}
		for p := range engine.Player(4) {
			v := view(s, p)
			if text := v.Text(p); !strings.Contains(text, c.says) {
				t.Errorf("%s: the text for seat %d lacks %q:\n%s", c.name, p, c.says, text)
			}
		}
	}
}

// agendas are shown at the end and not before.
func TestAgendasAreShownAtTheEnd(t *testing.T) {
	for position, want := range map[string]bloc.AgendaID{
		`{"phase":"sunrise_3","nights_left":1,"agendas":{"prisoners":"vanguardist"},"districts":{"the_plaza":{"blocs":{"workers":1,"students":1,"neighbors":1,"prisoners":1}}}}`: 8,
		`{"phase":"sunrise_3","nights_left":2,"agendas":{"prisoners":"vanguardist"},"districts":{"the_plaza":{"blocs":{"workers":1,"students":1,"neighbors":1,"prisoners":1}}}}`: bloc.HiddenAgenda,
	} {
		s := load(t, "bloc(mode=semi_cooperative,city=beginner)", position)
		if got := view(s, 0).P.Agenda[3]; got != want {
			t.Errorf("%s: seat 0 sees agenda %d of the prisoners, want %d", position, got, want)
		}
	}
}
