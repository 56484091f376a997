// Package built builds the C library for tests, as the Makefile does.
package built

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gofrs/flock"
)

// Library builds the library where make library does, if it is not up to date, and returns its
// path. Without a C compiler the test is skipped.
func Library(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("there is no cc")
	}
	_, self, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("the source tree is not known")
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(self))))
	if err := os.MkdirAll(filepath.Join(root, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	// Tests of several packages may be here at once.
	lock := flock.New(filepath.Join(root, "bin", "library.lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	command := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-s", "library")
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("make library: %v\n%s", err, out)
	}
	name := "libpowderkeg.so"
	if runtime.GOOS == "darwin" {
		name = "libpowderkeg.dylib"
	}
	return filepath.Join(root, "bin", name)
}
