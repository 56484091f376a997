package insurgency

// Rests implements flow.Rester: no card is being played, none of the own pieces are being taken
// off before one, and the news stand still. So a Move is written as the answers that chose its
// groups. The tests of a set-up follow from its pieces, and rest. The longest way from one
// position at rest to another is a card, with at most 423 answers:
//
//	114  38 pieces taken off before it, each with a space and a kind (R3.5): 30 militia and 9
//	     bases, but for the last
//	  4  the card, its mode, the operation and the reserves
//	211  a Deploy with deploy=each of 30 dollars: 30 spaces and the end, in each of them how many
//	     agents and whether a base, and where 3 agents and the base are lifted (R12.2, R3.4)
//	 33  tests, one a space at most (R4.4)
//	 61  the event: a free Attack, of which 30 spaces and the end are chosen, and 30 militia roll
//
// No other operation or event needs as many. A News Cycle has at most 22: the draws of a slot and
// of three stories, a tie, and 17 that leave the pool (R9.3).
func (g *game) Rests(p *Position) bool {
	return p.Card == idleCard && p.Removal == idleRemoval && p.News.Do == newsNone && (p.Testing == noSpace || p.Phase == setUpTests)
}
