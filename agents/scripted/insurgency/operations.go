package insurgency

import (
	"slices"

	"powderkeg/engine/insurgency"
)

// operation returns what an operation with so many Ops gains the player, on
// average and with its best choices. The cards of a hand ask for it again and again.
func (t *thought) operation(op, ops int) float64 {
	if !t.gained[op][ops] {
		saved := t.b.horizon.can
		if t.view.Decision() == cardDecision {
			t.spend(ops)
		}
		t.gains[op][ops] = t.reckon(op, ops)
		t.b.horizon.can = saved
		t.gained[op][ops] = true
	}
	return t.gains[op][ops]
}

// forgetGains is called where the board is another one.
func (t *thought) forgetGains() {
	t.gained = [insurgency.Operations][insurgency.MaxOps + 1]bool{}
}

// reckon is operation without what has been reckoned before.
func (t *thought) reckon(op, ops int) float64 {
	switch op {
	case insurgency.Fundraise, insurgency.Recruit, insurgency.Unrest:
		return t.netBest(op, ops)
	case insurgency.Move:
		t.readIdle()
		return t.movesGain(ops)
	case insurgency.Deploy:
		if !t.view.DeployEach() {
			return t.deploysGain(ops)
		}
		t.weighPicks(op, ops, false)
		return t.picksGain(op, ops)
	case insurgency.Attack, insurgency.Tax, insurgency.Hunt, insurgency.Pacify:
		t.weighPicks(op, ops, false)
		return t.picksGain(op, ops)
	case insurgency.Surge, insurgency.Secure:
		t.weighPicks(op, ops, false)
		return slices.Max(t.picks[:])
	case insurgency.Reserves:
		n := min(ops, 2-t.b.reserves[t.me])
		return t.b.w.point * float64(n) * min(1, float64(t.b.hand[t.me])/2)
	case insurgency.SocialMedia:
		return t.socialGain(ops)
	}
	return t.hackGain(ops)
}

// never is what a choice gains that cannot be made.
const never = -1e6

// weighPicks reckons for every space what an operation gains there, the price
// included.
func (t *thought) weighPicks(op, ops int, free bool) {
	for i := range t.picks {
		t.picks[i] = never
		if s := &t.b.at[i]; s.status != insurgency.Unmarked {
			t.picks[i] = t.pickGain(op, i, ops, free)
		}
	}
}

// pickGain returns what an operation gains in a space, never if it cannot be
// carried out there.
func (t *thought) pickGain(op, i, ops int, free bool) float64 {
	switch op {
	case insurgency.Attack:
		return t.attackGain(i, ops, free)
	case insurgency.Surge:
		return t.surgeGain(i, ops, free)
	case insurgency.Tax:
		return t.taxGain(i)
	case insurgency.Deploy:
		gain, _ := t.deployGain(i, ops, free)
		return gain
	case insurgency.Hunt:
		return t.huntGain(i, free)
	case insurgency.Pacify:
		return t.pacifyGain(i, ops, free)
	}
	return t.secureGain(i, ops, free)
}

// mostPicks returns how many spaces the operation may take (R12.1, R12.4.1).
func mostPicks(op, ops int) int {
	if op == insurgency.Tax || op == insurgency.Hunt {
		return ops
	}
	return spaces
}

// picksGain sums up the best picks, as many as the operation, the money and the
// stock allow.
func (t *thought) picksGain(op, ops int) float64 {
	sorted := t.picks
	slices.Sort(sorted[:])
	n := mostPicks(op, ops)
	switch op {
	case insurgency.Attack, insurgency.Deploy, insurgency.Pacify:
		n = min(n, t.b.money[t.me])
	}
	if op == insurgency.Deploy {
		n = min(n, (t.b.units[federal]+ops-1)/ops)
	}
	sum, some := 0.0, false
	for i := len(sorted) - 1; i >= 0 && n > 0; i-- {
		if sorted[i] <= never/2 || some && sorted[i] <= 0 {
			break
		}
		sum += sorted[i]
		some = true
		n--
	}
	if !some {
		return never
	}
	return sum
}

// price returns what it costs the player to spend dollars, nothing where an event
// pays; never is what it costs to spend what one has not.
func (t *thought) price(dollars int, free bool) float64 {
	switch {
	case free:
		return 0
	case dollars > t.b.money[t.me]:
		return -never
	}
	return t.b.cost(t.me, dollars)
}

// attackGain (R11.5): every militia rolls; hits take agents first.
func (t *thought) attackGain(i, ops int, free bool) float64 {
	b, p, old := &t.b, &t.places[i], &t.b.at[i]
	militia := old.militia()
	if militia == 0 || old.agents+old.bases[federal] == 0 || b.momenta[ceasefire] {
		return never
	}
	hits := min(float64(militia)*b.hitChance(p, old, ops), float64(old.agents+old.bases[federal]))
	return interpolate(hits, func(n int) float64 {
		s := *old
		s.active, s.sleepers = militia, 0
		k := min(n, s.agents)
		s.agents -= k
		s.bases[federal] -= n - k
		return b.gain(rebel, p, old, &s) + t.victory(n)
	}) - t.price(1, free)
}

// surgeGain (R11.6): an Order space shifts.
func (t *thought) surgeGain(i, ops int, free bool) float64 {
	old := &t.b.at[i]
	if ops < insurgency.MaxOps || old.status != insurgency.Order || old.militia() < old.agents+surgeMargin {
		return never
	}
	s := *old
	s.active, s.sleepers = s.militia(), 0
	s.status = insurgency.Anger
	return t.b.gain(rebel, &t.places[i], old, &s) - t.price(3, free)
}

