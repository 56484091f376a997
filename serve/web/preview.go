package web

import (
	"cmp"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/env"
	"powderkeg/env/drawing"
)

// Preview tells what a choice would do, as far as the seat that is asked can know it before.
type Preview struct {
	// Lines are what would follow for certain, in order.
	Lines []Foreseen `json:"lines"`
	// Odds are what chance may bring then, the likeliest first; empty where chance has no part in it, or
	// too many outcomes to tell, or the seat cannot know them.
	Odds []Odd `json:"odds"`
	// Goes is true of a choice after which the seat is not asked next, for all that it knows: it may not
	// be taken back then.
	Goes bool `json:"goes"`
}

// Foreseen is a line that the log would have.
type Foreseen struct {
	Rule  string   `json:"rule"`
	Text  string   `json:"text"`
	About []string `json:"about,omitempty"`
}

// Odd is something that chance may bring, with its probability.
type Odd struct {
	Text        string  `json:"text"`
	Probability float64 `json:"probability"`
}

const (
	// previewWorlds is in how many worlds a choice is tried out: what differs between them is not foreseen.
	previewWorlds = 6
	// oddsTold is of how many things that chance may bring each is told; mostOutcomes bounds the outcomes of
	// which they are made up.
	oddsTold, mostOutcomes = 12, 216
)

// preview says what a choice of the seat that is asked would do.
func (s *Server) preview(w http.ResponseWriter, r *http.Request) error {
	action, err := number(r, "action", -1)
	if err != nil {
		return err
	}
	var view engine.View
	var game engine.Game
	err = s.seated(r, func(t *session, _ *audience, p engine.Player) error {
		if !t.turn(p) {
			return &problem{http.StatusConflict, "not_you", "You are not to act now."}
		}
		view, game = t.see(t.state, p), t.game
		return nil
	})
	if err != nil {
		return err
	}
	a := engine.Action(action)
	if !slices.Contains(view.Legal(nil), a) {
		return &problem{http.StatusConflict, "not_legal", "This cannot be chosen now."}
	}
	told, err := foresee(game, view, a)
	if err != nil {
		return err
	}
	return answer(w, r, told)
}

// foresee tries a choice out in worlds that are dealt from what the seat to act sees, so that what it tells
// follows from that alone.
func foresee(g engine.Game, v engine.View, a engine.Action) (told *Preview, err error) {
	defer env.Recover(g, &err)
	p, rng := v.ToAct(), rand.NewPCG(v.Hash(), previewStream)
	called := drawing.Names(g, v)
	told = &Preview{Lines: []Foreseen{}, Odds: []Odd{}}
	for n := range previewWorlds {
		world := g.New()
		h, hides := world.(engine.Hidden)
		if hides {
			h.Redeal(v, rng)
		} else {
			world.CopyFrom(v.(engine.State))
		}
		lines, err := followed(world, p, a, called)
		if err != nil {
			return nil, err
		}
		odds := chances(g, world, p, called)
		told.Goes = told.Goes || world.ToAct() != p
		if n == 0 {
			told.Lines, told.Odds = append(told.Lines, lines...), append(told.Odds, odds...)
			if !hides {
				break
			}
			continue
		}
		same := 0
		for same < min(len(lines), len(told.Lines)) && lines[same].Text == told.Lines[same].Text {
			same++
		}
		if same < max(len(lines), len(told.Lines)) || !slices.Equal(odds, told.Odds) {
			told.Odds = []Odd{}
		}
		told.Lines = told.Lines[:same]
	}
	return told, nil
}

// previewStream is the PCG stream of the worlds in which a choice is tried out.
const previewStream = 0x70726576

// followed applies an action and returns what the seat is told of it, but for the choice itself.
func followed(s engine.State, p engine.Player, a engine.Action, called func(engine.Player) string) ([]Foreseen, error) {
	var lines []Foreseen
	if narrator, ok := s.(engine.Narrator); ok {
		narrator.Listen(func(e *engine.Event) {
			if e.Kind != "move" && (p < 0 || e.Seen>>p&1 != 0) {
				lines = append(lines, Foreseen{e.Rule, engine.Named(e.Text, called), about(e)})
			}
		})
		defer narrator.Listen(nil)
	}
	return lines, s.Apply(a)
}

// chances returns what chance may bring at a state, for whoever sees what seat p does.
func chances(g engine.Game, s engine.State, p engine.Player, called func(engine.Player) string) []Odd {
	if s.ToAct() != engine.Chance {
		return nil
	}
	outcomes := s.(engine.Stochastic).Outcomes(nil)
	if len(outcomes) > mostOutcomes {
		return nil
	}
	total := 0.0
	for _, o := range outcomes {
		total += float64(o.Weight)
	}
	sums, next := map[string]float64{}, g.New()
	for _, o := range outcomes {
		next.CopyFrom(s)
		lines, err := followed(next, p, o.Action, called)
		if err != nil {
			return nil
		}
		var texts []string
		for _, l := range lines {
			texts = append(texts, l.Text)
		}
		if texts == nil {
			return nil // it is not told what comes
		}
		sums[strings.Join(texts, ". ")] += float64(o.Weight) / total
	}
	if len(sums) > oddsTold || len(sums) < 2 {
		return nil
	}
	odds := make([]Odd, 0, len(sums))
	for text, p := range sums {
		odds = append(odds, Odd{text, p})
	}
	slices.SortFunc(odds, func(a, b Odd) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Text, b.Text))
	})
	return odds
}
