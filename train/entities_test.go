package train

import (
	"slices"
	"strings"
	"testing"
)

// withEntities is a run of Domination whose network has units for areas and cards.
func withEntities() Config {
	c := partConfigs()["forced"]
	c.Network.Entities = append(c.Network.Entities, Entities{Count: 27, Width: 1, Fields: []string{"own_hand", "opponent_unseen"},
		Actions: []string{"BUY "}})
	return c
}

// TestEntitiesStayAlike: lessons and practice leave the same what is the same, and an ordinary
// network of as many units can go on from there.
func TestEntitiesStayAlike(t *testing.T) {
	c := withEntities()
	c.Lessons.Teacher, c.Lessons.Updates, c.Lessons.Decisions, c.Updates = "random", 2, 2000, 4
	r := trainer(t, c)
	fresh := slices.Clone(r.net.Weights())
	updates(t, r, 4)
	w := r.net.Weights()
	if slices.Equal(w, fresh) {
		t.Error("nothing was learned")
	}
	alike := slices.Clone(w)
	r.net.Config().Ties().Spread(alike)
	if !slices.Equal(w, alike) {
		t.Error("what was the same is no longer")
	}
	if got, want := r.net.Config().Hidden, c.Network.Hidden[0]+25*2+27; got[0] != want {
		t.Errorf("the first hidden layer has %d units, want %d", got[0], want)
	}

	_, path := saved(t, withEntities())
	plain := withEntities()
	plain.Network.Entities, plain.Network.Hidden, plain.Network.From = nil, r.net.Config().Hidden, path
	if _, err := NewTrainer(plain); err != nil {
		t.Error(err)
	}
	plain.Network.From = ""
	_, path = saved(t, plain)
	c = withEntities()
	c.Network.From = path
	if _, err := NewTrainer(c); err == nil || !strings.Contains(err.Error(), "25 entities of width 2") {
		t.Errorf("weights that differ: error %v", err)
	}
}

func TestFaultsOfEntitiesAreNamed(t *testing.T) {
	for want, change := range map[string]func(*Entities){
		`network.entities[0]: domination has no field "area"; fields: areas, seats`:                func(e *Entities) { e.Fields[0] = "area" },
		"network.entities[0]: field seats is [6 12], it must have 25 entries along its first axis": func(e *Entities) { e.Fields[1] = "seats" },
		`network.entities[0]: 27 actions of domination begin with "BUY ", it must be 25 in a row`:  func(e *Entities) { e.Actions[0] = "BUY " },
		`0 actions of domination begin with "NONE"`:                                                func(e *Entities) { e.Actions[0] = "NONE" },
		"entities[0]: 25 of width 0": func(e *Entities) { e.Width = 0 },
	} {
		c := withEntities()
		change(&c.Network.Entities[0])
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
}
