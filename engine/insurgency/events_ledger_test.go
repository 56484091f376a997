package insurgency_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/insurgency"
)

// Whoever reads the events and nothing else knows the table after every move.
func TestEventsTellTheWholeGame(t *testing.T) {
	for _, text := range settings {
		g, rng := enginetest.Game(t, text), rand.NewPCG(3, 9)
		for range enginetest.Times(6) {
			s := g.New().(*insurgency.State)
			l := newLedger(look(s))
			var log []string
			s.Listen(func(e *engine.Event) {
				log = append(log, enginetest.EventText(e, 2))
				if !e.Veiled {
					l.book(e)
				}
			})
			for s.ToAct() != engine.Terminal {
				heard := len(log)
				step(t, s, rng)
				if heard == len(log) {
					t.Fatalf("%s: a move tells nothing, after %q", text, log[max(0, heard-5):])
				}
				if diff := l.compare(newLedger(look(s))); diff != "" {
					t.Fatalf("%s: told was\n%s\nby which %s", text, strings.Join(log[max(0, heard-5):], "\n"), diff)
				}
			}
		}
	}
}

// ledger is what lies on the table.
type ledger struct {
	ids      map[string]int
	spaces   [insurgency.Spaces]stand
	sides    [2]standing
	marker   string
	momentum map[string]string // owner by key
	plague   int
	slots    [insurgency.Slots]int
	pool     [insurgency.Stories + 1]bool
	gone     [insurgency.Stories + 1]bool // discarded stories
	drawn    int
	power    [2]int // and its factor
	round    int
	result   string
}

type stand struct {
	status                   string
	unrest                   int
	agents, sleepers, active int
	bases                    [2]int
}

type standing struct {
	money, reserves, hacked, shields, points int
	hand                                     int
	seen                                     [insurgency.Events + 1]bool // by the other side
	used                                     bool
}

var statuses = []string{"order", "anger", "defiance", "revolt", "unmarked"}

// newLedger reads the table from a state.
func newLedger(s *insurgency.View) *ledger {
	l := &ledger{ids: map[string]int{}, momentum: map[string]string{}, plague: s.Plague(), marker: string(rune('A' + int(s.P.Social))),
		drawn: int(s.P.Drawn), round: int(s.P.Round)}
	for i := range l.spaces {
		at := &s.P.Spaces[i]
		l.ids[s.Space(i).ID] = i
		l.spaces[i] = stand{
			status: statuses[at.Status], unrest: int(at.Unrest), agents: int(at.Agents), sleepers: int(at.Sleepers), active: int(at.Active),
			bases: [2]int{int(at.RebelBases), int(at.FederalBases)},
		}
	}
	for p := range engine.Player(2) {
		l.sides[p] = standing{
			money: int(s.P.Resources[p]), reserves: int(s.P.Reserves[p]), hacked: int(s.P.Hacked[p]), shields: int(s.P.Shields[p]), points: s.VictoryPoints(p),
			hand: int(s.P.HandSize[p]), used: s.P.SocialUsed[p],
		}
		for n := range l.sides[p].seen {
			l.sides[p].seen[n] = n > 0 && s.P.Known[p].Has(insurgency.CardID(n))
		}
	}
	for k, key := range insurgency.MomentumKeys() {
		if s.P.Momentum.Has(insurgency.MomentumKey(k)) {
			l.momentum[key] = "in play"
		}
	}
	for i := range l.slots {
		l.slots[i] = int(s.P.Slots[i])
	}
	for n := 1; n <= insurgency.Stories; n++ {
		l.pool[n], l.gone[n] = s.P.Pool.Has(insurgency.StoryID(n)), s.P.StoryDiscard.Has(insurgency.StoryID(n))
	}
	l.power[0], l.power[1] = s.RebellionPower()
	if winner, by, decisive := s.Winner(); winner >= 0 {
		l.result = fmt.Sprint([]string{"rebel", "federal"}[winner], by, decisive)
	}
	return l
}

// compare says in what the ledger differs from what lies on the table.
func (l *ledger) compare(table *ledger) string {
	for i := range l.spaces {
		if l.spaces[i] != table.spaces[i] {
			return fmt.Sprintf("space %d is %+v, it is %+v", i, l.spaces[i], table.spaces[i])
		}
	}
	if !reflect.DeepEqual(l, table) {
		l.spaces, l.ids, table.spaces, table.ids = [insurgency.Spaces]stand{}, nil, [insurgency.Spaces]stand{}, nil
		return fmt.Sprintf("the table is\n%+v, it is\n%+v", l, table)
	}
	return ""
}

// args are the arguments of an event by name.
type args map[string]any

func (a args) number(name string) int  { return a[name].(int) }
func (a args) word(name string) string { return a[name].(string) }

