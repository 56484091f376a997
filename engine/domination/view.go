package domination

// What encoders and agents read (R4.6, R11.3). All methods work on views; what a view hides
// is said at each. Seats are 0 to Seats-1, Areas and card types are indexes of
// data/map.json and data/cards.json, and sets of Areas have bit a for Area a. None
// of them allocates.

// Phase is a part of a Game Turn in which somebody can be asked, or another one.
type Phase int

// The phases of the specification's section 6.
const (
	OtherPhase Phase = iota // set-up, draws, the end
	CardPlay
	BeforeVPs // window D15
	AfterVPs  // window D16
)

// Counts is a number of cards by type.
type Counts = [Cards]uint8

// Seats returns the number of players.
func (s *View) Seats() int { return int(s.G.seats) }

// Turns returns the number of Game Turns, Copies the cards in a full stack,
// MaxLogistics the right end of the Logistical track, and Rotates whether the First
// Player token moves: the options of the game.
func (s *View) Turns() int { return int(s.G.turns) }

// Copies is described at Turns.
func (s *View) Copies() int { return int(s.G.copies) }

// MaxLogistics is described at Turns.
func (s *View) MaxLogistics() int { return int(s.G.maxLogistics) }

// Rotates is described at Turns.
func (s *View) Rotates() bool { return s.G.rotate }

// Active returns whose turn it is in card play, NoSeat elsewhere.
func (s *View) Active() SeatID {
	if s.P.Phase != cardPlay {
		return NoSeat
	}
	return s.P.Active
}

// Standing returns how many Regions and how many Resources seat p controls whole, and the
// VPs that it would score with the map, and the Fogs of War, as they are.
func (s *View) Standing(p SeatID) (regions, resources, vp int) {
	regions = s.G.board(&s.P).regionMonopolies(p)
	return regions, s.G.board(&s.P).resourceMonopolies(p), int(s.G.board(&s.P).scoreForces(p) + s.G.board(&s.P).scoreMonopolies(p, regions))
}

// Decision returns the decision that the actor faces, NoDecision at chance and at
// the end.
func (s *View) Decision() Decision {
	if s.P.Actor < 0 {
		return NoDecision
	}
	return Decision(s.P.Ask)
}

// Phase returns the phase that the game is in.
func (s *View) Phase() Phase {
	switch s.P.Phase {
	case cardPlay:
		return CardPlay
	case scoringWindow, scoringStep:
		return BeforeVPs
	case logisticsWindow, logisticsStep:
		return AfterVPs
	}
	return OtherPhase
}

// Borders returns the Areas adjacent to a Land Area with a Force of seat p, and those
// adjacent to a Sea Area with one (R8.2); and the Areas with a Force, of whomever, that
// has none of the same owner in an adjacent Area, as Out of Supply looks for them (R8.3).
func (s *View) Borders(p SeatID) (land, sea, isolated AreaSet) {
	b, own := s.G.box, s.P.Own[p]
	nearLand, nearSea := b.Neighbours(own&landAreas), b.Neighbours(own&seaAreas)
	lone := own &^ (nearLand | nearSea)
	for q := range s.G.seats {
		if q != p {
			lone |= s.G.board(&s.P).isolated(q)
		}
	}
	return nearLand, nearSea, lone
}

// Winners returns the set of winners, bit p for seat p; none before the end.
func (s *View) Winners() SeatSet { return s.G.board(&s.P).winners() }
