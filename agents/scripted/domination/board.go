package domination

import "powderkeg/engine/domination"

const (
	maxSeats  = domination.MaxSeats
	areas     = domination.Areas
	landAreas = domination.LandAreas
	cards     = domination.Cards
	// Groups are three Land Areas each: the Regions, then the Resources.
	firstResource = domination.Regions
	groups        = 2 * domination.Regions
	groupSize     = 3
)

// areaSet is a set of Areas.
type areaSet = domination.AreaSet

const (
	everywhere areaSet = 1<<areas - 1
	onLand     areaSet = 1<<landAreas - 1
	atSea              = everywhere &^ onLand
)

// has reports whether an Area or, in a set of Regions, a Region is in the set.
func has(s areaSet, a int) bool { return s.Has(domination.AreaID(a)) }

// from returns the Areas a and above.
func from(a int) areaSet { return everywhere &^ (1<<a - 1) }

// atlas is what is printed on the map.
type atlas struct {
	*domination.Facts
	groups [groups]areaSet
	of     [landAreas][2]uint8 // the Region and the Resource of an Area, as groups
	// regionVP is what a Region controlled whole scores, seaUnit how many steps on Land score as
	// much as one at Sea.
	regionVP, seaUnit float64
}

func newAtlas(f *domination.Facts) (m atlas) {
	m.Facts = f
	m.regionVP, m.seaUnit = float64(f.Scores.RegionMonopoly), float64(f.Scores.StrugglingSea)/float64(max(f.Scores.StrugglingLand, 1))
	for i := range domination.Regions {
		m.groups[i] = f.Regions[i].Areas
		m.groups[firstResource+i] = f.Resources[i].Areas
	}
	for a := range landAreas {
		m.of[a] = [2]uint8{uint8(f.Areas[a].Region), uint8(firstResource + f.Areas[a].Resource)}
	}
	return m
}

// board is the map as it is or as it might become: a plain value, so that a use of
// a card is tried on a copy.
type board struct{ domination.Forces }

// owner returns whose Force is in an occupied Area.
func (b *board) owner(a int) int { return int(b.Owner(domination.AreaID(a))) }

// steps returns 2 for a Full Force in an occupied Area and 1 for a Struggling one.
func (b *board) steps(a int) int { return b.Steps(1 << a) }

// build makes one Build of seat s in an Area where it may.
func (b *board) build(s, a int) { b.Build(domination.SeatID(s), domination.AreaID(a)) }

// reduce makes one Reduction of the Force in an occupied Area.
func (b *board) reduce(a int) { b.Reduce(domination.AreaID(a)) }
