package suite

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Each archive is some kB on the disk and far more unpacked.
func TestAnArchiveThatUnpacksToMuchIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		times int
		want  string
	}{
		"one line": {" ", 3 * maxLine, "game 1: bufio.Scanner: token too long"},
		"nothing":  {"{}\n", 1 << 20, "game 1: it has no record"},
		"games":    {`{"record":{}}` + "\n", maxEntries + 1, "there are more than 262144 games"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bomb"+archiveSuffix)
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			if _, err := io.CopyN(z, &repeated{text: c.text}, int64(c.times*len(c.text))); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := readArchive(path)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, c.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 512<<20 {
				t.Errorf("%d bytes of archive took %d of memory", packed.Len(), took)
			}
		})
	}
}

// repeated is a text over and over.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}
