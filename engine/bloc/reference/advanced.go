package reference

import (
	"maps"
	"slices"
	"strings"
)

// kindOf is the kind of advanced action that is barred together (R5.6).
func kindOf(verb string) string {
	switch verb {
	case "LOOT_GRAFFITI", "LOOT_BURN":
		return "loot"
	}
	return strings.ToLower(verb)
}

// basic reports whether an advanced action is a basic one in a district (R6.1).
func (g *Game) basic(f, verb string, d *district) bool {
	switch verb {
	case "LOOT_GRAFFITI":
		return g.home(f, "comrade_cafe") != nil
	case "LOOT_BURN":
		cafe := g.home(f, "comrade_cafe")
		return cafe != nil && cafe.liberated
	}
	hall := g.home(f, "strike_hall")
	return hall != nil && (d == hall || slices.Contains(hall.near, d) || hall.liberated && d.Type == hall.Type)
}

// least is the die that an advanced action needs (R5.2, R6.1).
func (g *Game) least(f, verb string, d *district) int {
	if g.basic(f, verb, d) {
		return 1
	}
	return max(1, d.difficulty()-g.bolt)
}

// stopper is the faction that may stop an advanced action (R6.5), "" if none.
func (g *Game) stopper(f string, d *district) string {
	for _, other := range g.seats {
		most := d.blocs[other] > 0
		for _, third := range g.seats {
			most = most && (third == other || d.blocs[other] > d.blocs[third])
		}
		if most && other != f {
			if g.player(other) == g.player(f) {
				g.mark("R6.5 both factions of a player")
				return ""
			}
			return other
		}
	}
	return ""
}

// advancedCells lists the cells of D8 (R5.2, R5.6).
func (g *Game) advancedCells(f, verb string) (list []*district) {
	for _, d := range g.cells() {
		if d.blocs[f] == 0 || d.police() {
			continue
		}
		fits := false
		switch verb {
		case "LOOT_GRAFFITI":
			fits = d.shops[0] > 0
		case "LOOT_BURN":
			fits = d.shops[1] > 0
		case "BUILD", "SWAP":
			fits = (d.Type == f || d.Type == "public" || d.Type == "state") && d.Circle &&
				(d.occupation != nil) == (verb == "SWAP") && len(g.matOccupations(f)) > 0
		}
		if !fits || !g.hasDie(g.least(f, verb, d)) {
			continue
		}
		if g.barred[kindOf(verb)][d.cell] {
			if g.stopper(f, d) != "" {
				g.mark("R5.6 barred")
				continue
			}
			g.mark("R5.6 majority gone")
		}
		list = append(list, d)
	}
	return list
}

// advanced implements R6.1 to R6.5.
func (g *Game) advanced(f, verb string) {
	d := g.where(g.ask("D8", f, names(g.advancedCells(f, verb))))
	g.pending.cell = d.cell
	basic, least := g.basic(f, verb, d), g.least(f, verb, d)
	g.pending.basic = basic
	kind := ""
	if verb == "BUILD" || verb == "SWAP" {
		kind = g.kind(f, g.ask("D9", f, g.matOccupations(f)))
		g.pending.occupation = kind
	}
	if other := g.stopper(f, d); other != "" { // R6.5
		if g.ask("D10", other, []string{"YES", "NO"}) == "YES" {
			g.markIf(basic, "R6.5 basic action stopped")
			if g.barred[kindOf(verb)] == nil {
				g.barred[kindOf(verb)] = map[int]bool{}
			}
			g.barred[kindOf(verb)][d.cell] = true
			return
		}
	}
	g.spend(least)
	g.markIf(basic, "R6.1 basic "+verb)
	if !basic && g.bolt > 0 {
		g.mark("R6.1 Bolt Cutters")
		g.bolt = 0
	}
	switch verb {
	case "LOOT_GRAFFITI", "LOOT_BURN":
		g.lootAction(f, verb, d)
	case "BUILD":
		d.occupation = &occupation{f, kind}
	case "SWAP":
		g.markIf(d.occupation.faction != f, "R6.4 another's occupation")
		g.markIf(basic && *d.occupation == occupation{f, "strike_hall"}, "R6.1 Strike Hall swapped out")
		d.occupation = &occupation{f, kind}
	}
	if !basic {
		g.reaction(f, d)
	}
}

