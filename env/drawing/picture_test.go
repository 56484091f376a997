package drawing_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"powderkeg/env/drawing/svg"
)

// picture is a drawing as a reader of SVG has it.
type picture struct {
	text          string
	width, height float64
	actions       map[int]string // space by action
	cards         []string
	lines         []line
	untitled      []string // parts without a title
	ids           []string
	panels        []panel
}

// panel is a panel of the composition: where it lies and what lies in it is checked by sound.
type panel struct {
	name, title              string
	left, top, right, bottom float64
}

// line is a line of text and the room that it takes up.
type line struct {
	text                     string
	size                     float64
	squeezed                 float64 // to what width, 0 if it is not
	left, right, top, bottom float64
	panel                    int // by its number; -1 for none
}

func parse(t *testing.T, text string) picture {
	t.Helper()
	p := picture{text: text, actions: map[int]string{}}
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.Strict = true
	var at *line
	var anchor, part, title string // title is the part whose title is being read
	open, inside := 0, -1          // pictures that are open, and the panel that the innermost is
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if part != "" && token.Name.Local != "title" {
				p.untitled = append(p.untitled, part)
			}
			title, part = part, ""
			attrs := map[string]string{}
			for _, a := range token.Attr {
				attrs[a.Name.Local] = a.Value
			}
			if id, ok := attrs["id"]; ok {
				p.ids = append(p.ids, id)
			}
			switch token.Name.Local {
			case "svg":
				box := strings.Fields(attrs["viewBox"])
				if len(box) != 4 {
					t.Fatalf("viewBox is %q", attrs["viewBox"])
				}
				if open++; open == 1 {
					p.width, p.height = number(t, box[2]), number(t, box[3])
					break
				}
				x, y := number(t, box[0]), number(t, box[1])
				if x != number(t, attrs["x"]) || y != number(t, attrs["y"]) || open > 2 {
					t.Fatalf("panel %s has coordinates of its own", attrs["data-panel"])
				}
				inside = len(p.panels)
				p.panels = append(p.panels, panel{attrs["data-panel"], attrs["data-title"], x, y, x + number(t, box[2]), y + number(t, box[3])})
			case "g":
				p.group(t, attrs)
				if _, piece := attrs["data-piece"]; !piece {
					part = "part " + attrs["data-space"] + attrs["data-card"]
				}
			case "text":
				size := number(t, attrs["font-size"])
				y := number(t, attrs["y"])
				at = &line{size: size, left: number(t, attrs["x"]), top: y - 0.72*size, bottom: y, panel: inside}
				if width := attrs["textLength"]; width != "" {
					at.squeezed = number(t, width)
				}
				anchor = " " + attrs["class"] + " "
			}
		case xml.CharData:
			if title != "" && strings.TrimSpace(string(token)) != "" {
				title = ""
			}
			if at != nil {
				at.text += string(token)
			}
		case xml.EndElement:
			if title != "" && token.Name.Local == "title" {
				p.untitled = append(p.untitled, title)
			}
			title = ""
			if token.Name.Local == "svg" {
				open, inside = open-1, -1
			}
			if at != nil {
				p.lines = append(p.lines, at.laid(anchor))
				at = nil
			}
		}
	}
	return p
}

func (p *picture) group(t *testing.T, attrs map[string]string) {
	t.Helper()
	if card, ok := attrs["data-card"]; ok {
		p.cards = append(p.cards, card)
	}
	list, ok := attrs["data-action"]
	if !ok {
		return
	}
	if attrs["data-space"] == "" {
		t.Fatalf("actions %s belong to no space", list)
	}
	for _, a := range strings.Split(list, " ") {
		n, err := strconv.Atoi(a)
		if err != nil {
			t.Fatalf("data-action is %q", list)
		}
		p.actions[n] = attrs["data-space"]
	}
}

func (l *line) laid(class string) line {
	w := svg.Width(l.text, l.size, strings.Contains(class, " bold "))
	if l.squeezed > 0 {
		w = l.squeezed
	}
	switch {
	case strings.Contains(class, " mid "):
		l.left -= w / 2
	case strings.Contains(class, " end "):
		l.left -= w
	}
	l.right = l.left + w
	return *l
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// sound checks what holds for every drawing: names are unique, parts have titles, and every
// line of text lies on the sheet and on no other line.
func sound(t *testing.T, p picture) {
	t.Helper()
	ids := map[string]bool{}
	for _, id := range p.ids {
		if ids[id] {
			t.Fatalf("id %s is there twice", id)
		}
		ids[id] = true
	}
	if len(p.untitled) > 0 {
		t.Fatalf("%s has no title", p.untitled[0])
	}
	const slack = 1 // a unit is less than half a pixel on a small screen
	names := map[string]bool{}
	for i, a := range p.panels {
		if a.name == "" || a.title == "" || names[a.name] {
			t.Fatalf("panel %q (%q) has no name of its own, or no title", a.name, a.title)
		}
		names[a.name] = true
		if a.left < -slack || a.right > p.width+slack || a.top < -slack || a.bottom > p.height+slack {
			t.Fatalf("panel %s leaves the sheet: %.0f to %.0f, %.0f to %.0f of %.0f by %.0f", a.name, a.left, a.right, a.top, a.bottom, p.width, p.height)
		}
		for _, b := range p.panels[:i] {
			if a.left+slack < b.right && b.left+slack < a.right && a.top+slack < b.bottom && b.top+slack < a.bottom {
				t.Fatalf("panels %s and %s overlap", a.name, b.name)
			}
		}
	}
	for i, a := range p.lines {
		if a.left < -slack || a.right > p.width+slack || a.top < -slack || a.bottom > p.height+slack {
			t.Fatalf("text %q leaves the sheet: %.0f to %.0f, %.0f to %.0f of %.0f by %.0f", a.text, a.left, a.right, a.top, a.bottom, p.width, p.height)
		}
		if len(p.panels) > 0 {
			if a.panel < 0 {
				t.Fatalf("text %q lies in no panel", a.text)
			}
			if in := p.panels[a.panel]; a.left < in.left-slack || a.right > in.right+slack || a.top < in.top-slack || a.bottom > in.bottom+slack {
				t.Fatalf("text %q leaves the panel %s: %.0f to %.0f, %.0f to %.0f", a.text, in.name, a.left, a.right, a.top, a.bottom)
			}
		}
		for _, b := range p.lines[:i] {
			if a.left+slack < b.right && b.left+slack < a.right && a.top+slack < b.bottom && b.top+slack < a.bottom {
				t.Fatalf("texts %q and %q overlap at %.0f, %.0f", a.text, b.text, a.left, a.top)
			}
		}
	}
}
