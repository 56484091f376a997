package ruledata

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"good": `{"cards": 3, "source": "rulebook"}`, "unknown": `{"card": 3}`, "type": `{"cards": "3"}`, "behind": `{"cards": 3} {}`,
	} {
		files["data/"+name+".json"] = &fstest.MapFile{Data: []byte(text)}
	}
	var v struct {
		Source
		Cards int `json:"cards"`
	}
	if err := Read(files, "good", &v); err != nil || v.Cards != 3 {
		t.Errorf("good: %+v, %v", v, err)
	}
	for name, want := range map[string]string{
		"unknown": `unknown.json: unknown field "card"`, "type": "type.json: cards is string, want a whole number up to 9007199254740991",
		"behind": "behind.json: text behind the end", "none": "open data/none.json",
	} {
		if err := Read(files, name, &v); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
