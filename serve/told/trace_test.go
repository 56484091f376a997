package told

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/env"
)

// traced writes down what a seat lives through.
type traced struct {
	t      *testing.T
	state  engine.State
	tracer *Tracer
	lines  []string
}

func newTraced(t *testing.T, g engine.Game, s engine.State, seats ...engine.Player) *traced {
	d := &traced{t: t, state: engine.Clone(g, s)}
	d.tracer = NewTracer(NewReader(g), seats, nil, true, func(l *Line) error {
		data, err := json.Marshal(l)
		d.lines = append(d.lines, string(data))
		return err
	})
	d.tracer.Listen(d.state)
	return d
}

func (d *traced) make(a engine.Action) {
	d.t.Helper()
	if err := d.tracer.Move(d.state, a); err != nil {
		d.t.Fatal(err)
	}
	if err := d.state.Apply(a); err != nil {
		d.t.Fatal(err)
	}
}

// In random play each decision of every seat has its line: what was chosen was legal, steps
// count the seat's own decisions, rewards add up to the returns, and each event that the
// seat was told stands in its lines once.
func TestTracesTellTheWholeGame(t *testing.T) {
	listings, err := env.Listings()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range listings {
		g, err := env.NewGame(l.Name)
		if err != nil {
			t.Fatal(err)
		}
		var seats []engine.Player
		for p := range g.Spec().Seats {
			seats = append(seats, engine.Player(p))
		}
		d, rng := newTraced(t, g, g.New(), seats...), rand.NewPCG(5, 6)
		told, decisions := make([]int, len(seats)), make([]int, len(seats))
		Hear(d.state, seats, func(p engine.Player, e Event) {
			told[p]++
			d.tracer.open[p].events = append(d.tracer.open[p].events, e)
		})
		for n := 0; d.state.ToAct() != engine.Terminal && n < 400; n++ {
			if p := d.state.ToAct(); p >= 0 {
				decisions[p]++
			}
			moves := engine.Moves(d.state)
			d.make(moves[engine.Uint32N(rng, uint32(len(moves)))])
		}
		if err := d.tracer.End(d.state); err != nil {
			t.Fatal(err)
		}
		checkLines(t, g, d, told, decisions)
	}
}

func checkLines(t *testing.T, g engine.Game, d *traced, told, decisions []int) {
	t.Helper()
	steps, events, sums := make([]int, len(told)), make([]int, len(told)), make([][]float32, len(told))
	ends := make([]*End, len(told))
	for _, text := range d.lines {
		var l Line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if l.Step != steps[l.Seat] || l.Format != TraceFormat || l.Game != g.Spec().Text || l.Text == "" || len(l.View) == 0 || ends[l.Seat] != nil {
			t.Fatalf("%s: the line %.300s", g.Spec().Text, text)
		}
		if !slices.ContainsFunc(l.Legal, func(c Choice) bool { return c.Name == l.Chosen.Name && c.Action == l.Chosen.Action }) {
			t.Errorf("%s: %+v was chosen of %+v", g.Spec().Text, l.Chosen, l.Legal)
		}
		steps[l.Seat]++
		events[l.Seat] += len(l.Events)
		if sums[l.Seat] == nil {
			sums[l.Seat] = make([]float32, len(told))
		}
		for p, r := range l.Rewards {
			sums[l.Seat][p] += r
		}
		if ends[l.Seat] = l.End; l.End != nil {
			events[l.Seat] += len(l.End.Events)
		}
	}
	for p := range told {
		if steps[p] != decisions[p] {
			t.Errorf("%s: seat %d has %d lines of %d decisions", g.Spec().Text, p, steps[p], decisions[p])
		}
		if steps[p] == 0 {
			continue
		}
		if events[p] != told[p] || ends[p] == nil {
			t.Errorf("%s: of %d events that seat %d was told %d are in its lines", g.Spec().Text, told[p], p, events[p])
		}
		if ends[p] != nil && ends[p].Truncated != (d.state.ToAct() != engine.Terminal) {
			t.Errorf("%s: the end is %+v", g.Spec().Text, ends[p])
		}
	}
}

