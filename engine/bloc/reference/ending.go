package reference

import "slices"

// ending implements R10.1: how the game ends now, "" if it goes on.
func (g *Game) ending() string {
	for _, f := range g.seats { // 1
		if g.inCity(f) == 0 {
			return "no_blocs"
		}
	}
	last := ""
	if g.nights == 1 { // 5
		last = "time_out"
	}
	if gate := g.scenario.Gate; gate != nil && !g.clear(gate.Tiles) { // 2
		g.mark("R10.1 gate")
		return last
	}
	success := g.success()
	if g.semi() { // 3
		var alone []string
		for _, f := range g.seats {
			if g.wins(f, "alone", success) {
				alone = append(alone, f)
			}
		}
		if len(alone) == 1 {
			g.markIf(success, "R10.1 alone beats the insurrection")
			g.winners = alone
			return "win_alone"
		}
		if len(alone) > 1 {
			g.mark("R10.1 several alone")
			return last
		}
	}
	if !success { // 4
		return last
	}
	for _, f := range g.seats {
		if !g.semi() || g.wins(f, "cooperative", success) {
			g.winners = append(g.winners, f)
		}
	}
	g.markIf(len(g.winners) == 0, "R10.1 success without winners")
	g.mark("success " + g.scenario.Success.Op)
	return "success"
}

// clear reports whether there are no police in the districts of some tiles.
func (g *Game) clear(tiles []string) bool {
	return !slices.ContainsFunc(g.cells(), func(d *district) bool { return d.police() && slices.Contains(tiles, d.Key) })
}

// all reports whether every district of a type fits.
func (g *Game) all(kind string, fits func(*district) bool) bool {
	return !slices.ContainsFunc(g.cells(), func(d *district) bool { return d.Type == kind && !fits(d) })
}

func (g *Game) count(fits func(*district) bool) (n int) {
	for _, d := range g.cells() {
		if fits(d) {
			n++
		}
	}
	return n
}

func (d *district) heldBy(f string) bool { return d.occupation != nil && d.occupation.faction == f }

// zone reports whether the district is an Autonomous Zone, which starts liberated.
func (d *district) zone() bool { return d.Starts }

// success implements R10.2.
func (g *Game) success() bool {
	switch g.scenario.Success.Op {
	case "ALL_STATE_OCCUPIED":
		return g.all("state", func(d *district) bool { return d.occupation != nil })
	case "ALL_HIGHWAY_ENTRANCES_BARRICADED":
		return !slices.ContainsFunc(g.roads, func(c *connection) bool { return c.highway && (c.at[0] == 0 || c.at[1] == 0) })
	case "ALL_VANS_DESTROYED_AND_NO_COPS":
		return g.destroyed == 6 && g.count(func(d *district) bool { return d.cops > 0 }) == 0
	case "ALL_COMMERCIAL_BURNED":
		return g.all("commercial", func(d *district) bool { return d.shops[0] == 0 && d.shops[1] == 0 })
	case "ALL_FACTIONS_OCCUPY_ALL_OWN":
		return !slices.ContainsFunc(g.seats, func(f string) bool { return !g.allOwn(f) })
	case "EACH_FACTION_STATE_OR_ALL_OWN":
		return !slices.ContainsFunc(g.seats, func(f string) bool {
			return !g.allOwn(f) && g.count(func(d *district) bool { return d.Type == "state" && d.heldBy(f) }) == 0
		})
	case "LIBERATED_COUNT":
		return g.count(func(d *district) bool { return d.liberated && !d.zone() }) >= g.scenario.Success.N
	case "ALL_STATE_OCCUPIED_AND_LIBERATED":
		return g.all("state", func(d *district) bool { return d.occupation != nil && d.liberated })
	case "ADJACENT_TO_ZONES_LIBERATED_AND_ZONES_CLEAR":
		zones := g.scenario.Success.Tiles
		for _, zone := range g.cells() {
			if slices.Contains(zones, zone.Key) && slices.ContainsFunc(zone.near, func(d *district) bool { return d.CanBe && !d.liberated }) {
				return false
			}
		}
		return g.clear(zones)
	}
	panic(g.scenario.Success.Op)
}

// allOwn reports whether a faction has an occupation in each of its own districts.
func (g *Game) allOwn(f string) bool {
	return g.all(f, func(d *district) bool { return d.heldBy(f) })
}

// wins reports whether a faction meets an option of its agenda of that mode (R10.1).
func (g *Game) wins(f, mode string, success bool) bool {
	for _, a := range g.rules.agendas {
		if a.Key != g.agendas[f] {
			continue
		}
		for _, o := range a.Options {
			met := o.Mode == mode
			for _, p := range o.All {
				met = met && g.holds(p, f, success)
			}
			if met {
				g.mark("agenda met " + a.Key)
				return true
			}
		}
	}
	return false
}

// holds implements R10.4.
func (g *Game) holds(p predicate, f string, success bool) bool {
	kind := p.Type
	if kind == "own" {
		kind = f
	}
	n := 0
	switch p.Op {
	case "INSURRECTION_SUCCESS":
		return success
	case "OCC_IN_TYPE":
		n = g.count(func(d *district) bool { return d.Type == kind && d.heldBy(f) })
	case "ANY_OCC_IN_TYPE":
		n = g.count(func(d *district) bool { return d.Type == kind && d.occupation != nil })
	case "OCC_IN_CITY":
		n = g.count(func(d *district) bool { return d.heldBy(f) })
	case "OCC_IN_LIBERATED":
		n = g.count(func(d *district) bool { return d.liberated && d.heldBy(f) })
	case "OWN_DISTRICTS_LIBERATED":
		n = g.count(func(d *district) bool { return d.Type == f && d.liberated })
	case "TYPE_LIBERATED":
		n = g.count(func(d *district) bool { return d.Type == kind && d.liberated && !d.zone() })
	case "LIBERATED_IN_CITY":
		n = g.count(func(d *district) bool { return d.liberated && !d.zone() })
	case "BLOCS_IN_CITY":
		n = g.inCity(f)
	case "BLOCS_IN_LIBERATED":
		for _, d := range g.cells() {
			if d.liberated {
				n += d.blocs[f]
			}
		}
	case "MOST_BLOCS":
		return !slices.ContainsFunc(g.seats, func(other string) bool { return other != f && g.inCity(other) >= g.inCity(f) })
	case "BARRICADES_IN_CITY":
		for _, c := range g.roads {
			n += c.barricades()
		}
	case "NO_POLICE_AT_OWN_OCC":
		return g.count(func(d *district) bool { return d.heldBy(f) && d.police() }) == 0
	case "LOOTED_CENTERS":
		for _, d := range g.cells() {
			n += d.shops[1] + d.shops[2]
		}
	case "BURNED_CENTERS":
		for _, d := range g.cells() {
			n += d.shops[2]
		}
	case "COMMERCIAL_FULLY_BURNED":
		n = g.count(func(d *district) bool { return d.Type == "commercial" && d.shops[0]+d.shops[1] == 0 })
	case "HAND":
		n = size(g.hands[f])
	default:
		panic(p.Op)
	}
	return n >= p.N
}

// Returns is what each player gets at the end: 1 for a win, -1 for a loss.
func (g *Game) Returns() (list []float32) {
	for p := range g.options.Players {
		pay := float32(-1)
		for _, f := range g.winners {
			if g.player(f) == p {
				pay = 1
			}
		}
		list = append(list, pay)
	}
	return list
}
