package file_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"powderkeg/env/file"
)

// odd puts what is no file under names in a new directory: a directory, a socket, and links to
// them and to a device. Pipes are made where there are some.
func odd(t *testing.T) (dir string, kinds map[string]string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "file") // short, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	kinds = map[string]string{"directory": "a directory"}
	if err := os.Mkdir(filepath.Join(dir, "directory"), 0o755); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return dir, kinds
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	kinds["socket"] = "a socket"
	makePipe(t, filepath.Join(dir, "pipe"))
	kinds["pipe"] = "a named pipe"
	for name, target := range map[string]string{"linked": filepath.Join(dir, "pipe"), "zero": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	kinds["linked"], kinds["zero"] = "a named pipe", "a device"
	return dir, kinds
}

// A pipe without a writer would make the test hang.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	dir, kinds := odd(t)
	for name, kind := range kinds {
		path := filepath.Join(dir, name)
		if _, err := file.Open(path); !errors.Is(err, file.ErrIrregular) || !strings.Contains(err.Error(), path+" is "+kind) {
			t.Errorf("Open(%s): %v", name, err)
		}
		if _, err := file.Read(path, 10); !errors.Is(err, file.ErrIrregular) {
			t.Errorf("Read(%s): %v", name, err)
		}
		if _, err := file.ReadFS(file.FS(dir), name, 10); !errors.Is(err, file.ErrIrregular) || !strings.Contains(err.Error(), kind) {
			t.Errorf("ReadFS(%s): %v", name, err)
		}
	}
	if _, err := file.Read(filepath.Join(dir, "nothing"), 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Read of what is not there: %v", err)
	}
}

func TestReadBoundsWhatItTakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	want := []byte("0123456789")
	if err := os.WriteFile(path, want, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := file.Read(path, 10); err != nil || !bytes.Equal(got, want) {
		t.Errorf("Read: %q, %v", got, err)
	}
	if _, err := file.Read(path, 9); !errors.Is(err, file.ErrTooLong) || !strings.Contains(err.Error(), "more than 9 bytes") {
		t.Errorf("Read of 10 bytes with room for 9: %v", err)
	}
	if _, err := file.ReadFrom(bytes.NewReader(want), "input", 9); !errors.Is(err, file.ErrTooLong) {
		t.Errorf("ReadFrom of 10 bytes with room for 9: %v", err)
	}
	if got, err := file.ReadFrom(bytes.NewReader(want), "input", 10); err != nil || !bytes.Equal(got, want) {
		t.Errorf("ReadFrom: %q, %v", got, err)
	}
	for most, fails := range map[int64]bool{9: true, 10: false, 11: false} {
		got, err := io.ReadAll(file.Limited(bytes.NewReader(want), "stream", most))
		if errors.Is(err, file.ErrTooLong) != fails || int64(len(got)) != min(most, 10) {
			t.Errorf("10 bytes limited to %d: %q, %v", most, got, err)
		}
	}
	// Nothing is taken for a file that claims much: 8 GiB of nothing on the disk.
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := file.Read(path, 1<<30)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, file.ErrTooLong) || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("Read of 8 GiB: %v, after %d bytes", err, after.TotalAlloc-before.TotalAlloc)
	}
}

// Of files that the kernel makes as they are read it says that they are empty.
func TestReadTakesWhatIsThere(t *testing.T) {
	const path = "/proc/self/status"
	if runtime.GOOS != "linux" {
		return
	}
	if got, err := file.Read(path, 1<<20); err != nil || len(got) == 0 {
		t.Errorf("Read(%s): %d bytes, %v", path, len(got), err)
	}
	if _, err := file.Read(path, 10); !errors.Is(err, file.ErrTooLong) {
		t.Errorf("Read(%s) with room for 10: %v", path, err)
	}
}

func TestFSListsAndReads(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "c"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	fsys := file.FS(dir)
	if got, err := file.ReadFS(fsys, "a/c", 10); err != nil || string(got) != "text" {
		t.Errorf("ReadFS: %q, %v", got, err)
	}
	if _, err := fsys.Open("../x"); err == nil {
		t.Error("a path out of the directory was opened")
	}
}
