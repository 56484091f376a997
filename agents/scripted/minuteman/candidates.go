package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// candidate is an action with what the player makes of it and what it is about.
type candidate struct {
	action engine.Action
	// score decides what the player takes; merit says how good an action is in itself where
	// the score says no more than that another one is better.
	score, merit float32
	unit         int // that moves, joins or is meant, -1 for none
	at, from     int // where it goes or acts, and comes from; NoHex for nowhere
	force        force
}

// shelf keeps what was weighed for the decision at hand.
type shelf struct {
	all     []candidate // every legal action
	list    []candidate // those that are shown, the chosen one first
	errands errands
}

// errands are what units gain by moving (D18, D64).
type errands struct {
	noted [minuteman.Units]bool
	gain  [minuteman.Units]float32 // at most, where post is NoHex
	post  [minuteman.Units]int16   // where a unit would go
	left  int                      // units whose ways are still to be looked at
}

// looks is how many units of each kind are looked at more closely though they cannot be the
// best, where it is asked which of them is to move: there is no way back once one is named.
const looks = 2

// begin begins with the units of a kind.
func (e *errands) begin(which bool) {
	if e != nil && which {
		e.left = looks
	}
}

// more reports whether one more unit is to be looked at.
func (e *errands) more() bool {
	if e == nil || e.left == 0 {
		return false
	}
	e.left--
	return true
}

// likely returns what a unit is likely to gain: the half of what it could at most, if its ways
// have not been looked at.
func (e *errands) likely(u int) float32 {
	if e.post[u] == int16(minuteman.NoHex) && e.gain[u] > 0 {
		return e.gain[u] / 2
	}
	return e.gain[u]
}

// note keeps what a unit gains at a post.
func (e *errands) note(u int, gain float32, post int) {
	if e != nil {
		e.noted[u], e.gain[u], e.post[u] = true, gain, int16(post)
	}
}

// mostCandidates bounds the candidates of a decision: those of least merit are left out.
const mostCandidates = 16

// weigh weighs all legal actions and lists the best.
func (s *shelf) weigh(t *situation, legal []engine.Action) {
	s.all = s.all[:0]
	chosen, lots := 0, uint64(1)
	var die engine.Hash64
	for i, a := range legal {
		c := candidate{action: a, score: t.score(a), unit: -1, at: minuteman.NoHex, from: minuteman.NoHex}
		c.merit = c.score
		t.appraise(&c)
		s.all = append(s.all, c)
		switch best := &s.all[chosen]; {
		case i == 0 || c.score < best.score || c.score == best.score && c.merit < best.merit:
		case c.score > best.score || c.merit > best.merit:
			chosen, lots = i, 1
		default: // one of several alike, drawn by lot
			if lots++; lots == 2 {
				die = t.mark()
			}
			if uint64(die.Word(lots))%lots == 0 {
				chosen = i
			}
		}
	}
	s.list = append(s.list[:0], s.all[chosen])
	for i := range s.all {
		if i != chosen {
			s.keep(&s.all[i])
		}
	}
	for i := range s.list {
		t.locate(&s.list[i])
	}
}

// keep lists a candidate behind those of greater merit, if it is among the best or ends
// what is under way.
func (s *shelf) keep(c *candidate) {
	if len(s.list) == mostCandidates {
		last := mostCandidates - 1
		if s.list[last].action == minuteman.Done {
			last--
		}
		if c.action != minuteman.Done && s.list[last].merit >= c.merit {
			return
		}
		s.list = append(s.list[:last], s.list[last+1:]...)
	}
	i := len(s.list)
	for s.list = append(s.list, *c); i > 1 && s.list[i-1].merit < c.merit; i-- {
		s.list[i] = s.list[i-1]
	}
	s.list[i] = *c
}

// mark returns a number by which lots are drawn, the same whenever a seat sees the same: Choose
// draws among actions that are alike, and a menu has no dice.
func (t *situation) mark() engine.Hash64 {
	h := engine.NewHash().Word(uint64(t.turn)).Word(uint64(t.state.Decision())).Word(uint64(t.chain.Hex))
	for _, x := range t.used {
		h = h.Word(uint64(x))
	}
	return h
}

// appraise finds the merit of an action whose score follows a plan.
func (t *situation) appraise(c *candidate) {
	switch t.state.Decision() {
	case minuteman.DecidesToggle:
		t.appraiseToggle(c)
	case minuteman.DecidesMove, minuteman.DecidesGovMove:
		t.appraiseMove(c)
	case minuteman.DecidesBuild, minuteman.DecidesGovBuild:
		if c.action == minuteman.Build && t.left > 0 { // against none at all
			c.merit = t.left
		}
	case minuteman.DecidesAttack:
		t.appraiseAttack(c)
	case minuteman.DecidesTarget:
		c.at, c.force = int(c.action-minuteman.FirstHex), t.aimed
	case minuteman.DecidesAttackers:
		if !t.pledged() {
			t.appraiseAttacker(c)
		}
	}
}

