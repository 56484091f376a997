// Package bloc is Bloc by Bloc: The Insurrection Game (Out of Order Games, version 1.0,
// 2016): factions of a city of 25 districts rise against the police, together or,
// with secret agendas, nearly together.
//
//	g, _ := games.New("bloc(scenario=autonomous_zone_1,players=3)")
//	s := g.New()
//	rng := rand.NewPCG(1, 2)
//	for s.ToAct() != engine.Terminal {
//		if s.ToAct() == engine.Chance {
//			s.Apply(engine.Sample(s.(engine.Stochastic).Outcomes(nil), rng))
//			continue
//		}
//		s.Apply(s.Legal(nil)[0])
//	}
//	fmt.Println(s.Returns(nil))
//
// The rules follow the rulebook's order, a file a chapter: setup.go, city.go, turn.go,
// menu.go, movement.go, trade.go, advanced.go, attack.go, police.go, sunrise.go,
// liberation.go, ending.go, loot.go. Comments cite the rule numbers of the
// specification (R8.4), its decisions (D25), chance events (C11) and rulings (Ruling 5);
// data/rules.json lists the rules by title and RULINGS.md explains the rulings.
//
// A rule is a method of the [Board]: the game, a position of it and a listener. table.go has a
// row for each step of the game, with its question, what puts it and what carries the answer
// out. programs.go has a row for each card and ability that takes several steps; the functions
// that it names are in loot.go and liberation.go. Police ops cards are lists of effects in the
// data, which effects.go and police.go interpret. Only pieces.go moves pieces. events.go lists
// the events. Encoders and players ask the exported methods of the Board and of its Position.
//
// README.md has the options, the vocabularies and the position format.
package bloc
