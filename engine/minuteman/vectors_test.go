package minuteman

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"powderkeg/engine"
	"powderkeg/engine/option"
)

// configured makes a game for tests inside the package.
func configured(t testing.TB, args ...option.Argument) *game {
	t.Helper()
	v, err := option.Check("minuteman", Family.Options, args)
	if err != nil {
		t.Fatal(err)
	}
	made, err := Family.Configure(v)
	if err != nil {
		t.Fatal(err)
	}
	return made.(*game)
}

func argument(name, value string) option.Argument { return option.Argument{Name: name, Value: value} }

// bare is a position without units in a phase.
func bare(g *game, ph phase, turn uint8) Position {
	p := g.newPosition()
	p.Turn = turn
	g.enter(&p, nil, ph)
	p.Window = uint8(g.Seats)
	return p
}

// viewOf makes a view of a position.
func viewOf(g *game, p *Position) *View {
	v := &View{}
	v.G, v.P, v.Seat = g, *p, engine.Everything
	return v
}

// calls compute what an example of the specification asks for with the engine's own
// functions. Arguments are those of the example.
func calls(t *testing.T) map[string]func(a []any) any {
	g := configured(t)
	partisan := configured(t, option.Argument{Name: "scenario", Value: "partisan"})
	n := func(x any) int { return int(x.(float64)) }
	row := func(rows *[7][7]result, a []any) any { return resultNames[rows[n(a[1])][min(n(a[0]), 7)-1]] }
	militaryColumn := func(a []any) int {
		side := slices.Index([]string{"rebel", "government"}, a[0].(string))
		place := slices.Index(terrainNames[:], a[1].(string))
		if n(a[2]) == 1 {
			place = int(numTerrains)
		}
		return oddsColumn(g.Military.Lines[g.militaryLine[side][place]].Odds[:], n(a[3]), n(a[4]))
	}
	reaction := func(kind string, count, die, shift int) string {
		ends := &g.Reaction.Riots
		if kind == "builds" {
			ends = &g.Reaction.Builds
		}
		r := g.Reaction.Cells[die][max(0, column(ends[:], count)-shift)]
		switch {
		case r.agents > 0:
			return fmt.Sprintf("%dA", r.agents)
		case r.cigs > 0:
			return fmt.Sprintf("%dC", r.cigs)
		}
		return "none"
	}
	return map[string]func(a []any) any{
		"cig_air_rail": func(a []any) any {
			p := bare(g, phaseG3, 1)
			u := g.add(&p, nil, "", cig, 0, g.index["2715"])
			p.Units[u].Step = uint8(n(a[0]))
			for h := g.open.next(0); h != noHex; h = g.open.next(h + 1) {
				if g.distance(g.index["2715"], h) == n(a[1]) {
					p.Move = Movement{Stage: moveDest, Unit: u, Dest: h, Mode: actAirRail}
					g.fly(&p, nil)
					return int(p.Units[u].Step)
				}
			}
			return nil
		},
		"mm_column": func(a []any) any {
			c := column(g.Minutemen.Columns[:], n(a[0])) - n(a[1])
			return []any{float64(g.Minutemen.Columns[c-1] + 1), float64(g.Minutemen.Columns[c])}
		},
		"mm_move": func(a []any) any { return resultNames[g.minutemanResult(n(a[0]), n(a[1]), n(a[2]))] },
		"build_column": func(a []any) any {
			return []string{"1", "2", "3", "4", "5", "6+"}[min(6, n(a[0])+int(partisan.sc.BuildShift))-1]
		},
		"build":      func(a []any) any { return resultNames[g.Build.Cells[n(a[1])][min(6, n(a[0])+n(a[2]))-1]] },
		"sed_column": func(a []any) any { return min(7, n(a[0])+int(partisan.sc.SeditionShift)) },
		"sedition":   func(a []any) any { return row((*[7][7]result)(&g.Sedition.Cells), a) },
		"subversion": func(a []any) any { return row((*[7][7]result)(&g.Subversion.Cells), a) },
		"mil_column": func(a []any) any { return militaryColumn(a) },
		"military":   func(a []any) any { return resultNames[g.Military.Cells[n(a[5])][militaryColumn(a)]] },
		"infiltration": func(a []any) any {
			return resultNames[g.Infiltration.Cells[n(a[2])][oddsColumn(g.Infiltration.Columns[:], n(a[0]), n(a[1]))]]
		},
		"odds": func(a []any) any {
			if r := ratio(n(a[0]), n(a[1])); r > 0 {
				return fmt.Sprintf("%d-1", r)
			} else {
				return fmt.Sprintf("1-%d", -r)
			}
		},
		"abp":      func(a []any) any { return n(a[1]) <= int(g.success[n(a[0])]) },
		"season":   func(a []any) any { return []any{g.Season.Order[(n(a[0])-1)%4], float64((n(a[0])-1)/4 + 1)} },
		"distance": func(a []any) any { return g.distance(g.index[a[0].(string)], g.index[a[1].(string)]) },
		"ret": func(a []any) any {
			if h := g.events[n(a[1])-1][n(a[0])-1]; h != noHex {
				return g.hexes[h].id
			}
			return "Pick"
		},
		"setup": func(a []any) any {
			p := bare(g, phaseA1, 1)
			for i := range p.Chits {
				p.Chits[i] = 2
			}
			p.SetUp.Chits = chitMinutemen
			g.setUpChit(&p, nil, n(a[0])-1)
			var ids []any
			for h := p.Occupied.next(0); h != noHex; h = p.Occupied.next(h + 1) {
				ids = append(ids, g.hexes[h].id)
			}
			return ids
		},
		"reaction":       func(a []any) any { return reaction(a[0].(string), n(a[1]), n(a[2]), 0) },
		"reaction_shift": func(a []any) any { return reaction(a[0].(string), n(a[1]), n(a[2]), int(partisan.sc.ReactionShift)) },
		"ladder": func(a []any) any {
			f := configured(t, option.Argument{Name: "foreign_intervention", Value: "true"})
			p := bare(f, phaseN, 24)
			p.Foreign.Stage, p.Foreign.Seat = foreignDone, 1
			return f.steps(&p, n(a[0]))
		},
		"commit": func(a []any) any {
			p := bare(partisan, phaseN, 6)
			p.Commit = uint8(n(a[1]))
			return partisan.steps(&p, n(a[0]))
		},
		"victory": func(a []any) any { return victoryOf(g, a[0].(map[string]any)) },
		"march": func(a []any) any {
			cost := 0
			for _, name := range a[1].([]any) {
				for h := range g.hexes {
					if terrainNames[g.hexes[h].terrain] == name.(string) {
						cost += int(g.hexes[h].cost[b2u(a[0].(string) == "Winter")])
						break
					}
				}
			}
			return cost
		},
	}
}

