package reference

import "slices"

var attackVerbs = []string{"ATTACK_DEFEAT", "ATTACK_KICK", "ATTACK_VAN"}

// canAttack reports whether an attack is legal in a district (R5.2).
func (g *Game) canAttack(f, verb string, d *district) bool {
	if !d.police() || d.blocs[f]-d.attacked[f] <= 0 || !g.hasDie(d.difficulty()) {
		return false
	}
	switch verb {
	case "ATTACK_DEFEAT":
		return d.cops >= 1
	case "ATTACK_KICK":
		return d.cops >= 1 && len(g.ways(d)) > 0
	}
	return d.van >= 0
}

// ways lists the arms with a connection (D13).
func (g *Game) ways(d *district) (list []string) {
	for arm, c := range d.arms {
		if c != nil {
			list = append(list, "ARM_"+armNames[arm])
		}
	}
	return list
}

func (g *Game) attackCells(f, verb string) (list []*district) {
	for _, d := range g.cells() {
		if g.canAttack(f, verb, d) {
			list = append(list, d)
		}
	}
	return list
}

// attacks implements R7.5: a series of attacks in one clash.
func (g *Game) attacks(f, verb string) {
	d := g.where(g.ask("D11", f, names(g.attackCells(f, verb))))
	for n := 1; verb != "DONE"; n++ {
		g.markIf(n == 2, "R7.5 series")
		g.pending = nothing
		g.pending.verb, g.pending.who, g.pending.cell = verb, f, d.cell
		g.attack(f, verb, d)
		options := []string{}
		for _, v := range attackVerbs {
			if g.canAttack(f, v, d) {
				options = append(options, v)
			}
		}
		verb = "DONE"
		if len(options) > 0 {
			verb = g.ask("D14", f, append(options, "DONE"))
		}
	}
	g.reaction(f, d)
}

// attack implements R7.1 to R7.4.
func (g *Game) attack(f, verb string, d *district) {
	bonus := g.molotovs(f, verb, d)
	g.pending.bonus = 0
	g.spend(d.difficulty())
	d.attacked[f]++
	switch verb {
	case "ATTACK_DEFEAT": // R7.2
		g.withdraw(min(1+bonus, d.cops), d)
	case "ATTACK_KICK": // R7.3
		g.pending.kicks = 2 + bonus
		way := arm(g.ask("D13", f, g.ways(d)))
		g.markIf(d.cops == 1, "Ruling 9")
		g.kickOut(d, way)
	case "ATTACK_VAN": // R7.4
		g.markIf(d.van > 0, "R7.4 damaged")
		d.van += 1 + bonus
		if d.van >= 3 {
			g.destroy(d)
		}
	}
	g.settle()
}

// destroy takes the van of a district out of the game (R7.4).
func (g *Game) destroy(d *district) {
	g.mark("R7.4 destroyed")
	d.van = -1
	g.destroyed++
	g.settle()
}

// kickOut drives as many cops as are to move out over a connection (R7.3).
func (g *Game) kickOut(d *district, way int) {
	n := min(g.pending.kicks, d.cops)
	g.pending.kicks = 0
	c := d.arms[way]
	g.markIf(c.barricades() > 0, "R7.3 barricades")
	to := g.at[c.other(d.cell)]
	d.cops -= n
	to.cops += n
	g.dismantle(c)
	g.settle()
}

// boosts are the actions of D12 in their order (R13.4).
var boosts = []struct {
	action, card string
	factory      bool
	strength     int
}{
	{"CARD_MOLOTOVS_2_FACTORY", "molotovs_2", true, 4},
	{"CARD_MOLOTOVS_1_FACTORY", "molotovs_1", true, 3},
	{"CARD_MOLOTOVS_2", "molotovs_2", false, 2},
	{"CARD_MOLOTOVS_1", "molotovs_1", false, 1},
}

// matters reports whether a greater bonus has an effect (R7.1).
func matters(verb string, bonus int, d *district) bool {
	switch verb {
	case "ATTACK_DEFEAT":
		return 1+bonus < d.cops
	case "ATTACK_KICK":
		return 2+bonus < d.cops
	}
	return 1+bonus < 3-d.van
}

