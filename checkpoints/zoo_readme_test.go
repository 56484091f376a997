package checkpoints

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFiguresAreThoseOfTheZoo: each bot has a row in the zoo's README, and what the project's README, the paper and the
// cards of the games say that a bot wins stands there too, so that a bot that is replaced is not praised or blamed for what
// the one before it did. What a page says first of a bot is the first figure of the row, which a whole percentage rounds.
func TestFiguresAreThoseOfTheZoo(t *testing.T) {
	card := readText(t, "zoo/README.md")
	figure := regexp.MustCompile(`[0-9]+\.[0-9]%`)
	rows := map[string]string{}
	for line := range strings.Lines(card) {
		if cells := strings.Split(line, "|"); len(cells) == 8 {
			rows[strings.Trim(cells[1], " `")] = figure.FindString(cells[5])
		}
	}
	for _, bot := range Zoo() {
		if _, ok := rows[bot]; !ok {
			t.Errorf("zoo/README.md has no row for %s", bot)
		}
	}
	cards, err := filepath.Glob("../experiments/cards/*.md")
	if err != nil {
		t.Fatal(err)
	}
	claim := regexp.MustCompile("`zoo:([a-z_]+)`[^`|%]*?([0-9]+(?:\\.[0-9])?)%")
	found := 0
	for _, path := range append(cards, "../README.md", "../experiments/paper.md") {
		said := map[string]bool{}
		for _, m := range claim.FindAllStringSubmatch(readText(t, path), -1) {
			found++
			bot, share := m[1], m[2]
			if said[bot] {
				if !strings.Contains(card, share+"%") {
					t.Errorf("%s says %s%% of zoo:%s; zoo/README.md does not", path, share, bot)
				}
				continue
			}
			said[bot] = true
			want := strings.TrimSuffix(rows[bot], "%")
			if x, err := strconv.ParseFloat(want, 64); err == nil && !strings.Contains(share, ".") {
				want = fmt.Sprintf("%.0f", x)
			}
			if share != want {
				t.Errorf("%s says %s%% of zoo:%s, whose row in zoo/README.md begins with %q", path, share, bot, rows[bot])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d figures of bots, too few to be all", found)
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
