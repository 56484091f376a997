package checkpoints

import (
	"strings"
	"testing"
)

// A checkpoint of an edition is read without the edition's folder; what else its game string says
// is checked as ever.
func TestGamesOfEditionsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"jogu(edition=sha256-0123456789ab)":            "",
		"jogu(first=wu,edition=sha256-0123456789ab)":   "",
		"jogu(edition=nothing)":                        `"nothing" is no digest of an edition`,
		"jogu(first=them,edition=sha256-0123456789ab)": "them",
	} {
		err := checkGame(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
