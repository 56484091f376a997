package flow

import (
	"math/rand/v2"
	"strings"

	"powderkeg/engine"
)

// Row is a row of a game's table: one question, put to a seat or to chance, or one
// step that asks nothing.
type Row[G, P any] struct {
	// Name is what positions, errors and events call it, such as "D3".
	Name string
	// Rule is the rule by which it is asked, such as "R7.3".
	Rule string
	// Says is the question in a sentence for people (engine.Teller); in a view it has to do with
	// what the view knows, whoever is asked.
	Says func(g G, p *P) string
	// Rules are those by which each seat is asked, where they are different ones: by seat,
	// in the place of Rule.
	Rules []string
	// Ask puts the question to a position, or carries the game on to another row and
	// returns false. It is nil in a game whose Next finds the question in another way.
	Ask func(g G, p *P, w *Witness) bool
	// Do carries out a legal action, of a chance event a possible outcome. What
	// follows from it without a choice is left to Next.
	Do func(g G, p *P, w *Witness, a engine.Action)
	// Odds are those of a chance event, nil for a question to a seat.
	Odds *Odds[G, P]
	// Secret is true of a question of which the other seats know nothing.
	Secret bool
	// Untold is true of a question whose answers the rules tell themselves, later.
	Untold bool
}

// rule returns the rule by which a seat is asked.
func (r *Row[G, P]) rule(seat engine.Player) string {
	if r.Rules != nil {
		return r.Rules[seat]
	}
	return r.Rule
}

// Odds are the outcomes of a chance event.
type Odds[G, P any] struct {
	// List appends the possible outcomes, in ascending order of their actions.
	List func(g G, p *P, dst []engine.Outcome) []engine.Outcome
	// Weight returns the weight of one outcome, 0 for one that is impossible. It is
	// asked about numbers outside the vocabulary too.
	Weight func(g G, p *P, a engine.Action) uint32
	// Draw draws one of them where all weigh the same, as engine.Sample does from the list. It
	// is nil where they do not, or where nobody has written it down.
	Draw func(g G, p *P, rng *rand.PCG) engine.Action
}

// Each makes the odds of n outcomes from first on, each with a weight of its own.
func Each[G, P any](first engine.Action, n int, weight func(g G, p *P, i int) uint32) *Odds[G, P] {
	return &Odds[G, P]{
		List: func(g G, p *P, dst []engine.Outcome) []engine.Outcome {
			for i := range n {
				if w := weight(g, p, i); w > 0 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Weight: w})
				}
			}
			return dst
		},
		Weight: func(g G, p *P, a engine.Action) uint32 {
			if i := int(a - first); i >= 0 && i < n {
				return weight(g, p, i)
			}
			return 0
		},
	}
}

// Die makes the odds of n equal outcomes from first on.
func Die[G, P any](first engine.Action, n int) *Odds[G, P] {
	odds := Each(first, n, func(G, *P, int) uint32 { return 1 })
	odds.Draw = func(_ G, _ *P, rng *rand.PCG) engine.Action {
		if n == 1 {
			return first
		}
		return first + engine.Action(engine.Uint32N(rng, uint32(n)))
	}
	return odds
}

// Cards makes the odds of drawing one of a number of cards, counted by kind, of which
// the first has the outcome first.
func Cards[G, P any](first engine.Action, counts func(g G, p *P) []uint8) *Odds[G, P] {
	return &Odds[G, P]{
		List: func(g G, p *P, dst []engine.Outcome) []engine.Outcome {
			for i, n := range counts(g, p) {
				if n > 0 {
					dst = append(dst, engine.Outcome{Action: first + engine.Action(i), Weight: uint32(n)})
				}
			}
			return dst
		},
		Weight: func(g G, p *P, a engine.Action) uint32 {
			if list, i := counts(g, p), int(a-first); i >= 0 && i < len(list) {
				return uint32(list[i])
			}
			return 0
		},
	}
}

// asks returns the name of a row and the rule by which a player is asked, nothing of one
// that asks nothing.
func asks[G, P any](table []Row[G, P], ask uint8, player engine.Player) (question, rule string) {
	if row := &table[ask]; row.Do != nil {
		return row.Name, row.rule(player)
	}
	return "", ""
}

// Say returns a question in a sentence that is always the same, for Row.Says.
func Say[G, P any](text string) func(G, *P) string {
	return func(G, *P) string { return text }
}

// question returns what a row asks in a sentence, nothing of one that asks nothing.
func question[G Rules[G, P], P any](g G, p *P, ask uint8) string {
	if row := &g.Table()[ask]; row.Do != nil && row.Says != nil {
		return row.Says(g, p)
	}
	return ""
}

// Closed ends a question with a full stop, unless it has a mark of its own.
func Closed(question string) string {
	if strings.HasSuffix(question, "?") {
		return question
	}
	return question + "."
}
