package reference

import (
	"fmt"
	"slices"
	"strings"
)

var allFactions = []string{"workers", "students", "neighbors", "prisoners"}

// setUp implements R2.1.
func (g *Game) setUp() {
	g.prepare()
	g.layCity()
	g.placePolice()
	g.seatFactions()
	g.dealLoot()
	g.dealAgendas()
	g.startDistricts()
	g.firstFaction()
}

// prepare makes the decks and what else has nothing to do with the city (R2.3, R2.4, R2.6).
func (g *Game) prepare() {
	g.phase, g.pending = "set_up", nothing
	g.nights = g.scenario.Nights
	g.at = map[int]*district{}
	g.cops, g.vans, g.pile = 30, 6, 40
	g.hands, g.bonus, g.agendas = map[string]map[string]int{}, map[string]int{}, map[string]string{}
	g.known = make([]map[string]map[string]int, g.options.Players)
	for p := range g.known {
		g.known[p] = map[string]map[string]int{}
		for _, f := range allFactions {
			g.known[p][f] = map[string]int{}
		}
	}
	g.loot, g.looted, g.drawn = map[string]int{}, map[string]int{}, map[string]int{}
	for _, c := range g.rules.loot {
		g.loot[c.Key] = c.Copies
	}
	g.ops, g.opsOut = map[string]int{}, map[string]int{}
	for _, c := range g.rules.ops {
		g.ops[c.Key] = c.Copies
	}
	difficulty := g.options.Ops
	if difficulty == "usual" {
		difficulty = g.rules.difficulty(g.scenario)
	}
	g.ops["paramilitary_operations"] -= g.rules.removed[difficulty]
	for _, r := range g.scenario.Remove {
		g.ops[r.Key] -= r.Copies
	}
	g.shows = map[string]int{}
	for _, c := range g.rules.shows {
		g.shows[c.Key] = c.Copies
	}
	g.resetTurn()
}

// resetTurn resets all that counts for a turn (R4.3).
func (g *Game) resetTurn() {
	g.dice, g.extra, g.bolt, g.jammers, g.trades = nil, 0, 0, 0, 0
	g.uses, g.barred = map[string]int{}, map[string]map[int]bool{}
}

// piles makes the piles of the scenario's tiles by letter (R2.2).
func (g *Game) piles() map[string][]string {
	piles := map[string][]string{}
	for key, t := range g.rules.tiles {
		if letter := fmt.Sprint(t.Letter); letter == "A" || letter == "B" || letter == "C" {
			piles[letter] = append(piles[letter], key)
		}
	}
	replace := func(r replacement) {
		for letter := range piles {
			if i := slices.Index(piles[letter], r.Out); i >= 0 {
				piles[letter][i] = r.In
				return
			}
		}
		panic(r.Out + " is in no pile")
	}
	for _, r := range g.scenario.Replacements {
		replace(r)
	}
	if g.options.Overpass {
		for _, h := range g.rules.highways {
			if slices.Contains(slices.Concat(piles["A"], piles["B"], piles["C"]), h) {
				g.mark("R2.2 overpass")
				replace(replacement{h, "highway_overpass"})
				break
			}
		}
	}
	return piles
}

// layCity implements R2.2.
func (g *Game) layCity() {
	defer g.makeDistricts()
	if g.scenario.City == "beginner_city" || g.options.City == "beginner" {
		g.mark("R2.2 beginner city")
		g.city = slices.Clone(g.rules.beginner)
		return
	}
	if g.options.City != "random" {
		g.mark("R2.2 custom city")
		for _, s := range strings.Split(g.options.City, "+") {
			tile, rotation, _ := strings.Cut(s, ":")
			g.city = append(g.city, laid{tile, int(rotation[0] - '0')})
		}
		return
	}
	for {
		g.drawCity()
		if g.fit() {
			g.redraws = 0
			return
		}
		g.redraws++
		g.mark("R2.2 drawn again")
	}
}

// drawCity lays the tiles along the zigzag (R2.2, C2).
func (g *Game) drawCity() {
	g.city = make([]laid, 25)
	piles := g.piles()
	for k, cell := range g.rules.zigzag {
		letter := string("ABC"[k%3])
		weights := map[string]int{}
		for _, tile := range piles[letter] {
			weights[tile] = 1
		}
		tile := g.chance("C2_tile", "TILE_", weights, len(weights) == 1)
		piles[letter] = slices.DeleteFunc(piles[letter], func(s string) bool { return s == tile })
		g.city[cell].Tile = tile
		turns := map[string]int{"0": 1, "1": 1, "2": 1, "3": 1}
		g.city[cell].Rotation = int(g.chance("C2_rotation", "ROTATION_", turns, false)[0] - '0')
	}
}

