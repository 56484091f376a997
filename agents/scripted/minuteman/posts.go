package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// Where units go. A post is worth what a unit adds there to the best attack that can
// be made from it, and what the place itself is worth to it. A move is made only if
// the gain is clear.

const (
	farArmy  = 6 // hexes that an Army is sure to make on most terrain
	farMil   = 5
	farAgent = 10
)

// kindOf returns the kind of attack that a unit mostly makes.
func kindOf(u int) int {
	if u >= minuteman.FirstMilitia && u < minuteman.FirstAgent {
		return military
	}
	return infiltration
}

// hunted fills t.prey with what a unit may attack.
func (t *situation) hunted(u int) {
	t.prey = t.prey[:0]
	switch {
	case u >= minuteman.FirstMilitia && u < minuteman.FirstAgent:
		t.prey = t.hunt(military, t.prey)
	default:
		t.prey = t.hunt(infiltration, t.prey)
		if t.rebel {
			t.prey = t.hunt(subversion, t.prey)
		}
	}
}

// reserve returns the strength that the own side has about a prey, one unit left out.
func (t *situation) reserve(p *prey, without int) float32 {
	var sum float32
	t.around(p.hex, func(h int) {
		if t.at[h] == emptySpot {
			return
		}
		oneMM := false
		t.state.UnitsIn(h, func(u int) {
			isMM := u >= minuteman.FirstMinuteman && u < minuteman.FirstMilitia
			x := &t.units[u]
			if u == without || isMM && oneMM || x.Owner != t.me || x.Underground || x.Pinned || x.AirRail {
				return
			}
			switch {
			case p.kind == military && (u < minuteman.FirstMilitia || u >= minuteman.FirstAgent),
				p.kind != military && u >= minuteman.FirstMilitia && u < minuteman.FirstAgent:
				return
			}
			oneMM = oneMM || isMM
			strength, _, _ := t.strike(u, p.kind)
			sum += strength
		})
	})
	return sum
}

// addition returns a unit's share in the attack on a prey that all units within reach
// could make together, one left out: so that many come to a prey that none of them
// could take alone, until there are enough.
func (t *situation) addition(p *prey, without int, worth, strength float32) float32 {
	need := t.w.plenty * max(p.defence, 1) / p.factor
	if p.kind == subversion {
		need = t.w.convertNeed
	}
	have := t.reserve(p, without)
	if have >= need {
		return 0
	}
	together := min(need, have+strength+t.within(p, without))
	value := t.expect(p, together, t.w.risk*worth, t.w.riskBack)
	// What has gathered draws more, or units would wait apart about many preys.
	draw, share := t.w.draw+t.w.drawGain*have/need, min(1, strength/together)
	if t.rise && t.bold { // a war is won by masses, and each of them must come first
		draw, share = t.w.warDraw+t.w.warDrawGain*have/need, max(share, t.w.warShare)
	}
	return max(0, value) * share * draw
}

// within returns the strength of the own units that have still to move and can come
// to strike a prey, those beside it already and one more left out.
func (t *situation) within(p *prey, without int) float32 {
	first, last, reach := minuteman.FirstAgent, minuteman.FirstCIG, farAgent
	switch {
	case p.kind == military && t.rebel:
		first, last, reach = minuteman.FirstMilitia, minuteman.FirstArmy, farMil
	case p.kind == military:
		first, last, reach = minuteman.FirstArmy, minuteman.FirstAgent, farArmy
	case t.rebel: // Minutemen have other things to do
		return 0
	}
	var sum float32
	for u := first; u < last; u++ {
		x := &t.units[u]
		if u == without || x.Hex == minuteman.NoHex || x.Owner != t.me || x.Moved || x.Pinned || x.AirRail {
			continue
		}
		if d := t.state.Distance(x.Hex, p.hex); d > 1 && d <= reach+1 && t.leaving(u) < t.w.level {
			sum += t.attackOf(int16(u))
		}
	}
	return sum
}

