package reference

import (
	"fmt"
	"slices"
)

// takeTurn implements R4.2.
func (g *Game) takeTurn(f string) {
	g.active, g.phase = f, "sunset_1"
	g.rollDice(f)
	g.act(f)
}

// act is what follows the dice (R4.4, R4.5).
func (g *Game) act(f string) {
	g.active, g.phase = f, "sunset_2"
	for g.menu(f) {
		g.pending = nothing
	}
	g.pending = nothing
	g.phase = "sunset_3"
	n := max(0, g.rules.opsCards[g.morale]-g.jammers) // R8.1
	for range n {
		g.drawOps()
	}
	g.endTurn(f)
}

// rollDice implements R4.3.
func (g *Game) rollDice(f string) {
	g.resetTurn()
	if start := g.home(f, "faction_start"); start != nil {
		g.markIf(start.police(), "R4.3 into a clash")
		g.form(f, 1, start)
	} else {
		g.mark("R4.3 no Faction Start")
	}
	n := 0
	for _, row := range g.rules.dice {
		if blocs := g.inCity(f); row.Least <= blocs && blocs <= row.Most {
			n = row.Dice
		}
	}
	g.markIf(n == 4, "R4.3 four dice")
	g.markIf(n == 5, "R4.3 five dice")
	g.markIf(g.bonus[f] > 0, "R4.3 bonus dice")
	g.markIf(n+g.bonus[f] > 7, "R4.3 more than seven")
	n = min(7, n+g.bonus[f])
	g.bonus[f] = 0
	for range n {
		g.rollDie()
	}
}

// rollDie rolls an action die, C8, or an extra one: C10, which positions call C8 as well.
func (g *Game) rollDie() {
	faces := map[string]int{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1}
	g.dice = append(g.dice, int(g.chance("C8", "DIE_", faces, false)[0]-'0'))
}

// extraDice rolls extra dice (C10), as far as there are any (R1.2, Ruling 12).
func (g *Game) extraDice(n int) {
	for range n {
		if len(g.dice) >= 7 {
			g.mark("R1.2 seven dice")
			continue
		}
		if g.extra >= 14 {
			g.mark("Ruling 12")
			continue
		}
		g.rollDie()
		g.extra++
	}
}

// endTurn implements R4.5.
func (g *Game) endTurn(f string) {
	g.resetTurn()
	if g.metro == f && g.night > g.metroNight {
		g.mark("R4.5 metro open")
		g.opsOut["metro_lockdown"]++
		g.metro = ""
	} else {
		g.markIf(g.metro == f, "R4.5 metro held")
	}
	g.active = ""
}

// hasDie reports whether an unspent die shows so much.
func (g *Game) hasDie(least int) bool { return len(g.dice) > 0 && slices.Max(g.dice) >= least }

// spend spends the lowest die that suffices (R5.2).
func (g *Game) spend(least int) {
	best := -1
	for i, v := range g.dice {
		if v >= least && (best < 0 || v < g.dice[best]) {
			best = i
		}
	}
	g.dice = slices.Delete(g.dice, best, best+1)
}

// usesLeft reports whether an ability can be used once more this turn (R5.2).
func (g *Game) usesLeft(f, kind string) bool {
	d := g.home(f, kind)
	if d == nil {
		return false
	}
	limit := 1
	if d.liberated {
		limit = 2
	}
	g.markIf(g.uses[kind] == 1 && d.liberated, "R5.2 second use of "+kind)
	return g.uses[kind] < limit
}

// menu puts D2 (R5.1, R5.2) and carries out the verb. It returns false at the end of the actions.
func (g *Game) menu(f string) bool {
	verb := g.ask("D2", f, g.verbs(f))
	g.pending.verb, g.pending.who = verb, f
	switch verb {
	case "END_ACTIONS":
		return false
	case "MOVE":
		g.move(f, false)
		g.spend(1)
	case "MOVE_FREE":
		g.uses["social_center"]++
		g.pending.program = verb
		g.move(f, false)
	case "BARRICADE":
		g.barricade(f)
	case "LOOT_GRAFFITI", "LOOT_BURN", "BUILD", "SWAP":
		g.advanced(f, verb)
	case "ATTACK_DEFEAT", "ATTACK_KICK", "ATTACK_VAN":
		g.attacks(f, verb)
	case "ASSEMBLY_HALL":
		g.uses["assembly_hall"]++
		g.spend(1)
		g.markIf(g.home(f, "assembly_hall").police(), "Ruling 18")
		g.form(f, 1, g.home(f, "assembly_hall"))
	case "HACKER_SPACE":
		g.uses["hacker_space"]++
		g.pending.program = verb
		g.spend(1)
		g.drawKeep(f, 2, 1)
	case "PROPAGANDA_WORKSHOP":
		g.uses["propaganda_workshop"]++
		g.drawLoot(f, 1)
	case "PLAY_CARD":
		g.playCard(f)
	case "TRADE":
		g.trade(f)
	}
	return true
}

