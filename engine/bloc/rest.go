package bloc

// resting are the steps in which a position can be at rest: nothing is chosen, drawn or
// looked at but what follows from the rest of it.
const resting uint64 = 1<<layTile | 1<<placePolice | 1<<dealFactions | 1<<dealLoot | 1<<dealAgendas | 1<<chooseStart | 1<<drawFirst |
	1<<beginTurn | 1<<menu | 1<<drawOps | 1<<repairVans | 1<<scanVans | 1<<scanCops | 1<<scanSound | 1<<liberate | 1<<nextNight | 1<<over

// Rests implements flow.Rester. The longest way from one position at rest to another is a
// Sunrise up to its first manifestation, with at most 363 answers (R9.2 to R9.6):
//
//	28  14 cards that can be played in it, each perhaps with a place
//	 6  Steel Doors withheld, one a van
//	96  Gas Masks or Steel Doors withheld, by 4 factions in 24 districts
//	52  victims named: 40 blocs, and 12 that 4 Medic Kits bring back
//	52  Medic Kits withheld, each for another bloc that was lost
//	96  Sound Systems withheld, by 4 factions in 24 districts
//	 1  the manifestation card
//	32  its effects: of the longest, 2 marches of 4 answers each, by 4 factions
//
// In a turn it is a series of attacks: 7 dice, at each of which Molotovs are played or
// withheld, a connection and the next attack are chosen, all 11 Molotovs, and a reaction roll
// with an ops card or extra dice.
func (g *game) Rests(p *Position) bool {
	if resting>>p.Step&1 == 0 || p.Shown != [maxPlayers]Moment{} {
		return false
	}
	n := idle(p.Now.Who)
	n.SettingUp = p.Now.SettingUp // the seat and the tiles follow from cards, pieces and city
	if p.Step == drawOps && p.Now.Roll == 0 {
		cards := Board{g, p, nil}.OpsCards()
		n.Ops = cards - min(cards, p.Jammers) // before the first of them, as a rule
	}
	return n == p.Now
}
