package train

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine/option"
)

// eachKey calls f for every key of a config, at whatever depth, with what it is in Default.
func eachKey(t reflect.Value, path string, f func(path string, v reflect.Value)) {
	for i := range t.NumField() {
		name := t.Type().Field(i).Tag.Get("yaml")
		if name == "" {
			continue
		}
		f(path+name, t.Field(i))
		if t.Field(i).Kind() == reflect.Struct {
			eachKey(t.Field(i), path+name+".", f)
		}
	}
}

// nested is the YAML of a mapping with one key at a path.
func nested(path, value string) string {
	keys := strings.Split(path, ".")
	return strings.Join(keys, ": {") + ": " + value + strings.Repeat("}", len(keys)-1) + "\n"
}

// flat is a config as a list of its keys that have no keys of their own.
func flat(c Config) map[string]any {
	list := map[string]any{}
	eachKey(reflect.ValueOf(c), "", func(path string, v reflect.Value) {
		if v.Kind() != reflect.Struct {
			list[path] = v.Interface()
		}
	})
	return list
}

// TestWhatAFileLeavesOutHasTheValueOfDefault: of a file that sets one key, for every key, all others.
func TestWhatAFileLeavesOutHasTheValueOfDefault(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing yet\n", "---\n", "null\n", "{}\n"} {
		if c, err := ParseConfig([]byte(text)); err != nil || !reflect.DeepEqual(c, Default()) {
			t.Errorf("%q gives %+v, error %v, want Default", text, c, err)
		}
	}
	n := 0
	eachKey(reflect.ValueOf(Default()), "", func(path string, v reflect.Value) {
		if v.Kind() == reflect.Struct {
			c, err := ParseConfig([]byte(nested(path, "{}")))
			if err != nil || !reflect.DeepEqual(c, Default()) {
				t.Errorf("an empty %s gives %+v, error %v, want Default", path, c, err)
			}
			return
		}
		n++
		_, other := forms(path, v.Type())
		if fmt.Sprint(v.Interface()) == other {
			other, _ = forms(path, v.Type())
		}
		c, err := ParseConfig([]byte(nested(path, other)))
		if err != nil {
			t.Errorf("%s: %s: %v", path, other, err)
			return
		}
		got, want := flat(c), flat(Default())
		if reflect.DeepEqual(got[path], want[path]) {
			t.Errorf("%s: %s changes nothing", path, other)
		}
		delete(got, path)
		delete(want, path)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s changes other keys", path, other)
		}
	})
	if whole, err := Default().YAML(); err != nil || n < 60 {
		t.Errorf("%d keys, error %v, of\n%s", n, err, whole)
	}
	if err := Default().Validate(); !errors.Is(err, option.ErrUsage) ||
		!strings.Contains(err.Error(), "game is missing, it must name one, such as game: jogu") {
		t.Errorf("without a game: %v", err)
	}
}

// TestTypeErrorsNameTwoFormsThatDo: for every key, the key, what was given, and two forms, each of
// which is taken.
func TestTypeErrorsNameTwoFormsThatDo(t *testing.T) {
	eachKey(reflect.ValueOf(Default()), "", func(path string, v reflect.Value) {
		for _, given := range []struct{ yaml, words string }{{"{x: 1}", "a mapping"}, {"[[1]]", "a list"}, {"few", `"few"`}, {"true", "true"}, {"2", "2"}} {
			_, err := ParseConfig([]byte(nested(path, given.yaml)))
			if err == nil || strings.Contains(err.Error(), "unknown key") {
				continue
			}
			text := err.Error()
			if strings.Contains(text, path+"[0] is a list") { // the list is right
				continue
			}
			if !strings.HasPrefix(text, "config: "+path+" is "+given.words+", it must be ") || strings.Contains(text, "\n") {
				t.Errorf("%s: %s: %s", path, given.yaml, text)
			}
			one, other := forms(path, v.Type())
			if one == other || !strings.HasSuffix(text, one+" or "+other) {
				t.Errorf("%s: %s: %s does not name two forms", path, given.yaml, text)
			}
			for _, form := range []string{one, other} {
				if _, err := ParseConfig([]byte(nested(path, form))); err != nil {
					t.Errorf("%s: it is said that %s would do: %v", path, form, err)
				}
			}
		}
	})
}

// TestFormsAreWithinBounds: the two forms of every number are values that a run may have.
func TestFormsAreWithinBounds(t *testing.T) {
	base := Default()
	base.Game = "jogu"
	base.Archive.Share, base.Lessons.Updates, base.Lessons.Teacher, base.League.Gate.Games = 0.5, 1, "scripted", 10
	if err := base.Validate(); err != nil {
		t.Fatal(err)
	}
	whole := flat(Default())
	for _, path := range slices.Sorted(maps.Keys(whole)) {
		kind := reflect.TypeOf(whole[path]).Kind()
		if kind != reflect.Int && kind != reflect.Float64 && kind != reflect.Uint64 {
			continue
		}
		one, other := forms(path, reflect.TypeOf(whole[path]))
		faults := 0
		for _, form := range []string{one, other} {
			c, err := base.With(path, form)
			if err == nil {
				err = c.Validate()
			}
			if err != nil {
				faults++
				t.Logf("%s: %s: %v", path, form, err)
			}
		}
		if faults == 2 {
			t.Errorf("neither %s nor %s would do for %s", one, other, path)
		}
	}
}
