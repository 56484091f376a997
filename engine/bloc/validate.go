package bloc

import (
	"fmt"
	"maps"
	"slices"

	"powderkeg/engine"
)

// check demands every limit of the rules. Lenient positions may lack cards, cops,
// vans and barricades; nothing else may be missing.
func (g *game) check(p *position, how engine.Strictness) error {
	for _, test := range []func(*position, engine.Strictness) error{
		g.checkBoard, g.checkClock, g.checkFactions, g.checkPieces, g.checkSums, g.checkLoot, g.checkOps, g.checkAgendas, g.checkTurn, g.checkGrowth, g.checkPending, g.checkShown,
	} {
		if err := test(p, how); err != nil {
			return err
		}
	}
	return nil
}

// The most that counts can come to from any position that is read: Gas Masks are played
// while fewer attacks are void than there are cops, Sound Systems while a district falls
// short, Signal Jammers while an ops card is left. Bonus dice and cards shown grow with
// the manifestations that are left (checkGrowth).
const (
	maxCancelled = 31
	maxBoost     = 13
	maxJammers   = 3
	maxBonus     = 26
	maxRevealed  = maxPrefix + 15
)

// checkGrowth demands that the manifestations that are left cannot lead counts out of
// their limits (R11.4).
func (g *game) checkGrowth(p *position, _ engine.Strictness) error {
	yet := func(o op) (n uint8) {
		for i, left := range p.manifest {
			for _, e := range g.box.manifest[i].Effects {
				if e.Op == o {
					n += left * slices.Max(slices.Collect(maps.Values(g.box.manifest[i].Table)))
				}
			}
		}
		return n
	}
	if n := p.revealed + yet(opRevealOps); n > maxRevealed {
		return fmt.Errorf("revealed_total is %d, and %d more can follow (R11.4)", p.revealed, n-p.revealed)
	}
	for f, n := range p.bonusDice {
		if yet := yet(opBonusDice); n+yet > maxBonus {
			return fmt.Errorf("bonus_dice of the %s are %d, and %d more can follow (R11.4)", typeNames[f], n, yet)
		}
	}
	return nil
}

// checkBoard demands a city that fits the scenario (R2.2, R10.2), or one that is being
// drawn.
func (g *game) checkBoard(p *position, _ engine.Strictness) error {
	if p.step != layTile && p.step != turnTile {
		if p.redraws != 0 {
			return fmt.Errorf("redraws is %d, but the city is drawn (R2.2)", p.redraws)
		}
		if err := g.checkTiles(p); err != nil {
			return fmt.Errorf("city: %w", err)
		}
		var q position
		q.tile, q.rotation = p.tile, p.rotation
		g.box.survey(&q)
		if q.links != p.links || q.near != p.near || q.over != p.over || q.highways != p.highways || q.districts != p.districts ||
			q.metro != p.metro || q.ofType != p.ofType || q.byID != p.byID {
			return fmt.Errorf("connections disagree with the tiles (R3.3)")
		}
		return nil
	}
	if g.start.step != layTile {
		return fmt.Errorf("step %s: the city of this game is given (R2.2)", stages[p.step].name)
	}
	k := int(p.now.scan)
	if p.step == turnTile {
		k++
	}
	if k > numCells || p.districts != 0 {
		return fmt.Errorf("step %s: the city is whole (R2.2)", stages[p.step].name)
	}
	var seen tileSet
	for i, c := range g.box.zigzag {
		t := p.tile[c]
		if (t != noTile) != (i < k) {
			return fmt.Errorf("city: the zigzag has %d tiles, cell %d disagrees (R2.2)", k, c)
		}
		if t == noTile {
			continue
		}
		var pile tileSet
		for _, x := range g.piles[i%3] {
			pile |= at(x)
		}
		if seen.has(t) || !pile.has(t) {
			return fmt.Errorf("city: %s cannot lie in cell %d (R2.2)", g.box.tiles[t].Key, c)
		}
		seen |= at(t)
	}
	return nil
}

