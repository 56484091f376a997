package reference

import (
	"fmt"
	"maps"
	"slices"
)

// object is a JSON object.
type object = map[string]any

// Position is the situation in the form of engine/bloc/README.md, but for what is under way
// (Pending) and what belongs to the engine's own steps.
func (g *Game) Position() object {
	p := object{
		"phase": g.phase, "city": g.cityRows(), "redraws": g.redraws, "seats": g.seatRow(), "night": g.night, "nights_left": g.nights,
		"first_faction": word(g.first), "turn": g.turn, "active": word(g.active), "districts": g.districtRows(), "barricades": g.barricadeRows(),
		"staging": stagingRow{g.cops, g.vans}, "vans_destroyed": g.destroyed, "barricade_pile": g.pile,
		"morale_step": g.morale, "metro_lockdown": word(g.metro),
		"metro_lockdown_expiring": g.metro != "" && g.night > g.metroNight, "hands": g.handRows(g.hands), "loot_deck": positive(g.loot),
		"loot_discard": positive(g.looted), "drawn": positive(g.drawn), "ops_deck": positive(g.ops), "ops_revealed": list(g.revealed),
		"ops_discard": positive(g.opsOut), "manifestations": positive(g.shows), "agendas": g.agendas, "bonus_dice": positive(g.bonus),
		"dice": slices.Sorted(slices.Values(g.dice)), "extra_dice": g.extra, "uses": positive(g.uses), "bolt_cutters": g.bolt,
		"jammers": g.jammers, "trades": g.trades, "barred": g.barredRows(), "revealed_total": g.revealedTotal, "result": nil,
	}
	if len(g.dice) == 0 {
		p["dice"] = []int{}
	}
	var known []any
	for _, k := range g.known {
		row := object{}
		for f, cards := range k {
			if size(cards) > 0 {
				row[f] = positive(cards)
			}
		}
		known = append(known, row)
	}
	p["known"] = known
	if g.by != "" {
		delete(p, "turn")
		p["result"] = object{"winners": inOrder(g.winners), "by": g.by}
	}
	return p
}

// View is what a player sees of the position, as far as it is the position with blanks: all
// that is public, and hands and agendas (R15). The phase is left out, which does not tell that
// a question was declined (R15.1).
func (g *Game) View(player int) object {
	p, v := g.Position(), object{}
	for _, key := range []string{
		"city", "seats", "night", "nights_left", "first_faction", "turn", "active", "districts", "barricades", "staging", "vans_destroyed",
		"barricade_pile", "morale_step", "metro_lockdown", "metro_lockdown_expiring", "loot_discard", "ops_revealed", "ops_discard",
		"ops_deck", "bonus_dice", "dice", "extra_dice", "uses", "bolt_cutters", "jammers", "trades", "barred", "revealed_total",
	} {
		v[key] = p[key]
	}
	hands, known, agendas := g.handRows(g.hands), g.handRows(g.known[player]), map[string]string{}
	for _, f := range g.seats {
		if g.player(f) != player {
			hidden := size(g.hands[f]) - size(g.known[player][f])
			hands[f] = append(known[f].([]string), slices.Repeat([]string{"?"}, hidden)...)
		}
		if g.agendas[f] != "" {
			if agendas[f] = "?"; g.player(f) == player {
				agendas[f] = g.agendas[f]
			}
		}
	}
	v["hands"], v["agendas"] = hands, agendas
	return v
}

