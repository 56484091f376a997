package minuteman

import (
	"math/rand/v2"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/option"
)

// positions plays random games and calls f with every position that a filter
// admits, at most n of them.
func positions(t *testing.T, g *game, n int, want func(p *Position) bool, f func(p *Position)) {
	t.Helper()
	rng := rand.NewPCG(7, 7)
	seen := 0
	for round := 0; seen < n && round < 60; round++ {
		s := g.New().(*State)
		for s.ToAct() != engine.Terminal && seen < n {
			if want(&s.P) {
				seen++
				f(&s.P)
			}
			moves := engine.Moves(s)
			a := moves[engine.Uint32N(rng, uint32(len(moves)))]
			if a == actRevolution && engine.Uint32N(rng, 20) > 0 && len(moves) > 1 { // see the time before it too
				a = moves[0]
			}
			if err := s.Apply(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	if seen == 0 {
		t.Fatalf("%s: no position to compare", g.spec.Text)
	}
}

func slowGames(t *testing.T) []*game {
	return []*game{
		configured(t),
		configured(t, option.Argument{Name: "scenario", Value: "partisan"}),
		configured(t, option.Argument{Name: "scenario", Value: "occupation"}),
		configured(t, option.Argument{Name: "canada_mexico", Value: "true"}),
	}
}

// slowControlled tells by R4.1 and R4.2, hex by hex, whether a side controls h;
// units in the hex except count in that hex only (R4.5).
func slowControlled(g *game, p *Position, rebel bool, h, except HexID) bool {
	for u := range UnitID(numUnits) {
		at := p.Units[u].Hex
		if at == noHex || g.isRebel(p, u) != rebel {
			continue
		}
		zone := false
		switch g.kind[u] {
		case army, cig:
			zone = true
		case militia:
			zone = p.RevTurn > 0 || g.Scenario == Partisan
		case network:
			zone = p.RevTurn > 0 || g.Scenario == Partisan && g.riotAt(p, at)
		}
		if !zone {
			continue
		}
		if at == h {
			return true
		}
		if at == except {
			continue
		}
		for _, n := range g.hexes[h].near {
			if n == at {
				return true
			}
		}
	}
	return false
}

// TestZonesAgreeWithSlow is about R4.1, R4.2, R4.5 and R25.5.
func TestZonesAgreeWithSlow(t *testing.T) {
	for _, g := range slowGames(t) {
		positions(t, g, 12, func(p *Position) bool { return p.Turn > 1 && p.Actor >= 0 }, func(p *Position) {
			except := p.Occupied.next(HexID(p.Turn) * 30)
			for side := range team(2) {
				zone := g.zone(p, side, except)
				for h := range HexID(numHexes) {
					want, at := slowControlled(g, p, side == rebelTeam, h, except), g.controlled(p, side, h, except)
					if zone.has(h) != want || at != want {
						t.Fatalf("%s, turn %d: team %d controls %s: %v, asked for it alone %v, want %v",
							g.spec.Text, p.Turn, side, g.hexes[h].id, zone.has(h), at, want)
					}
				}
			}
		})
	}
}

// slowEnds finds by trying every path where a unit may end its move: R4.3, R8.4,
// R8.5, R9, R17.3 and R29.3.
func slowEnds(g *game, p *Position, u UnitID) map[HexID]bool {
	type state struct {
		h            HexID
		left, abroad int
	}
	rebel := g.isRebel(p, u)
	points, terrain := 10, g.kind[u] == army || g.kind[u] == militia
	if g.kind[u] == militia {
		points = 8
	}
	from := p.Units[u].Hex
	counts := g.Neighbours && g.kind[u] == militia && g.groupOf(p, u) <= militia3
	ends, seen := map[HexID]bool{}, map[state]bool{}
	var walk func(s state)
	walk = func(s state) {
		if seen[s] {
			return
		}
		seen[s] = true
		first := s == state{from, points, 0}
		if !first && slowControlled(g, p, !rebel, s.h, noHex) {
			return
		}
		for _, n := range g.hexes[s.h].near {
			if n == noHex || !g.mayEnter(p, u, n) {
				continue
			}
			if first && slowControlled(g, p, !rebel, from, noHex) && slowControlled(g, p, !rebel, n, noHex) {
				continue
			}
			next := state{n, s.left - 1, s.abroad}
			across := counts && (g.hexes[from].country != us || g.hexes[n].country != us)
			if terrain && !across {
				next.left = s.left - int(g.hexes[n].cost[b2u(p.Turn%4 == 0)])
			}
			if across {
				next.abroad++
			}
			if next.left < 0 || next.abroad > 2 {
				continue
			}
			if n != from {
				ends[n] = true
			}
			walk(next)
		}
	}
	walk(state{from, points, 0})
	return ends
}

// TestMovesAgreeWithSlow is about R4.3, R8.4, R8.5, R9, R17.2 and R17.3.
func TestMovesAgreeWithSlow(t *testing.T) {
	for _, g := range slowGames(t) {
		moving := func(p *Position) bool {
			return p.Move.Stage == moveDest && p.Move.Mode == actNormal && p.Actor >= 0 && !(g.kind[p.Move.Unit] == minuteman && p.RevTurn == 0)
		}
		positions(t, g, 8, moving, func(p *Position) {
			got, want := g.reach(p, p.Move.Unit), slowEnds(g, p, p.Move.Unit)
			for h := range HexID(numHexes) {
				if got.has(h) != want[h] {
					t.Fatalf("%s, turn %d: %s from %s to %s: %v, want %v", g.spec.Text, p.Turn, g.name[p.Move.Unit],
						g.hexes[p.Units[p.Move.Unit].Hex].id, g.hexes[h].id, got.has(h), want[h])
				}
			}
			first := g.canStep(p, p.Move.Unit)
			if first != (len(want) > 0) {
				t.Fatalf("%s: canStep is %v with %d ends", g.spec.Text, first, len(want))
			}
		})
	}
}

// slowCities is R25.12 by trying every line hex by hex.
func slowCities(g *game, p *Position) (c cities) {
	passable := func(h HexID) bool {
		if !g.playable.has(h) || slowControlled(g, p, true, h, noHex) {
			return false
		}
		rebels, army := false, false
		for u := range UnitID(numUnits) {
			if p.Units[u].Hex == h {
				rebels = rebels || g.kind[u] == network || g.kind[u] == minuteman
				army = army || u >= armyFirst && u < agtFirst && !g.isRebel(p, u)
			}
		}
		return !rebels || army
	}
	lines, reached := 0, [8]int{}
	for u := UnitID(armyFirst); u < agtFirst; u++ {
		if p.Units[u].Hex == noHex || p.Units[u].Marks&frontLine == 0 {
			continue
		}
		lines++
		seen := map[HexID]bool{}
		var walk func(h HexID)
		walk = func(h HexID) {
			if h == noHex || seen[h] || !passable(h) {
				return
			}
			seen[h] = true
			for _, n := range g.hexes[h].near {
				walk(n)
			}
		}
		walk(p.Units[u].Hex)
		for i, h := range g.board.partisan {
			if seen[h] {
				reached[i]++
			}
		}
	}
	for i, h := range g.board.partisan {
		if g.rebelHolds(p, h) {
			c.held |= 1 << i
		}
		if reached[i] == 0 {
			c.cut |= 1 << i
		}
		if lines > 0 && reached[i] == lines {
			c.open |= 1 << i
		}
	}
	return c
}

// TestPartisanCitiesAgreeWithSlow is about R25.12.
func TestPartisanCitiesAgreeWithSlow(t *testing.T) {
	g := configured(t, option.Argument{Name: "scenario", Value: "partisan"})
	cut := 0
	positions(t, g, 40, func(p *Position) bool { return p.Turn > 1 && p.Actor >= 0 && p.LastHex%3 == 0 }, func(p *Position) {
		got, want := g.partisanCities(p), slowCities(g, p)
		if got != want {
			t.Fatalf("turn %d: held, cut and open cities are %08b, want %08b", p.Turn, got, want)
		}
		cut += onesCount(want.cut)
	})
	if cut == 0 {
		t.Error("no city was cut in any position")
	}
}

// slowTargets is the set of D41 by trying every unit against every hex.
func slowTargets(g *game, p *Position, seat SeatID, k attackKind) (set hexSet) {
	if k > infiltration && (seat == p.Gov || seat == p.Fed) {
		return set
	}
	for h := range HexID(numHexes) {
		for u := range UnitID(numUnits) {
			at := p.Units[u].Hex
			near := at == h
			for _, n := range g.hexes[h].near {
				near = near || at != noHex && n == at
			}
			if !near || g.owner(p, u) != seat || !g.canStrike(p, u, k) || g.victims(p, seat, k, h) == 0 {
				continue
			}
			if gr := g.kind[u]; gr == army && seat == p.Gov { // R29.3
				if of := g.groupOf(p, u); of == canadianBrigade && g.hexes[h].country != canada || of == mexicanBrigade && g.hexes[h].country != mexico {
					continue
				}
			}
			set.add(h)
		}
	}
	return set
}

// TestTargetsAgreeWithSlow is about R10.3 and R29.3.
func TestTargetsAgreeWithSlow(t *testing.T) {
	for _, g := range slowGames(t) {
		found := 0
		positions(t, g, 10, func(p *Position) bool { return p.Ask == askAttack && p.Actor >= 0 }, func(p *Position) {
			for k := military; k <= sedition; k++ {
				enemies := g.targetable(p, SeatID(p.Actor))
				got, want := g.targetSet(p, SeatID(p.Actor), k, &enemies, false), slowTargets(g, p, SeatID(p.Actor), k)
				if got != want {
					t.Fatalf("%s, turn %d: %s can be directed at %d hexes, want %d", g.spec.Text, p.Turn, attackNames[k], got.count(), want.count())
				}
				found += want.count()
			}
		})
		if found == 0 {
			t.Errorf("%s: no target in any position", g.spec.Text)
		}
	}
}

// slowPrice is R8.3, R25.9 and R26.7 for one hex.
func slowPrice(g *game, p *Position, h HexID) int {
	list := g.tables.prices[g.priceList]
	price := int(list[3])
	for u := UnitID(armyFirst); u < numUnits; u++ {
		at := p.Units[u].Hex
		if at == noHex || g.isRebel(p, u) {
			continue
		}
		beside := at == h
		for _, n := range g.hexes[h].near {
			beside = beside || n == at
		}
		switch {
		case g.kind[u] == army && beside:
			price = max(price, int(list[0]))
		case g.kind[u] == cig && beside:
			price = max(price, int(list[1]))
		case g.kind[u] == agent && at == h:
			price = max(price, int(list[2]))
		}
	}
	return price
}

// TestPathsAgreeWithSlow is about R8.3: the path that a Minuteman takes is compared
// with the best of all by repeated improvement of whole paths.
// Ruling 3.
// Ruling 37.
func TestPathsAgreeWithSlow(t *testing.T) {
	for _, g := range slowGames(t)[:3] {
		positions(t, g, 4, func(p *Position) bool {
			return p.Ask == askDestination && p.Actor >= 0 && g.kind[p.Move.Unit] == minuteman && p.RevTurn == 0
		}, func(p *Position) {
			from := p.Units[p.Move.Unit].Hex
			prices := [numHexes]int{}
			for h := range prices {
				prices[h] = slowPrice(g, p, HexID(h))
			}
			type route struct {
				price int
				hexes []HexID
			}
			better := func(a, b *route) bool {
				if a.price != b.price {
					return a.price < b.price
				}
				if len(a.hexes) != len(b.hexes) {
					return len(a.hexes) < len(b.hexes)
				}
				for i := range a.hexes {
					if a.hexes[i] != b.hexes[i] {
						return a.hexes[i] < b.hexes[i]
					}
				}
				return false
			}
			best := map[HexID]*route{from: {}}
			for changed := true; changed; {
				changed = false
				for h := range HexID(numHexes) {
					r := best[h]
					if r == nil {
						continue
					}
					for _, n := range g.hexes[h].near {
						if n == noHex || n == from || !g.open.has(n) {
							continue
						}
						next := &route{r.price + prices[n], append(append([]HexID{}, r.hexes...), n)}
						if best[n] == nil || better(next, best[n]) {
							best[n], changed = next, true
						}
					}
				}
			}
			ends := g.mmTargets(p, p.Move.Unit)
			for h := ends.next(0); h != noHex; h = ends.next(h + 37) {
				var hexes [numHexes]HexID
				n, price := g.path(p, p.Move.Unit, h, &hexes)
				want := best[h]
				if want == nil || price != want.price || n != len(want.hexes) {
					t.Fatalf("%s: %s to %s costs %d in %d hexes, want %+v", g.spec.Text, g.hexes[from].id, g.hexes[h].id, price, n, want)
				}
				for i, x := range want.hexes {
					if hexes[i] != x {
						t.Fatalf("%s: %s to %s takes %s as hex %d, want %s", g.spec.Text, g.hexes[from].id, g.hexes[h].id, g.hexes[hexes[i]].id, i+1, g.hexes[x].id)
					}
				}
			}
		})
	}
}

// TestSupplyAgreesWithSlow is about R4.4, R4.5, R12.1, R12.2 and R12.3.
// Ruling 16.
func TestSupplyAgreesWithSlow(t *testing.T) {
	for _, g := range slowGames(t) {
		positions(t, g, 12, func(p *Position) bool { return p.Turn > 0 && p.Actor >= 0 }, func(p *Position) {
			for u := UnitID(milFirst); u < agtFirst; u++ {
				h := p.Units[u].Hex
				if h == noHex {
					continue
				}
				want := true
				for _, n := range g.hexes[h].near {
					if n == noHex || !g.playable.has(n) {
						continue
					}
					friend := false
					for v := UnitID(milFirst); v < agtFirst; v++ {
						friend = friend || p.Units[v].Hex == n && g.isRebel(p, v) == g.isRebel(p, u)
					}
					if friend || !slowControlled(g, p, !g.isRebel(p, u), n, h) {
						want = false
					}
				}
				if got := g.surrounded(p, u); got != want {
					t.Fatalf("%s: %s in %s is surrounded: %v, want %v", g.spec.Text, g.name[u], g.hexes[h].id, got, want)
				}
			}
		})
	}
}

// TestRetreatsAgreeWithSlow is about R11.2 and R4.5.
// Ruling 20.
func TestRetreatsAgreeWithSlow(t *testing.T) {
	for _, g := range slowGames(t) {
		positions(t, g, 6, func(p *Position) bool { return p.Ask == askRetreat && p.Actor >= 0 }, func(p *Position) {
			u := p.Combat.Retreater
			h, rebel := p.Units[u].Hex, g.isRebel(p, u)
			var byClass [3][]HexID
			for _, n := range g.hexes[h].near {
				if n == noHex || !g.mayEnter(p, u, n) {
					continue
				}
				c := g.look(p, n)
				friends, shelter := c.govern, c.govArmy
				if rebel {
					friends, shelter = c.rebel, c.count[militia] > 0 || c.heldArmy
				}
				if slowControlled(g, p, !rebel, n, h) && (p.Combat.Kind == infiltration || !shelter) {
					continue
				}
				class := 2
				if friends {
					class = 1
				}
				if !c.rebel && !c.govern {
					class = 0
				}
				byClass[class] = append(byClass[class], n)
			}
			got := g.retreats(p, u)
			for _, want := range byClass {
				if len(want) == 0 {
					continue
				}
				if got.count() != len(want) {
					t.Fatalf("%s: %d retreats of %s, want %v", g.spec.Text, got.count(), g.name[u], want)
				}
				for _, n := range want {
					if !got.has(n) {
						t.Fatalf("%s: %s may not retreat to %s", g.spec.Text, g.name[u], g.hexes[n].id)
					}
				}
				return
			}
		})
	}
}

// TestDropWithinAgreesWithDistances is about R3.2.
func TestDropWithinAgreesWithDistances(t *testing.T) {
	g := slowGames(t)[0]
	for h := range HexID(numHexes) {
		for distance := 1; distance < 14; distance++ {
			var got hexSet
			for x := range HexID(numHexes) {
				got.put(x, (int(x)+distance)%3 > 0)
			}
			want := got
			for x := range HexID(numHexes) {
				if g.distance(h, x) < distance {
					want.del(x)
				}
			}
			if g.dropWithin(&got, h, distance); got != want {
				t.Fatalf("less than %d from %s: %v is left, want %v", distance, g.hexes[h].id, got, want)
			}
		}
	}
}
