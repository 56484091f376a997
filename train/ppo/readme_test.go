package ppo

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmePointsAtTheCode demands that each line that README.md names has the
// text that it gives.
func TestReadmePointsAtTheCode(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("\\| \\[([^]:]+):(\\d+)\\]\\([^)]+\\) \\| `(.+)` \\|").FindAllStringSubmatch(string(readme), -1)
	if len(rows) < 20 {
		t.Fatalf("README.md has %d rows with lines, want at least 20", len(rows))
	}
	for _, row := range rows {
		file, text := row[1], row[3]
		code, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		number, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(code), "\n")
		if number > len(lines) || !strings.Contains(lines[number-1], text) {
			var at []string
			for i, line := range lines {
				if strings.Contains(line, text) {
					at = append(at, strconv.Itoa(i+1))
				}
			}
			t.Errorf("%s:%d does not have %q; lines that do: %s", file, number, text, strings.Join(at, ", "))
		}
	}
}
