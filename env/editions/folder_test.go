package editions_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/env/editions"
)

// written writes a new edition of Jogu.
func written(t *testing.T) string {
	t.Helper()
	f, err := games.Find("jogu")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "deep", "mine")
	if err := editions.Write(f, folder); err != nil {
		t.Fatal(err)
	}
	if err := editions.Write(f, folder); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder is written over: %v", err)
	}
	return folder
}

func TestWrittenFoldersAreRead(t *testing.T) {
	folder := written(t)
	e, report, err := editions.Read(folder)
	if err != nil || e == nil || report.Faults != nil {
		t.Fatalf("%v, %+v", err, report)
	}
	// What stands there later changes nothing.
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := e.New("jogu"); err != nil {
		t.Error(err)
	}
}

// What is no file of its own, or too large for one, is told and not read.
func TestStrangeFilesAreNotRead(t *testing.T) {
	for name, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"a link":    {func(p string) error { return os.Symlink("/etc/hostname", p) }, "setup.json: it is a link; put the file itself there"},
		"a pipe":    {func(p string) error { return syscall.Mkfifo(p, 0o644) }, "setup.json: it is a pipe; put the file itself there"},
		"a folder":  {func(p string) error { return os.Mkdir(p, 0o755) }, "setup.json: it is a folder; put the file itself there"},
		"a monster": {func(p string) error { return os.WriteFile(p, make([]byte, 5<<20), 0o644) }, "setup.json: it has more than 4194304 bytes"},
		"a big list": {func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("1,"), 1500000), 0o644) },
			"setup.json: it has 3000000 bytes, a data file has at most 2097152"},
		"a long one": {func(p string) error { return os.WriteFile(p, []byte("["+strings.Repeat("1,", 300000)+"1]"), 0o644) },
			"setup.json: line 1: more than 200000 values"},
		"a deep one": {func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("["), 1<<20), 0o644) },
			"setup.json: line 1: nested more than 24 deep"},
		"rubbish": {func(p string) error { return os.WriteFile(p, []byte{0xff, 0xfe}, 0o644) }, "setup.json: it is not UTF-8 text"},
	} {
		folder := written(t)
		path := filepath.Join(folder, "setup.json")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := c.make(path); err != nil {
			t.Fatal(err)
		}
		e, report, err := editions.Read(folder)
		if err != nil || e != nil || len(report.Faults) != 1 || !slices.ContainsFunc(report.Faults, func(f string) bool {
			return strings.HasPrefix(f, c.want)
		}) {
			t.Errorf("%s: %q, error %v, want %s alone", name, report.Faults, err, c.want)
		}
	}
}

func TestFoldersThatAreNone(t *testing.T) {
	folder := written(t)
	many := t.TempDir()
	for i := range 600 {
		if err := os.WriteFile(filepath.Join(many, strings.Repeat("x", i%20+1)+string(rune('a'+i/20))), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(folder, "none"):       "no such file or directory",
		filepath.Join(folder, "cards.json"): "is no folder",
		t.TempDir():                         "edition.json is missing",
		many:                                "it is no folder of an edition",
	} {
		if _, _, err := editions.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
}
