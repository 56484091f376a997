package insurgency_test

import (
	"fmt"
	"slices"
	"testing"
)

// netOps predicts Fundraise and Unrest from the last roll on (R10.7, R11.1, R11.3), where no
// space has to be tested.
func (a *atlas) netOps(t *testing.T, v, after *table, move string, checked map[string]int) {
	t.Helper()
	o := v.Operation
	if o.Rolls != 1 || o.Choices != 0 || v.Decision != "C4" && v.Decision != "C5" || o.Kind == "recruit" {
		return
	}
	var face int
	if _, err := fmt.Sscanf(move, "D20_%d", &face); err != nil {
		t.Fatal(err)
	}
	selected := append(slices.Clone(o.Selections), a.rolled(o.Type, face))
	money, space := v.Rebel, map[string]site{}
	for _, id := range selected {
		if v.Space[id].Status == "unmarked" {
			return
		}
		space[id] = *v.Space[id]
	}
	if o.Kind == "unrest" {
		money -= len(selected)
	}
	for _, id := range selected {
		s := space[id]
		if o.Kind == "fundraise" && (s.Status == "defiance" || s.Status == "revolt") {
			money = min(30, money+2*a.pop[id])
		}
		if o.Kind == "unrest" && s.Status != "order" {
			s.Unrest = min(3, s.Unrest+1)
		}
		space[id] = s
	}
	up := map[string]string{"order": "anger", "anger": "defiance", "defiance": "revolt"}
	for id, s := range space {
		if o.Kind == "unrest" && s.Status != "revolt" && s.Unrest > factors[s.Status] {
			s.Status, s.Unrest = up[s.Status], 0
		}
		a.expect(t, checked, o.Kind, *after.Space[id], s)
	}
	if !o.Free {
		a.expect(t, checked, o.Kind, after.Rebel, money)
	}
}

// rolled reads the tables C4 and C5.
func (a *atlas) rolled(kind *string, face int) string {
	metros := []string{"", "los_angeles", "los_angeles", "phoenix", "phoenix", "san_francisco", "san_francisco", "seattle", "seattle", "denver",
		"dallas", "dallas", "atlanta", "miami", "miami", "washington", "washington", "new_york", "new_york", "chicago", "chicago"}
	regions := []string{"", "cascadia", "cascadia", "big_sky", "big_sky", "mesa", "mesa", "plains", "plains", "texas", "texas",
		"south", "south", "south", "midwest", "midwest", "midwest", "appalachia", "appalachia", "east_coast", "east_coast"}
	if kind == nil { // the first of the kinds is the one that is not written
		return metros[face] + "_city"
	}
	if *kind == "region" {
		return regions[face]
	}
	return metros[face] + "_" + *kind
}

// administration predicts R15 from a last card that changed nothing but reserves, up
// to the first choice or draw of the news cycle (R9.3).
func (a *atlas) administration(t *testing.T, v, after *table, move string, checked map[string]int) {
	t.Helper()
	if v.Decision != "D3" || move != "OP_reserves" || v.Card.Mode == nil || *v.Card.Mode == "ops_then_event" || after.Phase != "administration" {
		return
	}
	bases := map[string]int{}
	for _, s := range v.Space {
		bases["federal"] += s.Federal
		bases["rebel"] += s.Rebel
	}
	a.expect(t, checked, "A2", after.Federal, min(30, v.Federal+2*bases["federal"]))
	a.expect(t, checked, "A2", after.Rebel, min(30, v.Rebel+bases["rebel"]))
	for id, s := range v.Space {
		a.expect(t, checked, "A3", after.Space[id].Sleepers, s.militia()-s.militia()/3)
		a.expect(t, checked, "A4", after.Space[id].Active, 0)
	}
	a.expect(t, checked, "A5", [2]int{after.RebelRes, after.FedRes}, [2]int{})
	a.expect(t, checked, "A5", after.RebelSM || after.FedSM, false)
	for _, m := range after.Momentum {
		if !slices.Contains([]string{"fusion_centers", "iot", "leader", "analytics", "open_borders"}, m.Key) {
			t.Fatalf("A5: %s goes on", m.Key)
		}
	}
	var best []int
	for _, n := range v.Pool {
		if len(best) == 0 || a.viral[n] > a.viral[best[0]] {
			best = nil
		}
		if len(best) == 0 || a.viral[n] == a.viral[best[0]] {
			best = append(best, n)
		}
	}
	if after.Decision == "D27" {
		a.expect(t, checked, "D27", len(best) > 1, true)
		return
	}
	if len(best) == 1 && v.Active.Slot1 != nil {
		a.expect(t, checked, "A6", *after.Active.Slot1, best[0])
		a.expect(t, checked, "A6", *after.Active.Slot2, *v.Active.Slot1)
		a.expect(t, checked, "A6", *after.Active.Slot3, *v.Active.Slot2)
	}
}
