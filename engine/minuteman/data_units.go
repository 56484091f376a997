package minuteman

import "fmt"

// Units are numbered by slot: a counter of the sheet for a Network, Minuteman,
// Agent and CIG; for Militia and Army, whose counter is hidden at first, one
// place of as many as the kind has counters (R1.3).
const (
	numNets, numMM, numMil, numArmy, numAgts, numCIGs = 40, 36, 40, 52, 20, 10

	netFirst  = 0
	mmFirst   = netFirst + numNets
	milFirst  = mmFirst + numMM
	armyFirst = milFirst + numMil
	agtFirst  = armyFirst + numArmy
	cigFirst  = agtFirst + numAgts
	numUnits  = cigFirst + numCIGs

	noUnit    = 0xFF
	numInf    = 30
	numMasked = numMil + numArmy // slots with a counter of their own
)

// kind of a unit.
type kind uint8

const (
	network kind = iota
	minuteman
	militia
	army
	cig
	agent
	numKinds
)

var kindNames = [numKinds]string{"network", "minuteman", "militia", "army", "cig", "agent"}

// group is a set of counters that look alike on their untried side: the type
// that everybody sees (R19).
type group uint8

const (
	militia1 group = iota
	militia2
	militia3
	canadianMilitia
	mexicanMilitia
	armored
	infantry
	airborne
	marine
	security
	foreign
	canadianBrigade
	mexicanBrigade
	numGroups
)

var groupNames = [numGroups]string{"militia_1", "militia_2", "militia_3", "canadian_militia", "mexican_militia",
	"armored", "infantry", "airborne", "marine", "security", "foreign", "canadian_brigade", "mexican_brigade"}

// marker is a kind of special marker (R1.4).
type marker uint8

const (
	assassin marker = iota
	betrayal
	organizer
	passage
	numMarkers
)

var markerNames = [numMarkers]string{"assassin", "betrayal", "organizer", "passage"}

// Counters of Militia and Army are numbered 0 to 91 by the order of the sheet:
// the groups follow each other.
type maskedCounter struct {
	id              string
	group           group
	attack, defence uint8
}

// strength is a sum of strengths.
type strength struct{ attack, defence uint8 }

// face is one printed side: attack, defence, build strength.
type face struct{ attack, defence, build uint8 }

// counters is the counter sheet.
type counters struct {
	kind       [numUnits]kind
	name       [numUnits]string // counter ids; of Militia and Army the slot's
	colour     [numUnits]uint8  // 1 to 3 of Network, Minuteman and US Militia, else 0
	masked     [numMasked]maskedCounter
	groupFirst [numGroups]uint8
	groupSize  [numGroups]uint8
	sums       [numGroups][]strength // of each subset of a group's counters, by bit set
	pileOf     [numUnits]uint8       // where counters go back to, as Piles numbers them; not of Militia and Army
	pileSize   [Piles]int
	groupSet   [numGroups]counterSet
	// allCounters is the union of groupSet.
	allCounters counterSet
	faces       [numKinds][2]face // weak, strong; of Networks, Minutemen and Agents
	cigFace     [7]face           // by step, 1 to 6
	informer    uint8             // defence
	markers     [numMarkers]uint8
}

// blocks are the runs of Militia and Army slots that a newly placed unit takes
// the lowest free one of: the US Divisions share one, so that a slot tells their
// country and no more.
var blocks = [...]struct {
	key   string
	first uint8
	size  uint8
	group group // of its first counter
}{
	{"militia", milFirst, 24, militia1},
	{"canadian_militia", milFirst + 24, 8, canadianMilitia},
	{"mexican_militia", milFirst + 32, 8, mexicanMilitia},
	{"us_division", armyFirst, 24, armored},
	{"security_division", armyFirst + 24, 4, security},
	{"foreign_division", armyFirst + 28, 6, foreign},
	{"canadian_brigade", armyFirst + 34, 8, canadianBrigade},
	{"mexican_brigade", armyFirst + 42, 10, mexicanBrigade},
}

type counterEntry struct {
	ID      string `json:"id"`
	Colour  uint8  `json:"colour"`
	Type    string `json:"type"`
	Attack  uint8  `json:"attack"`
	Defence uint8  `json:"defense"`
}

type faceEntry struct {
	Step    uint8  `json:"step"`
	Attack  uint8  `json:"attack"`
	Defence uint8  `json:"defense"`
	Build   uint8  `json:"build"`
	Source  string `json:"source"`
}

type unitEntry struct {
	Count                                  int            `json:"count"`
	Weak                                   faceEntry      `json:"weak"`
	Strong                                 faceEntry      `json:"strong"`
	Steps                                  []faceEntry    `json:"steps"`
	Defence                                uint8          `json:"defense"`
	Counters                               []counterEntry `json:"counters"`
	Assassin, Betrayal, Organizer, Passage uint8
}

