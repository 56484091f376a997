package jogu

// Rests implements flow.Rester: no card is being played, and nobody has begun to discard. What
// lies between is written as the answers given, which bring about what a play has seen. The
// longest way from one position at rest to another is a chain of 9 plays (MaxDepth), each within
// the one before, with at most 225 answers (R9.6, R18.3):
//
//	198  22 decisions a play: the card, its Location, which trigger of 8 Scramblers comes first,
//	     where each of them goes, and 4 of its own ability
//	 27  3 cards a play that chance turns up, or one that it hits
//
// Discards are at most 16: 7 cards and the end, of both.
func (g *game) Rests(p *Position) bool {
	return p.Depth == 0 && (p.Phase != reinforcement || p.Turn == p.Start && p.Seats[p.Turn].Pending == [Types]uint8{})
}