// Two worlds that a seat cannot tell apart are played on with the same moves, as far as the
// seat gets to know them: its lines are the same, byte for byte.
func TestTracesKeepTheSecretsOfOthers(t *testing.T) {
	for _, name := range []string{"kuhn", "leduc", "liars_dice(players=3,dice=2)", "jogu", "jogu(expansion=true,first=hours)", "bloc",
		"domination(players=3)", "insurgency(scenario=resistance)", "minuteman(scenario=partisan)"} {
		g, err := env.NewGame(name)
		if err != nil {
			t.Fatal(err)
		}
		lines, worlds := 0, 0
		for game := range uint64(3) {
			rng, s := rand.NewPCG(game, 11), g.New()
			for n := 0; s.ToAct() != engine.Terminal && n < 400; n++ {
				if seat := s.ToAct(); seat >= 0 && (n%7 == 4 || g.Spec().MaxDecisions < 40) {
					deal := g.New()
					deal.(engine.Hidden).Redeal(engine.Look(s, seat), rng)
					if deal.Hash() != s.Hash() {
						worlds++
					}
					lines += alike(t, g, s, deal, seat, rng)
				}
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		t.Logf("%s: %d lines in %d pairs of worlds", name, lines, worlds)
		if lines < 5 || worlds == 0 {
			t.Errorf("%s: only %d lines were compared in %d pairs of worlds", name, lines, worlds)
		}
	}
}

// alike plays both worlds on and returns how many lines the seat has written.
func alike(t *testing.T, g engine.Game, real, deal engine.State, seat engine.Player, rng *rand.PCG) int {
	t.Helper()
	a, b := newTraced(t, g, real, seat), newTraced(t, g, deal, seat)
	for range 30 {
		if a.state.ToAct() == engine.Terminal || a.state.ToAct() != b.state.ToAct() {
			break
		}
		moves, others := engine.Moves(a.state), engine.Moves(b.state)
		action := moves[engine.Uint32N(rng, uint32(len(moves)))]
		twin := action
		secretive, ok := a.state.(engine.Secretive)
		if secret := ok && a.state.ToAct() != seat && !secretive.Shows(seat, action); secret && !slices.Contains(others, twin) {
			twin = others[0]
		}
		if !slices.Contains(others, twin) || !together(g, a.state, b.state, action, twin, seat) {
			break // the worlds part
		}
		a.make(action)
		b.make(twin)
	}
	if err := a.tracer.End(a.state); err != nil {
		t.Fatal(err)
	}
	if err := b.tracer.End(b.state); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.lines, b.lines) {
		for i := range a.lines {
			if i >= len(b.lines) || a.lines[i] != b.lines[i] {
				t.Fatalf("%s: line %d of seat %d is\n%.3000s\nin one world, and in the other\n%.3000s", g.Spec().Text, i, seat, a.lines[i],
					b.lines[min(i, len(b.lines)-1)])
			}
		}
	}
	return len(a.lines)
}

// together reports whether the seat cannot tell the worlds apart after these moves either.
func together(g engine.Game, a, b engine.State, x, y engine.Action, seat engine.Player) bool {
	a, b = engine.Clone(g, a), engine.Clone(g, b)
	return a.Apply(x) == nil && b.Apply(y) == nil && engine.Look(a, seat).Hash() == engine.Look(b, seat).Hash()
}

// README.md describes every field.
func TestReadmeDescribesEveryField(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{Choice{}, Question{}, Event{}, Line{}, End{}} {
		for f := range reflect.TypeOf(v).Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("README.md does not describe %s of %T", name, v)
			}
		}
	}
	if !strings.Contains(string(page), "`"+TraceFormat+"`") {
		t.Errorf("README.md does not name the format %s", TraceFormat)
	}
}
