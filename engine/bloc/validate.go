package bloc

import (
	"fmt"
	"maps"
	"slices"

	"powderkeg/engine"
)

// check demands every limit of the rules. Lenient positions may lack cards, cops,
// vans and barricades; nothing else may be missing.
func (b Board) check(how engine.Strictness) error {
	for _, test := range []func(engine.Strictness) error{
		b.checkBoard, b.checkClock, b.checkFactions, b.checkPieces, b.checkSums, b.checkLoot, b.checkOps, b.checkAgendas,
		b.checkTurn, b.checkGrowth, b.checkSetUp,
	} {
		if err := test(how); err != nil {
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
func (b Board) checkGrowth(_ engine.Strictness) error {
	yet := func(card ManifestID) uint8 {
		return b.Manifest[card] * slices.Max(slices.Collect(maps.Values(b.box.manifest[card].Table)))
	}
	if n := b.Revealed + yet(ManifestLeakedOrders); n > maxRevealed {
		return fmt.Errorf("revealed_total is %d, and %d more can follow (R11.4)", b.Revealed, n-b.Revealed)
	}
	for f, n := range b.BonusDice {
		if yet := yet(ManifestGeneralStrike); n+yet > maxBonus {
			return fmt.Errorf("bonus_dice of the %s are %d, and %d more can follow (R11.4)", typeNames[f], n, yet)
		}
	}
	return nil
}

// checkBoard demands a city that fits the scenario (R2.2, R10.2), or one that is being
// drawn.
func (b Board) checkBoard(_ engine.Strictness) error {
	if b.Step != layTile && b.Step != turnTile {
		if b.Redraws != 0 {
			return fmt.Errorf("redraws is %d, but the city is drawn (R2.2)", b.Redraws)
		}
		if err := b.checkTiles(); err != nil {
			return fmt.Errorf("city: %w", err)
		}
		var q Position
		q.Tile, q.Rotation = b.Tile, b.Rotation
		b.box.survey(&q)
		if q.Survey != b.Survey {
			return fmt.Errorf("connections disagree with the tiles (R3.3)")
		}
		return nil
	}
	if b.start.Step != layTile {
		return fmt.Errorf("step %s: the city of this game is given (R2.2)", stages[b.Step].name)
	}
	k := int(b.Now.Laid)
	if b.Step == turnTile {
		k++
	}
	if k > Cells || b.Districts != 0 {
		return fmt.Errorf("step %s: the city is whole (R2.2)", stages[b.Step].name)
	}
	var seen tileSet
	for i, c := range b.box.zigzag {
		t := b.Tile[c]
		if (t != noTile) != (i < k) {
			return fmt.Errorf("city: the zigzag has %d tiles, cell %d disagrees (R2.2)", k, c)
		}
		if t == noTile {
			continue
		}
		if seen.Has(t) || !b.pileSets[i%3].Has(t) {
			return fmt.Errorf("city: %s cannot lie in cell %d (R2.2)", b.box.tiles[t].Key, c)
		}
		seen |= tileAt(t)
	}
	return nil
}

// checkClock demands a turn that the phase has (R4.1, R9.7).
func (b Board) checkClock(_ engine.Strictness) error {
	ph := stages[b.Step].phase
	dealt := b.undealt()
	switch {
	case ph == inSetUp:
		if b.FirstSeat != noSeat || b.Night != 0 || b.Turn != 0 || b.Ending != undecided {
			return fmt.Errorf("step %s: the first faction is drawn at the end of the set-up (R2.11)", stages[b.Step].name)
		}
		if b.NightsLeft != b.setUp.Nights {
			return fmt.Errorf("nights_left is %d, the set-up has %d (R2.3)", b.NightsLeft, b.setUp.Nights)
		}
		if b.Step < dealFactions && dealt != 0 || b.Step > dealFactions && dealt != b.factions {
			return fmt.Errorf("step %s: %d factions are dealt (R2.7)", stages[b.Step].name, dealt)
		}
		return nil
	case dealt != b.factions || b.FirstSeat >= b.factions:
		return fmt.Errorf("%d factions are dealt (R2.7)", dealt)
	case b.Ending == undecided && (b.NightsLeft == 0 || b.Night+b.NightsLeft > 9) || b.Night == 0:
		return fmt.Errorf("night %d with %d nights left: a game has at most 8 (R2.3)", b.Night, b.NightsLeft)
	case (b.Ending != undecided) != (b.Step == over):
		return fmt.Errorf("step %s: a result ends the game (R10.1)", stages[b.Step].name)
	case b.Ending == undecided && b.Winners != 0 || (b.Ending == noBlocs || b.Ending == timeOut) && b.Winners != 0:
		return fmt.Errorf("winners of a game that nobody won (R10.1)")
	case b.Ending == winAlone && (b.Winners == 0 || b.Winners&(b.Winners-1) != 0 || b.mode == cooperative):
		return fmt.Errorf("result win_alone has one winner (R10.1)")
	case b.Ending == succeeded && b.mode == cooperative && b.Winners != b.everybody():
		return fmt.Errorf("a cooperative game is won by all (R10.1)")
	}
	inTurn := ph >= inDice && ph <= inOps && !b.manifesting()
	switch sunrise := ph >= inSunrise1A && ph <= inSunrise3 || b.manifesting(); {
	case inTurn && b.Turn >= b.factions:
		return fmt.Errorf("turn is %d, there are %d a night (R4.1)", b.Turn, b.factions)
	case sunrise && b.Turn != b.factions:
		return fmt.Errorf("turn is %d, at Sunrise all %d are over (R4.1)", b.Turn, b.factions)
	case b.Step == over && b.Turn != 0:
		return fmt.Errorf("turn is %d after the end (R10.1)", b.Turn)
	}
	return nil
}

// checkFactions demands that only factions in play are named (R2.7).
func (b Board) checkFactions(_ engine.Strictness) error {
	named := b.Winners
	if b.Lockdown != NoFaction {
		named |= 1 << b.Lockdown
	}
	for f := range FactionID(Factions) {
		if b.inPlay(f) {
			continue
		}
		if named>>f&1 != 0 || b.BonusDice[f] > 0 {
			return fmt.Errorf("%s are named, who are not in the game (R2.7)", f)
		}
		if b.Mat[f] != blocsEach || b.held(f) != 0 {
			return fmt.Errorf("%s are not in the game (R2.7)", f)
		}
	}
	if b.Expiring && b.Lockdown == NoFaction {
		return fmt.Errorf("metro_lockdown_expiring is true, but no faction has the Metro Lockdown before it (R8.9)")
	}
	return nil
}

// everybody returns the factions in play.
func (b Board) everybody() uint8 {
	set := uint8(0)
	for _, f := range b.Seats[:b.factions] {
		set |= 1 << f
	}
	return set
}

// checkPieces demands R1.2 (Hard limits) in each district. Nothing stands in a city that
// is being drawn.
func (b Board) checkPieces(_ engine.Strictness) error {
	if b.Step <= turnTile {
		return nil
	}
	for c := range CellID(Cells) {
		t := &b.box.tiles[b.Tile[c]]
		if err := b.checkDistrict(c, t); err != nil {
			return fmt.Errorf("%s: %w", t.Key, err)
		}
	}
	return nil
}

func (b Board) checkDistrict(c CellID, t *tile) error {
	h, flags := b.Holder[c], b.Protected.Has(c) || b.Cancelled[c]+b.Boost[c] != 0
	centers, lib := b.Centers[0][c]+b.Centers[1][c]+b.Centers[2][c], b.Liberated.Has(c)
	sunrise := stages[b.Step].phase >= inSunrise1A && b.Step != over || b.manifesting()
	switch {
	case t.Type == TypeHighway && (b.Police.Has(c) || h != 0 || b.total(c) != 0 || flags):
		return fmt.Errorf("highways never hold a piece (R1.2)")
	case t.Type == TypeHighway:
		return nil
	case h != 0 && !b.MayHold(h.Faction(), c):
		return fmt.Errorf("the %s cannot have an occupation there (R5.2)", h.Faction())
	case lib != t.Free && (t.Free || !t.Liberable):
		return fmt.Errorf("liberated is %v (R9.5)", lib)
	case centers != t.Centers && !lib || lib && centers != 0:
		return fmt.Errorf("%d shopping centres, the tile has %d until it is liberated (R6.2, R9.6)", centers, t.Centers)
	case flags && !sunrise:
		return fmt.Errorf("flags of a Sunrise outside one (R9.7)")
	}
	for f := range b.Blocs {
		if n := b.Attacked[f][c]; n > b.Blocs[f][c] || n > 0 && !b.Police.Has(c) {
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
func (b Board) supplies() [3]supply {
	cops, vans, barricades, have := 0, int(b.Destroyed), 0, &b.box.pieces
	for c, n := range b.Cops {
		cops += int(n)
		if b.Van[c] > 0 {
			vans++
		}
	}
	for _, n := range b.Barricades {
		barricades += int(n)
	}
	return [3]supply{
		{"riot cops", "staging.cops", &b.CopsLeft, int(have.cops), cops},
		{"riot vans", "staging.vans", &b.VansLeft, int(have.vans), vans},
		{"barricades", "barricade_pile", &b.Pile, int(have.barricades), barricades},
	}
}

// checkSums demands all pieces (R1.1), and that what pieces.go keeps agrees with them.
func (b Board) checkSums(how engine.Strictness) error {
	for _, x := range b.supplies() {
		if n := x.used + int(*x.left); n > x.have || how == engine.Strict && n != x.have {
			return fmt.Errorf("%d %s, there are %d (R1.1)", n, x.name, x.have)
		}
	}
	for e, n := range b.Barricades {
		if e := End(e); n > 0 && (b.Links[e] == NoEnd || b.barricadesAt(e) > b.box.limits.Barricades || b.slot(e) != e) {
			return fmt.Errorf("%d barricades in cell %d, arm %s (R3.6)", n, e.Cell(), e.Arm())
		}
	}
	police, with := CellSet(0), [Factions]CellSet{}
	for c := range CellID(Cells) {
		if b.Cops[c] > 0 || b.Van[c] > 0 {
			police |= at(c)
		}
		if h := b.Holder[c]; h != 0 && b.Place[h.Faction()][h.Kind()] != c {
			return fmt.Errorf("the occupation in cell %d stands elsewhere too (R1.2)", c)
		}
	}
	for f := range FactionID(Factions) {
		blocs := b.Mat[f]
		for c, n := range b.Blocs[f] {
			if blocs += n; n > 0 {
				with[f] |= at(CellID(c))
			}
		}
		if blocs != blocsEach {
			return fmt.Errorf("%d blocs of the %s (R1.1)", blocs, f)
		}
		for k, c := range b.Place[f] {
			if c != NoCell && b.Holder[c] != holding(f, OccID(k)) {
				return fmt.Errorf("occupation %d of the %s is not where it should be (R1.2)", k, f)
			}
		}
	}
	if police != b.Police || with != b.With {
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
func (b Board) checkLoot(how engine.Strictness) error {
	for t := range b.box.loot {
		n, want := int(b.Deck[t])+b.lootElsewhere(t), int(b.box.loot[t].Copies)
		if n > want || how == engine.Strict && n != want {
			return fmt.Errorf("%d cards %s, there are %d (R11.3)", n, b.box.loot[t].Key, want)
		}
	}
	if b.DeckSize != sum(b.Deck[:]) || b.DrawnSize != sum(b.Drawn[:]) {
		return fmt.Errorf("the loot deck has %d cards, not %d (R11.1)", sum(b.Deck[:]), b.DeckSize)
	}
	for f := range FactionID(Factions) {
		if n := sum(b.Hand[f][:]); n != b.HandSize[f] || n > 0 && !b.inPlay(f) {
			return fmt.Errorf("a hand of %d cards of the %s (R2.8)", n, f)
		}
		for v := range engine.Player(maxPlayers) {
			for t, n := range b.Known[v][f] {
				if n > b.Hand[f][t] || n > 0 && (int(v) >= int(b.players) || v == b.owner(f)) {
					return fmt.Errorf("known: player %d cannot be certain of %d cards %s of the %s", v, n, b.box.loot[t].Key, f)
				}
			}
		}
	}
	return nil
}

// opsElsewhere counts the police ops cards that are not in the unknown part of the deck.
func (b Board) opsElsewhere() [OpsCards]uint8 {
	used := b.OpsDiscard
	for _, card := range b.Prefix[:b.PrefixSize] {
		used[card]++
	}
	if b.Lockdown != NoFaction {
		used[b.box.lockdown]++
	}
	return used
}

// checkOps recounts the police ops and manifestation cards (R2.6, R11.4, R11.5).
func (b Board) checkOps(how engine.Strictness) error {
	want := b.opsDeck()
	for i, used := range b.opsElsewhere() {
		if n := b.Ops[i] + used; n > want[i] || how == engine.Strict && n != want[i] {
			return fmt.Errorf("%d ops cards %s, there are %d (R2.6, R11.5)", n, b.box.ops[i].Key, want[i])
		}
	}
	if how == engine.Strict && b.PrefixSize == 0 && kindsOf(b.Ops[:]) == 0 {
		return fmt.Errorf("the ops deck is empty, which is shuffled anew at once (R8.2)")
	}
	turned, due := 0, 0
	for i, n := range b.Manifest {
		copies := b.box.manifest[i].Copies
		if n > copies {
			return fmt.Errorf("%d manifestation cards %s, there are %d (R11.4)", n, b.box.manifest[i].Key, copies)
		}
		turned += int(copies - n)
	}
	if b.Districts != 0 {
		due = int(b.liberatedNow().Count())
	}
	if b.Step == turnUp {
		due--
	}
	if how == engine.Strict && turned != due {
		return fmt.Errorf("%d manifestation cards are turned up, %d districts liberated (R9.6)", turned, due)
	}
	return nil
}

// checkAgendas demands R2.9.
func (b Board) checkAgendas(how engine.Strictness) error {
	seen, missing := [Agendas]bool{}, false
	for f, a := range b.Agenda {
		switch {
		case a == NoAgenda:
			missing = missing || b.inPlay(FactionID(f))
			continue
		case b.mode == cooperative:
			return fmt.Errorf("agendas: a cooperative game has none (R2.9)")
		case seen[a] || !b.inPlay(FactionID(f)) || b.Step < dealAgendas:
			return fmt.Errorf("agendas: %s is dealt twice or to nobody (R2.9)", b.box.agendas[a].Key)
		case b.scenario.Agenda == removeNihilist && a == AgendaNihilist:
			return fmt.Errorf("agendas: scenario %s has no Nihilist (R2.9)", b.scenario.ID)
		}
		seen[a] = true
	}
	if how == engine.Strict && missing && b.mode == semiCooperative && b.Step > dealAgendas {
		return fmt.Errorf("agendas: each faction has one (R2.9)")
	}
	return nil
}

// checkTurn demands that what belongs to a turn is zero outside it (R4.5), and the
// limits of R1.2.
func (b Board) checkTurn(_ engine.Strictness) error {
	if b.numDice() > b.box.limits.Dice {
		return fmt.Errorf("%d dice, at most %d lie unspent (R1.2)", b.numDice(), b.box.limits.Dice)
	}
	ph := stages[b.Step].phase
	used := b.Uses != [Uses]uint8{} || b.Barred != [numBars]CellSet{} || b.ExtraDice+b.Bolt+b.Jammers+b.Trades != 0
	if inTurn := ph >= inActions && ph <= inOps && !b.manifesting(); !inTurn && (used || b.numDice() > 0 && b.Step != rollDice) {
		return fmt.Errorf("step %s: dice and counters belong to a turn (R4.5)", stages[b.Step].name)
	}
	if sunrise2 := ph == inSunrise2 || ph == inSunrise3 || b.manifesting(); b.Revealed > 0 && !sunrise2 {
		return fmt.Errorf("revealed_total outside a Sunrise (R9.6)")
	}
	for _, cells := range b.Barred {
		if cells&^b.Districts != 0 {
			return fmt.Errorf("barred: a cell that is no district (R5.6)")
		}
	}
	return nil
}

// checkSetUp demands the police in staging until they are placed, and that the factions come
// into the city one after another, when they choose their starting districts.
func (b Board) checkSetUp(_ engine.Strictness) error {
	if b.Step <= placePolice && (b.CopsLeft != b.box.pieces.cops || b.VansLeft != b.box.pieces.vans) {
		return fmt.Errorf("staging holds all %d riot cops and %d vans until the police are placed (R2.5)", b.box.pieces.cops, b.box.pieces.vans)
	}
	if b.Step > chooseStart {
		return nil
	}
	for s, f := range b.Seats[:b.factions] {
		started := b.Step == chooseStart && s < int(b.Now.Seat)
		if f != NoFaction && (started != (b.held(f) != 0) || started != (b.Mat[f] < blocsEach)) {
			return fmt.Errorf("step %s: the %s have started: %v (R2.10)", stages[b.Step].name, f, started)
		}
	}
	return nil
}