// taxGain (R12.1): dollars, and Unrest where no agent stands.
func (t *thought) taxGain(i int) float64 {
	old, p := &t.b.at[i], &t.places[i]
	if old.status != insurgency.Order {
		return never
	}
	rate := 2.
	if t.b.momenta[taxRevolt] {
		rate = 1
	}
	// The dollars of several spaces are worth less together; that a side taxes up to
	// three, some ten dollars, is reckoned in.
	const together = 10
	gain := -t.b.cost(federal, -together) / together * rate * p.population
	if old.agents == 0 {
		s := *old
		s.unrest = min(3, s.unrest+1)
		gain += t.b.gain(federal, p, old, &s)
	}
	return gain
}

// deployGain (R12.2 with deploy=each): up to Ops agents, and a base for two of them. It
// returns how many agents are best.
func (t *thought) deployGain(i, ops int, free bool) (gain float64, agents int) {
	b, p, old := &t.b, &t.places[i], &t.b.at[i]
	if old.status != insurgency.Order && old.bases[federal] == 0 || i == t.view.Plague() {
		return never, 0
	}
	gain = 0
	for n := 0; n <= min(ops, b.units[federal]); n++ {
		s := *old
		s.agents += n
		v := b.gain(federal, p, old, &s)
		if s.agents >= 2 && s.room() && b.bases[federal] > 0 {
			s.agents -= 2
			s.bases[federal]++
			v = max(v, b.gain(federal, p, old, &s))
		}
		if v > gain {
			gain, agents = v, n
		}
	}
	return gain - t.price(1, free), agents
}

// huntGain (R12.4): active militia go, sleepers turn, then bases go.
func (t *thought) huntGain(i int, free bool) float64 {
	b, p, old := &t.b, &t.places[i], &t.b.at[i]
	if b.momenta[ceasefire] || old.militia()+old.bases[rebel] == 0 {
		return never
	}
	left := old.agents / p.perEffect
	if p.kind == insurgency.City && b.momenta[iot] {
		left = old.agents
	}
	if left == 0 {
		return never
	}
	s := *old
	gone := min(left, s.active)
	turned := min(left-gone, s.sleepers)
	s.active += turned - gone
	s.sleepers -= turned
	bases := min(left-gone-turned, s.bases[rebel])
	s.bases[rebel] -= bases
	dollars := 1 + old.status
	if b.momenta[fusionCenters] {
		dollars = 1
	}
	return b.gain(federal, p, old, &s) + t.victory(gone+bases) - t.price(dollars, free)
}

// victory returns what it gains beyond the pieces to remove so many of the enemy's:
// the game, if they are its last ones (R5.2).
func (t *thought) victory(removed int) float64 {
	if removed > 0 && removed >= t.b.pieces[1-t.me] {
		return wonWorth
	}
	return 0
}

// pacifyGain (R12.5): Unrest goes where the Federal has more pieces.
func (t *thought) pacifyGain(i, ops int, free bool) float64 {
	old := &t.b.at[i]
	if old.unrest == 0 || old.agents+old.bases[federal] <= old.militia()+old.bases[rebel] {
		return never
	}
	s := *old
	s.unrest = max(0, s.unrest-ops)
	return t.b.gain(federal, &t.places[i], old, &s) - t.price(1, free)
}

// secureGain (R12.6): a shift toward Order.
func (t *thought) secureGain(i, ops int, free bool) float64 {
	old := &t.b.at[i]
	margin := secureMargin
	if free { // the only event that grants a Secure asks for less
		margin = 1
	}
	if old.status == insurgency.Order || old.status > ops || old.unrest > 0 || old.agents < old.militia()+margin {
		return never
	}
	s := *old
	s.status--
	return t.b.gain(federal, &t.places[i], old, &s) - t.price(old.status+2, free)
}

// reservesFor returns with how many reserve points an operation gains most, and
// what it gains then, the points paid for.
func (t *thought) reservesFor(op, ops int) (points int, gain float64) {
	gain = never
	for n := 0; n <= t.b.reserves[t.me] && ops+n <= insurgency.MaxOps; n++ {
		if v := t.operation(op, ops+n) + t.b.w.bias[op] - t.b.w.point*float64(n); v > gain {
			points, gain = n, v
		}
	}
	return points, gain
}

// sideOps lists what each side may choose (R7.1), Social Media apart.
var sideOps = [2][]int{
	rebel: {
		insurgency.Fundraise, insurgency.Recruit, insurgency.Unrest, insurgency.Attack, insurgency.Surge, insurgency.Move,
		insurgency.Reserves, insurgency.Hack,
	},
	federal: {
		insurgency.Move, insurgency.Tax, insurgency.Deploy, insurgency.Hunt, insurgency.Pacify, insurgency.Secure,
		insurgency.Reserves, insurgency.Hack,
	},
}

// bestOperation returns what the best operation with the Ops of a card gains.
// Social Media is left out on enemy cards, where it depends on the mode.
func (t *thought) bestOperation(ops int, social bool) float64 {
	best := never
	for _, op := range sideOps[t.me] {
		if op == insurgency.Hack && t.b.momenta[blackout] {
			continue
		}
		_, v := t.reservesFor(op, ops)
		best = max(best, v)
	}
	if social && !t.b.momenta[blackout] {
		_, v := t.reservesFor(insurgency.SocialMedia, ops)
		best = max(best, v)
	}
	return best
}
