package bloc

import "powderkeg/engine/bloc"

// ability returns what an occupation of a faction and kind does for it in the turns to
// come if it is put into a district.
func (t *situation) ability(f bloc.FactionID, kind bloc.OccID, c bloc.CellID) float64 {
	n := float64(t.turns)
	switch kind {
	case bloc.OccFactionStart:
		return t.w.start * min(n, float64(t.s.P.Mat[f]))
	case bloc.OccAssemblyHall:
		return t.w.hall * min(n, float64(t.s.P.Mat[f]))
	case bloc.OccPeoplesKitchen:
		return t.w.kitchen * n
	}
	switch own := kind == bloc.OccFirstOwn; {
	case f == bloc.Workers && own: // Strike Hall
		v := 0.2 * n
		for s := t.s.P.Near[c] | 1<<c; s != 0; s &= s - 1 {
			v += t.goals.build[s.First()] * t.w.strikeHall
		}
		return v
	case f == bloc.Workers: // Propaganda Workshop
		return t.w.workshop*n + 0.8
	case f == bloc.Students && own: // Social Center
		return t.w.socialCenter * n
	case f == bloc.Students: // Hacker Space
		return t.w.hackerSpace * n
	case f == bloc.Neighbors && own: // Guerrilla Garden
		return t.w.garden*n + t.goals.bar
	case f == bloc.Neighbors: // Comrade Cafe
		return t.w.cafe * n
	case own: // Molotov Factory
		return t.w.factory * n
	}
	return t.w.hideout * n // Scavenger's Hideout
}

// planBuild looks at building in a district without police, with a bloc brought there
// first if need be, and with Bolt Cutters where they are needed.
func (t *situation) planBuild(c bloc.CellID) {
	if t.holder[c] != none || !t.s.MayHold(t.f, c) || t.s.P.Barred[bloc.BarBuild]>>c&1 != 0 {
		return
	}
	value, kind := 0.0, bloc.OccID(none)
	for k := range bloc.OccID(bloc.Occupations) {
		if t.standing(k) {
			continue
		}
		if v := t.ability(t.f, k, c); kind == none || v > value {
			value, kind = v, k
		}
	}
	if kind == none {
		return
	}
	value += t.goals.build[c]
	need := t.s.DieFor(t.f, bloc.VerbBuild, c)
	if !t.s.Basic(t.f, bloc.VerbBuild, c) {
		value -= t.exposed(c)
	}
	w, ok := t.die(need)
	if !ok {
		off := t.s.CardNumber(bloc.CardBoltCutters)
		if need <= off || t.hand[bloc.CardBoltCutters] == 0 {
			return
		}
		if _, ok = t.die(need - off); !ok || t.goals.build[c] == 0 {
			return
		}
		if t.calm>>c&1 != 0 {
			t.offer(value-t.w.bolt, t.w.die6, plan{verb: bloc.VerbPlayCard, card: bloc.CardBoltCutters})
			return
		}
		need -= off
		w = t.w.die6
	}
	guards := 1
	if t.goals.build[c] >= t.w.part/2 {
		guards = int(t.w.builders + 0.5)
	}
	by := t.bring(c, t.own[c], guards, need)
	switch {
	case t.own[c] > 0 && (by.stay || !by.ok || t.asked.restricted && !t.asked.moving):
		t.offer(value, w, plan{verb: bloc.VerbBuild, card: none, cell: c, occ: kind})
	case t.own[c] > 0: // it is built first; guards follow
		t.offer(value, w, plan{verb: bloc.VerbBuild, card: none, cell: c, occ: kind})
	case by.ok:
		t.offer(value+by.gain, w+by.cost, by.step)
	}
}

// planLoot looks at looting in a district without police.
func (t *situation) planLoot(c bloc.CellID) {
	if t.s.P.Barred[bloc.BarLoot]>>c&1 != 0 {
		return
	}
	whole, marked := int(t.s.P.Centers[bloc.Unlooted][c]), int(t.s.P.Centers[bloc.Graffitied][c])
	if whole+marked == 0 {
		return
	}
	card := min(t.w.cardMost, t.w.card+t.w.cardTurns*float64(t.turns)) + t.goals.card
	if t.f == bloc.Prisoners && t.standing(bloc.OccSecondOwn) {
		card += 0.8
	}
	t.loot(c, bloc.VerbLootGraffiti, whole, card+t.goals.loot[c][0])
	t.loot(c, bloc.VerbLootBurn, marked, card+t.goals.loot[c][1])
}

// loot looks at one way to loot, of which there are so many chances in the district.
func (t *situation) loot(c bloc.CellID, verb bloc.Verb, chances int, value float64) {
	if chances == 0 {
		return
	}
	need := t.tile[c].Difficulty
	if t.s.Basic(t.f, verb, c) {
		need = 1
	} else {
		value -= t.exposed(c)
		if t.s.P.Bolt > 0 && value < t.w.part/4 {
			return // they wait for something better
		}
	}
	w, ok := t.die(need)
	if !ok {
		return
	}
	if t.own[c] > 0 {
		t.offer(value, w, plan{verb: verb, card: none, cell: c})
		return
	}
	by := t.bring(c, 0, 1, need)
	if !by.ok {
		return
	}
	n := float64(min(chances, max(1, t.dice[need]-1)))
	t.offer(n*value+by.gain, n*w+by.cost, by.step)
}

// planAbilities looks at what occupations do.
func (t *situation) planAbilities() {
	w, _ := t.die(1)
	t.offer(5, 0, plan{verb: bloc.VerbUseWorkshop, card: none})
	t.offer(t.blocWorth(), w, plan{verb: bloc.VerbUseHall, card: none})
	t.offer(t.w.hack+t.goals.card, w, plan{verb: bloc.VerbUseHacker, card: none})
}

// blocWorth returns what one more own bloc is worth: more where it brings another die
// a turn.
func (t *situation) blocWorth() float64 {
	v := t.w.bloc + t.goals.bloc
	n, left := t.s.InCity(t.f), int(t.s.P.Mat[t.f])
	switch dice := t.s.ActionDice(n); {
	case left > 0 && t.s.ActionDice(n+1) > dice:
		v += t.w.blocDie * float64(t.turns)
	case t.s.ActionDice(n+left) > dice:
		v += t.w.blocTurns * float64(t.turns)
	}
	return v
}
