package web

import (
	"cmp"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/kept"
	"powderkeg/engine/enginetest/soak"
	"powderkeg/env"
)

// The page in a real browser: ui/test/page.mjs says what is tried. It takes Node.js, what
// ui/package.json names, and a headless Chromium; make test installs them where it can. With
// POWDERKEG_SOAK the longest games are played from their starts; POWDERKEG_ONLY is a word of
// the checks that are made.
func TestInABrowser(t *testing.T) {
	node, chromium := browserOf(t)
	p := open(t, "", nil)
	arguments := []string{"ui/test/page.mjs", p.http.URL + "/"}
	if only := os.Getenv("POWDERKEG_ONLY"); only != "" {
		arguments = append(arguments, "--only="+only)
	}
	if *kept.Update {
		arguments = append(arguments, "--update")
	}
	if !soak.On() {
		for _, game := range []string{"domination", "insurgency", "minuteman"} {
			arguments = append(arguments, "--late="+late(t, p, game))
		}
	}
	for _, game := range titles {
		arguments = append(arguments, "--seen="+late(t, p, game))
	}
	run := exec.CommandContext(t.Context(), node, arguments...)
	run.Env = append(os.Environ(), "POWDERKEG_CHROMIUM="+chromium)
	said, err := run.CombinedOutput()
	t.Logf("%s", said)
	if err != nil || os.Getenv("POWDERKEG_ONLY") == "" && !strings.Contains(string(said), "ok   figures") {
		t.Errorf("the page fails in the browser: %v", err)
	}
}

// browserOf returns what the page is tried with, Node.js and a headless Chromium, and skips the test where
// something is missing.
func browserOf(t *testing.T) (node, chromium string) {
	t.Helper()
	if enginetest.Race {
		t.Skip("skipped under the race detector: it takes minutes there, and other tests do the same things at once")
	}
	if testing.Short() {
		t.Skip("skipped in short mode")
	}
	for _, want := range []string{"ui/node_modules/playwright-core/package.json", "ui/node_modules/axe-core/axe.min.js"} {
		if _, err := os.Stat(want); err != nil {
			t.Skip("skipped: the page in a browser, for want of what ui/package.json names (npm ci in serve/web/ui)")
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: the page in a browser, for want of Node.js")
	}
	chromium = os.Getenv("POWDERKEG_CHROMIUM")
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			chromium = cmp.Or(chromium, path)
		}
	}
	if chromium == "" {
		t.Skip("skipped: the page in a browser, for want of one (apt-get install -y chromium-headless-shell)")
	}
	return node, chromium
}

// late begins a game of which most is over, between a person and random play, and returns
// its name, its link and the person's token, with colons between.
func late(t *testing.T, p *place, game string) string {
	t.Helper()
	const left = 100 // moves, if the rest went as it does here
	g, err := env.NewGame(game)
	if err != nil {
		t.Fatal(err)
	}
	var states []engine.State
	for s, rng := g.New(), rand.NewPCG(1, 1); s.ToAct() != engine.Terminal; {
		states = append(states, engine.Clone(g, s))
		moves := engine.Moves(s)
		if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
			t.Fatal(err)
		}
	}
	at := max(0, len(states)-left)
	for at > 0 && states[at].ToAct() != 0 {
		at--
	}
	position, err := states[at].MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	seats := slices.Repeat([]Seat{{Bot, "random"}}, g.Spec().Seats)
	seats[0] = Seat{Person, ""}
	made := p.order(Order{Game: game, Seats: seats, Position: position, Seed: 1, Practice: true})
	return strings.Join([]string{game, made.ID, made.Tokens[0]}, ":")
}