// makeDistricts makes what the tiles hold, and joins the districts (R3.3, R3.4).
func (g *Game) makeDistricts() {
	g.roads = g.rules.connections(g.city)
	for cell, l := range g.city {
		if t := g.rules.tiles[l.Tile]; t.Type != "highway" {
			d := &district{
				tile: t, cell: cell, blocs: map[string]int{}, attacked: map[string]int{}, van: -1, liberated: t.Starts, shops: [3]int{t.Shops, 0, 0},
			}
			g.at[cell] = d
			g.list = append(g.list, d)
		}
	}
	for _, c := range g.roads {
		for _, e := range c.ends {
			g.at[e.cell].arms[e.arm] = c
		}
	}
	for _, d := range g.list {
		for _, other := range g.list {
			if slices.ContainsFunc(d.arms[:], func(c *connection) bool { return c != nil && c.other(d.cell) == other.cell }) {
				d.near = append(d.near, other)
			}
		}
	}
}

// placePolice implements R2.5.
func (g *Game) placePolice() {
	for _, place := range g.scenario.Vans {
		for _, d := range g.cells() {
			if place == d.Key || place == "each_state" && d.Type == "state" {
				d.van = 0
				g.vans--
				g.deploy(g.scenario.Cops, d)
			}
		}
	}
}

// factions is how many are in play.
func (g *Game) factions() int {
	if g.options.Players == 3 {
		return 3
	}
	return 4
}

// seatFactions implements R2.7.
func (g *Game) seatFactions() {
	left := map[string]int{}
	for _, f := range allFactions {
		left[f] = 1
	}
	for range g.factions() {
		f := g.chance("C1", "FACTION_", left, len(left) == 1)
		delete(left, f)
		g.seats = append(g.seats, f)
		g.hands[f] = map[string]int{}
	}
}

// dealLoot implements R2.8.
func (g *Game) dealLoot() {
	for _, f := range g.seats {
		for range g.scenario.Cards {
			card := g.chance("C11", "LOOT_", g.loot, false)
			g.loot[card]--
			g.hands[f][card]++
		}
	}
}

// semi reports whether the game is semi-cooperative.
func (g *Game) semi() bool {
	if g.options.Mode == "usual" {
		return !slices.Contains(g.scenario.Modes, "cooperative")
	}
	return g.options.Mode == "semi_cooperative"
}

// dealAgendas implements R2.9.
func (g *Game) dealAgendas() {
	if !g.semi() {
		return
	}
	var social, special []string // the others, and those that Infighting puts aside first
	for _, a := range g.rules.agendas {
		switch {
		case g.scenario.Agenda == "infighting" && (a.Key == "nihilist" || a.Key == "vanguardist"):
			special = append(special, a.Key)
		case g.scenario.Agenda == "remove_nihilist" && a.Key == "nihilist":
			g.mark("R2.9 no Nihilist")
		default:
			social = append(social, a.Key)
		}
	}
	n := len(g.seats)
	if len(special) == 0 {
		n = len(social) // all are in the deck that is dealt from
	}
	for _, f := range g.seats {
		// Of the n others in the deck none is known: each of those left is as likely.
		weights := map[string]int{}
		for _, a := range special {
			weights[a] = len(social)
		}
		for _, a := range social {
			weights[a] = n
		}
		key := g.chance("C6", "AGENDA_", weights, false)
		g.agendas[f] = key
		g.mark("agenda " + key)
		if slices.Contains(social, key) {
			n--
		}
		social = slices.DeleteFunc(social, func(a string) bool { return a == key })
		special = slices.DeleteFunc(special, func(a string) bool { return a == key })
	}
}

// startDistricts implements R2.10 (D1).
func (g *Game) startDistricts() {
	for _, f := range g.seats {
		var list []*district
		for _, d := range g.cells() {
			if d.Type == f {
				list = append(list, d)
			}
		}
		g.pending.who = f
		d := g.where(g.ask("D1", f, names(list)))
		d.occupation = &occupation{f, "faction_start"}
		g.form(f, g.scenario.Blocs, d)
	}
	g.pending = nothing
}

// firstFaction implements R2.11 (C7).
func (g *Game) firstFaction() {
	weights := map[string]int{}
	for _, f := range g.seats {
		weights[f] = 1
	}
	g.first = g.chance("C7", "FACTION_", weights, false)
}
