package domination

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func testBox(t *testing.T) *box {
	t.Helper()
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The loader checks the data against itself; here they are compared with the
// specification (R1.1, R1.2, R1.3, R1.4, R1.6, R2.4, R9.2, R9.3, R12.2 and the rulings
// Q2, Q4, Q7, Q8, Q10, Q12).
func TestR1_1_BoxAgreesWithTheRulebook(t *testing.T) {
	b := testBox(t)
	if b.Scores != (Scores{2, 1, 4, 2, 6, 1}) {
		t.Errorf("R9.2, R9.3, R9.5: scores %+v", b.Scores)
	}
	if b.minLogistics != 1 || b.startLogistics != 4 || b.maxLogistics != (limit{10, 4, 20}) || b.turns != (limit{8, 1, 20}) ||
		b.copies != (limit{6, 1, 12}) || b.starters != 4 || b.turns.high != MaxTurns {
		t.Errorf("R1.6, R12.2: tracks %+v %+v, copies %+v", b.turns, b.maxLogistics, b.copies)
	}
	borders := 0
	for i := range b.Areas {
		borders += b.Areas[i].Adjacent.Size()
	}
	if borders != 2*66 {
		t.Errorf("R2.4: %d borders, want 66", borders/2)
	}
	var names []string
	for i := range b.Regions {
		names = append(names, b.Regions[i].Name)
		if n := b.Resources[i].Areas.Size(); n != 3 {
			t.Errorf("R1.2: %s is on %d Areas, want 3", b.Resources[i].Name, n)
		}
	}
	if want := []string{"North America", "South America", "Africa", "Asia", "Europe", "Australia"}; !slices.Equal(names, want) {
		t.Errorf("R1.1: Regions %v, want %v", names, want)
	}
	// The straits of Q10 join Land Areas.
	for _, pair := range [][2]string{{"CAN", "RUS"}, {"NAF", "WEU"}, {"EAS", "IDN"}, {"IDN", "EAU"}} {
		x, _ := b.areaByID(pair[0])
		y, _ := b.areaByID(pair[1])
		if !b.Areas[x].Adjacent.Has(y) || !b.Areas[y].Adjacent.Has(x) {
			t.Errorf("Q10: %s and %s are not adjacent", pair[0], pair[1])
		}
	}
}

// R1.3, Q38, R7.3, R8.1, R8.4: what is printed on the cards, as far as the rulebook names it;
// Q5, Q39.
func TestR1_3_Cards(t *testing.T) {
	b := testBox(t)
	total := 0
	for i := range b.Cards {
		if i < baseCards {
			total += b.Cards[i].Copies
		}
	}
	if total != 168 {
		t.Errorf("R1.3: %d cards, want 168", total)
	}
	named := func(set CardSet) (list []string) {
		for ; set != 0; set &= set - 1 {
			list = append(list, b.Cards[set.First()].Name)
		}
		return list
	}
	for what, pair := range map[string][2][]string{
		"any time":     {named(b.anytime), {"Airborne Forces"}},
		"scoring only": {named(b.scoring), {"Fog of War"}},
		"paid":         {named(b.paid), {"Show of Force", "Tactical Nukes"}},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if d := b.Cards[0]; d.Build != 3 || d.Reduction != 3 || d.Copies != 24 || b.Cards[8].Build != 6 || b.Cards[25].Reduction != 6 {
		t.Error("the printed values of Domination, Fog of War or Strategic Bombers changed")
	}
	for i := range b.Cards {
		if c := &b.Cards[i]; c.Name == "Military Base" && (c.ways[TextWay][0].n != 14 || c.Build != 3) {
			t.Errorf("Q39: Military Base builds %d, or %d by its text", c.Build, c.ways[TextWay][0].n)
		}
	}
}

// The worth of the cards was measured; those of balance.json lie within the limits
// that the specification sets itself (Q5).
func TestCardBalance(t *testing.T) {
	data, err := os.ReadFile("data/balance.json")
	if err != nil {
		t.Fatal(err)
	}
	var balance struct {
		Players map[string]map[string]struct{ Best float64 }
	}
	if err := json.Unmarshal(data, &balance); err != nil {
		t.Fatal(err)
	}
	b := testBox(t)
	if len(balance.Players) != 5 {
		t.Errorf("measured at %d numbers of players, want 5", len(balance.Players))
	}
	for n, worth := range balance.Players {
		mean := 0.0
		for i := 1; i < baseCards; i++ {
			mean += worth[b.Cards[i].Name].Best / (baseCards - 1)
		}
		for i := 1; i < baseCards; i++ {
			most := 1.3
			if b.Cards[i].Name == "Military Base" {
				most = 1.55
			}
			if q := worth[b.Cards[i].Name].Best / mean; q < 0.8 || q > most {
				t.Errorf("%s at %s seats is worth %.2f of the mean", b.Cards[i].Name, n, q)
			}
		}
		if q := worth["Domination"].Best / mean; q == 0 || q >= 0.75 {
			t.Errorf("Domination at %s seats is worth %.2f of the mean", n, q)
		}
	}
}

// Q47: where a card's sentence says more or less than the print, its mark names the
// words and the ruling, which RULINGS.md explains.
func TestQ47_MarkedSentencesNameTheirRuling(t *testing.T) {
	data, err := os.ReadFile("data/cards.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Cards []struct {
			Name    string
			Sources map[string]string `json:"sources_by_field"`
		}
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	rulings, err := os.ReadFile("RULINGS.md")
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, c := range list.Cards {
		mark := c.Sources["text"]
		if !strings.Contains(mark, "ruling") {
			continue
		}
		marked++
		numbers := regexp.MustCompile(`Q\d+`).FindAllString(mark, -1)
		for _, q := range numbers {
			if !strings.Contains(string(rulings), "## "+q+" ") {
				t.Errorf("%s: %s is no ruling", c.Name, q)
			}
		}
		if len(numbers) == 0 {
			t.Errorf("%s: %q names no ruling", c.Name, mark)
		}
	}
	if marked != 13 {
		t.Errorf("the sentences of %d cards are marked, want 13", marked)
	}
}
