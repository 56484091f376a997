package cli

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// otherwise is the commit of the command where Go notes none, as in a linked worktree.
const otherwise = "0123456789abcdef0123456789abcdef01234567"

// TestMain builds the command once; the sessions run it as a user would.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "powderkeg-command-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		build := exec.Command("go", "build", "-ldflags", "-X powderkeg/env/program.stamp="+otherwise, "-o", filepath.Join(folder, "powderkeg"), "../..")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "build:", err)
			return 1
		}
		os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		return m.Run()
	}())
}

// The files under testdata are sessions with the command: what is typed, what is
// printed, the exit code.
func TestSessions(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code},
	})
}

// code runs a command and demands its exit code: code 2 powderkeg spec chess.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// TestVersionNamesTheCommit that the source archive has, or that Go has noted in the program, where either has.
func TestVersionNamesTheCommit(t *testing.T) {
	path, err := exec.LookPath("powderkeg")
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := "commit " + otherwise[:12]
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			want = "commit " + s.Value[:12]
		}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" && s.Value == "true" {
			want += "-dirty"
		}
	}
	archived, err := os.ReadFile("../../env/program/commit.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(archived), "$") {
		want = "commit " + string(archived[:12])
	}
	text, err := exec.Command(path, "--version").Output()
	if line, _, _ := strings.Cut(string(text), "\n"); err != nil || !strings.Contains(line, "("+want+", ") {
		t.Errorf("%q, error %v, want it to say %s", line, err, want)
	}
}
