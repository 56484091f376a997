package insurgency

import (
	"powderkeg/engine"
)

// checkMilitary implements R5.2: a side without a piece on the map loses at once, from
// the first card on. Without pieces of either the Edge decides (Q30).
func (b Board) checkMilitary() {
	if b.Phase != actionPhase || b.OnMap[agent]+b.OnMap[federalBase] > 0 && b.OnMap[militia]+b.OnMap[rebelBase] > 0 {
		return
	}
	winner := b.edge()
	if b.pieces(federal) > 0 {
		winner = federal
	} else if b.pieces(rebel) > 0 {
		winner = rebel
	}
	b.finish("R5.2", winner, military, false)
}

// checkDomination implements R5.3 (Q31).
func (b Board) checkDomination() bool {
	f, r := b.vp(federal), b.vp(rebel)
	if max(f, r) < b.box.dominationVP {
		return false
	}
	b.finish("R5.3", b.leader(), domination, max(f-r, r-f) >= b.box.decisiveLead)
	return true
}

// leader returns who has more victory points; the Edge breaks ties.
func (b Board) leader() Side {
	f, r := b.vp(federal), b.vp(rebel)
	switch {
	case f > r:
		return federal
	case r > f:
		return rebel
	}
	return b.edge()
}

// finish ends the game. What is left of the card is not carried out (R8.9).
func (b Board) finish(rule string, winner Side, why cause, decisive bool) {
	b.Phase, b.Result = over, Result{winner, why, decisive}
	b.Card, b.Removal, b.Op, b.Event, b.News, b.Placing = idleCard, idleRemoval, idleOp, idleEvent, NewsFrame{}, PlacingFrame{}
	b.Testing, b.Drawn, b.PairLeft, b.Side, b.AdminDue = noSpace, 0, 0, 0, 0
	b.Put(askNothing, engine.Terminal)
	if b.w != nil {
		said := ""
		if decisive {
			said = "decisive "
		}
		b.tell(gameWon, rule, winner, why, decisive, b.vp(rebel), b.vp(federal), said)
	}
}
