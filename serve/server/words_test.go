package server_test

import (
	"strings"
	"testing"

	"powderkeg/serve/protocol"
)

// The code of an error says that the client is wrong; its message does not say so again in the
// words of a command line.
func TestMessagesHaveNoWordsOfTheCommandLine(t *testing.T) {
	address, _ := start(t, config())
	c := dial(t, address)
	_, game := c.MakeEnv(t.Context(), &protocol.EnvMake{Game: "liars_dice(dice=1000)"})
	wantCode(t, "an option out of range", game, protocol.CodeGame, "dice is a whole number from 1 to 5")
	_, dataset := c.OpenDataset(t.Context(), &protocol.DatasetOpen{Game: "kuhn", Agents: []string{"random"}, Episodes: 1 << 60})
	wantCode(t, "too many episodes", dataset, protocol.CodeParams, "want 1 to")
	for _, err := range []error{game, dataset} {
		if err != nil && strings.Contains(err.Error(), "wrong usage") {
			t.Errorf("the message is %q", err)
		}
	}
}
