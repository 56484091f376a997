package games_test

import (
	"os"
	"testing"

	"powderkeg/engine/enginetest"
)

// Every fact in the data of the five games says where it comes from.
func TestSources(t *testing.T) {
	for _, game := range []string{"bloc", "domination", "insurgency", "jogu", "minuteman"} {
		t.Run(game, func(t *testing.T) { enginetest.Sources(t, os.DirFS("../"+game)) })
	}
}