// appraiseToggle (D10): what the best Network, or that of the hex, gains. To be done with it
// forgoes what all of them do.
func (t *situation) appraiseToggle(c *candidate) {
	switch {
	case c.action == minuteman.Done:
		c.merit = 0
	case c.action >= minuteman.FirstHex:
		h := int(c.action - minuteman.FirstHex)
		if c.unit = int(t.at[h].net); c.unit >= 0 {
			c.merit, _ = t.toggleGain(c.unit)
		}
	case c.action == minuteman.Toggle:
		all := float32(0)
		c.merit = nowhere
		for u := range minuteman.Nets {
			gain, ok := t.toggleGain(u)
			if !ok {
				continue
			}
			all += max(0, gain)
			if gain > c.merit {
				c.merit, c.unit = gain, u
			}
		}
		if all > 0 {
			c.merit = all
		}
	}
}

// appraiseMove (D18, D64): what the unit gains that gains most among those that the action
// leaves. To be done forgoes what all of them do.
func (t *situation) appraiseMove(c *candidate) {
	if c.action == minuteman.Done {
		c.merit = t.w.clearGain - t.errands.others(t)
		return
	}
	c.merit = nowhere
	if t.mover >= 0 && t.concerns(c.action, int(t.mover)) {
		c.unit = int(t.mover)
	} else {
		for u := minuteman.FirstMinuteman; u < minuteman.FirstCIG; u++ {
			if t.errands.noted[u] && t.errands.likely(u) > c.merit && t.concerns(c.action, u) {
				c.merit, c.unit = t.errands.likely(u), u
			}
		}
	}
	if c.unit < 0 {
		return
	}
	c.merit, c.at, c.from = t.errands.likely(c.unit), int(t.errands.post[c.unit]), t.units[c.unit].Hex
	if c.action == minuteman.ShowPassage && c.score < 1 {
		c.merit = -t.w.clearGain // a marker for nothing
	}
}

// others returns what the units besides the one that is to move next are likely to gain.
func (e *errands) others(t *situation) (sum float32) {
	if t.mover < 0 {
		return 0
	}
	for u := range e.noted {
		if e.noted[u] && u != int(t.mover) {
			sum += max(0, e.likely(u)-t.w.clearGain)
		}
	}
	return sum
}

// concerns reports whether a token leads to a unit.
func (t *situation) concerns(a engine.Action, u int) bool {
	switch {
	case a >= minuteman.FirstHex:
		return t.units[u].Hex == int(a-minuteman.FirstHex)
	case a >= minuteman.FirstClass:
		return t.units[u].Hex == t.chain.Hex && t.state.Class(u) == int(a-minuteman.FirstClass)
	}
	return true
}

// appraiseAttack (D40): the best attack of the kind. To be done forgoes all of them.
func (t *situation) appraiseAttack(c *candidate) {
	if c.action < minuteman.AttackMilitary || c.action > minuteman.AttackSedition {
		c.merit = t.w.leastGain - max(0, t.left-max(0, t.attack.value-t.w.leastGain))
		return
	}
	c.force = t.attacks[c.action-minuteman.AttackMilitary]
	if c.merit = c.force.value; c.force.n > 0 {
		c.at = c.force.target
	} else {
		c.merit = -t.w.leastGain // nothing that would be worth it
	}
}

// appraiseAttacker (D42): the attack by those that have joined, and the unit that joins next
// with those that had better follow it.
func (t *situation) appraiseAttacker(c *candidate) {
	p, ok := t.preyAt(t.chain.Attack, t.chain.Target)
	if !ok {
		return
	}
	c.at = t.chain.Target
	next := nobody
	if c.action != minuteman.Done {
		h := t.chain.Hex
		if c.action >= minuteman.FirstHex {
			h = int(c.action - minuteman.FirstHex)
		}
		t.state.UnitsIn(h, func(u int) {
			if next == nobody && t.concerns(c.action, u) && !t.p.Combat.Attackers.Has(u) && t.canStrike(u, p.kind) {
				next = u
			}
		})
		if next == nobody {
			return
		}
		c.unit, c.from = next, h
	}
	c.force = t.musterFrom(&p, next).force
	c.merit = c.force.value
}

// locate finds what an action is about where appraise has not.
func (t *situation) locate(c *candidate) {
	decision := t.state.Decision()
	switch {
	case c.at != minuteman.NoHex || c.unit >= 0:
	case c.action >= minuteman.FirstHex:
		c.at = int(c.action - minuteman.FirstHex)
	case c.action == minuteman.Build:
		c.at = t.site
	case t.chain.Target != minuteman.NoHex:
		c.at = t.chain.Target
	default:
		c.at = t.chain.Hex
	}
	switch {
	case t.chain.Moving >= 0:
		c.unit = t.chain.Moving
	case c.unit < 0 && c.action >= minuteman.FirstClass && c.action < minuteman.FirstAmount && decision != minuteman.DecidesAssassination:
		c.unit = t.anyOf(int(c.action - minuteman.FirstClass))
	}
	if c.unit >= 0 && c.from == minuteman.NoHex {
		c.from = t.units[c.unit].Hex
	}
}

// anyOf returns the first unit of a class in the hex under way, -1 for none.
func (t *situation) anyOf(class int) int {
	for u := range minuteman.Units {
		if t.units[u].Hex == t.chain.Hex && t.units[u].Hex != minuteman.NoHex && t.state.Class(u) == class {
			return u
		}
	}
	return -1
}
