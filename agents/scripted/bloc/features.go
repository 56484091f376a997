package bloc

import (
	"fmt"
	"math/bits"

	"powderkeg/agents/scripted/menu"
	"powderkeg/engine/bloc"
)

// features names the numbers of a candidate (Policy.Features): first those of the situation,
// the same for all candidates of a decision, then those of the candidate.
var (
	features    = append(contextNames(), candidateNames()...)
	contextSize = len(contextNames())
)

// Sizes of one-hot parts.
const (
	asked     = bloc.AskOccupyCell + 1
	numVerbs  = int(bloc.VerbEndActions) + 1
	tileTypes = int(bloc.TypeHighway) + 1
	states    = 5 // State Districts that are described one by one
)

func contextNames() []string {
	list := []string{"nights_left", "factions_later", "ops_cards", "morale", "dice_left", "extra_dice", "bolt_cutters", "jammers",
		"trades", "semi_cooperative"}
	list = append(list, menu.Numbered("die", 6)...)
	list = append(list, menu.Numbered("hand", bloc.LootCards)...)
	list = append(list, menu.Numbered("faction", bloc.Factions)...)
	list = append(list, menu.Numbered("own_standing", bloc.Occupations)...)
	list = append(list, "own_in_city", "own_doom", "others_in_city", "others_least_in_city", "others_doom", "others_hand")
	list = append(list, "cops", "vans", "cops_left", "vans_left", "police_districts", "occupations", "liberated",
		"own_with_police", "states", "states_held", "states_held_own", "states_with_police", "states_held_with_police", "states_risk")
	for i := range states {
		for _, name := range stateNames {
			list = append(list, fmt.Sprintf("state%d.%s", i, name))
		}
	}
	list = append(list, menu.Numbered("asked", asked)...)
	list = append(list, menu.Numbered("agenda", bloc.Agendas)...)
	list = append(list, "agenda_met[0]", "agenda_met[1]", "succeeds", "gate_open")
	list = append(list, menu.Numbered("shops", 3)...)
	for i := range bloc.Factions - 1 {
		for _, name := range otherNames {
			list = append(list, fmt.Sprintf("other%d.%s", i, name))
		}
	}
	return list
}

// otherNames are what is said of each other faction, in the order of turns after the own one.
var otherNames = []string{"is", "later", "in_city", "hand", "doom", "occupations", "states"}

var stateNames = []string{"is", "held", "held_own", "cops", "hits", "own", "total", "risk", "die", "clear"}

func candidateNames() []string {
	list := []string{"plan", "stop", "action", "worth", "score", "value", "cost", "count", "boost"}
	list = append(list, menu.Numbered("verb", numVerbs)...)
	list = append(list, menu.Numbered("card", bloc.LootCards)...)
	list = append(list, menu.Numbered("occupation", bloc.Occupations)...)
	list = append(list, menu.Numbered("arm", bloc.Arms)...)
	for _, at := range []string{"at", "from"} {
		for _, name := range append(menu.Numbered("type", tileTypes), cellNames...) {
			list = append(list, at+"."+name)
		}
	}
	return append(list, "rank")
}

var cellNames = []string{
	"is", "home", "difficulty", "metro", "zone", "liberated", "cops", "hits", "total", "own", "fresh", "spare", "held", "held_own",
	"build", "keep", "clear", "free", "shops", "marked", "dead", "risk", "risk_one_more", "raids", "near_cops", "near_own", "near_wanted", "near_police",
	"dice", "dice_sure",
}

// describe fills in the numbers of the situation, in all candidates.
func (t *situation) describe(m *menu.Menu) {
	w := menu.Write(m.Features[:contextSize])
	p := &t.s.P
	w.Num(int(p.NightsLeft), 8)
	w.Num(t.later, 3)
	w.Num(t.cards, 8)
	w.Num(int(p.MoraleStep), 5)
	w.Num(t.dice[1], 6)
	w.Num(int(p.ExtraDice), 3)
	w.Num(int(p.Bolt), 2)
	w.Num(int(p.Jammers), 2)
	w.Num(int(p.Trades), 4)
	w.Flag(t.s.SemiCooperative())
	for _, n := range p.Dice {
		w.Num(int(n), 3)
	}
	for _, n := range t.hand {
		w.Num(n, 2)
	}
	w.Hot(int(t.f), bloc.Factions)
	for kind := range bloc.OccID(bloc.Occupations) {
		w.Flag(t.standing(kind))
	}
	t.describeFactions(&w)
	t.describeCity(&w)
	t.describeStates(&w)
	w.Hot(t.s.Decision(), asked)
	t.describeAgenda(&w)
	t.describeOthers(&w)
	for i := range m.Actions {
		x := m.Features[i*len(features):][:len(features)]
		copy(x[:contextSize], m.Features)
		x[len(x)-1] = float32(i) / 8
	}
}

