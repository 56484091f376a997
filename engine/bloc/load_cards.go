package bloc

import (
	"maps"
	"slices"

	"powderkeg/engine"
)

// readHands reads hands and what players know of them.
func (r *reader) readHands() {
	p := &r.p
	for _, key := range slices.Sorted(maps.Keys(r.doc.Hands)) {
		f := r.faction("hands", &key)
		if r.err != nil {
			return
		}
		for _, card := range r.doc.Hands[key] {
			var words []string
			for i := range r.g.box.loot {
				words = append(words, r.lootKey(i))
			}
			t := r.name("hands of "+key, card, words)
			if p.handSize[f] == numLootCards {
				r.fail("hands of %s: more than %d cards (R1.1)", key, numLootCards)
			}
			if r.err != nil {
				return
			}
			p.hand[f][t]++
			p.handSize[f]++
		}
	}
	if r.doc.Known != nil && len(r.doc.Known) != int(r.g.players) {
		r.fail("known has %d entries, there are %d players", len(r.doc.Known), r.g.players)
		return
	}
	for v, known := range r.doc.Known {
		for _, key := range slices.Sorted(maps.Keys(known)) {
			f := r.faction("known", &key)
			if r.err != nil {
				return
			}
			r.counted("known", known[key], p.known[v][f][:], r.lootKey)
		}
	}
}

// readLoot reads the loot deck; left out, it is all cards that are nowhere else.
func (r *reader) readLoot() {
	p, d := &r.p, &r.doc
	r.counted("loot_discard", d.LootDiscard, p.discard[:], r.lootKey)
	r.counted("drawn", d.Drawn, p.drawn[:], r.lootKey)
	p.drawnSize = sum(p.drawn[:])
	p.deck = [numLoot]uint8{}
	if d.LootDeck != nil {
		r.counted("loot_deck", d.LootDeck, p.deck[:], r.lootKey)
	} else {
		for t := range p.deck {
			used := p.discard[t] + p.drawn[t]
			for f := range p.hand {
				used += p.hand[f][t]
			}
			if used > r.g.box.loot[t].Copies {
				r.fail("there are %d cards %s, the position has %d (R11.3)", r.g.box.loot[t].Copies, r.lootKey(t), used)
				return
			}
			p.deck[t] = r.g.box.loot[t].Copies - used
		}
	}
	p.deckSize = sum(p.deck[:])
}

// readOps reads the police ops and manifestation cards.
func (r *reader) readOps() {
	p, d, g := &r.p, &r.doc, r.g
	r.counted("ops_discard", d.OpsDiscard, p.opsDiscard[:], r.opsKey)
	if len(d.OpsRevealed) > maxPrefix {
		r.fail("ops_revealed has %d cards, the deck has %d (R11.5)", len(d.OpsRevealed), maxPrefix)
		return
	}
	var words []string
	for i := range g.box.ops {
		words = append(words, r.opsKey(i))
	}
	for _, key := range d.OpsRevealed {
		p.prefix[p.prefixSize] = r.name("ops_revealed", key, words)
		p.prefixSize++
	}
	if d.OpsDeck != nil {
		p.ops = [numOps]uint8{}
		r.counted("ops_deck", d.OpsDeck, p.ops[:], r.opsKey)
	} else {
		used := p.opsDiscard
		for _, i := range p.prefix[:p.prefixSize] {
			used[i]++
		}
		if p.lockdown != noFaction {
			used[g.box.lockdown]++
		}
		p.ops = g.opsDeck()
		for i := range p.ops {
			if used[i] > p.ops[i] {
				r.fail("there are %d cards %s, the position has %d (R2.6, R11.5)", p.ops[i], words[i], used[i])
				return
			}
			p.ops[i] -= used[i]
		}
	}
	if d.Manifestation != nil {
		p.manifest = [numManifest]uint8{}
		r.counted("manifestations", d.Manifestation, p.manifest[:], r.manifestKey)
	}
	p.revealed = r.number("revealed_total", d.RevealedTotal, 0, maxRevealed)
}

// readAgendas reads the agenda cards (R2.9).
func (r *reader) readAgendas() {
	var words []string
	for i := range r.g.box.agendas {
		words = append(words, r.g.box.agendas[i].Key)
	}
	for _, key := range slices.Sorted(maps.Keys(r.doc.Agendas)) {
		f := r.faction("agendas", &key)
		if r.err == nil {
			r.p.agenda[f] = r.name("agendas", r.doc.Agendas[key], words)
		}
	}
	r.byFaction("bonus_dice", r.doc.BonusDice, maxBonus, func(f, n uint8) { r.p.bonusDice[f] = n })
}