// verbs lists those whose precondition holds (R5.2).
func (g *Game) verbs(f string) []string {
	list := []string{}
	die := len(g.dice) > 0
	add := func(condition bool, verb string) {
		if condition {
			list = append(list, verb)
		}
	}
	add(die && len(g.sources(f, false)) > 0, "MOVE")
	add(g.usesLeft(f, "social_center") && len(g.sources(f, false)) > 0, "MOVE_FREE")
	add(die && len(g.barricadeCells(f)) > 0, "BARRICADE")
	for _, verb := range []string{"LOOT_GRAFFITI", "LOOT_BURN", "BUILD", "SWAP"} {
		add(len(g.advancedCells(f, verb)) > 0, verb)
	}
	for _, verb := range attackVerbs {
		add(len(g.attackCells(f, verb)) > 0, verb)
	}
	add(die && g.usesLeft(f, "assembly_hall") && g.onMat(f) > 0, "ASSEMBLY_HALL")
	cards := size(g.loot)+size(g.looted) > 0
	add(die && g.usesLeft(f, "hacker_space") && cards, "HACKER_SPACE")
	add(g.usesLeft(f, "propaganda_workshop") && cards, "PROPAGANDA_WORKSHOP")
	add(len(g.playable(f)) > 0, "PLAY_CARD")
	add(g.trades < 3 && len(g.partners(f)) > 0, "TRADE")
	return append(list, "END_ACTIONS")
}

// reach finds where blocs can go from a district (R5.3).
func (g *Game) reach(from *district) (list []*district) {
	reached := map[*district]bool{from: true}
	queue := []*district{from}
	for len(queue) > 0 {
		d := queue[0]
		queue = queue[1:]
		if d != from && d.police() {
			continue // entered as the last step only
		}
		next := slices.Clone(d.near)
		if d.Metro && g.metro == "" {
			for _, other := range g.cells() {
				if other.Metro {
					next = append(next, other)
				}
			}
		}
		for _, other := range next {
			if !reached[other] {
				reached[other] = true
				queue = append(queue, other)
			}
		}
	}
	for _, d := range g.cells() {
		if reached[d] && d != from {
			list = append(list, d)
		}
	}
	return list
}

// sources lists the districts that blocs may leave: without police, with Smoke Bombs only
// those with police (R5.3, R11.3).
func (g *Game) sources(f string, smoke bool) (list []*district) {
	for _, d := range g.cells() {
		if d.blocs[f] > 0 && d.police() == smoke && len(g.reach(d)) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// move implements R5.3: D3, D4, D5.
func (g *Game) move(f string, smoke bool) {
	from := g.where(g.ask("D3", f, names(g.sources(f, smoke))))
	g.pending.from = from.cell
	counts := []string{}
	for n := range from.blocs[f] {
		counts = append(counts, fmt.Sprint("COUNT_", n+1))
	}
	n := slices.Index(counts, g.ask("D4", f, counts)) + 1
	g.pending.blocs = n
	to := g.where(g.ask("D5", f, names(g.reach(from))))
	g.markIf(g.metro != "", "R8.9 move while the metro is locked")
	g.markIf(to.police(), "R5.3 into police")
	from.blocs[f] -= n
	to.blocs[f] += n
	if from.attacked[f] > 0 { // R5.4: those that have attacked leave first
		g.mark("R5.4")
		from.attacked[f] = max(0, from.attacked[f]-n)
	}
	g.settle()
}

// barricadeCells lists the cells of D6 (R5.2).
func (g *Game) barricadeCells(f string) (list []*district) {
	for _, d := range g.cells() {
		if d.blocs[f] > 0 && !d.police() && len(g.freeArms(d, 0)) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// barricade implements R5.7.
func (g *Game) barricade(f string) {
	d := g.where(g.ask("D6", f, names(g.barricadeCells(f))))
	g.pending.cell = d.cell
	n := 1
	if garden := g.home(f, "guerrilla_garden"); garden != nil {
		if d == garden || garden.liberated && d.Type == garden.Type {
			g.mark("R5.7 Garden")
			g.markIf(d != garden, "R5.7 Garden elsewhere")
			n = 3
		}
	}
	g.placeBarricades("D7", f, d, n, 1)
	g.spend(1)
}

// placeBarricades asks for arms in their order (R13.4), up to so many, DONE after the least number.
func (g *Game) placeBarricades(decision, f string, d *district, most, least int) {
	last := 0
	for i := range most {
		options := g.freeArms(d, last)
		if len(options) == 0 {
			g.mark("R13.1 no arm left")
			return
		}
		if i >= least {
			options = append(options, "DONE")
		}
		answer := g.ask(decision, f, options)
		if answer == "DONE" {
			return
		}
		last = arm(answer)
		g.build(d, last)
	}
}
