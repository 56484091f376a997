package insurgency_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
	"powderkeg/engine/ruledata"
)

// eventText writes an event down: who sees it, kind, rule, arguments, sentence.
func eventText(e *engine.Event) string {
	var b strings.Builder
	for p := range engine.Player(2) {
		if e.SeenBy(p) {
			fmt.Fprint(&b, p)
		} else {
			b.WriteByte('-')
		}
	}
	fmt.Fprintf(&b, " %-8s %s", e.Rule, e.Kind)
	for _, a := range e.Args {
		fmt.Fprintf(&b, " %s=%v", a.Name, a.Value)
	}
	return b.String() + " | " + e.Text
}

// hear collects what is told from now on and seat p sees, or for seat -1 everything.
func hear(s *insurgency.State, p engine.Player) *[]string {
	told := &[]string{}
	s.Listen(func(e *engine.Event) {
		if p < 0 || e.SeenBy(p) {
			*told = append(*told, eventText(e))
		}
	})
	return told
}

// Everything that happens in two rounds is told, in words.
func TestWholeRoundsAreTold(t *testing.T) {
	for name, text := range map[string]string{"patriot": "insurgency", "custom": "insurgency(scenario=custom,mode=random)"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.NewPCG(9, 19)
			s := enginetest.Game(t, text).New().(*insurgency.State)
			told := hear(s, -1)
			for s.ToAct() != engine.Terminal && look(s).Round() < 3 {
				step(t, s, rng)
			}
			enginetest.Golden(t, "testdata/told/"+name+".txt", text+"\n\n"+strings.Join(*told, "\n")+"\n")
		})
	}
}

// R19.2: the cards that a side is dealt are told to it alone, all else to both.
func TestR19_2_DealsAreVeiled(t *testing.T) {
	for seat, want := range map[engine.Player][]string{
		insurgency.Rebel:   {"0- R16.1    dealt side=rebel card=36 | The Rebel is dealt 36 Amnesty"},
		insurgency.Federal: {"-1 R16.1    dealt side=rebel | The Rebel is dealt a card"},
	} {
		s := load(t, "insurgency", `{}`)
		told := hear(s, seat)
		if do(t, "insurgency", s, "DEAL_36"); !slices.Equal(*told, want) {
			t.Errorf("seat %d is told %q, want %q", seat, *told, want)
		}
	}
}

// A listener belongs to its state: a copy tells nothing, and keeps its own; nil ends
// it.
func TestListenersAreNotCopied(t *testing.T) {
	g := enginetest.Game(t, "insurgency")
	s, other := g.New().(*insurgency.State), g.New().(*insurgency.State)
	told, otherTold := hear(s, -1), hear(other, -1)
	copied := engine.Clone(g, s).(*insurgency.State)
	if err := copied.Apply(engine.Moves(copied)[0]); err != nil || len(*told) != 0 {
		t.Errorf("the copy tells %q, error %v", *told, err)
	}
	other.CopyFrom(s)
	if err := other.Apply(engine.Moves(other)[0]); err != nil || len(*told) != 0 || len(*otherTold) == 0 {
		t.Errorf("after CopyFrom the receiver tells %q to the other's listener and %q to its own, error %v", *told, *otherTold, err)
	}
	s.Listen(nil)
	if err := s.Apply(engine.Moves(s)[0]); err != nil || len(*told) != 0 {
		t.Errorf("after Listen(nil) this is told: %q, error %v", *told, err)
	}
}

// README.md lists every kind of event with its arguments, and no others; each event names
// a rule that there is.
func TestReadmeListsEvents(t *testing.T) {
	listed, numbers := listedEvents(t), ruleNumbers(t)
	told := map[string]bool{}
	for _, text := range settings {
		g, rng := enginetest.Game(t, text), rand.NewPCG(5, 5)
		for range enginetest.Times(8) {
			s := g.New().(*insurgency.State)
			s.Listen(func(e *engine.Event) {
				told[e.Kind] = true
				for _, a := range e.Args {
					if !slices.Contains(listed[e.Kind], a.Name) {
						t.Errorf("README.md lists the arguments %v of %s, but not %s", listed[e.Kind], e.Kind, a.Name)
						listed[e.Kind] = append(listed[e.Kind], a.Name)
					}
				}
				if !numbers[e.Rule] || e.Text == "" || strings.HasSuffix(e.Text, ".") || e.Seen == 0 || e.Seen > 3 {
					t.Errorf("not a good event: %s", eventText(e))
				}
			})
			for s.ToAct() != engine.Terminal {
				step(t, s, rng)
			}
		}
	}
	for kind := range told {
		if listed[kind] == nil {
			t.Errorf("README.md does not list the event %s", kind)
		}
	}
	for kind := range listed {
		if !told[kind] && kind != "not_placed" { // rare; rules/R3.4_lifting_can_be_declined has one
			t.Errorf("README.md lists the event %s, which no game has told", kind)
		}
	}
}

// listedEvents reads the table of events of README.md: the arguments of each kind.
func listedEvents(t *testing.T) map[string][]string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Events\n")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|").FindAllStringSubmatch(section, -1) {
		listed[row[1]] = []string{}
		for _, n := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(row[2], -1) {
			listed[row[1]] = append(listed[row[1]], n[1])
		}
	}
	return listed
}

func ruleNumbers(t *testing.T) map[string]bool {
	t.Helper()
	list, err := ruledata.Rules(insurgency.Family.Rules)
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]bool{}
	for _, r := range list {
		numbers[r.Number] = true
	}
	return numbers
}
