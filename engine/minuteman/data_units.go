package minuteman

import (
	"fmt"
	"strings"

	"powderkeg/engine/ruledata"
)

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

var (
	kindNames = [numKinds]string{"network", "minuteman", "militia", "army", "cig", "agent"}
	kindWords = [numKinds]string{"Network", "Minuteman", "Militia", "Army", "CIG", "Agent"}
)

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

// groupSet is a set of groups.
type groupSet uint16

func (s groupSet) has(gr group) bool { return s>>gr&1 != 0 }

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
	name       [numUnits]string  // counter ids; of Militia and Army the slot's
	unitWords  map[string]string // how a unit reads in a sentence, by its name
	colour     [numUnits]SeatID  // 1 to 3 of Network, Minuteman and US Militia, else 0
	masked     [numMasked]maskedCounter
	groupFirst [numGroups]CounterID
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
	key, word   string
	first, size uint8
	group       group // of its first counter
}{
	{"militia", "Militia", milFirst, 24, militia1},
	{"canadian_militia", "Canadian Militia", milFirst + 24, 8, canadianMilitia},
	{"mexican_militia", "Mexican Militia", milFirst + 32, 8, mexicanMilitia},
	{"us_division", "US Division", armyFirst, 24, armored},
	{"security_division", "Security Division", armyFirst + 24, 4, security},
	{"foreign_division", "Foreign Division", armyFirst + 28, 6, foreign},
	{"canadian_brigade", "Canadian Brigade", armyFirst + 34, 8, canadianBrigade},
	{"mexican_brigade", "Mexican Brigade", armyFirst + 42, 10, mexicanBrigade},
}

// unitsFile is data/units.json.
type unitsFile struct {
	record
	Minuteman, Network, Agent, CIG, Informer, Militia kindRecord
	CanadianMilitia                                   kindRecord       `json:"canadian_militia"`
	MexicanMilitia                                    kindRecord       `json:"mexican_militia"`
	USDivision                                        kindRecord       `json:"us_division"`
	SecurityDivision                                  kindRecord       `json:"security_division"`
	ForeignDivision                                   kindRecord       `json:"foreign_division"`
	CanadianBrigade                                   kindRecord       `json:"canadian_brigade"`
	MexicanBrigade                                    kindRecord       `json:"mexican_brigade"`
	Markers                                           map[string]uint8 `json:"special_markers"`
}

// kindRecord is a kind of counter.
type kindRecord struct {
	record
	Weak, Strong faceRecord
	Steps        []faceRecord
	Defense      uint8
	Counters     []counterRecord
}

type counterRecord struct {
	ruledata.Source
	ID, Type, Name          string
	Colour, Attack, Defense uint8
	Printed, Elite          prose
}

type faceRecord struct {
	ruledata.Source
	Step, Attack, Defense, Build uint8
}

func (r *faceRecord) face() face { return face{r.Attack, r.Defense, r.Build} }

// readUnits implements R1.3, R1.4 and R1.5: the counter sheet and its values.
// Ruling 2: sides of which no print is known are reconstructed.
func readUnits(b *box) error {
	var f unitsFile
	if err := ruledata.Read(b.files, "units", &f); err != nil {
		return err
	}
	c := &b.counters
	c.unitWords = map[string]string{}
	for _, s := range []struct {
		record *kindRecord
		kind   kind
	}{{&f.Network, network}, {&f.Minuteman, minuteman}, {&f.Agent, agent}, {&f.CIG, cig}} {
		first, n := kindRange(s.kind)
		if len(s.record.Counters) != int(n) {
			return fmt.Errorf("units.json: %d counters of %s, want %d", len(s.record.Counters), kindNames[s.kind], n)
		}
		for i, x := range s.record.Counters {
			u := int(first) + i
			c.kind[u], c.name[u], c.colour[u] = s.kind, x.ID, SeatID(x.Colour)
			c.unitWords[x.ID] = kindWords[s.kind] + " " + strings.TrimSuffix(strings.TrimPrefix(x.Name, "CIG "), ".")
		}
		c.faces[s.kind] = [2]face{s.record.Weak.face(), s.record.Strong.face()}
	}
	for _, s := range f.CIG.Steps {
		if int(s.Step) >= len(c.cigFace) {
			return fmt.Errorf("units.json: a CIG has no step %d", s.Step)
		}
		c.cigFace[s.Step] = s.face()
	}
	for m, name := range markerNames {
		c.markers[m] = f.Markers[name]
	}
	c.informer = f.Informer.Defense
	if err := readMasked(c, &f); err != nil {
		return err
	}
	c.addUp()
	return nil
}

// readMasked numbers the counters of Militia and Army.
func readMasked(c *counters, f *unitsFile) error {
	n := 0
	for i, r := range [len(blocks)]*kindRecord{&f.Militia, &f.CanadianMilitia, &f.MexicanMilitia, &f.USDivision,
		&f.SecurityDivision, &f.ForeignDivision, &f.CanadianBrigade, &f.MexicanBrigade} {
		block := &blocks[i]
		if len(r.Counters) != int(block.size) {
			return fmt.Errorf("units.json: %d counters of %s, want %d", len(r.Counters), block.key, block.size)
		}
		for i, x := range r.Counters {
			gr := block.group
			switch gr {
			case militia1:
				gr += group(x.Colour) - 1
			case armored:
				var err error
				if gr, err = lookUp[group](groupNames[:], x.Type); err != nil {
					return fmt.Errorf("units.json: %s: %w", x.ID, err)
				}
			}
			if c.groupSize[gr] == 0 {
				c.groupFirst[gr] = CounterID(n)
			}
			c.groupSize[gr]++
			c.groupSet[gr].add(CounterID(n))
			c.allCounters.add(CounterID(n))
			c.masked[n] = maskedCounter{x.ID, gr, x.Attack, x.Defense}
			u := milFirst + n
			c.kind[u], c.name[u] = army, fmt.Sprintf("%s %d", block.key, i+1)
			c.unitWords[c.name[u]] = fmt.Sprintf("%s %d", block.word, i+1)
			if u < armyFirst {
				c.kind[u], c.colour[u] = militia, SeatID(x.Colour)
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
			c.pileOf[u] = 3*uint8(k) + uint8(c.colour[u]) - 1
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
