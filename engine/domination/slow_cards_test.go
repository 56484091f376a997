package domination

import (
	"slices"
	"strings"
)

// uses lists the uses of D1 that a seat can make with its hand.
func (s *slowGame) uses(seat int) []string {
	var options []string
	p := s.players[seat]
	for i, name := range s.order {
		if p.hand[name] == 0 {
			continue
		}
		if len(s.builds(seat, s.areas)) > 0 {
			options = append(options, "BUILD_WITH "+name)
		}
		if len(s.targets(seat, s.areas)) > 0 {
			options = append(options, "ATTACK_WITH "+name)
		}
		if s.textWorks(seat, name, false) {
			options = append(options, "TEXT_OF "+name)
		}
		if len(s.buyable(seat)) == 0 {
			continue
		}
		options = append(options, "DISCARD1 "+name)
		others := p.hand[name] - 1
		for _, higher := range s.order[i+1:] {
			others += p.hand[higher]
		}
		if others > 0 {
			options = append(options, "DISCARD2_FIRST "+name)
		}
	}
	return options
}

// buyable lists the types that a seat can buy (R7.3).
func (s *slowGame) buyable(seat int) []string {
	var names []string
	for name, n := range s.stacks {
		if n > 0 && (s.players[seat].logistics > 1 || name != "Show of Force" && name != "Tactical Nukes") {
			names = append(names, name)
		}
	}
	return names
}

// builds lists the Areas among those given where a seat may Build (R2.5).
func (s *slowGame) builds(seat int, areas []string) []string {
	var list []string
	for _, a := range areas {
		if f, ok := s.board[a]; !ok || f.owner == seat && !f.full {
			list = append(list, a)
		}
	}
	return list
}

// targets lists the Areas among those given with a Force of an opponent.
func (s *slowGame) targets(seat int, areas []string) []string {
	var list []string
	for _, a := range areas {
		if f, ok := s.board[a]; ok && f.owner != seat {
			list = append(list, a)
		}
	}
	return list
}

func (s *slowGame) stepsIn(areas []string) int {
	n := 0
	for _, a := range areas {
		if f, ok := s.board[a]; ok {
			n += 1 + bit(f.full)
		}
	}
	return n
}

func (s *slowGame) build(seat int, a string) {
	_, there := s.board[a]
	s.board[a] = slowForce{seat, there}
}

func (s *slowGame) reduce(a string) {
	if f := s.board[a]; f.full {
		s.board[a] = slowForce{f.owner, false}
		return
	}
	delete(s.board, a)
}

// lose takes a card out of a hand and lays it on the discard pile.
func (s *slowGame) lose(seat int, name string) {
	p := s.players[seat]
	p.hand[name]--
	p.known[name] = max(0, p.known[name]-1)
	p.discard[name]++
}

// use is section 7.
func (s *slowGame) use(seat int, verb, name string) {
	s.lose(seat, name)
	everywhere := func() []string { return s.areas }
	switch verb {
	case "BUILD_WITH":
		s.points(seat, "D4", int(s.cards[name].Build), true, false, true, everywhere)
	case "ATTACK_WITH":
		s.points(seat, "D5", int(s.cards[name].Reduction), false, true, true, everywhere)
	case "TEXT_OF":
		s.text(seat, name)
	default:
		s.buy(seat, verb, name)
	}
}

func (s *slowGame) buy(seat int, verb, first string) {
	p := s.players[seat]
	if verb == "DISCARD2_FIRST" {
		var options []string
		for _, name := range s.order[slices.Index(s.order, first):] {
			if p.hand[name] > 0 {
				options = append(options, "DISCARD2_SECOND "+name)
			}
		}
		s.lose(seat, strings.TrimPrefix(s.ask(seat, "D2", options), "DISCARD2_SECOND "))
	}
	var options []string
	for _, name := range s.buyable(seat) {
		options = append(options, "BUY "+name)
	}
	name := strings.TrimPrefix(s.ask(seat, "D3", options), "BUY ")
	s.stacks[name]--
	if name == "Show of Force" || name == "Tactical Nukes" {
		p.logistics--
	}
	if verb == "DISCARD1" {
		p.discard[name]++
		return
	}
	p.hand[name]++
	p.known[name]++
}

