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
		g.checkBoard, g.checkClock, g.checkFactions, g.checkPieces, g.checkSums, g.checkLoot, g.checkOps, g.checkAgendas,
		g.checkTurn, g.checkGrowth, g.checkSetUp,
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
		if q.Survey != p.Survey {
			return fmt.Errorf("connections disagree with the tiles (R3.3)")
		}
		return nil
	}
	if g.start.Step != layTile {
		return fmt.Errorf("step %s: the city of this game is given (R2.2)", stages[p.Step].name)
	}
	k := int(p.Now.Laid)
	if p.Step == turnTile {
		k++
	}
	if k > Cells || p.Districts != 0 {
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
		if seen.Has(t) || !g.pileSets[i%3].Has(t) {
			return fmt.Errorf("city: %s cannot lie in cell %d (R2.2)", g.box.tiles[t].Key, c)
		}
		seen |= tileAt(t)
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
	named := p.Winners
	if p.Lockdown != NoFaction {
		named |= 1 << p.Lockdown
	}
	for f := range FactionID(Factions) {
		if g.inPlay(p, f) {
			continue
		}
		if named>>f&1 != 0 || p.BonusDice[f] > 0 {
			return fmt.Errorf("%s are named, who are not in the game (R2.7)", f)
		}
		if p.Mat[f] != blocsEach || p.held(f) != 0 {
			return fmt.Errorf("%s are not in the game (R2.7)", f)
		}
	}
	if p.Expiring && p.Lockdown == NoFaction {
		return fmt.Errorf("metro_lockdown_expiring is true, but no faction has the Metro Lockdown before it (R8.9)")
	}
	return nil
}

// everybody returns the factions in play.
func (g *game) everybody(p *Position) uint8 {
	set := uint8(0)
	for _, f := range p.Seats[:g.factions] {
		set |= 1 << f
	}
	return set
}

// checkPieces demands R1.2 (Hard limits) in each district. Nothing stands in a city that
// is being drawn.
func (g *game) checkPieces(p *Position, _ engine.Strictness) error {
	if p.Step <= turnTile {
		return nil
	}
	for c := range CellID(Cells) {
		t := &g.box.tiles[p.Tile[c]]
		if err := g.checkDistrict(p, c, t); err != nil {
			return fmt.Errorf("%s: %w", t.Key, err)
		}
	}
	return nil
}

func (g *game) checkDistrict(p *Position, c CellID, t *tile) error {
	h, flags := p.Holder[c], p.Protected.Has(c) || p.Cancelled[c]+p.Boost[c] != 0
	centers, lib := p.Centers[0][c]+p.Centers[1][c]+p.Centers[2][c], p.Liberated.Has(c)
	sunrise := stages[p.Step].phase >= inSunrise1A && p.Step != over || p.manifesting()
	switch {
	case t.Type == TypeHighway && (p.Police.Has(c) || h != 0 || p.total(c) != 0 || flags):
		return fmt.Errorf("highways never hold a piece (R1.2)")
	case t.Type == TypeHighway:
		return nil
	case h != 0 && !g.mayHold(p, h.Faction(), c):
		return fmt.Errorf("the %s cannot have an occupation there (R5.2)", h.Faction())
	case lib != t.Free && (t.Free || !t.Liberable):
		return fmt.Errorf("liberated is %v (R9.5)", lib)
	case centers != t.Centers && !lib || lib && centers != 0:
		return fmt.Errorf("%d shopping centres, the tile has %d until it is liberated (R6.2, R9.6)", centers, t.Centers)
	case flags && !sunrise:
		return fmt.Errorf("flags of a Sunrise outside one (R9.7)")
	}
	for f := range p.Blocs {
		if n := p.Attacked[f][c]; n > p.Blocs[f][c] || n > 0 && !p.Police.Has(c) {
			return fmt.Errorf("%d blocs of the %s have attacked (R5.5)", n, typeNames[f])
		}
	}
	return nil
}

// supply is a kind of pieces: where those that are left stand, and how many are in use.
type supply struct {
	name, field string
	left        *uint8
	have, used  int
}

