package minuteman

import (
	"math"
	"math/bits"

	"powderkeg/agents/scripted/menu"
	"powderkeg/engine/minuteman"
)

// The numbers of a candidate (Policy.Features): first those of the situation, the same for all
// candidates of a decision, then those of the candidate. All are from -menu.Most to menu.Most.
var (
	contextSize   = len(contextNames())
	candidateSize = len(candidateNames(make([]string, minuteman.FirstAmount)))
)

const (
	scenarios  = int(minuteman.Several) + 1
	seasons    = 4
	seats      = 4
	partisan   = 8 // cities that decide the Partisan scenario
	kinds      = 6
	terrains   = minuteman.NorthWinterCover + 2
	chainParts = 3
)

// kindNames are those of units, in the order of their slots.
var kindNames = [kinds]string{"network", "minuteman", "militia", "army", "agent", "cig"}

func contextNames() []string {
	list := []string{
		"government", "federalized", "turn", "turns_left", "declaration_left", "revolution", "turns_of_revolution",
		"unprepared", "prepared", "uncoordinated", "organized", "canada_mexico", "foreign_intervention",
	}
	list = append(list, menu.Numbered("scenario", scenarios)...)
	list = append(list, menu.Numbered("season", seasons)...)
	for _, name := range minuteman.DecisionNames()[:minuteman.Decisions] {
		list = append(list, "decision."+name)
	}
	list = append(list, menu.Numbered("token", chainParts)...)
	list = append(list,
		"networks", "minutemen", "militia", "army", "agents", "cigs", "strong_networks", "strong_minutemen", "strong_agents", "cig_steps",
		"underground", "army_of_rebels", "front_line", "to_move", "pinned", "untried", "attack.militia", "attack.army", "attack.agents",
		"riots", "unrest", "informers",
		"militia_less_army", "networks_less_cigs", "minutemen_less_agents", "level", "committed", "committed_to_level", "occupied", "cut",
	)
	list = append(list, menu.Numbered("occupied", partisan)...)
	list = append(list, menu.Numbered("cut", partisan)...)
	list = append(list, "air_rail", "build_track", "builds_to_column", "riot_index", "reaction.riots", "reaction.builds")
	for _, name := range minuteman.MarkerNames() {
		list = append(list, "hand."+name)
	}
	list = append(list, "hands_of_others", "divisions_due", "militia_due", "foreign.own", "foreign.other", "foreign.left")
	return append(list,
		"chain.military", "chain.infiltration", "chain.subversion", "chain.sedition", "chain.attack", "chain.defence", "chain.odds",
		"chain.points", "chain.column", "chain.organizers", "chain.helpers", "chain.left", "chain.price", "chain.success", "chain.stop", "chain.lost")
}

// candidateNames takes the names of the actions up to the amounts.
func candidateNames(actions []string) []string {
	list := []string{"worth", "merit", "best", "hex", "amount"}
	for _, name := range actions[:minuteman.FirstAmount] {
		list = append(list, "action."+name)
	}
	list = append(list, "unit.is")
	for _, name := range kindNames {
		list = append(list, "unit."+name)
	}
	list = append(list, "unit.step", "unit.attack", "unit.defence", "unit.worth", "unit.front_line", "unit.untried", "unit.underground",
		"unit.gain", "unit.explored", "unit.by_rail", "unit.leaving")
	for _, name := range forceNames {
		list = append(list, "attack."+name)
	}
	list = append(list, "build.is", "build.points", "build.built", "build.unrest", "build.riot", "build.gain")
	for _, at := range []string{"at", "from"} {
		for _, name := range hexNames {
			list = append(list, at+"."+name)
		}
	}
	for _, name := range postNames {
		list = append(list, "at."+name)
	}
	return list
}

var forceNames = []string{
	"is", "units", "strength", "defence", "odds", "value", "prize", "risk", "risk_back",
	"attacker_out", "attacker_back", "defender_back", "defender_out", "pin", "convert", "unrest", "riot",
}

// hexNames describe what stands in a hex and about it.
var hexNames = []string{
	"is", "city", "population", "terrain[0]", "terrain[1]", "terrain[2]", "terrain[3]", "abroad", "dense", "key", "keys_around", "far",
	"riot", "unrest", "informer", "network", "network_strong", "minutemen", "militia", "militia_defence", "army", "army_attack", "army_of_rebels",
	"agents", "cig", "near.networks", "near.minutemen", "near.militia", "near.army", "near.agents", "near.cigs",
}

