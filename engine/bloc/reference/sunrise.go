package reference

import (
	"fmt"
	"slices"
	"strings"
)

// sunrise implements section 9.
func (g *Game) sunrise() {
	g.pending = nothing
	g.phase = "sunrise_1A"
	for _, d := range g.at { // R9.1
		d.van = min(d.van, 0)
	}
	g.phase = "sunrise_1B"
	for _, d := range g.byID() {
		if d.van >= 0 && (d.allBlocs() > 0 || d.occupation != nil) {
			g.vanAttack(d)
		}
	}
	g.phase = "sunrise_1C"
	for _, d := range g.byID() {
		if d.cops >= 1 && (d.allBlocs() > 0 || d.occupation != nil) {
			g.copAttack(d)
		}
	}
	g.phase = "sunrise_2"
	g.liberation()
	g.phase = "sunrise_3"
	g.nextNight()
}

// evict returns the occupation of a district to its owner's mat, unless it is protected.
func (g *Game) evict(d *district) {
	if d.occupation != nil && !d.protected {
		g.mark("R9.2 evicted")
		d.occupation = nil
	}
	g.markIf(d.protected, "R9.2 protected")
}

// defeat sends blocs to the mat.
func (g *Game) defeat(f string, n int, d *district, lost map[string]int) {
	if n == 0 {
		return
	}
	d.blocs[f] -= n
	lost[f] += n
	d.attacked[f] = max(0, d.attacked[f]-n) // those that have attacked leave first (Ruling 8)
	g.settle()
}

// vanAttack implements R9.2 in one district.
func (g *Game) vanAttack(d *district) {
	g.pending = nothing
	g.pending.cell = d.cell
	if o := d.occupation; o != nil {
		g.repressionCards(o.faction, d)
	}
	lost := map[string]int{}
	for _, f := range g.seats {
		g.defeat(f, d.blocs[f], d, lost)
	}
	g.evict(d)
	g.medicKits(d, lost)
}

// repressionCards asks a faction for its cards (D24, R9.2, R9.3).
func (g *Game) repressionCards(f string, d *district) {
	g.pending.who = f
	doors := false // Gas Masks come before Steel Doors (R13.4)
	for {
		options := []string{}
		if g.hands[f]["gas_masks"] > 0 && g.phase == "sunrise_1C" && d.blocs[f] > 0 && d.van < 0 && d.cancelled < d.cops && !doors {
			options = append(options, "CARD_GAS_MASKS")
		}
		if g.hands[f]["steel_doors"] > 0 && d.occupation != nil && d.occupation.faction == f && !d.protected {
			options = append(options, "CARD_STEEL_DOORS")
		}
		if len(options) == 0 {
			return
		}
		answer := g.ask("D24", f, append(options, "DONE"))
		if answer == "DONE" {
			return
		}
		g.play(f, key(answer))
		if answer == "CARD_GAS_MASKS" {
			g.markIf(d.cancelled > 0, "R9.3 masks again")
			d.cancelled += 2
		} else {
			doors, d.protected = true, true
		}
	}
}

// copAttack implements R9.3 in one district.
func (g *Game) copAttack(d *district) {
	g.pending = nothing
	g.pending.cell = d.cell
	decider := ""
	for _, f := range g.order() {
		if d.blocs[f] > 0 && (decider == "" || d.blocs[f] > d.blocs[decider]) {
			decider = f
		}
	}
	g.pending.decider = decider
	for _, f := range g.order() {
		if d.blocs[f] > 0 || d.occupation != nil && d.occupation.faction == f {
			g.repressionCards(f, d)
		}
	}
	attacks, blocs := max(0, d.cops-d.cancelled), d.allBlocs()
	lost := map[string]int{}
	if attacks >= blocs {
		for _, f := range g.seats {
			g.defeat(f, d.blocs[f], d, lost)
		}
		if attacks > blocs {
			g.evict(d)
		} else {
			g.mark("R9.3 as many attacks as blocs")
		}
	} else {
		g.victims(decider, attacks, d, lost)
	}
	g.medicKits(d, lost)
}

