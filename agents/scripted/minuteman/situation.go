package minuteman

import (
	"powderkeg/engine"
	"powderkeg/engine/minuteman"
)

// board is what never changes in a game.
type board struct {
	near   [minuteman.Hexes][6]int16
	city   [minuteman.Hexes]bool // Population I
	dense  [minuteman.Hexes]int8 // cities at most two hexes away
	key    [minuteman.Hexes]int8 // number of a city that decides the Partisan scenario, -1 for another hex
	keys   [8]int
	keysAt [minuteman.Hexes]uint8 // set of those in a hex and its neighbours
	far    [minuteman.Hexes]uint8 // hexes to the next city that decides, or to the next city where none does
	isOpen minuteman.HexSet
}

// spot is what stands in a hex.
type spot struct {
	net                int16 // unit, -1 for none; so are army and cig
	army, cig          int16
	minutemen, militia int8
	agents, held       int8    // held: Army of a Rebel
	total              int8    // units of both sides
	mmDefence          float32 // of the Minuteman that defends best
	milDefence         float32 // sum; Army held by Rebels counts
	agentAttack        float32
	agentDefence       float32
}

var emptySpot = spot{net: -1, army: -1, cig: -1}

// situation is what the player sees and has worked out at one decision.
type situation struct {
	board
	w               *weights // of the seat that decides
	state           *minuteman.View
	p               *minuteman.Position
	gov             int // seat of the Government
	turn            int
	turns, deadline int // all, and the last one of the declaration
	chain           minuteman.Chain
	me              int
	rebel           bool // the own side
	rise            bool // the Revolution has been declared
	plan            Plan
	bold            bool // the violent plan is followed
	// A federalized Rebel fights the others on the Government's side (R28.6).
	serves bool

	units [minuteman.Units]minuteman.Unit
	at    [minuteman.Hexes]spot
	used  []int16 // hexes with a unit
	// What counts for victory (R24.3).
	nets, minutemen, militia, army, agents, cigs int

	prey   []prey
	attack plan
	// The best attack of each kind, and the one on the hex that was scored last (D41).
	attacks [numKinds]force
	aimed   force
	left    float32                  // what all that could be done now would gain, had it not to share its units
	site    int                      // of the best attempt (D16, D62)
	value   [minuteman.Hexes]float32 // of a hex as a post, for the unit in mind
	valued  []int16                  // hexes with a value
	join    int16                    // unit that is to join next, -1 for none
	mover   int16                    // unit that is to move next, -1 for none
	post    int                      // where bestPosts found the best one, NoHex for nowhere
	errands *errands                 // nil where nobody asks for them
	byRail  bool                     // its post is reached by Air/Rail alone

	// What explore and learnZones find.
	zonesKnown bool
	hostile    minuteman.HexSet        // controlled by the other side
	own        minuteman.HexSet        // controlled by the own side
	prices     [minuteman.Hexes]uint16 // of the ways of a Minuteman before the Revolution
	cost       [minuteman.Hexes]uint8  // of the way of the unit in mind
	reached    []int16
	linesKnown bool
	lines      minuteman.HexSet // hexes that a line may pass
	goal       int              // prey beyond reach that draws the unit in mind, NoHex for none
	goalGain   float32
	burden     [minuteman.Hexes]float32
	lineCost   [minuteman.Hexes]int8
	lineFrom   [minuteman.Hexes]int16
	hopes      []hope
}

// learn reads what never changes off a view.
func (t *situation) learn(s *minuteman.View) {
	t.keys = [8]int{-1, -1, -1, -1, -1, -1, -1, -1}
	t.isOpen = *s.Playable()
	for h := range minuteman.Hexes {
		f := s.Facts(h)
		t.key[h] = -1
		for i, n := range f.Near {
			t.near[h][i] = int16(n)
		}
		t.city[h] = f.Population == 1
		t.at[h] = emptySpot
		t.cost[h] = beyond
	}
	for c := range minuteman.Cities {
		from := s.CityHex(c)
		for h := range minuteman.Hexes {
			if t.isOpen.Has(from) && s.Distance(from, h) <= 2 {
				t.dense[h]++
			}
		}
	}
	if s.Options().Scenario == minuteman.Partisan {
		t.keys = s.PartisanCities()
		for i, h := range t.keys {
			t.key[h] = int8(i)
			t.around(h, func(n int) { t.keysAt[n] |= 1 << i })
		}
	}
	t.measure(s)
	t.used = make([]int16, 0, minuteman.Units)
	t.prey = make([]prey, 0, 2*minuteman.Units)
	t.valued = make([]int16, 0, minuteman.Hexes)
	t.hopes = make([]hope, 0, minuteman.Units)
	t.reached = make([]int16, 0, minuteman.Hexes)
}