// book changes the table as an event says.
func (l *ledger) book(e *engine.Event) {
	a := args{}
	for _, arg := range e.Args {
		a[arg.Name] = arg.Value
	}
	var at *stand
	if id, ok := a["space"].(string); ok {
		at = &l.spaces[l.ids[id]]
	}
	var side *standing
	if id, ok := a["side"].(string); ok {
		side = &l.sides[map[string]int{"rebel": 0, "federal": 1}[id]]
	}
	if seat, ok := a["seat"].(int); ok {
		side = &l.sides[seat]
	}
	l.bookCards(e.Kind, a, side)
	l.bookStories(e.Kind, a)
	l.bookSpace(e.Kind, a, at, side)
	switch e.Kind {
	case "money":
		side.money += a.number("change")
		if side.money != a.number("resources") {
			side.money = -1
		}
	case "reserves":
		side.reserves = a.number("reserves")
	case "hq":
		side.hacked, side.shields = a.number("hacked"), a.number("shields")
	case "social_media":
		l.marker = a.word("social_media")
	case "reset":
		for i := range l.sides {
			l.sides[i].reserves, l.sides[i].used = 0, false
		}
	case "momentum":
		if l.momentum[a.word("key")] = "in play"; a.word("key") == "plague" {
			l.plague = l.ids[a.word("space")]
		}
	case "momentum_ends":
		if delete(l.momentum, a.word("key")); a.word("key") == "plague" {
			l.plague = insurgency.NoSpace
		}
	case "victory_points", "game_over":
		l.sides[0].points, l.sides[1].points = a.number("rebel"), a.number("federal")
		if e.Kind == "game_over" {
			l.result = fmt.Sprint(a["winner"], a["by"], a["decisive"])
		}
	case "rebellion_power":
		l.power = [2]int{a.number("rebellion_power"), a.number("rpf")}
	case "hands":
		l.round = a.number("round")
	}
}

// bookCards keeps the hands.
func (l *ledger) bookCards(kind string, a args, side *standing) {
	switch kind {
	case "move":
		if card, ok := strings.CutPrefix(a.word("action"), "CARD_"); ok && a["decision"] == "D1" {
			n, _ := strconv.Atoi(card)
			side.hand--
			side.seen[n] = false
		}
	case "social_media_used":
		side.used = true
	case "dealt":
		side.hand++
	case "lost":
		side.hand--
		side.seen[a.number("card")] = false
	case "hand_seen":
		for _, n := range a["cards"].([]int) {
			side.seen[n] = true
		}
	}
}

// bookStories keeps the news.
func (l *ledger) bookStories(kind string, a args) {
	if n, ok := a["story"].(int); ok {
		l.pool[n] = kind == "story_pool"
		l.gone[n] = kind == "story_discarded"
		for i := range l.slots {
			if l.slots[i] == n {
				l.slots[i] = 0
			}
		}
		if l.drawn = 0; kind == "story_drawn" {
			l.drawn = n
		}
		if kind == "story_active" {
			l.slots[a.number("slot")-1] = n
		}
	}
	switch kind {
	case "news_cycle":
		l.slots = [insurgency.Slots]int{0, l.slots[0], l.slots[1]}
	case "reshuffle":
		l.gone = [insurgency.Stories + 1]bool{}
	}
}

// bookSpace keeps the map.
func (l *ledger) bookSpace(kind string, a args, at *stand, side *standing) {
	switch kind {
	case "test", "status":
		at.status = a.word("status")
	case "unrest":
		at.unrest += a.number("change")
	case "placed":
		at.add(a, side == &l.sides[1], a.number("number"))
	case "removed":
		at.add(a, side == &l.sides[1], -a.number("number"))
	case "turned":
		at.sleepers, at.active = a.number("sleepers"), a.number("active")
	case "asleep":
		for i := range l.spaces {
			l.spaces[i].sleepers += l.spaces[i].active
			l.spaces[i].active = 0
		}
	case "battle":
		at.agents -= a.number("agents_lost")
		at.bases[1] -= a.number("bases_lost")
	case "hunted":
		at.active += a.number("turned") - a.number("removed")
		at.sleepers -= a.number("turned")
		at.bases[0] -= a.number("bases_lost")
	case "moved":
		from, to := &l.spaces[l.ids[a.word("from")]], &l.spaces[l.ids[a.word("to")]]
		units, active, arrested := a.number("units"), a.number("active"), a.number("arrested")
		if side == &l.sides[1] {
			from.agents -= units
			to.agents += units
			return
		}
		from.sleepers -= units
		from.active -= active
		caught := min(arrested, active) // active militia are arrested first (R11.4.5)
		to.sleepers += units - (arrested - caught)
		to.active += active - caught
	}
}

// add adds pieces to a space.
func (s *stand) add(a args, federal bool, n int) {
	switch a.word("piece") {
	case "agent":
		s.agents += n
	case "sleeper":
		s.sleepers += n
	case "active":
		s.active += n
	case "base":
		if federal {
			s.bases[1] += n
		} else {
			s.bases[0] += n
		}
	}
}
