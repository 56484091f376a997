package enginetest_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/trial"
	"powderkeg/engine/jogu"
	"powderkeg/engine/kuhn"
)

// finite is a game of two moves for each seat that nothing is known of but what engine.State
// demands: no chance, no events, no margins, no secrets.
func finite(t testing.TB) engine.Game {
	return newBroken(t, faults{
		spec: func(s *engine.Spec) { s.Outcomes = nil },
		new: func() engine.State {
			s := &kuhn.State{}
			for s.ToAct() == engine.Chance {
				if err := s.Apply(s.Outcomes(nil)[0].Action); err != nil {
					t.Fatal(err)
				}
			}
			return bare{&state{State: s, faults: &faults{}}}
		},
	})
}

// endless is a game that is never over.
func endless(t testing.TB) engine.Game {
	return newBroken(t, faults{apply: func(s *state, a engine.Action) error {
		if s.ToAct() >= 0 && (a == 0 || a == 1) {
			return nil
		}
		return s.State.Apply(a)
	}})
}

// What makes no sense is refused in one line that names it and says what would be right,
// whatever function of the package is handed it.
func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir()) // where neither README.md nor RULINGS.md nor testdata are
	sound := newBroken(t, faults{})
	var typed *broken // a game that is nil, of a type
	run := func(u enginetest.Suite) func(t testing.TB) {
		return func(t testing.TB) { enginetest.Run(t, u) }
	}
	for name, test := range map[string]struct {
		call  func(t testing.TB)
		words string
	}{
		"Run: nothing":        {run(enginetest.Suite{}), "Suite.Game is nil: it must be a game"},
		"Run: nil of a type":  {run(enginetest.Suite{Game: typed, Games: 1}), "Suite.Game is nil: it must be a game"},
		"Run: no games":       {run(enginetest.Suite{Game: sound}), "Suite.Games is 0: it must be 1 or more"},
		"Run: less than none": {run(enginetest.Suite{Game: sound, Games: -2}), "Suite.Games is -2: it must be 1 or more"},
		"Run: Every":          {run(enginetest.Suite{Game: sound, Games: 1, Every: -1}), "Suite.Every is -1: it must be 0 or more"},
		"Run: Position":       {run(enginetest.Suite{Game: sound, Games: 1, Position: &kuhn.Position{}}), "is a ptr; a position is a plain value"},
		"Run: Position's list": {run(enginetest.Suite{Game: sound, Games: 1, Position: struct{ Cards []int }{}}),
			"Cards is a slice; a position is a plain value"},
		"Run: Reveals": {run(enginetest.Suite{Game: sound, Games: 9, Reveals: func(before, _ engine.View) bool {
			return before.(*jogu.State).ToAct() < 0
		}}), "Suite.Reveals panics, asked about a "},
		"Run: endless":     {run(enginetest.Suite{Game: endless(t), Games: 1}), "exceed the bounds of 3 and 5"},
		"Plain":            {func(t testing.TB) { enginetest.Plain(t, nil) }, "the value is nil: it must be one of the position's type"},
		"Allocs":           {func(t testing.TB) { enginetest.Allocs(t, nil) }, "the game is nil"},
		"Allocs: no moves": {func(t testing.TB) { enginetest.Allocs(t, immobile(t)) }, "has no move"},
		"SecretsDeclared":  {func(t testing.TB) { enginetest.SecretsDeclared(t, nil) }, "games is empty"},
		"SecretsDeclared: a nil game": {func(t testing.TB) { enginetest.SecretsDeclared(t, []engine.Game{nil}) },
			"games[0] is nil: it must be a game"},
		"Events":                {func(t testing.TB) { enginetest.Events(t, kuhn.Family, nil) }, "games is empty"},
		"Events: tells nothing": {func(t testing.TB) { enginetest.Events(t, kuhn.Family, []engine.Game{finite(t)}) }, "it must be an engine.Narrator"},
		"Events: no rules":      {func(t testing.TB) { enginetest.Events(t, engine.Family{}, []engine.Game{sound}) }, "rules"},
		"Events: no README.md":  {func(t testing.TB) { enginetest.Events(t, kuhn.Family, []engine.Game{sound}) }, "README.md"},
		"Golden":                {func(t testing.TB) { enginetest.Golden(t, "", "x") }, "path is empty: it must name a golden file"},
		"Golden: no file":       {func(t testing.TB) { enginetest.Golden(t, "gone.txt", "x") }, "go test -update writes it"},
		"Playthroughs":          {func(t testing.TB) { enginetest.Playthroughs(t, nil, 1) }, "the game is nil"},
		"Playthroughs: none":    {func(t testing.TB) { enginetest.Playthroughs(t, sound, 0) }, "n is 0: it must be 1 or more"},
		"Margins":               {func(t testing.TB) { enginetest.Margins(t, 0, "kuhn") }, "games is 0: it must be 1 or more"},
		"Margins: no texts":     {func(t testing.TB) { enginetest.Margins(t, 1) }, "texts is empty"},
		"Margins: no game":      {func(t testing.TB) { enginetest.Margins(t, 1, "chess") }, "unknown game"},
		"Margins: has none":     {func(t testing.TB) { enginetest.Margins(t, 1, "kuhn") }, "it must be an engine.Marginal"},
		"Trails":                {func(t testing.TB) { enginetest.WalkTrails(t, enginetest.Trails{}) }, "Trails.Settings is empty"},
		"Trails: no games": {func(t testing.TB) { enginetest.WalkTrails(t, enginetest.Trails{Settings: []string{"kuhn"}}) },
			"Trails.Games is 0: it must be 1 or more"},
		"Trails: no looks": {func(t testing.TB) { enginetest.WalkTrails(t, enginetest.Trails{Settings: []string{"kuhn"}, Games: 1}) }, "Trails.Every is 0"},
		"Trails: too long": {func(t testing.TB) {
			enginetest.WalkTrails(t, enginetest.Trails{Settings: []string{"jogu"}, Games: 1, Every: 9, Most: 1})
		}, "want 0 to 1"},
		"Trails: no middles": {func(t testing.TB) {
			enginetest.WalkTrails(t, enginetest.Trails{Settings: []string{"kuhn"}, Games: 1, Every: 1, Middles: 1})
		}, "want 1 or more"},
		"Since: nothing":     {func(t testing.TB) { enginetest.Since(t, nil) }, "the state is nil"},
		"LeadsBack: no game": {func(t testing.TB) { enginetest.LeadsBack(t, nil, sound.New(), engine.Strict) }, "the game is nil"},
		"LeadsBack: elsewhere": {func(t testing.TB) {
			s := sound.New()
			enginetest.LeadsBack(t, newBroken(t, faults{load: loading(func(_ []byte, s engine.State, err error) (engine.State, error) {
				return s, errors.Join(err, s.Apply(0))
			})}), s, engine.Strict)
		}, "does not come back"},
		"TrailReachesNoSeat": {func(t testing.TB) { enginetest.TrailReachesNoSeat(t, sound, 0, sound.New(), sound.New(), "") },
			"must be in the middle of a procedure"},
		"Mutations":          {func(t testing.TB) { enginetest.Mutations(t, nil, 1, 1) }, "the game is nil"},
		"Mutations: none":    {func(t testing.TB) { enginetest.Mutations(t, sound, 0, 1) }, "n is 0: it must be 1 or more"},
		"Mutations: endless": {func(t testing.TB) { enginetest.Mutations(t, endless(t), 100, 1) }, "is not over after 5 moves"},
		"Readme":             {func(t testing.TB) { enginetest.Readme(t, nil) }, "the game is nil"},
		"Readme: no file":    {func(t testing.TB) { enginetest.Readme(t, sound) }, "README.md"},
		"Rulings":            {func(t testing.TB) { enginetest.Rulings(t, 0) }, "least is 0: it must be 1 or more"},
		"Rulings: no file":   {func(t testing.TB) { enginetest.Rulings(t, 1) }, "RULINGS.md"},
		"BadPositions":       {func(t testing.TB) { enginetest.BadPositions(t, nil, nil) }, "the game is nil"},
		"BadPositions: none": {func(t testing.TB) { enginetest.BadPositions(t, sound, nil) }, "cases is empty"},
		"BadPositions: panics": {func(t testing.TB) {
			g := newBroken(t, faults{load: func([]byte, engine.Strictness) (engine.State, error) { panic("boom") }})
			enginetest.BadPositions(t, g, map[string]string{"{}": ""})
		}, "kuhn panics: boom"},
		"Game":          {func(t testing.TB) { enginetest.Game(t, "") }, "is not of the form name"},
		"HasEveryGame":  {func(t testing.TB) { enginetest.HasEveryGame(t, nil) }, "no game string here is of jogu"},
		"Difference":    {func(t testing.TB) { enginetest.Difference(t, nil, nil) }, "here is nil"},
		"Load":          {func(t testing.TB) { enginetest.Load[*kuhn.State](t, "jogu", "{}") }, "and the test asks for a *kuhn.State"},
		"Load: no JSON": {func(t testing.TB) { enginetest.Load[*kuhn.State](t, "kuhn", "") }, "bad position"},
		"Do":            {func(t testing.TB) { enginetest.Do[engine.State](t, "kuhn", nil, "J") }, "the state is nil"},
		"Do: another":   {func(t testing.TB) { enginetest.Do(t, "kuhn", engine.State(sound.New()), "no such move") }, "is unknown"},
		"After":         {func(t testing.TB) { enginetest.After(t, nil) }, "the game is nil"},
		"Fields":        {func(t testing.TB) { enginetest.Fields(t, nil) }, "the view is nil"},
		"Expect":        {func(t testing.TB) { enginetest.Expect(t, sound.New(), nil) }, "want is empty"},
		"Expect: unknown": {func(t testing.TB) { enginetest.Expect(t, sound.New(), map[string]string{"cards_": "[]"}) },
			`want names the field "cards_", and the position has`},
		"Sources":        {func(t testing.TB) { enginetest.Sources(t, nil) }, "files is nil"},
		"Sources: empty": {func(t testing.TB) { enginetest.Sources(t, fstest.MapFS{}) }, "data: 0 files"},
	} {
		t.Run(name, func(t *testing.T) { trial.Finds(t, test.call, test.words) })
	}
}

