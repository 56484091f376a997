// Package engine holds the interfaces that every game implements and the
// pieces that all of them share.
//
// A game is played by asking a state who is to act, choosing one of its legal
// actions, or at a chance node one of its outcomes, and applying it:
//
//	g, _ := games.New("kuhn")
//	s := g.New()
//	for s.ToAct() != engine.Terminal {
//		if s.ToAct() == engine.Chance {
//			s.Apply(engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng))
//			continue
//		}
//		s.Apply(s.Legal(nil)[0])
//	}
//	fmt.Println(s.Returns(nil))
//
// The engine does no I/O, keeps no clock and holds no dice. Chance is a
// player: a die, a draw or a lot is a node with listed outcomes, so that a game
// is a list of actions, a replay needs no seed, and a test can dictate every
// die. Nothing here assumes two seats or payoffs that add up to zero.
//
// What a seat may see of a state is a View, which Look returns. Players, encoders and
// drawings get views: in a game with hidden information a view is of a type of its own,
// without the secrets and without Apply.
//
// Package engine/games lists the games by name. Positions (JSON), replays and
// scripts are in engine/position, engine/replay and engine/script;
// engine/enginetest is the conformance suite that every game passes.
package engine
