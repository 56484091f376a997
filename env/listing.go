package env

import (
	"powderkeg/engine"
	"powderkeg/engine/option"
)

// Listing is what people and clients choose a game by. In Listings the sizes are
// those of the game with its default options.
type Listing struct {
	Name            string          `json:"name"`
	Title           string          `json:"title"`
	Players         int             `json:"players"`
	Options         []option.Option `json:"options"`
	Actions         int             `json:"actions"`
	ObservationSize int             `json:"observation_size"`
	MaxDecisions    int             `json:"max_decisions"`
}

// Listings describes every game.
func Listings() ([]Listing, error) {
	var list []Listing
	for _, f := range Families() {
		g, err := NewGame(f.Name)
		if err != nil {
			return nil, err
		}
		l, err := ListingOf(g)
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

// ListingOf describes a game: its family's options, and the sizes that it has with its own.
func ListingOf(g engine.Game) (Listing, error) {
	spec := g.Spec()
	f, err := Families().Find(spec.Name)
	if err != nil {
		return Listing{}, err
	}
	encoder, err := EncoderFor(g)
	if err != nil {
		return Listing{}, err
	}
	options := f.Options
	if options == nil {
		options = []option.Option{}
	}
	return Listing{f.Name, f.Title, spec.Seats, options, len(spec.Actions), encoder.Layout().Size, spec.MaxDecisions}, nil
}