// describeAgenda describes the own agenda and what the city has for it.
func (t *situation) describeAgenda(w *menu.Writer) {
	w.Hot(int(t.s.P.Agenda[t.f]), bloc.Agendas)
	w.Flag(t.s.Meets(t.f, 0))
	w.Flag(t.s.Meets(t.f, 1))
	w.Flag(t.s.Succeeds())
	w.Flag(t.s.GateOpen())
	for _, centers := range t.s.P.Centers {
		n := 0
		for _, k := range centers {
			n += int(k)
		}
		w.Num(n, 10)
	}
}

// describeOthers describes the other factions that play, one by one.
func (t *situation) describeOthers(w *menu.Writer) {
	for i := range bloc.Factions - 1 {
		f := (t.f + 1 + bloc.FactionID(i)) % bloc.Factions
		if t.s.Owner(f) < 0 {
			w.Skip(len(otherNames))
			continue
		}
		later := false
		for turn := t.s.FactionSeats() - t.later; turn < t.s.FactionSeats(); turn++ {
			later = later || t.s.Order(turn) == f
		}
		held, states := 0, 0
		for c := range bloc.CellID(bloc.Cells) {
			if t.holder[c] == f {
				held++
				states += count(t.tile[c].Type == bloc.TypeState)
			}
		}
		w.Put(1)
		w.Flag(later)
		w.Num(t.s.InCity(f), 10)
		w.Num(int(t.s.P.HandSize[f]), 5)
		w.Put(float32(t.doom[f]))
		w.Num(held, 3)
		w.Num(states, 2)
	}
}

func (t *situation) describeFactions(w *menu.Writer) {
	sum, least, hand, doom := 0, 10, 0, 0.0
	others := 0
	for f := range bloc.FactionID(bloc.Factions) {
		if f == t.f || t.s.Owner(f) < 0 {
			continue
		}
		n := t.s.InCity(f)
		others++
		sum, least, hand = sum+n, min(least, n), hand+int(t.s.P.HandSize[f])
		doom = max(doom, t.doom[f])
	}
	others = max(others, 1)
	w.Num(t.s.InCity(t.f), 10)
	w.Put(float32(t.doom[t.f]))
	w.Num(sum, 10*others)
	w.Num(least, 10)
	w.Put(float32(doom))
	w.Num(hand, 5*others)
}

