package cli

import (
	"strings"

	"powderkeg/env"
)

// Typed is the line that calls the program with those words, to be pasted into a shell. If
// the game is of an edition that was read from a folder, the line names that too, since its
// digest alone says nothing to a new process.
func Typed(game string, words ...string) string {
	if folder := env.Editions.Folder(game); folder != "" {
		words = append(words, "--edition", folder)
	}
	line := "powderkeg"
	for _, w := range words {
		line += " " + quote(w)
	}
	return line
}

// quote is a word as a POSIX shell reads it back.
func quote(word string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-./:=,+@%", c)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
