package env_test

import (
	"fmt"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/enginetest/kept"
	"powderkeg/env"
)

// observations names each game with the versions and digests of its actions and of its observation, a line each.
func observations(t *testing.T) []string {
	t.Helper()
	var lines []string
	for _, f := range env.Families() {
		texts := []string{f.Name}
		for _, o := range f.Options {
			if o.Name == "encoder" {
				for _, choice := range o.Choices[1:] {
					texts = append(texts, f.Name+"(encoder="+choice+")")
				}
			}
		}
		for _, text := range texts {
			g, err := env.NewGame(text)
			if err != nil {
				t.Fatal(err)
			}
			e, err := env.EncoderFor(g)
			if err != nil {
				t.Fatal(err)
			}
			l := e.Layout()
			lines = append(lines, fmt.Sprintf("%s rules %d actions %s layout %d %s", text, g.Spec().Version, g.Spec().VocabularyHash(), l.Version, l.Hash()))
		}
	}
	return lines
}

// TestReleasedLayouts: the observation that a released version had is today's, or what today's begins with, so that networks
// play on; and the same version of the rules has the same actions.
func TestReleasedLayouts(t *testing.T) {
	for path, text := range kept.Files(t, "testdata/released", "layouts.txt", func() string { return strings.Join(observations(t), "\n") }) {
		for line := range strings.Lines(text) {
			if lost := lostLayout(t, line); lost != "" {
				t.Errorf("%s: %s", path, lost)
			}
		}
	}
}

// lostLayout says what has become of a line that a version had, empty if it stands.
func lostLayout(t *testing.T, line string) string {
	t.Helper()
	var text, actions, layout string
	var rules, version int
	if _, err := fmt.Sscanf(line, "%s rules %d actions %s layout %d %s", &text, &rules, &actions, &version, &layout); err != nil {
		t.Fatal(err)
	}
	g, err := env.NewGame(text)
	if err != nil {
		return err.Error()
	}
	e, err := env.EncoderFor(g)
	if err != nil {
		return err.Error()
	}
	if g.Spec().Version == rules && g.Spec().VocabularyHash() != actions {
		return fmt.Sprintf("%s: version %d of the rules has other actions than it had", text, rules)
	}
	if now := e.Layout(); now.Version == version && now.Hash() == layout {
		return ""
	} else if _, ok := now.Beginning(version, layout); !ok {
		return fmt.Sprintf("%s: layout %d is neither layout %d nor begins with it", text, now.Version, version)
	}
	return ""
}

func TestLostLayoutsAreFound(t *testing.T) {
	layout := "layout 1 " + strings.Repeat("0", 64)
	actions := enginetest.Game(t, "kuhn").Spec().VocabularyHash()
	for line, want := range map[string]string{
		"chess rules 1 actions x " + layout:              "chess",
		"kuhn rules 1 actions x " + layout:               "other actions",
		"kuhn rules 1 actions " + actions + " " + layout: "nor begins with it",
	} {
		if got := lostLayout(t, line); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want it to say %q", line, got, want)
		}
	}
}