// checkClock demands a turn that the phase has (R4.1, R9.7).
func (g *game) checkClock(p *position, _ engine.Strictness) error {
	ph := stages[p.step].phase
	dealt := p.undealt()
	switch {
	case ph == inSetUp:
		if p.firstSeat != noSeat || p.night != 0 || p.turn != 0 || p.ending != undecided {
			return fmt.Errorf("step %s: the first faction is drawn at the end of the set-up (R2.11)", stages[p.step].name)
		}
		if p.nightsLeft != g.setUp.Nights {
			return fmt.Errorf("nights_left is %d, the set-up has %d (R2.3)", p.nightsLeft, g.setUp.Nights)
		}
		if p.step < dealFactions && dealt != 0 || p.step > dealFactions && dealt != g.factions {
			return fmt.Errorf("step %s: %d factions are dealt (R2.7)", stages[p.step].name, dealt)
		}
		return nil
	case dealt != g.factions || p.firstSeat >= g.factions:
		return fmt.Errorf("%d factions are dealt (R2.7)", dealt)
	case p.ending == undecided && (p.nightsLeft == 0 || p.night+p.nightsLeft > 9) || p.night == 0:
		return fmt.Errorf("night %d with %d nights left: a game has at most 8 (R2.3)", p.night, p.nightsLeft)
	case (p.ending != undecided) != (p.step == over):
		return fmt.Errorf("step %s: a result ends the game (R10.1)", stages[p.step].name)
	case p.ending == undecided && p.winners != 0 || (p.ending == noBlocs || p.ending == timeOut) && p.winners != 0:
		return fmt.Errorf("winners of a game that nobody won (R10.1)")
	case p.ending == winAlone && (p.winners == 0 || p.winners&(p.winners-1) != 0 || g.mode == cooperative):
		return fmt.Errorf("result win_alone has one winner (R10.1)")
	case p.ending == succeeded && g.mode == cooperative && p.winners != g.everybody(p):
		return fmt.Errorf("a cooperative game is won by all (R10.1)")
	}
	inTurn := ph >= inDice && ph <= inOps && !p.manifesting()
	switch sunrise := ph >= inSunrise1A && ph <= inSunrise3 || p.manifesting(); {
	case inTurn && p.turn >= g.factions:
		return fmt.Errorf("turn is %d, there are %d a night (R4.1)", p.turn, g.factions)
	case sunrise && p.turn != g.factions:
		return fmt.Errorf("turn is %d, at Sunrise all %d are over (R4.1)", p.turn, g.factions)
	case p.step == over && p.turn != 0:
		return fmt.Errorf("turn is %d after the end (R10.1)", p.turn)
	}
	return nil
}

// checkFactions demands that only factions in play are named (R2.7).
func (g *game) checkFactions(p *position, _ engine.Strictness) error {
	n := &p.now
	for _, f := range []uint8{p.lockdown, n.who, n.decider, n.chooser, n.partner} {
		if f != noFaction && !g.inPlay(p, f) {
			return fmt.Errorf("%s are named, who are not in the game (R2.7)", typeNames[f])
		}
	}
	for f := range uint8(numFactions) {
		if (p.winners|n.liberating)>>f&1 != 0 || p.bonusDice[f]+n.lost[f] > 0 {
			if !g.inPlay(p, f) {
				return fmt.Errorf("%s are named, who are not in the game (R2.7)", typeNames[f])
			}
		}
	}
	return nil
}

// everybody returns the factions in play.
func (g *game) everybody(p *position) uint8 {
	set := uint8(0)
	for s := range g.factions {
		set |= 1 << p.seats[s]
	}
	return set
}

// checkPieces demands R1.2 (Hard limits) in each district.
func (g *game) checkPieces(p *position, _ engine.Strictness) error {
	for c := range uint8(numCells) {
		if p.step <= turnTile { // nothing stands in a city that is being drawn
			break
		}
		t := &g.box.tiles[p.tile[c]]
		if err := g.checkDistrict(p, c, t); err != nil {
			return fmt.Errorf("%s: %w", t.Key, err)
		}
	}
	for f := range p.place {
		if !g.inPlay(p, uint8(f)) && (p.mat[f] != blocsEach || p.held(uint8(f)) != 0) {
			return fmt.Errorf("%s are not in the game (R2.7)", typeNames[f])
		}
	}
	return nil
}

