// Package jogu is Warriors of Jogu: Feint (designer Tony Chen, publisher Monsoon
// Publishing, 2018): two factions place cards in secret and in the open at five
// Locations and fight over those that their Location Cards name.
//
//	g, _ := games.New("jogu(first=agents,second=engineers)")
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
// The rules follow the rulebook's order, a file a chapter: setup.go,
// reinforcement.go, scout.go, deployment.go, play.go, abilities.go,
// resolution.go, cleanup.go, victory.go; events.go has the words in which a listener is
// told what they do. Comments cite the rule numbers of the
// specification (R10.3), its decisions (D6), chance events (C4) and rulings
// (Q12); data/rules.json says each rule in a sentence and RULINGS.md
// explains the rulings. Cards are data: cards.json writes each ability in primitives,
// and abilities.go and abilities_piles.go carry them out. table.go has a row for each
// question; position.go is the situation, which the shell of package flow plays on.
//
// README.md has the options, the vocabularies and the position format.
package jogu
