package minuteman

import (
	"math/rand/v2"

	"powderkeg/engine"
	"powderkeg/engine/flow"
)

type row = flow.Row[*game, Position]

// question is a row, with the legal tokens of a question to a seat.
type question struct {
	row
	offer   func(g *game, p *Position)
	hexFrom uint8 // of a chain that names a hex, how many tokens it has then; else 0
}

// newTable makes the table of the game: a row for each question of data/decisions.json,
// in its order.
func newTable() []question {
	table := []question{
		askArmy:     unlessNone("D1", "R22.1", hexIn((*game).setUpPlaces), (*game).chooseSetUp).saying((*game).saysArmy),
		askStarting: unlessNone("D2", "R25.2", hexIn((*game).setUpPlaces), (*game).chooseSetUp).saying((*game).saysStarting),
		askBrigade:  unlessNone("D3", "R29.1", hexIn((*game).setUpPlaces), (*game).chooseSetUp).saying((*game).saysBrigade),
		askMoveNet:  hexAt(0, asks("D4", "R23", (*game).offerMoveNet, (*game).chooseSetUp)).saying((*game).saysMoveNet),
		askAugment:  unlessNone("D4b", "R23", (*game).offerAugment, (*game).chooseSetUp).says("Choose a weak Network to make strong"),
		askExtra:    unlessNone("D5", "R25.2", (*game).offerExtra, (*game).chooseSetUp).saying((*game).saysExtra),
		askToggle: takes("D10", "R6.1", toggles).
			saying(saysTaking("Take a unit underground or bring one out, or stop", "goes underground or comes out")),
		askSpread:      unlessNone("D11", "R7.1", hexIn((*game).spreadPlaces), (*game).chooseSpread).saying((*game).saysSpread),
		askResult:      asks("D12", "R7.5", (*game).offerResult, (*game).chooseResult).saying((*game).saysResult),
		askRemoveRiot:  asks("D13", "R25.7", either(actYes, actNo), (*game).chooseRemoveRiot).says("Remove the Riot for the free build?"),
		askExtraRiot:   asks("D14", "R25.7", (*game).offerExtraRiot, (*game).chooseExtraRiot).says("Choose a city for an extra Riot, or none"),
		askConsole:     asks("D14b", "R25.8", hexIn((*game).consolations), (*game).console).saying((*game).saysConsole),
		askArrival:     asks("D15", "R29.4", hexIn((*game).arrivalPlaces), (*game).arrive).says("Place the Militia that arrives abroad"),
		askBuild:       takes("D16", "R7.3", builds).saying(saysTaking("Attempt a build, or stop building", "builds")),
		askCompose:     asks("D17", "R7.4", (*game).offerCompose, (*game).chooseCompose).saying((*game).saysCompose),
		askMove:        takes("D18", "R8.2", moves).saying(saysTaking("Move a unit, or stop moving", "moves")),
		askDestination: asks("D19", "R8.3", hexIn((*game).destinations), (*game).chooseDestination).saying((*game).saysDestination),
		askPassage:     asks("D20", "R8.3", (*game).offerPassage, (*game).choosePassage).saying((*game).saysPassage),
		askWindow:      interrupts("D30", "R5.2", (*game).offerWindow, (*game).chooseWindow).says("Interrupt at the start of the phase, or do nothing"),
		askReaction: interrupts("D31", "R28.10", (*game).offerReaction, (*game).chooseReaction).
			says("Assassinate a unit before the die, or do nothing"),
		askKill:      asks("D32", "R13", (*game).offerKill, (*game).chooseKill).saying((*game).saysKill),
		askAttack:    asks("D40", "R10.1", (*game).offerAttack, (*game).chooseAttack).says("Choose a kind of attack, or stop attacking"),
		askTarget:    asks("D41", "R10.3", (*game).offerTarget, (*game).chooseTarget).saying((*game).saysTarget),
		askAttackers: takes("D42", "R10.2", attacks).saying((*game).saysAttackers),
		askRuthless:  asks("D43", "R25.8", either(actYes, actNo), (*game).chooseRuthless).saying(saysOfTarget("Attack %s ruthlessly?")),
		askBetrayal: asks("D44", "R10.7", (*game).offerBetrayal, (*game).chooseBetrayal).
			saying(saysOfTarget("Choose how many Betrayal markers to show in the attack on %s")),
		askDefender: unlessNone("D45", "R10.4", (*game).offerDefender, (*game).chooseDefender).
			saying(saysOfTarget("Choose the Minuteman that defends %s")),
		askSupport: asks("D46", "R10.4", (*game).offerSupport, (*game).chooseSupport).
			saying(saysOfTarget("Choose a unit that supports the defence of %s, or stop")),
		askLoss:    hexAt(0, asks("D47", "R10.11", (*game).offerLoss, (*game).chooseLoss)).saying((*game).saysLoss),
		askRetreat: asks("D48", "R11.2", (*game).offerRetreat, (*game).chooseRetreat).saying(saysOfRetreat("Choose where the %s retreats to")),
		askRetreatZone: asks("D49", "R11.3", (*game).offerRetreatZone, (*game).chooseRetreatZone).
			saying(saysOfRetreat("Choose the Zone that the %s retreats through, or give it up")),
		askAdvance: hexAt(0, asks("D50", "R11.4", (*game).offerAdvance, (*game).chooseAdvance)).saying((*game).saysAdvance),
		askHalf:    takes("D51", "R10.12", taking{set: (*game).halfSet, take: (*game).loseHalf}).saying((*game).saysHalf),
		askReact: asks("D60", "R15", either(actReactRiots, actReactBuilds), (*game).chooseReact).
			says("React to Riots, or to the builds of the track?"),
		askReactPlace:     asks("D61", "R15", hexIn((*game).reactionPlaces), (*game).chooseReactPlace).saying((*game).saysReactPlace),
		askGovBuild:       takes("D62", "R16.2", builds).saying(saysTaking("Attempt a build with a CIG, or stop building", "builds")),
		askGovResult:      asks("D63", "R16.2", (*game).offerResult, (*game).chooseResult).saying((*game).saysResult),
		askGovMove:        takes("D64", "R17.2", governmentMoves).saying(saysTaking("Move a unit, or stop moving", "moves")),
		askMode:           asks("D65", "R17.2", (*game).offerModes, (*game).chooseMode).saying((*game).saysMode),
		askGovDestination: asks("D66", "R17.2", hexIn((*game).destinations), (*game).chooseDestination).saying((*game).saysDestination),
		askUnrest:         asks("D68", "R17.4", either(actYes, actNo), (*game).chooseUnrest).saying((*game).saysUnrest),
		askReinforce:      asks("D69", "R20.5", (*game).offerReinforce, (*game).chooseReinforce).saying((*game).saysReinforce),
		askLeave:          unlessNone("D70", "R20.2", hexIn((*game).leavePlaces), (*game).chooseLeave).saying((*game).saysLeave),
		askNegotiate:      asks("D81", "R28.5", (*game).offerProposal, (*game).choosePropose).saying((*game).saysNegotiate),
		askAnswer:         asks("D82", "R28.5", either(actAccept, actReject), (*game).chooseAnswer).saying((*game).saysAnswer),
		askUnfederalize: asks("D83", "R28.6", either(actUnfederalize, actDone), (*game).chooseUnfederalize).
			says("Leave the Government, or stay with it"),

		askDivision:        draws("C1", "R22.1"),
		askSetupChit:       lot("C2", "R22.1", outChit, 10, (*game).chitWeight, (*game).setUpChit),
		askConvert:         die("C3", "R27.1", (*game).convert),
		askMarker:          {row: row{Name: "C4", Rule: "R14.3", Do: (*game).markerDrawn, Odds: flow.Each(outMarker, int(numMarkers), markersLeft)}},
		askSpreadDie:       die("C5", "R7.1", (*game).spreadDie),
		askBuildDie:        die("C6", "R7.4", (*game).buildRoll),
		askMilitia:         draws("C7", "R19"),
		askMoveDie:         die("C8", "R8.3", (*game).moveDie),
		askCombatDie:       die("C9", "R10.9", (*game).combatRoll),
		askBetrayalDie:     die("C10", "R10.7", (*game).betrayalRoll),
		askKillDie:         die("C11", "R13", (*game).murder),
		askChit:            lot("C12", "R14.1", outChit, 10, (*game).eventChitWeight, (*game).chitDrawn),
		askReactDie:        die("C13", "R15", (*game).reactRoll),
		askPinDie:          die("C14", "R18", (*game).pinDie),
		askRevDie:          die("C15", "R20.3", (*game).revolutionDie),
		askForeignDie:      lot("C16", "R30", outDie, 6, (*game).foreignWeight, (*game).foreignRoll),
		askForeignDivision: draws("C17", "R30"),
		askAirDie:          die("C18", "R26.6", (*game).airRoll),
		askCIGDie:          die("C19", "R16.1", (*game).raiseDie),
		askOrderDie:        die("C20", "R28.2", (*game).orderDie),
		askTie:             lot("C21", "R28.2", outSeat, maxSeats, tieWeight, (*game).lotFalls),
		askStepDie:         die("C22", "R26.1", (*game).stepDie),
		askNothing:         {},
	}
	for i, name := range eventNames {
		table[int(numDecisions)+i].Says = flow.Say[*game, Position]("Chance: " + name)
	}
	return table
}

