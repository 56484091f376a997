package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"powderkeg/engine/enginetest/cited"
	"powderkeg/engine/enginetest/soak"
)

// ErrNoMutant is the error of a change that the compiler refuses.
var ErrNoMutant = errors.New("the change is no Go")

// Fate is what became of a mutant.
type Fate int

const (
	// KilledByRule is a mutant that fails a test which cites the rule in question.
	KilledByRule Fate = iota
	// KilledByPlace fails a test which cites another of the mutant's rules.
	KilledByPlace
	// KilledByAny fails another test of the package.
	KilledByAny
	// Survived fails none.
	Survived
)

// Lab runs a package's tests against mutants of it.
type Lab struct {
	folder string // of the package
	build  string // where test binaries go
	tests  []cited.Test
	took   map[string]time.Duration // by test, functions and scripts, unchanged
}

// NewLab reads the tests of the package in a folder and runs them once, unchanged: they must
// pass, and how long each takes decides which are asked first. build is a folder of the
// caller's, empty.
func NewLab(ctx context.Context, folder, build string) (*Lab, error) {
	tests, err := cited.Tests(folder)
	if err != nil {
		return nil, err
	}
	l := &Lab{folder: folder, build: build, tests: tests, took: map[string]time.Duration{}}
	binary, err := l.compile(ctx, nil)
	if err != nil {
		return nil, err
	}
	out, err := l.run(ctx, binary, 30*time.Minute, "-test.v")
	if err != nil {
		return nil, fmt.Errorf("%s: the tests fail before anything is changed: %w\n%s", folder, err, tail(out))
	}
	for _, m := range passed.FindAllStringSubmatch(string(out), -1) {
		seconds, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		l.took[m[1]] = time.Duration(seconds * float64(time.Second))
	}
	if len(l.took) == 0 {
		return nil, fmt.Errorf("%s: there is no test", folder)
	}
	return l, nil
}

var passed = regexp.MustCompile(`(?m)^ *--- PASS: (\S+) \(([0-9.]+)s\)$`)

// Cites reports whether a test of the package cites the rule.
func (l *Lab) Cites(rule string) bool {
	return slices.ContainsFunc(l.tests, func(t cited.Test) bool { return t.Cites(rule) })
}

// Try compiles a mutant and runs first the tests that cite the rule, then those that cite
// another rule of the place, then all. It returns the name of a test that fails, where one
// does.
func (l *Lab) Try(ctx context.Context, m *Mutant, rule string) (fate Fate, by string, err error) {
	binary, err := l.compile(ctx, m)
	if err != nil {
		return 0, "", err
	}
	done := map[string]bool{}
	for fate := range Survived {
		var names []string
		for name := range l.took {
			if !done[name] && l.belongs(name, fate, m, rule) {
				names = append(names, name)
				done[name] = true
			}
		}
		if by, err := l.firstFailure(ctx, binary, names); by != "" || err != nil {
			return fate, by, err
		}
	}
	return Survived, "", nil
}

// belongs reports whether a test can seal a fate.
func (l *Lab) belongs(name string, fate Fate, m *Mutant, rule string) bool {
	if fate == KilledByAny {
		return !strings.Contains(name, "/") // with all that it runs
	}
	return slices.ContainsFunc(l.tests, func(t cited.Test) bool {
		return t.Name == name && (t.Cites(rule) || fate == KilledByPlace && slices.ContainsFunc(m.Rules, t.Cites))
	})
}

// long is from where on a test is run by itself, after the others.
const long = time.Second

// firstFailure runs tests, the quick ones at once and then the others one by one, and returns
// the name of one that fails, "" where all pass.
func (l *Lab) firstFailure(ctx context.Context, binary string, names []string) (string, error) {
	slices.SortFunc(names, func(a, b string) int {
		if c := l.took[a] - l.took[b]; c != 0 {
			return int(c)
		}
		return strings.Compare(a, b)
	})
	for len(names) > 0 {
		n := 1
		for took := l.took[names[0]]; n < len(names) && l.took[names[n]] < long; n++ {
			took += l.took[names[n]]
		}
		var patterns []string
		var took time.Duration
		for _, name := range names[:n] {
			patterns = append(patterns, pattern(name))
			took += l.took[name]
		}
		out, err := l.run(ctx, binary, 20*time.Second+10*took, "-test.failfast", "-test.run", strings.Join(patterns, "|"))
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return failure(out, names[:n]), nil
		}
		names = names[n:]
	}
	return "", nil
}

// pattern returns what -test.run finds one test by.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

var failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+) \(`)

// failure names a test that has failed. One that breaks down or hangs leaves no name, and is
// one of those that were run.
func failure(out []byte, names []string) string {
	if all := failed.FindAllSubmatch(out, -1); len(all) > 0 {
		return string(all[len(all)-1][1])
	}
	if len(names) > 1 {
		return names[0] + ", ..."
	}
	return names[0]
}

// compile builds the test binary of the package with a mutant, or as it is.
func (l *Lab) compile(ctx context.Context, m *Mutant) (string, error) {
	binary := filepath.Join(l.build, "package.test")
	arguments := []string{"test", "-c", "-vet=off", "-o", binary}
	if m != nil {
		overlay, err := l.overlay(m)
		if err != nil {
			return "", err
		}
		arguments = append(arguments, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(arguments, ".")...)
	cmd.Dir = l.folder
	if out, err := cmd.CombinedOutput(); err != nil {
		if m != nil && ctx.Err() == nil {
			return "", fmt.Errorf("%w: %s\n%s", ErrNoMutant, m, out)
		}
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

// overlay writes a mutant's file, and the list by which the compiler takes it for the
// original.
func (l *Lab) overlay(m *Mutant) (string, error) {
	original, err := filepath.Abs(filepath.Join(l.folder, m.File))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed, list := filepath.Join(l.build, "mutant.go"), filepath.Join(l.build, "overlay.json")
	if err := os.WriteFile(changed, m.Apply(source), 0o644); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	return list, os.WriteFile(list, data, 0o644)
}

// Bounds of a mutant, which may loop for ever or allocate all that there is.
const (
	maxKiB  = 6 << 20
	maxWait = 30 * time.Minute
)

// run runs a test binary with a bound of processor time, which does not depend on what else
// the machine does, where the system has a shell that can set it.
func (l *Lab) run(ctx context.Context, binary string, processor time.Duration, arguments ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	arguments = append([]string{binary, "-test.timeout=0"}, arguments...)
	if sh, err := exec.LookPath("sh"); err == nil {
		limits := fmt.Sprintf(`ulimit -t %d; ulimit -v %d 2>/dev/null; exec "$0" "$@"`, int(processor.Seconds())+1, maxKiB)
		arguments = append([]string{sh, "-c", limits}, arguments...)
	}
	cmd := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	cmd.Dir, cmd.WaitDelay = l.folder, time.Minute
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, soak.Variable+"=") })
	return cmd.CombinedOutput()
}

// tail returns the last lines of an output.
func tail(out []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-20):], []byte("\n"))
}
