// Package evidence ties the figures that pages print to the measurements that they come from.
//
// A page names its sources in comments that no reader sees, at the end of what they are the sources
// of: a paragraph, a row of a table, an item of a list.
//
//	zoo:jogu wins 67.3% [65.9, 68.7] against the scripted player. <!-- from jogu/zoo -->
//
// A source is a record (experiments/records, package env/record), or what a command has printed
// (experiments/parts, luck, respond, bank/scores, suite) or a table of such (balance.csv). Check says
// which figures of a page are of none of its sources, and where a source is of other rules or of
// another configuration than today's and the page does not say so.
package evidence

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"powderkeg/env"
	"powderkeg/env/record"
	"powderkeg/train"
)

// Source is a measurement that pages quote.
type Source struct {
	Name    string
	Figures map[string]record.Figure
	// Games are the versions that were played, none where the source says nothing of them.
	Games []record.Version
	// Record is nil of a source that is no record.
	Record *record.Record
}

// Sources are the measurements below a folder, experiments of the repository.
type Sources struct {
	// Root is the repository's folder.
	Root string
	read map[string]*Source
	// stale has what Stale has said of sources.
	stale map[*Source][]string
}

// folder is where sources stand.
const folder = "experiments"

// Records is the folder of the records.
const Records = folder + "/records"

// Find returns the source of a name: jogu/zoo is experiments/records/jogu/zoo.json, parts/jogu is
// experiments/parts/jogu.json, balance is experiments/balance.csv. With a # behind it, it is only those figures
// whose names begin as what follows, as in jogu/zoo#against.scripted.
func (s *Sources) Find(name string) (*Source, error) {
	if found := s.read[name]; found != nil {
		return found, nil
	}
	if whole, prefix, ok := strings.Cut(name, "#"); ok {
		return s.some(whole, prefix)
	}
	for _, at := range []string{Records + "/" + name + ".json", folder + "/" + name + ".json", folder + "/" + name + ".csv"} {
		text, err := os.ReadFile(filepath.Join(s.Root, at))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		source, err := parse(name, at, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		return s.keep(source), nil
	}
	return nil, fmt.Errorf("there is no source %s: no %s/%s.json, and none in %s", name, Records, name, folder)
}

// keep keeps a source that was read.
func (s *Sources) keep(source *Source) *Source {
	if s.read == nil {
		s.read = map[string]*Source{}
	}
	s.read[source.Name] = source
	return source
}

// some returns a source with those figures whose names begin with a prefix.
func (s *Sources) some(name, prefix string) (*Source, error) {
	whole, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	part := *whole
	part.Name, part.Figures = name+"#"+prefix, map[string]record.Figure{}
	for figure, f := range whole.Figures {
		if strings.HasPrefix(figure, prefix) {
			part.Figures[figure] = f
		}
	}
	if len(part.Figures) == 0 {
		return nil, fmt.Errorf("%s has no figure whose name begins with %s", name, prefix)
	}
	return s.keep(&part), nil
}

// parse reads a source by where it stands.
func parse(name, at string, text []byte) (*Source, error) {
	source := &Source{Name: name}
	var err error
	switch {
	case strings.HasPrefix(at, Records+"/"):
		if source.Record, err = record.Read(text); err != nil {
			return nil, err
		}
		if source.Record.Name != name {
			return nil, fmt.Errorf("the record is of %s", source.Record.Name)
		}
		source.Figures, source.Games = source.Record.Figures, source.Record.Games
		return source, nil
	case strings.HasSuffix(at, ".csv"):
		source.Figures, err = table(text)
		return source, err
	}
	if source.Figures, err = record.FiguresOf(text); err != nil {
		return nil, err
	}
	if truth, found := source.Figures["exact.true"], source.Figures["exact.found"]; truth.Value != 0 {
		source.Figures["exact.share"] = record.Figure{Value: found.Value / truth.Value, Unit: "share"}
	}
	var of struct {
		Game  string `json:"game"`
		Rules int    `json:"rules"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return nil, err
	}
	if of.Game != "" && of.Rules != 0 {
		source.Games = []record.Version{{Game: of.Game, Rules: of.Rules}}
	}
	return source, nil
}

// table has the numbers of a CSV file with a header, each named by the words of its row and its column, with the
// interval of a win rate.
func table(text []byte) (map[string]record.Figure, error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	figures := map[string]record.Figure{}
	for _, row := range rows[1:] {
		values, words := map[string]any{}, ""
		for j, name := range rows[0] {
			if x, err := strconv.ParseFloat(row[j], 64); err == nil {
				values[name] = x
			} else {
				words += row[j] + "."
			}
		}
		if _, ok := values["low"]; ok {
			values["ci_low"], values["ci_high"] = values["low"], values["high"]
			delete(values, "low")
			delete(values, "high")
		}
		own, err := record.Figures(values)
		if err != nil {
			return nil, err
		}
		for name, f := range own {
			figures[words+name] = f
		}
	}
	return figures, nil
}

// All lists the records, by their names.
func (s *Sources) All() ([]*record.Record, error) {
	paths, err := filepath.Glob(filepath.Join(s.Root, Records, "*", "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	var list []*record.Record
	for _, path := range paths {
		rel, err := filepath.Rel(filepath.Join(s.Root, Records), path)
		if err != nil {
			return nil, err
		}
		source, err := s.Find(strings.TrimSuffix(filepath.ToSlash(rel), ".json"))
		if err != nil {
			return nil, err
		}
		list = append(list, source.Record)
	}
	return list, nil
}

// Stale says in what a source is not of today, each in the words that a page must have: rules 3 where
// the game has had other rules since, layout 2 where another observation, and "config changed" where its
// configuration means something else by now.
func (s *Sources) Stale(source *Source) ([]string, error) {
	if marks, ok := s.stale[source]; ok {
		return marks, nil
	}
	var marks []string
	for _, v := range source.Games {
		g, err := env.NewGame(v.Game)
		if err != nil {
			marks = append(marks, fmt.Sprintf("rules %d", v.Rules)) // the game string says nothing any more
			continue
		}
		today, err := record.VersionOf(g)
		if err != nil {
			return nil, err
		}
		if v.Rules != today.Rules {
			marks = append(marks, fmt.Sprintf("rules %d", v.Rules))
		}
		if v.Layout != 0 && v.Layout != today.Layout {
			marks = append(marks, fmt.Sprintf("layout %d", v.Layout))
		}
	}
	if source.Record != nil && source.Record.Config != nil && source.Record.Config.File != "" {
		changed, err := s.changed(source.Record.Config)
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", source.Name, err)
		}
		if changed {
			marks = append(marks, Changed)
		}
	}
	slices.Sort(marks)
	if s.stale == nil {
		s.stale = map[*Source][]string{}
	}
	s.stale[source] = slices.Compact(marks)
	return s.stale[source], nil
}

// Changed says that a configuration means something else than when it was measured.
const Changed = "config changed"

// changed reports whether a configuration means something else than when it was measured.
func (s *Sources) changed(c *record.Config) (bool, error) {
	text, err := os.ReadFile(filepath.Join(s.Root, filepath.FromSlash(c.File)))
	if err != nil {
		return false, err
	}
	today, err := train.ParseConfig(text)
	if err != nil {
		return false, err
	}
	return today.Digest() != c.Digest, nil
}