// victoryOf lays out a position with the counts of an example and returns its level
// (R24.3).
func victoryOf(g *game, counts map[string]any) int {
	p := bare(g, phaseN, 24)
	if counts["rev"].(bool) {
		p.RevTurn = 10
	}
	at := HexID(0)
	place := func(key string, f func(h HexID)) {
		for range int(counts[key].(float64)) {
			for at++; !g.pop1.has(at) || !g.open.has(at); at++ {
			}
			f(at)
		}
	}
	place("net", func(h HexID) { g.add(&p, nil, "", network, 1, h) })
	place("cig", func(h HexID) { g.add(&p, nil, "", cig, 0, h) })
	place("mm", func(h HexID) { g.add(&p, nil, "", minuteman, 1, h) })
	place("agt", func(h HexID) { g.add(&p, nil, "", agent, 0, h) })
	place("army", func(h HexID) {
		g.addMasked(&p, nil, "", 40+CounterID(g.groupCount(&p, armored)+g.groupCount(&p, infantry)), h, 0)
	})
	place("mil", func(h HexID) { g.addMasked(&p, nil, "", CounterID(g.groupCount(&p, militia1)), h, 0) })
	c := g.partisanCities(&p)
	return g.level(&p, &c)
}

// TestExamples computes the numeric examples of the specification: R8.3, R10.9 to
// R10.13, R13, R15, R22.1, R24.2 to R24.4, R25.10 and R25.13. Those about what
// units do are scripts.
// Ruling 6.
// Ruling 18.
// Ruling 25.
func TestExamples(t *testing.T) {
	data, err := os.ReadFile("testdata/examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		ID, Cite, Fn string
		Args         []any
		Expect       any
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	fns := calls(t)
	done := 0
	for _, e := range list {
		f, ok := fns[e.Fn]
		if !ok {
			continue
		}
		done++
		got := f(e.Args)
		if k, ok := got.(int); ok {
			got = float64(k)
		}
		if !reflect.DeepEqual(got, e.Expect) {
			t.Errorf("%s (%s): %s%v is %v, want %v", e.ID, e.Cite, e.Fn, e.Args, got, e.Expect)
		}
	}
	if done != 44 {
		t.Errorf("%d examples computed, want 44", done)
	}
}
