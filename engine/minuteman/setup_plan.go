package minuteman

// setUpStep is one step of a scenario's set-up.
type setUpStep struct {
	op    setUpOp
	n     int     // how many, or the least distance
	place country // where
	seat  SeatID
	hexes []HexID
	group groupSet // of the counters drawn
	unit  kind
}

type setUpOp uint8

const (
	opNone      setUpOp = iota // the set-up is over
	opDraw                     // C1: n counters into the queue
	opFixed                    // the next counters of the queue onto hexes, in order
	opArmies                   // D1: the rest of the queue
	opStepDie                  // C22
	opCIGs                     // D2
	opAgents                   // D2
	opCIGAt                    // a CIG in a fixed hex
	opBrigades                 // D3
	opMarker                   // C4
	opChits                    // C2
	opNets                     // D5
	opMinutemen                // D5
	opMilitia                  // D5, Partisan
	opAbroad                   // D5, option 16.1
	opInformers                // C3, Uncoordinated
	opMoveNets                 // D4
	opAugment                  // D4b
	opCivil                    // C3, Civil War
	opEvents                   // C12, several players
)

// setUpOp is what the set-up does now.
func (g *game) setUpOp(p *Position) setUpOp {
	if p.Phase != setUp || int(p.SetUp.Step) >= len(g.plan) {
		return opNone
	}
	return g.plan[p.SetUp.Step].op
}

// usArmy are the groups that the Government's Divisions are drawn from (R22.1); queuedGroups
// are all that are drawn before they are placed.
const (
	usArmy       groupSet = 1<<armored | 1<<infantry | 1<<airborne | 1<<marine
	queuedGroups          = usArmy | 1<<security
)

// setUpPlan implements R22.1, R23, R25.2, R26.1, R27.1, R28.1 and R29.1: the steps
// in their order, the Government's first.
func (g *game) setUpPlan() []setUpStep {
	b, sc := g.box, g.sc
	var plan []setUpStep
	add := func(s setUpStep) { plan = append(plan, s) }
	switch {
	case g.Scenario == Partisan:
		var front []HexID
		for h := b.frontSet.next(0); h != noHex; h = b.frontSet.next(h + 1) {
			front = append(front, h)
		}
		add(setUpStep{op: opDraw, n: len(front), group: usArmy})
		add(setUpStep{op: opFixed, hexes: front})
		cities := []HexID{b.named["New York"], b.named["Boston"], b.named["Norfolk"], b.named["Mobile"]}
		add(setUpStep{op: opDraw, n: len(cities), group: 1 << security})
		add(setUpStep{op: opFixed, hexes: cities})
		add(setUpStep{op: opDraw, n: sc.Government.Other, group: usArmy})
		add(setUpStep{op: opArmies})
		add(setUpStep{op: opCIGs, n: sc.Government.CIGs})
		add(setUpStep{op: opAgents, n: sc.Government.Agents})
	case g.Scenario == Occupation:
		add(setUpStep{op: opDraw, n: sc.Government.Divisions, group: usArmy})
		add(setUpStep{op: opDraw, n: 4, group: 1 << security})
		add(setUpStep{op: opArmies, n: 2})
		add(setUpStep{op: opStepDie})
		add(setUpStep{op: opCIGs, n: 1})
		add(setUpStep{op: opAgents, n: sc.Government.Agents})
	case g.Scenario == CivilWar:
		var hexes []HexID
		for _, id := range sc.Government.Hexes {
			hexes = append(hexes, b.index[id])
		}
		add(setUpStep{op: opDraw, n: sc.Government.Divisions, group: usArmy})
		add(setUpStep{op: opFixed, hexes: hexes})
	case g.Seats > 2:
		n, cigs := sc.Government.Divisions, sc.Government.CIGs
		if g.Dispersed {
			n, cigs = sc.Dispersed.Government.Divisions, sc.Dispersed.Government.CIGs
		}
		add(setUpStep{op: opDraw, n: n, group: usArmy})
		add(setUpStep{op: opArmies, n: 2})
		add(setUpStep{op: opCIGs, n: cigs})
		each := sc.Three
		if g.Seats == 4 {
			each = sc.Four
		}
		add(setUpStep{op: opEvents, n: each.Networks * (g.Seats - 1), unit: network})
		add(setUpStep{op: opEvents, n: each.Minutemen * (g.Seats - 1), unit: minuteman})
		return plan
	case g.Unprepared:
		v := &b.variants.Government.Unprepared
		add(setUpStep{op: opDraw, n: v.Divisions, group: usArmy})
		var fixed []HexID
		for _, name := range v.Fixed {
			fixed = append(fixed, b.named[name])
		}
		add(setUpStep{op: opFixed, hexes: fixed})
		add(setUpStep{op: opArmies, n: 4})
	case g.Prepared:
		v := &b.variants.Government.Prepared
		add(setUpStep{op: opDraw, n: v.Divisions, group: usArmy})
		add(setUpStep{op: opArmies, n: 1})
		add(setUpStep{op: opCIGAt, hexes: []HexID{b.named[v.CIG]}})
		for range v.Markers {
			add(setUpStep{op: opMarker, seat: 0})
		}
	default:
		add(setUpStep{op: opDraw, n: sc.Government.Divisions, group: usArmy})
		add(setUpStep{op: opArmies, n: 2})
	}
	if g.Neighbours {
		add(setUpStep{op: opBrigades, n: int(b.groupSize[mexicanBrigade]), place: mexico, group: 1 << mexicanBrigade})
		add(setUpStep{op: opBrigades, n: int(b.groupSize[canadianBrigade]), place: canada, group: 1 << canadianBrigade})
	}
	add(setUpStep{op: opChits})
	return append(plan, g.rebelSetUp()...)
}

// rebelSetUp is what follows the Rebel's chits.
// Ruling 26: two Militia abroad in all.
// Networks before Minutemen.
func (g *game) rebelSetUp() []setUpStep {
	var plan []setUpStep
	sc := g.sc
	if g.Scenario == Partisan {
		plan = append(plan, setUpStep{op: opMilitia, n: 1})
	}
	if g.Scenario == Occupation {
		plan = append(plan,
			setUpStep{op: opNets, n: sc.Rebel.Canada.Networks, place: canada},
			setUpStep{op: opNets, n: sc.Rebel.Mexico.Networks, place: mexico},
			setUpStep{op: opMinutemen, n: sc.Rebel.Canada.Minutemen, place: canada},
			setUpStep{op: opMinutemen, n: sc.Rebel.Mexico.Minutemen, place: mexico})
	}
	if g.Neighbours {
		plan = append(plan, setUpStep{op: opAbroad, n: 2})
	}
	if g.Scenario == CivilWar {
		plan = append(plan, setUpStep{op: opCivil})
	}
	if g.Uncoordinated {
		plan = append(plan, setUpStep{op: opInformers})
	}
	if g.Organized {
		v := &g.variants.Rebel.Organized
		plan = append(plan, setUpStep{op: opMoveNets, n: v.Move}, setUpStep{op: opAugment, n: v.Augment})
		for range v.Markers {
			plan = append(plan, setUpStep{op: opMarker, seat: 1})
		}
	}
	return plan
}
