package insurgency

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// R21.5: the box is read in the order in which the chapters build on each other.
func TestData(t *testing.T) {
	b, err := newBox(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range b.Faults() {
		t.Error(fault)
	}
}

// Every number of a card's sentence is in its effect, and the other way round:
// words for MOMENTUM, its duration, "may" and "not in Order" agree with the list.
func TestCardSentencesAgreeWithTheirEffects(t *testing.T) {
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	words := map[uint8]string{2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
	for n := 1; n <= numEvents; n++ {
		e := &b.programs[n]
		low := strings.ToLower(e.text)
		options := slices.ContainsFunc(e.code, func(in step) bool { return in.Op == opChoice })
		if strings.Contains(e.text, "MOMENTUM:") != e.momentum {
			t.Errorf("card %d: MOMENTUM is in the sentence or in the list alone", n)
		}
		for _, in := range e.code {
			counts := []uint8{in.most(), in.Ops, in.At.N}
			for _, n := range []*uint8{in.Set, in.Add} {
				if n != nil {
					counts = append(counts, *n)
				}
			}
			for _, v := range counts {
				if v > 1 && in.Op != opInspect && !strings.Contains(low, words[v]) && !strings.Contains(low, string('0'+rune(v))) {
					t.Errorf("card %d: %d is in the list and not in the sentence %q", n, v, e.text)
				}
			}
			if in.Op == opMomentum && strings.Contains(low, "until the end of the round") != b.momentum[in.Key].round {
				t.Errorf("card %d: the sentence and the list differ about how long it lasts", n)
			}
			if (in.Optional || in.Op == opCancel && in.keys == 1<<numMomentum-1) && !strings.Contains(low, " may ") {
				t.Errorf("card %d: the sentence does not say may", n)
			}
			if !options && strings.Contains(low, "not in order") && in.At.How == choose && in.At.Filter.Status&(1<<order) != 0 {
				t.Errorf("card %d: it reaches spaces in Order", n)
			}
		}
	}
}

// R1.1-R1.6, R4.1, R4.5, R8.1: facts that the rulebook states, not only the data (Q27, Q34).
func TestPrintedFacts(t *testing.T) {
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	if b.limits != [numPieces]uint8{agent: 30, militia: 30, federalBase: 9, rebelBase: 9} {
		t.Errorf("R1.1: limits of pieces %v", b.limits)
	}
	if b.maxUnrest != 3 || b.maxHacked != 6 || b.maxShields != 3 || b.maxBases != 2 || b.maxReserves != 2 {
		t.Errorf("R1.4, R1.6: caps %d %d %d %d %d", b.maxUnrest, b.maxHacked, b.maxShields, b.maxBases, b.maxReserves)
	}
	if d6Faces != 6 || d20Faces != 20 || len(b.programs)-1 != 92 || len(b.stories)-1 != 20 {
		t.Error("R1.2, R1.3: dice or cards")
	}
	population := 0
	for _, s := range b.spaces {
		population += int(s.population)
	}
	if population != 56 || b.us.Count() != 31 {
		t.Errorf("R4.1: population %d in %d spaces, want 56 in 31", population, b.us.Count())
	}
	for id, want := range map[string]uint8{"midwest": 3, "mesa": 2, "phoenix_suburb": 3, "washington_suburb": 1} {
		if i, err := b.spaceOf(id); err != nil || b.spaces[i].population != want {
			t.Errorf("R4.1: population of %s is %d, want %d", id, b.spaces[i].population, want)
		}
	}
	if b.cf != [numStatuses]uint8{order: 0, anger: 1, defiance: 2, revolt: 3, unmarked: 0} {
		t.Errorf("R4.5: Control Factors %v", b.cf)
	}
	for n, want := range map[int]struct {
		name string
		side Side
		ops  uint8
	}{
		11: {"General George S. Patton VII", federal, 2}, 15: {"UAVs", federal, 2}, 20: {"Internet of Things", federal, 2},
		36: {"Amnesty", rebel, 2}, 60: {"Don't Mess with Texas", rebel, 3}, 76: {"Open Borders", nobody, 3},
	} {
		if e := b.programs[n]; e.name != want.name || e.side != want.side || e.ops != want.ops {
			t.Errorf("R8.1: card %d is %s of side %d with %d Ops, want %v", n, e.name, e.side, e.ops, want)
		}
	}
}

// Q48: reconstructed numbers are as they were first written down.
func TestReconstructedNumbersStand(t *testing.T) {
	b, err := loadBox()
	if err != nil {
		t.Fatal(err)
	}
	if want := [maxPower + 1]uint8{0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4}; b.rpf != want {
		t.Errorf("R9.4: Rebellion Power Factors %v, want %v", b.rpf, want)
	}
	data, err := files.ReadFile("data/event_cards.json")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "uned for balance") {
		t.Error("an event card says that it was tuned for balance")
	}
}

// RULINGS.md explains every ruling that is cited, and every ruling is cited where it is
// carried out and where it is tested.
func TestRulings(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^## ((?:Q|R-)\d+) `)
	have := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(rulings, -1) {
		have[m[1]] = true
	}
	code, tests := map[string]bool{}, map[string]bool{}
	scripts, err := filepath.Glob("testdata/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	cited := regexp.MustCompile(`\b(?:Q|R-)\d+\b`)
	for _, path := range append(sources, scripts...) {
		into := tests
		if !strings.HasSuffix(path, "_test.go") && filepath.Ext(path) == ".go" {
			into = code
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range cited.FindAllString(string(data), -1) {
			into[q] = true
			if !have[q] {
				t.Errorf("%s cites %s, which RULINGS.md does not explain", path, q)
			}
		}
	}
	for q := range have {
		if !code[q] || !tests[q] {
			t.Errorf("%s is cited in the code: %t, in a test: %t", q, code[q], tests[q])
		}
	}
	for n := 1; n <= 49; n++ {
		if q := fmt.Sprintf("Q%d", n); !have[q] {
			t.Errorf("RULINGS.md lacks %s", q)
		}
	}
}