func (t *situation) describeCity(w *menu.Writer) {
	var cops, vans, occupations, liberated, caught, all, held, own, police, both int
	risk := 0.0
	for c := range bloc.CellID(bloc.Cells) {
		cops += t.cops[c]
		if t.hits[c] > 0 {
			vans++
		}
		is, patrolled := t.holder[c] != none, t.police>>c&1 != 0
		occupations += count(is)
		liberated += count(t.tile[c].Liberated)
		if patrolled {
			caught += t.own[c]
		}
		if t.tile[c].Type == bloc.TypeState && t.tile[c].Laid {
			all++
			held += count(is)
			own += count(t.holder[c] == t.f)
			police += count(patrolled)
			both += count(is && patrolled)
			if is {
				risk += t.risk(c, 0)
			}
		}
	}
	w.Num(cops, 30)
	w.Num(vans, 3)
	w.Num(int(t.s.P.CopsLeft), 10)
	w.Num(int(t.s.P.VansLeft), 3)
	w.Num(bits.OnesCount32(uint32(t.police)), 10)
	w.Num(occupations, 8)
	w.Num(liberated, 4)
	w.Num(caught, 4)
	w.Num(all, states)
	w.Num(held, 3)
	w.Num(own, 2)
	w.Num(police, 3)
	w.Num(both, 2)
	w.Put(float32(risk))
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// describeStates describes the State Districts: those that are not held first, then by their
// police.
func (t *situation) describeStates(w *menu.Writer) {
	var list [states]bloc.CellID
	n := 0
	rank := func(c bloc.CellID) int { return 100*count(t.holder[c] != none) + 10*t.hits[c] + t.cops[c] }
	for c := range bloc.CellID(bloc.Cells) {
		if t.tile[c].Type != bloc.TypeState || !t.tile[c].Laid || n == states {
			continue
		}
		i := n
		for ; i > 0 && rank(c) < rank(list[i-1]); i-- {
			list[i] = list[i-1]
		}
		list[i] = c
		n++
	}
	for _, c := range list[:n] {
		w.Put(1)
		w.Flag(t.holder[c] != none)
		w.Flag(t.holder[c] == t.f)
		w.Num(t.cops[c], 4)
		w.Num(t.hits[c], 3)
		w.Num(t.own[c], 4)
		w.Num(t.total[c], 6)
		w.Put(float32(t.risk(c, 0)))
		w.Num(t.dice[t.tile[c].Difficulty], 3)
		w.Put(menu.Log(1 + t.goals.clear[c]))
	}
	w.Skip((states - n) * len(stateNames))
}

// describeStop fills in what ends the turn, or a row of attacks.
func (t *situation) describeStop(x []float32) { x[1] = 1 }

// describePlan fills in the numbers of a plan.
func (t *situation) describePlan(x []float32, c *candidate, worth float64) {
	w := menu.Write(x)
	w.Put(1, 0, 0, float32(max(worth, menu.Least))/4, menu.Log(c.score)/2, menu.Log(c.value)/2, float32(min(c.cost, 4)))
	w.Num(c.count, 4)
	w.Put(0)
	w.Hot(int(c.verb), numVerbs)
	card := -1
	if c.verb == bloc.VerbPlayCard {
		card = int(c.card)
	}
	w.Hot(card, bloc.LootCards)
	occ, arm, at, from := -1, -1, c.cell, bloc.CellID(none)
	switch {
	case c.verb == bloc.VerbBuild:
		occ = int(c.occ)
	case c.verb == bloc.VerbBarricade:
		arm = int(c.arm)
	case c.moves():
		at, from = c.to, c.cell
	}
	w.Hot(occ, bloc.Occupations)
	w.Hot(arm, bloc.Arms)
	t.describeCell(&w, at, c.verb != bloc.VerbPlayCard || c.moves() || c.cell != 0)
	t.describeCell(&w, from, true)
}

// describeScored fills in the numbers of an action that was scored by itself, so much below the
// best.
func (t *situation) describeScored(x []float32, s scored, below float64) {
	w := menu.Write(x)
	w.Put(0, 0, 1, float32(max(scoreSteepness*below, menu.Least))/4, float32(max(-20, min(s.score, 20)))/4, 0, 0)
	a, card, occ, arm, at := s.action, -1, -1, -1, bloc.CellID(none)
	boost, number := 0, 0
	switch {
	case a >= bloc.ActCard && a < bloc.ActVerb:
		card = int(a - bloc.ActCard)
		if card >= bloc.LootCards { // a Molotov with the Factory
			card, boost = card-bloc.LootCards, 1
		}
	case a >= bloc.ActOcc && a < bloc.ActFaction:
		occ = int(a - bloc.ActOcc)
	case a >= bloc.ActCount && a < bloc.ActOcc:
		number = int(a-bloc.ActCount) + 1
	case a >= bloc.ActArm && a < bloc.ActCount:
		arm = int(a - bloc.ActArm)
		if c := t.s.P.Now.Cell; c != none {
			if way, ok := t.s.Connection(c, bloc.Arm(arm)); ok {
				at = way.Far.Cell()
			}
		}
	case a >= bloc.ActCell && a < bloc.ActArm:
		at = bloc.CellID(a - bloc.ActCell)
	}
	w.Num(number, 4)
	w.Num(boost, 1)
	verb := -1
	if v := t.s.P.Now.Verb; v != bloc.NoVerb {
		verb = int(v)
	}
	w.Hot(verb, numVerbs)
	w.Hot(card, bloc.LootCards)
	w.Hot(occ, bloc.Occupations)
	w.Hot(arm, bloc.Arms)
	t.describeCell(&w, at, true)
	t.describeCell(&w, t.s.P.Now.Cell, true)
}

// describeCell fills in the numbers of a district, zeros where there is none.
func (t *situation) describeCell(w *menu.Writer, c bloc.CellID, is bool) {
	if c >= bloc.Cells || !is {
		w.Skip(tileTypes + len(cellNames))
		return
	}
	f := &t.tile[c]
	w.Hot(int(f.Type), tileTypes)
	w.Put(1)
	w.Flag(f.Type == t.f.Home())
	w.Num(f.Difficulty, 6)
	w.Flag(f.Metro)
	w.Flag(f.Zone)
	w.Flag(f.Liberated)
	w.Num(t.cops[c], 4)
	w.Num(t.hits[c], 3)
	w.Num(t.total[c], 6)
	w.Num(t.own[c], 4)
	w.Num(t.fresh[c], 4)
	w.Num(t.spare[c], 4)
	w.Flag(t.holder[c] != none)
	w.Flag(t.holder[c] == t.f)
	g := &t.goals
	w.Put(menu.Log(1+g.build[c])/2, menu.Log(1+g.keep[c])/2, menu.Log(1+g.clear[c])/2, menu.Log(1+g.free[c])/2)
	w.Num(int(t.s.P.Centers[0][c]), 2)
	w.Num(int(t.s.P.Centers[1][c]), 2)
	w.Put(float32(t.dead[c]))
	risk, better := 0.0, 0.0
	if t.holder[c] != none {
		risk, better = t.risk(c, 0), t.risk(c, 1)
	}
	raids := 0.0
	for _, r := range t.raids[c].all() {
		raids += r.p * float64(r.cops)
	}
	w.Put(float32(risk), float32(better), float32(raids)/2)
	cops, own, wanted := 0, 0, 0.0
	for s := t.s.P.Near[c]; s != 0; s &= s - 1 {
		n := s.First()
		cops, own, wanted = cops+t.cops[n], own+t.own[n], max(wanted, g.build[n])
	}
	w.Num(cops, 8)
	w.Num(own, 4)
	w.Put(menu.Log(1+wanted) / 2)
	w.Num(int((t.s.P.Near[c] & t.police).Count()), 4)
	w.Num(t.dice[min(f.Difficulty, 6)], 3)
	w.Flag(t.dice[min(f.Difficulty, 6)] > 1)
}