// postNames describe a hex as a place for the unit.
var postNames = []string{"post", "stand", "march", "distance", "lost", "hostile", "own", "line", "exposed"}

// describe fills in the numbers of the situation.
func (t *situation) describe(x []float32) {
	w := menu.Write(x)
	o := t.state.Options()
	w.Flag(!t.rebel)
	w.Flag(t.serves)
	w.Count(t.turn, 24)
	w.Count(t.turns-t.turn, 24)
	w.Count(max(0, t.deadline-t.turn), 24)
	w.Flag(t.rise)
	if t.rise {
		w.Count(t.turn-int(t.p.RevTurn), 12)
	} else {
		w.Skip(1)
	}
	for _, is := range [...]bool{o.Unprepared, o.Prepared, o.Uncoordinated, o.Organized, o.Neighbours, o.Foreign} {
		w.Flag(is)
	}
	w.Hot(int(o.Scenario), scenarios)
	w.Hot(t.state.Season(), seasons)
	w.Hot(t.state.Decision(), minuteman.Decisions)
	w.Hot(int(t.p.Part), chainParts)
	t.describeUnits(&w)
	t.describeStanding(&w)
	t.describeMeans(&w)
	t.describeChain(&w)
}

// describeUnits counts units of both sides.
func (t *situation) describeUnits(w *menu.Writer) {
	var strong, steps [kinds]int
	underground, front, move, pinned, untried := 0, 0, 0, 0, 0
	for u := range minuteman.Units {
		x := &t.units[u]
		if x.Hex == minuteman.NoHex {
			continue
		}
		k := slotKind(u)
		strong[k] += count(x.Step > 0)
		steps[k] += x.Step
		underground += count(x.Underground)
		pinned += count(x.Pinned)
		if k == armyKind || k == militiaKind {
			untried += count(x.Untried)
			front += count(t.state.FrontLine(u))
		}
		move += count(x.Owner == t.me && !x.Moved)
	}
	var held int
	var militia, army, agents float32
	for _, h := range t.used {
		s := &t.at[h]
		held += int(s.held)
		militia += s.milDefence
		army += t.attackOf(s.army)
		agents += s.agentAttack
	}
	for _, n := range [...]int{t.nets, t.minutemen, t.militia, t.army, t.agents, t.cigs, strong[networkKind], strong[minutemanKind], strong[agentKind]} {
		w.Count(n, 20)
	}
	w.Count(steps[cigKind], 40)
	w.Count(underground, 20)
	w.Count(held, 5)
	w.Count(front, 10)
	w.Count(move, 40)
	w.Count(pinned, 5)
	w.Count(untried, 20)
	w.Scaled(militia, 60)
	w.Scaled(army, 100)
	w.Scaled(agents, 30)
}

// describeStanding tells of what counts for victory (R24.3, R25.13).
func (t *situation) describeStanding(w *menu.Writer) {
	level, held, cut := t.state.Standing()
	for _, set := range [...][]uint64{t.p.Riot[:], t.p.Unrest[:], t.p.Informer[:]} {
		n := 0
		for _, word := range set {
			n += bits.OnesCount64(word)
		}
		w.Count(n, 10)
	}
	w.Scaled(float32(t.militia-t.army), 8)
	w.Scaled(float32(t.nets-t.cigs), 8)
	w.Scaled(float32(t.minutemen-t.agents), 8)
	w.Count(level, 3)
	w.Count(int(t.p.Commit), 8)
	if step := t.state.CommitStep(); step > 0 {
		w.Count(int(t.p.Commit)%step, step)
	} else {
		w.Skip(1)
	}
	for _, set := range [...]uint8{held, cut} {
		w.Count(bits.OnesCount8(set), 4)
	}
	for _, set := range [...]uint8{held, cut} {
		for i := range partisan {
			w.Flag(set>>i&1 != 0)
		}
	}
}

// describeMeans tells of markers, reinforcements and what the Reaction table holds.
func (t *situation) describeMeans(w *menu.Writer) {
	p, r := t.p, t.state.Reactions()
	w.Scaled(float32(p.AirRail), 20)
	w.Scaled(float32(p.Track), 50)
	w.Count(r.BuildsToColumn, 10)
	w.Scaled(float32(r.RiotIndex), 10)
	w.Count(r.Riots, 5)
	w.Count(r.Builds, 5)
	for _, n := range p.Hand[t.me] {
		w.Count(int(n), 5)
	}
	others, due := 0, 0
	for seat := range seats {
		if seat != t.me {
			others += int(p.HandSize[seat])
		}
		if seat != t.gov {
			due += int(p.Due[seat])
		}
	}
	w.Count(others, 10)
	w.Count(int(p.Due[t.gov]), 4)
	w.Count(due, 6)
	w.Flag(int(p.Foreign.Seat) == t.me)
	w.Flag(p.Foreign.Seat != minuteman.NoSeat && int(p.Foreign.Seat) != t.me)
	w.Count(int(p.Foreign.Left), 3)
}

