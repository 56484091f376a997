package env

import (
	"powderkeg/engine/option"
)

// Listing is what people and clients choose a game by. The sizes are those of
// the game with its default options.
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
	families := Families()
	for _, f := range families {
		g, err := families.New(f.Name)
		if err != nil {
			return nil, err
		}
		encoder, err := EncoderFor(g)
		if err != nil {
			return nil, err
		}
		spec := g.Spec()
		options := f.Options
		if options == nil {
			options = []option.Option{}
		}
		list = append(list, Listing{f.Name, f.Title, spec.Seats, options, len(spec.Actions), encoder.Layout().Size, spec.MaxDecisions})
	}
	return list, nil
}
