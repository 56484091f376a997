// Package domination is a multi-player world war with decks that players build
// (design Dan Verssen, development Holly Verssen, published by DVG; the printed title is
// lost, Domination is its starter card): two to six players place and fight Forces
// on 18 Land and 7 Sea Areas and score them in eight Game Turns.
//
//	g, _ := games.New("domination(players=3)")
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
// The rules follow the specification's order: board.go (the terms of section 2),
// hidden.go and shows.go (4), setup.go (5), turn.go and windows.go (6), use.go and
// points.go (7), texts.go and texts_chains.go (8), scoring.go (9, 10). Comments cite
// its rule numbers (R6.5), decisions (D14), chance events (C4) and rulings (Q18; the
// rulebook's sample turn is missing, Q41, its examples are scripts under testdata);
// data/rules.json lists the rules by title and RULINGS.md explains the rulings.
// Cards are data: cards.json writes each text in primitive ops, data_cards.go
// compiles them, and texts.go interprets them.
//
// README.md has the options, the vocabularies and the position format.
package domination
