package bloc

// Margins implements engine.Marginal: 1 for who has won, -1 for all once a faction is
// without blocs (R10.1), and else from -1 to just below 1 by how much of the scenario's
// condition of success (R10.2) is fulfilled; below 0 for who has lost to another.
func (s *State) Margins(dst []float32) []float32 {
	b := s.board()
	progress := 1.9*b.progress() - 1
	for player := range b.players {
		switch {
		case b.Ending == undecided || b.Ending == timeOut:
			dst = append(dst, progress)
		case b.Winners>>b.Seats[player]&1 != 0:
			dst = append(dst, 1)
		case b.Ending == noBlocs:
			dst = append(dst, -1)
		default:
			dst = append(dst, min(progress, -0.1))
		}
	}
	return dst
}

// progress returns how much of the condition of success (R10.2) is fulfilled, 0 to 1.
func (b Board) progress() float32 {
	part := func(done, all uint8) float32 { return float32(min(done, all)) / float32(max(all, 1)) }
	state := b.OfType[TypeState]
	switch b.scenario.Success.Op {
	case stateOccupied:
		return part((state & b.heldByAny()).Count(), state.Count())
	case stateLiberated:
		held := state & b.heldByAny()
		return part(held.Count()+(held&b.Liberated).Count(), 2*state.Count())
	case entrancesBarricaded:
		done, all := b.entrances()
		return part(done, all)
	case policeGone:
		return part(b.Destroyed, b.box.pieces.vans)
	case commercialBurned:
		burned, all := uint8(0), b.OfType[TypeCommercial].Count()
		for s := b.OfType[TypeCommercial]; s != 0; s &= s - 1 {
			if c := s.First(); b.Centers[0][c]+b.Centers[1][c] == 0 {
				burned++
			}
		}
		return part(burned, all)
	case ownOccupied, stateOrOwn:
		sum := float32(0)
		for s := range b.factions {
			f := b.Seats[s]
			if f == NoFaction {
				return 0 // factions are still to be taken
			}
			own := part((b.OfType[f] & b.held(f)).Count(), b.OfType[f].Count())
			if b.scenario.Success.Op == stateOrOwn && state&b.held(f) != 0 {
				own = 1
			}
			sum += own
		}
		return sum / float32(b.factions)
	case liberatedCount:
		return part(b.liberatedNow().Count(), b.scenario.Success.N)
	case aroundZones:
		around := b.aroundZones()
		return part((around & b.Liberated).Count(), around.Count())
	}
	panic("bloc: unknown success condition")
}
