// Package ruledata reads what a game says of its rules: data/rules.json, its numbered
// rules in our own words, and RULINGS.md, what was decided where the rulebook is
// silent.
package ruledata

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Rule is one numbered rule, or a ruling.
type Rule struct {
	// Number is such as R7.3 or R9.4.2, or R15 of a chapter that is one rule, of a ruling such as Q12, R-03 or Ruling 5. Errors,
	// events and comments cite it.
	Number string `json:"rule"`
	// Title says in a few words what the rule is about.
	Title string `json:"title"`
	// Section is where the rulebook has it; "ruling" where it is ours.
	Section string `json:"section"`
	// Text says in our own words what the rule says.
	Text string `json:"text"`
}

// width is that of the lines in which a rule is told.
const width = 78

// String tells the rule in lines of at most 78 characters, the title first, its text
// below it.
func (r Rule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s (%s)\n", r.Number, r.Title, r.Section)
	line := " "
	for word := range strings.FieldsSeq(r.Text) {
		if len(line)+1+len(word) > width {
			fmt.Fprintln(&b, line)
			line = " "
		}
		line += " " + word
	}
	fmt.Fprintln(&b, line)
	return b.String()
}

// Rules reads a data/rules.json, in whose order they are returned. Every rule has all
// fields, and a number of its own.
func Rules(data []byte) ([]Rule, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []Rule
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("rules: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("rules: text after the list")
	}
	seen := map[string]bool{}
	for i, r := range list {
		switch {
		case !ruleNumber.MatchString(r.Number):
			return nil, fmt.Errorf("rules: record %d has the number %q, which is not of the form R7.3 or R15", i, r.Number)
		case seen[r.Number]:
			return nil, fmt.Errorf("rules: %s comes twice", r.Number)
		case r.Title == "" || r.Section == "" || r.Text == "":
			return nil, fmt.Errorf("rules: %s lacks a title, a section or a text", r.Number)
		}
		seen[r.Number] = true
	}
	return list, nil
}

var (
	ruleNumber = regexp.MustCompile(`^R\d+(\.\d+)*$`)
	heading    = regexp.MustCompile(`(?m)^## (Q\d+|R-\d+|Ruling \d+)[.:,]?\s*(.*)$`)
)

// Rulings reads a RULINGS.md: a heading "## NUMBER title" begins each ruling, and
// the text goes on to the next heading of any kind.
func Rulings(markdown string) []Rule {
	var list []Rule
	found := heading.FindAllStringSubmatchIndex(markdown, -1)
	for _, at := range found {
		text := markdown[at[1]:]
		if end := strings.Index(text, "\n#"); end >= 0 {
			text = text[:end]
		}
		list = append(list, Rule{
			Number: markdown[at[2]:at[3]], Title: strings.TrimSpace(markdown[at[4]:at[5]]),
			Section: "ruling", Text: strings.Join(strings.Fields(text), " "),
		})
	}
	return list
}

// Find returns the rules that a word names: the one of that number with all below it
// (R9.4 stands for R9.4.1 too), else those whose title or text has the word, in any
// case.
func Find(rules []Rule, word string) []Rule {
	var list []Rule
	for _, r := range rules {
		if strings.EqualFold(r.Number, word) || len(r.Number) > len(word) && strings.EqualFold(r.Number[:len(word)+1], word+".") {
			list = append(list, r)
		}
	}
	if list != nil {
		return list
	}
	for _, r := range rules {
		if contains(r.Title, word) || contains(r.Text, word) {
			list = append(list, r)
		}
	}
	return list
}

func contains(text, word string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(word))
}

// Chapters returns the rules' chapters, R1, R2 and so on, in their order.
func Chapters(rules []Rule) []string {
	var list []string
	for _, r := range rules {
		chapter, _, _ := strings.Cut(r.Number, ".")
		if ruleNumber.MatchString(r.Number) && !slices.Contains(list, chapter) {
			list = append(list, chapter)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		x, _ := strconv.Atoi(a[1:])
		y, _ := strconv.Atoi(b[1:])
		return x - y
	})
	return list
}
