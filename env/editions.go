package env

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"powderkeg/engine"
	"powderkeg/engine/edition"
	"powderkeg/engine/option"
)

// Editions are those that game strings may name in this process, by name or by digest. A
// game string never makes the process read a file: whoever runs it reads the folders of
// editions (package env/editions) and adds them here, before or while games are looked up.
var Editions editionList

type editionList struct {
	mu   sync.RWMutex
	list []namedEdition
	look func() []string // adds what else there is, once, and names what is broken
	hint string
	done bool
	bad  []string // what look has named
}

type namedEdition struct {
	name, folder string
	*edition.Edition
}

// Add lets game strings name an edition, by its digest and, if it is not empty, by a name,
// which stands for one edition of a game.
func (l *editionList) Add(name string, e *edition.Edition) error { return l.AddFrom(name, "", e) }

// AddFrom is Add of an edition that was read from a folder, which Folder then tells.
func (l *editionList) AddFrom(name, folder string, e *edition.Edition) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.Nameable(name) {
		return fmt.Errorf("%w: %q cannot stand in a game string: name the folder of an edition without brackets, commas, equals signs and spaces",
			option.ErrUsage, option.Shorten(name))
	}
	for _, other := range l.list {
		switch {
		case other.Family() != e.Family():
		case other.Digest == e.Digest && other.name == name:
			return nil
		case other.name == name && name != "":
			return fmt.Errorf("%w: two editions of %s are called %s, %s and %s; rename a folder", option.ErrUsage, e.Family(), name, other.Digest, e.Digest)
		}
	}
	l.list = append(l.list, namedEdition{name, folder, e})
	return nil
}

// Nameable reports whether a name can stand in a game string.
func (l *editionList) Nameable(name string) bool { return !strings.ContainsAny(name, "(),= ") }

// Folder returns the folder that the edition of a game string was read from, and nothing where
// the string names none or that is not known.
func (l *editionList) Folder(game string) string {
	family, arguments, err := option.Split(game)
	if err != nil {
		return ""
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, a := range arguments {
		for _, e := range l.list {
			if a.Name == edition.Option.Name && e.is(family, a.Value) && e.folder != "" {
				return e.folder
			}
		}
	}
	return ""
}

// is reports whether the edition is that of a game which a name or a digest stands for.
func (e namedEdition) is(game, name string) bool {
	return e.Family() == game && (e.Digest == name || e.name == name && name != "")
}

// Look sets what adds further editions when a game string names one that is not known, and
// returns the folders that are broken. The hint ends the error: how its reader can name one.
func (l *editionList) Look(hint string, look func() []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look, l.hint, l.done = look, hint, false
}

// ErrEdition is wrapped, beside option.ErrUsage, by errors about a game of an edition that is
// not at hand: nothing is wrong with the file that names it.
var ErrEdition = errors.New("no such edition")

// noEdition wraps ErrEdition without saying so.
type noEdition struct{ error }

func (e noEdition) Unwrap() []error { return []error{ErrEdition, e.error} }

// find returns the edition of a game that a name or a digest stands for.
func (l *editionList) find(game, name string) (*edition.Edition, error) {
	e, known := l.known(game, name)
	if e == nil && l.searches() {
		e, known = l.known(game, name)
	}
	if e != nil {
		return e, nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	at := "none is at hand"
	if known != nil {
		at = "at hand: " + strings.Join(known, ", ")
	}
	if l.bad != nil {
		at += "; broken (powderkeg edition check): " + strings.Join(l.bad, ", ")
	}
	return nil, noEdition{fmt.Errorf("%w: %s has no edition %q here; %s%s", option.ErrUsage, game, option.Shorten(name), at, l.hint)}
}

// known looks the edition up among those that were added, and names those of the game.
func (l *editionList) known(game, name string) (*edition.Edition, []string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var names []string
	for _, e := range l.list {
		if e.is(game, name) {
			return e.Edition, nil
		}
		if e.Family() != game {
			continue
		}
		names = append(names, strings.TrimSpace(fmt.Sprintf("%s %s", e.name, e.Digest)))
	}
	return nil, names
}

// searches looks for further editions, the first time that it is called.
func (l *editionList) searches() bool {
	l.mu.Lock()
	look := l.look
	if l.done {
		look = nil
	}
	l.done = true
	l.mu.Unlock()
	if look == nil {
		return false
	}
	bad := look() // takes the lock to add
	l.mu.Lock()
	l.bad = bad
	l.mu.Unlock()
	return true
}

// withEditions adds the option edition to a family whose data can be replaced. The canonical
// game string names the edition by its digest.
func withEditions(f engine.Family) engine.Family {
	f.Options = append(slices.Clone(f.Options), edition.Option)
	configure := f.Configure
	f.Configure = func(v option.Values) (engine.Game, error) {
		if v.IsDefault(edition.Option.Name) {
			return configure(v)
		}
		e, err := Editions.find(f.Name, v.Text(edition.Option.Name))
		if err != nil {
			return nil, err
		}
		return e.Configure(v)
	}
	return f
}
