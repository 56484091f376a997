package bloc

import (
	"powderkeg/engine"
	"powderkeg/engine/bloc"
)

// chooseAtSunrise answers what is asked outside the plans of a turn.
func (t *situation) chooseAtSunrise(legal []engine.Action) engine.Action {
	n := &t.s.P.Now
	switch t.s.Decision() {
	case bloc.AskReactionCard:
		return t.chooseScanner(n)
	case bloc.AskRepressionCard:
		return t.best(legal, t.scoreRepression)
	case bloc.AskRepressionVictim:
		return t.best(legal, t.scoreVictim)
	case bloc.AskMedicKitChoice, bloc.AskLiberationCard:
		// Blocs saved are more than the card; a Sound System is asked for only in a
		// district that falls short, and is played if the ones in hand suffice.
		if t.s.Decision() == bloc.AskLiberationCard && !t.soundSuffices(n.Cell) {
			return bloc.ActDone
		}
		return legal[len(legal)-1]
	case bloc.AskMedicCell:
		return t.best(legal, func(a engine.Action) float64 { return t.refuge(bloc.CellID(a - bloc.ActCell)) })
	case bloc.AskManifestArm:
		return t.best(legal, t.scoreFortification)
	case bloc.AskManifestCops, bloc.AskManifestVan:
		return t.best(legal, t.scoreRemoval)
	case bloc.AskOccupyCell:
		return t.best(legal, func(a engine.Action) float64 {
			if a == bloc.ActDone {
				return 0
			}
			return 1 + t.goals.build[a-bloc.ActCell]
		})
	}
	return legal[0]
}

// chooseScanner (D15): a cop in a district that matters, or an ops card, is worth a
// Police Scanner, which does nothing else.
func (t *situation) chooseScanner(n *bloc.UnderWay) engine.Action {
	if n.Roll == 1 && t.holder[n.Cell] == none && t.total[n.Cell] < 2 {
		return bloc.ActDone
	}
	return bloc.ActCard + engine.Action(bloc.CardPoliceScanner)
}

// scoreRepression (D24): Gas Masks where they save two blocs or the occupation, Steel
// Doors where the occupation would go.
func (t *situation) scoreRepression(a engine.Action) float64 {
	c := t.s.P.Now.Cell
	if c == none {
		return 0
	}
	attacks, void := int(t.s.Attacks(c)), t.s.CardNumber(bloc.CardGasMasks)
	evicted := t.s.Evicts(c, attacks)
	switch a {
	case bloc.ActCard + engine.Action(bloc.CardGasMasks):
		saved := 0.5 * float64(min(t.total[c], attacks)-min(t.total[c], max(0, attacks-void)))
		if evicted && attacks-void*t.hand[bloc.CardGasMasks] <= t.total[c] {
			saved += t.goals.keep[c]
		}
		return saved - 0.6
	case bloc.ActCard + engine.Action(bloc.CardSteelDoors):
		if evicted {
			return t.goals.keep[c] - 0.5
		}
		return -1
	}
	return 0
}

// scoreVictim (D25): the faction with the most blocs in the city can best spare one;
// with agendas, another one than the own.
func (t *situation) scoreVictim(a engine.Action) float64 {
	f := bloc.FactionID(a - bloc.ActFaction)
	v := float64(t.s.InCity(f))
	if t.s.SemiCooperative() && f == t.f {
		v -= 20
	}
	return v
}

// soundSuffices reports whether the Sound Systems in hand make up for the blocs that a
// liberation lacks.
func (t *situation) soundSuffices(c bloc.CellID) bool {
	if c == none {
		return true
	}
	return t.total[c]+int(t.s.P.Boost[c])+t.s.CardNumber(bloc.CardSoundSystem)*t.hand[bloc.CardSoundSystem] >= int(t.s.BlocsNeeded(c))
}

// scoreFortification (D29): barricades where cops stand behind the connection.
func (t *situation) scoreFortification(a engine.Action) float64 {
	if a == bloc.ActDone {
		return 0
	}
	c := t.s.P.Now.Cell
	if c == none {
		return 0.1
	}
	way, _ := t.s.Connection(c, bloc.Arm(a-bloc.ActArm))
	far := way.Far.Cell()
	v := 0.1 + 0.3*float64(t.cops[far]) - 0.1*float64(way.Barricades)
	if way.OverHighway && way.Here == 0 {
		v += t.goals.bar
	}
	return v
}

// scoreRemoval (D30, D31): cops and vans go where they are in the way of the goals,
// or stand among blocs and occupations.
func (t *situation) scoreRemoval(a engine.Action) float64 {
	if a == bloc.ActDone {
		return 0
	}
	c := bloc.CellID(a - bloc.ActCell)
	v := 0.2 + t.goals.clear[c] + 0.3*float64(t.own[c])
	if t.holder[c] != none {
		v += t.goals.keep[c]
	}
	return v
}
