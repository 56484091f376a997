package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"powderkeg/env/record"
)

// claim is a figure that a page prints.
type claim struct {
	text  string // as it is printed
	at    int    // in the text
	value number
	// low and high are the ends of its interval, where one is printed.
	low, high number
	interval  bool
}

// number is a number as it is printed.
type number struct {
	value float64
	// unit is that of the last digit printed: 0.1 of 67.3.
	unit float64
	// rough is set for a number in words, of which one digit is meant.
	rough bool
	// share is set for a percentage.
	share bool
}

const digits = `[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?`

var (
	// estimates are values with an interval: 67.3% [65.9, 68.7], -0.838 [-0.852, -0.824], 2.01 M (2.00, 2.02), and
	// with half of one: 0.5 ± 0.1.
	estimates = regexp.MustCompile(`(` + digits + `)(%?)((?:\s?[Mk])?)\*{0,2}\s*[\[(](` + digits + `)%?,\s(` + digits + `)%?[\])]`)
	halves    = regexp.MustCompile(`(` + digits + `)(%?)\s?±\s?(` + digits + `)`)
	// percents and the rest are single figures; lists are 44.4 and 44.8%, of which the last has the sign.
	percents = regexp.MustCompile(`((?:(?:` + digits + `)(?:,\s|\sand\s|\sor\s|\sto\s|,\sand\s|\sfor\s))*(?:` + digits + `))\s?%`)
	rates    = regexp.MustCompile(`(` + digits + `)\s?([Mk]|million|thousand)?\s?` + things + `?(?:/s\b|\s(?:a|per)\ssecond)`)
	lengths  = regexp.MustCompile(`(` + digits + `)\s?(ms|µs|ns|seconds|second|s|minutes|minute|min|hours|hour|h)\b`)
	ratios   = regexp.MustCompile(`(` + digits + `)(?:\stimes|x|\spoints)\b`)
	decimals = regexp.MustCompile(`([-+−]?\d+\.\d+)(\s?(?:[MkG]|million)\b)?` +
		`(\s(?:[MKG]?B|MiB|GiB)\b|\s(?:decisions|games|samples|stored|of|more)\b|\s\(|\))?`)
	anyNumber = regexp.MustCompile(digits)
	words     = regexp.MustCompile(`(?i)\b(` + alternatives(counts) + `)\s?(of\s)?(` + alternatives(magnitudes) + `)?s?(?:\sof)?\s(` +
		things + `\s(?:a|per)\ssecond|times\sas\s|minutes\b|seconds\b)`)
)

// things are what rates are of.
const things = `(?:decisions|moves|samples|games|steps|iterations)`

// Numbers in words.
var (
	counts = map[string]float64{
		"half a": 0.5, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
		"ten": 10, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "tens": 10, "hundreds": 100,
	}
	magnitudes = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6}
)

// alternatives are the words of a table for a pattern, the longest first.
func alternatives(table map[string]float64) string {
	longest := func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }
	return strings.Join(slices.SortedFunc(maps.Keys(table), longest), "|")
}

// claims returns the figures that a text prints.
func claims(text string) []claim {
	var list []claim
	take := func(re *regexp.Regexp, f func(at int, m []string)) {
		for {
			at := re.FindStringSubmatchIndex(text)
			if at == nil {
				return
			}
			m := make([]string, len(at)/2)
			for i := range m {
				if at[2*i] >= 0 {
					m[i] = text[at[2*i]:at[2*i+1]]
				}
			}
			f(at[0], m)
			text = text[:at[0]] + strings.Repeat(" ", at[1]-at[0]) + text[at[1]:] // counted once
		}
	}
	single := func(at int, text string, value number) {
		list = append(list, claim{text: strings.TrimSpace(text), at: at, value: value})
	}
	take(estimates, func(at int, m []string) {
		value, low, high := read(m[1], m[2], m[3]), read(m[4], m[2], m[3]), read(m[5], m[2], m[3])
		list = append(list, claim{text: m[0], at: at, value: value, low: low, high: high, interval: true})
	})
	take(halves, func(at int, m []string) {
		value, half := read(m[1], m[2], ""), read(m[3], m[2], "")
		low, high := value, value
		low.value, high.value = value.value-half.value, value.value+half.value
		low.unit, high.unit = 2*half.unit, 2*half.unit // both have been rounded
		list = append(list, claim{text: m[0], at: at, value: value, low: low, high: high, interval: true})
	})
	take(percents, func(at int, m []string) {
		all := anyNumber.FindAllStringIndex(m[1], -1)
		last := m[1][all[len(all)-1][0]:]
		for _, place := range all { // 8,000 and 12.7% are no list
			n := m[1][place[0]:place[1]]
			if fraction(n) == fraction(last) && !(strings.Contains(n, ",") && n != last) {
				single(at+place[0], n+"%", read(n, "%", ""))
			}
		}
	})
	take(rates, func(at int, m []string) { single(at, m[0], read(m[1], "", m[2])) })
	take(lengths, func(at int, m []string) { single(at, m[0], read(m[1], "", m[2])) })
	take(ratios, func(at int, m []string) { single(at, m[0], read(m[1], pointsOf(m[0]), "")) })
	take(words, func(at int, m []string) { single(at, m[0], inWords(m[1], m[3], m[4])) })
	take(decimals, func(at int, m []string) {
		if m[3] != "" && (m[2] != "" || strings.HasSuffix(m[3], "B")) {
			return // sizes, and lengths of training, are settings
		}
		single(at, m[1]+m[2], read(m[1], "", m[2]))
	})
	return list
}

