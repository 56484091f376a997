package told

import (
	"strconv"
	"strings"

	"powderkeg/engine"
)

// Choice is a legal action, taken apart.
type Choice struct {
	// Action is its number in the game's vocabulary, from 0; Name the name there.
	Action int    `json:"action"`
	Name   string `json:"name"`
	// Words say in a few words what it would do here.
	Words string `json:"words"`
	// Verb says what is done, such as BUILD_AT or CARD, and Object to what, such as CAN or
	// medic. Verb is "" where the name is an object alone, Object where it is a verb alone.
	Verb   string `json:"verb"`
	Object string `json:"object"`
	// Amount is how many or how much is named, in units of what the question asks for
	// (cards, pieces, points, dice); nil where the action names no amount.
	Amount *int `json:"amount"`
}

// Phraser is a view of a game whose names of actions do not follow the convention by
// which they are taken apart.
type Phraser interface {
	// Phrase returns the parts of an action's name. amount is -1 for none. All of them are
	// empty for a name that follows the convention.
	Phrase(a engine.Action) (verb, object string, amount int)
}

// phrase are the parts of a name.
type phrase struct {
	verb, object string
	amount       int // -1 for none
}

// amounts are the verbs whose object is an amount.
var amounts = []string{"AMOUNT", "COUNT"}

// phrases takes the names of a vocabulary apart, by the convention. The verb is what stands
// before the first space, or before the first underscore where other names begin with it
// too; what follows is the object. Any other name is an object if it has a digit, and else
// a verb.
func phrases(names []string) []phrase {
	shared := map[string]int{}
	for _, n := range names {
		shared[first(n)]++
	}
	list := make([]phrase, len(names))
	for i, n := range names {
		p := phrase{amount: -1}
		if verb, object, ok := strings.Cut(n, " "); ok {
			p.verb, p.object = verb, object
		} else if verb, object, ok := strings.Cut(n, "_"); ok && verb != "" && shared[verb] > 1 {
			p.verb, p.object = verb, object
		} else if strings.ContainsAny(n, "0123456789") {
			p.object = n
		} else {
			p.verb = n
		}
		for _, verb := range amounts {
			if count, err := strconv.Atoi(p.object); err == nil && p.verb == verb {
				p.object, p.amount = "", count
			}
		}
		list[i] = p
	}
	return list
}

// first is the word that a name begins with.
func first(name string) string {
	if i := strings.IndexAny(name, " _"); i > 0 {
		return name[:i]
	}
	return name
}

// Choices lists the legal actions of a view, in ascending order; none where another seat
// than that of the view is to act.
func (r *Reader) Choices(v engine.View) []Choice {
	list := []Choice{}
	for _, a := range v.Legal(nil) {
		list = append(list, r.Choice(v, a))
	}
	return list
}

// Choice takes a legal action of a view apart.
func (r *Reader) Choice(v engine.View, a engine.Action) Choice {
	p := r.parts(v, a)
	c := Choice{Action: int(a), Name: r.game.Spec().Actions[a], Verb: p.verb, Object: p.object}
	if p.amount >= 0 {
		c.Amount = &p.amount
	}
	if d, ok := v.(engine.Describer); ok {
		c.Words = d.Describe(a)
	}
	return c
}

// Object returns to what an action is done, as the view names it: Choice.Object.
func (r *Reader) Object(v engine.View, a engine.Action) string { return r.parts(v, a).object }

// parts takes the name of an action apart.
func (r *Reader) parts(v engine.View, a engine.Action) phrase {
	if own, ok := v.(Phraser); ok {
		if verb, object, amount := own.Phrase(a); verb != "" || object != "" {
			return phrase{verb, object, amount}
		}
	}
	return r.phrases[a]
}
