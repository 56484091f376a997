package minuteman

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/option"
)

// toldGames are games whose events together are of every kind but the rarest.
func toldGames(t *testing.T) []*game {
	t.Helper()
	var list []*game
	for _, options := range []string{"", "scenario=partisan", "scenario=occupation foreign_intervention=true air_assault=true amphibious_assault=true",
		"scenario=civil_war canada_mexico=true foreign_intervention=true", "government=unprepared rebel=uncoordinated",
		"government=prepared rebel=organized canada_mexico=true",
		"players=3", "players=4 foreign_intervention=true"} {
		var args []option.Argument
		for _, o := range strings.Fields(options) {
			name, value, _ := strings.Cut(o, "=")
			args = append(args, argument(name, value))
		}
		list = append(list, configured(t, args...))
	}
	return list
}

// playOut plays a game at random, with the Revolution passed over mostly.
func playOut(t *testing.T, s *State, seed uint64, after func()) {
	t.Helper()
	rng := rand.NewPCG(seed, 11)
	for s.ToAct() != engine.Terminal && !t.Failed() {
		moves := engine.Moves(s)
		a := moves[engine.Uint32N(rng, uint32(len(moves)))]
		if a == actRevolution && s.ToAct() >= 0 && engine.Uint32N(rng, 30) > 0 {
			a = moves[0]
		}
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
		after()
	}
}

// ledger keeps the books of a game by what is told of it.
type ledger struct {
	t        *testing.T
	units    map[string]*entry
	flags    map[string]bool // riot, unrest and informer with the hex
	held     [maxSeats]int   // special markers
	track    int
	phase    string
	turn     int
	commit   int
	revolted bool
	over     bool
}

// entry is a unit that is told to be on the map.
type entry struct {
	hex, step, counter          string
	hidden, underground, pinned bool
}

// open begins the books with what stands on the map.
func open(t *testing.T, g *game, p *Position) *ledger {
	l := &ledger{t: t, units: map[string]*entry{}, flags: map[string]bool{}, phase: phaseNames[p.Phase]}
	for u := range p.Units {
		if p.Units[u].Hex != noHex {
			l.units[g.name[u]] = read(g, p, UnitID(u))
		}
	}
	return l
}

// read says what stands on the map.
func read(g *game, p *Position, u UnitID) *entry {
	x := &p.Units[u]
	e := &entry{hex: g.hexes[x.Hex].id, hidden: x.Marks&untried != 0, underground: x.Marks&underground != 0, pinned: x.Marks&pinned != 0}
	if k := g.kind[u]; k != militia && k != army {
		e.step = g.stepWord(u, x.Step)
	} else if !e.hidden {
		e.counter = g.masked[p.Counter[u-milFirst]].id
	}
	return e
}

func (l *ledger) book(e *engine.Event) {
	args := map[string]any{}
	for _, a := range e.Args {
		args[a.Name] = a.Value
	}
	text := func(name string) string { return fmt.Sprint(args[name]) }
	n := func(name string) int { return args[name].(int) }
	unit := l.units[text("unit")]
	if unit == nil && args["unit"] != nil && !strings.HasPrefix(e.Kind, "placed") {
		l.t.Errorf("%s, but it is not on the map", e.Text)
		return
	}
	switch e.Kind {
	case "placed":
		l.units[text("unit")] = &entry{hex: text("hex"), step: "weak"}
		if strings.HasPrefix(text("unit"), "CIG") {
			l.units[text("unit")].step = "at step 1"
		}
	case "placed_untried":
		l.units[text("unit")] = &entry{hex: text("hex"), hidden: true}
	case "moved", "retreated", "advanced":
		if unit.hex != text("from") {
			l.t.Errorf("%s, but it stands in %s", e.Text, unit.hex)
		}
		unit.hex = text("to")
	case "eliminated":
		delete(l.units, text("unit"))
	case "step":
		unit.step = text("step")
	case "underground", "surfaced":
		unit.underground = e.Kind == "underground"
	case "pinned":
		unit.pinned = true
	case "pin_removal":
		unit.pinned = !args["succeeded"].(bool)
	case "changed_sides":
		unit.pinned = unit.pinned && text("side") == "Government"
	case "revealed":
		unit.hidden, unit.counter = false, text("counter")
	case "riot", "unrest", "informer":
		l.flags[e.Kind+text("hex")] = true
		if e.Kind == "riot" {
			delete(l.flags, "unrest"+text("hex"))
		}
	case "riot_removed", "unrest_removed", "informer_removed":
		delete(l.flags, strings.TrimSuffix(e.Kind, "_removed")+text("hex"))
	case "marker":
		l.held[n("seat")] += int(b2u(!e.Veiled))
	case "markers_returned":
		l.held[n("seat")] -= n("number")
	case "track":
		l.track = n("track")
	case "turn":
		l.turn = n("turn")
	case "phase":
		l.phase = text("phase")
	case "committed":
		l.commit = n("committed")
	case "revolution":
		l.revolted = true
		for _, x := range l.units {
			x.underground = false
		}
	case "government":
		l.revolted = false
	case "end":
		l.over = true
	}
}