// supplies counts the pieces of R1.1.
func (g *game) supplies(p *Position) [3]supply {
	cops, vans, barricades, b := 0, int(p.Destroyed), 0, &g.box.pieces
	for c, n := range p.Cops {
		cops += int(n)
		if p.Van[c] > 0 {
			vans++
		}
	}
	for _, n := range p.Barricades {
		barricades += int(n)
	}
	return [3]supply{
		{"riot cops", "staging.cops", &p.CopsLeft, int(b.cops), cops},
		{"riot vans", "staging.vans", &p.VansLeft, int(b.vans), vans},
		{"barricades", "barricade_pile", &p.Pile, int(b.barricades), barricades},
	}
}

// checkSums demands all pieces (R1.1), and that what pieces.go keeps agrees with them.
func (g *game) checkSums(p *Position, how engine.Strictness) error {
	for _, x := range g.supplies(p) {
		if n := x.used + int(*x.left); n > x.have || how == engine.Strict && n != x.have {
			return fmt.Errorf("%d %s, there are %d (R1.1)", n, x.name, x.have)
		}
	}
	for e, n := range p.Barricades {
		if e := End(e); n > 0 && (p.Links[e] == NoEnd || p.barricadesAt(e) > g.box.limits.Barricades || p.slot(e) != e) {
			return fmt.Errorf("%d barricades in cell %d, arm %s (R3.6)", n, e.Cell(), armNames[e.Arm()])
		}
	}
	police, with := CellSet(0), [Factions]CellSet{}
	for c := range CellID(Cells) {
		if p.Cops[c] > 0 || p.Van[c] > 0 {
			police |= at(c)
		}
		if h := p.Holder[c]; h != 0 && p.Place[h.Faction()][h.Kind()] != c {
			return fmt.Errorf("the occupation in cell %d stands elsewhere too (R1.2)", c)
		}
	}
	for f := range FactionID(Factions) {
		blocs := p.Mat[f]
		for c, n := range p.Blocs[f] {
			if blocs += n; n > 0 {
				with[f] |= at(CellID(c))
			}
		}
		if blocs != blocsEach {
			return fmt.Errorf("%d blocs of the %s (R1.1)", blocs, f)
		}
		for k, c := range p.Place[f] {
			if c != NoCell && p.Holder[c] != holding(f, OccID(k)) {
				return fmt.Errorf("occupation %d of the %s is not where it should be (R1.2)", k, f)
			}
		}
	}
	if police != p.Police || with != p.With {
		return fmt.Errorf("the districts with police or blocs are not those (R3.7)")
	}
	return nil
}

// lootElsewhere counts the copies of a loot card that are not in the deck.
func (p *Position) lootElsewhere(card int) int {
	n := int(p.Discard[card]) + int(p.Drawn[card])
	for f := range p.Hand {
		n += int(p.Hand[f][card])
	}
	return n
}

// checkLoot recounts the loot cards (R11.3).
func (g *game) checkLoot(p *Position, how engine.Strictness) error {
	for t := range g.box.loot {
		n, want := int(p.Deck[t])+p.lootElsewhere(t), int(g.box.loot[t].Copies)
		if n > want || how == engine.Strict && n != want {
			return fmt.Errorf("%d cards %s, there are %d (R11.3)", n, g.box.loot[t].Key, want)
		}
	}
	if p.DeckSize != sum(p.Deck[:]) || p.DrawnSize != sum(p.Drawn[:]) {
		return fmt.Errorf("the loot deck has %d cards, not %d (R11.1)", sum(p.Deck[:]), p.DeckSize)
	}
	for f := range FactionID(Factions) {
		if n := sum(p.Hand[f][:]); n != p.HandSize[f] || n > 0 && !g.inPlay(p, f) {
			return fmt.Errorf("a hand of %d cards of the %s (R2.8)", n, f)
		}
		for v := range engine.Player(maxPlayers) {
			for t, n := range p.Known[v][f] {
				if n > p.Hand[f][t] || n > 0 && (int(v) >= int(g.players) || v == g.owner(p, f)) {
					return fmt.Errorf("known: player %d cannot be certain of %d cards %s of the %s", v, n, g.box.loot[t].Key, f)
				}
			}
		}
	}
	return nil
}

