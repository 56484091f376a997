package bloc

// Margins implements engine.Marginal: 1 for who has won, -1 for all once a faction is
// without blocs (R10.1), and else from -1 to just below 1 by how much of the scenario's
// condition of success (R10.2) is fulfilled; below 0 for who has lost to another.
func (s *State) Margins(dst []float32) []float32 {
	g, p := s.G, &s.P
	progress := 1.9*g.progress(p) - 1
	for player := range g.players {
		switch {
		case p.Ending == undecided || p.Ending == timeOut:
			dst = append(dst, progress)
		case p.Winners>>p.Seats[player]&1 != 0:
			dst = append(dst, 1)
		case p.Ending == noBlocs:
			dst = append(dst, -1)
		default:
			dst = append(dst, min(progress, -0.1))
		}
	}
	return dst
}

// progress returns how much of the condition of success (R10.2) is fulfilled, 0 to 1.
func (g *game) progress(p *Position) float32 {
	part := func(done, all uint8) float32 { return float32(min(done, all)) / float32(max(all, 1)) }
	state := p.OfType[TypeState]
	switch g.scenario.Success.Op {
	case stateOccupied:
		return part((state & p.heldByAny()).Count(), state.Count())
	case stateLiberated:
		held := state & p.heldByAny()
		return part(held.Count()+(held&p.Liberated).Count(), 2*state.Count())
	case entrancesBarricaded:
		done, all := p.entrances()
		return part(done, all)
	case policeGone:
		return part(p.Destroyed, g.box.pieces.vans)
	case commercialBurned:
		burned, all := uint8(0), p.OfType[TypeCommercial].Count()
		for s := p.OfType[TypeCommercial]; s != 0; s &= s - 1 {
			if c := s.First(); p.Centers[0][c]+p.Centers[1][c] == 0 {
				burned++
			}
		}
		return part(burned, all)
	case ownOccupied, stateOrOwn:
		sum := float32(0)
		for s := range g.factions {
			f := p.Seats[s]
			if f == NoFaction {
				return 0 // factions are still to be taken
			}
			own := part((p.OfType[f] & p.held(f)).Count(), p.OfType[f].Count())
			if g.scenario.Success.Op == stateOrOwn && state&p.held(f) != 0 {
				own = 1
			}
			sum += own
		}
		return sum / float32(g.factions)
	case liberatedCount:
		return part(g.liberatedNow(p).Count(), g.scenario.Success.N)
	case aroundZones:
		around := g.aroundZones(p)
		return part((around & p.Liberated).Count(), around.Count())
	}
	panic("bloc: unknown success condition")
}