// readUnits implements R1.3, R1.4 and R1.5: the counter sheet and its values.
// Ruling 2: sides of which no print is known are reconstructed.
func readUnits(b *box) error {
	var raw map[string]any
	if err := decodeFile("units", &raw); err != nil {
		return err
	}
	f := map[string]*unitEntry{}
	for _, key := range []string{"network", "minuteman", "agent", "cig", "informer", "special_markers", "militia", "canadian_militia",
		"mexican_militia", "us_division", "security_division", "foreign_division", "canadian_brigade", "mexican_brigade"} {
		var e unitEntry
		if err := decodePart(raw[key], &e); err != nil {
			return fmt.Errorf("units.json: %s: %w", key, err)
		}
		f[key] = &e
	}
	c := &b.counters
	for _, s := range []struct {
		key   string
		kind  kind
		first int
		n     int
	}{{"network", network, netFirst, numNets}, {"minuteman", minuteman, mmFirst, numMM}, {"agent", agent, agtFirst, numAgts}, {"cig", cig, cigFirst, numCIGs}} {
		e := f[s.key]
		if len(e.Counters) != s.n || e.Count != s.n {
			return fmt.Errorf("units.json: %d counters of %s, want %d", len(e.Counters), s.key, s.n)
		}
		for i, x := range e.Counters {
			c.kind[s.first+i], c.name[s.first+i], c.colour[s.first+i] = s.kind, x.ID, x.Colour
		}
		c.faces[s.kind] = [2]face{e.Weak.face(), e.Strong.face()}
	}
	for i, s := range f["cig"].Steps {
		if int(s.Step) != i+1 || s.Step > 6 {
			return fmt.Errorf("units.json: steps of a CIG out of order")
		}
		c.cigFace[s.Step] = s.face()
	}
	sm := f["special_markers"]
	c.markers = [numMarkers]uint8{sm.Assassin, sm.Betrayal, sm.Organizer, sm.Passage}
	c.informer = f["informer"].Defence
	if f["informer"].Count != numInf {
		return fmt.Errorf("units.json: %d Informers, want %d", f["informer"].Count, numInf)
	}
	if err := readMasked(c, f); err != nil {
		return err
	}
	c.addUp()
	return nil
}

func (e faceEntry) face() face { return face{e.Attack, e.Defence, e.Build} }

// readMasked numbers the counters of Militia and Army.
func readMasked(c *counters, f map[string]*unitEntry) error {
	n := 0
	for _, bl := range blocks {
		e := f[bl.key]
		if len(e.Counters) != int(bl.size) || e.Count != int(bl.size) || bl.first != uint8(milFirst+n) {
			return fmt.Errorf("units.json: %d counters of %s, want %d", len(e.Counters), bl.key, bl.size)
		}
		for i, x := range e.Counters {
			g := bl.group
			switch bl.key {
			case "militia":
				g = militia1 + group(x.Colour) - 1
			case "us_division":
				types := map[string]group{"armored": armored, "infantry": infantry, "airborne": airborne, "marine": marine}
				var ok bool
				if g, ok = types[x.Type]; !ok {
					return fmt.Errorf("units.json: %s has the unknown type %q", x.ID, x.Type)
				}
			}
			if c.groupSize[g] == 0 {
				c.groupFirst[g] = uint8(n)
			} else if int(c.groupFirst[g]+c.groupSize[g]) != n {
				return fmt.Errorf("units.json: the counters of %s are not together", groupNames[g])
			}
			c.groupSize[g]++
			c.groupSet[g].add(uint8(n))
			c.allCounters.add(uint8(n))
			c.masked[n] = maskedCounter{x.ID, g, x.Attack, x.Defence}
			u := milFirst + n
			c.kind[u], c.name[u] = army, fmt.Sprintf("%s %d", bl.key, i+1)
			if u < armyFirst {
				c.kind[u], c.colour[u] = militia, x.Colour
			}
			n++
		}
	}
	return nil
}

// addUp writes what can be asked of a pile: its number and size, and the sums of the
// strengths of any of its counters.
func (c *counters) addUp() {
	for u, k := range c.kind {
		switch k {
		case network, minuteman:
			c.pileOf[u] = 3*uint8(k) + c.colour[u] - 1
		case agent:
			c.pileOf[u] = uint8(Piles - 2)
		case cig:
			c.pileOf[u] = uint8(Piles - 1)
		default:
			continue
		}
		c.pileSize[c.pileOf[u]]++
	}
	for gr := range c.sums {
		c.pileSize[firstGroupPile+gr] = int(c.groupSize[gr])
		c.sums[gr] = make([]strength, 1<<c.groupSize[gr])
		for set := 1; set < len(c.sums[gr]); set++ { // one counter more than a set before it
			m, rest := &c.masked[int(c.groupFirst[gr])+trailing(uint64(set))], c.sums[gr][set&(set-1)]
			c.sums[gr][set] = strength{rest.attack + m.attack, rest.defence + m.defence}
		}
	}
}
