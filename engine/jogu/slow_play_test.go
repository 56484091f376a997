package jogu_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"powderkeg/engine/enginetest"
)

// legal lists the Locations to which c may be played.
func (r *slow) legal(c *slowCard) []int {
	var ls []int
	for l := 2; l <= 6; l++ {
		total, engineers, towers := 0, 0, 0
		for _, x := range r.board[l] {
			if x.down {
				total += 3
			} else {
				total += x.Strength
			}
			if slices.Contains(x.Traits, "engineer") {
				engineers++
			}
			if slices.Contains(x.Traits, "tower") {
				towers++
			}
		}
		own := c.Strength
		if c.FaceDown {
			own = 3
		}
		ok := total+own <= 10
		switch {
		case slices.Contains(c.Traits, "tower"):
			ok = engineers > towers
		case slices.Contains(c.Traits, "engineer"):
			ok = total+own <= 4
		case c.Key == "master_of_wind":
			ok = ok && len(r.board[l]) == 0
		case len(c.Key) == 8 && c.Key[:7] == "knight_":
			ok = ok && l == number(c.Key)
		}
		if ok {
			ls = append(ls, l)
		}
	}
	return ls
}

// playCard carries out one play of player p, and all plays within it.
func (r *slow) playCard(p int, c *slowCard) {
	decision, chooser := "D3", p
	if c.Key == "storm_prodigy" {
		decision, chooser = "D4", 1-p
	}
	place := number(r.ask(decision, chooser, locations(r.legal(c))))
	c.down = c.FaceDown
	r.board[place] = append(r.board[place], c)

	scramblers := func() []*slowCard {
		var here []*slowCard
		for _, x := range r.board[place] {
			if x.Key == "scrambler" && x.owner != p {
				here = append(here, x)
			}
		}
		return here
	}
	own := slices.Contains(c.Timing, "played")
	triggers := len(scramblers())
	lowest := 2
	for own || triggers > 0 {
		first := own
		if own && triggers > 0 && !c.OrderFree {
			first = r.ask("D5", p, []string{"OWN_FIRST", "SCRAMBLER_FIRST"}) == "OWN_FIRST"
		}
		if first {
			own = false
			r.ability(p, place, c)
			continue
		}
		triggers--
		here := scramblers()
		if len(here) == 0 {
			continue
		}
		var to []int
		for l := 2; l <= 6; l++ {
			if l != place && (own || l >= lowest) {
				to = append(to, l)
			}
		}
		l := number(r.ask("D6", 1-p, locations(to)))
		if !own {
			lowest = l
		}
		r.remove(place, here[0])
		r.board[l] = append(r.board[l], here[0])
	}
}

// ability carries out what a card does when it is played.
func (r *slow) ability(p, place int, c *slowCard) {
	o := 1 - p
	switch c.Key {
	case "guardian_angel", "anchorite":
		c.tokens = 1
	case "explorer", "pathfinder":
		r.topLocation(p)
		r.topSeen[p] = true
	case "patriot":
		r.locShown[p] = true
	case "master_of_fire":
		r.loseMorale(p, 2)
	case "conjurer":
		if options := cardOptions(r.discard[p], func(c *slowCard) bool { return len(r.legal(c)) > 0 }); options != nil {
			r.playCard(p, take(&r.discard[p], r.ask("D7", p, options)))
		}
	case "good_for_something":
		r.draw(p)
		if options := cardOptions(r.hand[p], func(c *slowCard) bool { return len(r.legal(c)) > 0 }); options != nil {
			x := take(&r.hand[p], r.ask("D8", p, options))
			r.leaveHand(p, x)
			r.playCard(p, x)
		}
	case "gangan_bit":
		for l := 2; l <= 6; l++ {
			for _, x := range slices.Clone(r.board[l]) {
				if l != place && slices.Contains(x.Traits, "gang") {
					r.remove(l, x)
					r.board[place] = append(r.board[place], x)
				}
			}
		}
	case "medic":
		for range 3 {
			options := cardOptions(r.discard[p], func(c *slowCard) bool { return !c.Protected })
			if options == nil {
				break
			}
			a := r.ask("D9", p, append(options, "END"))
			if a == "END" {
				break
			}
			r.under(p, take(&r.discard[p], a))
		}
	case "trojan_bit":
		r.trojan(p)
	case "saboteur":
		r.saboteur(o)
	case "assassin":
		r.assassin(o)
	case "bomb_tower":
		r.bomb(p, place)
		r.remove(place, c)
		r.throw(c)
	case "support_tower":
		r.support(p)
	case "chronicler":
		r.endMarker = min(10, r.endMarker+1)
	case "echo":
		r.draw(p)
	}
}

