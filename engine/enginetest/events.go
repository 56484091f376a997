package enginetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest/demand"
	"powderkeg/engine/ruledata"
)

// Events checks what a game tells of random play. The section Events of its README.md
// lists every kind with its rule and arguments, and no others; every event cites a rule that the
// game has and is one sentence to at least one seat; a listener is not copied; and
// without one nothing is built. rare are kinds that random play may not reach, for
// which the game has scripts.
func Events(t testing.TB, family engine.Family, games []engine.Game, rare ...string) {
	t.Helper()
	demand.Games(t, games)
	for _, g := range games {
		_, ok := g.New().(engine.Narrator)
		demand.That(t, ok, "%s: %T tells no events: it must be an engine.Narrator", g.Spec().Text, g.New())
	}
	rules, err := ruledata.Rules(family.Rules)
	if err != nil {
		t.Fatal(err)
	}
	e := &eventTest{t: t, rules: map[string]bool{}, listed: listedEvents(t), told: map[string]bool{}}
	for _, r := range slices.Concat(rules, ruledata.Rulings(family.Rulings)) {
		e.rules[r.Number] = true
	}
	for i, g := range games {
		for seed := range Times(10) {
			e.play(g, rand.NewPCG(uint64(seed), uint64(i)))
		}
		e.copies(g)
	}
	for kind := range e.listed {
		if !e.told[kind] && !slices.Contains(rare, kind) {
			t.Errorf("README.md lists the event %s, which nothing tells", kind)
		}
	}
	for _, kind := range rare {
		if e.listed[kind] == nil {
			t.Errorf("README.md lacks the rare event %s", kind)
		}
	}
}

// listedEvents reads the section Events of README.md: a table with kinds, their rules,
// and their arguments.
func listedEvents(t testing.TB) map[string][]string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Events\n")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string][]string{}
	word := regexp.MustCompile("`(\\w+)`")
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|[^|]*\\|([^|]*)\\|").FindAllStringSubmatch(section, -1) {
		arguments := []string{}
		for _, name := range word.FindAllStringSubmatch(row[2], -1) {
			arguments = append(arguments, name[1])
		}
		for _, kind := range word.FindAllStringSubmatch(row[1], -1) {
			listed[kind[1]] = arguments
		}
	}
	if len(listed) == 0 {
		t.Fatal("README.md has no section Events with a table of kinds")
	}
	return listed
}

// eventTest collects what is told.
type eventTest struct {
	t      testing.TB
	rules  map[string]bool
	listed map[string][]string
	told   map[string]bool
}

// play plays a random game and checks each event.
func (e *eventTest) play(g engine.Game, rng *rand.PCG) {
	s := g.New().(engine.Narrator)
	s.Listen(func(event *engine.Event) { e.check(g, event) })
	demand.Play(e.t, g, s, rng, func() {
		if e.t.Failed() {
			e.t.FailNow()
		}
	})
}

func (e *eventTest) check(g engine.Game, event *engine.Event) {
	e.told[event.Kind] = true
	what := fmt.Sprintf("%s: %s %s %v: %s", g.Spec().Text, event.Kind, event.Rule, event.Args, event.Text)
	listed, ok := e.listed[event.Kind]
	if !ok {
		e.t.Errorf("%s\nis not listed in README.md", what)
	}
	for _, a := range event.Args {
		if !slices.Contains(listed, a.Name) {
			e.t.Errorf("%s\nhas the argument %s, which README.md does not list", what, a.Name)
		}
		switch a.Value.(type) {
		case string, int, bool, []string, []int, []bool:
		default:
			e.t.Errorf("%s\nhas the argument %s of type %T", what, a.Name, a.Value)
		}
	}
	switch everybody := uint8(1<<g.Spec().Seats - 1); {
	case !e.rules[event.Rule]:
		e.t.Errorf("%s\ncites a rule that the game does not have", what)
	case event.Text == "" || event.Kind != "move" && strings.HasSuffix(event.Text, ".") || strings.ContainsAny(event.Text, "{}\n"):
		e.t.Errorf("%s\nis no sentence without its stop", what)
	case event.Seen == 0 || event.Seen&^everybody != 0:
		e.t.Errorf("%s\nis seen by %b", what, event.Seen)
	}
}

// copies checks that a listener belongs to its state, and that there is a first move
// to tell.
func (e *eventTest) copies(g engine.Game) {
	defer demand.Calm(e.t, g.Spec().Text)
	count := func(n *int) func(*engine.Event) { return func(*engine.Event) { *n++ } }
	s, other := g.New().(engine.Narrator), g.New().(engine.Narrator)
	var told, otherTold int
	s.Listen(count(&told))
	other.Listen(count(&otherTold))
	move := func(s engine.State) {
		if err := s.Apply(demand.Moves(e.t, g, s)[0]); err != nil {
			e.t.Fatal(err)
		}
	}
	if move(engine.Clone(g, s)); told != 0 {
		e.t.Errorf("%s: a copy tells the listener of its original", g.Spec().Text)
	}
	other.CopyFrom(s)
	if move(other); told != 0 || otherTold == 0 {
		e.t.Errorf("%s: after CopyFrom the receiver tells %d events to the other's listener and %d to its own", g.Spec().Text, told, otherTold)
	}
	s.Listen(nil)
	if move(s); told != 0 {
		e.t.Errorf("%s: after Listen(nil) a move is told", g.Spec().Text)
	}
}
