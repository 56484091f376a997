package insurgency

import "powderkeg/engine"

// What is printed on cards, for people.

// Printed returns what is in the box that ships. An error is a fault of the program.
func Printed() (*Box, error) { return loadBox() }

// BoxOf returns what is in the box of a game, as its edition has it, nil for another game.
func BoxOf(g engine.Game) *Box {
	if own, ok := g.(*game); ok {
		return own.box
	}
	return nil
}

// Shipped reports whether the game is played by the data that ship, not by an edition.
func (s *View) Shipped() bool { return s.G.box.shipped }

// Card returns what is printed on event card n, 1 to 92.
func (b *Box) Card(n int) CardFacts {
	e := &b.programs[n]
	return CardFacts{e.name, e.text, player(e.side), int(e.ops), e.momentum}
}

// StoryFacts is what is printed on a story.
type StoryFacts struct {
	Title            string
	Virality, Factor int
}

// Story returns what is printed on story n, 1 to 20.
func (b *Box) Story(n int) StoryFacts {
	s := &b.stories[n]
	return StoryFacts{s.title, int(s.virality), int(s.factor)}
}

// InPlay returns the event card that a key of an event in play stands for, what the event
// does, and whether it ends with the round rather than with the game.
func (b *Box) InPlay(k MomentumKey) (card int, text string, round bool) {
	m := &b.momentum[k]
	return int(m.card), m.text, m.round
}

// Space returns what is printed on space i.
func (b *Box) Space(i int) SpaceFacts { return b.spaces[i].facts() }