// molotovs implements R7.1 (D12) and returns the bonus.
func (g *Game) molotovs(f, verb string, d *district) (bonus int) {
	last := 0
	for matters(verb, bonus, d) {
		options := []string{}
		for i, b := range boosts {
			if i < last || g.hands[f][b.card] == 0 || b.factory && !g.usesLeft(f, "molotov_factory") {
				continue
			}
			if last == 1 && b.action == "CARD_MOLOTOVS_2" {
				g.mark("R13.4 no plain +2")
				continue // the +2 card with the Factory and this +1 card would be the same
			}
			options = append(options, b.action)
		}
		if len(options) == 0 {
			break
		}
		answer := g.ask("D12", f, append(options, "DONE"))
		if answer == "DONE" {
			break
		}
		g.markIf(bonus > 0, "R7.1 a second card")
		for i, b := range boosts {
			if b.action == answer {
				last = i
				bonus += b.strength
				if b.factory {
					g.uses["molotov_factory"]++
				}
				g.play(f, b.card)
			}
		}
		g.pending.bonus = bonus
	}
	return bonus
}

// playable lists the cards of D17 (R11.3).
func (g *Game) playable(f string) (list []string) {
	for _, c := range g.rules.loot {
		if g.hands[f][c.Key] > 0 && c.Window == "turn" && g.canPlay(f, c.Key) {
			list = append(list, cardName(c.Key))
		}
	}
	return list
}

func (g *Game) canPlay(f, card string) bool {
	switch card {
	case "bikes":
		return len(g.sources(f, false)) > 0
	case "smoke_bombs":
		return len(g.sources(f, true)) > 0
	case "bolt_cutters":
		return g.bolt == 0 && len(g.dice) > 0
	case "energy_drinks":
		return len(g.dice) < 7 && g.extra < 14
	case "megaphone":
		return g.onMat(f) > 0 && len(g.cardCells(f, card)) > 0
	case "signal_jammer":
		return g.jammers < g.rules.opsCards[g.morale]
	}
	return len(g.cardCells(f, card)) > 0
}

// cardCells lists the cells of D18 (R11.3).
func (g *Game) cardCells(f, card string) (list []*district) {
	for _, d := range g.cells() {
		fits := false
		switch card {
		case "fireworks":
			fits = d.cops >= 1 && len(g.ways(d)) > 0
		case "megaphone":
			fits = !d.police()
		case "lumber":
			fits = !d.police() && len(g.freeArms(d, 0)) > 0
		}
		if fits && d.blocs[f] > 0 {
			list = append(list, d)
		}
	}
	return list
}

// playCard implements D17 and the cards of window turn (R11.3).
func (g *Game) playCard(f string) {
	card := key(g.ask("D17", f, g.playable(f)))
	g.play(f, card)
	g.pending.program = card
	switch card {
	case "bikes":
		g.move(f, false)
	case "smoke_bombs":
		g.move(f, true)
	case "bolt_cutters":
		g.bolt = 2
	case "energy_drinks":
		g.extraDice(1)
	case "signal_jammer":
		g.jammers++
	default:
		d := g.where(g.ask("D18", f, names(g.cardCells(f, card))))
		g.pending.cell = d.cell
		switch card {
		case "fireworks":
			g.pending.kicks = 3
			way := arm(g.ask("D13", f, g.ways(d)))
			g.kickOut(d, way)
			g.reaction(f, d)
		case "megaphone":
			g.form(f, 1, d)
		case "lumber":
			g.placeBarricades("D7", f, d, 2, 1)
		}
	}
}

// partners lists the factions of D19 (R5.9).
func (g *Game) partners(f string) (list []string) {
	for _, other := range g.seats {
		common := slices.ContainsFunc(g.cells(), func(d *district) bool { return d.blocs[f] > 0 && d.blocs[other] > 0 })
		if other != f && common && size(g.hands[f])+size(g.hands[other]) > 0 {
			list = append(list, other)
		}
	}
	return list
}
