package env_test

import (
	"errors"
	"strings"
	"testing"

	"powderkeg/engine/edition"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env"
)

// newEdition makes an edition of Jogu of which the game begins with so much morale.
func newEdition(t *testing.T, morale int) *edition.Edition {
	t.Helper()
	e, report, err := games.Edition(enginetest.EditionFiles(t, "jogu",
		enginetest.Set{File: "setup", At: "parameters[start_morale].value", Value: morale}))
	if err != nil || e == nil {
		t.Fatalf("%v, %q", err, report.Faults)
	}
	return e
}

// A game string names editions that were added, by name and by digest, and the canonical one
// has the digest. It never names a folder.
func TestEditionsAreNamed(t *testing.T) {
	e, other := newEdition(t, 29), newEdition(t, 28)
	for name, e := range map[string]*edition.Edition{"test-mine": e, "": other} {
		if err := env.Editions.Add(name, e); err != nil {
			t.Fatal(err)
		}
	}
	for _, named := range []string{"test-mine", e.Digest} {
		g, err := env.NewGame("jogu(edition=" + named + ",first=agents)")
		if err != nil {
			t.Fatal(err)
		}
		if want := "jogu(first=agents,edition=" + e.Digest + ")"; g.Spec().Text != want {
			t.Errorf("%s is called %s, want %s", named, g.Spec().Text, want)
		}
	}
	if g, err := env.NewGame("jogu(edition=" + other.Digest + ")"); err != nil || !strings.Contains(g.Spec().Text, other.Digest) {
		t.Errorf("an edition without a name: %v", err)
	}
	if err := env.Editions.Add("test-mine", other); err == nil || !strings.Contains(err.Error(), "two editions of jogu are called test-mine") {
		t.Errorf("one name for two editions: %v", err)
	}
	if err := env.Editions.Add("a(b", e); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a name with a bracket: %v", err)
	}
	for _, bad := range []string{".", "/etc", "../jogu", "test", "sha256-0123456789ab"} {
		_, err := env.NewGame("jogu(edition=" + bad + ")")
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), `jogu has no edition "`+bad+`" here; at hand: `) ||
			!strings.Contains(err.Error(), "test-mine "+e.Digest) {
			t.Errorf("%s: error %v", bad, err)
		}
	}
	if _, err := env.NewGame("domination(edition=test-mine)"); !errors.Is(err, option.ErrUsage) {
		t.Errorf("an edition of another game: %v", err)
	}
}

// What else there is is looked for once, when it is asked for.
func TestEditionsAreLookedFor(t *testing.T) {
	e, looks := newEdition(t, 27), 0
	env.Editions.Look("; hint", func() []string {
		looks++
		if err := env.Editions.Add("test-found", e); err != nil {
			t.Error(err)
		}
		return []string{"broken/folder"}
	})
	defer env.Editions.Look("", nil)
	if _, err := env.NewGame("jogu"); err != nil || looks > 0 {
		t.Errorf("looked for editions of a game without one: %d, %v", looks, err)
	}
	for range 2 {
		if _, err := env.NewGame("jogu(edition=test-found)"); err != nil || looks != 1 {
			t.Errorf("looked %d times, %v", looks, err)
		}
	}
	if _, err := env.NewGame("jogu(edition=none)"); err == nil ||
		!strings.HasSuffix(err.Error(), "; broken (powderkeg edition check): broken/folder; hint") || looks != 1 {
		t.Errorf("looked %d times, error %v", looks, err)
	}
}
