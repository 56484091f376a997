package minuteman_test

import (
	"testing"
	"unsafe"

	"powderkeg/engine/enginetest"
	"powderkeg/engine/minuteman"
)

func TestReadme(t *testing.T) {
	enginetest.Readme(t, enginetest.Game(t, "minuteman"))
}

// TestSizeOfAPosition keeps a copy cheap.
func TestSizeOfAPosition(t *testing.T) {
	const most = 4096
	n := unsafe.Sizeof(minuteman.PlainPosition)
	t.Logf("a position has %d bytes", n)
	if n > most {
		t.Errorf("a position has %d bytes, at most %d", n, most)
	}
}

func TestRulingsArePinned(t *testing.T) { enginetest.Rulings(t, 70) }
