package scripted

import (
	"errors"
	"strings"
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/option"
)

func TestOptionsOfPlayersHaveOneName(t *testing.T) {
	names := map[string]bool{}
	for _, o := range Options() {
		if names[o.Name] {
			t.Errorf("two scripted players have an option %q", o.Name)
		}
		names[o.Name] = true
	}
}

// TestOptionsOfOtherGamesAreRefused names the game that has the option.
func TestOptionsOfOtherGamesAreRefused(t *testing.T) {
	v, err := option.Check("scripted", Options(), []option.Argument{{Name: planOption, Value: "violent"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := With(enginetest.Game(t, "minuteman"), v); err != nil {
		t.Error(err)
	}
	if _, err := With(enginetest.Game(t, "jogu"), v); !errors.Is(err, option.ErrUsage) ||
		!strings.Contains(err.Error(), "the game that has it: minuteman") {
		t.Errorf("a plan for jogu: error %v, want wrong usage that names minuteman", err)
	}
}
