package reference

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Start sets the game up, with a host of its own, and then throws the pieces about, so that
// a game begins with what is rare: crowds, occupations everywhere, full hands, short decks.
// Resume goes on from there.
func (g *Game) Start(rng *rand.Rand, begin Start) {
	host := g.host
	g.host = anybody{rng}
	g.setUp()
	g.host = host
	s := scatterer{g, rng}
	g.night = 1 + rng.IntN(g.scenario.Nights)
	g.nights = g.scenario.Nights - g.night + 1
	g.first = g.seats[rng.IntN(len(g.seats))]
	g.turn = rng.IntN(len(g.seats))
	g.phase = "sunset_1"
	switch begin {
	case Midnight:
		g.phase = "sunset_2"
	case Sunrise:
		g.turn, g.phase = len(g.seats), "sunrise_1A"
	}
	s.clear()
	s.people()
	s.police()
	if s.chanceOf(40) {
		s.rising()
	}
	s.streets()
	s.cards()
	if s.chanceOf(10) {
		s.siege()
	}
	if s.semi() && s.scenario.Agenda == "standard" && s.chanceOf(15) {
		s.coup()
	}
	if begin == Midnight {
		s.dice()
	}
}

// Resume plays on from Start.
func (g *Game) Resume() {
	switch g.phase {
	case "sunset_1":
		g.playNight(g.turn)
	case "sunset_2":
		g.act(g.order()[g.turn])
		g.playNight(g.turn + 1)
	}
	g.sunrise()
	for g.by == "" {
		g.beginNight()
		g.playNight(0)
		g.sunrise()
	}
}

// anybody answers at random.
type anybody struct{ rng *rand.Rand }

func (a anybody) Ask(q Question) string { return q.Options[a.rng.IntN(len(q.Options))] }

type scatterer struct {
	*Game
	rng *rand.Rand
}

func (s scatterer) chanceOf(percent int) bool { return s.rng.IntN(100) < percent }

func (s scatterer) clear() {
	for _, d := range s.cells() {
		s.cops += d.cops
		if d.van >= 0 {
			s.vans++
		}
		clear(d.blocs)
		d.cops, d.van, d.occupation = 0, -1, nil
	}
}

// some picks districts at random.
func (s scatterer) some(n int) (out []*district) {
	list := s.cells()
	for _, i := range s.rng.Perm(len(list))[:n] {
		out = append(out, list[i])
	}
	return out
}

// people places blocs, mostly in crowds, and occupations, and liberates.
func (s scatterer) people() {
	crowds := s.some(1 + s.rng.IntN(5))
	least := s.rng.IntN(11)
	for _, f := range s.seats {
		for range least + s.rng.IntN(11-least) {
			d := crowds[s.rng.IntN(len(crowds))]
			if s.chanceOf(10) {
				d = s.some(1)[0]
			}
			d.blocs[f]++
		}
	}
	share, burn, free := s.rng.IntN(100), s.chanceOf(15), 25
	if s.chanceOf(30) {
		share, free = 100, []int{0, 25, 90, 100}[s.rng.IntN(4)]
	}
	rulers := s.seats
	if s.semi() && s.chanceOf(40) { // two factions are about to win alone
		share, rulers = 100, rulers[:2]
	} else if s.chanceOf(50) { // one faction or two have all State and Public districts
		rulers = rulers[:1+s.rng.IntN(2)]
	}
	for _, d := range s.cells() {
		s.settleIn(d, rulers, share, free)
		if d.liberated {
			continue
		}
		looted := s.rng.IntN(d.shops[0] + 1)
		burned := s.rng.IntN(looted + 1)
		if burn || s.chanceOf(10) {
			looted, burned = d.shops[0], d.shops[0]
		}
		d.shops = [3]int{d.shops[0] - looted, looted - burned, burned}
	}
}

// settleIn puts an occupation into a district and liberates it, each with a chance.
func (s scatterer) settleIn(d *district, rulers []string, share, free int) {
	f := rulers[s.rng.IntN(len(rulers))]
	if slices.Contains(s.seats, d.Type) {
		f = d.Type
	}
	if kinds := s.matOccupations(f); len(kinds) > 0 && d.Circle && slices.Contains([]string{f, "public", "state"}, d.Type) && s.chanceOf(share) {
		d.occupation = &occupation{f, s.kind(f, kinds[s.rng.IntN(len(kinds))])}
	}
	if d.CanBe && d.occupation != nil && s.chanceOf(free) {
		d.liberated, d.shops = true, [3]int{}
		s.shows[s.pick(s.shows)]--
	}
}

