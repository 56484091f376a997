package svg_test

import (
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"powderkeg/env/drawing/svg"
)

func TestEscaping(t *testing.T) {
	d := svg.New(10, 10, `a "label" <of> & 'ours'`)
	d.Open("g", svg.Attr{Name: "data-space", Value: `"><script>`})
	d.Title("a < b & c > d\x00\x1f")
	d.Text(1.04, -0.01, 3, svg.Middle, "bold", "é…")
	text := string(d.Bytes())
	for _, want := range []string{`aria-label="a &quot;label&quot; &lt;of&gt; &amp; 'ours'"`, `data-space="&quot;&gt;&lt;script&gt;"`,
		"<title>a &lt; b &amp; c &gt; d</title>", `<text x="1" y="0" font-size="3" class="bold mid">é…</text>`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWrap(t *testing.T) {
	lines := svg.Wrap("one two  three-and-much-longer four", 60, 10, false)
	if got := strings.Join(lines, "|"); got != "one two|three-and-much-longer|four" {
		t.Errorf("wrapped as %s", got)
	}
	if lines := svg.Wrap("", 60, 10, false); lines != nil {
		t.Errorf("nothing is wrapped as %q", lines)
	}
}

// A line that is fitted is never wider than its room, unless that is less than a letter.
func TestFit(t *testing.T) {
	line := regexp.MustCompile(`font-size="([0-9.]+)" class="bold">([^<]*)</text>`)
	for room := 20.0; room < 300; room += 7 {
		d := svg.New(10, 10, "")
		d.Fit(0, 0, room, 16, svg.Start, "bold", "Western Wilderness")
		m := line.FindStringSubmatch(string(d.Bytes()))
		if m == nil {
			t.Fatalf("no line in room %.0f", room)
		}
		size, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		// Sizes are rounded to a tenth.
		if w := svg.Width(m[2], size, true); w > room*1.01 {
			t.Errorf("%q at %.1f is %.0f wide in a room of %.0f", m[2], size, w, room)
		}
	}
}

// Text can be read on what it stands on: a contrast of 4.5 to 1 by day and by night (WCAG
// 2.2, 1.4.3), and what can be clicked stands out from its surroundings by 3 to 1 (1.4.11).
func TestContrast(t *testing.T) {
	sheets := regexp.MustCompile(`\{(--pk-[^}]*)\}`).FindAllStringSubmatch(svg.Style, 2)
	if len(sheets) != 2 {
		t.Fatal("the style sheet has no day or no night")
	}
	d := svg.New(1, 1, "")
	for i, name := range []string{"day", "night"} {
		colours := map[string]float64{}
		for _, m := range regexp.MustCompile(`--pk-(\w+):#(\w{6});`).FindAllStringSubmatch(sheets[i][1], -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		check := func(a, b string, least float64) {
			t.Helper()
			x, y := colours[a], colours[b]
			if ratio := (max(x, y) + 0.05) / (min(x, y) + 0.05); ratio < least {
				t.Errorf("by %s %s on %s has a contrast of %.2f, less than %.1f", name, a, b, ratio, least)
			}
		}
		for _, ground := range []string{"ground", "panel", "well", "mark", "plain", "wood", "hill", "water", "town"} {
			check("ink", ground, 4.5)
			check("soft", ground, 4.5)
			check("danger", ground, 3)
		}
		for seat := range svg.Seats {
			check("on", d.SeatColour(seat), 4.5)
			check(d.SeatColour(seat), "ground", 3)
			check(d.SeatColour(seat), "panel", 3)
		}
		check("legal", "ground", 3)
		check("legal", "panel", 3)
	}
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
