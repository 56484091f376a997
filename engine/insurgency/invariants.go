package insurgency

import (
	"fmt"

	"powderkeg/engine"
)

// Check implements flow.Rules. It tests what must hold after every action: the limits that positions are
// validated against, with pieces, victory points and Rebellion Power counted
// afresh, the zones of cards, and that whoever is asked can choose.
func (g *game) Check(p *position) error {
	fresh := *p
	if err := g.validate(&fresh, engine.Lenient); err != nil {
		return err
	}
	if fresh.onMap != p.onMap {
		return fmt.Errorf("pieces on the map are %v, counted %v (R1.1)", p.onMap, fresh.onMap)
	}
	var points [numSeats]int
	for i, s := range g.box.spaces {
		points[rebel] += int(p.spaces[i].RebelBases)
		points[federal] += int(p.spaces[i].FederalBases)
		if p.spaces[i].Status == revolt {
			points[rebel] += int(s.population)
		}
		if p.spaces[i].Status == order {
			points[federal] += int(s.population)
		}
	}
	if points != [numSeats]int{g.vp(p, rebel), g.vp(p, federal)} {
		return fmt.Errorf("victory points are %v, counted otherwise (R5.1)", points)
	}
	power := 0
	for _, n := range p.slots {
		if n > 0 {
			power += int(g.box.stories[n].factor)
		}
	}
	power += int(p.hacked[federal]) - int(p.hacked[rebel])
	if p.momentum&(1<<Leader) != 0 {
		power += 2
	}
	if power = max(0, min(power, maxPower)); power != int(g.power(p)) {
		return fmt.Errorf("rebellion power is %d, counted %d (R9.2)", g.power(p), power)
	}
	for side := range uint8(numSeats) {
		if int(p.handSize[side]) != p.hand[side].count() {
			return fmt.Errorf("the %s's hand has %d cards, counted %d", sideNames[side], p.handSize[side], p.hand[side].count())
		}
		if max(p.resources[side], 0) > maxMoney || p.reserves[side] > g.box.maxReserves || p.hacked[side] > g.box.maxHacked || p.shields[side] > g.box.maxShields {
			return fmt.Errorf("a track of the %s is out of range (R1.5)", sideNames[side])
		}
	}
	if p.has(Plague) != (p.plague != noSpace) || p.Actor >= 0 && p.Choices().Size() == 0 {
		return fmt.Errorf("the Plague marker, or a decision without a choice (%s)", g.table[p.Ask].Name)
	}
	return nil
}