func (s scatterer) pick(m map[string]int) string {
	list := slices.Sorted(maps.Keys(positive(m)))
	return list[s.rng.IntN(len(list))]
}

func (s scatterer) police() {
	s.morale = s.rng.IntN(5)
	if s.chanceOf(8) {
		s.destroyed, s.vans = s.vans, 0
		return
	}
	places := s.some(1 + s.rng.IntN(12))
	few, vans := 1+s.rng.IntN(s.Game.cops), []int{10, 30, 80}[s.rng.IntN(3)]
	for range s.rng.IntN(few) {
		s.deploy(1, places[s.rng.IntN(len(places))])
	}
	for _, d := range places {
		if s.vans > 0 && s.chanceOf(vans) {
			d.van = 0
			s.vans--
		}
	}
	if s.chanceOf(30) {
		s.destroyed = s.rng.IntN(s.vans + 1)
		s.vans -= s.destroyed
	}
	for _, d := range s.cells() {
		for _, f := range s.seats {
			if s.turn > 0 && d.police() && d.blocs[f] > 0 && s.chanceOf(30) {
				d.attacked[f] = 1
			}
		}
	}
}

// rising gathers blocs in a few districts, enough to liberate them, with hardly any police.
func (s scatterer) rising() {
	for _, d := range s.some(1 + s.rng.IntN(4)) {
		if !d.CanBe || d.liberated {
			continue
		}
		if d.occupation == nil {
			s.settleIn(d, s.seats, 100, 0)
		}
		if d.van >= 0 {
			d.van = -1
			s.vans++
		}
		s.withdraw(d.cops, d)
		blocs := d.needed() + s.rng.IntN(3)
		if s.chanceOf(30) {
			cops := 1 + s.rng.IntN(3)
			s.deploy(cops, d)
			blocs += cops
		}
		for _, i := range s.rng.Perm(len(s.seats)) {
			f := s.seats[i]
			for s.chanceOf(85) && s.onMat(f) > 0 && d.allBlocs() < blocs {
				d.blocs[f]++
			}
		}
	}
}

// siege has the prisoners before many cops, with Molotovs and the Factory, if it can.
func (s scatterer) siege() {
	f := "prisoners"
	if !slices.Contains(s.seats, f) {
		return
	}
	for _, card := range []string{"molotovs_1", "molotovs_2", "molotovs_1"} {
		if s.loot[card] > 0 && size(s.loot) > 1 {
			s.handOut(f, card)
		}
	}
	for _, d := range s.some(5) {
		if s.home(f, "molotov_factory") == nil && d.Circle && d.occupation == nil && (d.Type == f || d.Type == "public") {
			d.occupation = &occupation{f, "molotov_factory"}
		}
		if d.blocs[f] > 0 {
			s.deploy(6, d)
		}
	}
}

// coup lets two factions meet what they need to win alone, one in five districts and one by
// fire, with no police left to stop them.
func (s scatterer) coup() {
	one, other := s.seats[0], s.seats[1]
	social := []string{}
	for _, a := range s.rules.agendas {
		if a.Family == "social" {
			social = append(social, a.Key)
		}
	}
	for i, f := range s.seats {
		s.agendas[f] = social[i]
	}
	s.agendas[one], s.agendas[other] = "sectarian_one_true_line", "nihilist"
	for _, d := range s.cells() {
		if d.van >= 0 {
			d.van = -1
			s.vans++
		}
		s.withdraw(d.cops, d)
		if d.heldBy(one) || d.Type == "state" {
			d.occupation = nil
		}
		if !d.liberated {
			d.shops = [3]int{0, 0, d.Shops}
		}
	}
	states := 0
	for _, d := range s.cells() {
		if d.Type == one || d.Type == "state" && states < 2 {
			if d.Type == "state" {
				states++
			}
			d.occupation = &occupation{one, s.kind(one, s.matOccupations(one)[0])}
		} else if free := s.matOccupations(other); d.Type == "state" && len(free) > 0 && s.chanceOf(80) { // the insurrection succeeds too
			d.occupation = &occupation{other, s.kind(other, free[0])}
		}
	}
}

