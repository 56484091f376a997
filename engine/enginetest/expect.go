package enginetest

import (
	"encoding/json"

	"powderkeg/engine/script"
)

// checkExpectations makes sure that a script notices a wrong expectation: every
// field of the position is changed in one place and expected so. A game whose
// Load computes a field afresh instead of reading it would let this pass.
func (p *player) checkExpectations() {
	text := []byte(dump(p.t, p.state))
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		p.t.Fatal(err)
	}
	for name, value := range fields {
		wrong, changed := perturb(value)
		if !changed {
			continue
		}
		expect, err := json.Marshal(map[string]any{name: wrong})
		if err != nil {
			p.t.Fatal(err)
		}
		s := script.Script{Game: p.spec.Text, Block: script.Block{Position: text, Expect: expect}}
		if result, err := script.Run(p.game, &s, script.Options{}); err == nil && len(result.Failures) == 0 {
			p.t.Errorf("a script that expects %s holds in the position %s", expect, text)
		}
	}
}

// perturb changes the first number or truth value inside v.
func perturb(v any) (any, bool) {
	switch v := v.(type) {
	case float64:
		return v + 1, true
	case bool:
		return !v, true
	case []any:
		out := append([]any{}, v...)
		for i := range out {
			var changed bool
			if out[i], changed = perturb(out[i]); changed {
				return out, true
			}
		}
	case map[string]any:
		out := map[string]any{}
		changed := false
		for k, x := range v {
			if !changed {
				x, changed = perturb(x)
			}
			out[k] = x
		}
		return out, changed
	}
	return v, false
}
