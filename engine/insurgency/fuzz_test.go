package insurgency_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
)

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, handSeen, all...)
}

func FuzzLoad(f *testing.F) { enginetest.FuzzLoad(f, 8, 1, enginetest.Game(f, "insurgency")) }
