// Package edition plays a game by its owner's own values.
//
// Some values of the games are reconstructed, because their rulebooks do not print them:
// the numbers on cards, the effects of events, tables. Whoever owns the game has them. Files
// writes a game's data files with every reconstructed field marked and a check-list to go
// through the box with; Read takes the files back, says what is wrong with them, and makes
// the game that is played by them. What the rulebook prints cannot be replaced, nor what the
// engine's vocabulary and observations are made of: an edition differs from the shipped data
// in its open fields alone (engine.Data.Open).
//
// An edition is named by the digest of its open fields, which stands in the game string:
// jogu(edition=sha256-abcdef123456).
package edition

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"powderkeg/engine"
	"powderkeg/engine/option"
	"powderkeg/engine/ruledata"
)

// Format is the version of the folder that Files writes.
const Format = 1

// ManifestName is the file that says which game an edition is of, ListName the check-list.
const (
	ManifestName = "edition.json"
	ListName     = "CHECKLIST.md"
)

// Manifest is edition.json.
type Manifest struct {
	Format int    `json:"format"`
	Game   string `json:"game"`
	Rules  int    `json:"rules"`
}

// ReadManifest reads edition.json and finds its game.
func ReadManifest(data []byte, families engine.Families) (engine.Family, error) {
	none := engine.Family{}
	if _, err := parse(data); err != nil {
		return none, fmt.Errorf("%s: %w", ManifestName, err)
	}
	var m Manifest
	if err := ruledata.Decode(data, &m); err != nil {
		return none, fmt.Errorf("%s: %w", ManifestName, err)
	}
	if m.Format != Format {
		return none, fmt.Errorf("%s: its format is %d, this program reads format %d", ManifestName, m.Format, Format)
	}
	f, err := families.Find(m.Game)
	switch {
	case err != nil:
		return none, fmt.Errorf("%s: unknown game %s; games with editions: %s", ManifestName, quote(m.Game), Games(families))
	case f.Data == nil:
		return none, fmt.Errorf("%s: %s has no editions; games that have: %s", ManifestName, m.Game, Games(families))
	case m.Rules != f.Data.Version:
		return none, fmt.Errorf("%s: it was made for version %d of the rules of %s, this program has version %d: make a new one and copy the values",
			ManifestName, m.Rules, m.Game, f.Data.Version)
	}
	return f, nil
}

// Games names the games that have editions.
func Games(families engine.Families) string {
	var list []string
	for _, f := range families {
		if f.Data != nil {
			list = append(list, f.Name)
		}
	}
	return strings.Join(list, ", ")
}

// FileReport counts the fields of a data file that may be replaced: those that are still
// marked as reconstructed, and those that differ from the shipped ones.
type FileReport struct {
	Name                string
	Open, Left, Changed int
}

// Report says what is wrong with an edition and how far it has come.
type Report struct {
	Faults []string
	Files  []FileReport
}

// Edition is a game by other data than the shipped ones. It is immutable.
type Edition struct {
	// Digest names the edition, such as sha256-abcdef123456.
	Digest string
	family engine.Family
	rules  engine.Compiled
}

// digestDigits is how many digits of the hash stand in a game string: enough to tell apart
// the editions that a person meets.
const digestDigits = 12

// Prefix begins every digest.
const Prefix = "sha256-"

// IsDigest reports whether a text has the form of a digest.
func IsDigest(text string) bool {
	hash, ok := strings.CutPrefix(text, Prefix)
	_, err := hex.DecodeString(hash)
	return ok && err == nil && len(hash) == digestDigits && hash == strings.ToLower(hash)
}

// Read makes the edition of a game that data files by their names (without .json) describe.
// It is nil where the report has faults.
func Read(f engine.Family, files ruledata.Folder) (*Edition, Report) {
	if f.Data == nil {
		return nil, Report{Faults: []string{f.Name + " has no editions"}}
	}
	std, err := ship(f.Data)
	if err != nil {
		return nil, Report{Faults: []string{err.Error()}}
	}
	var r Report
	merged := map[string]*node{}
	var changes []*change
	h := sha256.New()
	fmt.Fprintf(h, "powderkeg edition %d of %s\n", Format, f.Name)
	for _, name := range f.Data.Names {
		m := &merger{shipped: std, file: name, digest: h, count: FileReport{Name: name + ".json"}}
		v, err := std.files[name], error(nil)
		if data, ok := files[name]; !ok {
			m.fault(0, "it is missing")
		} else if v, err = parse(data); err != nil {
			m.fault(0, "%v", err)
			v = std.files[name]
		}
		merged[name] = m.merge(std.files[name], v, "")
		r.Faults, changes = append(r.Faults, m.faults...), append(changes, m.changes...)
		if m.count.Open > 0 {
			r.Files = append(r.Files, m.count)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if std.files[name] == nil {
			r.Faults = append(r.Faults, fmt.Sprintf("%s.json: %s has no such data file; it has %s", name, f.Name, strings.Join(f.Data.Names, ", ")))
		}
	}
	l := &loading{data: f.Data, merged: merged, bytes: ruledata.Folder{}}
	rules, faults := l.load(changes)
	if r.Faults = append(r.Faults, faults...); r.Faults != nil {
		return nil, r
	}
	return &Edition{Digest: Prefix + hex.EncodeToString(h.Sum(nil))[:digestDigits], family: f, rules: rules}, r
}

// Option is the option of a game that names an edition.
var Option = option.Option{
	Name: "edition", Kind: option.Text,
	Help: "the owner's own values in the place of reconstructed ones: a folder (on the command line), or the name or digest of an edition",
}

// Family returns the name of the game that it is an edition of.
func (e *Edition) Family() string { return e.family.Name }

// Configure makes the game that the values describe, whose options must have Option among
// them. The game's string has the digest.
func (e *Edition) Configure(v option.Values) (engine.Game, error) {
	return e.rules.Configure(v.With(Option.Name, e.Digest))
}

// New makes the game by the options of a game string such as "jogu(first=agents)".
func (e *Edition) New(text string) (engine.Game, error) {
	f := e.family
	f.Options = append(slices.Clone(f.Options), Option)
	f.Configure = e.Configure
	return engine.Families{f}.New(text)
}
