package cli

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"powderkeg/engine/option"
)

// mostMessage is the most characters of an error that are printed. Those that echo what was
// typed shorten it themselves (option.Shorten), so that what would be right can still be read;
// this is for what other packages and the system say.
const mostMessage = 2000

// mostEcho is the most characters of what the parser of the command line says.
const mostEcho = 200

// mostWord is the most characters of a word that are printed: the path of a file may be so long.
const mostWord = 250

// stopped is said in place of what a context calls it.
const stopped = "stopped"

// Message returns an error as it is printed: in one line, of a readable length, with the word
// that it is wrong usage once and in front.
func Message(err error) string {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if errors.Is(err, context.Canceled) && !strings.HasPrefix(text, stopped) {
		text = stopped // where it was does not matter to anybody, unless Stopped says so
	}
	if usage := ErrUsage.Error() + ": "; errors.Is(err, ErrUsage) {
		text = usage + strings.ReplaceAll(text, usage, "")
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		if utf8.RuneCountInString(word) > mostWord {
			words[i] = option.Shorten(word)
		}
	}
	return clip(strings.Join(words, " "), mostMessage)
}

// clip leaves out the middle of a text that is too long: an error begins with what is wrong
// and ends with what would be right.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	return string(runes[:most/2]) + " … " + string(runes[len(runes)-most/2:])
}
