package minuteman_test

import (
	"testing"

	"powderkeg/engine/enginetest"
	"powderkeg/env/encoding/encodingtest"
	"powderkeg/env/encoding/minuteman"
)

// TestPairs looks for situations that look alike to the seat to act and are not. In the
// other settings it finds positions that load and that no play leads to.
func TestPairs(t *testing.T) {
	tried := 0
	for i, name := range settings[:2] {
		tried += encodingtest.Pairs(t, enginetest.Game(t, name), minuteman.Compact{}, 1, uint64(i))
	}
	if tried == 0 {
		t.Error("no pair was tried")
	}
}