// opsElsewhere counts the police ops cards that are not in the unknown part of the deck.
func (g *game) opsElsewhere(p *Position) [OpsCards]uint8 {
	used := p.OpsDiscard
	for _, card := range p.Prefix[:p.PrefixSize] {
		used[card]++
	}
	if p.Lockdown != NoFaction {
		used[g.box.lockdown]++
	}
	return used
}

// checkOps recounts the police ops and manifestation cards (R2.6, R11.4, R11.5).
func (g *game) checkOps(p *Position, how engine.Strictness) error {
	want := g.opsDeck()
	for i, used := range g.opsElsewhere(p) {
		if n := p.Ops[i] + used; n > want[i] || how == engine.Strict && n != want[i] {
			return fmt.Errorf("%d ops cards %s, there are %d (R2.6, R11.5)", n, g.box.ops[i].Key, want[i])
		}
	}
	if how == engine.Strict && p.PrefixSize == 0 && kindsOf(p.Ops[:]) == 0 {
		return fmt.Errorf("the ops deck is empty, which is shuffled anew at once (R8.2)")
	}
	turned, due := 0, 0
	for i, n := range p.Manifest {
		copies := g.box.manifest[i].Copies
		if n > copies {
			return fmt.Errorf("%d manifestation cards %s, there are %d (R11.4)", n, g.box.manifest[i].Key, copies)
		}
		turned += int(copies - n)
	}
	if p.Districts != 0 {
		due = int(g.liberatedNow(p).Count())
	}
	if p.Step == turnUp {
		due--
	}
	if how == engine.Strict && turned != due {
		return fmt.Errorf("%d manifestation cards are turned up, %d districts liberated (R9.6)", turned, due)
	}
	return nil
}

// checkAgendas demands R2.9.
func (g *game) checkAgendas(p *Position, how engine.Strictness) error {
	seen, missing := [Agendas]bool{}, false
	for f, a := range p.Agenda {
		switch {
		case a == NoAgenda:
			missing = missing || g.inPlay(p, FactionID(f))
			continue
		case g.mode == cooperative:
			return fmt.Errorf("agendas: a cooperative game has none (R2.9)")
		case seen[a] || !g.inPlay(p, FactionID(f)) || p.Step < dealAgendas:
			return fmt.Errorf("agendas: %s is dealt twice or to nobody (R2.9)", g.box.agendas[a].Key)
		case g.scenario.Agenda == removeNihilist && a == AgendaNihilist:
			return fmt.Errorf("agendas: scenario %s has no Nihilist (R2.9)", g.scenario.ID)
		}
		seen[a] = true
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
	used := p.Uses != [Uses]uint8{} || p.Barred != [numBars]CellSet{} || p.ExtraDice+p.Bolt+p.Jammers+p.Trades != 0
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

// checkSetUp demands the police in staging until they are placed, and that the factions come
// into the city one after another, when they choose their starting districts.
func (g *game) checkSetUp(p *Position, _ engine.Strictness) error {
	if p.Step <= placePolice && (p.CopsLeft != g.box.pieces.cops || p.VansLeft != g.box.pieces.vans) {
		return fmt.Errorf("staging holds all %d riot cops and %d vans until the police are placed (R2.5)", g.box.pieces.cops, g.box.pieces.vans)
	}
	if p.Step > chooseStart {
		return nil
	}
	for s, f := range p.Seats[:g.factions] {
		started := p.Step == chooseStart && s < int(p.Now.Seat)
		if f != NoFaction && (started != (p.held(f) != 0) || started != (p.Mat[f] < blocsEach)) {
			return fmt.Errorf("step %s: the %s have started: %v (R2.10)", stages[p.Step].name, f, started)
		}
	}
	return nil
}