// victims implements D25 (R9.3, R13.4).
func (g *Game) victims(decider string, attacks int, d *district, lost map[string]int) {
	g.pending.lost, g.pending.who = lost, ""
	if one(d.blocs) {
		g.defeat(decider, attacks, d, lost)
		return
	}
	last := 0
	for left := attacks; left > 0; left-- {
		options := []string{}
		for i, f := range allFactions {
			after := 0
			for _, other := range allFactions[i:] {
				after += d.blocs[other]
			}
			if i >= last && d.blocs[f] > 0 && after >= left {
				options = append(options, "FACTION_"+strings.ToUpper(f))
			}
		}
		f := strings.ToLower(strings.TrimPrefix(g.ask("D25", decider, options), "FACTION_"))
		last = slices.Index(allFactions, f)
		g.markIf(f != decider, "R9.3 another's victim")
		g.defeat(f, 1, d, lost)
	}
}

// medicKits implements R9.4.
func (g *Game) medicKits(from *district, lost map[string]int) {
	g.pending.lost, g.pending.decider = lost, ""
	for _, f := range g.order() {
		for n := 1; lost[f] > 0 && g.hands[f]["medic_kit"] > 0; n++ {
			var refuges []*district
			for _, d := range g.cells() {
				if d != from && d.occupation != nil && d.occupation.faction == f {
					refuges = append(refuges, d)
				}
			}
			if len(refuges) == 0 {
				g.mark("R9.4 no refuge")
				break
			}
			g.pending.who = f
			if g.ask("D26", f, []string{"CARD_MEDIC_KIT", "DONE"}) == "DONE" {
				break
			}
			g.markIf(n > 1, "R9.4 again")
			g.play(f, "medic_kit")
			to := g.where(g.ask("D27", f, names(refuges)))
			saved := min(3, lost[f])
			g.markIf(to.police() && to.ID > from.ID, "R9.4 saved into danger")
			lost[f] -= saved
			to.blocs[f] += saved
		}
	}
}

// strength is how many blocs a district counts as (R9.5).
func (d *district) strength() int { return d.allBlocs() + d.boost }

// liberation implements R9.5.
func (g *Game) liberation() {
	for _, d := range g.byID() {
		if d.liberated || !d.CanBe || d.occupation == nil {
			continue
		}
		g.pending = nothing
		g.pending.cell = d.cell
		for _, f := range g.order() {
			for d.strength() < d.needed() && d.blocs[f] > 0 && g.hands[f]["sound_system"] > 0 {
				g.pending.who = f
				if g.ask("D28", f, []string{"CARD_SOUND_SYSTEM", "DONE"}) == "DONE" {
					break
				}
				g.play(f, "sound_system")
				d.boost += 2
			}
		}
	}
	for again := true; again; {
		again = false
		for _, d := range g.byID() {
			if !d.liberated && d.CanBe && d.occupation != nil && d.strength() >= d.needed() {
				g.markIf(d.boost > 0, "R9.5 boost")
				g.liberate(d)
				again = true
				break
			}
		}
	}
}

// liberate implements R9.6.
func (g *Game) liberate(d *district) {
	g.markIf(d.police(), "R9.5 with police")
	d.shops = [3]int{}
	d.liberated = true
	var liberating []string
	chooser := ""
	for _, f := range g.order() {
		if d.blocs[f] > 0 {
			liberating = append(liberating, f)
			if chooser == "" || d.blocs[f] > d.blocs[chooser] {
				chooser = f
			}
		}
	}
	g.pending = nothing
	g.pending.cell, g.pending.liberating, g.pending.chooser = d.cell, liberating, chooser
	card := g.chance("C15", "MANIFESTATION_", g.shows, one(g.shows))
	g.shows[card]--
	g.mark("card " + card)
	g.pending.program = card
	g.markIf(g.morale == 0, "R8.3 at least Timid")
	g.morale = max(0, g.morale-1)
	n := 0
	for _, c := range g.rules.shows {
		if c.Key == card {
			n = c.Table[fmt.Sprint(d.difficulty())]
		}
	}
	g.mark(fmt.Sprintf("R11.4 %s at difficulty %d", card, d.difficulty()))
	g.manifest(card, n, d, liberating, chooser)
	g.pending = nothing
}

