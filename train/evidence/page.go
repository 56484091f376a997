package evidence

import (
	"fmt"
	"regexp"
	"strings"
)

// part is a part of a page that stands or falls as a whole: a paragraph, a row of a table, an item of
// a list.
type part struct {
	line int // of the page, from 1
	text string
}

// fence begins and ends a block of code.
const fence = "```"

var (
	// written marks what a test writes into a page, and what it ends with.
	written = regexp.MustCompile(`^<!-- ([^:]+): written by .* -->$`)
	item    = regexp.MustCompile(`^\s*([-*+]|\d+\.)\s`)
)

// parts divides a page. Blocks of code have none, nor has what a test writes: that is compared as a
// whole with what it is made from.
func parts(page string) []part {
	var list []part
	open, code, end := false, false, ""
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch m := written.FindStringSubmatch(trimmed); {
		case end != "":
			if trimmed == end {
				end = ""
			}
			open = false
			continue
		case m != nil:
			end, open = "<!-- end of "+m[1]+" -->", false
			continue
		case strings.HasPrefix(trimmed, fence):
			code, open = !code, false
			continue
		case code:
			continue
		case trimmed == "":
			open = false
			continue
		}
		if !open || strings.HasPrefix(trimmed, "|") || item.MatchString(line) {
			list = append(list, part{i + 1, line})
		} else {
			list[len(list)-1].text += "\n" + line
		}
		open = !strings.HasPrefix(trimmed, "#")
	}
	return list
}

// span is a stretch of a part with what its comments say of it.
type span struct {
	text string
	// from names the sources, given are the numbers that are no measurements.
	from, given []string
}

// comment is one that says where the figures before it come from.
var comment = regexp.MustCompile(`<!--\s*(from|not measured:)\s([^>]*?)\s*-->`)

// spans divides a part at its comments: each is of what stands before it, up to the comment before. Those
// that follow each other at once are of the same text. What stands behind the last comment has no source.
func spans(text string) []span {
	var list []span
	at := 0
	for _, m := range comment.FindAllStringSubmatchIndex(text, -1) {
		before := text[at:m[0]]
		if len(list) == 0 || strings.TrimSpace(before) != "" {
			list = append(list, span{text: before})
		}
		last := &list[len(list)-1]
		for _, name := range strings.Split(text[m[4]:m[5]], ",") {
			if name = strings.TrimSpace(name); text[m[2]:m[3]] == "from" {
				last.from = append(last.from, name)
			} else {
				last.given = append(last.given, name)
			}
		}
		at = m[1]
	}
	if rest := strings.Trim(text[at:], " \t\n|"); rest != "" || len(list) == 0 {
		list = append(list, span{text: text[at:]})
	}
	return list
}

var (
	// hidden are stretches of Markdown that readers do not read as text: code, where links lead, pictures,
	// comments, tags.
	hidden = []*regexp.Regexp{
		regexp.MustCompile("``[^`]*``|`[^`]*`"), regexp.MustCompile(`<!--[^>]*-->`), regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`),
		regexp.MustCompile(`\]\([^)]*\)`), regexp.MustCompile(`https?://\S+`), regexp.MustCompile(`<[a-z/][^>]*>`),
	}
	// named are numbers that name something: reports, arXiv's papers, versions of software.
	named = []*regexp.Regexp{
		regexp.MustCompile(`(?i)arXiv[: ]\s*\d+\.\d+`),
		regexp.MustCompile(`\b(Go|Python|PyTorch|CUDA|Apache|version|Version|v|Ruling|Rule|R)\s?\d+(\.\d+)+`),
		regexp.MustCompile(`[Tt]emperatures?\sof\s\d+(\.\d+)?`), regexp.MustCompile(`\b95%\s(confidence\s)?intervals?|[Ii]ntervals\sare\s95%`),
		regexp.MustCompile(`\b\d+\.\d+\.\d+\b`), regexp.MustCompile(`\d{4}-\d{2}-\d{2}`),
		regexp.MustCompile(`CC BY[-A-Z]* \d\.\d`), regexp.MustCompile(`Apache License \d\.\d`),
	}
)

// plain is a text as readers see it; what they do not read is blank.
func plain(text string) string {
	for _, re := range append(hidden[:len(hidden):len(hidden)], named...) {
		text = re.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	}
	return text
}

// Problem is a fault of a page.
type Problem struct {
	Page string
	Line int
	Text string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.Page, p.Line, p.Text) }

// Check returns what is wrong with a page: figures without a source, sources that there are not, and sources
// that are not of today where the page does not say so.
func (s *Sources) Check(name, page string) ([]Problem, error) {
	var problems []Problem
	for _, p := range parts(page) {
		say := func(format string, args ...any) {
			problems = append(problems, Problem{name, p.line, fmt.Sprintf(format, args...)})
		}
		if strings.HasPrefix(p.text, "#") {
			continue // a heading names, it does not claim
		}
		for _, sp := range spans(p.text) {
			var sources []*Source
			for _, from := range sp.from {
				source, err := s.Find(from)
				if err != nil {
					say("%v", err)
					continue
				}
				sources = append(sources, source)
			}
			used := map[*Source]bool{}
			for _, c := range claims(plain(sp.text)) {
				have := c.of(sources)
				for _, source := range have {
					used[source] = true
				}
				if len(have) == 0 && !c.given(sp.given) {
					say("%s", c.fault(sp))
				}
			}
			for _, source := range sources {
				if !used[source] {
					say("no figure here is of %s", source.Name)
					continue
				}
				marks, err := s.Stale(source)
				if err != nil {
					return nil, err
				}
				for _, mark := range marks {
					if !says(p.text, mark) {
						say("%s is of %s, which this does not say", source.Name, mark)
					}
				}
			}
		}
	}
	return problems, nil
}

// says reports whether a text has a mark, as a word of its own.
func says(text, mark string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(mark) + `\b`).MatchString(strings.Join(strings.Fields(plain(text)), " "))
}
