package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/flow"
)

// checkMilitary implements R5.2: a side without a piece on the map loses at once, from
// the first card on. Without pieces of either the Edge decides (Q30).
func (g *game) checkMilitary(p *Position, w *flow.Witness) {
	if p.Phase != actionPhase || p.OnMap[agent]+p.OnMap[federalBase] > 0 && p.OnMap[militia]+p.OnMap[rebelBase] > 0 {
		return
	}
	winner := g.edge(p)
	if p.pieces(federal) > 0 {
		winner = federal
	} else if p.pieces(rebel) > 0 {
		winner = rebel
	}
	g.finish(p, w, "R5.2", winner, military, false)
}

// checkDomination implements R5.3 (Q31).
func (g *game) checkDomination(p *Position, w *flow.Witness) bool {
	f, r := g.vp(p, federal), g.vp(p, rebel)
	if max(f, r) < g.box.dominationVP {
		return false
	}
	g.finish(p, w, "R5.3", g.leader(p), domination, max(f-r, r-f) >= g.box.decisiveLead)
	return true
}

// leader returns who has more victory points; the Edge breaks ties.
func (g *game) leader(p *Position) Side {
	f, r := g.vp(p, federal), g.vp(p, rebel)
	switch {
	case f > r:
		return federal
	case r > f:
		return rebel
	}
	return g.edge(p)
}

// finish ends the game. What is left of the card is not carried out (R8.9).
func (g *game) finish(p *Position, w *flow.Witness, rule string, winner Side, why cause, decisive bool) {
	p.Phase, p.Result = over, Result{winner, why, decisive}
	p.Card, p.Removal, p.Op, p.Event, p.News, p.Placing = idleCard, idleRemoval, idleOp, idleEvent, NewsFrame{}, PlacingFrame{}
	p.Testing, p.Drawn, p.PairLeft, p.Side, p.AdminDue = noSpace, 0, 0, 0, 0
	p.Put(askNothing, engine.Terminal)
	if w != nil {
		said := ""
		if decisive {
			said = "decisive "
		}
		w.All("game_over", rule, bySeat("winner", winner), flow.Arg("by", causeNames[why]), flow.Arg("decisive", decisive),
			flow.Arg("rebel", g.vp(p, rebel)), flow.Arg("federal", g.vp(p, federal)), flow.Said(said))
	}
}
