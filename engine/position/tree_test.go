package position

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// slowTree is what tree stands in for.
func slowTree(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	if err == nil && strings.TrimSpace(text[d.InputOffset():]) != "" {
		v, err = nil, json.Unmarshal([]byte(text), new(any))
	}
	return v, err
}

var documents = []string{
	`{}`, `[]`, `null`, `true`, `false`, `0`, `-1`, `""`, `{"a":1,"b":[true,false,null,"x",-20],"c":{"d":{}}}`,
	// Left to package json, and refused by it or not.
	``, `{`, `[`, `[1`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `[1,]`, `{,}`, `{"a":1,"a":2}`, `{"a" :1}`, ` 1`, `1 `, `1 1`, `01`, `-`, `--1`, `1.5`,
	`1e3`,
	`"\n"`, "\"\n\"", `"é"`, `"a`, `tru`, `nul`, `falsey`, `{a:1}`, `{"a":1}}`, `-0`, `[[[1]]`, `{"a":{"b":1,"b":1}}`,
	strings.Repeat("[", 200) + strings.Repeat("]", 200),
}

func TestTreesAreThoseOfPackageJSON(t *testing.T) {
	for i, text := range documents {
		v, ok := tree(text)
		if ok != (i < 9) && text != "-0" {
			t.Errorf("%q is read: %v", text, ok)
		}
		if want, err := slowTree(text); ok && (err != nil || !reflect.DeepEqual(v, want)) {
			t.Errorf("%q is %v, want %v, error %v", text, v, want, err)
		}
	}
}

func FuzzTree(f *testing.F) {
	for _, text := range documents {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, ok := tree(text); ok {
			if want, err := slowTree(text); err != nil || !reflect.DeepEqual(v, want) {
				t.Errorf("%q is %v, want %v, error %v", text, v, want, err)
			}
		}
	})
}

func BenchmarkTree(b *testing.B) {
	const text = `{"phase":"deploy","turn":12,"hands":[["a-long-word","another","third"],[]],"boards":[{"left":[1,2,3],"right":null},{"left":[],"right":[4]}],"flag":true}`
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			if _, ok := tree(text); !ok {
				b.Fatal("not read")
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			if _, err := slowTree(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}