// measure finds how far each hex is from the cities.
func (t *situation) measure(s *minuteman.View) {
	for h := range minuteman.Hexes {
		t.far[h] = 255
		for c := range minuteman.Cities {
			city := s.CityHex(c)
			if t.isOpen.Has(city) && (t.key[city] >= 0 || s.Options().Scenario != minuteman.Partisan) {
				t.far[h] = min(t.far[h], uint8(s.Distance(h, city)))
			}
		}
	}
}

// read takes the view in.
func (t *situation) read(s *minuteman.View, me engine.Player) {
	t.state, t.me = s, int(me)
	t.p, t.gov, t.turn = &s.P, int(s.P.Gov), int(s.P.Turn)
	t.turns, t.deadline = s.Turns()
	t.chain = s.Chain()
	t.rebel = t.me != t.gov
	t.rise = t.p.RevTurn > 0
	t.serves = t.rebel && int(t.p.Fed) == t.me
	for _, h := range t.used {
		t.at[h] = emptySpot
	}
	t.used = t.used[:0]
	for _, h := range t.valued {
		t.value[h] = 0
	}
	t.valued, t.prey = t.valued[:0], t.prey[:0]
	t.nets, t.minutemen, t.militia, t.army, t.agents, t.cigs = 0, 0, 0, 0, 0, 0
	t.join, t.mover, t.site, t.zonesKnown, t.linesKnown = -1, -1, minuteman.NoHex, false, false
	for u := range minuteman.Units {
		t.units[u] = s.Unit(u)
		if t.units[u].Hex != minuteman.NoHex {
			t.place(u)
		}
	}
	t.bold = t.rebel && t.takesUpArms()
}

// place counts a unit in its hex.
func (t *situation) place(u int) {
	x := &t.units[u]
	p := &t.at[x.Hex]
	if *p == emptySpot {
		t.used = append(t.used, int16(x.Hex))
	}
	p.total++
	if !t.rebel && x.Rebel && x.Owner == int(t.p.Fed) {
		return // an ally, no prey
	}
	attack, defence := t.state.Strengths(u)
	switch {
	case u < minuteman.FirstMinuteman:
		p.net = int16(u)
		t.nets++
	case u < minuteman.FirstMilitia:
		p.minutemen++
		p.mmDefence = max(p.mmDefence, defence)
		t.minutemen++
	case u < minuteman.FirstArmy || u < minuteman.FirstAgent && x.Rebel:
		p.milDefence += defence
		if u < minuteman.FirstArmy {
			p.militia++
			t.militia++
		} else {
			p.held++
		}
	case u < minuteman.FirstAgent:
		p.army = int16(u)
		t.army++
	case u < minuteman.FirstCIG:
		p.agents++
		p.agentAttack += attack
		p.agentDefence += defence
		t.agents++
	default:
		p.cig = int16(u)
		t.cigs++
	}
}

// attackOf and defenceOf return the strengths of a unit, 0 for none.
func (t *situation) attackOf(u int16) float32 {
	if u < 0 {
		return 0
	}
	a, _ := t.state.Strengths(int(u))
	return a
}

func (t *situation) defenceOf(u int16) float32 {
	if u < 0 {
		return 0
	}
	_, d := t.state.Strengths(int(u))
	return d
}

// rebels reports whether Rebels stand in a hex.
func (p *spot) rebels() bool { return p.net >= 0 || p.minutemen > 0 || p.militia > 0 || p.held > 0 }

// around calls f for a hex and its neighbours over passable sides.
func (t *situation) around(h int, f func(n int)) {
	f(h)
	for _, n := range t.near[h] {
		if int(n) != minuteman.NoHex {
			f(int(n))
		}
	}
}