// describeChain tells of the decision under way.
func (t *situation) describeChain(w *menu.Writer) {
	c := &t.chain
	w.Hot(c.Attack, numKinds)
	w.Scaled(c.AttackSum, 15)
	w.Scaled(c.Defence, 8)
	w.Put(odds(c.AttackSum, c.Defence))
	w.Scaled(float32(c.Points), 6)
	w.Scaled(float32(c.BuildColumn), 6)
	w.Scaled(float32(c.Organizers), 3)
	w.Scaled(float32(c.Helpers), 3)
	w.Scaled(float32(c.Left), 5)
	w.Scaled(float32(c.Price), 20)
	w.Put(c.Success, c.Stop, c.Lost)
}

// odds returns the logarithm of the odds of an attack, 0 where there is none.
func odds(attack, defence float32) float32 {
	if attack <= 0 {
		return 0
	}
	return float32(max(-menu.Most, min(math.Log(float64(attack)/float64(max(defence, 0.5))), menu.Most)))
}

// The kinds of units, in the order of their slots.
const (
	networkKind = iota
	minutemanKind
	militiaKind
	armyKind
	agentKind
	cigKind
)

// slotKind returns the kind of a unit.
func slotKind(u int) int {
	switch {
	case u < minuteman.FirstMinuteman:
		return networkKind
	case u < minuteman.FirstMilitia:
		return minutemanKind
	case u < minuteman.FirstArmy:
		return militiaKind
	case u < minuteman.FirstAgent:
		return armyKind
	case u < minuteman.FirstCIG:
		return agentKind
	}
	return cigKind
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// describeCandidate fills in the numbers of a candidate, so much below the chosen one.
func (t *situation) describeCandidate(x []float32, c *candidate, worth float64, below float32) {
	w := menu.Write(x)
	w.Scaled(float32(worth), 3)
	w.Scaled(below, 1)
	w.Flag(worth == 0)
	w.Flag(c.action >= minuteman.FirstHex)
	amount := float32(0)
	if c.action >= minuteman.FirstAmount && c.action < minuteman.FirstPlayer {
		amount = float32(c.action - minuteman.FirstAmount)
	}
	w.Scaled(amount, 3)
	w.Hot(int(c.action), int(minuteman.FirstAmount))
	t.describeUnit(&w, c)
	t.describeForce(&w, &c.force)
	t.describeAttempt(&w, c)
	t.describeHex(&w, c.at)
	t.describeHex(&w, c.from)
	t.describePost(&w, c)
}

// describeUnit fills in the numbers of the unit that an action is about.
func (t *situation) describeUnit(w *menu.Writer, c *candidate) {
	if c.unit < 0 {
		w.Skip(1 + kinds + 11)
		return
	}
	x := &t.units[c.unit]
	attack, defence := t.state.Strengths(c.unit)
	w.Put(1)
	w.Hot(slotKind(c.unit), kinds)
	w.Count(x.Step, 3)
	w.Scaled(attack, 6)
	w.Scaled(defence, 6)
	w.Scaled(t.worth(c.unit), 3)
	w.Flag(t.state.FrontLine(c.unit))
	w.Flag(x.Untried)
	w.Flag(x.Underground)
	gain, explored := float32(0), false
	if d := t.state.Decision(); d == minuteman.DecidesMove || d == minuteman.DecidesGovMove {
		gain, explored = c.merit, c.at != minuteman.NoHex
	}
	w.Scaled(gain, 2)
	w.Flag(explored)
	w.Flag(explored && t.byRail && c.unit == int(t.mover))
	w.Scaled(t.leaving(c.unit), 10)
}

// describeForce fills in the numbers of an attack.
func (t *situation) describeForce(w *menu.Writer, f *force) {
	if f.n == 0 {
		w.Skip(len(forceNames))
		return
	}
	p, _ := t.preyAt(f.kind, f.target)
	w.Put(1)
	w.Count(f.n, 6)
	w.Scaled(f.strength, 10)
	w.Scaled(p.defence, 8)
	w.Put(odds(f.strength*p.factor, p.defence))
	w.Scaled(f.value, 3)
	w.Scaled(p.out+p.convert+p.riot, 6)
	w.Scaled(f.out, 6)
	w.Scaled(f.back, 3)
	r := t.state.AttackChances(t.me, f.kind, f.target, f.strength*p.factor, p.defence)
	w.Put(r.AttackerOut, r.AttackerBack, r.DefenderBack, r.DefenderOut, r.Pin, r.Convert, r.Unrest, r.Outrage)
}

// describeAttempt fills in the numbers of a build attempt.
func (t *situation) describeAttempt(w *menu.Writer, c *candidate) {
	switch d := t.state.Decision(); {
	case d != minuteman.DecidesBuild && d != minuteman.DecidesGovBuild, c.at == minuteman.NoHex:
		w.Skip(6)
		return
	}
	points := t.attemptPoints(c.at)
	built, unrest, riot := t.state.BuildChances(points, t.rebel, c.at)
	w.Put(1)
	w.Scaled(float32(points), 6)
	w.Put(built, unrest, riot)
	w.Scaled(t.attemptGain(c.at, points), 2)
}

// describeHex fills in the numbers of a hex.
func (t *situation) describeHex(w *menu.Writer, h int) {
	if h == minuteman.NoHex {
		w.Skip(len(hexNames))
		return
	}
	s, f := &t.at[h], t.state.Facts(h)
	w.Put(1)
	w.Flag(t.city[h])
	w.Count(f.Population, 3)
	w.Hot(f.Terrain, terrains)
	w.Flag(f.Country != 0)
	w.Count(int(t.dense[h]), 4)
	w.Scaled(t.share(h), 1)
	w.Scaled(t.keysAround(h), 1)
	w.Scaled(float32(t.far[h]), 5)
	w.Flag(t.state.Riot(h))
	w.Flag(t.p.Unrest.Has(h))
	w.Flag(t.state.Informer(h))
	w.Flag(s.net >= 0)
	w.Flag(s.net >= 0 && t.units[s.net].Step > 0)
	w.Count(int(s.minutemen), 3)
	w.Count(int(s.militia), 3)
	w.Scaled(s.milDefence, 10)
	w.Flag(s.army >= 0)
	w.Scaled(t.attackOf(s.army), 6)
	w.Count(int(s.held), 2)
	w.Count(int(s.agents), 3)
	if s.cig >= 0 {
		w.Count(t.units[s.cig].Step, 3)
	} else {
		w.Skip(1)
	}
	var near [kinds]int
	for _, n := range t.near[h] {
		if int(n) == minuteman.NoHex || t.at[n] == emptySpot {
			continue
		}
		p := &t.at[n]
		near[networkKind] += count(p.net >= 0)
		near[minutemanKind] += int(p.minutemen)
		near[militiaKind] += int(p.militia)
		near[armyKind] += count(p.army >= 0)
		near[agentKind] += int(p.agents)
		near[cigKind] += count(p.cig >= 0)
	}
	for _, n := range near {
		w.Count(n, 4)
	}
}

// describePost fills in the numbers of a hex as a place for the unit.
func (t *situation) describePost(w *menu.Writer, c *candidate) {
	if c.at == minuteman.NoHex {
		w.Skip(len(postNames))
		return
	}
	t.learnZones()
	if c.unit >= 0 {
		t.describeWay(w, c.unit, c.at)
	} else {
		w.Skip(5)
	}
	w.Flag(t.hostile.Has(c.at))
	w.Flag(t.own.Has(c.at))
	w.Scaled(t.blockade(c.at), 1)
	w.Flag(t.state.Exposed(c.at))
}

// describeWay fills in what a unit gains by a hex, and what the way costs it.
func (t *situation) describeWay(w *menu.Writer, u, h int) {
	moving := u == t.chain.Moving
	if moving {
		w.Scaled(t.value[h], 3)
	} else {
		w.Skip(1)
	}
	w.Scaled(t.stand(u, h), 3)
	if moving {
		w.Scaled(t.marched(u, h), 1)
	} else {
		w.Skip(1)
	}
	w.Scaled(float32(t.state.Distance(t.units[u].Hex, h)), 5)
	switch {
	case !moving || !t.secret(u):
		w.Skip(1)
	case t.cost[h] == beyond:
		w.Put(1)
	default:
		w.Put(t.lost(t.cost[h]))
	}
}
