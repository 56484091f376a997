package insurgency

// fullMargin is the lead in victory points that counts as a whole one, beyond which more
// points do not matter: it is reached in one game of twenty between scripted players.
const fullMargin = 20

// Margins implements engine.Marginal: the lead in victory points, with half a point for the
// Edge, which breaks ties (R5.4), in units of fullMargin. Of two sides one of which has
// lost all its pieces (R5.2) the other is ahead by a whole margin.
func (s *State) Margins(dst []float32) []float32 {
	g, p := s.G, &s.P
	if p.Result.Cause == military {
		return s.Returns(dst)
	}
	vp := g.board(p).points()
	lead := float32(vp[rebel]) - float32(vp[federal])
	if g.board(p).leader() == rebel {
		lead += 0.5
	} else {
		lead -= 0.5
	}
	lead = min(max(lead/fullMargin, -1), 1)
	return append(dst, lead, -lead)
}
