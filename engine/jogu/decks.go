package jogu

import "powderkeg/engine"

// DeckFacts is what is printed on a faction and its cards.
type DeckFacts struct {
	Name  string
	Cards []DeckCard // by type
}

// DeckCard is what people read on a card.
type DeckCard struct {
	Key, Name, Text  string
	Strength, Morale int
	Stays            bool // Stay tokens can lie on it
}

// Decks returns all factions of a game, as its edition has them, in the order of
// data/factions.json and in a copy that belongs to the caller: none for another game.
func Decks(g engine.Game) []DeckFacts {
	own, ok := g.(*game)
	if !ok {
		return nil
	}
	b := own.box
	list := make([]DeckFacts, len(b.decks))
	for i := range b.decks {
		d := &b.decks[i]
		list[i].Name = d.Name
		for t, c := range d.cards {
			list[i].Cards = append(list[i].Cards, DeckCard{c.Key, c.Name, c.Text, int(c.Strength), int(c.Morale), TypeID(t) == d.tokened})
		}
	}
	return list
}
