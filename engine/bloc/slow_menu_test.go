package bloc_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/bloc"
	"powderkeg/engine/enginetest"
)

func upper(s string) string { return strings.ToUpper(s) }

// menu is the slow reference of R5.2: the verbs that are legal at D2.
type menu struct {
	*table
	f     string
	owner map[string]int
}

// own lists the districts with blocs of the active faction, in a clash or not.
func (m *menu) own(clash bool) []int {
	var cells []int
	for c := range m.City {
		if m.Districts[m.City[c].Tile].Blocs[m.f] > 0 && m.police(c) == clash {
			cells = append(cells, c)
		}
	}
	return cells
}

func (m *menu) die() int { return slices.Max(append([]int{0}, m.Dice...)) }

func (m *menu) difficulty(c int) int {
	if m.Districts[m.City[c].Tile].Liberated {
		return m.tile(c).Liberated
	}
	return m.tile(c).Repressed
}

// at returns where an occupation of the active faction stands, -1 if it is on the mat.
func (m *menu) at(kind string) int {
	for c := range m.City {
		if o := m.Districts[m.City[c].Tile].Occupation; len(o) == 2 && o[0] == m.f && o[1] == kind {
			return c
		}
	}
	return -1
}

// usable reports whether an ability with a number of uses is left.
func (m *menu) usable(kind string) bool {
	c := m.at(kind)
	if c < 0 {
		return false
	}
	uses := 1
	if m.Districts[m.City[c].Tile].Liberated {
		uses = 2
	}
	return m.Uses[kind] < uses
}

func (m *menu) inCity() int {
	n := 0
	for _, d := range m.Districts {
		n += d.Blocs[m.f]
	}
	return n
}

// adjacent implements R3.4.
func (m *menu) adjacent(a, b int) bool {
	for _, arm := range []string{"N", "E", "S", "W"} {
		if far, _, ok := m.follow(a, arm); ok && far.cell == b {
			return true
		}
	}
	return false
}

// basic implements R6.1.
func (m *menu) basic(verb string, c int) bool {
	if verb == "BUILD" || verb == "SWAP" {
		hall := m.at("strike_hall")
		return hall >= 0 && (hall == c || m.adjacent(hall, c) || m.Districts[m.City[hall].Tile].Liberated && m.tile(hall).Type == m.tile(c).Type)
	}
	cafe := m.at("comrade_cafe")
	return cafe >= 0 && (verb == "LOOT_GRAFFITI" || m.Districts[m.City[cafe].Tile].Liberated)
}

// stoppable implements R6.5.
func (m *menu) stoppable(c int) bool {
	blocs := m.Districts[m.City[c].Tile].Blocs
	for f, n := range blocs {
		most := f != m.f && m.owner[f] != m.owner[m.f]
		for other, k := range blocs {
			most = most && (other == f || k < n)
		}
		if most {
			return true
		}
	}
	return false
}

// advanced implements the rows of R5.2 for loot, build and swap, and R5.6.
func (m *menu) advanced(verb string) bool {
	kind := map[string]string{"LOOT_GRAFFITI": "loot", "LOOT_BURN": "loot", "BUILD": "build", "SWAP": "swap"}[verb]
	standing := 0
	for c := range m.City {
		if o := m.Districts[m.City[c].Tile].Occupation; len(o) == 2 && o[0] == m.f {
			standing++
		}
	}
	for _, c := range m.own(false) {
		d, t := m.Districts[m.City[c].Tile], m.tile(c)
		need := max(1, m.difficulty(c)-m.Bolt)
		if m.basic(verb, c) {
			need = 1
		}
		there := map[string]bool{
			"LOOT_GRAFFITI": d.Centers[0] > 0, "LOOT_BURN": d.Centers[1] > 0,
			"BUILD": d.Occupation == nil, "SWAP": d.Occupation != nil,
		}[verb]
		if kind != "loot" && (!t.Circle || standing == 5 || t.Type != m.f && t.Type != "public" && t.Type != "state") {
			there = false
		}
		if there && m.die() >= need && !(slices.Contains(m.Barred[kind], c) && m.stoppable(c)) {
			return true
		}
	}
	return false
}

// attack implements the rows of R5.2 for attacks.
func (m *menu) attack(verb string) bool {
	for _, c := range m.own(true) {
		d := m.Districts[m.City[c].Tile]
		against := d.Cops > 0
		if verb == "ATTACK_VAN" {
			against = d.Van != nil
		}
		if against && d.Blocs[m.f] > d.Attacked[m.f] && m.die() >= m.difficulty(c) {
			return true
		}
	}
	return false
}

