package domination

import (
	"math"

	"powderkeg/engine/domination"
)

// measures are the figures behind the player's judgement. They were chosen by
// matches of the player against variants of itself.
type measures struct {
	holdForce    float64 // share of a step that outlasts one use of an opponent
	holdRegion   float64 // chance of a Region monopoly to outlast it
	holdResource float64 // the same of a Resource monopoly
	nextForce    float64 // share of a step that is left a Game Turn later
	nextGroup    float64 // chance of a monopoly to be left a Game Turn later
	partOne      float64 // what one Area of three is worth, as a share of the monopoly
	partTwo      float64 // the same for two of three
	spread       float64 // VPs by which a lead may change in a Game Turn, one standard deviation
	pointVP      float64 // VPs that a point of a card gains in a usual situation
	keep         float64 // share of a card's worth that is saved by not using it
	early        float64 // VPs by which buying is better before the others' last uses than after
	harm         float64 // worth of an opponent's VPs before the last Game Turn, as a share of the own
}

// Two players fight each other; at a larger table what one does to another is a
// gift to the third, and much more happens before one's next turn.
var (
	duel = measures{
		holdForce: 0.97, holdRegion: 0.5, holdResource: 0.77, nextForce: 0.18, nextGroup: 0.24,
		partOne: 0.09, partTwo: 0.24, spread: 19, pointVP: 0.9, keep: 0.8, early: 3, harm: 0.5,
	}
	crowd = measures{
		holdForce: 0.75, holdRegion: 0.6, holdResource: 0.6, nextForce: 0.48, nextGroup: 0.2,
		partOne: 0.02, partTwo: 0.18, spread: 13, pointVP: 1.8, keep: 0.62, early: 3, harm: 0.4,
	}
)

// stakes is what things on the map are worth to the player, by the seat that has
// them: positive for its own, negative for those of its opponents. The unit is a
// VP of its own.
type stakes struct {
	weight [maxSeats]float64 // of a VP
	step   [maxSeats]float64 // of a step on Land
	// group is the worth of controlling so many Areas of a Region (0) or of the Areas
	// with one Resource (1).
	group [maxSeats][2][groupSize + 1]float64
}

// unit returns how often a step in an Area counts.
func (t *situation) unit(a int) float64 {
	if a < landAreas {
		return 1
	}
	return t.world.atlas.seaUnit
}

// holding returns what controlling an Area is worth to seat s beside the steps, if
// it has the Areas own besides.
func (t *situation) holding(own areaSet, s, a int) float64 {
	if a >= landAreas {
		return 0
	}
	own &^= 1 << a
	sum := 0.0
	for kind, g := range t.world.atlas.of[a] {
		n := (own & t.world.atlas.groups[g]).Size()
		worth := &t.stakes.group[s][kind]
		sum += worth[n+1] - worth[n]
	}
	return sum
}

// force returns what the Force of seat s in Area a is worth with all its steps.
func (t *situation) force(b *board, s, a int) float64 {
	return float64(b.steps(a))*t.stakes.step[s]*t.unit(a) + t.holding(b.Own[s], s, a)
}

// evaluate returns what a board is worth.
func (t *situation) evaluate(b *board) float64 {
	sum := 0.0
	for s := range t.seats {
		own := b.Own[s]
		steps := float64(b.Steps(own&onLand)) + t.world.atlas.seaUnit*float64(b.Steps(own&atSea))
		sum += steps * t.stakes.step[s]
		for g := range groups {
			sum += t.stakes.group[s][kindOf(g)][(own & t.world.atlas.groups[g]).Size()]
		}
	}
	return sum
}

func kindOf(group int) int {
	if group < firstResource {
		return 0
	}
	return 1
}

// weigh sets the stakes for the seats' outlook.
func (t *situation) weigh() {
	t.weighSeats()
	h := t.measures
	for s := range t.seats {
		w, threat := t.stakes.weight[s], t.threat(s)
		now := 1.0 // this Game Turn's scoring is still to come
		if t.scored {
			now = 0
		}
		region := now * math.Pow(h.holdRegion, threat)
		if t.state.P.Denied(domination.SeatID(s)) {
			region = 0
		}
		t.stakes.step[s] = w * (now*math.Pow(h.holdForce, threat) + series(h.nextForce, t.later))
		region += series(h.nextGroup, t.later)
		resource := math.Pow(h.holdResource, threat) * float64(t.later)
		for k, p := 1, h.nextGroup; k < t.later; k, p = k+1, p*h.nextGroup {
			resource += p * float64(t.later-k)
		}
		if int(t.state.P.Logistics[s]) >= t.state.MaxLogistics() {
			resource = 0
		}
		t.weighGroup(s, 0, w*region*t.world.atlas.regionVP)
		t.weighGroup(s, 1, w*resource*t.draw(s)*h.pointVP)
	}
}

func (t *situation) weighGroup(s, kind int, monopoly float64) {
	t.stakes.group[s][kind] = [groupSize + 1]float64{0, t.measures.partOne * monopoly, t.measures.partTwo * monopoly, monopoly}
}

// series returns p + p² + ... of n terms.
func series(p float64, n int) float64 {
	sum := 0.0
	for x := p; n > 0; n-- {
		sum += x
		x *= p
	}
	return sum
}

// weighSeats says what a VP of each seat is worth. The player's own counts 1, and
// those of its opponents -1 together: the more, the nearer they are to winning.
func (t *situation) weighSeats() {
	var outlook [maxSeats]float64
	most := math.Inf(-1)
	for s := range t.seats {
		_, _, rate := t.state.Standing(domination.SeatID(s))
		outlook[s] = float64(t.state.P.VP[s]) + float64(rate)*(1+series(t.measures.nextForce, t.later))
		if s != t.me {
			most = max(most, outlook[s])
		}
	}
	harm := t.measures.harm
	if t.later == 0 {
		harm = 1
	}
	sum, spread := 0.0, t.measures.spread*math.Sqrt(float64(t.later+1))
	for s := range t.seats {
		t.stakes.weight[s] = math.Exp((outlook[s] - most) / spread)
		if s != t.me {
			sum += t.stakes.weight[s]
		}
	}
	for s := range t.seats {
		t.stakes.weight[s] *= -harm / sum
	}
	t.stakes.weight[t.me] = 1
}

// threat returns how many uses of cards are still to come that may hit seat s in
// this Game Turn: those of its opponents, shared among the seats that they can hit.
func (t *situation) threat(s int) float64 {
	n := 0
	for q := range t.seats {
		if q != s && !t.state.P.Passed.Has(domination.SeatID(q)) {
			n += int(t.state.P.Seats[q].HandSize)
		}
	}
	if s != t.me && t.state.Decision() == domination.TurnDecision {
		n-- // the card that is about to be used
	}
	return float64(n) / float64(t.seats-1)
}

// world is what is printed.
type world struct {
	atlas atlas
	cards [cards]card
}

// shipped is what is printed in the box that ships. That it can be read is checked whenever
// the game is made.
var shipped = func() *world {
	f, err := domination.NewFacts()
	if err != nil {
		panic(err)
	}
	return newWorld(f)
}()

func newWorld(f *domination.Facts) *world { return &world{newAtlas(f), newCards(f)} }

// readWorld takes what is printed from the game of a view: once where it is an edition.
func (t *situation) readWorld(s *domination.View) {
	switch {
	case s.Shipped():
		t.world, t.facts = shipped, nil
	case t.facts != s.Facts():
		t.facts = s.Facts()
		t.world = newWorld(t.facts)
	}
}
