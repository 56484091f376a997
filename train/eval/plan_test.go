package eval

import "testing"

// TestEveryoneHoldsEverySeatEquallyOften covers duels, round robins, and more
// seats than contestants.
func TestEveryoneHoldsEverySeatEquallyOften(t *testing.T) {
	for _, c := range []struct{ contestants, seats, games, want int }{
		{2, 2, 100, 100},
		{2, 2, 99, 100},
		{3, 2, 100, 102}, // 3 pairs, 2 games per unit
		{5, 3, 1, 30},    // 10 line-ups, 3 games per unit
		{1, 2, 10, 10},
		{2, 3, 10, 12},
		{3, 4, 10, 12},
		{2, 4, 10, 16},
		{4, 4, 9, 12},
	} {
		p := newPlan(c.contestants, c.seats, c.games, false)
		if p.games() != c.want {
			t.Errorf("%d contestants, %d seats, at least %d games: plan has %d, want %d", c.contestants, c.seats, c.games, p.games(), c.want)
		}
		held := make([][]int, c.contestants)
		for i := range held {
			held[i] = make([]int, c.seats)
		}
		for n := range p.games() {
			for s := range c.seats {
				held[p.contestant(n, s)][s]++
			}
		}
		for i := range held {
			for s, got := range held[i] {
				if want := p.games() / c.contestants; got != want {
					t.Errorf("%d contestants, %d seats: contestant %d holds seat %d %d times, want %d", c.contestants, c.seats, i, s, got, want)
				}
			}
		}
	}
}

// TestUnitsShareChanceOnly checks the seeds of the games of a unit.
func TestUnitsShareChanceOnly(t *testing.T) {
	p := newPlan(2, 2, 8, false)
	chance, agents := map[uint64]int{}, map[uint64]int{}
	for n := range p.games() {
		s := p.seeds(1, n)
		chance[s.Chance]++
		agents[s.Agents]++
		if n%2 == 1 && s.Chance != p.seeds(1, n-1).Chance {
			t.Errorf("games %d and %d of one unit have different chance", n-1, n)
		}
	}
	if len(chance) != 4 || len(agents) != 8 {
		t.Errorf("8 games in 4 units have %d chance seeds and %d agents' seeds, want 4 and 8", len(chance), len(agents))
	}
}

// TestSoloSitsAloneOnEverySeat: the first contestant holds one seat of each game
// and each seat equally often, and the others share the rest equally.
func TestSoloSitsAloneOnEverySeat(t *testing.T) {
	for _, c := range []struct{ contestants, seats, games, want int }{
		{2, 2, 10, 10},
		{2, 4, 10, 12},
		{3, 4, 1, 8},  // two line-ups of the others
		{5, 3, 1, 18}, // six pairs of the others
		{3, 2, 7, 8},
	} {
		p := newPlan(c.contestants, c.seats, c.games, true)
		if p.games() != c.want {
			t.Errorf("%d contestants, %d seats, at least %d games: plan has %d, want %d", c.contestants, c.seats, c.games, p.games(), c.want)
		}
		held := make([][]int, c.contestants)
		for i := range held {
			held[i] = make([]int, c.seats)
		}
		for n := range p.games() {
			alone := 0
			for s := range c.seats {
				who := p.contestant(n, s)
				held[who][s]++
				if who == 0 {
					alone++
				}
			}
			if alone != 1 {
				t.Fatalf("%d contestants, %d seats: in game %d the first holds %d seats, want 1", c.contestants, c.seats, n, alone)
			}
		}
		for i := range held {
			for s, got := range held[i] {
				want := p.games() / c.seats
				if i > 0 {
					want = p.games() * (c.seats - 1) / c.seats / (c.contestants - 1)
				}
				if got != want {
					t.Errorf("%d contestants, %d seats: contestant %d holds seat %d %d times, want %d", c.contestants, c.seats, i, s, got, want)
				}
			}
		}
	}
}
