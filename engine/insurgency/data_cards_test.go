package insurgency

import (
	"slices"
	"testing"
)

// R8.7, R14.1: data/effects.json explains every op and every key, in the order of the code.
func TestEffectRecords(t *testing.T) {
	v := file[any](t, "effects")
	ops := raw(v, "ops").(map[string]any)
	for _, e := range effects[:opJump] {
		if ops[e.name] == nil {
			t.Errorf("op %s is not explained", e.name)
		}
	}
	keys := raw(v, "momentum").([]any)
	if len(ops) != int(opJump) || len(keys) != int(numMomentum) {
		t.Errorf("%d ops and %d momentum keys, want %d and %d", len(ops), len(keys), opJump, numMomentum)
	}
	for i, k := range keys {
		if until := raw(k, "until"); raw(k, "key") != momentumNames[i] || until != "round" && until != "game" {
			t.Errorf("momentum %v until %v", raw(k, "key"), until)
		}
	}
}

// R8.7: the names of the keys, and the constants by which players know them.
func TestMomentumKeys(t *testing.T) {
	want := []string{
		FusionCenters: "fusion_centers", NoTravel: "no_travel", HighwayPatrol: "highway_patrol", InternetOfThings: "iot", Leader: "leader",
		Analytics: "analytics", GhostGuns: "ghost_guns", TaxRevolt: "tax_revolt", Truckers: "truckers", Plague: "plague",
		Ceasefire: "ceasefire", Blackout: "blackout", OpenBorders: "open_borders", OilShock: "oil_shock", Blizzard: "blizzard",
		BroadbandPlus: "broadband_plus", BroadbandMinus: "broadband_minus",
	}
	if !slices.Equal(momentumNames, want) {
		t.Errorf("the keys are %v, want %v", momentumNames, want)
	}
}
