package games_test

import (
	"os"
	"path/filepath"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
)

// Every fact in the data of the games says where it comes from. A game whose only data are
// its rules, as those of the reference games, has none.
func TestSources(t *testing.T) {
	for _, f := range games.Families() {
		folder := filepath.Join("..", f.Name)
		files, err := os.ReadDir(filepath.Join(folder, "data"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 1 {
			t.Run(f.Name, func(t *testing.T) { enginetest.Sources(t, os.DirFS(folder)) })
		}
	}
}
