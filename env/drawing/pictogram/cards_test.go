package pictogram_test

import (
	"strings"
	"testing"

	"powderkeg/engine/games"
	"powderkeg/engine/option"
	"powderkeg/env/drawing"
	"powderkeg/env/drawing/pictogram"
	"powderkeg/env/drawing/svg"
)

// all are the games with pictograms.
var all = []string{"bloc", "domination", "insurgency", "jogu", "minuteman"}

// Every card, unit, marker and track that a drawing tells about has a pictogram, whichever
// value one of the options has.
func TestEveryCardHasAPictogram(t *testing.T) {
	for _, name := range all {
		family, err := games.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		texts := []string{name}
		for _, o := range family.Options {
			if o.Kind == option.Choice || o.Kind == option.Bool || o.Kind == option.Int {
				for _, value := range o.Values() {
					texts = append(texts, name+"("+o.Name+"="+value+")")
				}
			}
		}
		for _, text := range texts {
			g, err := games.New(text)
			if err != nil {
				continue // a value that needs another one
			}
			cards := drawing.Cards(g)
			if len(cards) == 0 {
				t.Fatalf("%s has no cards", text)
			}
			for _, c := range cards {
				if !pictogram.Has(name, c.Name) {
					t.Errorf("%s: %s %q (%s) has no pictogram", text, c.Kind, c.Name, c.Title)
				}
			}
		}
	}
}

func TestDraw(t *testing.T) {
	d := svg.New(100, 100, "a page")
	before := len(d.Bytes())
	d = svg.New(100, 100, "a page")
	if pictogram.Draw(d, "bloc", "no such card", 50, 50, 60, "f-ink") || pictogram.Draw(d, "chess", "bikes", 50, 50, 60, "f-ink") {
		t.Error("what is not there was drawn")
	}
	if !pictogram.Draw(d, "bloc", "bonus", 50, 50, 60, "f-ink") {
		t.Fatal("a pictogram was not drawn")
	}
	got := strings.TrimSuffix(string(d.Bytes()[before-len("</svg>\n"):]), "</svg>\n")
	const want = `<path transform="translate(20 20)scale(2.5)" d="M5.8 2.2h12.4a3.6 3.6 0 0 1 3.6 3.6v12.4a3.6 3.6 0 0 1-3.6 3.6` +
		`h-12.4a3.6 3.6 0 0 1-3.6-3.6v-12.4a3.6 3.6 0 0 1 3.6-3.6z` +
		`M10.1 10.1h-3.7v3.8h3.7v3.7h3.8v-3.7h3.7v-3.8h-3.7v-3.7h-3.8z" class="f-ink"/>` + "\n"
	if got != want {
		t.Errorf("drawn\n%swant\n%s", got, want)
	}
}