// points spends up to n points; where names the Areas that may take one, anew before
// each.
func (s *slowGame) points(seat int, decision string, n int, builds, reduces, ordered bool, where func() []string) {
	last := 0
	for k := range n {
		var options []string
		areas := slices.DeleteFunc(slices.Clone(where()), func(a string) bool { return slices.Index(s.areas, a) < last })
		if builds {
			for _, a := range s.builds(seat, areas) {
				options = append(options, "BUILD_AT "+a)
			}
		}
		if reduces {
			for _, a := range s.targets(seat, areas) {
				options = append(options, "REDUCE_AT "+a)
			}
		}
		if options == nil {
			return
		}
		if k > 0 {
			options = append(options, "DONE")
		}
		answer := s.ask(seat, decision, options)
		if answer == "DONE" {
			return
		}
		verb, a, _ := strings.Cut(answer, " ")
		if verb == "BUILD_AT" {
			s.build(seat, a)
		} else {
			s.reduce(a)
		}
		if ordered {
			last = slices.Index(s.areas, a)
		}
	}
}

// exactly makes n Reductions among the Forces that hit tells, without DONE.
func (s *slowGame) exactly(seat int, decision string, n int, hit func(slowForce) bool) {
	last := 0
	for ; n > 0; n-- {
		var options []string
		for i := last; i < len(s.areas); i++ {
			steps := 0
			for _, a := range s.areas[i:] {
				if f, ok := s.board[a]; ok && hit(f) {
					steps += 1 + bit(f.full)
				}
			}
			if f, ok := s.board[s.areas[i]]; ok && hit(f) && steps >= n {
				options = append(options, "REDUCE_AT "+s.areas[i])
			}
		}
		a := strings.TrimPrefix(s.ask(seat, decision, options), "REDUCE_AT ")
		s.reduce(a)
		last = slices.Index(s.areas, a)
	}
}

func (s *slowGame) land() []string { return s.areas[:18] }

// near lists the Land Areas next to a Force of the seat on land, or at sea.
func (s *slowGame) near(seat int, sea bool) []string {
	var list []string
	for _, a := range s.land() {
		for _, b := range s.adjacent[a] {
			if f, ok := s.board[b]; ok && f.owner == seat && s.sea(b) == sea {
				list = append(list, a)
				break
			}
		}
	}
	return list
}

// forces counts the Forces that a seat has, full ones only if wanted.
func (s *slowGame) forces(seat int, fullOnly bool) int {
	n := 0
	for _, f := range s.board {
		n += bit(f.owner == seat && (f.full || !fullOnly))
	}
	return n
}

func (s *slowGame) opposingSteps(seat int) int { return s.stepsIn(s.targets(seat, s.areas)) }

// isolated lists the Areas of a seat's Forces without a neighbour of its own.
func (s *slowGame) isolated(seat int) []string {
	var list []string
	for a, f := range s.board {
		alone := f.owner == seat
		for _, b := range s.adjacent[a] {
			if g, ok := s.board[b]; ok && g.owner == seat {
				alone = false
			}
		}
		if alone {
			list = append(list, a)
		}
	}
	return list
}

// fullRegions lists the Regions with a Full Land Force of the seat.
func (s *slowGame) fullRegions(seat int) []int {
	var list []int
	for i, r := range s.regions {
		if slices.ContainsFunc(r, func(a string) bool { f := s.board[a]; return f.full && f.owner == seat }) {
			list = append(list, i)
		}
	}
	return list
}

var slowControl = map[string]string{
	"Agricultural Control": "Agriculture", "Petroleum Control": "Petroleum", "Communications Control": "Communications",
	"Technology Control": "Technology", "Manufacturing Control": "Manufacturing", "Ore Control": "Ore",
}

