package web

import (
	"strconv"
	"strings"

	"powderkeg/engine"
	"powderkeg/env/drawing"
)

// placeNames are the facts of events whose numbers drawings know as names with a word in
// front.
var placeNames = map[string]string{"cell": "CELL_", "location": "LOC_", "locations": "LOC_"}

// about returns what an event is about, by the names that drawings may have for it: the
// words among its facts, of an action also the word behind its verb, and numbered places.
func about(e *engine.Event) []string {
	var names []string
	word := func(v string) {
		names = append(names, v)
		if _, object, ok := strings.Cut(v, " "); ok {
			names = append(names, object)
		}
	}
	for _, a := range e.Args {
		prefix, place := placeNames[a.Name]
		switch v := a.Value.(type) {
		case string:
			word(v)
		case []string:
			for _, x := range v {
				word(x)
			}
		case int:
			if place {
				names = append(names, prefix+strconv.Itoa(v))
			}
		case []int:
			for _, x := range v {
				if place {
					names = append(names, prefix+strconv.Itoa(x))
				}
			}
		}
	}
	return names
}

// throws are the kinds of events that tell of a die, with the fact that is what it shows. Others repeat it.
var throws = map[string][]string{
	"die": {"die", "value"}, "test": {"die"}, "rolled": {"die"}, "attack_die": {"die"}, "hack_roll": {"die"}, "reaction": {"value"},
}

// thrown returns what a die shows that an event tells of, 0 for none.
func thrown(e *engine.Event) int {
	for _, name := range throws[e.Kind] {
		for _, a := range e.Args {
			if face, ok := a.Value.(int); ok && a.Name == name {
				return face
			}
		}
	}
	return 0
}

// turns are the kinds of events at which a card is seen: played, drawn, shown.
var turns = map[string]bool{
	"move": true, "played": true, "event": true, "draw": true, "dealt": true, "turned_up": true, "milled": true, "handed": true, "lost": true,
	"ops_card": true, "revealed": true, "story": true,
}

// cardNames returns what drawings of a game call its cards.
func cardNames(g engine.Game) map[string]bool {
	names := map[string]bool{}
	for _, c := range drawing.Cards(g) {
		if c.Kind == "card" {
			names[c.Name] = true
		}
	}
	return names
}

// turned returns the card that is seen by an event, as drawings name it (drawing.Cards), "" for none. cards are
// those names.
func turned(e *engine.Event, cards map[string]bool) string {
	if !turns[e.Kind] {
		return ""
	}
	for _, a := range e.Args {
		var names []string
		switch v := a.Value.(type) {
		case string:
			_, object, _ := strings.Cut(v, " ")
			key := strings.TrimPrefix(v, "CARD_")
			names = []string{v, object, key, strings.ToLower(key), "ops " + v, "card " + key}
		case int:
			names = []string{a.Name + " " + strconv.Itoa(v)}
		}
		for _, name := range names {
			if name != "" && cards[name] {
				return name
			}
		}
	}
	return ""
}