func (s scatterer) streets() {
	share := s.rng.IntN(100)
	for _, c := range s.roads { // the entrances of highways first
		for _, e := range c.ends {
			if c.highway && c.barricades() < 3 && (share > 80 || s.chanceOf(share)) {
				s.build(s.at[e.cell], e.arm)
			}
		}
	}
	for _, d := range s.cells() {
		for _, a := range s.freeArms(d, 0) {
			if s.chanceOf(share) && len(s.freeArms(d, 0)) > 0 {
				s.build(d, arm(a))
			}
		}
	}
}

// cards fills hands and discard piles.
func (s scatterer) cards() {
	for _, f := range s.seats {
		for range s.rng.IntN(8) {
			s.handOut(f, s.pick(s.loot))
		}
		if s.chanceOf(20) {
			s.bonus[f] = 1 + s.rng.IntN(4)
		}
	}
	if card := s.pick(s.loot); s.chanceOf(30) { // one faction has all of a kind
		for f := s.seats[s.rng.IntN(len(s.seats))]; s.loot[card] > 0; {
			s.handOut(f, card)
		}
	}
	out, away := s.rng.IntN(size(s.loot)), s.rng.IntN(100)
	if s.chanceOf(20) {
		out, away = size(s.loot), 100 // all cards are in hands
	}
	for range out {
		if card := s.pick(s.loot); s.chanceOf(away) {
			s.handOut(s.seats[s.rng.IntN(len(s.seats))], card)
		} else {
			s.loot[card]--
			s.looted[card]++
		}
	}
	if size(s.loot) == 0 {
		s.loot, s.looted = s.looted, s.loot
	}
	s.dealAlone()
	s.orders()
}

func (s scatterer) handOut(f, card string) {
	s.loot[card]--
	s.hands[f][card]++
}

// dealAlone deals agendas with which a faction wins alone.
func (s scatterer) dealAlone() {
	if !s.semi() || s.scenario.Agenda != "standard" || s.chanceOf(30) {
		return
	}
	var deck []string
	for _, a := range s.rules.agendas {
		if a.Family != "social" {
			deck = append(deck, a.Key)
		}
	}
	s.rng.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for i, f := range s.seats {
		s.agendas[f] = deck[i]
	}
}

// orders throws the police ops cards about.
func (s scatterer) orders() {
	for range s.rng.IntN(size(s.ops)) {
		card := s.pick(s.ops)
		s.ops[card]--
		if card != "metro_lockdown" || !s.lock() {
			s.opsOut[card]++
		}
	}
	for range s.rng.IntN(4) {
		if size(s.ops) > 0 && s.chanceOf(40) {
			card := s.pick(s.ops)
			s.ops[card]--
			s.revealed = append(s.revealed, card)
		}
	}
}

// lock lays the Metro Lockdown before a faction, if one can have it now (R8.9).
func (s scatterer) lock() bool {
	order, drawer := s.order(), -1
	if s.night > 1 && s.turn < len(order) && s.chanceOf(50) { // drawn in the night before
		s.metro, s.metroNight = order[s.turn+s.rng.IntN(len(order)-s.turn)], s.night-1
		return true
	}
	if s.turn > 0 {
		drawer = s.rng.IntN(s.turn)
		s.metro, s.metroNight = order[(drawer+1)%len(order)], s.night
	}
	return drawer >= 0
}

// dice makes a turn that has been going on for a while.
func (s scatterer) dice() {
	for range s.rng.IntN(8) {
		s.Game.dice = append(s.Game.dice, 1+s.rng.IntN(6))
	}
	s.extra = s.rng.IntN(15)
	f := s.order()[s.turn]
	for _, kind := range []string{"assembly_hall", "hacker_space", "propaganda_workshop", "social_center", "molotov_factory"} {
		if slices.Contains(s.kinds(f), kind) {
			s.uses[kind] = s.rng.IntN(3)
		}
	}
	s.jammers, s.trades, s.bolt = s.rng.IntN(2), s.rng.IntN(4), 2*s.rng.IntN(2)
	for _, kind := range []string{"loot", "build", "swap"} {
		s.barred[kind] = map[int]bool{}
		for _, d := range s.some(s.rng.IntN(4)) {
			s.barred[kind][d.cell] = true
		}
	}
}

// Document is the situation of Start as a JSON position to load.
func (g *Game) Document() map[string]any {
	p := g.Position()
	delete(p, "result")
	if g.turn < len(g.seats) {
		p["active"] = g.order()[g.turn]
	}
	return p
}