func (g *game) checkDistrict(p *position, c uint8, t *tile) error {
	h := p.holder[c]
	if t.Type == highway {
		if p.cops[c]+p.van[c]+h+p.total(c) != 0 || p.protected.has(c) || p.cancelled[c]+p.boost[c] != 0 {
			return fmt.Errorf("highways never hold a piece (R1.2)")
		}
		return nil
	}
	if h != 0 && !g.mayHold(p, (h-1)/numOccs, c) {
		return fmt.Errorf("the %s cannot have an occupation there (R5.2)", typeNames[(h-1)/numOccs])
	}
	if lib := p.liberated.has(c); lib != t.Free && (t.Free || !t.Liberable) {
		return fmt.Errorf("liberated is %v (R9.5)", lib)
	}
	centers := p.centers[0][c] + p.centers[1][c] + p.centers[2][c]
	if want := t.Centers; centers != want && !p.liberated.has(c) || p.liberated.has(c) && centers != 0 {
		return fmt.Errorf("%d shopping centres, the tile has %d until it is liberated (R6.2, R9.6)", centers, want)
	}
	for f := range p.blocs {
		if n := p.attacked[f][c]; n > p.blocs[f][c] || n > 0 && !p.police.has(c) {
			return fmt.Errorf("%d blocs of the %s have attacked (R5.5)", n, typeNames[f])
		}
	}
	sunrise := stages[p.step].phase >= inSunrise1A && p.step != over || p.manifesting()
	if !sunrise && (p.protected.has(c) || p.cancelled[c]+p.boost[c] != 0) {
		return fmt.Errorf("flags of a Sunrise outside one (R9.7)")
	}
	return nil
}

// checkSums recounts what pieces.go keeps (R1.1).
func (g *game) checkSums(p *position, how engine.Strictness) error {
	var police cellSet
	cops, vans := int(p.copsLeft), int(p.vansLeft)+int(p.destroyed)
	for c := range uint8(numCells) {
		cops += int(p.cops[c])
		if p.van[c] > 0 {
			vans++
		}
		if p.cops[c] > 0 || p.van[c] > 0 {
			police |= at(c)
		}
		if h := p.holder[c]; h != 0 && p.place[(h-1)/numOccs][(h-1)%numOccs] != c {
			return fmt.Errorf("the occupation in cell %d stands elsewhere too (R1.2)", c)
		}
	}
	for f := range p.place {
		blocs, with := p.mat[f], cellSet(0)
		for c, n := range p.blocs[f] {
			blocs += n
			if n > 0 {
				with |= at(uint8(c))
			}
		}
		if blocs != blocsEach || with != p.with[f] {
			return fmt.Errorf("%d blocs of the %s (R1.1)", blocs, typeNames[f])
		}
		for k, c := range p.place[f] {
			if c != noCell && p.holder[c] != 1+uint8(f*numOccs+k) {
				return fmt.Errorf("occupation %d of the %s is not where it should be (R1.2)", k, typeNames[f])
			}
		}
	}
	if police != p.police {
		return fmt.Errorf("the set of districts with police is wrong (R3.7)")
	}
	for what, n := range map[string][3]int{
		"riot cops":  {cops, int(g.box.pieces.cops)},
		"riot vans":  {vans, int(g.box.pieces.vans)},
		"barricades": {int(p.pile) + int(sum(p.barricades[:])), int(g.box.pieces.barricades)},
	} {
		if n[0] > n[1] || how == engine.Strict && n[0] != n[1] {
			return fmt.Errorf("%d %s, there are %d (R1.1)", n[0], what, n[1])
		}
	}
	for e, n := range p.barricades {
		if n > 0 && (p.links[e] == noLink || p.barricadesAt(uint8(e)) > g.box.limits.Barricades || p.slot(uint8(e)) != uint8(e)) {
			return fmt.Errorf("%d barricades in cell %d, arm %s (R3.6)", n, e/numArms, armNames[e%numArms])
		}
	}
	return nil
}

// checkLoot recounts the loot cards (R11.3).
func (g *game) checkLoot(p *position, how engine.Strictness) error {
	for t := range g.box.loot {
		n := p.deck[t] + p.discard[t] + p.drawn[t]
		for f := range p.hand {
			n += p.hand[f][t]
		}
		if want := g.box.loot[t].Copies; n > want || how == engine.Strict && n != want {
			return fmt.Errorf("%d cards %s, there are %d (R11.3)", n, g.box.loot[t].Key, want)
		}
	}
	if p.deckSize != sum(p.deck[:]) || p.drawnSize != sum(p.drawn[:]) {
		return fmt.Errorf("the loot deck has %d cards, not %d (R11.1)", sum(p.deck[:]), p.deckSize)
	}
	for f := range uint8(numFactions) {
		if n := sum(p.hand[f][:]); n != p.handSize[f] || n > 0 && !g.inPlay(p, f) {
			return fmt.Errorf("a hand of %d cards of the %s (R2.8)", n, typeNames[f])
		}
		for v := range uint8(maxPlayers) {
			for t, n := range p.known[v][f] {
				if n > p.hand[f][t] || n > 0 && (v >= g.players || v == g.owner(p, f)) {
					return fmt.Errorf("known: player %d cannot be certain of %d cards %s of the %s", v, n, g.box.loot[t].Key, typeNames[f])
				}
			}
		}
	}
	if p.drawnSize > 0 && p.step != drawLoot && p.step != discardDrawn {
		return fmt.Errorf("drawn cards in step %s (R6.2)", stages[p.step].name)
	}
	return nil
}

