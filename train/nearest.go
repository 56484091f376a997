package train

import "fmt"

// nearest proposes the name that a mistyped one may have meant, as "; did you mean
// X", and nothing where none is near: at most a third of the letters, and two
// at least, may have to change.
func nearest(word string, names []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, name := range names {
		if d := distance(word, name); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", best)
}

// distance is how many bytes must be put in, left out, replaced or swapped with
// the next to make b of a (optimal string alignment: V. Levenshtein, "Binary codes
// capable of correcting deletions, insertions, and reversals", 1966, with the
// swaps of F. Damerau, 1964).
func distance(a, b string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		table[i][0] = i
	}
	for j := range table[0] {
		table[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := table[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			table[i][j] = min(table[i-1][j]+1, table[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				table[i][j] = min(table[i][j], table[i-2][j-2]+1)
			}
		}
	}
	return table[len(a)][len(b)]
}