// fraction counts the decimals of a printed number.
func fraction(n string) int {
	_, decimals, _ := strings.Cut(n, ".")
	return len(decimals)
}

// pointsOf makes points percentages.
func pointsOf(text string) string {
	if strings.HasSuffix(text, "points") {
		return "%"
	}
	return ""
}

// scales of what may stand behind a number, in the units of records.
var scales = map[string]float64{
	"M": 1e6, "million": 1e6, "k": 1e3, "thousand": 1e3, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9,
	"min": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600,
}

// read reads a printed number, with the sign of a percentage and the word for a multiple behind it, which may be empty.
func read(text, percent, scale string) number {
	text = strings.NewReplacer(",", "", "−", "-").Replace(strings.TrimSpace(text))
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("evidence: %q is no number: %v", text, err)) // the pattern's fault
	}
	n := number{value: value, unit: 1, share: percent != ""}
	if _, fraction, ok := strings.Cut(text, "."); ok {
		n.unit = math.Pow(10, -float64(len(fraction)))
	}
	factor := 1.0
	if f, ok := scales[strings.TrimSpace(scale)]; ok {
		factor = f
	}
	if n.share {
		factor = 0.01
	}
	n.value, n.unit = n.value*factor, n.unit*factor
	return n
}

// inWords reads a number in words, of which one digit is meant.
func inWords(count, of, what string) number {
	value := counts[strings.ToLower(count)]
	if magnitude, ok := magnitudes[strings.ToLower(of)]; ok {
		value *= magnitude
	}
	if strings.HasPrefix(what, "minutes") {
		value *= 60
	}
	return number{value: value, unit: value, rough: true}
}

// is reports whether a figure of a source is this number, rounded as it is printed.
func (n number) is(x float64, unit string) bool {
	if n.share && unit != "share" && unit != "" {
		return false
	}
	if n.rough { // two million is 1.5 to 2.5 million, tens of millions are 10 to 99
		return x >= 0.75*n.value && x < 1.5*n.value || n.value >= 1e7 && x >= n.value && x < 10*n.value
	}
	const slack = 1e-9 // of floating point
	return math.Abs(x-n.value) <= n.unit/2*(1+slack)+slack*math.Abs(x)
}

// of returns the sources that have the figure.
func (c claim) of(sources []*Source) []*Source {
	var have []*Source
	for _, s := range sources {
		for name, f := range s.Figures {
			if c.is(f) && !loaded(s, name, f) {
				have = append(have, s)
				break
			}
		}
	}
	return have
}

// loaded reports whether a figure is a time or a rate by the clock of a machine that had other work, which says
// nothing.
func loaded(s *Source, name string, f record.Figure) bool {
	clock := (f.Unit == "s" || f.Unit == "/s") && !strings.Contains(name, "processor")
	return clock && s.Record != nil && s.Record.Machine.Others != nil && !s.Record.Machine.Quiet()
}

// is reports whether a figure is the one that is printed.
func (c claim) is(f record.Figure) bool {
	if c.interval {
		return f.Low != nil && c.value.is(f.Value, f.Unit) && c.low.is(*f.Low, f.Unit) && c.high.is(*f.High, f.Unit)
	}
	return c.value.is(f.Value, f.Unit)
}

// given reports whether a page says of this figure that it is no measurement.
func (c claim) given(list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		return strings.Join(strings.Fields(s), " ") == strings.Join(strings.Fields(c.text), " ")
	})
}

// fault says that a figure has no source.
func (c claim) fault(sp span) string {
	if len(sp.from) == 0 {
		return fmt.Sprintf("%s has no source; name one behind it, such as <!-- from jogu/zoo -->", c.text)
	}
	return fmt.Sprintf("%s is no figure of %s", c.text, strings.Join(sp.from, ", "))
}
