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
// table.go is the table of the game: a row for each step, with its question and what asks and
// answers it. Cards and abilities are data: their files write each in primitive ops,
// effects.go is the table of what each does, and programs.go, police.go and liberation.go carry
// them out. pieces.go alone moves pieces, and tells of it (events.go). queries.go is what
// encoders and players ask of the rules, view.go what they see.
//
// README.md has the options, the vocabularies and the position format.
package bloc
