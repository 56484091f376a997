// Package minuteman is the rules engine of Minuteman: The Second American
// Revolution: four scenarios for two players with their options, and the game of
// three and four players.
//
//	values, _ := option.Check("minuteman", minuteman.Family.Options, nil)
//	game, err := minuteman.Family.Configure(values)
//	if err != nil {
//		return err
//	}
//	state := game.New()
//	for state.ToAct() == engine.Chance { // the Government's random Divisions
//		outcomes := state.(engine.Stochastic).Outcomes(nil)
//		if err := state.Apply(outcomes[0].Action); err != nil {
//			return err
//		}
//	}
//
// Rule numbers (R10.4), decisions (D42), chance events (C9) and rulings (Ruling 33, R-09) in
// comments are those of data/rules.json, data/decisions.json and RULINGS.md. A unit
// is a slot: its counter, or for Militia and Army a place whose counter is hidden.
// What is under way (a build, a move, an attack, an assassination, the Revolution)
// is a small machine of its own in the position; advance carries the innermost one
// on until something is to be chosen or rolled.
package minuteman
