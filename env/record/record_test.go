package record_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/games"
	"powderkeg/env/program"
	"powderkeg/env/record"
)

func of(value float64, unit string, ends ...float64) record.Figure {
	f := record.Figure{Value: value, Unit: unit}
	if len(ends) == 2 {
		f.Low, f.High = &ends[0], &ends[1]
	}
	return f
}

// The JSON of results has intervals in several forms, and much that was set rather than found.
func TestFigures(t *testing.T) {
	for name, c := range map[string]struct {
		json string
		want map[string]record.Figure
	}{
		"a number": {`{"nash_conv": 0.1}`, map[string]record.Figure{"nash_conv": of(0.1, "")}},
		"low and high": {`{"return": 0.5, "return_low": 0.4, "return_high": 0.6}`,
			map[string]record.Figure{"return": of(0.5, "return", 0.4, 0.6)}},
		"of a mean":      {`{"mean_return": 1, "return_low": 0, "return_high": 2}`, map[string]record.Figure{"mean_return": of(1, "return", 0, 2)}},
		"of a share":     {`{"win_rate": 0.5, "ci_low": 0.4, "ci_high": 0.6}`, map[string]record.Figure{"win_rate": of(0.5, "share", 0.4, 0.6)}},
		"an estimate":    {`{"lost": {"mean": 1, "low": 0, "high": 2}}`, map[string]record.Figure{"lost": of(1, "", 0, 2)}},
		"a pair":         {`{"explained": 0.5, "explained_interval": [0.4, 0.6]}`, map[string]record.Figure{"explained": of(0.5, "share", 0.4, 0.6)}},
		"half intervals": {`{"gain": 0.5, "gain_error": 0.25}`, map[string]record.Figure{"gain": of(0.5, "", 0.25, 0.75)}},
		"runs": {`{"moves_per_second": 5, "moves_per_second_min": 4, "moves_per_second_max": 6}`,
			map[string]record.Figure{"moves_per_second": of(5, "/s", 4, 6)}},
		"by name": {`{"agents": [{"name": "random", "elo": 1}, {"name": "zoo:jogu", "elo": 2}]}`,
			map[string]record.Figure{"agents.random.elo": of(1, "elo"), "agents.zoo:jogu.elo": of(2, "elo")}},
		"of a pair of agents": {`{"pairs": [{"a": "random", "b": "scripted", "score": 0.5, "ci_low": 0, "ci_high": 1}]}`,
			map[string]record.Figure{"pairs.random against scripted.score": of(0.5, "", 0, 1)}},
		"by place": {`{"values": [1, 2], "seats": [{"gained": 1}]}`,
			map[string]record.Figure{"values.0": of(1, ""), "values.1": of(2, ""), "seats.0.gained": of(1, "share")}},
		"what was set":      {`{"seed": 1, "config": {"rate": 0.1}, "n": 1}`, map[string]record.Figure{"n": of(1, "")}},
		"long lists":        {`{"points": [1,2,3,4,5,6,7,8,9,10,11,12,13], "n": 1}`, map[string]record.Figure{"n": of(1, "")}},
		"what is no number": {`{"a": null, "b": "5", "c": true, "n": 1}`, map[string]record.Figure{"n": of(1, "")}},
	} {
		got, err := record.FiguresOf([]byte(c.json))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v (%v), want %v", name, got, err, c.want)
		}
	}
}

// taken is a record as a command makes it.
func taken(t *testing.T, f record.Found, file string) *record.Record {
	t.Helper()
	w, err := record.Begin()
	if errors.Is(err, record.ErrCommit) && program.Commit() == "unknown" {
		w = new(record.Watch) // a test is built without a commit
	} else if err != nil {
		t.Fatal(err)
	}
	r, err := w.End(f, "powderkeg bench", file)
	if r == nil {
		t.Fatal(err)
	}
	return r
}

// A record says what was played and by what, is named after its file, and is read again as it was written.
func TestTaken(t *testing.T) {
	jogu, err := games.New("jogu")
	if err != nil {
		t.Fatal(err)
	}
	found := record.Found{Result: map[string]float64{"rate": 2}, Games: []engine.Game{jogu, jogu}, Seeds: []uint64{3}, Played: 4}
	r := taken(t, found, "records/jogu/quick.json")
	today, err := record.VersionOf(jogu)
	if err != nil || today.Rules != jogu.Spec().Version || today.Layout == 0 {
		t.Errorf("jogu is %+v today (%v)", today, err)
	}
	if len(r.Games) != 1 || r.Games[0] != today {
		t.Errorf("the record is of %+v, want jogu once, as it is today", r.Games)
	}
	if r.Name != "jogu/quick" || r.Build.Go == "" || r.Build.BLAS == "" || r.Figures["rate"].Value != 2 || r.Played != 4 {
		t.Errorf("%+v", r)
	}
	if r.Commit == "unknown" {
		r.Commit = "0123456789ab"
	}
	var text, again bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	read, err := record.Read(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Write(&again); err != nil || again.String() != text.String() {
		t.Errorf("read again (%v): %s, want %s", err, again.String(), text.String())
	}
}

// Whoever works elsewhere is not counted, so that no processor time is given.
func TestElsewhere(t *testing.T) {
	for elsewhere := range map[bool]bool{true: true, false: true} {
		spin := 0
		for i := range 100_000_000 { // some hundredths of a second
			spin ^= i
		}
		r := taken(t, record.Found{Result: map[string]int{"n": spin}, Elsewhere: elsewhere}, "n.json")
		if (r.Processor > 0) == elsewhere {
			t.Errorf("elsewhere is %v, and the processor time %v", elsewhere, r.Processor)
		}
	}
}

// A record that leaves out what every measurement has is refused, with all that it lacks.
func TestIncomplete(t *testing.T) {
	whole := `{"format": "powderkeg-record/1", "name": "a/b", "command": "powderkeg", "commit": "0123456789ab",
		"build": {"blas": "", "system": "", "go": ""}, "figures": {"n": {"value": 1}}, "machine": {}, "date": "2026-11-27"}`
	if _, err := record.Read([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{`"name": "a/b"`, `"name": ""`, "no name"},
		{`"command": "powderkeg"`, `"command": ""`, "no command"},
		{`0123456789ab`, `unknown`, "commit is not known"},
		{`{"n": {"value": 1}}`, `{}`, "no figures"},
		{`{"value": 1}`, `{"value": 1, "low": 0}`, "one end"},
		{`{"value": 1}`, `{"value": 1, "low": 2, "high": 0}`, "wrong way round"},
		{`2026-11-27`, `yesterday`, "not of the form"},
		{`record/1`, `record/9`, "record/9"},
		{`"machine"`, `"luck"`, "luck"},
		{`"machine": {}`, `"machine": {}, "config": {"digest": ""}`, "no digest"},
	} {
		text := strings.Replace(whole, c[0], c[1], 1)
		if _, err := record.Read([]byte(text)); text == whole || err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s in place of %s: %v, want %q", c[1], c[0], err, c[2])
		}
	}
}
