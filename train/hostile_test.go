package train

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

// A list of nothing would take 200 bytes of memory for three of text.
func TestAStateOfNothingTakesNoMemory(t *testing.T) {
	text := []byte(`{"slots":[` + strings.Repeat("{},", 1<<20) + `{}]}`)
	var before, after runtime.MemStats
	var s state
	runtime.ReadMemStats(&before)
	err := json.Unmarshal(text, &s)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "no generator") || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes of slots: %v, after %d bytes of memory", len(text), err, after.TotalAlloc-before.TotalAlloc)
	}
}
