package cli

import (
	"context"

	"powderkeg/serve/client"
	"powderkeg/train/suite"
)

// Agents returns the agents of a server at an address (unix:PATH, tcp:HOST:PORT): another
// program's, or another machine's.
func Agents(ctx context.Context, address string) (suite.Source, error) {
	s, err := client.NewSource(ctx, address)
	if err != nil {
		return nil, err
	}
	return s, nil
}