// planMove finds the own unit that gains most by moving (D18, D64), among those that
// the legal tokens leave. What a unit could gain if every post near enough were open
// to it bounds what it can gain, so that the ways of few units need be looked at.
func (t *situation) planMove(legal []engine.Action) {
	best, rail := t.w.clearGain, false
	inHex := minuteman.NoHex
	if legal[0] >= minuteman.FirstClass && legal[0] < minuteman.FirstAmount {
		inHex = t.chain.Hex
	}
	for _, kind := range [...][2]int{
		{minuteman.FirstMinuteman, minuteman.FirstMilitia}, {minuteman.FirstMilitia, minuteman.FirstArmy},
		{minuteman.FirstArmy, minuteman.FirstAgent}, {minuteman.FirstAgent, minuteman.FirstCIG},
	} {
		hunted := false
		t.hopes = t.hopes[:0]
		t.errands.begin(t.p.Part > 0)
		for u := kind[0]; u < kind[1]; u++ {
			x := &t.units[u]
			if x.Hex == minuteman.NoHex || x.Owner != t.me || x.Moved || x.Underground || x.Pinned || inHex != minuteman.NoHex && x.Hex != inHex {
				continue
			}
			if !hunted {
				t.hunted(u)
				t.weighPosts(u)
				hunted = true
			}
			most := t.hope(u)
			t.errands.note(u, most, minuteman.NoHex)
			if most > best && t.offered(u, legal) {
				t.hopes = append(t.hopes, hope{int16(u), most})
			}
		}
		for len(t.hopes) > 0 {
			i := 0
			for j := range t.hopes {
				if t.hopes[j].most > t.hopes[i].most {
					i = j
				}
			}
			u, most := int(t.hopes[i].unit), t.hopes[i].most
			beaten := most <= best // a menu looks at some of them all the same
			if beaten && !t.errands.more() {
				break
			}
			t.hopes[i] = t.hopes[len(t.hopes)-1]
			t.hopes = t.hopes[:len(t.hopes)-1]
			gain := t.bestPost(u)
			t.errands.note(u, gain, t.post)
			if gain > best && !beaten {
				best, t.mover, rail = gain, int16(u), t.byRail
			}
		}
	}
	t.byRail = rail
}

// hope is what a unit could gain at most by moving.
type hope struct {
	unit int16
	most float32
}

// offered reports whether the legal tokens let a unit move.
func (t *situation) offered(u int, legal []engine.Action) bool {
	token := minuteman.Move
	switch {
	case legal[0] >= minuteman.FirstHex:
		token = minuteman.FirstHex + engine.Action(t.units[u].Hex)
	case legal[0] >= minuteman.FirstClass:
		token = minuteman.FirstClass + engine.Action(t.state.Class(u))
	}
	for _, a := range legal {
		if a == token {
			return true
		}
	}
	return false
}

// weighPosts values all hexes for units like u: t.value[h] is what one adds to the
// best attack from there. t.valued lists the hexes that have a value.
func (t *situation) weighPosts(u int) {
	for _, h := range t.valued {
		t.value[h] = 0
	}
	t.valued = t.valued[:0]
	strength, _, _ := t.strike(u, kindOf(u))
	for i := range t.prey {
		p := &t.prey[i]
		gain := t.addition(p, -1, t.worth(u), strength)
		if gain == 0 {
			continue
		}
		t.around(p.hex, func(h int) {
			if t.value[h] == 0 {
				t.valued = append(t.valued, int16(h))
			}
			t.value[h] = max(t.value[h], gain)
		})
	}
	for i := range minuteman.Cities { // places that are worth something themselves
		if h := t.state.CityHex(i); t.isOpen.Has(h) && t.value[h] == 0 && t.stand(u, h) > 0 {
			t.valued = append(t.valued, int16(h))
		}
	}
}

// hope returns what a unit would gain at the best post that is near enough, against
// staying.
func (t *situation) hope(u int) float32 {
	x := &t.units[u]
	reach := t.radius(u)
	air, sea := t.assaults(u)
	if t.secret(u) && t.state.ZonesCostAlone() || t.flies(u) || air || sea {
		reach = 99
	}
	best := float32(-1)
	for _, h := range t.valued {
		if value := t.value[h] + t.stand(u, int(h)); value > best && int(h) != x.Hex && t.state.Distance(x.Hex, int(h)) <= reach {
			best = value
		}
	}
	t.findGoal(u)
	return max(best, t.goalGain) - t.staying(u) - t.leaving(u)
}