// Table implements flow.Rules.
func (g *game) Table() []row { return g.table }

// Kinds implements flow.Rules.
func (g *game) Kinds() *flow.Kinds { return g.kinds }

// Next implements flow.Rules: it carries out the next thing, or puts the question that
// comes.
func (g *game) Next(p *Position, w *flow.Witness) bool {
	if !g.advance(p, w) {
		return false
	}
	ask := g.table[p.Ask].Ask
	return ask == nil || ask(g, p, w)
}

// Waits implements flow.Rules and R5.4: the game waits for a decision with two options
// at least. One without any, of a position that no play leads to, is refused by Load.
func (g *game) Waits(p *Position) bool { return !p.Choices().Single() }

type (
	offering = func(g *game, p *Position)
	doing    = func(g *game, p *Position, w *flow.Witness, a engine.Action)
)

// noAction is chosen where nothing is legal and a question has no answer.
const noAction = engine.Action(-1)

// asks makes the row of a question to a seat: its legal tokens, and what one does.
func asks(name, rule string, offer offering, do doing) question {
	return question{offer: offer, row: row{Name: name, Rule: rule, Do: do, Ask: func(g *game, p *Position, _ *flow.Witness) bool {
		p.Choices().Clear()
		offer(g, p)
		return true
	}}}
}

