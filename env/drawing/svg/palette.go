package svg

import (
	"fmt"
	"strings"
)

// colour is a name of the palette with what it looks like by day and by night. Print is
// by day.
type colour struct{ name, day, night string }

// palette has the colours of all drawings. None of them carries a meaning alone: a seat
// has its shape and its hatching as well (Seat, Hatch), ground has a letter or a symbol.
// The fills of seats are from the palette of Okabe and Ito, which the colour-blind can
// tell apart, darkened until white text stands on them with a contrast of 4.5 to 1.
var palette = []colour{
	{"ground", "#fbfaf6", "#15181b"}, // behind everything
	{"panel", "#f0ede3", "#21262b"},  // a space, a card
	{"well", "#e2ddcd", "#2d343b"},   // a space within a space, the back of a card
	{"ink", "#1b1b1b", "#eceae4"},
	{"soft", "#57544b", "#aeb3b8"},
	{"edge", "#857f70", "#6d757d"},
	{"legal", "#9a4b00", "#ffb454"}, // around what can be clicked
	{"mark", "#f6d77a", "#4d3b08"},  // what just happened, what stands out
	{"on", "#ffffff", "#111315"},    // text on the colour of a seat
	{"seat0", "#00629b", "#6fb7ea"},
	{"seat1", "#b04500", "#f29a63"},
	{"seat2", "#00704f", "#4fc79f"},
	{"seat3", "#8d3f73", "#dd94c3"},
	{"seat4", "#6b5d00", "#d9c94b"},
	{"seat5", "#4d4d4d", "#c4c4c4"},
	{"plain", "#efe9d2", "#3a382c"},
	{"wood", "#d3e2bd", "#2c3d28"},
	{"hill", "#e3cfa8", "#4a3d28"},
	{"water", "#cfe3ee", "#1f3442"},
	{"town", "#ded9d3", "#3d3a38"},
	{"danger", "#b3202a", "#ff8a80"},
}

// Style is the style sheet that every drawing carries: by day first, in plain colours for
// programs that know no variables; by night where the reader prefers it, or where the
// drawing or what it lies in has the class dark; by day again in print and under light.
var Style = style()

func style() string {
	var b strings.Builder
	b.WriteString("\n.powderkeg,.light .powderkeg,.powderkeg.light{")
	variables(&b, func(c colour) string { return c.day })
	b.WriteString("}\n@media screen and (prefers-color-scheme:dark){.powderkeg{")
	variables(&b, func(c colour) string { return c.night })
	b.WriteString("}.light .powderkeg,.powderkeg.light{")
	variables(&b, func(c colour) string { return c.day })
	b.WriteString("}}\n@media screen{.dark .powderkeg,.powderkeg.dark{")
	variables(&b, func(c colour) string { return c.night })
	b.WriteString("}}\n")
	b.WriteString(".powderkeg text{fill:#1b1b1b;font-family:Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif;pointer-events:none}\n")
	for _, c := range palette {
		fmt.Fprintf(&b, ".powderkeg .f-%[1]s{fill:%[2]s}.powderkeg .k-%[1]s{stroke:%[2]s}\n", c.name, c.day)
	}
	for seat := range Seats {
		fmt.Fprintf(&b, ".powderkeg .h-%[1]d{fill:url(#pk-hatch-%[1]d)}", seat)
	}
	for _, sign := range signs {
		fmt.Fprintf(&b, ".powderkeg .g-%[1]s{fill:url(#pk-ground-%[1]s)}", sign.name)
	}
	b.WriteString(`
.powderkeg .none{fill:none}.powderkeg .clear{fill-opacity:0}.powderkeg .faint{opacity:.45}.powderkeg .ghost{opacity:.13}
.powderkeg .w1{stroke-width:1}.powderkeg .w2{stroke-width:2}.powderkeg .w3{stroke-width:3}.powderkeg .w5{stroke-width:5}.powderkeg .w8{stroke-width:8}.powderkeg .w20{stroke-width:20}
.powderkeg .dash{stroke-dasharray:6 4}.powderkeg .round{stroke-linecap:round;stroke-linejoin:round}
.powderkeg .bold{font-weight:700}.powderkeg .mid{text-anchor:middle}.powderkeg .end{text-anchor:end}
.powderkeg [data-action]{cursor:pointer}.powderkeg:not(.everywhere) [data-action]>.aim{stroke:#9a4b00;stroke-width:3}
.powderkeg:not(.everywhere) [data-action]>.aim.clear{fill:#9a4b00;fill-opacity:.16}
.powderkeg [data-action]:hover>.aim,.powderkeg [data-action]:focus>.aim{stroke:#9a4b00;stroke-width:6}
`)
	// A program that knows no variables may take a declaration of one for black, unless it
	// stands in a block that such a program skips.
	b.WriteString("@supports (fill:var(--pk-ink)){\n.powderkeg text{fill:var(--pk-ink)}\n")
	for _, c := range palette {
		fmt.Fprintf(&b, ".powderkeg .f-%[1]s{fill:var(--pk-%[1]s)}.powderkeg .k-%[1]s{stroke:var(--pk-%[1]s)}\n", c.name)
	}
	b.WriteString(".powderkeg:not(.everywhere) [data-action]>.aim{stroke:var(--pk-legal)}" +
		".powderkeg:not(.everywhere) [data-action]>.aim.clear{fill:var(--pk-legal)}" +
		".powderkeg [data-action]:hover>.aim,.powderkeg [data-action]:focus>.aim{stroke:var(--pk-legal)}\n}\n")
	return b.String()
}

func variables(b *strings.Builder, shade func(colour) string) {
	for _, c := range palette {
		fmt.Fprintf(b, "--pk-%s:%s;", c.name, shade(c))
	}
}
