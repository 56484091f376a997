package reference

import (
	"slices"
	"strings"
)

// nextOps takes the top card of the ops deck (C12), shown before or not.
func (g *Game) nextOps() string {
	if len(g.revealed) > 0 {
		g.mark("R8.2 known card")
		card := g.revealed[0]
		g.revealed = g.revealed[1:]
		return card
	}
	card := g.chance("C12", "OPS_", g.ops, one(g.ops))
	g.ops[card]--
	return card
}

// drawOps implements R8.2.
func (g *Game) drawOps() {
	card := g.nextOps()
	g.mark("card " + card)
	switch card {
	case "metro_lockdown": // R8.9
		seat := slices.Index(g.seats, g.active)
		g.metro, g.metroNight = g.seats[(seat+1)%len(g.seats)], g.night
	case "chief_of_police_fired": // R8.10
		for c, n := range g.opsOut {
			g.ops[c] += n
		}
		g.markIf(len(g.revealed) > 0, "R8.10 known cards")
		for _, c := range g.revealed {
			g.ops[c]++
		}
		g.revealed, g.opsOut = nil, map[string]int{card: 1}
	default:
		g.resolve(card)
		g.opsOut[card]++
	}
	if size(g.ops)+len(g.revealed) == 0 {
		g.mark("R8.2 reshuffle")
		g.markIf(g.metro != "", "R8.2 reshuffle without the Metro Lockdown")
		g.ops, g.opsOut = g.opsOut, map[string]int{}
	}
}

// resolve carries out a card: first its morale text, then the rest.
func (g *Game) resolve(name string) {
	card := g.rules.ops[slices.IndexFunc(g.rules.ops, func(c opsCard) bool { return c.Key == name })]
	list := g.byID()
	if card.Priority == "highest" {
		slices.Reverse(list)
	}
	base := strings.TrimSuffix(strings.TrimSuffix(name, "_highest"), "_lowest")
	switch base {
	case "paramilitary_operations":
		g.raiseMorale()
		g.moveGroups(list, func(d *district) bool { return d.occupation != nil })
	case "heavy_reinforcements":
		g.raiseMorale()
		g.vansDeploy(list, 2)
	case "light_reinforcements":
		g.raiseMorale()
		g.vansDeploy(list, 1)
	case "emergency_reinforcements":
		g.raiseMorale()
		g.deployVan(list)
	case "strategic_rotation": // R8.7
		for _, d := range list {
			if d.cops >= 7 {
				g.mark("R8.7 capped")
				g.withdraw(d.cops-6, d)
			}
		}
	case "tactical_retreat": // R8.7
		for _, d := range list {
			if d.cops == 1 && d.van < 0 && d.allBlocs() == 0 {
				g.mark("R8.7 solo cop")
				g.withdraw(1, d)
			}
		}
	case "maneuvers":
		g.reposition(list)
	default: // Riot Cop Movement
		kind := strings.TrimPrefix(base, "move_")
		g.moveGroups(list, func(d *district) bool { return d.Type == kind })
	}
}

// raiseMorale is R8.3.
func (g *Game) raiseMorale() {
	g.markIf(g.morale == 4, "R8.3 at most Deadly")
	g.morale = min(4, g.morale+1)
}

// moveGroups implements R8.4. The list is in the order of the card's priority.
func (g *Game) moveGroups(list []*district, fits func(*district) bool) {
	type group struct {
		from, to *district
		n        int
	}
	var groups []group
	for _, d := range list {
		if d.cops < 2 || d.allBlocs() > 0 {
			continue
		}
		near := d.near
		for _, to := range list { // the first that fits has the highest or lowest ID
			if fits(to) && slices.Contains(near, to) {
				groups = append(groups, group{d, to, d.cops})
				break
			}
		}
	}
	for _, x := range groups {
		g.orderOut(x.from, x.to, x.n-1)
	}
	g.settle()
}

// orderOut moves the m cops under orders to a district, as far as barricades let them (R8.4).
func (g *Game) orderOut(from, to *district, m int) {
	var way *connection
	for _, c := range from.arms {
		if c != nil && c.other(from.cell) == to.cell {
			g.markIf(way != nil, "R8.4 several connections")
			if way == nil || c.barricades() < way.barricades() {
				g.markIf(way != nil, "R8.4 fewer barricades")
				way = c
			}
		}
	}
	stopped := 0
	switch way.barricades() {
	case 1:
		stopped = min(1, m)
	case 2:
		stopped = m / 2
		g.markIf(stopped == 0, "R8.4 two barricades stop nobody")
		g.markIf(stopped > 0, "R8.4 two barricades")
	case 3:
		g.mark("R8.4 three barricades")
		stopped = m
	}
	if stopped >= 1 {
		g.mark("R8.4 stopped")
		g.dismantle(way)
	}
	from.cops -= m - stopped
	to.cops += m - stopped
}

// vansDeploy implements R8.5.
func (g *Game) vansDeploy(list []*district, n int) {
	for _, d := range list {
		g.markIf(d.van > 0, "R8.5 damaged")
		if d.van == 0 {
			g.deploy(n, d)
		}
	}
}

// vansInCity counts them, damaged ones too.
func (g *Game) vansInCity() (n int) {
	for _, d := range g.at {
		if d.van >= 0 {
			n++
		}
	}
	return n
}

// deployVan implements R8.6.
func (g *Game) deployVan(list []*district) {
	if g.vansInCity() >= 4 || g.vans == 0 {
		g.mark("R8.6 no van")
		return
	}
	for _, d := range list {
		if d.cops >= 1 && d.van < 0 {
			g.mark("R8.6 van")
			d.van = 0
			g.vans--
			return
		}
	}
}

// reposition implements R8.8.
func (g *Game) reposition(list []*district) {
	n := 0
	var candidates []*district
	for _, d := range list {
		g.markIf(d.van > 0, "R8.8 damaged")
		if d.van == 0 {
			n++
		}
		if d.van == 0 || d.van < 0 && d.cops >= 1 {
			candidates = append(candidates, d)
		}
	}
	for i, d := range candidates {
		g.markIf(i < n && d.van < 0, "R8.8 moved")
		d.van = -1
		if i < n {
			d.van = 0
		}
	}
	g.settle()
}