func (l *ledger) compare(g *game, p *Position) {
	for u := range p.Units {
		x := l.units[g.name[u]]
		switch {
		case (p.Units[u].Hex == noHex) != (x == nil):
			l.t.Errorf("%s in %d is told as %v", g.name[u], p.Units[u].Hex, x)
		case x != nil && *x != *read(g, p, UnitID(u)):
			l.t.Errorf("%s is told as %+v and is %+v", g.name[u], *x, *read(g, p, UnitID(u)))
		}
	}
	flags := map[string]bool{}
	for h := range HexID(numHexes) {
		for name, on := range map[string]bool{"riot": g.riotAt(p, h), "unrest": p.Unrest.has(h), "informer": g.informerAt(p, h)} {
			if on {
				flags[name+g.hexes[h].id] = true
			}
		}
	}
	if fmt.Sprint(flags) != fmt.Sprint(l.flags) {
		l.t.Errorf("told are %v, there are %v", l.flags, flags)
	}
	var held [maxSeats]int
	for s, n := range p.HandSize {
		held[s] = int(n)
	}
	got := []any{held, int(p.Track), int(p.Turn), int(p.Commit), p.RevTurn > 0, p.Phase == over}
	want := []any{l.held, l.track, l.turn, l.commit, l.revolted, l.over}
	if !slices.Equal(got, want) || p.Phase != phaseN && p.Phase != over && phaseNames[p.Phase] != l.phase {
		l.t.Errorf("phase %s, held, track, turn, committed, Revolution and end are %v; told are %s, %v", phaseNames[p.Phase], got, l.phase, want)
	}
}

// TestEventsAgreeWithPositions is about R2: the map, the hands and the tracks of a game
// can be told from its events alone.
func TestEventsAgreeWithPositions(t *testing.T) {
	for i, g := range toldGames(t) {
		t.Run(g.spec.Text, func(t *testing.T) {
			s := g.New().(*State)
			l := open(t, g, &s.P)
			s.Listen(l.book)
			playOut(t, s, uint64(i), func() { l.compare(g, &s.P) })
		})
	}
}

// TestMarkersAreVeiled is about R14.3: who draws a special marker sees which, the others
// that one was drawn.
func TestMarkersAreVeiled(t *testing.T) {
	s, seen := configured(t).New().(*State), 0
	s.Listen(func(e *engine.Event) {
		if e.Kind != "marker" {
			return
		}
		seen++
		named := slices.ContainsFunc(e.Args, func(a engine.Arg) bool { return a.Name == "marker" })
		own := e.SeenBy(engine.Player(e.Args[0].Value.(int)))
		if named != own || e.Veiled == own || strings.Contains(e.Text, ":") != own {
			t.Errorf("seats %b are told %q", e.Seen, e.Text)
		}
	})
	playOut(t, s, 3, func() {})
	if seen == 0 {
		t.Error("no special marker was drawn")
	}
}
