package insurgency

// What is printed on cards, for people.

// Printed returns what is in the game's box. An error is a fault of the program.
func Printed() (*Box, error) { return loadBox() }

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
