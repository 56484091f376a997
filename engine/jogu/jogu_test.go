package jogu_test

import (
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/enginetest"
	"powderkeg/engine/jogu"
	"powderkeg/engine/script"
)

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
			enginetest.Run(t, enginetest.Suite{Game: enginetest.Game(t, name), Games: 4, Every: 7, Position: jogu.Position{}, Reveals: comesToLight})
		})
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for _, name := range settings {
		enginetest.Allocs(t, enginetest.Game(t, name))
	}
}

func TestScripts(t *testing.T) {
	if n := enginetest.Scripts(t, "testdata/vectors", script.Options{}); n != 74 {
		t.Errorf("%d scripts of the specification's examples, want 74", n)
	}
	if n := enginetest.Scripts(t, "testdata/rules", script.Options{}); n == 0 {
		t.Error("no scripts of our own")
	}
}

func FuzzPlay(f *testing.F) {
	var all []engine.Game
	for _, name := range settings {
		all = append(all, enginetest.Game(f, name))
	}
	enginetest.Fuzz(f, comesToLight, all...)
}

func FuzzLoad(f *testing.F) {
	enginetest.FuzzLoad(f, 60, 1, enginetest.Game(f, "jogu(first=mibits,second=engineers,expansion=true,start=first)"))
}
