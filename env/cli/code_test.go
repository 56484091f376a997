package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"powderkeg/env/file"
)

// TestWhatIsNoFileIsWrongUsage: a named pipe in the place of any file ends every command alike, and
// so does a path that leads to none.
func TestWhatIsNoFileIsWrongUsage(t *testing.T) {
	for _, err := range []error{file.ErrIrregular, file.ErrTooLong, fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP} {
		if code := Code(fmt.Errorf("metrics.jsonl: %w", err)); code != codeUsage {
			t.Errorf("%v: code %d, want %d", err, code, codeUsage)
		}
	}
}

// TestScriptNamesItsFileOnce: of a script that cannot be read, and of one that cannot be run.
func TestScriptNamesItsFileOnce(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, dir + "/none"} {
		c := Script()
		var out bytes.Buffer
		c.SetArgs([]string{path})
		c.SetOut(&out)
		c.SilenceErrors, c.SilenceUsage = true, true
		err := c.Execute()
		if Code(err) != codeUsage || strings.Count(Message(err), path) != 1 {
			t.Errorf("script %s: %v (code %d); want the name once and code %d", path, err, Code(err), codeUsage)
		}
		if line, _, _ := strings.Cut(out.String(), "\n"); strings.Count(line, path) != 1 {
			t.Errorf("script %s prints %q; want the name once", path, line)
		}
	}
}
