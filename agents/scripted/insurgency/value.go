package insurgency

import (
	"math"

	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// weights are what things are worth, in victory points of the Rebel; what the Federal
// has counts negative.
type weights struct {
	blue    float64 // of the population of an Anger space: the Federal is nearer to it
	red     float64 // of a Defiance space
	marker  float64 // part of a shift that Unrest on the way to it is worth
	loose   float64 // the same in Order, where the next selection shifts
	ready   float64 // part of a shift that the units for it are worth
	part    float64 // of it, where only a part of the lead is there
	cover   float64 // of an agent in an Order space for each population: Tax without Unrest
	agent   float64
	sleeper float64
	active  float64
	income  float64 // of a Federal base over the game, beside its point
	call    float64 // of a Rebel base: income and recruits
	threat  float64 // part of what the enemy could remove that is taken as lost
	guard   float64 // of a militia or Unrest in a Revolt space for each population
	bare    float64 // what a Rebel base that nobody guards is worth less
	near    float64 // what a point counts more where a side is about to dominate
	power   float64 // of a space of Rebellion Power
	factor  float64 // of the Rebellion Power Factor
	news    float64 // of a Rebellion Factor in the story that comes next
	edge    float64
	step    float64 // of a step of the marker that the other side needs to turn the Edge
	shield  float64
	card    float64
	seen    float64
	draw    float64                        // of a card more in the next hand
	point   float64                        // of a reserve point
	bias    [insurgency.Operations]float64 // of an operation, beside what is reckoned
	dollars [4]float64                     // each of the first 4, the next 8, 9 and 9
}

// tuned was searched for by an evolution strategy, as powderkeg evolve is one, in some 11,000
// games for each side, each playing the other's weights of the moment, in both scenarios.
var tuned = [2]weights{
	rebel: {
		blue: -0.166, red: 0.187, marker: 0.759, loose: 0.517, ready: 0.511, part: 0.429, cover: 0.0991, guard: 0.115,
		agent: 0.113, sleeper: 0.0402, active: 0.0607, income: 0.431, call: 0.306, threat: 0.298,
		bare: 0.493, near: 0.391, power: 0.254, factor: 0.72, news: 0.139,
		edge: 0.977, step: 0.131, shield: 0.257, card: 0.826, seen: 0.0507, point: 0.318, draw: 0.667,
		dollars: [4]float64{0.293, 0.112, 0.0745, 0.0228},
		bias: [insurgency.Operations]float64{
			insurgency.Fundraise: -0.0207, insurgency.Recruit: -0.00698, insurgency.Unrest: -0.0109, insurgency.Attack: -0.000662,
			insurgency.Surge: 0.589, insurgency.Move: -0.345, insurgency.Tax: 0.00594, insurgency.Deploy: -0.0108,
			insurgency.Hunt: -0.0278, insurgency.Pacify: 0.0046, insurgency.Secure: 0.33, insurgency.Reserves: -0.0206,
			insurgency.SocialMedia: 0.00176, insurgency.Hack: 0.00291,
		},
	},
	federal: {
		blue: -0.195, red: 0.15, marker: 0.579, loose: 0.437, ready: 0.621, part: 0.496, cover: 0.0668, guard: 0.114,
		agent: 0.0877, sleeper: 0.0946, active: 0.0503, income: 0.355, call: 0.338, threat: 0.288,
		bare: 0.00785, near: 0.301, power: 0.167, factor: 0.517, news: 0.141,
		edge: 0.646, step: 0.161, shield: 0.265, card: 0.794, seen: 0.0723, point: 0.392, draw: 0.537,
		dollars: [4]float64{0.215, 0.114, 0.0358, 0.0309},
		bias: [insurgency.Operations]float64{
			insurgency.Fundraise: -0.0111, insurgency.Recruit: -0.0331, insurgency.Unrest: 0.031, insurgency.Attack: 0.0256,
			insurgency.Surge: 0.465, insurgency.Move: -0.218, insurgency.Tax: 0.000634, insurgency.Deploy: -0.0142,
			insurgency.Hunt: -0.026, insurgency.Pacify: 4.87e-05, insurgency.Secure: 0.57, insurgency.Reserves: -0.0142,
			insurgency.SocialMedia: 0.000105, insurgency.Hack: -0.031,
		},
	},
}

// wonWorth is above every other value.
const wonWorth = 1000.

// statusWorth returns what the population of a space of a status is worth. Where
// nothing more can be done with them, Anger and Defiance are worth nothing.
func (b *board) statusWorth(status int) float64 {
	switch status {
	case insurgency.Order:
		return -b.horizon.urge[federal]
	case insurgency.Anger:
		return b.w.blue * b.horizon.game
	case insurgency.Defiance:
		return b.w.red * b.horizon.game
	case insurgency.Revolt:
		return b.horizon.urge[rebel]
	}
	return 0
}

// value returns what a space is worth with pieces and markers as given.
func (b *board) value(p *place, s *space) float64 {
	v := b.statusWorth(s.status)*p.population + b.pieceWorth(p, s)
	v += b.shiftChances(p, s) * b.horizon.game
	return v + b.w.threat*(b.attackThreat(p, s)*b.horizon.cards[rebel]-b.huntThreat(p, s)*b.horizon.cards[federal])
}

// pieceWorth returns what the pieces are worth. Some militia desert when the round
// ends (R15).
func (b *board) pieceWorth(p *place, s *space) float64 {
	const deserts = 0.5
	militia := float64(s.sleepers)*b.w.sleeper + float64(s.active)*b.w.active
	militia -= float64(s.militia()/b.game.Desertion()) * b.w.sleeper * deserts
	// A Hunt takes every militia first, and in cities and mountains twice the agents.
	exposed := b.w.bare * b.horizon.game / float64((1+s.militia())*p.perEffect)
	return (militia-float64(s.agents)*b.w.agent)*b.horizon.game +
		float64(s.bases[rebel])*(b.horizon.urge[rebel]+b.w.call*b.horizon.long-exposed) -
		float64(s.bases[federal])*(b.horizon.urge[federal]+b.w.income*b.horizon.long)
}

// shiftChances returns what the space promises: Unrest brings the next shift
// toward Revolt nearer; agents enough for a Secure, or militia for a Surge, the
// shifts that these make.
func (b *board) shiftChances(p *place, s *space) float64 {
	v := 0.0
	lead := s.agents - s.militia()
	switch s.status {
	case insurgency.Unmarked:
		return 0
	case insurgency.Order:
		shift := (b.statusWorth(insurgency.Anger) - b.statusWorth(insurgency.Order)) * p.population
		if s.unrest > 0 {
			v += b.w.loose * shift
		}
		v += b.w.ready * b.horizon.can[rebel][3] * shift * b.nearly(-lead, insurgency.SurgeMargin)
		if s.agents > 0 {
			v -= b.w.cover * p.population
		}
		return v
	case insurgency.Revolt:
		if s.militia() > 0 || s.unrest > 0 {
			v += b.w.guard * p.population
		}
		if s.agents > 0 {
			shift := (b.statusWorth(insurgency.Defiance) - b.statusWorth(insurgency.Revolt)) * p.population
			v += b.w.ready * b.horizon.can[federal][3] * shift * b.nearly(lead, insurgency.SecureMargin) * blocked(s)
		}
		return v
	}
	up := (b.statusWorth(s.status+1) - b.statusWorth(s.status)) * p.population
	v += b.w.marker * up * float64(min(s.unrest, s.status)) / float64(b.game.UnrestToShift(s.status))
	if s.agents > 0 {
		down := (b.statusWorth(s.status-1) - b.statusWorth(s.status)) * p.population
		v += b.w.ready * b.horizon.can[federal][s.status] * down * b.nearly(lead, insurgency.SecureMargin) * blocked(s)
	}
	return v
}

// nearly returns how far a lead reaches what is needed, from 0 to 1: short of it, only a
// part counts.
func (b *board) nearly(lead, need int) float64 {
	switch {
	case lead <= 0:
		return 0
	case lead >= need:
		return 1
	}
	return b.w.part * float64(lead) / float64(need)
}

// blocked returns how much a Secure is hindered by Unrest, which must be pacified
// first.
func blocked(s *space) float64 {
	if s.unrest > 0 {
		return 0.6
	}
	return 1
}

// hitChance returns the chance of a militia to hit (R11.5.2).
func (b *board) hitChance(p *place, s *space, ops int) float64 {
	return float64(b.game.HitFaces(b.momenta, p.index, s.status, ops)) / 6
}

// attackThreat returns what an Attack with two Ops may be expected to remove.
func (b *board) attackThreat(p *place, s *space) float64 {
	if s.militia() == 0 || s.agents+s.bases[federal] == 0 || s.status == insurgency.Unmarked || !b.game.Allows(insurgency.Attack, 2, b.momenta) {
		return 0
	}
	hits := float64(s.militia()) * b.hitChance(p, s, 2)
	agents := min(hits, float64(s.agents))
	bases := min(hits-agents, float64(s.bases[federal]))
	return agents*b.w.agent + bases*(1+b.w.income*b.horizon.long)
}

// huntThreat returns what a Hunt may be expected to remove.
func (b *board) huntThreat(p *place, s *space) float64 {
	if s.agents == 0 || s.militia()+s.bases[rebel] == 0 || !b.game.Allows(insurgency.Hunt, 2, b.momenta) {
		return 0
	}
	effects := s.agents / p.perEffect
	militia := min(effects, s.active)
	bases := min(max(effects-s.militia(), 0), s.bases[rebel])
	return float64(militia)*b.w.active + float64(bases)*(1+b.w.call*b.horizon.long)
}

// total returns what the whole situation is worth.
func (b *board) total(places *[spaces]place) float64 {
	v := b.tracks()
	for i := range b.at {
		v += b.value(&places[i], &b.at[i])
	}
	return v
}

// tracks returns what is worth something beside the map.
func (b *board) tracks() float64 {
	long := b.horizon.long
	v := long * (b.w.power*float64(b.power) + b.w.factor*float64(b.factor))
	if b.next >= 0 {
		v += b.w.news * long * float64(b.next-2)
	}
	v += b.markerWorth(b.marker)
	for side, sign := range [2]float64{1, -1} {
		v += sign * (b.moneyWorth(engine.Player(side), b.money[side]) +
			b.w.shield*long*float64(b.shields[side]) +
			b.w.point*float64(b.reserves[side])*min(1, float64(b.hand[side])/2) +
			b.w.card*float64(b.hand[side]) - b.w.seen*float64(b.seen[side]))
	}
	return v + b.momentum()
}

// markerWorth returns what a space of the Social Media marker is worth: the Edge,
// and how many steps it takes to turn it.
func (b *board) markerWorth(at int) float64 {
	steps := float64(b.game.turns[at] - 1)
	if _, edge := b.game.MarkerSteps(at); edge == rebel {
		return b.horizon.long*(b.w.edge+b.w.step*steps) + tieWorth
	}
	return -b.horizon.long*(b.w.edge+b.w.step*steps) - tieWorth
}

// tieWorth is what it is worth to win ties (R13.3.4).
const tieWorth = 0.1

// moneyWorth returns what dollars are worth to a side: the first ones most,
// since operations need them, those for a larger hand (R15) more than others.
func (b *board) moneyWorth(side engine.Player, n int) float64 {
	x, d := float64(n), &b.w.dollars
	v := d[0]*min(x, 4) + d[1]*min(max(x-4, 0), 8) + d[2]*min(max(x-12, 0), 9) + d[3]*max(x-21, 0)
	return v*b.horizon.cards[side] + b.w.draw*b.horizon.deal*b.larger(side, x)
}

// larger returns how many cards more than the fewest a side may expect in the next
// hand (R15). Bases bring in more before it is dealt; a few dollars to either side are
// counted in part.
func (b *board) larger(side engine.Player, dollars float64) float64 {
	const blur = 6
	income := float64(b.game.Income(side) * b.built[side])
	v := 0.
	for _, need := range b.game.hands {
		v += max(0, min(1, 0.5+(dollars+income-need)/blur))
	}
	return v
}

// cost returns what it costs a side to spend dollars; negative for a gain.
func (b *board) cost(side engine.Player, dollars int) float64 {
	left := max(0, min(insurgency.MaxMoney, b.money[side]-dollars))
	return b.moneyWorth(side, b.money[side]) - b.moneyWorth(side, left)
}

// gain returns what a side gains in a space that becomes s.
func (b *board) gain(side engine.Player, p *place, old, s *space) float64 {
	return sign(side) * (b.value(p, s) - b.value(p, old))
}

// sign is 1 for the Rebel, -1 for the Federal.
func sign(side engine.Player) float64 { return 1 - 2*float64(side) }

// interpolate returns f(x) for a number of pieces that is not whole.
func interpolate(x float64, f func(n int) float64) float64 {
	low := math.Floor(x)
	v := f(int(low))
	if rest := x - low; rest > 0 {
		v += rest * (f(int(low)+1) - v)
	}
	return v
}