func (r *slow) trojan(p int) {
	free := func(c *slowCard) bool { return c.owner == p && !c.Protected }
	var ls []int
	for l := 2; l <= 6; l++ {
		if slices.ContainsFunc(r.board[l], free) {
			ls = append(ls, l)
		}
	}
	if ls == nil {
		return
	}
	l := number(r.ask("D10a", p, locations(ls)))
	a := r.ask("D10b", p, cardOptions(r.board[l], free))
	i := slices.IndexFunc(r.board[l], func(c *slowCard) bool { return free(c) && "CARD_"+c.Key == a })
	c := r.board[l][i]
	r.remove(l, c)
	r.under(p, c)
	r.draw(p)
}

func (r *slow) saboteur(o int) {
	n := min(2, len(r.pile[o]))
	for i := range n {
		r.identify(o, i).knows = [2]bool{true, true}
	}
	seen := slices.Clone(r.pile[o][:n])
	var back []*slowCard
	for _, c := range seen {
		if c.Protected {
			back = append(back, c)
		} else {
			c.placed, c.knows = false, [2]bool{}
			r.throw(c)
		}
	}
	r.pile[o] = append(back, r.pile[o][n:]...)
}

func (r *slow) assassin(o int) {
	if len(r.hand[o]) == 0 {
		return
	}
	weights := map[string]int{}
	for _, c := range r.hand[o] {
		weights["HIT_"+c.Key]++
	}
	i := r.n(len(r.hand[o]))
	c := r.hand[o][i]
	if len(weights) > 1 {
		r.happen("HIT_"+c.Key, weights)
	}
	if c.Protected {
		r.known[o][c.Key] = max(1, r.known[o][c.Key])
		return
	}
	r.hand[o] = slices.Delete(r.hand[o], i, i+1)
	r.leaveHand(o, c)
	r.throw(c)
}

func (r *slow) bomb(p, place int) {
	var options []string
	var targets []*slowCard
	slot := 0
	for _, c := range r.board[place] {
		if c.owner == p || c.Protected {
			continue
		}
		name := "CARD_" + c.Key
		if c.down {
			slot++
			name = fmt.Sprintf("SLOT_%d", slot)
		} else if c.tokens == 0 && slices.ContainsFunc(r.board[place], func(x *slowCard) bool {
			return x.Key == c.Key && x.owner == c.owner && x.tokens > 0
		}) {
			name = "SLOT_1"
		}
		options, targets = append(options, name), append(targets, c)
	}
	if options == nil {
		return
	}
	unsorted := slices.Clone(options)
	c := targets[slices.Index(unsorted, r.ask("D11", p, options))]
	r.remove(place, c)
	r.throw(c)
}

func (r *slow) support(p int) {
	n := min(3, len(r.pile[p]))
	for i := range n {
		r.identify(p, i).knows[p] = true
	}
	if n < 2 {
		return
	}
	a := r.ask("D12", p, append([]string{"END"}, []string{"SLOT_1", "SLOT_2", "SLOT_3"}[:n]...))
	if a == "END" {
		return
	}
	// The opponent is sure of a place only if all that may lie there were known to it
	// and look alike.
	before := slices.Clone(r.pile[p][:n])
	sure := make([]bool, n)
	for i := range sure {
		candidates := before
		if i < n-1 {
			candidates = before[i : i+2]
		}
		sure[i] = !slices.ContainsFunc(candidates, func(c *slowCard) bool { return !c.knows[1-p] || c.Key != candidates[0].Key })
	}
	i := number(a) - 1
	r.pile[p] = append(slices.Delete(r.pile[p], i, i+1), before[i])
	for i, known := range sure[:n-1] {
		r.pile[p][i].knows[1-p] = known
	}
	r.pile[p][len(r.pile[p])-1].knows[1-p] = sure[n-1]
}

