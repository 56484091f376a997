package minuteman

import "testing"

// TestCityPrices is about R8.3: what an observer reads of a city is the chart's column
// of the price of the path, and a free way is unlike the dearest.
func TestCityPrices(t *testing.T) {
	seen := map[float32]bool{}
	for _, g := range slowGames(t)[:3] {
		positions(t, g, 6, func(p *position) bool {
			return p.ask == askDestination && p.actor >= 0 && g.kind[p.move.unit] == minuteman && p.revTurn == 0
		}, func(p *position) {
			var got [numCities]float32
			(&State{g, *p}).CityPrices(&got)
			ends := g.mmTargets(p, p.move.unit)
			for c, h := range g.cityHex {
				want := float32(0)
				if ends.has(h) {
					var hexes [numHexes]int16
					_, price := g.path(p, p.move.unit, h, &hexes)
					if want = 1; price > 4 {
						want = float32(column(g.minutemanColumns[:], price)) / 8
					}
				}
				if seen[want] = true; got[c] != want {
					t.Fatalf("%s: %s is shown as %g, want %g", g.spec.Text, g.hexes[h].id, got[c], want)
				}
			}
		})
	}
	if !seen[0] || !seen[1] || len(seen) < 6 {
		t.Errorf("only %v were seen", seen)
	}
}
