package bloc_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/flow"
)

// step makes a random move.
func step(t *testing.T, s *bloc.State, rng *rand.PCG) {
	t.Helper()
	moves := engine.Moves(s)
	if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
		t.Fatal(err)
	}
}

// richState is a random position of a late game.
func richState(t *testing.T, g engine.Game, rng *rand.PCG) *bloc.State {
	t.Helper()
	s, err := g.Load([]byte(rich(g, rng)), engine.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*bloc.State)
}

// R16.2: all that happens is told, from the first tile to the last night. The files are for
// reading.
func TestGamesAreTold(t *testing.T) {
	for name, text := range map[string]string{"set_up_and_a_night": "bloc(mode=semi_cooperative)", "late_night": "bloc(city=beginner,players=2)"} {
		t.Run(name, func(t *testing.T) {
			rng := rand.NewPCG(16, 2)
			g := enginetest.Game(t, text)
			s := g.New().(*bloc.State)
			if name == "late_night" {
				s = richState(t, g, rng)
			}
			told := enginetest.Hear(s, engine.Everything)
			for first := view(s, 0).P.Night; s.ToAct() != engine.Terminal && view(s, 0).P.Night <= max(first, 1); {
				step(t, s, rng)
			}
			enginetest.Golden(t, "testdata/told/"+name+".txt", text+"\n\n"+strings.Join(*told, "\n")+"\n")
		})
	}
}

// Telling costs nothing where nobody listens: whole games are played without an allocation.
func TestTellingIsFree(t *testing.T) {
	for _, text := range []string{"bloc(city=beginner)", "bloc(city=beginner,mode=semi_cooperative)", "bloc(scenario=beginner_city,players=3)"} {
		g := enginetest.Game(t, text)
		start, rng := richState(t, g, rand.NewPCG(4, 4)), rand.NewPCG(4, 5)
		s := engine.Unwritten(g).(*bloc.State)
		moves := make([]engine.Action, 0, len(g.Spec().Actions))
		outcomes := make([]engine.Outcome, 0, len(g.Spec().Outcomes))
		night := 0
		if n := testing.AllocsPerRun(1, func() {
			for range 3 {
				for s.CopyFrom(start); s.ToAct() != engine.Terminal; night = max(night, int(s.P.Night)) {
					a := engine.Action(0)
					if outcomes = s.Outcomes(outcomes[:0]); s.ToAct() == engine.Chance {
						a = engine.Sample(outcomes, rng)
					} else {
						moves = s.Legal(moves[:0])
						a = moves[engine.Uint32N(rng, uint32(len(moves)))]
					}
					if err := s.Apply(a); err != nil {
						t.Fatal(err)
					}
				}
			}
		}); n > 0 && !enginetest.Race && !flow.Invariants {
			t.Errorf("%s: %.0f allocations in three games, want none", text, n)
		}
		if night <= int(start.P.Night) {
			t.Errorf("%s: no game comes to a second night", text)
		}
	}
}

// R15.1: while the view of a seat stands still, because others are asked in secret, it is
// told nothing: what is told agrees with what is seen, at each moment.
func TestR15_1_NothingIsToldInAMoment(t *testing.T) {
	rng, still := rand.NewPCG(15, 1), 0
	for _, text := range []string{"bloc(city=beginner)", "bloc(city=beginner,mode=semi_cooperative,auto_forced=true)",
		"bloc(scenario=beginner_city,players=3)"} {
		g := enginetest.Game(t, text)
		for range enginetest.Times(40) {
			s := richState(t, g, rng)
			told := make([]int, g.Spec().Seats)
			s.Listen(func(e *engine.Event) {
				for p := range told {
					if e.SeenBy(engine.Player(p)) {
						told[p]++
					}
				}
			})
			for range 400 {
				if s.ToAct() == engine.Terminal {
					break
				}
				var before []uint64
				for p := range told {
					v := view(s, engine.Player(p))
					before = append(before, v.Hash())
					if v.ToAct() != engine.Nobody {
						before[p] = 0
					}
				}
				clear(told)
				step(t, s, rng)
				for p, n := range told {
					v := view(s, engine.Player(p))
					if v.ToAct() != engine.Nobody || v.Hash() != before[p] {
						continue
					}
					if still++; n > 0 {
						t.Fatalf("%s: seat %d sees the same as before, and is told %d events", text, p, n)
					}
				}
			}
		}
	}
	if still < 20 {
		t.Errorf("only %d moves in a moment", still)
	}
}