// compare checks everything that the engine shows against the reference.
func (r *slow) compare(decision string) {
	data, err := r.s.MarshalJSON()
	if err != nil {
		r.t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		r.t.Fatal(err)
	}
	want := map[string]any{
		"round": r.round, "end_marker": r.endMarker, "start_player": r.start, "passed": r.passed, "morale": r.morale,
		"vp_rounds": append([]int{}, r.won...), "location_revealed": r.locShown, "location_top_known": r.topSeen,
		"revealed_in_hand": [2]map[string]int{positive(r.known[0]), positive(r.known[1])},
		"hand":             [2][]string{r.names(r.hand[0]), r.names(r.hand[1])},
		"discard":          [2][]string{r.names(r.discard[0]), r.names(r.discard[1])},
		"pending_discards": [2][]string{r.names(r.pending[0]), r.names(r.pending[1])},
		"location_discard": [2][]int{sorted(r.locDiscard[0]), sorted(r.locDiscard[1])},
		"location_card":    [2]any{orNull(r.locCard[0]), orNull(r.locCard[1])},
		"game_over":        nil,
	}
	if !r.ended {
		want["decision"] = decision
		want["active"] = r.active
	} else {
		want["game_over"] = map[string]any{"winner": r.winner, "by": r.cause}
	}
	if r.ratings != nil {
		want["battle_locations"], want["ratings"], want["round_winner"] = append([]int{}, r.battle...), r.ratings, r.won[len(r.won)-1]
	}
	var board []any
	for p := range 2 {
		for l := 2; l <= 6; l++ {
			board = append(board, r.boardAt(p, l)...)
		}
	}
	want["board"] = append([]any{}, board...)
	var piles [2][]any
	var knowledge [2][][2]int
	for p := range 2 {
		piles[p], knowledge[p] = r.pileOf(p)
	}
	want["draw"], want["draw_known"] = piles, knowledge
	for field, w := range want {
		if x := normal(r.t, w); !reflect.DeepEqual(x, got[field]) {
			r.t.Fatalf("%q: %s is %v, want %v", r.log, field, got[field], x)
		}
	}
}

func normal(t *testing.T, v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var x any
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

func orNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func sorted(ns []int) []int {
	ns = append([]int{}, ns...)
	slices.Sort(ns)
	return ns
}

func positive(m map[string]int) map[string]int {
	out := maps.Clone(m)
	maps.DeleteFunc(out, func(_ string, n int) bool { return n == 0 })
	return out
}

// names lists cards by their id.
func (r *slow) names(cards []*slowCard) []string {
	names := []string{}
	for _, c := range slices.SortedFunc(slices.Values(cards), func(a, b *slowCard) int { return a.ID - b.ID }) {
		names = append(names, c.Key)
	}
	return names
}

// boardAt lists p's cards at l: open ones by id, with tokens first, then face-down
// ones in the order of play.
func (r *slow) boardAt(p, l int) []any {
	var open, down []*slowCard
	for _, c := range r.board[l] {
		if c.owner == p && c.down {
			down = append(down, c)
		} else if c.owner == p {
			open = append(open, c)
		}
	}
	slices.SortStableFunc(open, func(a, b *slowCard) int { return 2*(a.ID-b.ID) + b.tokens - a.tokens })
	var list []any
	for _, c := range append(open, down...) {
		list = append(list, map[string]any{"owner": p, "card": c.Key, "loc": l, "tokens": c.tokens})
	}
	return list
}

// pileOf writes p's pile, known ends and the cards between them, and who knows
// each of these.
func (r *slow) pileOf(p int) ([]any, [][2]int) {
	list, knows := []any{}, [][2]int{}
	unknown := map[string]int{}
	for i, c := range r.pile[p] {
		if c.placed {
			list = append(list, c.Key)
			knows = append(knows, [2]int{bit(c.knows[p]), bit(c.knows[1-p])})
			continue
		}
		unknown[c.Key]++
		if i+1 == len(r.pile[p]) || r.pile[p][i+1].placed {
			list = append(list, map[string]any{"unknown": unknown})
			knows = append(knows, [2]int{})
		}
	}
	return list, knows
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// All ordered pairs of the six decks, with and without forced decisions.
func TestSlowReference(t *testing.T) {
	factions := []string{"guards", "wu", "mibits", "agents", "engineers", "hours"}
	for _, first := range factions {
		for _, second := range factions {
			for _, auto := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s against %s, auto_forced %v", first, second, auto), func(t *testing.T) {
					g := enginetest.Game(t, fmt.Sprintf("jogu(first=%s,second=%s,expansion=true,auto_forced=%v)", first, second, auto))
					for seed := range uint64(enginetest.Times(slowGames)) {
						newSlow(t, g, first, second, seed, auto).play()
					}
				})
			}
		}
	}
}

const slowGames = 2
