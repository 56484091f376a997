package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"powderkeg/env/file"
)

// Each of these takes the parser gigabytes, minutes or its stack.
func TestCheckYAMLRefusesWhatNoParserCanTake(t *testing.T) {
	var keys strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	const many = 1 << 18
	for name, c := range map[string]struct{ text, want string }{
		"long":       {strings.Repeat("# x\n", many+1), "bytes of YAML, the most is 1048576"},
		"keys":       {keys.String(), "signs and words of YAML, the most is 16384"},
		"brackets":   {"a: " + strings.Repeat("[", 33), "line 1: nested more than 32 deep"},
		"braces":     {"a: " + strings.Repeat("{a: ", 33), "line 1: nested more than 32 deep"},
		"wide":       {"a: [" + strings.Repeat("{},", many/2), "signs and words"},
		"sequences":  {strings.Repeat("- ", 33) + "a", "line 1: nested more than 32 deep"},
		"questions":  {strings.Repeat("? ", 33) + "a", "line 1: nested more than 32 deep"},
		"tags":       {"a: " + strings.Repeat("!!a ", 33), "line 1: nested more than 32 deep"},
		"anchor":     {"a: &x 1", "line 1: anchors and aliases"},
		"alias":      {"a: 1\nb: *a", "line 2: anchors and aliases"},
		"no text":    {"a: \xff", "no text in UTF-8"},
		"deep block": {deepBlock(40), "line 34: nested more than 32 deep"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := file.CheckYAML([]byte(c.text))
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line with %q", name, err, c.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 400*uint64(len(c.text))+1<<20 {
			t.Errorf("%s: %d bytes took %d of memory", name, len(c.text), took)
		}
	}
}

// deepBlock nests mappings, each two spaces further in than the one around it.
func deepBlock(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat("  ", i))
	}
	return b.String()
}

func TestCheckYAMLTakesEveryConfiguration(t *testing.T) {
	paths, err := filepath.Glob("../../experiments/configs/*/*.yaml")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d configurations: %v", len(paths), err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.CheckYAML(text); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, text := range []string{"", "a: \"" + strings.Repeat("[{", 1000) + "\"", "a: |\n  [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"} {
		if err := file.CheckYAML([]byte(text)); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}
