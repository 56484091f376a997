package run

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/checkpoints"
)

// A run whose numbers overflow stops and leaves its folder as it was saved last.
func TestARunThatDivergesStaysAsItWasSaved(t *testing.T) {
	dir := stoppedRun(t, damageable())
	path := filepath.Join(dir, checkpointsName, checkpoints.Name(4))
	sound, err := checkpoints.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := *sound
	broken.Weights = nil
	for _, w := range sound.Weights {
		w.Data = bytes.Repeat([]byte{0x99, 0x76, 0x61, 0x7f}, len(w.Data)/4) // 3e38
		broken.Weights = append(broken.Weights, w)
	}
	replace := func(c *checkpoints.Checkpoint) {
		if err := errors.Join(os.RemoveAll(path), c.Write(path)); err != nil {
			t.Fatal(err)
		}
	}
	replace(&broken)
	for range 2 {
		err := Resume(t.Context(), Options{Dir: dir})
		if !errors.Is(err, network.ErrNotFinite) || !strings.HasPrefix(err.Error(), "update 5: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("error is %v, want one line that the numbers of update 5 are not finite", err)
		}
	}
	replace(sound)
	if err := Resume(t.Context(), Options{Dir: dir}); err != nil {
		t.Errorf("the run does not go on: %v", err)
	}
}
