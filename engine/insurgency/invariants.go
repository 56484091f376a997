package insurgency

import (
	"fmt"

	"powderkeg/engine"
)

// Check implements flow.Rules. It tests what must hold after every action: the limits that positions are
// validated against, with pieces, victory points and Rebellion Power counted
// afresh, the zones of cards, and that whoever is asked can choose.
func (g *game) Check(p *Position) error {
	was := *p // put back below: a copy given to validate would be allocated at every move
	err := g.board(p).validate(engine.Lenient)
	counted := p.OnMap
	*p = was
	if err != nil {
		return err
	}
	if !g.Rests(p) && p.Phase != actionPhase && p.Phase != administration {
		return fmt.Errorf("something is under way in phase %s", phaseNames[p.Phase])
	}
	if counted != p.OnMap {
		return fmt.Errorf("pieces on the map are %v, counted %v (R1.1)", p.OnMap, counted)
	}
	var points [numSeats]int
	for i, s := range g.box.spaces {
		points[rebel] += int(p.Spaces[i].RebelBases)
		points[federal] += int(p.Spaces[i].FederalBases)
		if p.Spaces[i].Status == revolt {
			points[rebel] += int(s.population)
		}
		if p.Spaces[i].Status == order {
			points[federal] += int(s.population)
		}
	}
	if points != [numSeats]int{g.board(p).vp(rebel), g.board(p).vp(federal)} {
		return fmt.Errorf("victory points are %v, counted otherwise (R5.1)", points)
	}
	power := 0
	for _, n := range p.Slots {
		if n > 0 {
			power += int(g.box.stories[n].factor)
		}
	}
	power += int(p.Hacked[federal]) - int(p.Hacked[rebel])
	if p.Momentum&(1<<Leader) != 0 {
		power += 2
	}
	if power = max(0, min(power, maxPower)); power != int(g.board(p).power()) {
		return fmt.Errorf("rebellion power is %d, counted %d (R9.2)", g.board(p).power(), power)
	}
	for side := range Side(numSeats) {
		if int(p.HandSize[side]) != p.Hand[side].Count() {
			return fmt.Errorf("the %s's hand has %d cards, counted %d", sideNames[side], p.HandSize[side], p.Hand[side].Count())
		}
		if max(p.Resources[side], 0) > maxMoney || p.Reserves[side] > g.box.maxReserves || p.Hacked[side] > g.box.maxHacked ||
			p.Shields[side] > g.box.maxShields {
			return fmt.Errorf("a track of the %s is out of range (R1.5)", sideNames[side])
		}
	}
	if p.has(Plague) != (p.Plague != noSpace) || p.Actor >= 0 && p.Choices().Size() == 0 {
		return fmt.Errorf("the Plague marker, or a decision without a choice (%s)", g.table[p.Ask].Name)
	}
	return nil
}
