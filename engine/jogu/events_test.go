package jogu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
)

// R16.9: everything that happens in a round is told, in words.
func TestR16_9_WholeRoundsAreTold(t *testing.T) {
	for name, text := range map[string]string{
		"guards_agents":    "jogu(first=guards,second=agents)",
		"engineers_mibits": "jogu(first=engineers,second=mibits,start=first)",
		"hours_wu":         "jogu(first=any,second=wu,expansion=true)",
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.NewPCG(9, 16)
			s := enginetest.Game(t, text).New().(*jogu.State)
			told := enginetest.Hear(s, engine.Everything)
			for s.ToAct() != engine.Terminal && open(s).P.Round < 4 {
				moves := engine.Moves(s)
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
			enginetest.Golden(t, "testdata/told/"+name+".txt", text+"\n\n"+strings.Join(*told, "\n")+"\n")
		})
	}
}

// R16.9, R16.5, R16.7, R16.10 and Q36: what a seat is told depends on nothing that it
// may not know. Each case is played from several positions, or by several moves, that
// seat 1 cannot tell apart; the other seat gets to know the difference.
func TestR16_9_WorldsAreToldAlike(t *testing.T) {
	const spare = `,"location_card":[2,3],"location_pile":[[4,5],[4,5]]`
	same := func(position string, moves ...string) [][2]string {
		var list [][2]string
		for _, m := range moves {
			list = append(list, [2]string{position, m})
		}
		return list
	}
	for _, c := range []struct {
		name, game string
		worlds     [][2]string // position, moves
		want       string      // a part of what is told to seat 1
	}{
		{"R16.10 pending discards", "jogu(start=first)",
			same(`{"phase":"reinforcement","hand":[["explorer","explorer","patriot"],["conjurer"]],"draw":[[],[]]}`,
				"END", "CARD_explorer END", "CARD_explorer CARD_explorer END", "CARD_explorer CARD_explorer CARD_patriot", "CARD_patriot"), ""},
		{"Q36 a forced pass", "jogu(start=first)", [][2]string{
			{`{"hand":[["patriot","punisher"],["conjurer","conjurer","conjurer"]],"board":[{"owner":1,"card":"master_of_fire","loc":2}]` + spare + `}`,
				"CARD_patriot LOC_3 CARD_conjurer LOC_5 END"},
			{`{"hand":[["patriot","knight_2"],["conjurer","conjurer","conjurer"]],"board":[{"owner":1,"card":"master_of_fire","loc":2}]` + spare + `}`,
				"CARD_patriot LOC_3 CARD_conjurer LOC_5"},
		}, "R8.2   move seat=0 decision=D2 action=END | Seat 0: pass for the round"},
		{"R16.5 a face-down card", "jogu(first=agents,second=mibits,start=first)",
			same(`{"hand":[["smoke_n_screen","covert_junior_agent","covert_senior_agent"],["gangan_bit","medic"]]`+spare+`}`,
				"CARD_smoke_n_screen LOC_5", "CARD_covert_junior_agent LOC_5", "CARD_covert_senior_agent LOC_5"),
			"move seat=0 decision=D2 | Seat 0: play a card face down"},
		{"R16.7 a Support Tower", "jogu(first=engineers,second=agents,start=first)",
			same(`{"hand":[["support_tower","engineer_unit_1"],["saboteur","assassin"]],"board":[{"owner":0,"card":"engineer_unit_1","loc":4}],
				"draw":[["heavy_tower","support_tower","bomb_tower"],[]]`+spare+`}`,
				"CARD_support_tower SLOT_1", "CARD_support_tower SLOT_2", "CARD_support_tower SLOT_3"),
			"move seat=0 decision=D12 | Seat 0: put one of the cards seen at the bottom"},
		{"R16.4 an Explorer", "jogu(start=first)",
			same(`{"hand":[["explorer","patriot"],["conjurer","conjurer"]],"location_card":[2,3],"location_pile":[[{"unknown":[4,5]}],[4]]}`,
				"CARD_explorer LOC_2 LOCATION_4", "CARD_explorer LOC_2 LOCATION_5"), "next_location seat=0 | Seat 0 looks at its next Location Card"},
		{"R16.6 a draw of an unknown card", "jogu(first=hours,second=wu,expansion=true,start=first)", [][2]string{
			{`{"hand":[["echo","veteran"],["conjurer","conjurer"]],"draw":[[{"unknown":{"veteran":1,"echo":1}}],[]]` + spare + `}`,
				"CARD_echo LOC_2 DRAW_veteran"},
			{`{"hand":[["echo","veteran"],["conjurer","conjurer"]],"draw":[[{"unknown":{"veteran":1,"echo":1}}],[]]` + spare + `}`,
				"CARD_echo LOC_2 DRAW_echo"},
			{`{"hand":[["echo","veteran"],["conjurer","conjurer"]],"draw":[[{"unknown":{"echo":2}}],[]]` + spare + `}`, "CARD_echo LOC_2"},
		}, "draw seat=0 | Seat 0 draws a card of its draw pile"},
		{"R16.9 a forced D8", "jogu(first=mibits,second=wu,start=first)", [][2]string{
			{`{"hand":[["good_for_something","medic"],["conjurer","conjurer"]],"draw":[["gangan_bit"],[]]` + spare + `}`,
				"CARD_good_for_something LOC_2 CARD_medic"},
			{`{"hand":[["good_for_something","medic"],["conjurer","conjurer"]],"draw":[["medic"],[]]` + spare + `}`, "CARD_good_for_something LOC_2"},
		}, "move seat=0 decision=D8 action=CARD_medic | Seat 0: play Medic"},
	} {
		var want string
		for i, world := range c.worlds {
			s := load(t, c.game, world[0])
			told := enginetest.Hear(s, 1)
			do(t, c.game, s, strings.Fields(world[1])...)
			got := strings.Join(*told, "\n")
			if i == 0 {
				want = got
			}
			if got != want {
				t.Errorf("%s: seat 1 is told\n%s\nafter %s, and\n%s\nafter %s", c.name, want, c.worlds[0][1], got, world[1])
			}
			if !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%s: seat 1 is told\n%s\nwhich lacks %q", c.name, got, c.want)
			}
		}
	}
}

