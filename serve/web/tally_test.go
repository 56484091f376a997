package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// tallies plays the ladder's record of a person in Node.js: what came of each game, as its last screen tells.
const tallies = `
import { readFileSync } from "node:fs";
const kept = new Map();
globalThis.localStorage = { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v) };
const { count, remember, tallyOf } = await import(process.argv[2]);
const said = JSON.parse(readFileSync(0, "utf8")).map((c, i) => {
	remember({ id: "t" + i, title: "", game: "", at: 0, tokens: Object.fromEntries(c.own.map((p) => [p, "x"])), apart: c.apart });
	count("t" + i, c.screen);
	count("t" + i, c.screen);
	return tallyOf("g" + i, c.bot ?? "level:strong");
});
console.log(JSON.stringify(said));
`

// A game counts once, for each kind of bot at its table: together as all have won or lost, else by who
// has the first place alone. What is not one person's game from its beginning does not count.
func TestTallies(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: the page's tallies, for want of Node.js")
	}
	type counts struct{ Played, Won, Drawn int }
	type both struct{ Earnest, Practice counts }
	type over struct {
		Winners  []int `json:"winners"`
		Draw     bool  `json:"draw"`
		Together bool  `json:"together"`
	}
	seats := []Seat{{Person, "Ann"}, {Bot, "level:strong"}, {Bot, "level:casual"}, {Bot, "level:strong"}}
	win, lost, drawn := counts{1, 1, 0}, counts{1, 0, 0}, counts{1, 0, 1}
	cases := []struct {
		name     string
		own      []int
		apart    bool
		practice bool
		guide    bool
		bot      string
		over     over
		want     both
	}{
		{name: "won alone, with two bots of a level", own: []int{0}, over: over{Winners: []int{0}}, want: both{Earnest: win}},
		{name: "the other level at the table", own: []int{0}, bot: "level:casual", over: over{Winners: []int{0}}, want: both{Earnest: win}},
		{name: "a level that was not there", own: []int{0}, bot: "level:best", over: over{Winners: []int{0}}},
		{name: "a bot has won", own: []int{0}, over: over{Winners: []int{1}}, want: both{Earnest: lost}},
		{name: "the first place is shared", own: []int{0}, over: over{Winners: []int{0, 1}}, want: both{Earnest: drawn}},
		{name: "others share it", own: []int{0}, over: over{Winners: []int{1, 2}}, want: both{Earnest: lost}},
		{name: "all are alike", own: []int{0}, over: over{Winners: []int{0, 1, 2, 3}, Draw: true}, want: both{Earnest: drawn}},
		{name: "all have won together", own: []int{0}, over: over{Winners: []int{0, 1, 2, 3}, Draw: true, Together: true}, want: both{Earnest: win}},
		{name: "all have lost together", own: []int{0}, over: over{Winners: []int{}, Draw: true, Together: true}, want: both{Earnest: lost}},
		{name: "two people at one screen, together", own: []int{0, 2}, over: over{Winners: []int{}, Draw: true, Together: true}, want: both{Earnest: lost}},
		{name: "two people at one screen, against each other", own: []int{0, 2}, over: over{Winners: []int{0}}},
		{name: "practice", own: []int{0}, practice: true, over: over{Winners: []int{0}}, want: both{Practice: win}},
		{name: "from the middle", own: []int{0}, apart: true, over: over{Winners: []int{0}}},
		{name: "a first game", own: []int{0}, guide: true, over: over{Winners: []int{0}}},
		{name: "watched", over: over{Winners: []int{0}}},
	}
	var asked []map[string]any
	for i, c := range cases {
		screen := map[string]any{"game": fmt.Sprintf("g%d(players=4)", i), "seats": seats, "practice": c.practice, "over": c.over}
		if c.guide {
			screen["guide"] = map[string]any{}
		}
		ask := map[string]any{"own": append([]int{}, c.own...), "apart": c.apart, "screen": screen}
		if c.bot != "" {
			ask["bot"] = c.bot
		}
		asked = append(asked, ask)
	}
	dir := t.TempDir()
	bundle := filepath.Join(dir, "tally.mjs")
	result := api.Build(api.BuildOptions{
		Stdin:   &api.StdinOptions{Contents: `export * from "./ui/src/tally"; export * from "./ui/src/memory";`, ResolveDir: "."},
		Outfile: bundle, Bundle: true, Write: true, Format: api.FormatESModule,
	})
	if len(result.Errors) > 0 {
		t.Fatal(result.Errors)
	}
	script := filepath.Join(dir, "run.mjs")
	if err := os.WriteFile(script, []byte(tallies), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), node, script, bundle)
	run.Stdin = bytes.NewReader(in)
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []both
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	for i, c := range cases {
		if got[i] != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got[i], c.want)
		}
	}
}
