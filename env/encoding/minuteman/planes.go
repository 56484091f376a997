package minuteman

import (
	"fmt"

	"powderkeg/engine"
	"powderkeg/engine/minuteman"
	"powderkeg/env/encoding"
)

// planeNames are the numbers of one hex.
var planeNames = []string{
	"us", "canada", "mexico", "clear", "south_winter_cover", "north_winter_cover", "rough_brushland", "population_i", "population_ii",
	"coast", "playable", "side_n", "side_ne", "side_se", "side_s", "side_sw", "side_nw", "unrest", "riot", "informer",
	"network_weak", "network_strong", "network_underground", "network_mine", "minutemen_weak", "minutemen_strong", "minutemen_underground",
	"militia", "militia_untried", "militia_attack", "militia_defence", "cig_step", "agents_weak", "agents_strong",
	"army", "army_untried", "army_airborne", "army_marine", "rebel_army", "army_attack", "army_defence", "army_pinned", "army_air_rail", "army_done",
	"zone_government", "zone_rebels", "free_to_act", "minuteman_fought", "chosen", "target",
}

var planesLayout = newPlanesLayout()

func newPlanesLayout() encoding.Layout {
	l := encoding.Layout{Game: "minuteman", Version: 3, // the numbers of version 2 under names
		Renamed: map[int]string{2: "1b857e22c1093307b6c08c0644326183ae39a88d3e350b0f0ae771d7643d9028"}}
	addGlobals(&l)
	addChain(&l)
	addMilitia(&l)
	l.Add("hexes", -1, 1, fmt.Sprintf("%d land hexes in order of number: country 3, terrain 4, population 2, coast, in play, passable sides 6, "+
		"Unrest, Riot, Informer, Network, Minutemen/3, Militia/3 with summed strengths/24, CIG step/6, Agents/3, Army with strengths/14, zones, units "+
		"free to act/6, Minuteman that has fought, chosen hex, target", minuteman.Hexes), planeNames, minuteman.Hexes, len(planeNames))
	return l
}

// Planes is the view with numbers for every hex, the same for all options.
type Planes struct{}

// Layout implements encoding.Encoder.
func (Planes) Layout() *encoding.Layout { return &planesLayout }

// Encode implements encoding.Encoder.
func (Planes) Encode(dst []float32, view engine.View, p engine.Player) {
	e := newEncoder(view.(*minuteman.View), int(p))
	var compact [compactSize]float32
	e.compact(compact[:])
	dst = dst[:planesLayout.Size]
	clear(dst)
	n := copy(dst, compact[globalsAt:citiesAt]) // and the chain
	n += copy(dst[n:], compact[militiaAt:militiaAt+minuteman.Militias*militiaSize])
	for h := range minuteman.Hexes {
		e.plane(dst[n+h*len(planeNames):][:len(planeNames)], h)
	}
}

// plane writes the numbers of one hex, in the order of planeNames.
func (e *encoder) plane(dst []float32, h int) {
	f := e.s.Facts(h)
	c := cursor{dst: dst}
	c.oneHot(f.Country, 3)
	c.oneHot(f.Terrain, 4)
	c.oneHot(f.Population-1, 2)
	c.put(flag(f.Coast))
	c.put(flag(e.s.Playable().Has(h)))
	for _, n := range f.Near {
		c.put(flag(n != minuteman.NoHex))
	}
	c.put(flag(e.p.Unrest.Has(h)))
	c.put(flag(e.s.Riot(h)))
	c.put(flag(e.s.Informer(h)))
	e.s.UnitsIn(h, func(slot int) { e.planeUnit(dst, c.n, slot) })
	c.n = len(planeNames) - 6
	c.put(flag(e.government.Has(h)))
	c.put(flag(e.rebels.Has(h)))
	c.n += 2
	c.put(flag(h == e.chain.Hex))
	c.put(flag(h == e.chain.Target))
}

// planeUnit adds a unit to the numbers of its hex; at is where those of units begin.
func (e *encoder) planeUnit(dst []float32, at, slot int) {
	u := e.s.Unit(slot)
	row := dst[at:]
	dst[len(planeNames)-4] += flag(!e.done.did(&u)) / 6
	switch {
	case slot < minuteman.FirstMinuteman:
		row[u.Step] = 1
		row[2], row[3] = flag(u.Underground), flag(u.Owner == e.me)
	case slot < minuteman.FirstMilitia:
		row[4+u.Step] += 1. / 3
		row[6] += flag(u.Underground) / 3
		dst[len(planeNames)-3] += flag(u.Fought)
	case slot < minuteman.FirstArmy:
		row[7] += 1. / 3
		row[8] += flag(u.Untried) / 3
		row[9] += u.Attack / 24
		row[10] += u.Defence / 24
	case slot >= minuteman.FirstCIG:
		row[11] = float32(u.Step) / 6
	case slot >= minuteman.FirstAgent:
		row[12+u.Step] += 1. / 3
	default:
		row[14+4*int(flag(u.Rebel))] = 1
		row[15], row[16], row[17] = flag(u.Untried), flag(u.Airborne), flag(u.Marine)
		row[19], row[20], row[21], row[22], row[23] = u.Attack/14, u.Defence/14, flag(u.Pinned), flag(u.AirRail), flag(e.done.did(&u))
	}
}