// R16.10: the discards of a player are one entry, made when both are done.
func TestR16_10_DiscardsAreOneEntry(t *testing.T) {
	const text = "jogu(start=first)"
	s := load(t, text, `{"phase":"reinforcement","hand":[["explorer","explorer","patriot"],["conjurer"]],"draw":[[],[]],"location_pile":[[4],[4]]}`)
	told := enginetest.Hear(s, engine.Everything)
	do(t, text, s, "CARD_explorer", "CARD_explorer", "END")
	if len(*told) != 0 {
		t.Errorf("while a choice is pending this is told: %q", *told)
	}
	do(t, text, s, "END")
	want := []string{
		"01 R6.1   discard seat=0 cards=[explorer explorer] | Seat 0 discards 2 Explorer",
		"01 R6.1   discard seat=1 cards=[] | Seat 1 discards nothing",
	}
	if got := (*told)[:2]; !slices.Equal(got, want) {
		t.Errorf("told is %q, want %q", got, want)
	}
}

// R16.9 and R16.10: two worlds in which a seat is told the same between two of its
// decisions look the same to it at the second. The worlds are a game and a new deal
// of it, in which chance and the opponent do what tells the seat the same.
func TestR16_9_ToldAlikeLooksAlike(t *testing.T) {
	for _, text := range []string{"jogu(first=any,second=any,expansion=true)", "jogu(first=engineers,second=mibits,auto_forced=false)",
		"jogu(first=agents,second=guards)"} {
		g, rng := enginetest.Game(t, text), rand.NewPCG(16, 10)
		tried, alike := 0, 0
		for range enginetest.Times(6) {
			s := g.New().(*jogu.State)
			for s.ToAct() != engine.Terminal {
				p := s.ToAct()
				moves := engine.Moves(s)
				a := moves[engine.Uint32N(rng, uint32(len(moves)))]
				if p < 0 || open(s).Decision() == jogu.DiscardDecision {
					if err := s.Apply(a); err != nil {
						t.Fatal(err)
					}
					continue
				}
				other := deal(s, p, rng)
				record := playOn(t, s, p, a, rng)
				if len(record) > 80 {
					continue // the round has ended; too much would have to agree
				}
				tried++
				if follow(t, g, other, p, a, record, rng) && other.ToAct() == s.ToAct() {
					alike++
					sameViews(t, fmt.Sprintf("told alike\n%s\n", strings.Join(record, "\n")), s, other, p)
				}
			}
		}
		if alike*4 < tried {
			t.Errorf("%s: only %d of %d new deals could be told alike", text, alike, tried)
		}
	}
}

// playOn plays a and goes on at random to the next decision of seat p or the end,
// and returns what p is told.
func playOn(t *testing.T, s *jogu.State, p engine.Player, a engine.Action, rng *rand.PCG) []string {
	t.Helper()
	told := enginetest.Hear(s, p)
	for {
		if err := s.Apply(a); err != nil {
			t.Fatal(err)
		}
		if s.ToAct() == p || s.ToAct() == engine.Terminal {
			s.Listen(nil)
			return *told
		}
		moves := engine.Moves(s)
		a = moves[engine.Uint32N(rng, uint32(len(moves)))]
	}
}

// follow plays a and goes on in s so that seat p is told the record, and reports
// whether that was possible.
func follow(t *testing.T, g engine.Game, s *jogu.State, p engine.Player, a engine.Action, record []string, rng *rand.PCG) bool {
	t.Helper()
	agrees := func(a engine.Action) bool {
		next := engine.Clone(g, s).(*jogu.State)
		told := enginetest.Hear(next, p)
		if err := next.Apply(a); err != nil {
			t.Fatal(err)
		}
		if len(*told) > len(record) || !slices.Equal(*told, record[:len(*told)]) {
			return false
		}
		next.Listen(nil)
		record, *s = record[len(*told):], *next
		return true
	}
	if !agrees(a) {
		return false
	}
	for s.ToAct() != p && s.ToAct() != engine.Terminal {
		moves := engine.Moves(s)
		rand.New(rng).Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		if !slices.ContainsFunc(moves, agrees) {
			return false
		}
	}
	return len(record) == 0
}