// room reports whether a barricade can be built from a district (R5.7).
func (m *menu) room(c int) bool {
	for _, arm := range []string{"N", "E", "S", "W"} {
		if _, _, ok := m.follow(c, arm); ok && m.Pile > 0 && m.barricades(c, arm) < 3 {
			return true
		}
	}
	return false
}

// card implements the preconditions of R11.3.
func (m *menu) card(key string) bool {
	switch key {
	case "fireworks":
		return slices.ContainsFunc(m.own(true), func(c int) bool { return m.Districts[m.City[c].Tile].Cops > 0 })
	case "bikes":
		return len(m.own(false)) > 0
	case "smoke_bombs":
		return len(m.own(true)) > 0
	case "bolt_cutters":
		return m.Bolt == 0 && len(m.Dice) > 0
	case "energy_drinks":
		return len(m.Dice) < 7 && m.Extra < 14
	case "megaphone":
		return m.inCity() < 10 && len(m.own(false)) > 0
	case "lumber":
		return slices.ContainsFunc(m.own(false), m.room)
	case "signal_jammer":
		return m.Jammers < []int{1, 2, 2, 2, 3}[m.Morale]
	}
	return false
}

// verbs lists what R5.2 allows, in the order of the vocabulary.
func (m *menu) verbs() []string {
	die, loot := len(m.Dice) > 0, len(m.LootDeck)+len(m.Discard) > 0
	partner := false
	for _, other := range m.Seats {
		for _, d := range m.Districts {
			if other != m.f && d.Blocs[other] > 0 && d.Blocs[m.f] > 0 && len(m.Hands[other])+len(m.Hands[m.f]) > 0 {
				partner = true
			}
		}
	}
	var list []string
	for _, v := range []struct {
		name string
		ok   bool
	}{
		{"MOVE", die && len(m.own(false)) > 0},
		{"MOVE_FREE", m.usable("social_center") && len(m.own(false)) > 0},
		{"BARRICADE", die && slices.ContainsFunc(m.own(false), m.room)},
		{"LOOT_GRAFFITI", die && m.advanced("LOOT_GRAFFITI")},
		{"LOOT_BURN", die && m.advanced("LOOT_BURN")},
		{"BUILD", die && m.advanced("BUILD")},
		{"SWAP", die && m.advanced("SWAP")},
		{"ATTACK_DEFEAT", die && m.attack("ATTACK_DEFEAT")},
		{"ATTACK_KICK", die && m.attack("ATTACK_KICK")},
		{"ATTACK_VAN", die && m.attack("ATTACK_VAN")},
		{"ASSEMBLY_HALL", die && m.usable("assembly_hall") && m.inCity() < 10},
		{"HACKER_SPACE", die && m.usable("hacker_space") && loot},
		{"PROPAGANDA_WORKSHOP", m.usable("propaganda_workshop") && loot},
		{"PLAY_CARD", slices.ContainsFunc(m.Hands[m.f], m.card)},
		{"TRADE", m.Trades < 3 && partner},
		{"END_ACTIONS", true},
	} {
		if v.ok {
			list = append(list, v.name)
		}
	}
	return list
}

// R5.1, R5.2 and R13.1, Ruling 19, Ruling 23 and Ruling 27: the menu of random games. END_ACTIONS is chosen rarely, so
// that the turns are long.
func TestR5_2_MenuAgreesWithTheSlowReference(t *testing.T) {
	seen := map[string]int{}
	for i := range enginetest.Times(60) {
		text := settings[i%len(settings)]
		g := enginetest.Game(t, text)
		s, rng := g.New().(*bloc.State), rand.NewPCG(uint64(i), 52)
		for s.ToAct() != engine.Terminal {
			moves := engine.Moves(s)
			if open(s).Decision() == 1 {
				m := &menu{table: readTable(t, s), owner: map[string]int{}}
				m.f = m.Active
				for seat, f := range m.Seats {
					m.owner[f] = seat % g.Spec().Seats
				}
				var got []string
				for _, a := range moves {
					got = append(got, engine.MoveName(g, s, a))
					seen[engine.MoveName(g, s, a)]++
				}
				if want := m.verbs(); !slices.Equal(got, want) {
					t.Fatalf("%s: the menu is %v, want %v\n%s", text, got, want, open(s).Text(s.ToAct()))
				}
				if len(moves) > 1 && engine.Uint32N(rng, 8) > 0 {
					moves = moves[:len(moves)-1]
				}
			}
			if err := s.Apply(moves[engine.Uint32N(rng, uint32(len(moves)))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(seen) != bloc.Verbs {
		t.Errorf("the games offered %d of %d verbs: %v", len(seen), bloc.Verbs, seen)
	}
}
