package domination_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/option"
)

// Most rules are pinned by the scripts under testdata; here are those that need
// more than a position and some moves.
var (
	load   = enginetest.Load[*domination.State]
	do     = enginetest.Do[*domination.State]
	fields = enginetest.Fields
	expect = enginetest.Expect
)

// R5.1, R5.2, R5.3, R5.5, R5.7, R1.5, R2.10, R3.1 and the rulings Q4, Q6, Q8, Q9, Q11: what
// stands on the table before the first draw.
func TestR5_1_StartOfTheGame(t *testing.T) {
	for n := 2; n <= 6; n++ {
		text := fmt.Sprintf("domination(players=%d)", n)
		s := enginetest.Game(t, text).New().(*domination.State)
		do(t, text, s, "POOL Mega Storm")
		if open(s).Seats() != n || open(s).P.Turn != 0 || open(s).P.First != domination.NoSeat || open(s).P.Full != 0 {
			t.Errorf("%s: %d seats, Game Turn %d, First Player %d", text, open(s).Seats(), open(s).P.Turn, open(s).P.First)
		}
		for p := range engine.Player(n) {
			if open(s).P.Own[p] != 0 || open(s).P.VP[p] != 0 || open(s).P.Logistics[p] != 4 || open(s).P.Seats[p].HandSize != 0 ||
				open(s).P.Seats[p].Discards != 0 ||
				open(s).P.Seats[p].Deck != (domination.Counts{0: 4}) || open(s).P.Seats[p].DeckSize != 4 {
				t.Errorf("%s: seat %d starts with Forces %b, %d VPs, %d Logistical Support, a hand of %d, a deck %v", text, p,
					open(s).P.Own[p], open(s).P.VP[p], open(s).P.Logistics[p], open(s).P.Seats[p].HandSize, open(s).P.Seats[p].Deck)
			}
		}
		stacks := 0
		for c := range domination.Cards {
			stacks += int(open(s).P.Stack[c])
		}
		if stacks != 60 || open(s).P.Stack[0] != 0 {
			t.Errorf("%s: %d cards in the stacks, want 60", text, stacks)
		}
	}
}

// R5.4 (C1) and Q3: the chances along the events of a pool multiply to one in the
// number of pools, whichever pool it is.
func TestR5_4_PoolsAreEquallyLikely(t *testing.T) {
	rng := rand.NewPCG(5, 4)
	for text, pools := range map[string]int64{"domination": 1961256, "domination(extended_pool=true)": 5311735} {
		g := enginetest.Game(t, text)
		for range 200 {
			s, p := g.New().(*domination.State), big.NewRat(1, 1)
			for fields(t, s)["decision"] == "C1" {
				outcomes := s.Outcomes(nil)
				o := outcomes[engine.Uint32N(rng, uint32(len(outcomes)))] // any pool, not a likely one
				p.Mul(p, big.NewRat(int64(o.Weight), int64(engine.Total(outcomes))))
				if err := s.Apply(o.Action); err != nil {
					t.Fatal(err)
				}
			}
			if want := big.NewRat(1, pools); p.Cmp(want) != 0 {
				t.Fatalf("%s: the pool %b has the chance %v, want %v", text, open(s).P.Pool, p, want)
			}
		}
	}
}

// R5.6 (C2), R1.7: every seat is First Player with the same chance, and the pool, the
// First Player and the cards drawn are all that chance decides.
func TestR5_6_FirstPlayerByLot(t *testing.T) {
	for n := 2; n <= 6; n++ {
		text := fmt.Sprintf("domination(players=%d,fixed_pool=%s)", n, fixedPool)
		g := enginetest.Game(t, text)
		outcomes := g.New().(engine.Stochastic).Outcomes(nil)
		if len(outcomes) != n || int(engine.Total(outcomes)) != n {
			t.Errorf("%s: the First Player is drawn among %v", text, outcomes)
		}
		for _, name := range g.Spec().Outcomes {
			if kind, _, _ := strings.Cut(name, " "); kind != "POOL" && kind != "FIRST_PLAYER" && kind != "DRAW" {
				t.Errorf("%s: outcome %q", text, name)
			}
		}
	}
}

