package human

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"powderkeg/engine"
)

// meanings are the ways in which an answer can mean a name or what it does, the closest
// first. A number is never a part of another one.
var meanings = []func(text, part string) bool{
	func(text, part string) bool { return text == part },
	func(text, part string) bool { return strings.HasPrefix(text, part) && !cuts(text, part, 0) },
	func(text, part string) bool {
		for from := 0; ; from++ {
			i := strings.Index(text[from:], part)
			if i < 0 {
				return false
			}
			if from += i; !cuts(text, part, from) {
				return true
			}
		}
	},
}

// find returns the action that an answer means: the name or the description of one, the
// number of a thing, the number of a choice, or a part of a name or a description that no
// other choice has. A number names a thing if it does so in any of the choices, and a
// choice by its place only with # before it then. What names something that cannot be
// chosen now is never taken for a part of something else. If the answer means no action,
// problem says why.
func (a *Agent) find(view engine.View, legal []engine.Action, answer string) (_ engine.Action, problem string) {
	answer = plain(answer)
	if n, ok := numberOf(answer); ok && a.numbersName(view, legal) {
		return a.numbered(view, legal, answer, n)
	}
	if n, ok := numberOf(strings.TrimSpace(strings.TrimPrefix(answer, "#"))); ok {
		if n < 1 || n > len(legal) {
			return 0, fmt.Sprintf("There is no choice %d; there are 1 to %d.", n, len(legal))
		}
		return legal[n-1], ""
	}
	whole := a.possible(view, legal, func(name, about string) bool { return name == answer || about == answer })
	if len(whole) == 0 {
		whole = a.possible(view, legal, func(name, _ string) bool { return object(name) == answer })
	}
	if len(whole) == 0 && slices.ContainsFunc(a.game.Spec().Actions, func(name string) bool {
		return plain(name) == answer || object(plain(name)) == answer
	}) {
		return 0, fmt.Sprintf("%q cannot be chosen now; show lists what can.", answer)
	}
	found := whole
	for i := 0; len(found) == 0 && i < len(meanings); i++ {
		found = a.possible(view, legal, func(name, about string) bool {
			return meanings[i](name, answer) || meanings[i](about, answer)
		})
	}
	switch len(found) {
	case 0:
		return 0, fmt.Sprintf("No choice is called %q. Give its number or its name; show lists them again.", answer)
	case 1:
		return found[0], ""
	}
	return 0, fmt.Sprintf("%q could be %s.", answer, a.either(view, found))
}

// numbered returns the action whose object a number is.
func (a *Agent) numbered(view engine.View, legal []engine.Action, answer string, n int) (_ engine.Action, problem string) {
	found := a.possible(view, legal, func(name, _ string) bool {
		own, ok := numberOf(object(name))
		return ok && own == n
	})
	switch {
	case len(found) == 1:
		return found[0], ""
	case len(found) > 1:
		return 0, fmt.Sprintf("%q could be %s.", answer, a.either(view, found))
	case n >= 1 && n <= len(legal):
		return 0, fmt.Sprintf("No choice has the number %s in its name. #%d is choice %d, %s.", answer, n, n, engine.MoveName(a.game, view, legal[n-1]))
	}
	return 0, fmt.Sprintf("No choice has the number %s in its name; show lists them again.", answer)
}

// possible returns the legal actions whose plain name or description is meant.
func (a *Agent) possible(view engine.View, legal []engine.Action, meant func(name, about string) bool) (found []engine.Action) {
	for _, action := range legal {
		if meant(plain(engine.MoveName(a.game, view, action)), plain(a.describe(view, action))) {
			found = append(found, action)
		}
	}
	return found
}

// numbersName reports whether a number names a thing in one of the choices, such as a
// Location, a hex or an amount.
func (a *Agent) numbersName(view engine.View, legal []engine.Action) bool {
	return slices.ContainsFunc(legal, func(action engine.Action) bool {
		_, ok := numberOf(object(plain(engine.MoveName(a.game, view, action))))
		return ok
	})
}

// choices says by what a choice can be made.
func (a *Agent) choices(view engine.View, legal []engine.Action) string {
	if a.numbersName(view, legal) {
		return fmt.Sprintf("a name, the number in it, #1-#%d", len(legal))
	}
	return fmt.Sprintf("1-%d", len(legal))
}

// either lists the names of some actions.
func (a *Agent) either(view engine.View, actions []engine.Action) string {
	names := make([]string, len(actions))
	for i, action := range actions {
		names[i] = engine.MoveName(a.game, view, action)
	}
	return strings.Join(names, " or ")
}

// plain returns a text without what people do not type alike: capitals, and underscores
// for spaces.
func plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToLower(text), "_", " "))
}

// object returns what stands behind the first word of a plain name, or the name if it is
// one word: "knight 6" of "card knight 6".
func object(name string) string {
	if _, what, ok := strings.Cut(name, " "); ok {
		return what
	}
	return name
}

// numberOf reads a text that is nothing but digits.
func numberOf(text string) (n int, ok bool) {
	if strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// cuts reports whether the part at place i of a text ends or begins within a number.
func cuts(text, part string, i int) bool {
	end := i + len(part)
	return i > 0 && digit(text[i-1]) && digit(text[i]) || end < len(text) && digit(text[end-1]) && digit(text[end])
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
