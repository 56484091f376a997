package option

import "slices"

// Nearest returns values that can be had together, near to v: v itself where exists says so, else
// those with the fewest other options changed. The option kept, "" for none, stays as it is.
// A changed option gets its default if that will do, else another of its Values. It reports false
// where nothing was found, as where the value of kept itself is at fault.
func (v Values) Nearest(kept string, exists func(Values) bool) (Values, bool) {
	if exists(v) {
		return v, true
	}
	if near, ok := v.changed(kept, exists); ok {
		return near, true
	}
	// More than one at fault: as few as possible as by default, then one of the others changed.
	var given []string
	for _, o := range v.options {
		if o.Name != kept && !v.IsDefault(o.Name) {
			given = append(given, o.Name)
		}
	}
	plain := v
	for _, name := range given {
		plain = plain.withDefault(name)
	}
	if !exists(plain) {
		return plain.changed(kept, exists)
	}
	for _, name := range given { // what need not be as by default is given again
		again := plain.With(name, v.values[v.index(name)])
		if exists(again) {
			plain = again
		}
	}
	return plain, true
}

// changed tries every change of one option other than kept.
func (v Values) changed(kept string, exists func(Values) bool) (Values, bool) {
	for _, o := range v.options {
		if o.Name == kept {
			continue
		}
		for _, value := range slices.Concat([]string{o.Default}, o.Values()) {
			if near := v.With(o.Name, value); exists(near) {
				return near, true
			}
		}
	}
	return v, false
}

func (v Values) withDefault(name string) Values {
	return v.With(name, v.options[v.index(name)].Default)
}

func (v Values) index(name string) int {
	return slices.IndexFunc(v.options, func(o Option) bool { return o.Name == name })
}

// Given returns the values that differ from their defaults, by the names of their options.
func (v Values) Given() map[string]string {
	given := map[string]string{}
	for i, o := range v.options {
		if v.values[i] != o.Default {
			given[o.Name] = v.values[i]
		}
	}
	return given
}
