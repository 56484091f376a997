package teacher

import (
	"powderkeg/engine"
	"powderkeg/env/drawing"
)

// Words says what an action does, with the names of sides in it, or how it is called.
func Words(g engine.Game, v engine.View, a engine.Action) string {
	if d, ok := v.(engine.Describer); ok {
		if text := d.Describe(a); text != "" {
			return engine.Named(text, drawing.Names(g, v))
		}
	}
	return engine.MoveName(g, v, a)
}