// either offers two verbs.
func either(a, b int) offering {
	return func(_ *game, p *Position) {
		p.allow(a)
		p.allow(b)
	}
}

// hexIn offers the hexes that a rule finds.
func hexIn(find func(g *game, p *Position) hexSet) offering {
	return func(g *game, p *Position) {
		set := find(g, p)
		p.allowHexes(&set)
	}
}

// unlessNone makes the row of a question that may have no answer: the column "no legal
// option" of data/decisions.json says what happens then.
func unlessNone(name, rule string, offer offering, do doing) question {
	r := asks(name, rule, offer, do)
	put := r.Ask
	r.Ask = func(g *game, p *Position, w *flow.Witness) bool {
		if put(g, p, w); p.Choices().Size() > 0 {
			return true
		}
		if w != nil {
			w.All("impossible", rule, flow.Arg("seat", int(p.Actor)), flow.Arg("decision", name))
		}
		do(g, p, w, noAction)
		return false
	}
	return r
}

// interrupts makes the row of an offer to interrupt. Who has nothing to interrupt with is
// not asked, and it is not told.
func interrupts(name, rule string, offer offering, do doing) question {
	r := asks(name, rule, offer, do)
	put := r.Ask
	r.Ask = func(g *game, p *Position, w *flow.Witness) bool {
		if put(g, p, w); !p.Choices().Single() {
			return true
		}
		do(g, p, w, actDone)
		return false
	}
	return r
}