func (s *slowGame) controlled(seat int, areas []string) int {
	n := 0
	for _, a := range areas {
		f, ok := s.board[a]
		n += bit(ok && f.owner == seat)
	}
	return n
}

// textWorks reports whether the text of a card can be used (section 8).
func (s *slowGame) textWorks(seat int, name string, inScoring bool) bool {
	strong, weak := 0, 0
	landWeak := 0
	for a, f := range s.board {
		strong += bit(f.full)
		weak += bit(!f.full)
		landWeak += bit(!f.full && !s.sea(a))
	}
	mixed := func(areas []string) bool { return len(s.builds(seat, areas))+len(s.targets(seat, areas)) > 0 }
	anyOther := func(test func(int) bool) bool {
		for i := range s.n {
			if i != seat && test(i) {
				return true
			}
		}
		return false
	}
	switch name {
	case "Domination":
		return false
	case "Airborne Forces":
		return mixed(s.land())
	case "Amphibious Assault":
		return mixed(s.near(seat, true))
	case "Attack Helicopters":
		return mixed(s.near(seat, false))
	case "Carrier Task Force":
		return mixed(s.areas[18:])
	case "Bad Leadership":
		return anyOther(func(i int) bool { return s.forces(i, true) > 0 })
	case "Out of Supply":
		return anyOther(func(i int) bool { return len(s.isolated(i)) > 0 })
	case "Fog of War":
		return inScoring && anyOther(func(i int) bool {
			return !s.fogged(i) && slices.ContainsFunc(s.regions, func(r []string) bool { return s.controlsAll(i, r) })
		})
	case "Bio Weapons":
		return s.opposingSteps(seat) > 0
	case "Global Disruption":
		return s.stepsIn(s.land()) > 0
	case "Insurgents":
		return landWeak > 0
	case "Mega Storm":
		return s.forces(seat, false) > 1 || anyOther(func(i int) bool { return s.forces(i, false) > 1 })
	case "Military Base":
		return len(s.builds(seat, s.areas)) > 0
	case "Nuclear Winter":
		return weak > 0
	case "Tactical Nukes":
		return strong > 0
	case "Propaganda War":
		return len(s.fullRegions(seat)) > 0
	case "Show of Force":
		return s.forces(seat, true) > 0 && s.opposingSteps(seat) > 0
	case "Supply Depots":
		return s.forces(seat, false) > s.forces(seat, true)
	case "Surrender":
		return slices.ContainsFunc(s.fullRegions(seat), func(r int) bool { return len(s.targets(seat, s.regions[r])) > 0 })
	case "Strategic Bombers":
		return len(s.targets(seat, s.land())) > 0
	case "Attack Submarines":
		return len(s.targets(seat, s.areas[18:])) > 0
	}
	return s.controlled(seat, s.resource[slowControl[name]]) > 0
}

// text carries out the text of a card (section 8).
func (s *slowGame) text(seat int, name string) {
	p := s.players[seat]
	land := func() []string { return s.land() }
	sea := func() []string { return s.areas[18:] }
	all := func() []string { return s.areas }
	switch name {
	case "Airborne Forces":
		s.points(seat, "D6", 6, true, true, true, land)
	case "Amphibious Assault":
		s.points(seat, "D6", 10, true, true, true, func() []string { return s.near(seat, true) })
	case "Attack Helicopters":
		s.points(seat, "D6", 7, true, true, false, func() []string { return s.near(seat, false) })
	case "Carrier Task Force":
		s.points(seat, "D6", 5, true, true, true, sea)
	case "Military Base":
		s.points(seat, "D4", 14, true, false, true, all)
	case "Show of Force":
		s.points(seat, "D5", 2*s.forces(seat, true), false, true, true, all)
	case "Strategic Bombers":
		s.points(seat, "D5", 8, false, true, true, land)
	case "Attack Submarines":
		s.points(seat, "D5", 8, false, true, true, sea)
	case "Bad Leadership", "Out of Supply":
		s.hitPlayer(seat, name)
	case "Fog of War":
		p.fog = true
		p.discard[name]--
		s.stacks[name]++
	case "Bio Weapons":
		s.bio(seat)
	case "Global Disruption", "Surrender":
		s.regionByRegion(seat, name == "Surrender")
	case "Insurgents":
		s.insurgents(seat)
	case "Mega Storm":
		s.megaStorm(seat)
	case "Nuclear Winter", "Tactical Nukes", "Supply Depots":
		for a, f := range s.board {
			switch {
			case name == "Nuclear Winter" && !f.full:
				delete(s.board, a)
			case name == "Tactical Nukes", name == "Supply Depots" && f.owner == seat:
				s.board[a] = slowForce{f.owner, name == "Supply Depots"}
			}
		}
	case "Propaganda War":
		p.vp += len(s.fullRegions(seat))
	default:
		p.vp += s.controlled(seat, s.resource[slowControl[name]])
	}
}

