package minuteman

import (
	"testing"

	"powderkeg/engine"
)

// TestCityPrices is about R8.3: what an observer reads of a city is the chart's column
// of the price of the path, and a free way is unlike the dearest.
func TestCityPrices(t *testing.T) {
	seen := map[float32]bool{}
	for _, g := range slowGames(t)[:3] {
		positions(t, g, 6, func(p *Position) bool {
			return p.Ask == askDestination && p.Actor >= 0 && g.kind[p.Move.Unit] == minuteman && p.RevTurn == 0
		}, func(p *Position) {
			var got [numCities]float32
			viewOf(g, p).CityPrices(&got)
			ends := g.mmTargets(p, p.Move.Unit)
			for c, h := range g.cityHex {
				want := float32(0)
				if ends.has(h) {
					var hexes [numHexes]HexID
					_, price := g.path(p, p.Move.Unit, h, &hexes)
					if want = 1; price > 4 {
						want = float32(column(g.Minutemen.Columns[:], price)) / 8
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

// TestColumnBeforeTheDie is about R10.2 to R10.13, R20.6 and R20.7: the column that an
// observer reads is the one in which the attack is resolved. At the die it always is,
// since all that take part are revealed; while attackers are added it is if nobody that
// takes part is untried and the defence has nothing to choose.
func TestColumnBeforeTheDie(t *testing.T) {
	early, columns := 0, map[[2]int]bool{}
	games := append(slowGames(t), configured(t, argument("players", "3")), configured(t, argument("players", "4")))
	for _, g := range games {
		look := func(p *Position, seat engine.Player) Chain {
			return engine.Look(g.newState(p), seat).(*View).Chain()
		}
		want := func(p *Position) bool {
			return p.Ask == askCombatDie || p.Ask == askAttackers && p.Part == 0 && p.Words[0]&1 != 0
		}
		positions(t, g, 150, want, func(p *Position) {
			s := g.newState(p)
			before := look(p, 0)
			for s.P.Ask == askAttackers {
				if err := s.Apply(actDone); err != nil {
					t.Fatal(err)
				}
			}
			if s.P.Ask != askCombatDie || before.Known != before.Defence && p.Ask == askAttackers || g.anyUntried(p) {
				return
			}
			d := g.defenders(&s.P)
			truth := g.combatColumn(&s.P, &d, truth)
			if p.Ask == askAttackers {
				early++
			}
			columns[[2]int{int(p.Combat.Kind), truth}] = true
			if before.Column != truth {
				t.Fatalf("%s, turn %d, %s: %s on %s shows column %d, it is resolved in %d", g.spec.Text, p.Turn, g.table[p.Ask].Name,
					attackNames[p.Combat.Kind], g.hexes[p.Combat.Target].id, before.Column, truth)
			}
			if p.Ask == askCombatDie && p.Combat.Kind <= infiltration && before.Known != before.Defence {
				t.Fatalf("%s: a revealed defence is known as %g of %g", g.spec.Text, before.Known, before.Defence)
			}
		})
	}
	if early < 20 || len(columns) < 8 {
		t.Errorf("only %d attacks before they were committed, and %d columns", early, len(columns))
	}
}

// anyUntried reports whether an attacker is untried.
func (g *game) anyUntried(p *Position) bool {
	c := &p.Combat
	for u := c.Attackers.next(milFirst); u < agtFirst; u = c.Attackers.next(u + 1) {
		if p.Units[u].Marks&untried != 0 {
			return true
		}
	}
	return false
}