// R16.1: the books kept by what one seat is told agree with what it sees: pieces of every
// district, mats, dice, morale, hands and decks. So it learns of everything that happens.
func TestEventsAgreeWithPositions(t *testing.T) {
	for _, text := range settings {
		g, rng := enginetest.Game(t, text), rand.NewPCG(3, 9)
		keepBooks(t, g, g.New().(*bloc.State), rng)
		if strings.Contains(text, "beginner_city") || text == "bloc(players=2)" {
			for range enginetest.Times(8) {
				g := enginetest.Game(t, strings.Replace(text, "players=2", "players=2,city=beginner", 1))
				keepBooks(t, g, richState(t, g, rng), rng)
			}
		}
	}
}

func keepBooks(t *testing.T, g engine.Game, s *bloc.State, rng *rand.PCG) {
	t.Helper()
	seat := engine.Player(engine.Uint32N(rng, uint32(g.Spec().Seats)))
	books := ledger(facts(t, s))
	var told []string
	s.Listen(func(e *engine.Event) {
		if e.SeenBy(seat) {
			books.book(e)
			told = append(told, enginetest.EventText(e, len(s.Returns(nil))))
		}
	})
	for range 600 {
		if s.ToAct() == engine.Terminal || t.Failed() {
			return
		}
		quiet := engine.Clone(g, s).(*bloc.State)
		told = told[:0]
		step(t, s, rng)
		if now := ledger(facts(t, s)); fmt.Sprint(books) != fmt.Sprint(now) {
			for k := range now {
				if now[k] != books[k] {
					t.Errorf("%s: %s is %d, told was %d", g.Spec().Text, k, now[k], books[k])
				}
			}
			for k := range books {
				if now[k] != books[k] {
					t.Errorf("%s: %s is %d, told was %d", g.Spec().Text, k, now[k], books[k])
				}
			}
			t.Logf("from\n%s\nseat %d was told\n%s", dump(t, quiet), seat, strings.Join(told, "\n"))
		}
	}
}

// ledger is what a seat can keep of a game: numbers by name; zeroes are left out.
type ledger map[string]int

// facts reads a ledger off a position.
func facts(t *testing.T, s *bloc.State) map[string]int {
	t.Helper()
	var x struct {
		table
		Drawn   map[string]int
		Pending struct{ Who string }
	}
	if err := json.Unmarshal([]byte(dump(t, s)), &x); err != nil {
		t.Fatal(err)
	}
	m := ledger{}
	for tile, d := range x.Districts {
		for f, n := range d.Blocs {
			m.add(n, "blocs", f, tile)
		}
		m.add(d.Cops, "cops", tile)
		if d.Van != nil {
			m.add(1+*d.Van, "van", tile)
		}
		if d.Occupation != nil {
			m.add(1, "occupation", d.Occupation[0], d.Occupation[1], tile)
		}
		m.add(d.Centers[1], "graffitied", tile)
		m.add(d.Centers[2], "burned", tile)
		if d.Liberated && tile != "community_defense_hq" && tile != "communal_gardens" {
			m.add(1, "liberated", tile)
		}
	}
	for f, hand := range x.Hands {
		m.add(len(hand), "hand", f)
	}
	for _, n := range x.Drawn {
		m.add(n, "hand", x.Pending.Who)
	}
	for _, v := range x.Dice {
		m.add(1, "die", fmt.Sprint(v))
	}
	for _, n := range x.Barricades {
		m.add(n.Count, "barricades")
	}
	m.add(x.Morale, "morale")
	m.add(x.Jammers, "jammers")
	if x.Lockdown != nil {
		m.add(1, "lockdown", *x.Lockdown)
	}
	return m
}

func (m ledger) add(n int, words ...string) {
	key := strings.Join(words, " ")
	if m[key] += n; m[key] == 0 {
		delete(m, key)
	}
}

func (m ledger) set(n int, words ...string) {
	delete(m, strings.Join(words, " "))
	m.add(n, words...)
}

