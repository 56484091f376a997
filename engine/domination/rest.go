package domination

// Rests implements flow.Rester: no card is being used, and nobody has begun to draw. A window in
// which some have declined rests: window_seat says how far it has come. The longest ways from
// one position at rest to another are
//
//	 83  a use has at most 77 decisions, and one more by each of 6 seats (R10.3)
//	120  6 seats draw at most 20 cards each, the longest Logistical track (R6.2)
func (g *game) Rests(p *Position) bool {
	return p.Frame.Way == NoWay && p.Drawing == 0 && p.Drawn == 0
}