// lootAction implements R6.2.
func (g *Game) lootAction(f, verb string, d *district) {
	g.markIf(size(g.loot)+size(g.looted) == 0, "Ruling 30")
	switch hideout := g.home(f, "scavengers_hideout"); {
	case hideout == nil:
		g.drawLoot(f, 1)
	case hideout.liberated:
		g.mark("R6.2 liberated Hideout")
		g.drawKeep(f, 3, 3)
	default:
		g.mark("R6.2 Hideout")
		g.drawKeep(f, 3, 2)
	}
	from := 0
	if verb == "LOOT_BURN" {
		from = 1
	}
	d.shops[from]--
	d.shops[from+1]++
}

// nextLoot draws a card (R11.1, C11), "" if there is none.
func (g *Game) nextLoot() string {
	if size(g.loot) == 0 {
		g.markIf(size(g.looted) > 0, "R11.1 late reshuffle")
		g.loot, g.looted = g.looted, map[string]int{}
	}
	if size(g.loot) == 0 {
		g.mark("R11.1 no card")
		return ""
	}
	card := g.chance("C11", "LOOT_", g.loot, size(g.loot) == 1)
	g.loot[card]--
	if size(g.loot) == 0 {
		g.mark("R11.1 reshuffle")
		g.loot, g.looted = g.looted, map[string]int{}
	}
	return card
}

// drawLoot draws cards into a hand.
func (g *Game) drawLoot(f string, n int) {
	for range n {
		if card := g.nextLoot(); card != "" {
			g.hands[f][card]++
		}
	}
}

// drawKeep draws cards of which some are kept and the others discarded (D16, R6.2).
func (g *Game) drawKeep(f string, n, keep int) {
	g.drawn = map[string]int{}
	for range n {
		if card := g.nextLoot(); card != "" {
			g.drawn[card]++
		}
	}
	g.markIf(size(g.drawn) < n, "R6.2 fewer cards")
	for size(g.drawn) > keep {
		options := []string{}
		for _, card := range slices.Sorted(maps.Keys(positive(g.drawn))) {
			options = append(options, cardName(card))
		}
		card := key(g.ask("D16", f, options))
		g.drawn[card]--
		g.looted[card]++
	}
	for card, k := range g.drawn {
		g.hands[f][card] += k
	}
	g.drawn = map[string]int{}
}

// key is the card of an action.
func key(action string) string { return strings.ToLower(strings.TrimPrefix(action, "CARD_")) }

// reaction implements R6.6.
func (g *Game) reaction(f string, d *district) {
	g.pending.cell = d.cell
	faces := map[string]int{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1}
	roll := int(g.chance("C9", "REACTION_", faces, false)[0] - '0')
	g.pending.roll = roll
	if roll <= 2 && g.hands[f]["police_scanner"] > 0 {
		if g.ask("D15", f, []string{"CARD_POLICE_SCANNER", "DONE"}) != "DONE" {
			g.play(f, "police_scanner")
			roll = 3
		}
	}
	switch roll {
	case 1:
		g.deploy(1, d)
	case 2:
		g.drawOps()
	case 6:
		if kitchen := g.home(f, "peoples_kitchen"); kitchen != nil {
			n := 1
			if kitchen.liberated {
				n = 2
			}
			g.markIf(n == 1, "R6.6 Kitchen")
			g.markIf(n == 2, "R6.6 liberated Kitchen")
			g.extraDice(n)
		}
	}
}