// manifest implements R11.4.
func (g *Game) manifest(card string, n int, d *district, liberating []string, chooser string) {
	switch card {
	case "mass_looting":
		for _, f := range liberating {
			g.pending.who = f
			g.drawKeep(f, n, n)
		}
	case "popular_assembly":
		for _, f := range liberating {
			g.form(f, n, d)
		}
	case "leaked_orders":
		g.markIf(g.revealedTotal > 0, "R11.4 orders add up")
		g.revealedTotal += n
		for len(g.revealed) < g.revealedTotal && size(g.ops) > 0 {
			next := g.chance("C12", "OPS_", g.ops, one(g.ops))
			g.ops[next]--
			g.revealed = append(g.revealed, next)
		}
		g.markIf(size(g.ops) == 0, "R11.4 whole deck shown")
	case "general_strike":
		for _, f := range liberating {
			g.bonus[f] += n
		}
	case "street_fortifications":
		g.pending.who = chooser
		g.placeBarricades("D29", chooser, d, n, 0)
	case "mutiny_in_the_ranks":
		g.mutiny(chooser, n, d)
	case "spontaneous_march":
		for _, f := range liberating {
			g.march(f, n)
		}
	case "mass_jailbreak":
		for _, f := range g.order() {
			if start := g.home(f, "faction_start"); start != nil {
				g.form(f, 1, start)
			}
		}
		for _, f := range liberating {
			g.form(f, n, d)
		}
	case "riot_van_torched":
		g.torch(chooser, n, d)
	case "wave_of_occupations":
		for _, f := range liberating {
			g.wave(f, n, d)
		}
	}
}

// around lists a district and those adjacent to it, in ascending order of their cells.
func (g *Game) around(d *district) (list []*district) {
	near := append(slices.Clone(d.near), d)
	for _, other := range g.cells() {
		if slices.Contains(near, other) {
			list = append(list, other)
		}
	}
	return list
}

// mutiny is D30.
func (g *Game) mutiny(chooser string, n int, d *district) {
	g.pending.who = chooser
	last := 0
	for range n {
		var list []*district
		for _, other := range g.around(d) {
			if other.cops > 0 && other.cell >= last {
				list = append(list, other)
			}
		}
		if len(list) == 0 {
			g.mark("R11.4 no cop left")
			return
		}
		answer := g.ask("D30", chooser, append(names(list), "DONE"))
		if answer == "DONE" {
			return
		}
		last = g.where(answer).cell
		g.withdraw(1, g.where(answer))
	}
}

// march is D32.
func (g *Game) march(f string, n int) {
	for range n {
		g.pending.who, g.pending.from, g.pending.blocs = f, -1, 0
		if len(g.sources(f, false)) == 0 {
			g.mark("R11.4 no march")
			return
		}
		if g.ask("D32", f, []string{"MOVE_FREE", "DONE"}) == "DONE" {
			return
		}
		g.move(f, false)
	}
}

// torch is D31.
func (g *Game) torch(chooser string, n int, d *district) {
	g.pending.who = chooser
	var list []*district
	for _, other := range g.around(d) {
		if other.van >= 0 {
			list = append(list, other)
		}
	}
	if len(list) == 0 {
		g.mark("R11.4 no van near")
		return
	}
	at := list[0]
	if len(list) > 1 {
		at = g.where(g.ask("D31", chooser, names(list)))
	}
	g.destroy(at)
	g.markIf(n > at.cops, "R11.4 fewer cops at the van")
	g.withdraw(n, at)
}

// wave is D33.
func (g *Game) wave(f string, n int, d *district) {
	last := -1
	for range n {
		g.pending.who, g.pending.site = f, -1
		var list []*district
		for _, other := range d.near {
			if (other.Type == f || other.Type == "public") && other.Circle && other.occupation == nil && !other.police() && other.cell > last {
				list = append(list, other)
			}
		}
		if len(list) == 0 || len(g.matOccupations(f)) == 0 {
			g.mark("R11.4 no wave")
			return
		}
		answer := g.ask("D33", f, append(names(list), "DONE"))
		if answer == "DONE" {
			return
		}
		at := g.where(answer)
		last, g.pending.site = at.cell, at.cell
		at.occupation = &occupation{f, g.kind(f, g.ask("D9", f, g.matOccupations(f)))}
	}
}

// nextNight implements R9.7.
func (g *Game) nextNight() {
	g.pending = nothing
	by := g.ending()
	g.revealedTotal = 0
	for _, d := range g.at {
		clear(d.attacked)
		d.protected, d.cancelled, d.boost = false, 0, 0
	}
	if g.by = by; by != "" {
		if by == "time_out" {
			g.nights = 0
		}
		g.phase = "over"
		g.mark("end " + g.by)
		return
	}
	g.nights--
	seat := slices.Index(g.seats, g.first)
	g.first = g.seats[(seat+1)%len(g.seats)]
}
