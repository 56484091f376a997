package jogu_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/games"
	"powderkeg/engine/jogu"
)

func game(t testing.TB, text string) engine.Game {
	t.Helper()
	g, err := games.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// settings are game strings that together use every option and every deck on
// both sides.
var settings = []string{
	"jogu",
	"jogu(first=mibits,second=mibits)",
	"jogu(first=agents,second=mibits,start=second)",
	"jogu(first=engineers,second=agents,auto_forced=false)",
	"jogu(first=engineers,second=guards,start=first)",
	"jogu(first=hours,second=wu,expansion=true)",
	"jogu(first=any,second=any,expansion=true)",
	"jogu(first=any,second=any,auto_forced=false)",
}

func TestConformance(t *testing.T) {
	for _, name := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.Run(t, enginetest.Suite{Game: game(t, name), Games: 4, Every: 7, Position: jogu.PlainPosition})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", games.New); n != 70 {
		t.Errorf("%d scripts of the specification's examples, want 70", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", games.New); n == 0 {
		t.Error("no scripts of our own")
	}
}
