package evidence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/env/record"
	"powderkeg/train"
)

// repository is a folder with a configuration, records of it, and a result that is none.
func repository(t *testing.T) *Sources {
	t.Helper()
	s := &Sources{Root: t.TempDir()}
	put := func(path string, write func(*os.File) error) {
		t.Helper()
		file := filepath.Join(s.Root, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := write(f); err != nil {
			t.Fatal(err)
		}
	}
	text := func(path, text string) {
		put(path, func(f *os.File) error { _, err := f.WriteString(text); return err })
	}
	const config = "game: kuhn\nupdates: 100\n"
	text("experiments/configs/kuhn/ppo.yaml", config)
	c, err := train.ParseConfig([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	kuhn, err := games.New("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	today, err := record.VersionOf(kuhn)
	if err != nil {
		t.Fatal(err)
	}
	measure := func(name string, change func(*record.Record)) {
		low, high, others := 0.4, 0.6, 0.5
		r := &record.Record{
			Format: record.Format, Name: name, Command: "powderkeg train", Commit: "0123456789ab", Date: "2026-11-27", Games: []record.Version{today},
			Config:  &record.Config{File: "experiments/configs/kuhn/ppo.yaml", Digest: c.Digest()},
			Machine: record.Machine{Others: &others},
			Figures: map[string]record.Figure{
				"win_rate": {Value: 0.5012, Low: &low, High: &high, Unit: "share"}, "other.win_rate": {Value: 0.25, Unit: "share"},
				"rate_per_second": {Value: 3e6, Unit: "/s"}, "rate_per_processor_second": {Value: 5e6, Unit: "/s"},
			},
		}
		change(r)
		put(Records+"/"+name+".json", func(f *os.File) error { return r.Write(f) })
	}
	curve := map[string][]record.Point{"win_rate": {{X: 0, Y: 0.2}, {X: 1e6, Y: 0.4}}}
	measure("kuhn/ppo", func(r *record.Record) { r.Seeds, r.Curves = []uint64{1}, curve })
	measure("kuhn/rules", func(r *record.Record) {
		r.Games = []record.Version{{Game: "kuhn", Rules: today.Rules + 1, Layout: today.Layout}}
	})
	measure("kuhn/layout", func(r *record.Record) {
		r.Games = []record.Version{{Game: "kuhn", Rules: today.Rules, Layout: today.Layout + 1}}
	})
	measure("kuhn/config", func(r *record.Record) { r.Config.Digest = "another" })
	measure("kuhn/quiet", func(r *record.Record) { *r.Machine.Others, r.Seeds, r.Curves = 0.01, []uint64{2}, curve })
	text("experiments/parts/kuhn.json", `{"game": "kuhn", "rules": 9, "return": {"mean": 0.125, "low": 0.1, "high": 0.15}}`)
	text("experiments/balance.csv", "game,player,seat,win_rate,low,high\nkuhn,random,0,0.4811,0.4,0.6\n")
	return s
}

// A page may print what its sources say and nothing else, and must say where they are not of today.
func TestCheck(t *testing.T) {
	s := repository(t)
	for page, want := range map[string]string{ // a part of the only problem, "" for none
		"50.1% <!-- from kuhn/ppo -->":                                  "",
		"50% [40, 60] <!-- from kuhn/ppo -->":                           "",
		"| 50.1% <!-- from kuhn/ppo --> | 1 |":                          "",
		"- 50.1%\n  of all <!-- from kuhn/ppo -->\n- no figure":         "",
		"50.1% <!-- from kuhn/ppo --> and 7% <!-- not measured: 7% -->": "",
		"```\n77%\n```\n`77%` [x](77.7) 2026-11-27":                     "",
		"48.1% <!-- from balance -->":                                   "",
		"50.1% <!-- from kuhn/ppo#win -->":                              "",
		"5 M moves/s <!-- from kuhn/ppo -->":                            "",
		"3 M moves/s <!-- from kuhn/quiet -->":                          "",
		"five million moves per second <!-- from kuhn/ppo -->":          "",
		"rules 2: 50.1% <!-- from kuhn/rules -->":                       "",
		"layout 2: 50.1% <!-- from kuhn/layout -->":                     "",
		"50.1%, config changed <!-- from kuhn/config -->":               "",
		"+0.125, rules 9 <!-- from parts/kuhn -->":                      "",
		"# 99% in a heading":                                            "",

		"50.1%":                                                             "50.1% has no source",
		"50.2% <!-- from kuhn/ppo -->":                                      "50.2% is no figure of kuhn/ppo",
		"50% [41, 60] <!-- from kuhn/ppo -->":                               "50% [41, 60] is no figure",
		"25% [20, 30] <!-- from kuhn/ppo -->":                               "25% [20, 30] is no figure",
		"50.1% <!-- from kuhn/ppo --> and 25.0%":                            "25.0% has no source",
		"50.1% <!-- from kuhn/ppo -->\n\n25.0%":                             "25.0% has no source",
		"| 50.1% | <!-- from kuhn/ppo -->\n| 25.0% |":                       "25.0% has no source",
		"50.1% <!-- from kuhn/none --> <!-- from kuhn/ppo -->":              "there is no source kuhn/none",
		"50.1% <!-- from kuhn/ppo, kuhn/quiet --> 1 <!-- from kuhn/ppo -->": "no figure here is of kuhn/ppo",
		"25.0% <!-- from kuhn/ppo#win -->":                                  "25.0% is no figure of kuhn/ppo#win",
		"50.1% <!-- from kuhn/ppo#lost -->":                                 "no figure whose name begins with lost",
		"3 M moves/s <!-- from kuhn/ppo -->":                                "3 M moves/s is no figure", // of a loaded machine
		"50.1% <!-- from kuhn/rules -->":                                    "kuhn/rules is of rules 2",
		"rules 21: 50.1% <!-- from kuhn/rules -->":                          "kuhn/rules is of rules 2",
		"50.1% <!-- from kuhn/layout -->":                                   "kuhn/layout is of layout 2",
		"50.1% <!-- from kuhn/config -->":                                   "kuhn/config is of config changed",
		"+0.125 <!-- from parts/kuhn -->":                                   "parts/kuhn is of rules 9",
		"8% <!-- not measured: 7% -->":                                      "8% has no source",
	} {
		problems, err := s.Check("page", page)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case want == "" && len(problems) > 0:
			t.Errorf("%q: %v, want none", page, problems)
		case want != "" && (len(problems) == 0 || !strings.Contains(problems[0].Text, want)):
			t.Errorf("%q: %v, want %q", page, problems, want)
		}
	}
}

// What a test writes is compared as a whole by that test.
func TestWrittenPartsAreLeftOut(t *testing.T) {
	page := "a\n\n<!-- rows: written by go test ./x -run TestRows -update -->\n| 77% |\n<!-- end of rows -->\n\n78%"
	problems, err := repository(t).Check("page", page)
	if err != nil || len(problems) != 1 || problems[0].Line != 7 || !strings.HasPrefix(problems[0].Text, "78%") {
		t.Errorf("%v (%v), want the last line alone", problems, err)
	}
}

// A picture has a curve for each record that has one.
func TestDraw(t *testing.T) {
	s := repository(t)
	p := Picture{File: "curve.svg", Config: "kuhn/ppo", Curve: "win_rate", Title: "how it went"}
	file := filepath.Join(s.Root, p.File)
	if drawn, err := s.Draw(p, file); err != nil || !drawn {
		t.Fatalf("drawn is %v, error %v", drawn, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for want, n := range map[string]int{"how it went": 1, "seed 1": 1, "seed 2": 1, "seed 3": 0} {
		if got := strings.Count(string(text), want); got != n {
			t.Errorf("%q is drawn %d times, want %d", want, got, n)
		}
	}
	p.Curve = "another"
	if drawn, err := s.Draw(p, file); err != nil || drawn {
		t.Errorf("nothing to draw: drawn is %v, error %v", drawn, err)
	}
}