func (s *slowGame) hitPlayer(seat int, name string) {
	var options []string
	for k := 1; k < s.n; k++ {
		i := (seat + k) % s.n
		if name == "Bad Leadership" && s.forces(i, true) > 0 || name == "Out of Supply" && len(s.isolated(i)) > 0 {
			options = append(options, "TARGET_PLAYER "+string(rune('0'+k)))
		}
	}
	answer := s.ask(seat, "D7", options)
	target := (seat + int(answer[len(answer)-1]-'0')) % s.n
	if name == "Out of Supply" {
		for _, a := range s.isolated(target) {
			delete(s.board, a)
		}
		return
	}
	for a, f := range s.board {
		if f.owner == target {
			s.board[a] = slowForce{target, false}
		}
	}
}

func (s *slowGame) bio(seat int) {
	s.exactly(seat, "D12", min(2, s.opposingSteps(seat)), func(f slowForce) bool { return f.owner != seat })
	for next := (seat + 1) % s.n; s.opposingSteps(next) >= 2; next = (next + 1) % s.n {
		if s.ask(next, "D13", []string{"ACCEPT", "DECLINE"}) == "DECLINE" {
			return
		}
		s.exactly(next, "D12", 2, func(f slowForce) bool { return f.owner != next })
	}
}

func (s *slowGame) regionByRegion(seat int, surrender bool) {
	noted := s.fullRegions(seat)
	for r, areas := range s.regions {
		var options []string
		for _, a := range areas {
			f, ok := s.board[a]
			if ok && (!surrender || f.owner != seat && slices.Contains(noted, r)) {
				options = append(options, "REMOVE_AT "+a)
			}
		}
		if options == nil {
			continue
		}
		decision := "D8"
		if surrender {
			options, decision = append(options, "DECLINE"), "D9"
		}
		if answer := s.ask(seat, decision, options); answer != "DECLINE" {
			delete(s.board, strings.TrimPrefix(answer, "REMOVE_AT "))
		}
	}
}

func (s *slowGame) insurgents(seat int) {
	last := 0
	for k := range 5 {
		var options []string
		for _, a := range s.areas[last:18] {
			if f, ok := s.board[a]; ok && !f.full {
				options = append(options, "REMOVE_AT "+a)
			}
		}
		if options == nil {
			return
		}
		if k > 0 {
			options = append(options, "DONE")
		}
		answer := s.ask(seat, "D10", options)
		if answer == "DONE" {
			return
		}
		a := strings.TrimPrefix(answer, "REMOVE_AT ")
		s.board[a] = slowForce{seat, true}
		last = slices.Index(s.areas, a)
	}
}

func (s *slowGame) megaStorm(seat int) {
	count := make([]int, s.n)
	for i := range count {
		count[i] = s.forces(i, false)
	}
	for k := range s.n {
		i := (seat + k) % s.n
		s.exactly(seat, "D11", count[i]/2, func(f slowForce) bool { return f.owner == i })
	}
}
