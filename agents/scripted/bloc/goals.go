package bloc

import "powderkeg/engine/bloc"

// goals says what the scenario, and with agendas the own card, make of the city. The
// unit is about one loot card in hand.
type goals struct {
	build  [bloc.Cells]float64    // an own occupation there, beside what its ability does
	keep   [bloc.Cells]float64    // the occupation that stands there
	clear  [bloc.Cells]float64    // no police there
	free   [bloc.Cells]float64    // its liberation
	loot   [bloc.Cells][2]float64 // to graffiti, to burn a shopping centre
	bar    float64                // a barricade at a highway entrance that has none
	cop    float64                // a riot cop less in the city
	van    float64                // a van destroyed
	bloc   float64                // one more own bloc in the city
	card   float64                // one more card in hand
	anyBar float64                // a barricade anywhere
}

func (g *goals) read(t *situation) {
	for c := range bloc.CellID(bloc.Cells) {
		f := &t.tile[c]
		if f.Liberable && !f.Liberated {
			g.free[c] = t.w.free
		}
		if t.holder[c] != none {
			h := t.s.P.Holder[c]
			ability := t.w.keepOthers
			if h.Faction() == t.f {
				ability = t.w.keepOwn
			}
			g.keep[c] = t.w.keep*min(1, float64(t.turns)*t.w.keepTurns) + ability*t.ability(h.Faction(), h.Kind(), c)
		}
	}
	switch t.s.Scenario() {
	case bloc.ScenarioRoutineTrafficStop:
		g.bar = 5
	case bloc.ScenarioAbolishThePolice:
		g.cop, g.van = 1.2, 8
	case bloc.ScenarioBurnDownTheCompanyTown:
		for c := range bloc.CellID(bloc.Cells) {
			if t.tile[c].Type == bloc.TypeCommercial {
				g.loot[c] = [2]float64{2, 2.5}
				if centers(t, c) > 0 {
					g.clear[c] = t.w.toward
				}
			}
		}
	case bloc.ScenarioOccupyEverything:
		g.occupy(t, func(c bloc.CellID) bool { return t.tile[c].Type == t.f.Home() })
		g.guard(t, func(c bloc.CellID) bool {
			return t.tile[c].Type < bloc.TypeState && t.holder[c].Home() == t.tile[c].Type
		})
	case bloc.ScenarioAsymmetricalStruggle:
		g.asymmetrical(t)
	case bloc.ScenarioCollectiveLiberation:
		g.liberate(t, func(c bloc.CellID) bool { return t.tile[c].Liberable && !t.tile[c].Liberated })
	case bloc.ScenarioSmashTheState:
		g.occupy(t, func(c bloc.CellID) bool { return t.tile[c].Type == bloc.TypeState })
		g.liberate(t, func(c bloc.CellID) bool { return t.tile[c].Type == bloc.TypeState && !t.tile[c].Liberated })
	case bloc.ScenarioAutonomousZone2:
		around := bloc.CellSet(0)
		for c := range bloc.CellID(bloc.Cells) {
			if t.tile[c].Zone {
				around |= t.s.P.Near[c]
				g.clear[c] = t.w.toward
			}
		}
		g.liberate(t, func(c bloc.CellID) bool { return around>>c&1 != 0 && t.tile[c].Liberable && !t.tile[c].Liberated })
	default:
		g.occupy(t, func(c bloc.CellID) bool { return t.tile[c].Type == bloc.TypeState })
		if t.s.Scenario() == bloc.ScenarioAutonomousZone1 {
			for c := range bloc.CellID(bloc.Cells) {
				if t.tile[c].Zone {
					g.clear[c] = t.w.toward
				}
			}
		}
	}
	if a := t.s.P.Agenda[t.f]; a < bloc.Agendas {
		g.agenda(t, a)
	}
}

// centers counts the shopping centres of a district that are not burned.
func centers(t *situation, c bloc.CellID) int {
	return int(t.s.P.Centers[bloc.Unlooted][c] + t.s.P.Centers[bloc.Graffitied][c])
}

// occupy makes an occupation in each of some districts the goal.
func (g *goals) occupy(t *situation, wanted func(c bloc.CellID) bool) {
	for c := range bloc.CellID(bloc.Cells) {
		switch {
		case !wanted(c):
		case t.holder[c] == none:
			g.build[c], g.clear[c] = t.w.part, t.w.toward
		default:
			g.keep[c], g.clear[c] = t.w.part, t.w.toward
		}
	}
}

// guard makes it the goal that occupations stay where they are.
func (g *goals) guard(t *situation, wanted func(c bloc.CellID) bool) {
	for c := range bloc.CellID(bloc.Cells) {
		if wanted(c) {
			g.keep[c], g.clear[c] = t.w.part, t.w.toward
		}
	}
}

// liberate makes the liberation of some districts the goal. Each needs an
// occupation first.
func (g *goals) liberate(t *situation, wanted func(c bloc.CellID) bool) {
	for c := range bloc.CellID(bloc.Cells) {
		if !wanted(c) {
			continue
		}
		g.free[c] = t.w.part
		if t.holder[c] == none {
			g.build[c] = max(g.build[c], t.w.part/2)
		} else {
			g.keep[c] = max(g.keep[c], t.w.part/2)
		}
	}
}

// asymmetrical: each faction needs a State District or all of its own.
func (g *goals) asymmetrical(t *situation) {
	g.guard(t, func(c bloc.CellID) bool {
		return t.holder[c] != none && (t.tile[c].Type == bloc.TypeState || t.tile[c].Type == t.holder[c].Home())
	})
	homes := t.s.P.OfType[t.f.Home()]
	missing := 0
	for c := range bloc.CellID(bloc.Cells) {
		switch held := t.holder[c] == t.f; {
		case held && t.tile[c].Type == bloc.TypeState:
			return
		case !held && homes.Has(c):
			missing++
		}
	}
	if missing == 0 {
		return
	}
	for c := range bloc.CellID(bloc.Cells) {
		if t.holder[c] != none {
			continue
		}
		switch t.tile[c].Type {
		case bloc.TypeState:
			g.build[c], g.clear[c] = t.w.part/2, t.w.toward/2
		case t.f.Home():
			g.build[c], g.clear[c] = t.w.part/float64(missing), t.w.toward
		}
	}
}
