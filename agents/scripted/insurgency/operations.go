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
		if t.view.Decision() == insurgency.AskCard {
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
		n := min(ops, t.game.limits.Reserves-t.b.reserves[t.me])
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
	allowed := t.game.Allows(op, ops, t.b.momenta)
	for i := range t.picks {
		t.picks[i] = never
		if allowed && t.admits(op, i, ops) {
			price := t.price(t.game.Price(op, t.b.momenta, t.b.at[i].status), free)
			t.picks[i] = t.pickGain(op, i, ops) - price
		}
	}
}

// admits reports whether an operation may pick a space, money apart. The only event that
// grants a Secure asks for a smaller margin.
func (t *thought) admits(op, i, ops int) bool {
	margin := insurgency.SecureMargin
	if t.free() {
		margin = 1
	}
	s := t.b.at[i].site()
	s.Plague = i == t.view.Plague()
	return t.game.Admits(op, ops, margin, t.b.momenta, i, &s)
}

// pickGain returns what an operation gains in a space that admits it, its price apart.
func (t *thought) pickGain(op, i, ops int) float64 {
	switch op {
	case insurgency.Attack:
		return t.attackGain(i, ops)
	case insurgency.Surge:
		return t.surgeGain(i)
	case insurgency.Tax:
		return t.taxGain(i)
	case insurgency.Deploy:
		gain, _ := t.deployGain(i, ops)
		return gain
	case insurgency.Hunt:
		return t.huntGain(i)
	case insurgency.Pacify:
		return t.pacifyGain(i, ops)
	}
	return t.secureGain(i)
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
func (t *thought) attackGain(i, ops int) float64 {
	b, p, old := &t.b, &t.places[i], &t.b.at[i]
	militia := old.militia()
	hits := min(float64(militia)*b.hitChance(p, old, ops), float64(old.agents+old.bases[federal]))
	return interpolate(hits, func(n int) float64 {
		s := *old
		s.active, s.sleepers = militia, 0
		k := min(n, s.agents)
		s.agents -= k
		s.bases[federal] -= n - k
		return b.gain(rebel, p, old, &s) + t.victory(n)
	})
}

// surgeGain (R11.6): an Order space shifts.
func (t *thought) surgeGain(i int) float64 {
	old := &t.b.at[i]
	s := *old
	s.active, s.sleepers = s.militia(), 0
	s.status = insurgency.Anger
	return t.b.gain(rebel, &t.places[i], old, &s)
}

// taxGain (R12.1): dollars, and Unrest where no agent stands.
func (t *thought) taxGain(i int) float64 {
	old, p := &t.b.at[i], &t.places[i]
	// The dollars of several spaces are worth less together; that a side taxes up to
	// three, some ten dollars, is reckoned in.
	const together = 10
	gain := -t.b.cost(federal, -together) / together * float64(t.game.TaxYield(t.b.momenta, i))
	if old.agents == 0 {
		s := *old
		s.unrest = min(t.game.limits.Unrest, s.unrest+1)
		gain += t.b.gain(federal, p, old, &s)
	}
	return gain
}

// deployGain (R12.2 with deploy=each): up to Ops agents, and a base for two of them. It
// returns how many agents are best.
func (t *thought) deployGain(i, ops int) (gain float64, agents int) {
	b, p, old := &t.b, &t.places[i], &t.b.at[i]
	for n := 0; n <= min(ops, b.units[federal]); n++ {
		s := *old
		s.agents += n
		v := b.gain(federal, p, old, &s)
		if s.agents >= 2 && t.game.room(&s) && b.bases[federal] > 0 {
			s.agents -= 2
			s.bases[federal]++
			v = max(v, b.gain(federal, p, old, &s))
		}
		if v > gain {
			gain, agents = v, n
		}
	}
	return gain, agents
}

// huntGain (R12.4): active militia go, sleepers turn, then bases go.
func (t *thought) huntGain(i int) float64 {
	b, old := &t.b, &t.b.at[i]
	gone, turned, bases := insurgency.Hunted(b.game.HuntEffects(b.momenta, i, old.agents), old.active, old.sleepers, old.bases[rebel])
	s := *old
	s.active += turned - gone
	s.sleepers -= turned
	s.bases[rebel] -= bases
	return b.gain(federal, &t.places[i], old, &s) + t.victory(gone+bases)
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
func (t *thought) pacifyGain(i, ops int) float64 {
	old := &t.b.at[i]
	s := *old
	s.unrest = max(0, s.unrest-ops)
	return t.b.gain(federal, &t.places[i], old, &s)
}

// secureGain (R12.6): a shift toward Order.
func (t *thought) secureGain(i int) float64 {
	old := &t.b.at[i]
	s := *old
	s.status--
	return t.b.gain(federal, &t.places[i], old, &s)
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

// bestOperation returns what the best operation with the Ops of a card gains.
// Social Media is left out on enemy cards, where it depends on the mode.
func (t *thought) bestOperation(ops int, social bool) float64 {
	best := never
	for _, op := range t.game.sideOps[t.me] {
		if op == insurgency.Hack && !t.game.Allows(op, ops, t.b.momenta) {
			continue
		}
		_, v := t.reservesFor(op, ops)
		best = max(best, v)
	}
	if social && t.game.Allows(insurgency.SocialMedia, ops, t.b.momenta) {
		_, v := t.reservesFor(insurgency.SocialMedia, ops)
		best = max(best, v)
	}
	return best
}
