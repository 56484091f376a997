// Package insurgency is 2040: An American Insurgency (designer Edward Castronova,
// publisher Compass Games, 2022): Rebel and Federal play cards for events and
// operations on a map of the United States and fight for its cities, suburbs and
// regions.
//
//	g, _ := games.New("insurgency(scenario=resistance)")
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
// The rules lie a file a chapter: pieces.go (R3), spaces.go (R4), roads.go (R4.8),
// victory.go (R5), turn.go (R6, R8), stories.go (R9), netops.go (R10), rebel.go (R11),
// federal.go (R12), move.go (R11.4, R12.3), general.go (R13), event*.go (R14),
// administration.go (R15), setup.go and custom.go (R16), hidden.go and shows.go (R19).
// Comments cite the rule numbers of the specification (R10.3), its decisions (D6),
// chance events (C4) and rulings (Q12); data/rules.json lists the rules by title and
// RULINGS.md explains the rulings. Cards are data: event_cards.json writes each text in
// steps (step.go), compile.go turns those of a card into a short program, and event*.go
// interprets it by a table of ops.
//
// README.md has the options, the vocabularies and the position format.
package insurgency
