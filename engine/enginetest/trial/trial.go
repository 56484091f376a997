// Package trial tests tests: it runs one against a testing.TB that writes down what it is
// told.
package trial

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Verdict is what a test has come to.
type Verdict struct {
	Lines []string // of Error and Fatal, the first line of each
	Panic any      // what it broke down with
}

// Failed reports whether the test failed.
func (v *Verdict) Failed() bool { return len(v.Lines) > 0 || v.Panic != nil }

// Of runs a test and returns its verdict. Temporary folders and the like are those of t, and
// what it logs is lost.
func Of(t testing.TB, test func(t testing.TB)) *Verdict {
	v := &Verdict{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { v.Panic = recover() }()
		test(&witness{TB: t, verdict: v})
	}()
	<-done
	return v
}

// Finds fails t unless the test fails, with a line that has all the words, and without a
// panic.
func Finds(t testing.TB, test func(t testing.TB), words ...string) {
	t.Helper()
	v := Of(t, test)
	if v.Panic != nil {
		t.Errorf("the test panics: %v, after the lines %q", v.Panic, v.Lines)
	}
	for _, line := range v.Lines {
		if all(line, words) {
			return
		}
	}
	t.Errorf("no line has %q: %q", words, v.Lines)
}

func all(line string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(line, w) {
			return false
		}
	}
	return true
}

// witness stands in for a *testing.T.
type witness struct {
	testing.TB
	verdict *Verdict
}

func (w *witness) fail(text string) {
	line, _, _ := strings.Cut(text, "\n")
	w.verdict.Lines = append(w.verdict.Lines, strings.TrimSpace(line))
}

func (w *witness) Helper()                        {}
func (w *witness) Log(...any)                     {}
func (w *witness) Logf(string, ...any)            {}
func (w *witness) Failed() bool                   { return len(w.verdict.Lines) > 0 }
func (w *witness) Error(args ...any)              { w.fail(fmt.Sprintln(args...)) }
func (w *witness) Errorf(format string, a ...any) { w.fail(fmt.Sprintf(format, a...)) }
func (w *witness) Fail()                          { w.fail("failed") }

func (w *witness) Fatal(args ...any) {
	w.Error(args...)
	runtime.Goexit()
}

func (w *witness) Fatalf(format string, a ...any) {
	w.Errorf(format, a...)
	runtime.Goexit()
}

func (w *witness) FailNow() {
	w.Fail()
	runtime.Goexit()
}
