package minuteman

import "powderkeg/engine/flow"

// offer writes the legal tokens of the question at rest into p.legal. The column
// "legal if" of data/decisions.json is carried out here and in the files of the
// chapters.
func (g *game) offer(p *position) {
	switch p.ask {
	case askArmy, askStarting, askBrigade, askMoveNet, askAugment, askExtra:
		g.offerSetUp(p)
	case askToggle:
		g.offerToggle(p)
	case askSpread, askExtraRiot, askArrival, askConsole:
		set := g.placesFor(p)
		p.allowHexes(&set)
		p.allowIf(p.ask == askExtraRiot, actDone)
	case askResult, askGovResult:
		g.offerResult(p)
	case askRemoveRiot, askRuthless, askUnrest:
		p.allow(actYes)
		p.allow(actNo)
	case askBuild, askGovBuild:
		g.offerBuild(p)
	case askCompose:
		g.offerCompose(p)
	case askMove, askGovMove:
		g.offerMove(p)
	case askDestination, askGovDestination:
		set := g.destinations(p)
		p.allowHexes(&set)
	case askMode:
		g.offerModes(p)
	case askPassage:
		p.allowAmounts(0, int(p.hand[p.actor][passage]))
	case askWindow:
		g.offerWindow(p)
	case askReaction:
		p.allowIf(g.canKill(p, uint8(p.actor)), actAssassinate)
		p.allow(actDone)
	case askKill:
		g.offerKill(p)
	case askAttack, askTarget, askAttackers, askBetrayal:
		g.offerAttack(p)
	case askDefender, askSupport, askLoss, askHalf:
		g.offerDefence(p)
	case askRetreat, askRetreatZone, askAdvance:
		g.offerRetreat(p)
	case askReact:
		p.allow(actReactRiots)
		p.allow(actReactBuilds)
	case askReactPlace:
		set := g.reactionPlaces(p)
		p.allowHexes(&set)
	case askReinforce:
		set := g.reinforcementPlaces(p, uint8(p.actor))
		p.allowHexes(&set)
		p.allow(actDone)
	case askLeave:
		set := g.leavePlaces(p)
		p.allowHexes(&set)
	case askNegotiate, askAnswer, askUnfederalize:
		g.offerNegotiation(p)
	default:
		panic("minuteman: nothing to offer")
	}
}

// allowAmounts offers the amounts from low to high, as far as there are tokens.
func (p *position) allowAmounts(low, high int) {
	for n := low; n <= min(high, maxAmount); n++ {
		p.allow(actAmount + n)
	}
}

// offerWindow offers the options of D30.
func (g *game) offerWindow(p *position) {
	seat := uint8(p.actor)
	p.allowIf(g.mayDeclare(p, seat), actRevolution)
	p.allowIf(g.canKill(p, seat), actAssassinate)
	p.allowIf(g.mayCallForeign(p, seat), actForeign)
	p.allow(actDone)
}

// choose carries out a legal token, or noAction where nothing was legal. What
// follows from it is left to settle.
func (g *game) choose(p *position, w *flow.Witness, a int) {
	if w != nil {
		g.tellMove(p, w, a)
	}
	switch p.ask {
	case askArmy, askStarting, askBrigade, askMoveNet, askAugment, askExtra:
		g.chooseSetUp(p, w, a)
	case askToggle:
		g.chooseToggle(p, w, a)
	case askSpread, askExtraRiot, askArrival, askConsole:
		g.choosePlace(p, w, a)
	case askResult, askGovResult:
		g.chooseResult(p, w, a)
	case askRemoveRiot:
		g.chooseRemoveRiot(p, w, a)
	case askBuild, askGovBuild:
		g.chooseBuild(p, a)
	case askCompose:
		g.chooseCompose(p, a)
	case askMove, askGovMove:
		g.chooseMove(p, w, a)
	case askDestination, askGovDestination:
		g.chooseDestination(p, w, a)
	case askMode:
		g.chooseMode(p, a)
	case askPassage:
		g.choosePassage(p, a)
	case askWindow:
		g.chooseWindow(p, w, a)
	case askReaction:
		g.chooseReaction(p, a)
	case askKill:
		g.chooseKill(p, w, a)
	case askAttack, askTarget, askAttackers, askRuthless, askBetrayal:
		g.chooseAttack(p, w, a)
	case askDefender, askSupport, askLoss, askHalf:
		g.chooseDefence(p, w, a)
	case askRetreat, askRetreatZone, askAdvance:
		g.chooseRetreat(p, w, a)
	case askReact:
		g.chooseReact(p, a)
	case askReactPlace:
		g.chooseReactPlace(p, w, a)
	case askUnrest:
		g.chooseUnrest(p, w, a)
	case askReinforce:
		g.chooseReinforce(p, a)
	case askLeave:
		g.chooseLeave(p, w, a)
	case askNegotiate, askAnswer, askUnfederalize:
		g.chooseNegotiation(p, w, a)
	default:
		panic("minuteman: a choice where none is asked")
	}
}

// chooseReaction carries out D31: an assassination, or the next seat is asked.
func (g *game) chooseReaction(p *position, a int) {
	switch {
	case a == actAssassinate:
		g.startKill(p)
	case p.combat.stage != combatNone:
		p.combat.react++
	default:
		p.build.react++
	}
}

// reactor implements R5 D31 and R28.10: the i-th seat that is asked when seat acts
// against target (noSeat if the act has no victim), noSeat when all have been.
func (g *game) reactor(p *position, seat, target, i uint8) uint8 {
	var list [maxSeats]uint8
	n := uint8(0)
	switch {
	case p.team(seat) == 0:
		for s := g.nextRebel(p, 0); s != noSeat; s = g.nextRebel(p, s+1) {
			list[n] = s
			n++
		}
	default:
		if target != noSeat && target != p.gov && target != seat {
			list[n] = target
			n++
		}
		list[n] = p.gov
		n++
	}
	if i >= n {
		return noSeat
	}
	return list[i]
}
