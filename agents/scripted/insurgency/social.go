package insurgency

import (
	"powderkeg/engine"
	"powderkeg/engine/insurgency"
)

// stepGain returns what the best step of the marker gains, 0 for none.
func (t *thought) stepGain(from int) (gain float64, to int) {
	to = from
	steps, _ := t.game.MarkerSteps(from)
	for _, n := range steps {
		if v := sign(t.me) * (t.b.markerWorth(int(n)) - t.b.markerWorth(from)); v > gain {
			gain, to = v, int(n)
		}
	}
	return gain, to
}

// socialGain returns what Social Media gains: a step, and the best use of the Ops.
func (t *thought) socialGain(ops int) float64 {
	gain, at := t.stepGain(t.b.marker)
	best := t.censorGain()
	if ops >= t.game.SocialOps(insurgency.Persuade) {
		second, _ := t.stepGain(at)
		best = max(best, second, t.distractGain())
	}
	if ops >= t.game.SocialOps(insurgency.Enrage) {
		enrage, _ := t.enrageGain()
		convert, _ := t.convertGain()
		best = max(best, enrage, convert)
	}
	return gain + max(best, 0)
}

// enrageGain returns what changing Anger to Defiance or back gains, and where.
func (t *thought) enrageGain() (gain float64, at int) {
	for i := range t.b.at {
		s := t.b.at[i]
		switch s.status {
		case insurgency.Anger:
			s.status = insurgency.Defiance
		case insurgency.Defiance:
			s.status = insurgency.Anger
		default:
			continue
		}
		if v := t.b.gain(t.me, &t.places[i], &t.b.at[i], &s); v > gain {
			gain, at = v, i
		}
	}
	return gain, at
}

// convertGain returns what replacing an enemy unit gains, and where.
func (t *thought) convertGain() (gain float64, at int) {
	if t.b.units[t.me] == 0 {
		return 0, 0
	}
	for i := range t.b.at {
		s := t.b.at[i]
		switch {
		case t.me == rebel && s.agents > 0:
			s.agents--
			s.sleepers++
		case t.me == federal && s.sleepers > 0:
			s.sleepers--
			s.agents++
		case t.me == federal && s.active > 0:
			s.active--
			s.agents++
		default:
			continue
		}
		if v := t.b.gain(t.me, &t.places[i], &t.b.at[i], &s); v > gain {
			gain, at = v, i
		}
	}
	return gain, at
}

// storyWorth returns what it is worth to the player that a story becomes active.
func (t *thought) storyWorth(n int) float64 {
	const usual = 2 // the mean Rebellion Factor of the stories
	_, factor := t.view.Story(n)
	return sign(t.me) * float64(factor-usual)
}

// viral returns the story of the pool that the next cycle brings, 0 for none, the
// stories left out apart.
func (t *thought) viral(without int) int {
	best, top := 0, 0
	pool := t.view.P.Pool
	for n := 1; n <= insurgency.Stories; n++ {
		if n == without || !pool.Has(insurgency.StoryID(n)) {
			continue
		}
		if v, _ := t.view.Story(n); v > top {
			best, top = n, v
		}
	}
	return best
}

// newsGain is what a point of Rebellion Factor is worth in the newest story.
func (t *thought) newsGain() float64 {
	return t.b.horizon.long * (t.b.w.power + t.b.w.factor/2)
}

// censorGain returns what discarding the story gains that the next cycle would
// bring.
func (t *thought) censorGain() float64 {
	first := t.viral(0)
	if first == 0 {
		return 0
	}
	after := 0.0 // the top of the deck
	if second := t.viral(first); second != 0 {
		after = t.storyWorth(second)
	}
	return t.b.w.news * t.b.horizon.long * (after - t.storyWorth(first))
}

// distractGain returns what a cycle gains now, with a free choice of the newest
// story: the oldest one goes.
func (t *thought) distractGain() float64 {
	best := 0.0
	pool := t.view.P.Pool
	for n := 1; n <= insurgency.Stories; n++ {
		if pool.Has(insurgency.StoryID(n)) {
			best = max(best, t.storyWorth(n))
		}
	}
	if old := t.b.slot[insurgency.Slots-1]; old != 0 {
		best -= t.storyWorth(old)
	}
	return best * t.newsGain()
}

// hackGain returns what a Hack gains with so many Ops (R13.4.1).
func (t *thought) hackGain(ops int) float64 {
	chance := float64(t.game.HackFaces(ops)) / 6
	best := 0.0
	for k := range hackEffects {
		best = max(best, t.hackEffect(k))
	}
	return chance * best
}

const hackEffects = 6

// hackEffect returns what an effect of a successful Hack gains, never if it is not
// possible (R13.4.3). Shields that an event ignores are not looked at: the legal
// actions are.
func (t *thought) hackEffect(k int) float64 {
	b, me, other := &t.b, t.me, 1-t.me
	if k <= insurgency.DenialOfService && b.shields[other] > 0 {
		return never
	}
	return t.hackWorth(k, b, me, other)
}

func (t *thought) hackWorth(k int, b *board, me, other engine.Player) float64 {
	const throw = 7 // of two dice
	marker := t.newsGain()
	switch k {
	case insurgency.Intelligence:
		return t.b.w.seen * float64(b.hand[other]-b.seen[other])
	case insurgency.Theft:
		n := min(throw, b.money[other])
		return b.cost(other, n) - b.cost(me, -n)
	case insurgency.DenialOfService:
		if me == federal && b.power == 0 || me == rebel && b.power == insurgency.MaxPower {
			return 0
		}
		return marker
	case insurgency.RestoreService:
		if int(t.view.P.Hacked[me]) == 0 {
			return never
		}
		return marker
	case insurgency.SecureHQ:
		if b.shields[me] >= 1 {
			return t.b.w.shield / 2 * b.horizon.long
		}
		return t.b.w.shield * b.horizon.long
	}
	if b.shields[other] == 0 {
		return never
	}
	return t.b.w.shield * b.horizon.long
}
