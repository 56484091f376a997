package svg

import (
	"strconv"
	"strings"
)

// Anchor says which point of a text lies at its place.
type Anchor uint8

// The points of a text.
const (
	Start Anchor = iota
	Middle
	End
)

var anchorClass = [...]string{"", "mid", "end"}

// Text writes a line with its baseline at y. The class has the colour (soft, on) and the
// weight (bold).
func (d *Doc) Text(x, y, size float64, at Anchor, class, text string) {
	d.start("text")
	d.written(x, y, size, at, class, text)
}

// written ends a text that was begun.
func (d *Doc) written(x, y, size float64, at Anchor, class, text string) {
	d.num("x", x)
	d.num("y", y)
	d.num("font-size", size)
	if c := anchorClass[at]; c != "" {
		class = strings.TrimPrefix(class+" "+c, " ")
	}
	if class != "" {
		d.attr("class", class)
	}
	d.b = append(d.b, '>')
	d.escape(text)
	d.b = append(d.b, "</text>\n"...)
}

// Fit writes a line as Text does, smaller if it is too wide for its room, and shortened
// if it is still too wide at two thirds of the size.
func (d *Doc) Fit(x, y, room, size float64, at Anchor, class, text string) {
	bold := strings.Contains(class, "bold")
	if w := Width(text, size, bold); w > room {
		least := size * 2 / 3
		if size = max(size*room/w, least); size == least {
			text = shorten(text, room, size, bold)
		}
	}
	d.Text(x, y, size, at, class, text)
}

// Block writes lines of text from the baseline y downwards, broken at spaces to fit a
// width, at most as many as given: in smaller letters if they would be more, down to two
// thirds of the size. It returns the baseline of the line that would follow.
func (d *Doc) Block(x, y, room, size float64, lines int, at Anchor, class, text string) float64 {
	all, size := broken(text, room, size, lines, strings.Contains(class, "bold"))
	for _, line := range all {
		d.Fit(x, y, room, size, at, class, line)
		y += size * leading
	}
	return y
}

// Label writes lines as Block does, with their middle at y.
func (d *Doc) Label(x, y, room, size float64, lines int, at Anchor, class, text string) {
	all, size := broken(text, room, size, lines, strings.Contains(class, "bold"))
	y += size * (0.36 - leading/2*float64(len(all)-1))
	for _, line := range all {
		d.Fit(x, y, room, size, at, class, line)
		y += size * leading
	}
}

// Name writes a name of a place as Block does, but never in smaller letters: lines that are too wide are written
// narrower, by a third at most, and shortened beyond that. It returns the baseline of the line that would follow.
func (d *Doc) Name(x, y, room, size float64, lines int, at Anchor, class, text string) float64 {
	for _, line := range NameLines(text, room, size, lines) {
		if Width(line, size, true) > room*narrowest {
			line = shorten(line, room*narrowest, size, true)
		}
		d.start("text")
		if Width(line, size, true) > room*slack {
			d.num("textLength", room)
			d.attr("lengthAdjust", "spacingAndGlyphs")
		}
		d.written(x, y, size, at, strings.TrimSpace("bold name "+class), line)
		y += size * nameLeading
	}
	return y
}

// NameLines breaks a name into the lines that Name writes.
func NameLines(text string, room, size float64, lines int) []string {
	all := Wrap(text, room*narrowest, size, true)
	if loose := Wrap(text, room, size, true); len(loose) <= lines {
		all = loose
	}
	if len(all) > lines {
		all = append(all[:lines-1], strings.Join(all[lines-1:], " "))
	}
	return all
}

const (
	slack       = 1.12 // letters are so much narrower than Width says, as a rule
	narrowest   = 1.5  // by how much a name is written narrower at most
	nameLeading = 1.08 // distance of its lines, in sizes
)

// Place writes the name of a place of a map as Fit does. A page writes it larger where there is room, those of
// the lowest rank first.
func (d *Doc) Place(x, y, room, size float64, rank int, text string) {
	short := text
	if w := Width(text, size, false); w > room {
		size = max(size*room/w, size*2/3)
		short = shorten(text, room, size, false)
	}
	d.start("text")
	d.attr("data-name", text)
	d.attr("data-rank", strconv.Itoa(rank))
	d.written(x, y, size, Middle, "", short)
}

// leading is the distance of lines, in sizes.
const leading = 1.25

// broken breaks a text into lines for Block, and returns the size that they have.
func broken(text string, room, size float64, lines int, bold bool) ([]string, float64) {
	var all []string
	for least := size * 2 / 3; ; size = max(size*0.95, least) {
		all = Wrap(text, room, size, bold)
		if size == least || len(all) <= lines && widest(all, size, bold) <= room {
			break
		}
	}
	if len(all) > lines {
		all = append(all[:lines-1], strings.Join(all[lines-1:], " "))
	}
	return all, size
}

func widest(lines []string, size float64, bold bool) float64 {
	w := 0.0
	for _, line := range lines {
		w = max(w, Width(line, size, bold))
	}
	return w
}

// Wrap breaks a text at spaces into lines that fit a width. A word that is too wide has a
// line of its own.
func Wrap(text string, room, size float64, bold bool) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case Width(longer, size, bold) <= room:
			line = longer
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func shorten(text string, room, size float64, bold bool) string {
	runes := []rune(text)
	for n := len(runes); n > 1; n-- {
		if short := strings.TrimRight(string(runes[:n]), " ") + "…"; n < len(runes) && Width(short, size, bold) <= room {
			return short
		} else if n == len(runes) && Width(text, size, bold) <= room {
			return text
		}
	}
	return string(runes[:1])
}

// Width returns how wide a line is at most: the advances of DejaVu Sans, which is wider
// than the other fonts that the style sheet asks for.
func Width(text string, size float64, bold bool) float64 {
	thousandths := 0
	for _, r := range text {
		thousandths += advance(r)
	}
	if bold {
		thousandths += thousandths / 8
	}
	return float64(thousandths) / 1000 * size
}

// advances of the printable ASCII characters in thousandths of the size.
var advances = [...]int16{
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, // space to /
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, // 0 to ?
	1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, // @ to O
	603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, // P to _
	500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, // ` to o
	635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838, // p to ~
}

func advance(r rune) int {
	if r >= ' ' && int(r-' ') < len(advances) {
		return int(advances[r-' '])
	}
	return 1000
}