func word(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func (g *Game) seatRow() []any {
	row := make([]any, g.factions())
	for i, f := range g.seats {
		row[i] = f
	}
	return row
}

func (g *Game) cityRows() []any {
	rows := make([]any, 25)
	for cell, l := range g.city {
		if l.Tile != "" {
			rows[cell] = l
		}
	}
	return rows
}

type stagingRow struct {
	Cops int `json:"cops"`
	Vans int `json:"vans"`
}

type barricadeRow struct {
	Cell  int    `json:"cell"`
	Arm   string `json:"arm"`
	Count int    `json:"count"`
}

type districtRow struct {
	Blocs      map[string]int `json:"blocs"`
	Attacked   map[string]int `json:"attacked"`
	Cops       int            `json:"cops"`
	Van        *int           `json:"van"`
	Occupation []string       `json:"occupation"`
	Liberated  bool           `json:"liberated"`
	Shops      [3]int         `json:"shopping_centers"`
	Protected  bool           `json:"protected"`
	Cancelled  int            `json:"cancelled"`
	Boost      int            `json:"boost"`
}

func (g *Game) districtRows() map[string]districtRow {
	rows := map[string]districtRow{}
	for _, d := range g.cells() {
		row := districtRow{
			Blocs: positive(d.blocs), Attacked: positive(d.attacked), Cops: d.cops, Liberated: d.liberated, Shops: d.shops,
			Protected: d.protected, Cancelled: d.cancelled, Boost: d.boost,
		}
		if d.van >= 0 {
			row.Van = &d.van
		}
		if d.occupation != nil {
			row.Occupation = []string{d.occupation.faction, d.occupation.kind}
		}
		rows[d.Key] = row
	}
	return rows
}

// barricadeRows lists the barricades by the end where they stand, in the order of cells and
// arms, those of a street at its first end.
func (g *Game) barricadeRows() []any {
	rows := []any{}
	for _, d := range g.cells() {
		for arm, c := range d.arms {
			if c == nil {
				continue
			}
			for i, n := range c.at {
				if n > 0 && c.ends[i] == (end{d.cell, arm}) {
					rows = append(rows, barricadeRow{d.cell, armNames[arm], n})
				}
			}
		}
	}
	return rows
}

// handRows lists cards by faction, each as often as it is there, in the order of the deck's list.
func (g *Game) handRows(hands map[string]map[string]int) object {
	rows := object{}
	for f, hand := range hands {
		cards := []string{}
		for _, c := range g.rules.loot {
			for range hand[c.Key] {
				cards = append(cards, c.Key)
			}
		}
		rows[f] = cards
	}
	return rows
}

func (g *Game) barredRows() object {
	rows := object{}
	for kind, cells := range g.barred {
		if len(cells) == 0 {
			continue
		}
		rows[kind] = slices.Sorted(maps.Keys(cells))
	}
	return rows
}

// String says where the game stands.
func (g *Game) String() string {
	return fmt.Sprintf("night %d, turn %d, %s", g.night, g.turn, g.phase)
}

// underWay is what is being carried out at a decision, in the form of the field pending; what
// belongs to the engine's own steps is left out.
func (g *Game) underWay(q Question) object {
	if q.Options == nil || q.Player < 0 || q.Name == "D1" || q.Name == "D2" {
		return object{}
	}
	p := g.pending
	return object{
		"verb": word(p.verb), "program": word(p.program), "who": word(p.who), "cell": place(p.cell), "from": place(p.from), "site": place(p.site),
		"blocs":      p.blocs,
		"kicks":      p.kicks,
		"occupation": word(p.occupation), "basic": p.basic, "bonus": p.bonus, "roll": p.roll, "decider": word(p.decider),
		"liberating": inOrder(p.liberating), "chooser": word(p.chooser), "lost": positive(p.lost), "partner": word(p.partner),
		"give": cardWord(p.give), "want": cardWord(p.want),
	}
}

func place(cell int) any {
	if cell < 0 {
		return nil
	}
	return cell
}

func cardWord(key string) any {
	if key == "" {
		return nil
	}
	return cardName(key)
}

// inOrder lists factions in the order of the data.
func inOrder(factions []string) []string {
	list := []string{}
	for _, f := range allFactions {
		if slices.Contains(factions, f) {
			list = append(list, f)
		}
	}
	return list
}