// R12.1, R12.2: the options are those of data/setup.json, with the number of players
// and the asking of forced moves, and no others.
func TestR12_2_Options(t *testing.T) {
	data, err := os.ReadFile("data/setup.json")
	if err != nil {
		t.Fatal(err)
	}
	var setup struct {
		Options []struct {
			ID      string
			Default any
			Range   []float64
		}
	}
	if err := json.Unmarshal(data, &setup); err != nil {
		t.Fatal(err)
	}
	want := []string{"players", "auto_forced"}
	for _, o := range setup.Options {
		want = append(want, o.ID)
		for _, have := range domination.Family.Options {
			if have.Name != o.ID {
				continue
			}
			value := fmt.Sprint(o.Default)
			if o.Default == nil {
				value = "random"
			}
			if have.Default != value || o.Range != nil && (have.Min != o.Range[0] || have.Max != o.Range[1]) {
				t.Errorf("option %s: default %s, range %g to %g; data/setup.json says %v, %v", o.ID, have.Default, have.Min, have.Max, o.Default, o.Range)
			}
		}
	}
	var got []string
	for _, o := range domination.Family.Options {
		got = append(got, o.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("options %v, want %v", got, want)
	}
}

// R1.5, R5.4, R5.6, Q6: what makes no sense is refused with the reason.
func TestR1_5_BadOptionsAreRefused(t *testing.T) {
	nine := strings.Join(strings.Split(fixedPool, "+")[:9], "+")
	for text, want := range map[string]string{
		"domination(players=1)":                                 "players is a whole number from 2 to 6",
		"domination(players=7)":                                 "players is a whole number from 2 to 6",
		"domination(players=3,first_player=3)":                  "first_player=3 with players=3; it is random or 0 to 2",
		"domination(fixed_pool=" + nine + ")":                   "9 types are named; it has 10",
		"domination(fixed_pool=nukes+" + nine + ")":             `"nukes" is no Action card; they are agricultural_control, airborne_forces`,
		"domination(fixed_pool=domination+" + nine + ")":        `"domination" is no Action card`,
		"domination(fixed_pool=surrender+" + nine + ")":         "surrender is named twice",
		"domination(fixed_pool=strategic_bombers+" + nine + ")": "strategic_bombers needs extended_pool=true",
		"domination(turns=0)":                                   "turns is a whole number from 1 to 20",
		"domination(copies_per_stack=13)":                       "copies_per_stack is a whole number from 1 to 12",
		"domination(logistics_max=3)":                           "logistics_max is a whole number from 4 to 20",
		"domination(rotate_first_player=yes)":                   "rotate_first_player is true or false",
	} {
		_, err := games.New(text)
		if !errors.Is(err, option.ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// A pool is the same game in whatever order its types are named, and the canonical
// game string makes that game.
func TestPoolHasOneSpelling(t *testing.T) {
	ids := strings.Split(fixedPool, "+")
	a := enginetest.Game(t, "domination(turns=3,fixed_pool="+strings.Join(ids, "+")+")").Spec().Text
	slices.Reverse(ids)
	b := enginetest.Game(t, "domination(turns=3,fixed_pool="+strings.Join(ids, "+")+")").Spec().Text
	if a != b || !strings.Contains(a, "airborne_forces+fog_of_war+bio_weapons+") {
		t.Errorf("one pool is named %s and %s", a, b)
	}
	if again := enginetest.Game(t, a).Spec().Text; again != a {
		t.Errorf("%s makes %s", a, again)
	}
}

// poolOf names ten types, those given first.
func poolOf(first ...string) string {
	facts, err := domination.NewFacts()
	if err != nil {
		panic(err)
	}
	for _, c := range facts.Cards[1:] {
		if len(first) < domination.PoolSize && !slices.Contains(first, c.ID) {
			first = append(first, c.ID)
		}
	}
	return strings.Join(first, "+")
}

// R7.1, R7.2, R7.4, R7.5, R7.7 and R8.1 (last sentence): every card builds, attacks
// and is discarded by the values printed on it.
func TestR7_1_EveryCardInEveryWay(t *testing.T) {
	facts, err := domination.NewFacts()
	if err != nil {
		t.Fatal(err)
	}
	for c, f := range facts.Cards {
		pool := poolOf()
		if c > 0 {
			pool = poolOf(f.ID)
		}
		text := "domination(extended_pool=true,auto_forced=false,fixed_pool=" + pool + ")"
		position := fmt.Sprintf(`{"active":0,"first_player":0,"hands":{"0":[%q,"Domination"],"1":["Domination"]},"areas":{"USA":{"owner":1,"strength":"full"}}}`, f.Name)
		for way, points := range map[string]uint8{"BUILD_WITH": f.Build, "ATTACK_WITH": f.Reduction} {
			s := load(t, text, position)
			do(t, text, s, way+" "+f.Name)
			if u := open(s).P.Frame; int(u.Card) != c || u.Actor != 0 || u.Points != points || open(s).P.Seats[0].Discard[c] != 1 {
				t.Errorf("%s %s: %+v, want %d points, and the card in the discard pile", way, f.Name, u, points)
			}
		}
		s := load(t, text, position)
		do(t, text, s, "DISCARD1 "+f.Name, "BUY Agricultural Control")
		if open(s).P.Seats[0].Discards != 2 || open(s).P.Seats[0].Discard[c] == 0 || open(s).P.Seats[0].Discard[1] == 0 {
			t.Errorf("DISCARD1 %s leaves the discard pile %v", f.Name, open(s).P.Seats[0].Discard)
		}
		s = load(t, text, position)
		do(t, text, s, "DISCARD2_FIRST Domination", "DISCARD2_SECOND "+f.Name, "BUY Agricultural Control")
		if open(s).P.Seats[0].Discards != 2 || open(s).P.Seats[0].HandSize != 1 || open(s).P.Seats[0].Hand[1] != 1 {
			t.Errorf("DISCARD2 with %s leaves the hand %v and the discard pile %v", f.Name, open(s).P.Seats[0].Hand, open(s).P.Seats[0].Discard)
		}
	}
}

// R10.2, R-06 and Q31: the winners share 1, before the end everybody has 0.
func TestR10_2_Returns(t *testing.T) {
	for vp, want := range map[string][]float32{
		"[3,9,9,1]": {0, 0.5, 0.5, 0}, "[0,0,0,0]": {0.25, 0.25, 0.25, 0.25}, "[120,7,7,7]": {1, 0, 0, 0}, "[5,5,5,2]": {1. / 3, 1. / 3, 1. / 3, 0},
	} {
		s := load(t, "domination(players=4)", `{"phase":"over","vp":`+vp+`}`)
		if got := s.Returns(nil); s.ToAct() != engine.Terminal || !slices.Equal(got, want) {
			t.Errorf("VPs %s return %v, want %v", vp, got, want)
		}
		s = load(t, "domination(players=4)", `{"active":0,"hands":{"0":["Domination"]},"vp":`+vp+`}`)
		if got := s.Returns(nil); !slices.Equal(got, make([]float32, 4)) || open(s).Winners() != 0 {
			t.Errorf("in play VPs %s return %v", vp, got)
		}
	}
}

// R10.3, R10.4: the proven bounds, and random games within them.
func TestR10_3_Bounds(t *testing.T) {
	for text, want := range map[string]int{"domination": 11756, "domination(players=6)": 37044, "domination(players=2,turns=1)": 8*79 + 8} {
		if n := enginetest.Game(t, text).Spec().MaxDecisions; n != want {
			t.Errorf("%s: at most %d decisions, want %d", text, n, want)
		}
	}
	rng := rand.NewPCG(10, 3)
	for n := 2; n <= 6; n++ {
		g := enginetest.Game(t, fmt.Sprintf("domination(players=%d)", n))
		for range enginetest.Times(60) {
			s, decisions := g.New().(*domination.State), 0
			var moves []engine.Action
			for s.ToAct() != engine.Terminal {
				if s.ToAct() == engine.Chance {
					if err := s.Apply(engine.Sample(s.Outcomes(nil), rng)); err != nil {
						t.Fatal(err)
					}
					continue
				}
				moves = s.Legal(moves[:0])
				decisions++
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
			if decisions > g.Spec().MaxDecisions {
				t.Fatalf("R10.3: %d decisions with %d players", decisions, n)
			}
			sum := float32(0)
			for p, r := range s.Returns(nil) {
				sum += r
				if vp := open(s).P.VP[p]; vp > 1250 {
					t.Fatalf("R10.4: %d VPs", vp)
				}
			}
			if sum < 0.999 || sum > 1.001 {
				t.Fatalf("R10.2: the returns of %d players add up to %g", n, sum)
			}
		}
	}
}

// R11.2, Q37: 275 actions, the same for all options.
func TestR11_2_Vocabulary(t *testing.T) {
	first := enginetest.Game(t, "domination").Spec().Actions
	if len(first) != 275 || first[4] != "ACCEPT" || first[167+8] != "BUY Fog of War" || first[219+24] != "REDUCE_AT SOU" ||
		first[274] != "TARGET_PLAYER 5" {
		t.Errorf("%d actions: %q", len(first), first)
	}
	for _, text := range settings {
		if spec := enginetest.Game(t, text).Spec(); !slices.Equal(spec.Actions, first) {
			t.Errorf("%s has other actions", text)
		}
	}
}

// rotated moves every seat of a JSON position one to the left.
func rotated(t *testing.T, s *domination.State) []byte {
	t.Helper()
	n := open(s).Seats()
	turn := func(seat float64) float64 { return float64((int(seat) + 1) % n) }
	m := fields(t, s)
	whole, m := enginetest.AtRest(m) // the answers since count seats from the actor
	for name, v := range m {
		switch v := v.(type) {
		case []any:
			if name == "passed" || name == "vp" || name == "logistics" {
				m[name] = append([]any{v[n-1]}, v[:n-1]...)
			}
			if name == "fog_players" {
				for i := range v {
					v[i] = turn(v[i].(float64))
				}
			}
		case float64:
			if name == "first_player" || name == "active" || name == "window_seat" || name == "drawer" {
				m[name] = turn(v)
			}
		case map[string]any:
			switch name {
			case "areas":
				for _, f := range v {
					if f != nil {
						f.(map[string]any)["owner"] = turn(f.(map[string]any)["owner"].(float64))
					}
				}
			case "stacks":
			default:
				out := map[string]any{}
				for key, x := range v {
					var i int
					fmt.Sscan(key, &i)
					out[fmt.Sprint((i+1)%n)] = x
				}
				m[name] = out
			}
		}
	}
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// R11.4: seats are alike: a position with all seats moved by one offers the same
// actions to the next seat.
func TestR11_4_SeatsAreAlike(t *testing.T) {
	for n := 2; n <= 6; n++ {
		g := enginetest.Game(t, fmt.Sprintf("domination(players=%d)", n))
		rng := rand.NewPCG(11, uint64(n))
		for range enginetest.Times(1) {
			s := g.New().(*domination.State)
			for s.ToAct() != engine.Terminal {
				moves := engine.Moves(s)
				if s.ToAct() >= 0 {
					other, err := g.Load(rotated(t, s), engine.Strict)
					if err != nil {
						t.Fatalf("%v\n%s", err, rotated(t, s))
					}
					if want := (s.ToAct() + 1) % engine.Player(n); other.ToAct() != want || !slices.Equal(other.Legal(nil), moves) {
						t.Fatalf("seat %d has %v; moved by one, seat %d has %v", s.ToAct(), moves, other.ToAct(), other.Legal(nil))
					}
				}
				if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Every rule that data/rules.json lists has a title, a section and a sentence of its own.
func TestRuleList(t *testing.T) {
	data, err := os.ReadFile("data/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	var rules []struct{ Rule, Title, Section, Text string }
	if err := json.Unmarshal(data, &rules); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rules {
		if r.Title == "" || r.Section == "" || seen[r.Rule] || seen[r.Text] {
			t.Errorf("rule %s has no title or section, or comes twice", r.Rule)
		}
		if !strings.HasSuffix(r.Text, ".") || strings.Count(r.Text, ". ") > 0 || len(r.Text) <= len(r.Title) {
			t.Errorf("rule %s: %q is not one full sentence", r.Rule, r.Text)
		}
		seen[r.Rule], seen[r.Text] = true, true
	}
	if len(rules) != 78 {
		t.Errorf("%d rules, the specification has 78", len(rules))
	}
}

// R10.4, R-05: VPs stop at the bound, and the position that results can be read.
func TestR10_4_TheBoundHoldsInLoadedPositions(t *testing.T) {
	const text = "domination(fixed_pool=" + fixedPool + ")"
	s := load(t, text, `{"phase":"score","turn":8,"vp":[1243,0],"areas":{"CAN":{"owner":0,"strength":"full"},"NAT":{"owner":1,"strength":"full"}}}`)
	if open(s).P.VP[0] != 1244 || open(s).P.VP[1] != 4 {
		t.Errorf("VPs %d and %d, want the bound of 1244, and 4", open(s).P.VP[0], open(s).P.VP[1])
	}
	data, err := s.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := enginetest.Game(t, text).Load(data, engine.Lenient); err != nil {
		t.Error(err)
	}
}

// R7.8: an effect of "up to" so many points can be stopped after the first one, and nothing else
// happens before the card is resolved: two Full Forces make four Reductions.
func TestR7_8_ACardIsResolvedBeforeAnythingElse(t *testing.T) {
	text := "domination(extended_pool=true,auto_forced=false,fixed_pool=" + poolOf("show_of_force") + ")"
	position := `{"active":0,"first_player":0,"hands":{"0":["Show of Force","Domination"],"1":["Domination"]},"areas":{
		"NAT":{"owner":0,"strength":"full"},"BRA":{"owner":0,"strength":"full"},"USA":{"owner":1,"strength":"full"},"CAN":{"owner":1,"strength":"full"}}}`
	actions := enginetest.Game(t, text).Spec().Actions
	for _, stop := range []bool{true, false} {
		s := load(t, text, position)
		names := func() string {
			var list []string
			for _, a := range s.Legal(nil) {
				list = append(list, actions[a])
			}
			slices.Sort(list)
			return strings.Join(list, ", ")
		}
		do(t, text, s, "TEXT_OF Show of Force")
		if got, want := names(), "REDUCE_AT CAN, REDUCE_AT USA"; got != want {
			t.Fatalf("before the first point: %s, want %s", got, want)
		}
		do(t, text, s, "REDUCE_AT CAN") // in the order of the map
		if got, want := names(), "DONE, REDUCE_AT CAN, REDUCE_AT USA"; got != want || s.ToAct() != 0 {
			t.Fatalf("after the first point: %s of seat %d, want %s", got, s.ToAct(), want)
		}
		if stop {
			do(t, text, s, "DONE")
		} else {
			do(t, text, s, "REDUCE_AT CAN", "REDUCE_AT USA", "REDUCE_AT USA")
		}
		if got := names(); strings.Contains(got, "REDUCE_AT") || strings.Contains(got, "DONE") {
			t.Errorf("the card is resolved, and there is still %s", got)
		}
	}
}
