package domination

import (
	"math/rand/v2"
	"testing"
)

// forcesAt returns a position with Forces: an Area id and a strength for each seat.
func forcesAt(t *testing.T, b *box, seats ...map[string]string) *Position {
	t.Helper()
	p := &Position{}
	for i, forces := range seats {
		for id, strength := range forces {
			a, ok := b.areaByID(id)
			if !ok {
				t.Fatalf("no Area %s", id)
			}
			p.Own[i] |= 1 << a
			if strength == "full" {
				p.Full |= 1 << a
			}
		}
	}
	return p
}

// R2.1, R2.2, R2.5, R2.6, R2.7, R2.8, R2.12: what a Build, a Reduction and a removal do.
func TestR2_2_ForcesAndSteps(t *testing.T) {
	b := testBox(t)
	p := forcesAt(t, b, map[string]string{"CAN": "struggling", "NAT": "full"}, map[string]string{"USA": "full"}, map[string]string{"MEX": "struggling"})
	can, usa, nat := AreaID(0), AreaID(1), AreaID(19)
	if got := p.Steps(p.Opposing(0)); got != 3 {
		t.Errorf("R2.12: %d opposing steps of seat 0, want 2 and 1", got)
	}
	if set := p.Buildable(0); set.Has(usa) || set.Has(nat) || !set.Has(can) || !set.Has(24) || set.Size() != 22 {
		t.Errorf("R2.5: seat 0 may build in %b", set)
	}
	p.Build(0, can)
	p.Build(0, 24)
	if !p.Full.Has(can) || p.Full.Has(24) || p.Owner(24) != 0 || p.Steps(p.Own[0]) != 5 {
		t.Errorf("R2.5: Builds lead to Forces in %b, full %b", p.Own[0], p.Full)
	}
	p.Reduce(usa)
	if p.Full.Has(usa) || p.Owner(usa) != 1 {
		t.Error("R2.6: a Full Force does not become Struggling")
	}
	p.Reduce(usa)
	if p.Owner(usa) != NoSeat {
		t.Error("R2.6: a Struggling Force does not leave the map")
	}
	p.Build(2, usa)
	if owners := (p.Own[0] | p.Own[1] | p.Own[2]).Size(); owners != p.Own[0].Size()+p.Own[1].Size()+p.Own[2].Size() {
		t.Error("R2.1: an Area holds two Forces")
	}
	p.Remove(1 << nat)
	if p.Owner(nat) != NoSeat || p.Full.Has(nat) {
		t.Error("R2.7: a Full Force does not leave in one go")
	}
}

// R2.9: monopolies of Regions and Resources, whatever the strength.
func TestR2_9_Monopolies(t *testing.T) {
	b := testBox(t)
	p := forcesAt(t, b, map[string]string{"AND": "full", "BRA": "struggling", "SCO": "full", "NAF": "struggling"}, map[string]string{"MEA": "full"})
	at := Board{&game{box: b}, p, nil}
	if at.regionMonopolies(0) != 1 || at.resourceMonopolies(0) != 0 || at.regionMonopolies(1) != 0 {
		t.Errorf("South America is %d Region monopolies and %d Resource monopolies", at.regionMonopolies(0), at.resourceMonopolies(0))
	}
	p.Remove(p.Own[1])
	p.Build(0, 9)
	if at.resourceMonopolies(0) != 1 {
		t.Error("Andes, North Africa and Middle East are no monopoly of Petroleum")
	}
}

// R2.4: the table of neighbours joins those of each Area.
func TestR2_4_NeighboursOfASet(t *testing.T) {
	b, rng := testBox(t), rand.NewPCG(2, 4)
	for range 1000 {
		set, want := AreaSet(rng.Uint64())&allAreas&AreaSet(rng.Uint64()), AreaSet(0)
		for a := range set.Each() {
			want |= b.Areas[a].Adjacent
		}
		if got := b.Neighbours(set); got != want {
			t.Fatalf("the neighbours of %b are %b, want %b", set, got, want)
		}
	}
}
