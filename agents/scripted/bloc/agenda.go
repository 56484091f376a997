package bloc

import "powderkeg/engine/bloc"

// agenda adds what the own agenda asks for. The social ones, and the others' first
// option where it is to win together, want the insurrection and something beside it,
// which is cheaper than winning alone.
func (g *goals) agenda(t *situation, card bloc.AgendaID) {
	if t.s.Meets(t.f, 0) || t.s.Meets(t.f, 1) {
		return
	}
	const extra = 3.0
	switch card {
	case bloc.AgendaNeighborhoodPower:
		g.add(t, extra, func(c bloc.CellID) bool { return t.tile[c].Type == t.f.Home() || t.tile[c].Type == bloc.TypeState })
	case bloc.AgendaFederation:
		g.add(t, extra/2, func(bloc.CellID) bool { return true })
	case bloc.AgendaOpenTheCommons:
		g.add(t, extra, func(c bloc.CellID) bool { return t.tile[c].Type == bloc.TypePublic })
	case bloc.AgendaHoldTheStreets:
		g.anyBar = 0.5
		g.add(t, extra/2, func(bloc.CellID) bool { return true })
	case bloc.AgendaExpropriation:
		g.card = 0.5
		for c := range bloc.CellID(bloc.Cells) {
			g.loot[c][0] += 0.5
		}
	case bloc.AgendaOneTrueLine:
		g.add(t, extra, func(c bloc.CellID) bool { return t.tile[c].Type == t.f.Home() })
	case bloc.AgendaHegemony:
		g.bloc = 0.8
	case bloc.AgendaHomeTurf:
		for c := range bloc.CellID(bloc.Cells) {
			if t.tile[c].Type == t.f.Home() && g.free[c] > 0 {
				g.free[c] = max(g.free[c], t.w.part/2)
				g.add(t, extra, func(d bloc.CellID) bool { return d == c })
			}
		}
	case bloc.AgendaVanguardist:
		g.add(t, extra, func(c bloc.CellID) bool { return t.tile[c].Type == bloc.TypeState })
	case bloc.AgendaNihilist:
		for c := range bloc.CellID(bloc.Cells) {
			g.loot[c] = [2]float64{1.5, 3}
			g.build[c] /= 4
			g.clear[c] /= 4
		}
		g.bloc = 0.3
	}
}

// add makes an own occupation in some districts worth more.
func (g *goals) add(t *situation, worth float64, wanted func(c bloc.CellID) bool) {
	for c := range bloc.CellID(bloc.Cells) {
		switch {
		case !wanted(c) || !t.s.MayHold(t.f, c):
		case t.holder[c] == none:
			g.build[c] += worth
		case t.holder[c] == t.f:
			g.keep[c] += worth
		}
	}
}