// drop forgets everything that begins with a word.
func (m ledger) drop(word string) {
	for k := range m {
		if strings.HasPrefix(k, word) {
			delete(m, k)
		}
	}
}

// book enters an event.
func (m ledger) book(e *engine.Event) {
	args := map[string]any{}
	for _, a := range e.Args {
		args[a.Name] = a.Value
	}
	s := func(name string) string { return args[name].(string) }
	n := func(name string) int { return args[name].(int) }
	switch e.Kind {
	case "played", "discarded":
		m.add(-1, "hand", s("faction"))
	case "draw":
		m.add(1, "hand", s("faction"))
	case "handed":
		m.add(-1, "hand", s("faction"))
		m.add(1, "hand", s("partner"))
	case "formed", "saved":
		m.add(n("blocs"), "blocs", s("faction"), s("district"))
	case "defeated":
		m.add(-n("blocs"), "blocs", s("faction"), s("district"))
	case "moved":
		m.add(-n("blocs"), "blocs", s("faction"), s("from"))
		m.add(n("blocs"), "blocs", s("faction"), s("to"))
	case "cops_deployed":
		m.add(n("cops"), "cops", s("district"))
	case "cops_withdrawn":
		m.add(-n("cops"), "cops", s("district"))
	case "cops_moved":
		m.add(-n("cops"), "cops", s("from"))
		m.add(n("cops"), "cops", s("to"))
	case "van_deployed":
		m.set(1, "van", s("district"))
	case "van_hit":
		m.set(1+n("hits"), "van", s("district"))
	case "van_destroyed":
		m.set(0, "van", s("district"))
	case "vans_moved":
		for _, tile := range args["from"].([]string) {
			m.set(0, "van", tile)
		}
		for _, tile := range args["to"].([]string) {
			m.set(1, "van", tile)
		}
	case "built":
		m.add(1, "occupation", s("faction"), s("occupation"), s("district"))
	case "evicted":
		m.add(-1, "occupation", s("faction"), s("occupation"), s("district"))
	case "looted":
		m.add(1, s("how"), s("district"))
		if s("how") == "burned" {
			m.add(-1, "graffitied", s("district"))
		}
	case "liberated":
		m.set(1, "liberated", s("district"))
		m.set(0, "graffitied", s("district"))
		m.set(0, "burned", s("district"))
	case "die":
		m.add(1, "die", fmt.Sprint(n("value")))
	case "spent":
		m.add(-1, "die", fmt.Sprint(n("value")))
	case "turn", "sunrise":
		m.drop("die")
		m.drop("jammers")
		if e.Kind == "sunrise" {
			for _, tile := range args["repaired"].([]string) {
				m.set(1, "van", tile)
			}
		}
	case "jammers":
		m.set(n("cards"), "jammers")
	case "barricade":
		m.add(1, "barricades")
	case "dismantled":
		m.add(-n("barricades"), "barricades")
	case "morale":
		m.set(n("morale_step"), "morale")
	case "metro_locked":
		m.set(1, "lockdown", s("faction"))
	case "metro_open":
		m.drop("lockdown")
	}
}

// Every event is listed in README.md, cites a rule and is a sentence: in random games of all
// settings, and in random positions of late games, which such games hardly reach.
func TestEvents(t *testing.T) {
	var games []engine.Game
	for _, text := range settings {
		games = append(games, enginetest.Game(t, text))
	}
	late, rng := enginetest.Game(t, "bloc(city=beginner)"), rand.NewPCG(8, 5)
	for range 8 {
		games = append(games, &begun{late, func() string { return rich(late, rng) }})
	}
	games = append(games, &begun{late, func() string { // the last card of the loot deck is drawn
		return `{"active":"workers","dice":[6,6,6,6],"districts":{"commercial_3":{"blocs":{"workers":9}}},"loot_deck":{"bikes":1},"loot_discard":{"lumber":2}}`
	}})
	enginetest.Events(t, bloc.Family, games, "stand_in")
}

// begun is a game that begins in other positions.
type begun struct {
	engine.Game
	position func() string
}

func (g *begun) New() engine.State {
	s, err := g.Load([]byte(g.position()), engine.Lenient)
	if err != nil {
		panic(err)
	}
	return s
}
