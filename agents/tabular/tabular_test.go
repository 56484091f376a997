package tabular_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"powderkeg/agents/tabular"
	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/kuhn"
)

const text = `{"format": "powderkeg-policy/1", "game": "kuhn", "rules": 1, "information_states": [
  {"seat": 0, "key": "0J:", "probabilities": {"pass": 0.75, "bet": 0.25}},
  {"seat": 0, "key": "0K:", "probabilities": {"pass": 0, "bet": 1}},
  {"seat": 1, "key": "1Q:b", "probabilities": {"pass": 0.6666666666666666, "bet": 0.3333333333333333}}
]}
`

func read(t testing.TB, text string) *tabular.Policy {
	t.Helper()
	p, err := tabular.Read(enginetest.Game(t, "kuhn"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func written(t testing.TB, p *tabular.Policy) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFilesRoundTrip also shuffles the rows and gives a key that is no text.
func TestFilesRoundTrip(t *testing.T) {
	if got := written(t, read(t, text)); got != text {
		t.Errorf("the file changes when read and written\nfrom %s\nto   %s", text, got)
	}
	g := enginetest.Game(t, "kuhn")
	row := func(seat engine.Player, key string) tabular.Row {
		return tabular.Row{Seat: seat, Key: key, Actions: []engine.Action{kuhn.Bet}, Probabilities: []float64{1}}
	}
	p, err := tabular.New(g, []tabular.Row{row(1, "b"), row(0, "\xff\x00\"\\%é<"), row(0, "a")})
	if err != nil {
		t.Fatal(err)
	}
	again := read(t, written(t, p))
	for i, want := range []string{"a", "\xff\x00\"\\%é<", "b"} {
		if got := again.Rows()[i].Key; got != want {
			t.Errorf("key %d is %q, want %q", i, got, want)
		}
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no JSON":            {text, "policy", "not a policy: invalid character"},
		"more text":          {"]}\n", "]} {}", "text after the end"},
		"unknown field":      {`"rules"`, `"rule"`, `unknown field "rule"`},
		"another format":     {"policy/1", "policy/2", `format is "powderkeg-policy/2", this program reads "powderkeg-policy/1"`},
		"another game":       {`"kuhn"`, `"leduc"`, "the policy is for leduc, not for kuhn"},
		"other rules":        {`"rules": 1`, `"rules": 9`, "version 9 of the rules of kuhn, this program has 1"},
		"unknown action":     {`"pass": 0.75`, `"fold": 0.75`, `unknown action "fold"; powderkeg spec kuhn lists the actions`},
		"too little":         {`0.75`, `0.5`, "add up to 0.75, want 1"},
		"negative":           {`"pass": 0, "bet": 1`, `"pass": -1, "bet": 2`, "the probability of pass is -1, it must be from 0 to 1"},
		"no such seat":       {`"seat": 1`, `"seat": 2`, "there is no such seat; kuhn has 0 to 1"},
		"a key twice":        {`"0K:"`, `"0J:"`, `information state "0J:" is given twice`},
		"an unescapable key": {`"0K:"`, `"0K\\"`, "is no text with the escapes"},
		"no actions":         {`"pass": 0, "bet": 1`, ``, "add up to 0, want 1"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		_, err := tabular.Read(enginetest.Game(t, "kuhn"), []byte(changed))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error is %v, want one line with %q", name, err, c.want)
		}
	}
	if _, err := tabular.New(enginetest.Game(t, "jogu"), nil); err == nil || !strings.Contains(err.Error(), "jogu has no information states") {
		t.Errorf("a game without information states: error is %v", err)
	}
	if _, err := tabular.Open(enginetest.Game(t, "kuhn"), "no/such/file"); err == nil {
		t.Error("a file that is not there is read")
	}
}

// deal returns the view of the seat to act after the moves.
func deal(t testing.TB, moves ...string) (view engine.View, seat engine.Player, legal []engine.Action) {
	t.Helper()
	g := enginetest.Game(t, "kuhn")
	s := enginetest.After(t, g, moves...)
	seat = s.ToAct()
	return engine.Look(s, seat), seat, s.Legal(nil)
}

// TestAgentsDrawByTheirProbabilities counts, over information states that the file
// has and one that it has not.
func TestAgentsDrawByTheirProbabilities(t *testing.T) {
	a := read(t, text).NewAgent()
	for _, c := range []struct {
		moves []string
		bets  float64
	}{
		{[]string{"J", "Q"}, 0.25},
		{[]string{"K", "Q"}, 1},
		{[]string{"K", "Q", "bet"}, 1. / 3},
		{[]string{"Q", "J"}, 0.5}, // not in the file: uniform
	} {
		view, seat, legal := deal(t, c.moves...)
		const n = 4000
		bets := 0
		a.Start(seat, 7)
		for range n {
			action, err := a.Act(context.Background(), view, legal)
			if err != nil {
				t.Fatal(err)
			}
			if action == kuhn.Bet {
				bets++
			}
		}
		if got := float64(bets) / n; math.Abs(got-c.bets) > 0.03 {
			t.Errorf("after %v it bets with %g, want %g", c.moves, got, c.bets)
		}
	}
}

func TestAgentsTellOfIllegalActionsAndEnds(t *testing.T) {
	a := read(t, text).NewAgent()
	view, seat, legal := deal(t, "K", "Q")
	a.Start(seat, 1)
	if _, err := a.Act(context.Background(), view, legal[:1]); err == nil ||
		!strings.Contains(err.Error(), `"0K:": the policy plays action 1, legal are [0]`) {
		t.Errorf("error is %v, want that action 1 is not legal", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Act(ended, view, legal); err != context.Canceled {
		t.Errorf("error is %v, want that the context has ended", err)
	}
}

// FuzzRead demands that no text makes Read panic, and that what it takes is written
// and read alike.
func FuzzRead(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte(`{"information_states":[{"key":"\\x","probabilities":null}]}`))
	g := enginetest.Game(f, "kuhn")
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := tabular.Read(g, data)
		if err != nil {
			return
		}
		first := written(t, p)
		if second := written(t, read(t, first)); second != first {
			t.Errorf("written as %q, then as %q", first, second)
		}
	})
}

// TestPoliciesDrawLikeAgents: the player without memory, on a generator of its own, takes
// actions by the same probabilities, and plays uniformly where nothing is written.
func TestPoliciesDrawLikeAgents(t *testing.T) {
	player := read(t, text).NewPolicy()
	for _, c := range []struct {
		moves []string
		bets  float64
	}{{[]string{"J", "Q"}, 0.25}, {[]string{"K", "Q"}, 1}, {[]string{"Q", "J"}, 0.5}} {
		view, seat, legal := deal(t, c.moves...)
		rng, bets := rand.NewPCG(1, 2), 0
		const draws = 20_000
		for range draws {
			if player.Choose(view, seat, legal, rng) == kuhn.Bet {
				bets++
			}
		}
		if got := float64(bets) / draws; math.Abs(got-c.bets) > 0.015 {
			t.Errorf("after %v it bets %.3f of the time, want %.3f", c.moves, got, c.bets)
		}
	}
}

// A list of nothing would take a hundred bytes of memory for three of text.
func TestAStateWithoutAChoiceIsRefusedAsItComes(t *testing.T) {
	g := enginetest.Game(t, "kuhn")
	text := `{"format": "powderkeg-policy/1", "game": "kuhn", "rules": 1, "information_states": [` + strings.Repeat(`{},`, 1<<18) + `{}]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := tabular.Read(g, []byte(text))
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "the probabilities add up to 0, want 1") || after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("%d bytes: error %v after %d bytes of memory", len(text), err, after.TotalAlloc-before.TotalAlloc)
	}
}
