package python

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// citation is what CITATION.cff says that other files say too.
type citation struct {
	Version  string                  `yaml:"version"`
	Released string                  `yaml:"date-released"`
	License  string                  `yaml:"license"`
	Authors  []struct{ Name string } `yaml:"authors"`
}

// sources are the files that name the version, its date, the licence and the authors.
type sources struct{ citation, project, changelog string }

var (
	license = regexp.MustCompile(`(?m)^license = "(.+)"$`)
	authors = regexp.MustCompile(`(?m)^authors = \[\{ name = "(.+)" \}\]$`)
	heading = regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$`)
)

// faults lists where the files differ from each other or from the version.
func (s sources) faults(version string) (faults []string) {
	var c citation
	if err := yaml.Unmarshal([]byte(s.citation), &c); err != nil {
		return []string{err.Error()}
	}
	same := func(what, got, want string) {
		if got != want || got == "" {
			faults = append(faults, what+": CITATION.cff has "+got+", not "+want)
		}
	}
	first := func(parts []string) string { return strings.Join(parts[min(1, len(parts)):], " ") }
	same("version", c.Version, version)
	same("license", c.License, first(license.FindStringSubmatch(s.project)))
	if len(c.Authors) != 1 {
		return append(faults, "CITATION.cff has not one author")
	}
	same("author", c.Authors[0].Name, first(authors.FindStringSubmatch(s.project)))
	if releases := heading.FindAllStringSubmatch(s.changelog, -1); releases != nil { // newest first
		same("version of the changelog", c.Version, releases[0][1])
		same("date of the changelog", c.Released, releases[0][2])
	}
	return faults
}

// TestCitationIsOfThisVersion: CITATION.cff, pyproject.toml and the changelog say of this version
// what the others say.
func TestCitationIsOfThisVersion(t *testing.T) {
	for _, fault := range readSources(t).faults(Version()) {
		t.Error(fault)
	}
}

func TestCitationsOfOthersAreNoticed(t *testing.T) {
	for what, change := range map[string]func(*sources){
		"version: ":                 func(s *sources) { s.citation = strings.Replace(s.citation, Version(), "9.9.9", 1) },
		"license: ":                 func(s *sources) { s.project = strings.Replace(s.project, `"Apache-2.0"`, `"MIT"`, 1) },
		"author: ":                  func(s *sources) { s.project = strings.Replace(s.project, "maintainers", "developers", 1) },
		"version of the changelog:": func(s *sources) { s.changelog = "## 9.9.9 - 2030-01-01\n\n" + s.changelog },
		"date of the changelog:":    func(s *sources) { s.changelog = "## " + Version() + " - 2000-01-01\n\n" + s.changelog },
	} {
		s := readSources(t)
		change(&s)
		if faults := s.faults(Version()); !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, what) }) {
			t.Errorf("another %q is not noticed: %q", what, faults)
		}
	}
}

func readSources(t *testing.T) sources {
	t.Helper()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return sources{citation: read("../../.github/CITATION.cff"), project: read("pyproject.toml"), changelog: read("../../.github/CHANGELOG.md")}
}