// die makes the row of a die.
func die(name, rule string, roll func(g *game, p *Position, w *flow.Witness, die int)) question {
	return question{row: row{Name: name, Rule: rule, Odds: flow.Die[*game, Position](outDie, 6),
		Do: told(func(g *game, p *Position, w *flow.Witness, a engine.Action) {
			roll(g, p, w, int(a)+1)
		})}}
}

// lot makes the row of a chance event with n outcomes from first on. A certain one is
// carried out unasked.
func lot(name, rule string, first engine.Action, n int, weight func(g *game, p *Position, i int) uint32,
	do func(g *game, p *Position, w *flow.Witness, i int)) question {
	r := row{Name: name, Rule: rule, Odds: flow.Each(first, n, weight), Do: told(func(g *game, p *Position, w *flow.Witness, a engine.Action) {
		do(g, p, w, int(a-first))
	})}
	r.Ask = func(g *game, p *Position, w *flow.Witness) bool {
		possible, last := 0, 0
		for i := range n {
			if weight(g, p, i) > 0 {
				possible, last = possible+1, i
			}
		}
		if possible == 1 {
			r.Do(g, p, w, first+engine.Action(last))
		}
		return possible != 1
	}
	return question{row: r}
}

// told tells of a die, a chit or a lot that all see before it takes effect.
func told(do doing) doing {
	return func(g *game, p *Position, w *flow.Witness, a engine.Action) {
		if w != nil {
			g.tellChance(p, w, a)
		}
		do(g, p, w, a)
	}
}

// draws makes the row of a counter that is drawn unseen (C1, C7, C17).
func draws(name, rule string) question {
	return question{row: row{
		Name: name, Rule: rule, Do: (*game).drawn,
		Odds: &flow.Odds[*game, Position]{
			List: func(g *game, p *Position, dst []engine.Outcome) []engine.Outcome {
				for i, set := range g.drawable(p) {
					for ; set != 0; set &= set - 1 {
						dst = append(dst, engine.Outcome{Action: outCounter + engine.Action(i<<6+trailing(set)), Weight: 1})
					}
				}
				return dst
			},
			Weight: func(g *game, p *Position, a engine.Action) uint32 {
				set := g.drawable(p)
				return b2u(a >= outCounter && a < outCounter+numMasked && set.has(CounterID(a-outCounter)))
			},
			Draw: func(g *game, p *Position, rng *rand.PCG) engine.Action {
				set := g.drawable(p)
				return outCounter + flow.Set(set[:]).Any(rng)
			},
		},
		Ask: func(g *game, p *Position, w *flow.Witness) bool {
			set := g.drawable(p)
			if set.count() == 1 {
				g.drawn(p, w, outCounter+engine.Action(set.first()))
				return false
			}
			return true
		},
	}}
}

// Shows implements flow.Rules. Which counter is drawn is known to nobody (R19), which
// special marker to the one who draws it; all else is open.
func (g *game) Shows(p *Position, seat engine.Player, _ engine.Action) bool {
	if p.Actor != engine.Chance {
		return true
	}
	return !isDraw(p.Ask) && (p.Ask != askMarker || seat == engine.Player(p.Seat))
}

func isDraw(q ask) bool { return q == askDivision || q == askMilitia || q == askForeignDivision }

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