// checkOps recounts the police ops and manifestation cards (R2.6, R11.4, R11.5).
func (g *game) checkOps(p *position, how engine.Strictness) error {
	want := g.opsDeck()
	for i := range want {
		n := p.ops[i] + p.opsDiscard[i]
		for _, card := range p.prefix[:p.prefixSize] {
			if int(card) == i {
				n++
			}
		}
		if p.lockdown != noFaction && uint8(i) == g.box.lockdown {
			n++
		}
		if n > want[i] || how == engine.Strict && n != want[i] {
			return fmt.Errorf("%d ops cards %s, there are %d (R2.6, R11.5)", n, g.box.ops[i].Key, want[i])
		}
	}
	if how == engine.Strict && p.prefixSize == 0 && kindsOf(p.ops[:]) == 0 {
		return fmt.Errorf("the ops deck is empty, which is shuffled anew at once (R8.2)")
	}
	turned := 0
	for i, n := range p.manifest {
		if n > g.box.manifest[i].Copies {
			return fmt.Errorf("%d manifestation cards %s, there are %d (R11.4)", n, g.box.manifest[i].Key, g.box.manifest[i].Copies)
		}
		turned += int(g.box.manifest[i].Copies - n)
	}
	due := int(g.liberatedNow(p).count())
	if p.step == turnUp {
		due--
	}
	if p.districts == 0 {
		due = 0
	}
	if how == engine.Strict && turned != due {
		return fmt.Errorf("%d manifestation cards are turned up, %d districts liberated (R9.6)", turned, due)
	}
	return nil
}

// checkAgendas demands R2.9.
func (g *game) checkAgendas(p *position, how engine.Strictness) error {
	seen := [numAgendas]bool{}
	missing := false
	others := 0
	for f, a := range p.agenda {
		switch {
		case a == noAgenda:
			missing = missing || g.inPlay(p, uint8(f))
			continue
		case g.mode == cooperative:
			return fmt.Errorf("agendas: a cooperative game has none (R2.9)")
		case seen[a] || !g.inPlay(p, uint8(f)) || p.step < dealAgendas:
			return fmt.Errorf("agendas: %s is dealt twice or to nobody (R2.9)", g.box.agendas[a].Key)
		case g.scenario.Agenda == removeNihilist && a == g.box.nihilist:
			return fmt.Errorf("agendas: scenario %s has no Nihilist (R2.9)", g.scenario.ID)
		}
		seen[a] = true
		if a != g.box.nihilist && a != g.box.vanguardist {
			others++
		}
	}
	if how == engine.Strict && missing && g.mode == semiCooperative && p.step > dealAgendas {
		return fmt.Errorf("agendas: each faction has one (R2.9)")
	}
	return nil
}

// checkTurn demands that what belongs to a turn is zero outside it (R4.5), and the
// limits of R1.2.
func (g *game) checkTurn(p *position, _ engine.Strictness) error {
	if p.numDice() > g.box.limits.Dice {
		return fmt.Errorf("%d dice, at most %d lie unspent (R1.2)", p.numDice(), g.box.limits.Dice)
	}
	ph := stages[p.step].phase
	used := p.uses != [numUses]uint8{} || p.barred != [numBars]cellSet{} || p.extraDice+p.bolt+p.jammers+p.trades != 0
	if inTurn := ph >= inActions && ph <= inOps && !p.manifesting(); !inTurn && (used || p.numDice() > 0 && p.step != rollDice) {
		return fmt.Errorf("step %s: dice and counters belong to a turn (R4.5)", stages[p.step].name)
	}
	if sunrise2 := ph == inSunrise2 || ph == inSunrise3 || p.manifesting(); p.revealed > 0 && !sunrise2 {
		return fmt.Errorf("revealed_total outside a Sunrise (R9.6)")
	}
	for _, cells := range p.barred {
		if cells&^p.districts != 0 {
			return fmt.Errorf("barred: a cell that is no district (R5.6)")
		}
	}
	return nil
}
