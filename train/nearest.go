package train

import (
	"fmt"

	"github.com/agnivade/levenshtein"
)

// nearest proposes the name that a mistyped one may have meant, as "; did you mean
// X", and nothing where none is near: at most a third of the letters, and two
// at least, may have to change.
func nearest(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, name := range names {
		if d := levenshtein.ComputeDistance(word, name); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", best)
}