// R16.9: what is told agrees with the positions: numbers of cards, morale, points,
// products and ratings add up, and every decision and chance event tells something
// but for pending discards.
func TestEventsAgreeWithPositions(t *testing.T) {
	for _, text := range settings {
		g, rng := enginetest.Game(t, text), rand.NewPCG(3, 9)
		for range 3 {
			l := newLedger(t, g.New().(*jogu.State))
			for s := l.s; s.ToAct() != engine.Terminal; {
				moves, d := engine.Moves(s), open(s).Decision()
				before := l.events
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
				l.compare()
				if l.events == before && d != jogu.DiscardDecision {
					t.Errorf("%s: after %v nothing is told", text, d)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// ledger keeps the books of a game by what is told of it.
type ledger struct {
	t      *testing.T
	s      *jogu.State
	events int
	hand, discard, pile,
	morale, points [2]int
	products [2]int
	over     bool
}

func newLedger(t *testing.T, s *jogu.State) *ledger {
	l := &ledger{t: t, s: s}
	for p := range engine.Player(2) {
		l.morale[p], l.pile[p] = int(open(s).P.Morale[p]), jogu.DeckSize
	}
	s.Listen(l.book)
	return l
}

func (l *ledger) book(e *engine.Event) {
	l.events++
	args := map[string]any{}
	for _, a := range e.Args {
		args[a.Name] = a.Value
	}
	number := func(name string) int { return args[name].(int) }
	first := e.SeenBy(0) // events that are told otherwise to each seat are booked once
	switch e.Kind {
	case "move":
		if first {
			l.bookMove(number("seat"), fmt.Sprint(args["decision"]), fmt.Sprint(args["action"]))
		}
	case "draw":
		if first {
			l.hand[number("seat")]++
			l.pile[number("seat")]--
		}
	case "discard":
		n := len(args["cards"].([]string))
		l.hand[number("seat")] -= n
		l.discard[number("seat")] += n
	case "hit":
		if args["discarded"].(bool) {
			l.hand[number("owner")]--
			l.discard[number("owner")]++
		}
	case "discarded":
		l.discard[number("owner")]++
		if args["location"] == nil {
			l.pile[number("owner")]--
		}
	case "left":
		l.discard[number("owner")] += number("number")
	case "morale":
		l.morale[number("seat")] += number("change")
		if l.morale[number("seat")] != number("morale") {
			l.t.Errorf("%s, which does not add up", e.Text)
		}
	case "strength":
		if args["battle"].(bool) {
			for i, n := range args["products"].([]int) {
				l.products[i] += n
			}
		}
	case "round_won":
		l.points[number("winner")]++
		if fmt.Sprint(args["ratings"]) != fmt.Sprint(l.products) || fmt.Sprint(args["points"]) != fmt.Sprint(l.points) {
			l.t.Errorf("%s: products add up to %v, points to %v, arguments %v", e.Text, l.products, l.points, args)
		}
		l.products = [2]int{}
	case "game_over":
		l.over = true
	}
}

func (l *ledger) bookMove(seat int, decision, action string) {
	played := strings.HasPrefix(action, "CARD_") || action == "<nil>"
	switch {
	case (decision == "D2" || decision == "D8") && played:
		l.hand[seat]--
	case decision == "D7":
		l.discard[seat]--
	case decision == "D9" && played:
		l.discard[seat]--
		l.pile[seat]++
	case decision == "D10b":
		l.pile[seat]++
	}
}

func (l *ledger) compare() {
	for p := range engine.Player(2) {
		discard := 0
		for _, n := range open(l.s).P.Seats[p].Discard {
			discard += int(n)
		}
		got := []int{int(open(l.s).P.Seats[p].HandSize), discard, int(open(l.s).P.Morale[p])}
		want := []int{l.hand[p], l.discard[p], l.morale[p]}
		if open(l.s).Faction(p) >= 0 {
			got, want = append(got, int(open(l.s).P.Seats[p].PileSize())), append(want, l.pile[p])
		}
		if !slices.Equal(got, want) {
			l.t.Errorf("seat %d has hand, discard, morale and pile %v, told were %v", p, got, want)
		}
	}
	if l.over != (l.s.ToAct() == engine.Terminal) {
		l.t.Errorf("told that the game is over: %v, seat %d is to act", l.over, l.s.ToAct())
	}
}

// dropped is rare: vectors/OV03 has one.
func TestEvents(t *testing.T) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(t, name))
	}
	enginetest.Events(t, jogu.Family, all, "dropped")
}