// bestPost returns what a unit gains at the best post that it can get to.
func (t *situation) bestPost(u int) float32 {
	t.explore(u)
	t.findGoal(u)
	ground, rail, air, sea := t.bestPosts(u)
	t.byRail = rail > ground
	return max(ground, rail, air, sea) - t.staying(u) - t.leaving(u)
}

// nowhere is the value of a mode of movement without a post.
const nowhere = -100

// bestPosts returns the value of the best post that an explored unit reaches by each
// mode: on the ground, by Air/Rail, and by the assaults of R31.
func (t *situation) bestPosts(u int) (ground, rail, air, sea float32) {
	ground, rail, air, sea = nowhere, nowhere, nowhere, nowhere
	t.post = minuteman.NoHex
	best := float32(nowhere)
	better := func(mode *float32, value float32, h int) {
		*mode = max(*mode, value)
		if value > best {
			best, t.post = value, h
		}
	}
	from := t.units[u].Hex
	flies := t.flies(u)
	byAir, bySea := t.assaults(u)
	for _, x := range t.valued {
		h := int(x)
		if h == from || !t.state.Room(u, h) {
			continue
		}
		value := t.value[h] + t.stand(u, h)
		if t.cost[h] != beyond {
			better(&ground, t.risked(u, value, h), h)
		}
		if flies {
			better(&rail, value-t.w.railCost, h)
		}
		if byAir && t.at[h].rebels() {
			better(&air, value, h)
		}
		if bySea && t.state.Facts(h).Coast {
			better(&sea, value, h)
		}
	}
	if t.goal != minuteman.NoHex {
		for _, x := range t.reached {
			if h := int(x); h != from && t.state.Room(u, h) {
				better(&ground, t.value[h]+t.stand(u, h)+t.marched(u, h), h)
			}
		}
	}
	return ground, rail, air, sea
}

// risked returns the value of a post less what the way there may cost a Minuteman
// (R8.3).
func (t *situation) risked(u int, value float32, h int) float32 {
	if !t.secret(u) {
		return value
	}
	p := t.lost(t.cost[h])
	return value*(1-p) - t.worth(u)*p
}

// staying returns what a unit is worth where it is.
func (t *situation) staying(u int) float32 {
	strength, _, _ := t.strike(u, kindOf(u))
	best := float32(0)
	h := t.units[u].Hex
	for i := range t.prey {
		p := &t.prey[i]
		if t.state.Distance(p.hex, h) <= 1 {
			best = max(best, t.addition(p, u, t.worth(u), strength))
		}
	}
	return best + t.stand(u, h)
}

// leaving returns what it costs a unit to leave at all: every few Divisions that leave the
// Front Line cost a victory level (R25.11).
func (t *situation) leaving(u int) float32 {
	switch commitStep := t.state.CommitStep(); {
	case !t.state.FrontLine(u):
		return 0
	case int(t.p.Commit)%commitStep == commitStep-1:
		return t.w.level
	}
	return t.w.leave
}

// scoreMove (D18, D64): the unit of the plan, if there is one.
func (t *situation) scoreMove(a engine.Action) float32 {
	switch {
	case a == minuteman.Done:
		return 0.5
	case t.mover < 0:
		return 0
	case a == minuteman.ShowPassage:
		return pick(t.byRail && t.p.AirRail == 0, 2, 0)
	case a == minuteman.Move || a == minuteman.FirstClass+engine.Action(t.state.Class(int(t.mover))):
		return 1
	}
	return 0
}

// scoreDestination (D19, D66): the post, less the risk on the way (R8.3).
func (t *situation) scoreDestination(h int) float32 {
	u := t.chain.Moving
	value := t.value[h] + t.stand(u, h) + t.marched(u, h)
	if !t.rebel || t.rise || u >= minuteman.FirstMilitia {
		return value
	}
	if t.cost[h] == beyond { // dearer than one face of the die
		return value*t.w.dear - t.worth(u)
	}
	return t.risked(u, value, h)
}
