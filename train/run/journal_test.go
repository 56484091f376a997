package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJournalsKeepWhatACheckpointKnows: they drop later updates, the closing
// evaluation, half a line and damaged ones, and say what is lost.
func TestJournalsKeepWhatACheckpointKnows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	one := "{\"kind\":\"update\",\"update\":1}\n"
	measured := "{\"kind\":\"evaluation\",\"update\":1}\n"
	two := "{\"kind\":\"update\",\"update\":2}\n"
	whole := one + measured + two
	for name, test := range map[string]struct {
		text string
		at   int64
		want string
		told []string
	}{
		"later update":   {whole + "{\"kind\":\"update\",\"update\":3}\n", 2, whole, nil},
		"closing":        {whole + "{\"kind\":\"evaluation\",\"update\":2,\"closing\":true}\n", 2, whole, nil},
		"half a line":    {whole + "{\"kind\":\"upd", 2, whole, nil},
		"nothing":        {whole, 2, whole, nil},
		"from the start": {whole, 0, "", nil},
		"measured twice": {"{\"kind\":\"evaluation\",\"update\":0}\n" + whole, 0, "", nil},
		"no file yet":    {"", 0, "", nil},
		"flipped bit":    {one + "{\"kind\":\"evaluation\",\"update\"z1}\n" + two, 2, one + two, []string{"line 2 is damaged and left out: "}},
		"unknown kind": {one + "{\"kind\":\"evaluatinn\",\"update\":1}\n" + two, 2, one + two,
			[]string{`line 2 is damaged and left out: unknown kind "evaluatinn"`}},
		"cut off": {one, 2, one, []string{"ends with update 1, the checkpoint is of 2"}},
		"line lost": {one + measured + "\x00\x00\n" + "{\"kind\":\"update\",\"update\":3}\n", 3, one + measured + "{\"kind\":\"update\",\"update\":3}\n",
			[]string{"line 3 is damaged", "line 4: update 3 follows on 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			j, told, err := openJournal(path, test.at)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.add(map[string]int{"update": 99}); err != nil {
				t.Fatal(err)
			}
			if err := j.close(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if want := test.want + "{\"update\":99}\n"; string(got) != want {
				t.Errorf("the journal is %q, want %q", got, want)
			}
			if len(told) != len(test.told) {
				t.Fatalf("the user is told %q, want %d lines", told, len(test.told))
			}
			for i, want := range test.told {
				if !strings.HasPrefix(told[i], "metrics.jsonl: ") || !strings.Contains(told[i], want) {
					t.Errorf("the user is told %q, want a line that names the file and has %q", told[i], want)
				}
			}
		})
	}
}