// readTurn reads the counters of the turn.
func (r *reader) readTurn() {
	p, d, b := &r.p, &r.doc, r.g.box
	if len(d.Dice) > int(b.limits.Dice) {
		r.fail("dice has %d dice, at most %d lie unspent (R1.2)", len(d.Dice), b.limits.Dice)
		return
	}
	for _, v := range d.Dice {
		p.dice[r.number("dice", v, 1, sides)-1]++
	}
	p.extraDice = r.number("extra_dice", d.ExtraDice, 0, int(r.g.maxExtraDice()))
	words := useNames[:]
	for _, key := range slices.Sorted(maps.Keys(d.Uses)) {
		p.uses[r.name("uses", key, words)] = r.number("uses "+key, d.Uses[key], 0, 2)
	}
	p.bolt = r.number("bolt_cutters", d.BoltCutters, 0, 2)
	p.jammers = r.number("jammers", d.Jammers, 0, maxJammers)
	p.trades = r.number("trades", d.Trades, 0, maxTrades)
	for _, key := range slices.Sorted(maps.Keys(d.Barred)) {
		kind := r.name("barred", key, barNames[:])
		for _, c := range d.Barred[key] {
			p.barred[kind] |= at(r.number("barred "+key, c, 0, numCells-1))
		}
	}
}

// readPending reads what is under way. Left out in the Police Ops step, as many cards
// are due as the morale says.
func (r *reader) readPending() {
	p, d := &r.p, r.doc.Pending
	if d == nil {
		p.now = clearPending
		if p.step == drawOps && r.err == nil {
			r.g.endActions(p, nil)
		}
		return
	}
	n := &p.now
	*n = clearPending
	p.who = r.faction("pending: who", d.Who)
	if d.Verb != nil {
		n.verb = verb(r.name("pending: verb", *d.Verb, r.g.box.actions[actVerb:]))
	}
	if d.Program != nil {
		var words []string
		for i := range firstManifest + numManifest {
			words = append(words, r.g.programName(i))
		}
		n.program = program(r.name("pending: program", *d.Program, words))
	}
	small := func(name string, x int) uint8 { return r.number("pending: "+name, x, 0, 30) }
	n.counter, n.count, n.left, n.keep = small("counter", d.Counter), small("count", d.Count), small("left", d.Left), small("keep", d.Keep)
	n.last, n.bonus, n.roll, n.order = small("last", d.Last), small("bonus", d.Bonus), small("roll", d.Roll), small("order", d.Order)
	n.scan, n.enough, n.basic = small("scan", d.Scan), d.Enough, d.Basic
	n.cell, n.from = r.cell("pending: cell", d.Cell), r.cell("pending: from", d.From)
	if d.Occupation != nil {
		if p.who == noFaction {
			r.fail("pending: an occupation needs who")
			return
		}
		n.occ = r.kind("pending: occupation", *d.Occupation, p.who)
	}
	n.decider, n.chooser = r.faction("pending: decider", d.Decider), r.faction("pending: chooser", d.Chooser)
	n.partner = r.faction("pending: partner", d.Partner)
	for _, key := range d.Liberating {
		if f := r.faction("pending: liberating", &key); f != noFaction {
			n.liberating |= 1 << f
		}
	}
	r.byFaction("pending: lost", d.Lost, blocsEach, func(f, k uint8) { n.lost[f] = k })
	n.give, n.want = r.offer("give", d.Give), r.offer("want", d.Want)
	if p.step == barricadeArm && p.manifesting() { // the two have one name
		p.step = manifestArm
	}
}

// offer reads an offer of a trade.
func (r *reader) offer(field string, name *string) uint8 {
	if name == nil {
		return 0
	}
	i := int(r.name("pending: "+field, *name, r.g.box.actions))
	if i < actCard || i > actNothing || i >= actFactory && i < actAny {
		r.fail("pending: %s %q is no offer", field, *name)
		return 0
	}
	return offerOf(engine.Action(i))
}

// readResult reads how a game ended, and checks the phase.
func (r *reader) readResult() {
	p, d := &r.p, &r.doc
	if d.Result != nil {
		p.ending = ending(r.name("result: by", d.Result.By, endingNames[:]))
		for _, key := range d.Result.Winners {
			if f := r.faction("result: winners", &key); f != noFaction {
				p.winners |= 1 << f
			}
		}
	}
	if d.Phase != nil && r.named && r.err == nil && phaseNames[p.phaseOf()] != *d.Phase {
		r.fail("phase is %s, but step %s is in %s", *d.Phase, stages[p.step].name, phaseNames[p.phaseOf()])
	}
}
