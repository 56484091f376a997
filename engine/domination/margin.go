package domination

// fullMargin is the lead in Victory Points that counts as a whole one, beyond which more
// points do not matter: of 60 games between two scripted players the closest ended with
// one of 119, half with more than 540 and the most lopsided with one of 770.
const fullMargin = 800

// Margins implements engine.Marginal: the Victory Points (R10.2) less the most that
// another seat has, in units of fullMargin.
func (s *State) Margins(dst []float32) []float32 {
	for i := range s.G.seats {
		most := uint16(0)
		for j := range s.G.seats {
			if j != i {
				most = max(most, s.P.VP[j])
			}
		}
		lead := (float32(s.P.VP[i]) - float32(most)) / fullMargin
		dst = append(dst, min(max(lead, -1), 1))
	}
	return dst
}