// immobile is a game whose seats have no moves.
func immobile(t testing.TB) engine.Game {
	return newBroken(t, faults{legal: func(_ *kuhn.State, dst []engine.Action) []engine.Action { return dst }})
}

// A panic of the functions that are handed no test says what was wrong and would be right.
func TestPanicsOfHelpers(t *testing.T) {
	for name, test := range map[string]struct {
		call  func()
		words string
	}{
		"Hear":  {func() { enginetest.Hear(finite(t).New(), 0) }, "it must be an engine.Narrator"},
		"Open":  {func() { enginetest.Open[*jogu.View](newBroken(t, faults{}).New()) }, "and the test asks for a *jogu.View"},
		"Count": {func() { enginetest.Count(endless(t)) }, "is not over after 5 moves"},
		"Count: refused": {func() {
			enginetest.Count(newBroken(t, faults{apply: func(*state, engine.Action) error { return engine.ErrIllegal }}))
		}, "refuses a possible move"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.Contains(text, test.words) {
					t.Errorf("the panic is %q, want %q", text, test.words)
				}
			}()
			test.call()
		})
	}
}

// A mutator of which nothing is set changes what it can.
func TestMutatorWithoutMeans(t *testing.T) {
	for _, doc := range []any{nil, map[string]any{}, []any{}, "x", true, 1.5, map[string]any{"a": []any{nil, "x", 2.0}}} {
		var m enginetest.Mutator
		for range 50 {
			m.Change(doc)
		}
	}
	m := enginetest.Mutator{RNG: rand.NewPCG(1, 1), Numbers: []any{7}}
	if got := m.Change(3.0); got != 7 {
		t.Errorf("a number becomes %v, want 7", got)
	}
}

