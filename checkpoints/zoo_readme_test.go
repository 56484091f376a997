package checkpoints

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReadmeHasTheFiguresOfTheZoo: each bot has a row in the zoo's README, and what the project's README says a bot wins
// is a figure of that row, rounded, so that a bot that is replaced is not praised for what the one before it did.
func TestReadmeHasTheFiguresOfTheZoo(t *testing.T) {
	rows := map[string]string{}
	for line := range strings.Lines(readText(t, "zoo/README.md")) {
		if cells := strings.Split(line, "|"); len(cells) == 8 {
			rows[strings.Trim(cells[1], " `")] = cells[5]
		}
	}
	for _, bot := range Zoo() {
		if rows[bot] == "" {
			t.Errorf("zoo/README.md has no row for %s", bot)
		}
	}
	claims := regexp.MustCompile("`zoo:([a-z_]+)` wins ([0-9]+)%|`zoo:([a-z_]+)` ([0-9]+)%").FindAllStringSubmatch(readText(t, "../README.md"), -1)
	if len(claims) < 5 {
		t.Fatalf("README.md says of %d bots what they win, too few to be all of its table", len(claims))
	}
	figure := regexp.MustCompile(`[0-9]+\.[0-9]%`)
	for _, claim := range claims {
		bot, share := claim[1]+claim[3], claim[2]+claim[4]
		var rounded []string
		for _, text := range figure.FindAllString(rows[bot], -1) {
			x, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
			if err != nil {
				t.Fatal(err)
			}
			rounded = append(rounded, fmt.Sprintf("%.0f", x))
		}
		if len(rounded) == 0 || rounded[0] != share {
			t.Errorf("README.md says that zoo:%s wins %s%%; its row in zoo/README.md begins with %q", bot, share, figure.FindString(rows[bot]))
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
