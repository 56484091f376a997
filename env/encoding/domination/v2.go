package domination

import (
	"slices"

	"powderkeg/engine"
	"powderkeg/engine/domination"
	"powderkeg/env/encoding"
)

// layout2 is that of version 2: the fields of version 1 and, behind them, what its
// observer had to work out or could not tell: in which step of the scoring a card is
// resolved, which Areas are still open to its points, and what the borders do.
var layout2 = encoding.Layout{Game: layout.Game, Version: 2, Size: layout.Size, Fields: slices.Clone(layout.Fields)}

var (
	phaseLabels = []string{"card_play", "before_vps", "after_vps"}

	phaseAt = layout2.Add("phase", 0, 1, "one-hot: card play; the scoring before the VPs are given, and after; zero elsewhere", phaseLabels,
		len(phaseLabels))
	madeAt = layout2.Add("point_made", 0, 1, "1 if a point of the present effect was made, so that the rest may be left", nil, 1)
	openAt = layout2.Add("open_areas", 0, 1,
		"1 for each Area that the order of the Areas leaves open to the next point of the card that is being used; zero if no points are spent", nil, areas)
	nearLandAt = layout2.Add("next_to_own_land", 0, 1, "1 for each Area adjacent to a Land Area with a Force of the observer", nil, areas)
	nearSeaAt  = layout2.Add("next_to_own_sea", 0, 1, "1 for each Area adjacent to a Sea Area with a Force of the observer", nil, areas)
	isolatedAt = layout2.Add("isolated", 0, 1, "1 for each Area with a Force, of whomever, that has none of the same owner in an adjacent Area", nil,
		areas)

	fives = spreadFives()
)

// Encoder is the newest encoder of Domination, the same for all options.
type Encoder struct{}

// Layout implements encoding.Encoder.
func (Encoder) Layout() *encoding.Layout { return &layout2 }

// Encode implements encoding.Encoder.
func (Encoder) Encode(dst []float32, view engine.View, p engine.Player) {
	s := view.(*domination.View)
	dst = dst[:layout2.Size]
	clear(dst[:nearLandAt]) // what follows is written whole
	encode(dst, s, p)
	encodeOrder(dst, s)
	encodeBorders(dst, s, p)
}

// encodeBorders writes what the borders do. All numbers are written.
func encodeBorders(dst []float32, s *domination.View, p engine.Player) {
	land, sea, isolated := s.Borders(domination.SeatID(p))
	spread(dst[nearLandAt:], land)
	spread(dst[nearSeaAt:], sea)
	spread(dst[isolatedAt:], isolated)
}

// spendsPoints are the decisions on points, picks and Reductions, D4 to D6 and D10 to D12.
const spendsPoints = 1<<domination.BuildStepDecision | 1<<domination.AttackStepDecision | 1<<domination.MixedStepDecision |
	1<<domination.InsurgentPickDecision | 1<<domination.StormStepDecision | 1<<domination.BioStepDecision

// encodeOrder writes the phase, and which Areas are open to the next point.
func encodeOrder(dst []float32, s *domination.View) {
	if phase := s.Phase(); phase != domination.OtherPhase {
		dst[phaseAt+int(phase-domination.CardPlay)] = 1
	}
	f := &s.P.Frame
	if f.Way == domination.NoWay {
		return
	}
	dst[madeAt] = flag(f.Spent)
	if spendsPoints>>s.Decision()&1 != 0 {
		spread(dst[openAt:], ^domination.AreaSet(0)<<f.Last)
	}
}

// spread writes a set of Areas, 1 for each that is in it, five at a time.
func spread(dst []float32, set domination.AreaSet) {
	row := (*[areas]float32)(dst)
	*(*[5]float32)(row[0:]) = fives[set&31]
	*(*[5]float32)(row[5:]) = fives[set>>5&31]
	*(*[5]float32)(row[10:]) = fives[set>>10&31]
	*(*[5]float32)(row[15:]) = fives[set>>15&31]
	*(*[5]float32)(row[20:]) = fives[set>>20&31]
}

// spreadFives returns the numbers of each set of five.
func spreadFives() (list [32][5]float32) {
	for set := range list {
		for k := range list[set] {
			list[set][k] = float32(set >> k & 1)
		}
	}
	return list
}
