package durable

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/engine/option"
)

// holder is the variable with the folder that a child of this test locks until it is killed.
const holder = "DURABLE_LOCK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holder); dir != "" {
		if _, err := Lock(dir, "folder"); err != nil {
			panic(err)
		}
		fmt.Println("locked")
		select {}
	}
	m.Run()
}

func TestALockNamesItsOwnerAndEndsWithIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holder+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "locked\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("run folder %s is in use by process %d on host %s since 20", dir, child.Process.Pid, host)
	if _, err := Lock(dir, "run folder"); !errors.Is(err, ErrInUse) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error is %v, want %s...", err, want)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if _, err := os.Stat(filepath.Join(dir, LockName)); err != nil {
		t.Errorf("a killed process should leave its file: %v", err)
	}
	release, err := Lock(dir, "run folder")
	if err != nil {
		t.Fatalf("the lock of a killed process: %v", err)
	}
	want = fmt.Sprintf("run folder %s is in use by process %d on", dir, os.Getpid())
	if _, err := Lock(dir, "run folder"); !errors.Is(err, ErrInUse) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("a second lock of this process: %v, want %s...", err, want)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if release, err = Lock(dir, "run folder"); err != nil {
		t.Fatalf("after the release: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("a lock that was released leaves %v, %v", entries, err)
	}
}

func TestALockWithoutAnOwnerIsOneAllTheSame(t *testing.T) {
	dir := t.TempDir()
	release, err := Lock(dir, "folder")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "\x00", "\x00{", "\x00{}", "\x00[1,2]"} {
		if err := os.WriteFile(filepath.Join(dir, LockName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Lock(dir, "folder"); !errors.Is(err, ErrInUse) || !strings.HasSuffix(err.Error(), "by another process") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
}

func TestFoldersOfOthersAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		files []string
		want  string // of the error, empty for none
	}{
		"new":     {nil, ""},
		"empty":   {[]string{}, ""},
		"own":     {[]string{"a.txt", "mine.json"}, ""},
		"begun":   {[]string{".mine.json.tmp", LockName}, ""},
		"foreign": {[]string{"thesis.tex"}, "is not empty and holds no run (thesis.tex is in it); choose another folder"},
	} {
		dir := filepath.Join(t.TempDir(), "x")
		if c.files != nil {
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range c.files {
			if err := os.WriteFile(filepath.Join(dir, f), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := Claim(dir, "run", "mine.json")
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, option.ErrUsage) || !strings.HasSuffix(err.Error(), dir+" "+c.want)) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Claim(path, "run"); !errors.Is(err, option.ErrUsage) {
		t.Errorf("a file in the place of the folder: %v", err)
	}
}
