package bloc

import (
	"fmt"
	"maps"
	"slices"

	"powderkeg/engine"
)

// check demands every limit of the rules. Lenient positions may lack cards, cops,
// vans and barricades; nothing else may be missing.
func (g *game) check(p *Position, how engine.Strictness) error {
	for _, test := range []func(*Position, engine.Strictness) error{
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
func (g *game) checkGrowth(p *Position, _ engine.Strictness) error {
	yet := func(o op) (n uint8) {
		for i, left := range p.Manifest {
			for _, e := range g.box.manifest[i].Effects {
				if e.Op == o {
					n += left * slices.Max(slices.Collect(maps.Values(g.box.manifest[i].Table)))
				}
			}
		}
		return n
	}
	if n := p.Revealed + yet(opRevealOps); n > maxRevealed {
		return fmt.Errorf("revealed_total is %d, and %d more can follow (R11.4)", p.Revealed, n-p.Revealed)
	}
	for f, n := range p.BonusDice {
		if yet := yet(opBonusDice); n+yet > maxBonus {
			return fmt.Errorf("bonus_dice of the %s are %d, and %d more can follow (R11.4)", typeNames[f], n, yet)
		}
	}
	return nil
}

// checkBoard demands a city that fits the scenario (R2.2, R10.2), or one that is being
// drawn.
func (g *game) checkBoard(p *Position, _ engine.Strictness) error {
	if p.Step != layTile && p.Step != turnTile {
		if p.Redraws != 0 {
			return fmt.Errorf("redraws is %d, but the city is drawn (R2.2)", p.Redraws)
		}
		if err := g.checkTiles(p); err != nil {
			return fmt.Errorf("city: %w", err)
		}
		var q Position
		q.Tile, q.Rotation = p.Tile, p.Rotation
		g.box.survey(&q)
		if q.Links != p.Links || q.Near != p.Near || q.Over != p.Over || q.Highways != p.Highways || q.Districts != p.Districts ||
			q.Metro != p.Metro || q.OfType != p.OfType || q.ByID != p.ByID {
			return fmt.Errorf("connections disagree with the tiles (R3.3)")
		}
		return nil
	}
	if g.start.Step != layTile {
		return fmt.Errorf("step %s: the city of this game is given (R2.2)", stages[p.Step].name)
	}
	k := int(p.Now.Scan)
	if p.Step == turnTile {
		k++
	}
	if k > numCells || p.Districts != 0 {
		return fmt.Errorf("step %s: the city is whole (R2.2)", stages[p.Step].name)
	}
	var seen tileSet
	for i, c := range g.box.zigzag {
		t := p.Tile[c]
		if (t != noTile) != (i < k) {
			return fmt.Errorf("city: the zigzag has %d tiles, cell %d disagrees (R2.2)", k, c)
		}
		if t == noTile {
			continue
		}
		if seen.has(t) || !g.pileSets[i%3].has(t) {
			return fmt.Errorf("city: %s cannot lie in cell %d (R2.2)", g.box.tiles[t].Key, c)
		}
		seen |= at(t)
	}
	return nil
}

// checkClock demands a turn that the phase has (R4.1, R9.7).
func (g *game) checkClock(p *Position, _ engine.Strictness) error {
	ph := stages[p.Step].phase
	dealt := p.undealt()
	switch {
	case ph == inSetUp:
		if p.FirstSeat != noSeat || p.Night != 0 || p.Turn != 0 || p.Ending != undecided {
			return fmt.Errorf("step %s: the first faction is drawn at the end of the set-up (R2.11)", stages[p.Step].name)
		}
		if p.NightsLeft != g.setUp.Nights {
			return fmt.Errorf("nights_left is %d, the set-up has %d (R2.3)", p.NightsLeft, g.setUp.Nights)
		}
		if p.Step < dealFactions && dealt != 0 || p.Step > dealFactions && dealt != g.factions {
			return fmt.Errorf("step %s: %d factions are dealt (R2.7)", stages[p.Step].name, dealt)
		}
		return nil
	case dealt != g.factions || p.FirstSeat >= g.factions:
		return fmt.Errorf("%d factions are dealt (R2.7)", dealt)
	case p.Ending == undecided && (p.NightsLeft == 0 || p.Night+p.NightsLeft > 9) || p.Night == 0:
		return fmt.Errorf("night %d with %d nights left: a game has at most 8 (R2.3)", p.Night, p.NightsLeft)
	case (p.Ending != undecided) != (p.Step == over):
		return fmt.Errorf("step %s: a result ends the game (R10.1)", stages[p.Step].name)
	case p.Ending == undecided && p.Winners != 0 || (p.Ending == noBlocs || p.Ending == timeOut) && p.Winners != 0:
		return fmt.Errorf("winners of a game that nobody won (R10.1)")
	case p.Ending == winAlone && (p.Winners == 0 || p.Winners&(p.Winners-1) != 0 || g.mode == cooperative):
		return fmt.Errorf("result win_alone has one winner (R10.1)")
	case p.Ending == succeeded && g.mode == cooperative && p.Winners != g.everybody(p):
		return fmt.Errorf("a cooperative game is won by all (R10.1)")
	}
	inTurn := ph >= inDice && ph <= inOps && !p.manifesting()
	switch sunrise := ph >= inSunrise1A && ph <= inSunrise3 || p.manifesting(); {
	case inTurn && p.Turn >= g.factions:
		return fmt.Errorf("turn is %d, there are %d a night (R4.1)", p.Turn, g.factions)
	case sunrise && p.Turn != g.factions:
		return fmt.Errorf("turn is %d, at Sunrise all %d are over (R4.1)", p.Turn, g.factions)
	case p.Step == over && p.Turn != 0:
		return fmt.Errorf("turn is %d after the end (R10.1)", p.Turn)
	}
	return nil
}

// checkFactions demands that only factions in play are named (R2.7).
func (g *game) checkFactions(p *Position, _ engine.Strictness) error {
	n := &p.Now
	for _, f := range []uint8{p.Lockdown, n.Who, n.Decider, n.Chooser, n.Partner} {
		if f != noFaction && !g.inPlay(p, f) {
			return fmt.Errorf("%s are named, who are not in the game (R2.7)", typeNames[f])
		}
	}
	for f := range uint8(numFactions) {
		if (p.Winners|n.Liberating)>>f&1 != 0 || p.BonusDice[f]+n.Lost[f] > 0 {
			if !g.inPlay(p, f) {
				return fmt.Errorf("%s are named, who are not in the game (R2.7)", typeNames[f])
			}
		}
	}
	return nil
}

// everybody returns the factions in play.
func (g *game) everybody(p *Position) uint8 {
	set := uint8(0)
	for s := range g.factions {
		set |= 1 << p.Seats[s]
	}
	return set
}

// checkPieces demands R1.2 (Hard limits) in each district.
func (g *game) checkPieces(p *Position, _ engine.Strictness) error {
	for c := range uint8(numCells) {
		if p.Step <= turnTile { // nothing stands in a city that is being drawn
			break
		}
		t := &g.box.tiles[p.Tile[c]]
		if err := g.checkDistrict(p, c, t); err != nil {
			return fmt.Errorf("%s: %w", t.Key, err)
		}
	}
	for f := range p.Place {
		if !g.inPlay(p, uint8(f)) && (p.Mat[f] != blocsEach || p.held(uint8(f)) != 0) {
			return fmt.Errorf("%s are not in the game (R2.7)", typeNames[f])
		}
	}
	return nil
}

func (g *game) checkDistrict(p *Position, c uint8, t *tile) error {
	h := p.Holder[c]
	if t.Type == highway {
		if p.Cops[c]+p.Van[c]+h+p.total(c) != 0 || p.Protected.has(c) || p.Cancelled[c]+p.Boost[c] != 0 {
			return fmt.Errorf("highways never hold a piece (R1.2)")
		}
		return nil
	}
	if h != 0 && !g.mayHold(p, (h-1)/numOccs, c) {
		return fmt.Errorf("the %s cannot have an occupation there (R5.2)", typeNames[(h-1)/numOccs])
	}
	if lib := p.Liberated.has(c); lib != t.Free && (t.Free || !t.Liberable) {
		return fmt.Errorf("liberated is %v (R9.5)", lib)
	}
	centers := p.Centers[0][c] + p.Centers[1][c] + p.Centers[2][c]
	if want := t.Centers; centers != want && !p.Liberated.has(c) || p.Liberated.has(c) && centers != 0 {
		return fmt.Errorf("%d shopping centres, the tile has %d until it is liberated (R6.2, R9.6)", centers, want)
	}
	for f := range p.Blocs {
		if n := p.Attacked[f][c]; n > p.Blocs[f][c] || n > 0 && !p.Police.has(c) {
			return fmt.Errorf("%d blocs of the %s have attacked (R5.5)", n, typeNames[f])
		}
	}
	sunrise := stages[p.Step].phase >= inSunrise1A && p.Step != over || p.manifesting()
	if !sunrise && (p.Protected.has(c) || p.Cancelled[c]+p.Boost[c] != 0) {
		return fmt.Errorf("flags of a Sunrise outside one (R9.7)")
	}
	return nil
}

// checkSums recounts what pieces.go keeps (R1.1).
func (g *game) checkSums(p *Position, how engine.Strictness) error {
	var police CellSet
	cops, vans := int(p.CopsLeft), int(p.VansLeft)+int(p.Destroyed)
	for c := range uint8(numCells) {
		cops += int(p.Cops[c])
		if p.Van[c] > 0 {
			vans++
		}
		if p.Cops[c] > 0 || p.Van[c] > 0 {
			police |= at(c)
		}
		if h := p.Holder[c]; h != 0 && p.Place[(h-1)/numOccs][(h-1)%numOccs] != c {
			return fmt.Errorf("the occupation in cell %d stands elsewhere too (R1.2)", c)
		}
	}
	for f := range p.Place {
		blocs, with := p.Mat[f], CellSet(0)
		for c, n := range p.Blocs[f] {
			blocs += n
			if n > 0 {
				with |= at(uint8(c))
			}
		}
		if blocs != blocsEach || with != p.With[f] {
			return fmt.Errorf("%d blocs of the %s (R1.1)", blocs, typeNames[f])
		}
		for k, c := range p.Place[f] {
			if c != noCell && p.Holder[c] != 1+uint8(f*numOccs+k) {
				return fmt.Errorf("occupation %d of the %s is not where it should be (R1.2)", k, typeNames[f])
			}
		}
	}
	if police != p.Police {
		return fmt.Errorf("the set of districts with police is wrong (R3.7)")
	}
	for what, n := range map[string][3]int{
		"riot cops":  {cops, int(g.box.pieces.cops)},
		"riot vans":  {vans, int(g.box.pieces.vans)},
		"barricades": {int(p.Pile) + int(sum(p.Barricades[:])), int(g.box.pieces.barricades)},
	} {
		if n[0] > n[1] || how == engine.Strict && n[0] != n[1] {
			return fmt.Errorf("%d %s, there are %d (R1.1)", n[0], what, n[1])
		}
	}
	for e, n := range p.Barricades {
		if n > 0 && (p.Links[e] == noLink || p.barricadesAt(uint8(e)) > g.box.limits.Barricades || p.slot(uint8(e)) != uint8(e)) {
			return fmt.Errorf("%d barricades in cell %d, arm %s (R3.6)", n, e/numArms, armNames[e%numArms])
		}
	}
	return nil
}

// checkLoot recounts the loot cards (R11.3).
func (g *game) checkLoot(p *Position, how engine.Strictness) error {
	for t := range g.box.loot {
		n := p.Deck[t] + p.Discard[t] + p.Drawn[t]
		for f := range p.Hand {
			n += p.Hand[f][t]
		}
		if want := g.box.loot[t].Copies; n > want || how == engine.Strict && n != want {
			return fmt.Errorf("%d cards %s, there are %d (R11.3)", n, g.box.loot[t].Key, want)
		}
	}
	if p.DeckSize != sum(p.Deck[:]) || p.DrawnSize != sum(p.Drawn[:]) {
		return fmt.Errorf("the loot deck has %d cards, not %d (R11.1)", sum(p.Deck[:]), p.DeckSize)
	}
	for f := range uint8(numFactions) {
		if n := sum(p.Hand[f][:]); n != p.HandSize[f] || n > 0 && !g.inPlay(p, f) {
			return fmt.Errorf("a hand of %d cards of the %s (R2.8)", n, typeNames[f])
		}
		for v := range uint8(maxPlayers) {
			for t, n := range p.Known[v][f] {
				if n > p.Hand[f][t] || n > 0 && (v >= g.players || v == g.owner(p, f)) {
					return fmt.Errorf("known: player %d cannot be certain of %d cards %s of the %s", v, n, g.box.loot[t].Key, typeNames[f])
				}
			}
		}
	}
	if p.DrawnSize > 0 && p.Step != drawLoot && p.Step != discardDrawn {
		return fmt.Errorf("drawn cards in step %s (R6.2)", stages[p.Step].name)
	}
	return nil
}

// checkOps recounts the police ops and manifestation cards (R2.6, R11.4, R11.5).
func (g *game) checkOps(p *Position, how engine.Strictness) error {
	want := g.opsDeck()
	for i := range want {
		n := p.Ops[i] + p.OpsDiscard[i]
		for _, card := range p.Prefix[:p.PrefixSize] {
			if int(card) == i {
				n++
			}
		}
		if p.Lockdown != noFaction && uint8(i) == g.box.lockdown {
			n++
		}
		if n > want[i] || how == engine.Strict && n != want[i] {
			return fmt.Errorf("%d ops cards %s, there are %d (R2.6, R11.5)", n, g.box.ops[i].Key, want[i])
		}
	}
	if how == engine.Strict && p.PrefixSize == 0 && kindsOf(p.Ops[:]) == 0 {
		return fmt.Errorf("the ops deck is empty, which is shuffled anew at once (R8.2)")
	}
	turned := 0
	for i, n := range p.Manifest {
		if n > g.box.manifest[i].Copies {
			return fmt.Errorf("%d manifestation cards %s, there are %d (R11.4)", n, g.box.manifest[i].Key, g.box.manifest[i].Copies)
		}
		turned += int(g.box.manifest[i].Copies - n)
	}
	due := int(g.liberatedNow(p).count())
	if p.Step == turnUp {
		due--
	}
	if p.Districts == 0 {
		due = 0
	}
	if how == engine.Strict && turned != due {
		return fmt.Errorf("%d manifestation cards are turned up, %d districts liberated (R9.6)", turned, due)
	}
	return nil
}

// checkAgendas demands R2.9.
func (g *game) checkAgendas(p *Position, how engine.Strictness) error {
	seen := [numAgendas]bool{}
	missing := false
	others := 0
	for f, a := range p.Agenda {
		switch {
		case a == noAgenda:
			missing = missing || g.inPlay(p, uint8(f))
			continue
		case g.mode == cooperative:
			return fmt.Errorf("agendas: a cooperative game has none (R2.9)")
		case seen[a] || !g.inPlay(p, uint8(f)) || p.Step < dealAgendas:
			return fmt.Errorf("agendas: %s is dealt twice or to nobody (R2.9)", g.box.agendas[a].Key)
		case g.scenario.Agenda == removeNihilist && a == g.box.nihilist:
			return fmt.Errorf("agendas: scenario %s has no Nihilist (R2.9)", g.scenario.ID)
		}
		seen[a] = true
		if a != g.box.nihilist && a != g.box.vanguardist {
			others++
		}
	}
	if how == engine.Strict && missing && g.mode == semiCooperative && p.Step > dealAgendas {
		return fmt.Errorf("agendas: each faction has one (R2.9)")
	}
	return nil
}

// checkTurn demands that what belongs to a turn is zero outside it (R4.5), and the
// limits of R1.2.
func (g *game) checkTurn(p *Position, _ engine.Strictness) error {
	if p.numDice() > g.box.limits.Dice {
		return fmt.Errorf("%d dice, at most %d lie unspent (R1.2)", p.numDice(), g.box.limits.Dice)
	}
	ph := stages[p.Step].phase
	used := p.Uses != [numUses]uint8{} || p.Barred != [numBars]CellSet{} || p.ExtraDice+p.Bolt+p.Jammers+p.Trades != 0
	if inTurn := ph >= inActions && ph <= inOps && !p.manifesting(); !inTurn && (used || p.numDice() > 0 && p.Step != rollDice) {
		return fmt.Errorf("step %s: dice and counters belong to a turn (R4.5)", stages[p.Step].name)
	}
	if sunrise2 := ph == inSunrise2 || ph == inSunrise3 || p.manifesting(); p.Revealed > 0 && !sunrise2 {
		return fmt.Errorf("revealed_total outside a Sunrise (R9.6)")
	}
	for _, cells := range p.Barred {
		if cells&^p.Districts != 0 {
			return fmt.Errorf("barred: a cell that is no district (R5.6)")
		}
	}
	return nil
}
