package league

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"powderkeg/agents/network"
	"powderkeg/engine/enginetest"
)

// kuhnNet is a network of kuhn's sizes.
func kuhnNet(t testing.TB, seed uint64) *network.Network {
	t.Helper()
	n, err := network.New(network.Config{Inputs: 11, Actions: 2, Seats: 2, Hidden: []int{4}, Activation: network.ReLU}, rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func pool(t testing.TB, c Config) *Pool {
	t.Helper()
	p, err := New(enginetest.Game(t, "kuhn"), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func snapshot(t testing.TB, p *Pool, seed uint64) {
	t.Helper()
	if err := p.Snapshot(int64(seed), kuhnNet(t, seed)); err != nil {
		t.Fatal(err)
	}
}

// TestSeatsAreBalancedForAnyNumber: the learner holds each seat equally often,
// and members fill all others.
func TestSeatsAreBalancedForAnyNumber(t *testing.T) {
	p := pool(t, Config{Share: 1, Agents: []Named{{"random", 1}}})
	for seats := 1; seats <= 5; seats++ {
		held := make([]int, seats)
		rng := rand.NewPCG(1, 1)
		table := make([]int, seats)
		for turn := range uint64(10 * seats) {
			p.Seat(table, turn, rng)
			for s, id := range table {
				if id == Learner {
					held[s]++
				} else if p.Member(id) == nil {
					t.Fatalf("seat %d is held by member %d, which does not exist", s, id)
				}
			}
		}
		for s, n := range held {
			if n != 10 {
				t.Errorf("%d seats: the learner held seat %d %d times of %d, want 10", seats, s, n, 10*seats)
			}
		}
	}
}

// TestRotaSaysWhichSeatsTheLearnerTakes: three games of four in the second of two seats.
func TestRotaSaysWhichSeatsTheLearnerTakes(t *testing.T) {
	p := pool(t, Config{Share: 1, Rota: []int{0, 1, 1, 1}, Agents: []Named{{"random", 1}}})
	held, table, rng := make([]int, 2), make([]int, 2), rand.NewPCG(1, 1)
	for turn := range uint64(40) {
		p.Seat(table, turn, rng)
		held[slices.Index(table, Learner)]++
	}
	if want := []int{10, 30}; !slices.Equal(held, want) {
		t.Errorf("the learner held %v, want %v", held, want)
	}
}

// TestOpponentsComeByTheirShares: 16.3 is the 99.9% point of chi-squared with 3
// degrees of freedom.
func TestOpponentsComeByTheirShares(t *testing.T) {
	p := pool(t, Config{Share: 1, SnapshotEvery: 1, Capacity: 2, Agents: []Named{{"random", 0.2}, {"scripted", 0.3}}})
	for i := range 3 { // the first of them retires
		snapshot(t, p, uint64(i))
	}
	want := map[int]float64{0: 0.2, 1: 0.3, 3: 0.25, 4: 0.25}
	counts := map[int]int{}
	const draws = 20000
	rng := rand.NewPCG(5, 5)
	table := make([]int, 2)
	for range draws {
		p.Seat(table, 0, rng)
		counts[table[1]]++
	}
	chi := 0.0
	for id, share := range want {
		d := float64(counts[id]) - draws*share
		chi += d * d / (draws * share)
	}
	if len(counts) != len(want) || chi > 16.3 {
		t.Errorf("members came %v times, want shares %v (chi-squared %.1f)", counts, want, chi)
	}
}

// TestPrioritiesFollowTheRates sets the rates of three members by games and
// compares how often they come with the weights of Vinyals and others (2019). 13.8 is the
// 99.9% point of chi-squared with 2 degrees of freedom.
func TestPrioritiesFollowTheRates(t *testing.T) {
	rates := []float64{0.2, 0.5, 0.9}
	for _, test := range []struct {
		matchmaking Matchmaking
		weights     []float64
	}{
		{Matchmaking{Priority: Hard, Power: 2}, []float64{0.64, 0.25, 0.01}},
		{Matchmaking{Priority: Hard, Power: 1}, []float64{0.8, 0.5, 0.1}},
		{Matchmaking{Priority: Variance}, []float64{0.16, 0.25, 0.09}},
		{Matchmaking{Priority: Uniform, Power: 2}, []float64{1, 1, 1}},
		{Matchmaking{}, []float64{1, 1, 1}},
	} {
		p := pool(t, Config{Share: 1, SnapshotEvery: 1, Capacity: 2, Agents: []Named{{"random", 0}}, Matchmaking: test.matchmaking})
		snapshot(t, p, 1)
		snapshot(t, p, 2)
		total := 0.0
		for i, rate := range rates {
			m := p.Members()[i]
			const games = 1e9 // so many that the draw that Rate adds does not count
			m.RecentGames, m.RecentPoints = games, rate*games
			total += test.weights[i]
		}
		const draws = 30000
		counts := make([]float64, 3)
		rng := rand.NewPCG(7, 7)
		for range draws {
			counts[p.draw(rng)]++
		}
		chi := 0.0
		for i, w := range test.weights {
			want := draws * w / total
			chi += (counts[i] - want) * (counts[i] - want) / want
		}
		if chi > 13.8 {
			t.Errorf("%+v: members beaten at the rates %v came %v times, want the weights %v (chi-squared %.1f)", test.matchmaking, rates, counts,
				test.weights, chi)
		}
	}
}

// TestRatesForgetThePast: after a hundred losses, wins bring the rate to ½ in
// ln 2 / 0.1, about 7 games with a memory of ten, and in as many as were lost with one of
// all.
func TestRatesForgetThePast(t *testing.T) {
	for _, test := range []struct {
		forget   float64
		from, to int
	}{{0, 100, 100}, {0.1, 6, 8}} {
		var m Member
		if m.Rate() != 0.5 {
			t.Errorf("the rate before the first game is %v, want 0.5", m.Rate())
		}
		for range 100 {
			m.record(0, test.forget)
		}
		wins := 0
		for ; m.Rate() < 0.5; wins++ {
			m.record(1, test.forget)
		}
		if wins < test.from || wins > test.to {
			t.Errorf("forgetting %v a game, the rate is ½ after %d wins, want %d to %d", test.forget, wins, test.from, test.to)
		}
		if m.Games != int64(100+wins) || m.Points != float64(wins) {
			t.Errorf("forgetting %v, %d games with %v points are on record, want all: %d with %d", test.forget, m.Games, m.Points, 100+wins, wins)
		}
	}
}

// TestLearnersHoldNeighbouringSeats: two of five, each pair equally often.
func TestLearnersHoldNeighbouringSeats(t *testing.T) {
	p := pool(t, Config{Share: 1, Agents: []Named{{"random", 1}}})
	p.config.LearnerSeats = 2 // kuhn itself has no room for it
	table := make([]int, 5)
	for turn := range uint64(10) {
		p.Seat(table, turn, rand.NewPCG(1, 1))
		for s, id := range table {
			mine := s == int(turn%5) || s == int((turn+1)%5)
			if (id == Learner) != mine {
				t.Fatalf("turn %d: seats are %v, want the learner on %d and the next", turn, table, turn%5)
			}
		}
	}
	p.Record([]int{Learner, Learner, 0, 0}, []float32{3, 1, 2, 1})
	if m := p.Member(0); m.Games != 4 || m.Points != 2.5 {
		t.Errorf("two seats against two: %d duels with %v points, want 4 with 2.5", m.Games, m.Points)
	}
}

func TestSnapshotsAreFrozenAndRetire(t *testing.T) {
	p := pool(t, Config{Share: 1, SnapshotEvery: 1, Capacity: 2})
	net := kuhnNet(t, 1)
	if err := p.Snapshot(1, net); err != nil {
		t.Fatal(err)
	}
	frozen := slices.Clone(net.Weights())
	net.Weights()[0]++
	if !slices.Equal(p.Member(0).Network().Weights(), frozen) {
		t.Error("the snapshot changes with the learner")
	}
	snapshot(t, p, 2)
	snapshot(t, p, 3)
	p.Forget(map[int]bool{0: true})
	if p.Member(0) == nil {
		t.Fatal("a retired member with a game under way was forgotten")
	}
	p.Forget(nil)
	if p.Member(0) != nil || len(p.Members()) != 2 {
		t.Errorf("after its last game the retired member is still there: %d members, want 2", len(p.Members()))
	}
}

func TestRecordScoresTheLearner(t *testing.T) {
	p := pool(t, Config{Share: 1, Agents: []Named{{"random", 0.5}, {"scripted", 0.5}}})
	for _, game := range []struct {
		seats   []int
		returns []float32
	}{
		{[]int{Learner, 0, 1}, []float32{1, 0, 1}},  // beats 0, draws with 1
		{[]int{1, Learner, 0}, []float32{5, 1, -2}}, // loses to 1, beats 0
		{[]int{0, 0, Learner}, []float32{1, 2, 0}},  // loses twice to 0
	} {
		p.Record(game.seats, game.returns)
	}
	if m := p.Member(0); m.Games != 4 || m.Points != 2 {
		t.Errorf("member 0 has %d games with %v points, want 4 with 2", m.Games, m.Points)
	}
	if m := p.Member(1); m.Games != 2 || m.Points != 0.5 {
		t.Errorf("member 1 has %d games with %v points, want 2 with 0.5", m.Games, m.Points)
	}
}

// TestStateIsAllThatPoolsNeed restores a pool through JSON and demands that both
// go on alike.
func TestStateIsAllThatPoolsNeed(t *testing.T) {
	c := Config{Share: 1, SnapshotEvery: 1, Capacity: 2, Agents: []Named{{"random", 0.3}}}
	a := pool(t, c)
	for i := range 4 {
		snapshot(t, a, uint64(i))
	}
	a.Record([]int{Learner, 0}, []float32{1, -1})
	if err := a.Promote(7, kuhnNet(t, 7)); err != nil {
		t.Fatal(err)
	}
	state, weights := a.State()
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	var back State
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	b := pool(t, c)
	if err := b.Restore(back, Stored(weights, kuhnNet(t, 1).Config())); err != nil {
		t.Fatal(err)
	}
	if a.Best() == nil || b.Best() == nil || a.Best().ID != b.Best().ID {
		t.Errorf("the best member is %v, want %v", b.Best(), a.Best())
	}
	snapshot(t, a, 9)
	snapshot(t, b, 9)
	again, _ := a.State()
	other, _ := b.State()
	left, err := json.Marshal(again)
	if err != nil {
		t.Fatal(err)
	}
	right, err := json.Marshal(other)
	if err != nil {
		t.Fatal(err)
	}
	if string(left) != string(right) {
		t.Errorf("the restored pool is %s, want %s", right, left)
	}
	for i, m := range a.Members() {
		if m.net != nil && !slices.Equal(m.net.Weights(), b.Members()[i].net.Weights()) {
			t.Errorf("member %d has other weights", m.ID)
		}
	}
	ra, rb := rand.NewPCG(1, 1), rand.NewPCG(1, 1)
	x, y := make([]int, 3), make([]int, 3)
	for turn := range uint64(50) {
		a.Seat(x, turn, ra)
		b.Seat(y, turn, rb)
		if !slices.Equal(x, y) {
			t.Fatalf("turn %d is seated %v, want %v", turn, y, x)
		}
	}
	changed := pool(t, Config{Share: 1, SnapshotEvery: 1, Capacity: 2, Agents: []Named{{"scripted", 0.3}}})
	if err := changed.Restore(back, Stored(weights, kuhnNet(t, 1).Config())); err == nil ||
		!strings.Contains(err.Error(), `"random" as agent 0, the config has [scripted]`) {
		t.Errorf("a pool with other agents: %v", err)
	}
}

func TestConfigReportsAllFaults(t *testing.T) {
	err := Config{Share: math.NaN(), SnapshotEvery: -1, LearnerSeats: -1, Matchmaking: Matchmaking{Priority: "best", Power: 1, Forget: 2},
		Gate:   Gate{Games: 9, Above: 1},
		Agents: []Named{{"random", -1}, {"scripted", 0.9}, {"random", 1.2}}}.Validate()
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{"share is NaN", "snapshot_every is -1", "share of random is -1", "add up to 1.1", "learner_seats is -1",
		`priority is "best", it must be uniform, hard or variance`, "gate.above is 1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	if err := (Config{Share: 0.5, Agents: []Named{{"random", 0.5}}}).Validate(); err == nil || !strings.Contains(err.Error(), "must add up to 1") {
		t.Errorf("seats that nobody takes: %v", err)
	}
	if err := (Config{Share: 0.5, Agents: []Named{{"random", 0.5}}, Gate: Gate{Games: 10}}).Validate(); err == nil ||
		!strings.Contains(err.Error(), "set snapshot_every") {
		t.Errorf("a gate that nothing comes to: %v", err)
	}
	if err := (Config{Share: 0.5, Paired: true, Rota: []int{1}, Agents: []Named{{"random", 1}}}).Validate(); err == nil ||
		!strings.Contains(err.Error(), "rota is [1], but in paired games") {
		t.Errorf("a rota of paired games: %v", err)
	}
	if _, err = New(enginetest.Game(t, "kuhn"), Config{Share: 1, Rota: []int{0, 2}, Agents: []Named{{"random", 1}}}); err == nil ||
		!strings.Contains(err.Error(), "rota has seat 2, those of kuhn are 0 to 1") {
		t.Errorf("a rota with a seat that kuhn has not: error %v", err)
	}
	for name, want := range map[string]string{
		"human":                   "human is no policy; policies: random, scripted(slips=0,plan=auto), mcts(",
		"mcts(sims=0,time=100ms)": "cannot be repeated; limit the simulations",
		"nobody":                  `unknown agent "nobody"`,
	} {
		if _, err = New(enginetest.Game(t, "kuhn"), Config{Share: 1, Agents: []Named{{name, 1}}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s in the pool: error %v, want one with %q", name, err, want)
		}
	}
	if _, err = New(enginetest.Game(t, "kuhn"), Config{Share: 1, LearnerSeats: 2, Agents: []Named{{"random", 1}}}); err == nil ||
		!strings.Contains(err.Error(), "the most in kuhn is 1") {
		t.Errorf("a learner on all seats of kuhn: error %v", err)
	}
}
