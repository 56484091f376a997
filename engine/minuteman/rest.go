package minuteman

// Rests implements flow.Rester: no unit builds, moves, attacks or is attacked, no counter is to
// be drawn, and no token of a chain has been chosen. The set-up rests between its steps, and while
// no Army waits to be placed; phases B and G1 rest before they begin. The longest way from one
// position at rest to another is an attack, with at most 336 answers:
//
//	  3  the verb, the target, the victim
//	 88  a hex and a class for each of the 42 units that seven hexes hold, and the end of each of
//	     four seats (R10.2, R1.7)
//	  3  whether it is ruthless, the Betrayal and its die
//	 99  sixteen Assassins, each with a verb, an owner, a hex, a class, a number and a die, and the
//	     end of three seats (D31)
//	  8  who defends and supports, and the die
//	  2  the step that is lost
//	130  for each of the 42 units a retreat, or a zone, Passage and a die, or an advance: a hex, a
//	     class and a destination (R11), and the end of four seats
//	  3  two units of R25.8, or a Militia that is drawn
//
// A build has less: all but D31 of it takes 21. In the set-up the 28 Divisions are drawn before they
// are placed, in the Civil War each of 128 units is diced for, and 52 of them may become Militia that
// are drawn (R27.1). When the Revolution begins 52 Armies leave, and of a Rebel who becomes the
// Government 40 Militia turn into Divisions (R20.2, R28.8).
func (g *game) Rests(p *Position) bool {
	switch {
	case p.Draw.Groups != 0, p.Kill.Stage != killNone, p.Rising.Stage != risingNone, p.Combat.Stage != combatNone:
		return false
	case p.Build.Stage != buildNone, p.Move.Stage != moveNone, p.Propose.Kind != 0, p.Part > 0, p.Lot != noSeat, p.Ties != 0:
		return false
	}
	under := p.Progress
	under.SetUp.Step, under.SetUp.Done, under.SetUp.CigStep = 0, 0, 0
	under.Builds.Step, under.Moves, under.Struck, under.GovBuilds, under.Talks, under.Ended = 0, Moves{}, 0, 0, 0, Ended{}
	return under == Progress{} && p.Queued == 0 && p.Rows == 0 && p.Chits == [10]uint8{}
}
