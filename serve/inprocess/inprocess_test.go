package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"powderkeg/serve/inprocess/built"
	"powderkeg/serve/protocol"
)

// The example in C compiles against powderkeg.h without a warning and plays in the library that
// the Makefile builds.
func TestExampleInC(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no cc")
	}
	library := built.Library(t)
	program := filepath.Join(t.TempDir(), "play")
	compile := exec.CommandContext(t.Context(), cc, "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", ".", "../examples/c/play.c", library, "-o",
		program)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program, "100").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The first free square against the first free square is always the same game.
	for _, want := range []string{"illegal: action 9 is not legal here; seat 0 has 0 (a1)", "100 games, 700 decisions, seat 0 gains 100\n"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the example prints\n%swant it to contain %q", out, want)
		}
	}
}

// Every function of the header is described on the page, and exported.
func TestEveryFunctionIsDescribed(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	page, exports := read("README.md"), read("exports.go")
	functions := regexp.MustCompile(`\b(pk_[a-z_]+)\(`).FindAllStringSubmatch(read("powderkeg.h"), -1)
	for _, f := range functions {
		if !strings.Contains(page, "| `"+f[1]+"(") {
			t.Errorf("README.md does not describe %s", f[1])
		}
		if !strings.Contains(exports, "\n//export "+f[1]+"\n") {
			t.Errorf("%s is not exported", f[1])
		}
	}
	if exported := strings.Count(exports, "\n//export "); exported != len(functions) || len(functions) != 22 {
		t.Errorf("powderkeg.h has %d functions and %d are exported, want 22", len(functions), exported)
	}
}

// A call that agents think in is left after the patience of its session, goes on, and can be
// waited for; until then others about the same handle are refused.
func TestCallsThatThinkAreWaitedForInTurns(t *testing.T) {
	number := openSession(time.Millisecond)
	defer closeSession(number)
	s := sessionOf(number)
	release := make(chan struct{})
	if status := s.later(7, func() int64 { <-release; return 5 }); status != statusLater {
		t.Fatalf("a call that does not end returns %d, want %d", status, statusLater)
	}
	if status := s.wait(7); status != statusLater {
		t.Errorf("waiting for it returns %d, want %d", status, statusLater)
	}
	if !s.busy(7) || !strings.HasPrefix(s.fault(7), "params: the call before is under way") || s.busy(8) {
		t.Error("another call about the handle is not refused, or one about another is")
	}
	close(release)
	status := int64(statusLater)
	for status == statusLater {
		status = s.wait(7)
	}
	if status != 5 || s.busy(7) {
		t.Errorf("it ends with %d, want 5, and the handle is free again", status)
	}
	if status := s.wait(7); status != statusFault || s.fault(7) != "params: no call is under way" || s.fault(7) != "" {
		t.Errorf("waiting for nothing returns %d", status)
	}
}

// Requests without their sense, sessions that are not there: numbers, never a panic.
func TestCallsWithoutSense(t *testing.T) {
	if sessionOf(1<<40) != nil {
		t.Error("there is a session that nobody has opened")
	}
	closeSession(1 << 40)
	number := openSession(0)
	s := sessionOf(number)
	if status := s.call([]byte{1, 2, 3}); status != 0 {
		t.Errorf("bytes that are no request return %d, want an answer", status)
	}
	if r, err := protocol.ParseResponse(s.answer); err != nil || r.Error == nil || r.Error.Code != protocol.CodeFrame {
		t.Errorf("they are answered by %+v, %v", r, err)
	}
	closeSession(number)
	if status := s.call(nil); status != statusUnknown || sessionOf(number) != nil {
		t.Errorf("a call after the end of the session returns %d", status)
	}
}
