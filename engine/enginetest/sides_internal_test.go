package enginetest

import (
	"strings"
	"testing"

	"powderkeg/engine"
)

// playing is a view of nothing but who plays what.
type playing struct {
	engine.View
	names []string
}

func (p playing) Side(seat engine.Player) string { return p.names[seat] }

func TestSides(t *testing.T) {
	for want, views := range map[string][]engine.View{
		"": {playing{names: []string{"Rebel", "", ""}}, playing{names: []string{"Rebel", "", ""}}, playing{names: []string{"Rebel", "", ""}}},
		"plays \"Rebel\" for seat 0 and \"\" for seat 1": {playing{names: []string{"Rebel", "X"}}, playing{names: []string{"", "X"}}},
		"seats 0 and 1 both play":                        {playing{names: []string{"Rebel", "Rebel"}}, playing{names: []string{"Rebel", "Rebel"}}},
	} {
		if got := sides(views); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("sides says %q, want %q", got, want)
		}
	}
}
