package web

import (
	"strconv"
	"strings"

	"powderkeg/engine"
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