// What Rulings, Readme and Sources look for is missed where it is not there.
func TestFilesThatLackSomething(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("RULINGS.md", "## Q1 (first)\nSee `TestEmpty`.\n\n## Q2 (second)\nNo pin.\n\n## Q3 (third)\nSee `rules/gone`.\n")
	write("x.go", "package x // Q1, Q3\n")
	write("x_test.go", "package x\n\nimport \"testing\"\n\n// Q1\nfunc TestEmpty(t *testing.T) {}\n")
	rulings := func(t testing.TB) { enginetest.Rulings(t, 4) }
	for _, words := range []string{
		"3 rulings, want at least 4", "Q1 names TestEmpty, which does not exist or asserts nothing", "Q1 is cited in no test",
		"Q2 names no test", "Q2 is cited nowhere in the code", "Q3: stat testdata/rules/gone.json",
	} {
		trial.Finds(t, rulings, words)
	}
	readme := func(t testing.TB) { enginetest.Readme(t, newBroken(t, faults{})) }
	write("README.md", "# Kuhn\n")
	trial.Finds(t, readme, "README.md lacks the lines")
	write("README.md", "<!-- facts: written by go test -update -->\nold\n<!-- end of facts -->\n")
	trial.Finds(t, readme, "README.md, line 2: want \"old\"")
	for words, data := range map[string]string{
		"is none of rulebook":             `{"source": "guess"}`,
		"reconstructed without a cite":    `{"source": "reconstructed"}`,
		"source 3 is no word":             `{"source": 3}`,
		"source has no parts":             `{"source": {}}`,
		"no record says where":            `{}`,
		"x.json: unexpected end of JSON":  `{`,
		"public without a cite or why":    `[{"source": "public"}]`,
		"reconstructed without a cite or": `[{"source": {"cost": "reconstructed"}}]`,
	} {
		trial.Finds(t, func(t testing.TB) {
			enginetest.Sources(t, fstest.MapFS{"data/x.json": {Data: []byte(data)}})
		}, words)
	}
}
