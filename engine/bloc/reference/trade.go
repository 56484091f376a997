package reference

import (
	"maps"
	"slices"
	"strings"
)

// trade implements R5.9.
func (g *Game) trade(f string) {
	options := []string{}
	for _, other := range g.partners(f) {
		options = append(options, "FACTION_"+strings.ToUpper(other))
	}
	partner := strings.ToLower(strings.TrimPrefix(g.ask("D19", f, options), "FACTION_"))
	g.pending.partner = partner
	g.trades++
	has := size(g.hands[partner]) > 0
	give := key(g.ask("D20", f, g.gifts(f, has)))
	g.pending.give = give
	options = []string{}
	if has {
		for _, c := range g.rules.loot {
			if c.Key != give {
				options = append(options, cardName(c.Key))
			}
		}
		options = append(options, "CARD_ANY")
	}
	if give != "nothing" {
		options = append(options, "CARD_NOTHING")
	}
	want := key(g.ask("D21", f, options))
	g.pending.want = want
	if give != "nothing" {
		g.learn(partner, f, give)
	}
	options = []string{"YES", "NO"}
	if want != "any" && want != "nothing" && g.hands[partner][want] == 0 {
		g.mark("R5.9 not held")
		options = []string{"NO"}
	}
	if g.ask("D22", partner, options) == "NO" {
		return
	}
	if want == "any" {
		options = []string{}
		for _, card := range slices.Sorted(maps.Keys(positive(g.hands[partner]))) {
			options = append(options, cardName(card))
		}
		want = key(g.ask("D23", partner, options))
	}
	g.hand(f, partner, give)
	g.hand(partner, f, want)
}

// gifts lists the options of D20: a card from the own hand, or nothing if the partner has a card.
func (g *Game) gifts(f string, has bool) (options []string) {
	for _, card := range slices.Sorted(maps.Keys(positive(g.hands[f]))) {
		options = append(options, cardName(card))
	}
	if has {
		options = append(options, "CARD_NOTHING")
	}
	return options
}

// hand gives a card to another faction, unless it is nothing (R5.9, R-04).
func (g *Game) hand(from, to, card string) {
	if card == "nothing" {
		return
	}
	g.mark("R5.9 handed")
	g.take(from, card)
	g.hands[to][card]++
	for p := range g.options.Players {
		k := g.known[p]
		switch p {
		case g.player(from), g.player(to): // sees which card it is
			k[from][card] = max(0, k[from][card]-1)
			if p != g.player(to) {
				k[to][card]++
			}
		default: // one copy of each kind may have been it
			for c := range k[from] {
				k[from][c] = max(0, k[from][c]-1)
			}
		}
	}
}

// learn lets the player of one faction know that another holds a card (R15, R5.9).
func (g *Game) learn(who, holder, card string) {
	if p := g.player(who); p != g.player(holder) {
		g.known[p][holder][card] = max(1, g.known[p][holder][card])
	}
}
